/**
 * "Which inputs contribute to this row?": all that may be looked at. A weight of 0 is still a term of the sum; a masked
 * input is none. The answer is read from the module's own account of the sum. Next to read: only.js, ../questions.js.
 */

import { sizesOf } from '../state.js';
import { below, over, overScores, overWeights } from './draws.js';

/**
 * What both questions about a row's inputs have in common.
 * @param {import('../state.js').Doc} doc @param {() => number} random
 */
export function ofOneRow(doc, random) {
  const row = below(sizesOf(doc).nTokens, random);
  const cell = { tensor: 'context_vecs', indices: [0, row, 0] };
  return {
    row, head: 0, beside: null, panels: [], shows: cell, traces: [cell],
    words: { row: row + 1, label: doc.tokens[row] },
    // Every head looks at the same tokens: the pattern of one would tell that of the others.
    hides: [...overWeights({ head: null, row }), ...overScores({ head: null, row }).slice(0, 1), over('masking')],
  };
}

/** The tokens that are terms of a sum, from 0. @param {import('../questions.js').Known} known */
export function termsOf({ traces: [sum] }) {
  return sum.terms.map(({ left }) => left.indices[3]);
}

/** Of the terms, those with a weight of 0: they count all the same. @param {import('../questions.js').Known} known */
export function zerosOf({ traces: [sum] }) {
  return sum.terms.filter(({ left }) => left.value === 0).length;
}

/** @type {import('../questions.js').Kind} */
export const contributes = {
  id: 'contributes',
  here: () => true,
  ask: (doc, random) => ({
    ...ofOneRow(doc, random),
    form: { type: 'tokens', several: true },
    answer: (known) => ({ right: termsOf(known), words: { masked: doc.tokens.length - termsOf(known).length, zeros: zerosOf(known) } }),
  }),
};
