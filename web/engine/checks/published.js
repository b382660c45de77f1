// Known answers: course exercises, unit tests of ONNX Runtime and Keras, integer walk-throughs (tests/vectors/README.md).
// Must not compute an expected number. Read next: answers.js.

import { compare } from './compare.js';
import { expected, floats, layerOf, routesAgree } from './cases.js';

/** @typedef {import('./cases.js').Attention} Attention */

/** @param {Attention} attention @param {any} c */
function layerFor(attention, c) {
  const { scale: asked = 1, causal = false, num_heads: nHeads = 1, qkv_sizes: sizes } = c.params;
  const scale = typeof asked === 'number' ? asked : 'sqrt_head_dim';
  const { X, Q, K, V, attn_weights: given } = c.inputs;
  if (given) return layerOf(attention, X, {}, { scoreSource: 'given' }).set('attn_weights', floats(given));
  if (Q) {
    // Q, K and V of all sequences as rows of the matrices, and inputs that pick each token's row: x @ W is exact.
    const [nBatch, nTokens, width] = [1, ...Q.shape].slice(-3);
    const rows = nBatch * nTokens;
    const pick = Array.from({ length: rows * rows }, (_, i) => Number(i % (rows + 1) === 0));
    const weights = { Wq: Q, Wk: K, Wv: V };
    const parameters = Object.fromEntries(
      Object.entries(weights).map(([name, { data }]) => [name, { shape: [rows, width], data }]));
    return layerOf(attention, { shape: [nBatch, nTokens, rows], data: pick }, parameters, { scale, causal });
  }
  const parameters = { ...c.weights };
  if (sizes && sizes[2] < sizes[0]) {
    // Narrower values: columns of zeros at the end of each head change nothing but the width.
    for (const name of ['Wv', 'bv']) parameters[name] = widen(parameters[name], nHeads, sizes[0]);
  }
  return layerOf(attention, X, parameters, { scale, causal, nHeads });
}

/**
 * Columns of zeros at the end of each head's block.
 * @param {import('./cases.js').Tensor} tensor
 * @param {number} nHeads
 * @param {number} width
 */
function widen({ shape, data }, nHeads, width) {
  const from = shape[shape.length - 1] / nHeads;
  const to = width / nHeads;
  const rows = data.length / from;
  const wide = Array.from({ length: rows * to }, (_, i) =>
    (i % to < from ? data[Math.floor(i / to) * from + (i % to)] : 0));
  return { shape: [...shape.slice(0, -1), width], data: wide };
}

/** @type {Record<string, string>} */
const TENSORS = {
  Y: 'context_vecs', weights: 'attn_weights', scores: 'attn_scores', Q: 'queries', K: 'keys', V: 'values',
};

/**
 * What would be cached: keys, then values, each [heads][tokens][head_dim].
 * @param {import('../layer.js').Layer} layer @param {number[]} shape of what is expected
 */
function cached(layer, [, , , nTokens, headDim]) {
  const { shape: [, , width] } = layer.get('values');
  const byHead = (/** @type {Float32Array} */ data) => Array.from(data, (_, i) =>
    data[(Math.floor(i / headDim) % nTokens) * width + Math.floor(i / headDim / nTokens) * headDim + (i % headDim)]);
  return [...byHead(layer.get('keys').data), ...byHead(layer.get('values').data)];
}

/** @type {import('./cases.js').KnownAnswers} */
export const published = {
  source: 'published',
  run: 12,
  leftOut: {
    'a cache': (c) => c.params.past > 0,
    'a padding mask (an all-ones mask counts as none)': (c) => c.inputs.keep_mask?.data.includes(0),
    'extra score biases': (c) => 'score_bias' in c.inputs,
    'a softmax alone': (c) => c.op === 'masked_softmax',
    'queries and keys of different number': (c) => c.op === 'sdpa' && c.inputs.Q.shape[0] !== c.inputs.K.shape[0],
  },
  check(attention, c) {
    const layer = layerFor(attention, c).forward();
    const width = layer.get('context_vecs').shape[2];
    const { present, ...wanted } = c.expected;
    const found = Object.entries(wanted).map(([short, tensor]) => {
      const narrow = c.params.qkv_sizes && width > tensor.shape[2];
      const want = narrow ? widen(tensor, c.params.num_heads, width) : tensor;
      const got = layer.get(TENSORS[short]).data;
      return compare(`${c.name} ${short}`, got, expected(want), { atol: tensor.abs_tol });
    });
    if (present) {
      found.push(compare(`${c.name} present`, cached(layer, present.shape), expected(present), { atol: present.abs_tol }));
    }
    found.push(routesAgree(layer));
    layer.dispose();
    return found;
  },
};
