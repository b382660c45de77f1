// Known answers from outside, through the JavaScript face: every published or PyTorch case that a layer can express.
// A case is left out by a stated rule only, and the number of cases run per file is asserted, so that none can vanish.
// Must not compute an expected number. Read next: cases.js, tests/vectors/README.md.

import assert from 'node:assert/strict';
import test from 'node:test';
import { assertClose } from './compare.js';
import {
  TORCH_LEFT_OUT, attention, expected, floats, layerOf, parameterName, readCases, rowOf, torchLayer, transpose,
} from './cases.js';

/** @typedef {import('../../web/engine/layer.js').Layer} Layer */

const FORWARD = { atol: 1e-5, rtol: 1e-5 };

/**
 * Declares a test for each case that no rule leaves out, and one that counts them.
 * @param {string} file
 * @param {{ run: number, leftOut: Record<string, (c: any) => boolean>, check: (c: any) => void }} plan
 */
function declare(file, { run, leftOut, check }) {
  let count = 0;
  for (const c of readCases(file)) {
    const reasons = Object.keys(leftOut).filter((reason) => leftOut[reason](c));
    if (reasons.length > 0) continue;
    count++;
    test(`${file}: ${c.name} comes out as published (${c.description})`, () => check(c));
  }
  test(`${file}: exactly ${run} cases are run; the others are left out for: ${Object.keys(leftOut).join(', ')}`, () => {
    assert.equal(count, run);
    for (const [reason, rule] of Object.entries(leftOut)) {
      assert.ok(readCases(file).some(rule), `the rule "${reason}" leaves nothing out any more`);
    }
  });
}

/** Every row agrees with the second route. @param {Layer} layer */
function routesAgree(layer) {
  assert.deepEqual(layer.compareRoutes(), { verdict: 'agree', rows: [], drawsOn: null, tolerance: 1e-6 });
}

// ---- the book chapter: each op names the tensor that was printed -------------------------------------------------

/** @type {Record<string, { scale?: 'none', causal?: true, tensor?: string }>} */
const BOOK = {
  simple_attention_row: { scale: 'none' },
  scores: { scale: 'none', tensor: 'attn_scores' },
  scores_row: { scale: 'none', tensor: 'attn_scores' },
  scores_masked: { scale: 'none', causal: true, tensor: 'attn_scores' },
  row_sums: { scale: 'none', tensor: 'attn_row_sums' },
  simple_attention: { scale: 'none' },
  weights: { tensor: 'attn_weights' },
  weights_row: { tensor: 'attn_weights' },
  weights_causal: { causal: true, tensor: 'attn_weights' },
  self_attention: {},
  self_attention_row: {},
  causal_attention: { causal: true },
  multi_head: { causal: true, tensor: 'outputs' },
};

/** @param {any} c @returns {Layer} */
function bookLayer(c) {
  if (c.op === 'context') {
    return layerOf(c.inputs.X, {}, { scoreSource: 'given' }).set('attn_weights', floats(c.inputs.attn_weights));
  }
  if (c.op === 'project_row') {
    const x = { shape: [1, 3], data: c.inputs.x.data };
    return layerOf(x, { Wq: c.weights.Wq }, {});
  }
  const trained = 'Wq' in c.weights;
  const { scale = 'sqrt_head_dim', causal = false } = BOOK[c.op];
  return layerOf(c.inputs.X, c.weights, {
    scoreSource: trained ? 'trained' : 'inputs',
    scale: trained ? scale : 'none',
    causal,
    nHeads: c.inputs.num_heads ?? 1,
  });
}

/** @param {any} c */
function checkBook(c) {
  const printed = { atol: c.expected.abs_tol };
  const torch = expected(c.expected_torch_f32 ?? c.expected);
  if (c.op === 'weight_init') {
    const layer = attention.createLayer({ nTokens: 1, dIn: 3, dOut: 2 }).init('nn.Linear', c.inputs.seed);
    const drawn = transpose(layer.get(parameterName(c.name.slice(-2))).data, 3, 2);
    assertClose(drawn, expected(c.expected), printed, c.name);
    assertClose(drawn, Float32Array.from(torch), {}, `${c.name}, bit for bit`);
    return;
  }
  const layer = bookLayer(c).forward();
  const tensor = c.op === 'project_row' ? 'queries' : BOOK[c.op]?.tensor ?? 'context_vecs';
  const { data, shape } = layer.get(tensor);
  const row = c.inputs.query_index;
  const got = row === undefined ? data : rowOf(data, shape[shape.length - 1], row);
  assertClose(got, expected(c.expected), printed, `${c.name} ${tensor}`);
  // What torch computes is known to more digits than the book prints, but not for weights typed from print.
  if (c.op !== 'context') assertClose(got, torch, { atol: 1e-6, rtol: 1e-6 }, `${c.name} ${tensor} against torch`);
  if (tensor === 'context_vecs' && row !== undefined) {
    assertClose(layer.contextOneToken(row).context, expected(c.expected), printed, `${c.name} by the second route`);
  }
  routesAgree(layer);
}

declare('published_book_chapter.json', {
  run: 20,
  leftOut: {
    'a softmax alone': (c) => c.op === 'softmax',
    'a mask alone': (c) => c.op === 'mask',
  },
  check: checkBook,
});

/** @type {[string, 'torch.rand' | 'nn.Linear', number][]} */
const SEEDED = [
  ['self_v1', 'torch.rand', 123], ['self_v2', 'nn.Linear', 789], ['causal_attention_batch', 'nn.Linear', 123],
  ['mha_batch', 'nn.Linear', 123],
];
for (const [name, scheme, seed] of SEEDED) {
  test(`init('${scheme}', ${seed}) draws the weights of ${name} bit for bit`, () => {
    const c = readCases('published_book_chapter.json').find((one) => one.name === name);
    const options = { nHeads: c.inputs.num_heads ?? 1 };
    const layer = layerOf(c.inputs.X, c.weights, options).init(scheme, seed);
    for (const [short, tensor] of Object.entries(c.weights)) {
      assertClose(layer.get(parameterName(short)).data, floats(/** @type {any} */ (tensor)), {}, short);
    }
  });
}

// ---- other published cases ---------------------------------------------------------------------------------------

/** @param {any} c @returns {Layer} */
function otherLayer(c) {
  const { scale: asked = 1, causal = false, num_heads: nHeads = 1, qkv_sizes: sizes } = c.params;
  const scale = typeof asked === 'number' ? asked : 'sqrt_head_dim';
  const { X, Q, K, V, attn_weights: given } = c.inputs;
  if (given) return layerOf(X, {}, { scoreSource: 'given' }).set('attn_weights', floats(given));
  if (Q) {
    // Q, K and V of all sequences as rows of the matrices, and inputs that pick each token's row: x @ W is exact.
    const [nBatch, nTokens, width] = [1, ...Q.shape].slice(-3);
    const rows = nBatch * nTokens;
    const pick = Array.from({ length: rows * rows }, (_, i) => Number(i % (rows + 1) === 0));
    const weights = { Wq: Q, Wk: K, Wv: V };
    const parameters = Object.fromEntries(
      Object.entries(weights).map(([name, { data }]) => [name, { shape: [rows, width], data }]));
    return layerOf({ shape: [nBatch, nTokens, rows], data: pick }, parameters, { scale, causal });
  }
  const parameters = { ...c.weights };
  if (sizes && sizes[2] < sizes[0]) {
    // Narrower values: columns of zeros at the end of each head change nothing but the width.
    for (const name of ['Wv', 'bv']) parameters[name] = widen(parameters[name], nHeads, sizes[0]);
  }
  return layerOf(X, parameters, { scale, causal, nHeads });
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
const PUBLISHED = {
  Y: 'context_vecs', weights: 'attn_weights', scores: 'attn_scores', Q: 'queries', K: 'keys', V: 'values',
};

/** @param {any} c */
function checkOther(c) {
  const layer = otherLayer(c).forward();
  const width = layer.get('context_vecs').shape[2];
  for (const [short, tensor] of Object.entries(c.expected).filter(([name]) => name !== 'present')) {
    let want = /** @type {any} */ (tensor);
    const tolerance = { atol: want.abs_tol };
    if (c.params.qkv_sizes && width > want.shape[2]) want = widen(want, c.params.num_heads, width);
    assertClose(layer.get(PUBLISHED[short]).data, expected(want), tolerance, `${c.name} ${short}`);
  }
  if (c.expected.present) {
    // What would be cached: keys, then values, each [heads][tokens][head_dim].
    const [, , nHeads, nTokens, headDim] = c.expected.present.shape;
    const byHead = (/** @type {Float32Array} */ data) => Array.from(data, (_, i) =>
      data[(Math.floor(i / headDim) % nTokens) * width + Math.floor(i / headDim / nTokens) * headDim + (i % headDim)]);
    assert.equal(nHeads * headDim, width);
    const got = [...byHead(layer.get('keys').data), ...byHead(layer.get('values').data)];
    assertClose(got, expected(c.expected.present), { atol: c.expected.present.abs_tol }, `${c.name} present`);
  }
  routesAgree(layer);
}

declare('published_other.json', {
  run: 12,
  leftOut: {
    'a cache': (c) => c.params.past > 0,
    'a padding mask (an all-ones mask counts as none)': (c) => c.inputs.keep_mask?.data.includes(0),
    'extra score biases': (c) => 'score_bias' in c.inputs,
    'a softmax alone': (c) => c.op === 'masked_softmax',
    'queries and keys of different number': (c) => c.op === 'sdpa' && c.inputs.Q.shape[0] !== c.inputs.K.shape[0],
  },
  check: checkOther,
});

// ---- PyTorch in float64 ------------------------------------------------------------------------------------------

/** @param {any} c */
function checkTorch(c) {
  const layer = torchLayer(c);
  assertClose(layer.get(c.tensors.Wo ? 'outputs' : 'context_vecs').data, expected(c.expected.Y), FORWARD, c.name);
  if (c.expected.attn_weights) {
    assertClose(layer.get('attn_weights').data, expected(c.expected.attn_weights), FORWARD, `${c.name} attn_weights`);
  }
  routesAgree(layer);
}

declare('pytorch_gradients.json', { run: 10, leftOut: TORCH_LEFT_OUT, check: checkTorch });
