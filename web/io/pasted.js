/**
 * Numbers and labels out of text that was pasted or opened: the door for every kind. Text with a bracket in front is a printout or
 * JSON (brackets.js), all else is a table of lines and cells (table.js). Must not guess what it cannot read: it says
 * where it stopped. Next to read: table.js, brackets.js.
 */

import { attempt, refuse } from '../model/refusal.js';
import { isBracketed, readBrackets } from './brackets.js';
import { readTable } from './table.js';

/**
 * @typedef {object} Pasted
 * @property {number[][]} rows  at least one, all of the same length
 * @property {string[] | null} rowLabels  one for each row, if the text had them
 * @property {string[] | null} columnLabels  likewise for the columns
 */

/** More text than this is no matrix that the page could show. */
export const MAX_PASTED = 300_000;

/**
 * @param {string} text
 * @returns {Pasted | { problem: import('../model/update.js').Message }}
 */
export function readPasted(text) {
  return attempt(() => {
    const plain = plainOf(text);
    if (isBracketed(plain)) return { rows: readBrackets(plain), rowLabels: null, columnLabels: null };
    return readTable(plain);
  });
}

/**
 * Text for a column of labels: one a line; or a table, of labels with numbers beside them or of numbers alone.
 * @param {string} text
 * @returns {{ labels: string[], rows: number[][] | null } | { labels: null, rows: number[][] }
 *   | { problem: import('../model/update.js').Message }}
 */
export function readLabels(text) {
  const plain = attempt(() => ({ text: plainOf(text) }));
  if ('problem' in plain) return plain;
  if (!plain.text.trim().includes('\t') && !isBracketed(plain.text)) {
    return { labels: plain.text.split('\n').map((line) => line.trim()).filter(Boolean), rows: null };
  }
  const pasted = readPasted(text);
  return 'problem' in pasted ? pasted : { labels: pasted.rowLabels, rows: pasted.rows };
}

/** With one kind of line ends and no byte order mark; refused if it is too long or blank. @param {string} text */
function plainOf(text) {
  if (text.length > MAX_PASTED) refuse({ id: 'problem-paste-long', args: { limit: MAX_PASTED, got: text.length } });
  const plain = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  if (plain.trim() === '') refuse({ id: 'problem-paste-empty' });
  return plain;
}
