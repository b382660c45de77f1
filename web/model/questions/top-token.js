/**
 * "Which token gets most weight in this row?" Several where weights are equal, and then it says so. The row's scores are
 * hidden too: the largest score is the largest weight. Next to read: draws.js, ../questions.js.
 */

import { headsInForce, sizesOf } from '../state.js';
import { below, headNumber, overScores, overWeights } from './draws.js';

/** @type {import('../questions.js').Kind} */
export const topToken = {
  id: 'top-token',
  here: (doc) => doc.tokens.length > 1,
  ask(doc, random) {
    const { nTokens } = sizesOf(doc);
    const [row, head] = [below(nTokens, random), below(headsInForce(doc), random)];
    return {
      form: { type: 'tokens', several: false }, row, head, beside: null, panels: [], traces: [],
      words: { row: row + 1, label: doc.tokens[row], head: headNumber(doc, head) },
      hides: [...overWeights({ head, row }), ...overScores({ head, row })],
      shows: { tensor: 'attn_row_sums', indices: [0, head, row] },
      answer: ({ tensors: { attn_weights: { data } } }) => {
        const start = (head * nTokens + row) * nTokens;
        const weights = Array.from(data.subarray(start, start + nTokens));
        const most = Math.max(...weights);
        const right = weights.flatMap((weight, token) => (weight === most ? [token] : []));
        return { right, words: { weight: most, ties: right.length } };
      },
    };
  },
};
