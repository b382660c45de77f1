/**
 * One matrix as text: for spreadsheets (CSV, TSV), or as a literal for NumPy or PyTorch. Numbers are written in the
 * fewest digits that read back as the same float32. Pure. Next to read: scripts.js, which writes whole programs.
 */

import { plain } from '../model/numbers.js';

/** @typedef {import('../model/derive.js').Tensor} Tensor */

/**
 * @param {number[][]} rows
 * @param {{ separator?: ',' | '\t', rowLabels?: string[], columnLabels?: string[] }} [how]  CSV unless told
 * @returns {string} lines ended by CR LF, as RFC 4180 has it; with both labels the corner is empty
 */
export function writeDelimited(rows, { separator = ',', rowLabels, columnLabels } = {}) {
  const lines = rows.map((row, i) => [...(rowLabels ? [field(rowLabels[i])] : []), ...row.map(number)]);
  if (columnLabels) lines.unshift([...(rowLabels ? [''] : []), ...columnLabels.map(field)]);
  return lines.map((line) => `${line.join(separator)}\r\n`).join('');
}

/**
 * A label as a field. One that a spreadsheet would run as a formula gets an apostrophe before it, which spreadsheets
 * read as "this is text": labels may come from a link that somebody else made.
 * @param {string} text
 */
function field(text) {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

/** @param {number} value */
function number(value) {
  return plain(value).replace('Infinity', 'inf');
}

/** A matrix for NumPy: np.array([[…]], dtype=np.float32). @param {number[][]} rows */
export function numpyLiteral(rows) {
  return `np.array(${literal(rows)}, dtype=np.float32)`;
}

/** A matrix for PyTorch: torch.tensor([[…]], dtype=torch.float32). @param {number[][]} rows */
export function torchLiteral(rows) {
  return `torch.tensor(${literal(rows)}, dtype=torch.float32)`;
}

/**
 * A tensor of any rank as nested lists in Python, the last two sizes as a matrix with a row a line.
 * @param {Tensor} tensor @returns {string}
 */
export function nested({ shape, data }) {
  if (shape.length > 2) {
    const size = data.length / shape[0];
    const parts = Array.from({ length: shape[0] }, (_, i) =>
      nested({ shape: shape.slice(1), data: data.subarray(i * size, (i + 1) * size) }));
    return `[${parts.join(',\n')}]`;
  }
  const columns = shape[shape.length - 1];
  const rows = Array.from({ length: data.length / columns }, (_, i) => Array.from(data.subarray(i * columns, (i + 1) * columns)));
  return literal(rows);
}

/** @param {number[][]} rows */
function literal(rows) {
  const inPython = (/** @type {number} */ value) =>
    (Number.isFinite(value) ? plain(value) : `float('${number(value)}')`);
  return `[\n${rows.map((row) => `    [${row.map(inPython).join(', ')}],\n`).join('')}]`;
}
