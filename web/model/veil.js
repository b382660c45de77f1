/**
 * The veil: which numbers nobody is to see yet. Every reason to hide something is a source in `veil`; what is hidden
 * holds for grids, pictures, words, files alike, for the numbers are taken out before anything is made of them. Pure.
 * Next to read: hiding.js (takes them out), questions.js (the questions that hide their answers).
 */

import { classVeils } from './classroom.js';
import { asked } from './questions.js';

/**
 * @typedef {object} Veil  numbers of one tensor; null: all rows, columns or heads
 * @property {string} tensor   by its name in the C interface; 'pinned' and 'masking' stand for what the instruments that
 *   compare hold against the screen; 'shape of …' for a tensor's sizes
 * @property {number | null} head    of attention weights, scores and sums; elsewhere null
 * @property {number | null} row
 * @property {number | null} column  over the whole width, whatever the heads
 *
 * @typedef {{ head: number | null, row: number | null, column: number | null }} Place  null: the tensor has no such axis
 */

/** Everything that is hidden now. @param {import('./state.js').State} state @returns {Veil[]} */
export function veil(state) {
  const question = asked(state);
  return [...(question && !question.revealed ? question.hides : []), ...classVeils(state)];
}

/**
 * Whether one number is hidden.
 * @param {Veil[]} veils @param {string} tensor @param {Partial<Place>} [place]  what is left out is not asked about
 */
export function veiled(veils, tensor, { head = null, row = null, column = null } = {}) {
  const meets = (/** @type {number | null} */ hidden, /** @type {number | null} */ at) => hidden === null || at === null || hidden === at;
  return veils.some((one) => one.tensor === tensor && meets(one.head, head) && meets(one.row, row) && meets(one.column, column));
}

/**
 * Where a number stands by its indices, which begin with the batch but for parameters.
 * @param {string} tensor @param {number[]} indices @returns {Place}
 */
export function placeIn(tensor, indices) {
  const [row, column] = indices.slice(-2);
  if (tensor === 'attn_row_sums') return { head: indices[1], row: column, column: null };
  if (tensor === 'attn_column_sums') return { head: indices[1], row: null, column };
  return { head: indices.length === 4 ? indices[1] : null, row, column };
}

/** The same of a flat index. @param {string} tensor @param {number[]} shape @param {number} element */
export function placeAt(tensor, shape, element) {
  let rest = element;
  const indices = [...shape].reverse().map((size) => {
    const index = rest % size;
    rest = (rest - index) / size;
    return index;
  });
  return placeIn(tensor, indices.reverse());
}

