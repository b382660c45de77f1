/**
 * Numbers out of text that was pasted or opened: the door for every kind. Text with a bracket in front is a printout or
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
    if (text.length > MAX_PASTED) {
      refuse({ id: 'problem-paste-long', args: { limit: MAX_PASTED, got: text.length } });
    }
    const plain = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
    if (plain.trim() === '') refuse({ id: 'problem-paste-empty' });
    if (isBracketed(plain)) return { rows: readBrackets(plain), rowLabels: null, columnLabels: null };
    return readTable(plain);
  });
}
