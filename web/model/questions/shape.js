/**
 * "What shape comes out of this product?", with the sizes as they are. The answer is a tensor's own size; of several
 * heads, that of one head. Next to read: ../questions.js, ../../view/shapes.js (all products).
 */

import { headsInForce, sizesOf } from '../state.js';
import { drawn, over } from './draws.js';

/** Each product by its message, the tensor that it makes, and whether each head makes its own part of that tensor's width. */
const PRODUCTS = /** @type {const} */ ({
  queries: { tensor: 'queries', split: false, sources: ['trained'] },
  values: { tensor: 'values', split: false, sources: ['trained'] },
  scores: { tensor: 'attn_scores', split: false, sources: ['trained', 'inputs'] },
  blend: { tensor: 'context_vecs', split: true, sources: ['trained', 'inputs', 'given'] },
});

const COMPUTED = ['queries', 'keys', 'values', 'attn_scores', 'attn_weights', 'context_vecs', 'outputs'];

/** @type {import('../questions.js').Kind} */
export const shape = {
  id: 'shape',
  here: () => true,
  ask(doc, random) {
    const heads = headsInForce(doc);
    const names = /** @type {(keyof typeof PRODUCTS)[]} */ (Object.keys(PRODUCTS));
    const name = drawn(names.filter((one) => /** @type {readonly string[]} */ (PRODUCTS[one].sources).includes(doc.source)), random);
    const { tensor, split } = PRODUCTS[name];
    const { nTokens: n, dIn, width } = sizesOf(doc);
    const [d, each] = [`${n} × ${dIn}`, width / heads];
    // The two factors as they are, those of one head where each head has its own.
    const [left, right] = {
      queries: [d, `${dIn} × ${width}`], values: [d, `${dIn} × ${width}`],
      scores: [`${n} × ${each}`, `${each} × ${n}`], blend: [`${n} × ${n}`, `${n} × ${each}`],
    }[name];
    return {
      form: { type: 'shape' }, row: null, head: null, beside: null, panels: [], shows: null, traces: [],
      words: { product: name, left, right, source: doc.source, heads: heads > 1 && (split || name === 'scores') ? heads : 1 },
      // Tensors that are computed share their sizes: that of one would tell that of another.
      hides: COMPUTED.map((one) => over(`shape of ${one}`)),
      answer: ({ tensors }) => {
        const [rows, columns] = tensors[tensor].shape.slice(-2);
        return { right: [rows, split ? columns / heads : columns], words: {} };
      },
    };
  },
};
