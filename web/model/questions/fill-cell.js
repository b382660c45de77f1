/**
 * "Which number stands here?": one of the context vectors, weights, scores, queries, keys or values. Masked weights are
 * not asked for, nor weights as one has typed them. Next to read: draws.js, ../questions.js.
 */

import { headsInForce, sizesOf } from '../state.js';
import { allowed, below, drawn, headNumber, over, overScores, overWeights } from './draws.js';

/**
 * @typedef {import('../state.js').Doc} Doc
 * @typedef {{ head: number, row: number, column: number }} At
 */

/** What hides a number and everything that is the same number under another name. @type {Record<string, (at: At) => import('../veil.js').Veil[]>} */
const HIDES = {
  context_vecs: ({ row, column }) => [over('context_vecs', { row, column }), over('outputs', { row })],
  attn_weights: (at) => overWeights(at),
  attn_scores: (at) => overScores(at),
  queries: ({ row, column }) => [over('queries', { row, column })],
  keys: ({ row, column }) => [over('keys', { row, column })],
  values: ({ row, column }) => [over('values', { row, column }), over('context_vecs', { column }), over('outputs')],
};

/** @param {Doc} doc */
function tensorsOf({ source, causal }) {
  return ['context_vecs', ...(source === 'given' && !causal ? [] : ['attn_weights']), ...(source === 'given' ? [] : ['attn_scores']),
    ...(source === 'trained' ? ['queries', 'keys', 'values'] : [])];
}

/** @type {import('../questions.js').Kind} */
export const fillCell = {
  id: 'fill-cell',
  here: () => true,
  ask(doc, random) {
    const { nTokens, width } = sizesOf(doc);
    const heads = headsInForce(doc);
    const tensor = drawn(tensorsOf(doc), random);
    const pairs = tensor.startsWith('attn_');
    // The first row under the mask is its own value, once: the answer would stand beside the question.
    const first = doc.causal && nTokens > 1 && ['context_vecs', 'attn_weights'].includes(tensor) ? 1 : 0;
    const row = first + below(nTokens - first, random);
    const columns = pairs ? [...Array(nTokens).keys()].filter((key) => allowed(doc, row, key)) : [...Array(width).keys()];
    const column = drawn(columns, random);
    const head = pairs ? below(heads, random) : Math.floor(column / (width / heads));
    const at = { head, row, column };
    const cell = { tensor, indices: pairs ? [0, head, row, column] : [0, row, column] };
    return {
      form: { type: 'number' }, row, head, shows: cell, traces: [], beside: null,
      words: { tensor, row: row + 1, column: column + 1, head: pairs ? headNumber(doc, head) : 0 },
      hides: HIDES[tensor](at),
      panels: ['attn_scores', 'queries', 'keys'].includes(tensor) ? ['scores'] : [],
      answer: ({ tensors }) => {
        const { shape, data } = tensors[tensor];
        const rows = pairs ? head * nTokens + row : row;
        return { right: data[rows * shape[shape.length - 1] + column], words: {} };
      },
    };
  },
};
