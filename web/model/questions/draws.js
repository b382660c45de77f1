/**
 * What several kinds of question draw and hide: a token, a head, one of a list; a row of weights with all that would give
 * it away. Pure. Next to read: ../questions.js.
 */

import { headsInForce } from '../state.js';

/**
 * @typedef {import('../state.js').Doc} Doc
 * @typedef {import('../veil.js').Veil} Veil
 * @typedef {() => number} Random  in [0, 1)
 */

/** One of a list. @template T @param {readonly T[]} list @param {Random} random @returns {T} */
export const drawn = (list, random) => list[Math.floor(random() * list.length)];

/** A whole number below a count. @param {number} count @param {Random} random */
export const below = (count, random) => Math.floor(random() * count);

/** Whether a query may look at a key. @param {Doc} doc @param {number} row @param {number} column */
export const allowed = (doc, row, column) => !doc.causal || column <= row;

/** All numbers of a tensor, or some of them. @param {string} tensor @param {Partial<import('../veil.js').Place>} [place] @returns {Veil} */
export const over = (tensor, { head = null, row = null, column = null } = {}) => ({ tensor, head, row, column });

/**
 * Weights of one row, with the sums that could be one of them, and what the outputs would say of a blend.
 * @param {{ head: number | null, row: number, column?: number | null }} place @returns {Veil[]}
 */
export function overWeights({ head, row, column = null }) {
  return [
    over('attn_weights', { head, row, column }), over('attn_row_sums', { head, row }), over('attn_column_sums', { head, column }),
  ];
}

/**
 * Scores, and those on the other side of the diagonal: where queries and keys are alike, they are the same numbers.
 * @param {{ head: number | null, row: number, column?: number | null }} place @returns {Veil[]}
 */
export function overScores({ head, row, column = null }) {
  return [over('attn_scores', { head, row, column }), over('attn_scores', { head, row: column, column: row })];
}

/** The head that is in question, for a sentence; 0 where there is one only. @param {Doc} doc @param {number} head */
export const headNumber = (doc, head) => (headsInForce(doc) > 1 ? head + 1 : 0);
