/**
 * Matrices as programs print them: nested lists of JSON, NumPy and PyTorch, with or without tensor(…) or array(…)
 * around. Sizes of 1 in front (a batch, a head) fall away. Must not evaluate anything. Next to read: pasted.js.
 */

import { parseNumber } from '../model/numbers.js';
import { cut, refuse } from '../model/refusal.js';

/**
 * What may stand in front of the first bracket: a name, "Parameter containing:", tensor(, np.array( and the like. A
 * label such as [CLS] is no such bracket: a number or another bracket follows it.
 */
const FRONT = new RegExp(/^\s*(?:[a-z_][\w.]*\s*=\s*)?(?:Parameter containing:\s*)?(?:[a-z_][\w.]*\(\s*)?/.source
  + /(?=\[\s*(?:[-+\u2212.…\d[\]]|nan|inf|$))/.source, 'i');
/** Options behind the last bracket are short. */
const MAX_BEHIND = 500;
/** What may stand behind the last: options such as dtype=float32 or grad_fn=<…>, and what closes. */
const BEHIND = /^(?:\s*,\s*\w+\s*=\s*[^,[\]]+)*\s*,?\s*\)?\s*;?\s*$/;
const TOKEN = /\s*(\[|\]|,|\.\.\.|…|[^\s,[\]]+)/y;

/** @typedef {number | Nested[]} Nested */

/** @param {string} text */
export function isBracketed(text) {
  return FRONT.test(text);
}

/** @param {string} text  for which isBracketed holds @returns {number[][]} */
export function readBrackets(text) {
  const start = text.match(FRONT)?.[0].length ?? 0;
  const { value, end } = nested(text, start);
  const matrix = matrixOf(value);
  const behind = text.slice(end).trim();
  if (behind.length > MAX_BEHIND || !BEHIND.test(behind)) {
    refuse({ id: 'problem-paste-behind', args: { text: cut(behind, 40) } });
  }
  return matrix;
}

/**
 * The list that begins at a place, and where it ends. Brackets are counted, no call follows them: depth costs no stack.
 * @param {string} text @param {number} start
 */
function nested(text, start) {
  /** @type {Nested[][]} */
  const open = [];
  let separated = true; // whether a comma has been seen since the last item, or no item came yet
  TOKEN.lastIndex = start;
  for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) {
    const token = match[1];
    const list = open[open.length - 1];
    if (token === '...' || token === '…') refuse({ id: 'problem-paste-elided' });
    if (token === '[') {
      open.push([]);
      separated = true;
    } else if (token === ']') {
      open.pop();
      if (open.length === 0) return { value: list, end: TOKEN.lastIndex };
      open[open.length - 1].push(list);
      separated = false;
    } else if (token === ',') {
      if (separated) refuse(notANumber(open, ''));
      separated = true;
    } else {
      const number = parseNumber(token);
      if (number === null) return refuse(notANumber(open, token));
      list.push(number);
      separated = false;
    }
  }
  return refuse({ id: 'problem-paste-cut', args: { open: open.length } });
}

/** @param {Nested[][]} open @param {string} text @returns {import('../model/update.js').Message} */
function notANumber(open, text) {
  const row = open.length > 1 ? open[open.length - 2].length + 1 : 1;
  return { id: 'problem-paste-number', args: { row, column: open[open.length - 1].length + 1, text: cut(text, 40) } };
}

/** @param {Nested[]} value @returns {number[][]} */
function matrixOf(value) {
  let list = value;
  while (list.length === 1 && deep(list[0]) && list[0].some(deep)) list = list[0];
  if (list.length === 0) refuse({ id: 'problem-paste-empty' });
  const rows = list.every((item) => !deep(item)) ? [list] : list;
  const width = widthOf(rows[0]);
  return rows.map((row, i) => {
    if (!deep(row)) return refuse({ id: 'problem-paste-mixed', args: { row: i + 1 } });
    if (row.some(deep)) return refuse({ id: 'problem-paste-deep', args: { row: i + 1 } });
    if (row.length === 0) return refuse({ id: 'problem-paste-empty' });
    if (row.length !== width) {
      refuse({ id: 'problem-paste-ragged', args: { row: i + 1, expected: width, got: row.length } });
    }
    return /** @type {number[]} */ (row);
  });
}

/** @param {Nested} item @returns {item is Nested[]} */
function deep(item) {
  return Array.isArray(item);
}

/** @param {Nested} row */
function widthOf(row) {
  return deep(row) ? row.length : 0;
}
