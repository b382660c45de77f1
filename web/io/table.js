/**
 * Tables of lines and cells: from spreadsheets (tabs), CSV with semicolons or commas, or columns of spaces. With tabs,
 * semicolons or spaces between cells a comma is a decimal comma; where a comma can part cells, it does. Cells may be
 * quoted. A first row or column of words holds labels; must not take for one what may be a number that it cannot read.
 * Next to read: pasted.js, ../model/numbers.js.
 */

import { parseNumber } from '../model/numbers.js';
import { cut, refuse } from '../model/refusal.js';

/** In this order: a tab is never part of a cell, a semicolon never of a number, a comma may be. */
const SEPARATORS = ['\t', ';', ','];

/** @param {string} text  not blank, lines end in \n @returns {import('./pasted.js').Pasted} */
export function readTable(text) {
  const cells = withoutEmptyEnd(cellsOf(text));
  if (cells.length === 0) refuse({ id: 'problem-paste-empty' });
  const labelled = labelsOf(cells);
  const top = labelled.columns ? 1 : 0;
  const left = labelled.rows ? 1 : 0;
  const body = cells.slice(top);
  const width = body[0].length - left;
  const rows = body.map((line, i) => {
    const row = i + 1 + top;
    if (line.length !== body[0].length) {
      refuse({ id: 'problem-paste-ragged', args: { row, expected: body[0].length, got: line.length } });
    }
    return line.slice(left).map((cell, j) => {
      if (/^(\.\.\.|…)$/.test(cell)) refuse({ id: 'problem-paste-elided' });
      return parseNumber(cell)
        ?? refuse({ id: 'problem-paste-number', args: { row, column: j + 1 + left, text: cut(cell, 40) } });
    });
  });
  if (width === 0) refuse({ id: 'problem-paste-empty' });
  const columnLabels = labelled.columns ? headerOf(cells[0], width) : null;
  return { rows, rowLabels: labelled.rows ? body.map(([label]) => label) : null, columnLabels };
}

/**
 * The lines that are not blank, as cells without the spaces around them.
 * @param {string} text @returns {string[][]}
 */
function cellsOf(text) {
  const bare = text.replace(/"(?:[^"]|"")*"/g, '');
  const separator = SEPARATORS.find((candidate) => bare.includes(candidate));
  // "0,5 0,25": no comma parts these cells, for a space does.
  const spaced = separator === undefined || (separator === ',' && /\d,\d+ +[-+\u2212]?\d+,\d/.test(bare));
  if (spaced) return text.split('\n').map((line) => line.trim()).filter(Boolean).map((line) => line.split(/\s+/));
  return separated(text, separator).filter((line) => line.some((cell) => cell !== ''));
}

/**
 * Cells as CSV has them: one in quotes may hold separators, line ends and doubled quotes.
 * @param {string} text @param {string} separator @returns {string[][]}
 */
function separated(text, separator) {
  const cell = new RegExp(`[ ]*(?:"((?:[^"]|"")*)"[ ]*|([^${separator}\n]*))(${separator}|\n|$)`, 'y');
  /** @type {string[][]} */
  const lines = [[]];
  while (cell.lastIndex < text.length) {
    // Always a match: a quote that does not close is a letter like any other.
    const [, inQuotes, plain, end] = /** @type {RegExpExecArray} */ (cell.exec(text));
    lines[lines.length - 1].push((inQuotes?.replace(/""/g, '"') ?? plain).trim());
    if (end === '\n') lines.push([]);
    // A separator at the very end opens one more, empty cell.
    if (end === separator && cell.lastIndex === text.length) lines[lines.length - 1].push('');
  }
  return lines;
}

/**
 * Without a last column that is empty everywhere: some programs end each line in a separator.
 * @param {string[][]} cells
 */
function withoutEmptyEnd(cells) {
  const ends = cells.every((line) => line.length > 1 && line[line.length - 1] === '');
  return ends ? cells.map((line) => line.slice(0, -1)) : cells;
}

/**
 * Whether the first row and the first column are labels: they are, if they are words; beside an empty corner they are
 * too, if they only count, as programs write an index.
 * @param {string[][]} cells
 */
function labelsOf(cells) {
  const [first, ...others] = cells;
  if (others.length > 0 && first[0] === '') {
    const named = [first.slice(1), others.map(([cell]) => cell)].every((line) => areLabels(line) || counts(line));
    return { rows: named, columns: named };
  }
  const columns = others.length > 0 && areLabels(first);
  const body = columns ? others : cells;
  return { rows: body.every((line) => line.length > 1) && areLabels(body.map(([cell]) => cell)), columns };
}

/** What stands before the digits of a number: signs, currencies, brackets, the equals sign of a formula. */
const BEFORE_DIGITS = /^[-+±\u2212\u2013\uFF0D.,'’=~≈<>(\s\p{Sc}]*[\d\p{No}]/u;

/** A whole number and then letters: "1st", "2 cats", "3D"; but no power of ten and nothing hexadecimal. */
const COUNTED_WORD = /^(?!\d+[ed][-+]?\d|0x[\da-f]+$)\d+ ?\p{L}/iu;

/** What programs and spreadsheets write where a number is missing, infinite or wrong. */
const NO_VALUE = /^(?:[-+\u2212]?(?:nan|inf|infinity|∞)|n\/?a|null|none|#(?:n\/a|div\/0!|ref!|num!|value!|name\?|null!)|[\p{P}\p{Sm}\s]+)$/iu;

/**
 * Whether cells are labels: none may be a number, readable or not, and one at least is more than a sign for "no value".
 * @param {string[]} cells
 */
function areLabels(cells) {
  return cells.every((cell) => cell !== '' && (!BEFORE_DIGITS.test(cell) || COUNTED_WORD.test(cell)))
    && cells.some((cell) => !NO_VALUE.test(cell));
}

/** Whether cells count up from 0 or from 1. @param {string[]} cells */
function counts(cells) {
  return [0, 1].some((start) => cells.every((cell, i) => cell === String(i + start)));
}

/** A header may lack the cell above the row labels. @param {string[]} line @param {number} width */
function headerOf(line, width) {
  const labels = line.slice(line.length > width ? line.length - width : 0);
  if (labels.length !== width) refuse({ id: 'problem-paste-header', args: { expected: width, got: labels.length } });
  return labels;
}
