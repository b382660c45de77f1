// How a number came to be: the terms that trace() gives, multiplied and added from the exact values, make the number
// shown, for every cell of every tensor. Read next: src/trace.c.

import assert from 'node:assert/strict';
import test from 'node:test';
import { assertClose } from './compare.js';
import { attention, fill, SIX_TOKENS } from './cases.js';

/**
 * @typedef {import('../../web/engine/layer.js').Layer} Layer
 * @typedef {import('../../web/engine/instruments.js').Trace} Trace
 * @typedef {import('../../web/engine/instruments.js').Factor} Factor
 */

/** The indices of every element of a tensor. @param {number[]} dims @returns {number[][]} */
const everyIndex = (dims) => dims.reduce((/** @type {number[][]} */ all, dim) =>
  all.flatMap((indices) => Array.from({ length: dim }, (_, i) => [...indices, i])), [[]]);

/** @param {number[]} dims @param {number[]} indices */
const flat = (dims, indices) => indices.reduce((element, index, axis) => element * dims[axis] + index, 0);

/**
 * The traced arithmetic done again, from the tensors that get() gives; not from the products that trace() gives.
 * @param {Trace} trace
 * @param {(factor: Factor) => number} exact
 */
function redo({ operation, tensor, indices, terms, scale, bias, max }, exact) {
  const products = terms.map(({ left, right }) =>
    (max === null ? exact(left) * (right ? exact(right) : 1) : Math.exp(exact(left) - max)));
  const sum = products.reduce((a, b) => a + b, 0);
  const magnitude = products.reduce((a, b) => a + Math.abs(b), 0);
  if (operation === 'masked') return { result: tensor === 'attn_scores' ? -Infinity : 0, magnitude };
  if (operation === 'input') return { result: exact({ tensor, indices, value: NaN }), magnitude };
  if (operation === 'softmax' || operation === 'given_masked') {
    const own = terms.findIndex(({ left }) => String(left.indices) === String(indices));
    return { result: sum === 0 ? 0 : products[own] / sum, magnitude };
  }
  return { result: scale * sum + (bias ? exact(bias) : 0), magnitude };
}

/** Every cell of every tensor. Returns the operations that were met. @param {Layer} layer */
function checkEveryCell(layer) {
  const tensors = Object.fromEntries(Object.keys(layer.shapes()).map((name) => [name, layer.get(name)]));
  /** @param {Factor} factor */
  const exact = ({ tensor, indices }) => tensors[tensor].data[flat(tensors[tensor].shape, indices)];
  /** @type {Record<string, Set<string>>} */
  const met = {};
  for (const [name, { shape, data }] of Object.entries(tensors)) {
    met[name] = new Set();
    for (const indices of everyIndex(shape)) {
      const trace = layer.trace(name, indices);
      const { result, magnitude } = redo(trace, exact);
      const shown = data[flat(shape, indices)];
      met[name].add(trace.operation);
      assert.deepEqual([trace.tensor, trace.indices, trace.shown], [name, indices, shown]);
      assertClose([shown], [result], { atol: 1e-6 * (1 + magnitude) }, `${name}[${indices}]`);
      assertClose([trace.result], [result], { atol: 1e-12, rtol: 1e-12 }, `the result of ${name}[${indices}]`);
      let running = 0;
      for (const { left, right, product, running: told } of trace.terms) {
        assert.equal(left.value, exact(left));
        if (right) assert.equal(right.value, exact(right));
        running += product;
        assert.equal(told, running);
      }
    }
  }
  return Object.fromEntries(Object.entries(met).map(([name, operations]) => [name, [...operations].sort()]));
}

const INPUT = { inputs: ['input'], w_query: ['input'], w_key: ['input'], w_value: ['input'] };
const SUMS = { attn_row_sums: ['row_sum'], attn_column_sums: ['column_sum'], context_vecs: ['blend'] };
const PROJECTED = { queries: ['projection'], keys: ['projection'], values: ['projection'] };
const SAME = { queries: ['same'], keys: ['same'], values: ['same'] };

test('trained, T=5, d_in=3, d_out=4, two heads, mask on, biases and output projection, batch of 2', () => {
  const layer = fill(attention.createLayer({
    nBatch: 2, nTokens: 5, dIn: 3, dOut: 4, nHeads: 2, causal: true, outputProjection: 6,
    biases: ['query', 'key', 'value', 'out'],
  }));
  assert.deepEqual(checkEveryCell(layer.forward()), {
    ...INPUT, ...PROJECTED,
    b_query: ['input'], b_key: ['input'], b_value: ['input'], w_out: ['input'], b_out: ['input'],
    attn_scores: ['masked', 'score'], attn_weights: ['masked', 'softmax'], ...SUMS, outputs: ['output'],
  });
});

test('trained, the six tokens 3 → 2, one head, no mask, no biases', () => {
  const layer = attention.createLayer({ nTokens: 6, dIn: 3, dOut: 2 }).init('torch.rand', 123);
  assert.deepEqual(checkEveryCell(layer.set('inputs', SIX_TOKENS).forward()),
    { ...INPUT, ...PROJECTED, attn_scores: ['score'], attn_weights: ['softmax'], ...SUMS });
});

test('inputs · inputsᵀ without a scale, where queries, keys and values are the inputs', () => {
  const layer = attention.createLayer({ nTokens: 6, dIn: 3, scoreSource: 'inputs', scale: 'none' });
  assert.deepEqual(checkEveryCell(layer.set('inputs', SIX_TOKENS).forward()),
    { inputs: ['input'], ...SAME, attn_scores: ['score'], attn_weights: ['softmax'], ...SUMS });
});

test('given weights of the toy, whose rows need not sum to 1', () => {
  const layer = attention.createLayer({ nTokens: 3, dIn: 2, scoreSource: 'given' });
  layer.set('inputs', [[1, 2], [3, 4], [5, 6]]).set('attn_weights', [[0.5, 0.25, 0.5], [0, 1, 0], [0.25, 0.25, 0.5]]);
  assert.deepEqual(checkEveryCell(layer.forward()),
    { inputs: ['input'], given_weights: ['input'], values: ['same'], attn_weights: ['given'], ...SUMS });
});

test('given weights in two heads under the mask, a row of them summing to 0; scale as a number', () => {
  const layer = fill(attention.createLayer({
    nBatch: 2, nTokens: 5, dIn: 4, nHeads: 2, scoreSource: 'given', causal: true, outputProjection: true, scale: -0.5,
  }));
  const given = layer.get('given_weights').data.fill(0, 10, 13);
  assert.deepEqual(checkEveryCell(layer.set('attn_weights', given).forward()), {
    inputs: ['input'], w_out: ['input'], given_weights: ['input'], values: ['same'],
    attn_weights: ['given_masked', 'masked'], ...SUMS, outputs: ['output'],
  });
  assert.equal(layer.trace('attn_weights', [0, 0, 2, 1]).total, 0);
});

test('row 3 of the toy reads 0.25 · 1 + 0.25 · 3 + 0.5 · 5 = 3.5', () => {
  const layer = attention.createLayer({ nTokens: 3, dIn: 2, scoreSource: 'given' });
  layer.set('inputs', [[1, 2], [3, 4], [5, 6]]).set('attn_weights', [[0.5, 0.25, 0.25], [0, 1, 0], [0.25, 0.25, 0.5]]);
  const { operation, terms, result, shown } = layer.forward().trace('context_vecs', [2, 0]);
  assert.deepEqual([operation, result, shown], ['blend', 3.5, 3.5]);
  assert.deepEqual(terms.map(({ left, right, product, running }) => [left.value, right?.value, product, running]),
    [[0.25, 1, 0.25, 0.25], [0.25, 3, 0.75, 1], [0.5, 5, 2.5, 3.5]]);
  // A weight of 0 is a term; only a mask leaves one out.
  assert.equal(layer.trace('context_vecs', [1, 0]).terms.length, 3);
  assert.equal(layer.configure({ causal: true }).forward().trace('context_vecs', [1, 0]).terms.length, 2);
});

test('w_query[0][0] = 42 stands in the arithmetic of every first query number', () => {
  const layer = attention.createLayer({ nTokens: 6, dIn: 3, dOut: 2 }).init('torch.rand', 123);
  const weights = layer.get('w_query').data;
  weights[0] = 42;
  layer.set('inputs', SIX_TOKENS).set('w_query', weights).forward();
  for (let token = 0; token < 6; token++) {
    const [{ left, right }] = layer.trace('queries', [token, 0]).terms;
    assert.deepEqual(left, { tensor: 'inputs', indices: [0, token, 0], value: Math.fround(SIX_TOKENS[token][0]) });
    assert.deepEqual(right, { tensor: 'w_query', indices: [0, 0], value: 42 });
  }
});

test('a score names the query of its row and the key of its column', () => {
  const layer = attention.createLayer({ nTokens: 3, dIn: 3, dOut: 2 }).init('torch.rand', 1);
  layer.set('inputs', SIX_TOKENS.slice(0, 3)).forward();
  const { terms, scale } = layer.trace('attn_scores', [0, 2]);
  assert.deepEqual(terms.map(({ left, right }) => [left.tensor, left.indices, right?.tensor, right?.indices]),
    [['queries', [0, 0, 0], 'keys', [0, 2, 0]], ['queries', [0, 0, 1], 'keys', [0, 2, 1]]]);
  assert.equal(scale, 1 / Math.sqrt(2));
});

test('a number leads back to the inputs, step by step', () => {
  const layer = fill(attention.createLayer({
    nTokens: 5, dIn: 3, dOut: 4, nHeads: 2, outputProjection: true, biases: ['out'],
  })).forward();
  /** @param {string} name @param {number[]} indices @returns {string[]} */
  const back = (name, indices) => {
    const { operation, terms } = layer.trace(name, indices);
    return [operation, ...(terms.length > 0 ? back(terms[0].left.tensor, terms[0].left.indices) : [])];
  };
  assert.deepEqual(back('outputs', [0, 2, 1]), ['output', 'blend', 'softmax', 'score', 'projection', 'input']);
});

test('a planted fault puts result and number apart in the step where it is, and in no later one', () => {
  const layer = fill(attention.createLayer({ nTokens: 5, dIn: 3, dOut: 4, nHeads: 2, causal: true }));
  /** @param {string} name */
  const apart = (name) => everyIndex(layer.shapes()[name]).filter((indices) => {
    const { result, shown } = layer.trace(name, indices);
    return !(result === shown || Math.abs(result - shown) < 1e-5);
  }).map(String);
  layer.configure({ fault: 'mask_off_by_one' }).forward();
  assert.deepEqual(apart('attn_scores'), [0, 1].flatMap((h) => [0, 1, 2, 3].map((i) => `0,${h},${i},${i + 1}`)));
  assert.deepEqual([...apart('attn_weights'), ...apart('context_vecs')], []);
  layer.configure({ fault: 'term_wrong', faultPlace: 3 }).forward();
  assert.deepEqual([...apart('attn_scores'), ...apart('attn_weights'), ...apart('context_vecs')], ['0,3,1']);
});

test('what cannot be traced is refused with what was expected and what came', () => {
  const layer = fill(attention.createLayer({ nBatch: 2, nTokens: 3, dIn: 2 }));
  /** @type {[any, any, string, RegExp][]} */
  const wrong = [
    ['attn_weights', [0, 0, 0, 0], 'stale', /^attn_weights is stale/],
    ['d_w_query', [0, 0], 'stale', /^d_w_query is stale: .* call backward\(\) first$/],
    ['inputs', [0, 3, 0], 'index_out_of_range', /^index 1 of inputs must be from 0 to 2, got 3$/],
    ['inputs', [0, 1.5, 0], 'wrong_type', /^index 1 of inputs must be a whole number, got 1.5$/],
    ['inputs', [1, 0], 'wrong_size', /^trace needs one index for each dimension of inputs \(2×3×2\), got 2 of them$/],
    ['inputs', 4, 'wrong_size', /^trace needs one index for each dimension of inputs \(2×3×2\), got 4$/],
    ['w_out', [0, 0], 'tensor_not_here', /^this layer, as it is configured now, has no w_out/],
    ['weights', [0, 0], 'unknown_tensor', /^there is no tensor 'weights'/],
  ];
  for (const [name, indices, code, message] of wrong) {
    assert.throws(() => layer.trace(name, indices), { name: 'AttnError', code, message });
  }
  assert.equal(layer.trace('inputs', [1, 2, 1]).operation, 'input');
  layer.dispose();
  assert.throws(() => layer.trace('inputs', [0, 0, 0]), { code: 'disposed' });
});
