// Faults of numbers that tools like this one are known for, one test each: the right value on the input that shows it,
// and where it helps the wrong value beside it. Tokens count from 0 here, from 1 in the titles. Must not compute an
// expected number by attention of its own. Read next: vectors.test.js.

import assert from 'node:assert/strict';
import test from 'node:test';
import { assertClose, difference } from './compare.js';
import { SIX_TOKENS, attention, distinct, fill, rowOf } from './cases.js';

/** @typedef {import('../../web/engine/layer.js').LayerSettings} LayerSettings */

const PRINTED = { atol: 0.000051 };
const EXACT = {};

/** The six tokens without trainable weights. @param {LayerSettings} [settings] */
const simple = (settings = {}) =>
  attention.createLayer({ nTokens: 6, dIn: 3, scoreSource: 'inputs', scale: 'none', ...settings })
    .set('inputs', SIX_TOKENS).forward();

/** @param {number} n */
const identity = (n) => Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => Number(i === j)));

/**
 * Weights whose row 1 comes from these scores: tokens are unit vectors, the first query is (1, 0, …) in each head.
 * @param {number[]} scores
 * @param {number} nHeads
 * @param {number} headDim
 * @param {LayerSettings} [settings]
 */
function fromScores(scores, nHeads, headDim, settings = {}) {
  const n = scores.length;
  const layer = attention.createLayer({ nTokens: n, dIn: n, dOut: nHeads * headDim, nHeads, ...settings });
  const columns = (/** @type {number} */ value) =>
    Array.from({ length: nHeads * headDim }, (_, e) => (e % headDim === 0 ? value : 0));
  layer.set('inputs', identity(n)).set('w_query', scores.map(() => columns(1))).set('w_key', scores.map(columns));
  return layer.forward().get('attn_weights').data;
}

test('row 1, column 3 of the scores is query 1 times key 3, not key 1 times query 3', () => {
  const layer = attention.createLayer({ nTokens: 3, dIn: 3, dOut: 2, scale: 'none' });
  layer.set('inputs', identity(3));
  layer.set('w_query', [[1, 2], [3, 4], [5, 6]]).set('w_key', [[7, 8], [9, 10], [11, 12]]).forward();
  const scores = layer.get('attn_scores').data;
  assertClose(rowOf(scores, 3, 0), [23, 29, 35], EXACT);
  assertClose(rowOf(scores, 3, 2), [83, 105, 127], EXACT);
});

test('setting W_query[0][0] to 42 shows 42, and the first query column moves by (42 − old) · inputs', () => {
  const layer = attention.createLayer({ nTokens: 6, dIn: 3, dOut: 2 }).init('torch.rand', 123);
  layer.set('inputs', SIX_TOKENS).forward();
  const before = layer.get('queries').data;
  const weights = layer.get('w_query').data;
  const old = weights[0];
  weights[0] = 42;
  layer.set('w_query', weights).forward();
  assert.equal(layer.get('w_query').data[0], 42);
  const after = layer.get('queries').data;
  for (let t = 0; t < 6; t++) {
    assertClose([after[t * 2]], [before[t * 2] + (42 - old) * SIX_TOKENS[t][0]], { rtol: 1e-6 });
    assert.equal(after[t * 2 + 1], before[t * 2 + 1]);
  }
});

test('the causal mask hides later tokens, not earlier ones: changing token 6 leaves rows 1 to 5 bit-identical', () => {
  const layer = simple({ causal: true });
  const before = layer.get('context_vecs').data;
  assertClose(rowOf(before, 3, 0), Float32Array.from(SIX_TOKENS[0]), EXACT);
  layer.set('inputs', [...SIX_TOKENS.slice(0, 5), [100, 100, 100]]).forward();
  const after = layer.get('context_vecs').data;
  assertClose(after.slice(0, 15), before.slice(0, 15), EXACT);
  assertClose(rowOf(after, 3, 5), [100, 100, 100], { rtol: 1e-6 });
});

test('scores are divided by √head_dim, not multiplied: [3, 2, 6] with head_dim 2', () => {
  const row = rowOf(fromScores([3, 2, 6], 1, 2), 3, 0);
  assertClose(row, [0.1017, 0.0501, 0.8482], PRINTED);
  assert.notEqual(difference(row, [0.0141, 0.0034, 0.9825], PRINTED), null);
});

test('after splitting heads the scale is √head_dim, not √d_out: d_out 4, 2 heads, [3, 2, 6]', () => {
  const weights = fromScores([3, 2, 6], 2, 2);
  for (const head of [0, 1]) {
    const row = rowOf(weights.slice(head * 9), 3, 0);
    assertClose(row, [0.1017, 0.0501, 0.8482], PRINTED);
    assert.notEqual(difference(row, [0.164, 0.1, 0.736], { atol: 0.0006 }), null);
  }
});

for (const [dIn, dOut, nHeads] of [[3, 2, 1], [5, 4, 2]]) {
  test(`a weight matrix is [d_in][d_out], x @ W: d_in ${dIn}, d_out ${dOut}, heads ${nHeads}`, () => {
    const layer = attention.createLayer({ nTokens: dIn, dIn, dOut, nHeads }).set('inputs', identity(dIn));
    const matrix = distinct(dIn * dOut);
    for (const name of ['w_query', 'w_key', 'w_value']) {
      layer.set(name, matrix);
      assert.throws(() => layer.set(name, Array.from({ length: dOut }, () => Array(dIn).fill(1))), {
        code: 'wrong_size', message: `${name} must be ${dIn}×${dOut} (dIn × dOut), got ${dOut}×${dIn}`,
      });
    }
    layer.forward();
    for (const name of ['queries', 'keys', 'values']) {
      assert.deepEqual(layer.get(name).shape, [1, dIn, dOut]);
      assertClose(layer.get(name).data, matrix, EXACT, name);
    }
    assert.deepEqual(layer.shapes().attn_weights, [1, nHeads, dIn, dIn]);
  });
}

test('softmax runs along the row: six tokens without trainable weights, row 1', () => {
  const weights = simple().get('attn_weights').data;
  assertClose(rowOf(weights, 6, 0), [0.2098, 0.2006, 0.1981, 0.1242, 0.122, 0.1452], PRINTED);
});

test('a masked score is −∞, not 0: row 1 of the six tokens is 1, 0, 0, 0, 0, 0', () => {
  const layer = simple({ causal: true });
  assertClose(rowOf(layer.get('attn_weights').data, 6, 0), [1, 0, 0, 0, 0, 0], EXACT);
  assertClose(rowOf(layer.get('attn_scores').data, 6, 0).slice(1), Array(5).fill(-Infinity), EXACT);
});

test('a row in which nothing is allowed gives zeros, not NaN: given weights whose allowed entries sum to 0', () => {
  const layer = attention.createLayer({ nTokens: 3, dIn: 2, scoreSource: 'given', causal: true });
  layer.set('inputs', [[1, 2], [3, 4], [5, 6]]);
  layer.set('attn_weights', [[0, 0.5, 0.5], [1, 1, 2], [0.25, 0.25, 0.5]]).forward();
  assertClose(layer.get('attn_weights').data, [0, 0, 0, 0.5, 0.5, 0, 0.25, 0.25, 0.5], EXACT);
  assertClose(layer.get('attn_row_sums').data, [0, 1, 1], EXACT);
  assertClose(layer.get('context_vecs').data, [0, 0, 2, 3, 3.5, 4.5], EXACT);
  assertClose(layer.contextOneToken(0).context, [0, 0], EXACT);
  assert.equal(layer.compareRoutes().verdict, 'agree');
});

test('without the mask the upper triangle is there: row 1, column 6 of the six tokens is 0.1452', () => {
  assertClose([simple().get('attn_weights').data[5]], [0.1452], PRINTED);
});

test('the mean weight is 1/T; under the causal mask the mean over allowed cells is 2/(T+1)', () => {
  const sum = (/** @type {Float32Array} */ data) => data.reduce((a, b) => a + b, 0);
  assertClose([sum(simple().get('attn_weights').data) / 36], [1 / 6], { rtol: 1e-6 });
  assertClose([sum(simple({ causal: true }).get('attn_weights').data) / 21], [2 / 7], { rtol: 1e-6 });
});

test('row sums come from exact weights: row 5 adds to 1.01 as printed to two digits, and its sum is 1', () => {
  const layer = simple();
  const printed = rowOf(layer.get('attn_weights').data, 6, 4).map((w) => Number(w.toFixed(2)));
  assertClose([printed.reduce((a, b) => a + b, 0)], [1.01], { atol: 1e-9 });
  assertClose(layer.get('attn_row_sums').data, Array(6).fill(1), { atol: 1e-7 });
});

test('d_out does not change with the number of heads: 1, 2 and 4 heads give 4 columns', () => {
  for (const nHeads of [1, 2, 4]) {
    const layer = fill(attention.createLayer({ nTokens: 5, dIn: 3, dOut: 4, nHeads })).forward();
    assert.deepEqual(layer.get('context_vecs').shape, [1, 5, 4]);
    assert.deepEqual(layer.get('attn_weights').shape, [1, nHeads, 5, 5]);
  }
});

test('the output projection takes d_out columns in, not d_in: d_in 3, d_out 4', () => {
  for (const [outputProjection, width] of /** @type {const} */ ([[true, 4], [2, 2]])) {
    const layer = attention.createLayer({ nTokens: 4, dIn: 3, dOut: 4, nHeads: 2, outputProjection, biases: ['out'] });
    assert.deepEqual(layer.shapes().w_out, [4, width]);
    const columns = identity(4).map((row) => row.slice(0, width));
    fill(layer).set('w_out', columns).set('b_out', Array(width).fill(1)).forward();
    const { data, shape } = layer.get('outputs');
    const context = layer.get('context_vecs').data;
    assert.deepEqual(shape, [1, 4, width]);
    assertClose(data, Array.from(data, (_, i) => context[Math.floor(i / width) * 4 + (i % width)] + 1), { rtol: 1e-6 });
  }
});

test('large scores do not overflow exp: [89, 88] gives .7311, .2689', () => {
  assertClose(rowOf(fromScores([89, 88], 1, 1), 2, 0), [0.7311, 0.2689], PRINTED);
  assertClose(rowOf(fromScores([89, 88], 1, 1, { scale: 1e4 }), 2, 0), [1, 0], EXACT);
  assertClose(rowOf(fromScores([-890, -880], 1, 1, { scale: 'none' }), 2, 0), [0.0000454, 0.9999546], { atol: 1e-7 });
});

test('a result that was read stays good when memory grows for a layer of 512 tokens', () => {
  const layer = simple();
  const kept = layer.get('context_vecs').data;
  const copy = Array.from(kept);
  const large = attention.createLayer({ nTokens: 512, dIn: 64, nHeads: 8 });
  const larger = attention.createLayer({ nTokens: 2048, dIn: 64, nHeads: 4 });
  assertClose(kept, copy, EXACT);
  assertClose(layer.get('context_vecs').data, copy, EXACT);
  assertClose(layer.forward().get('context_vecs').data, copy, EXACT);
  large.dispose();
  larger.dispose();
  assertClose(kept, copy, EXACT);
});

test('the causal mask on given weights renormalises each row; off again, the typed weights are back', () => {
  const typed = [[0.5, 0.25, 0.25], [0.25, 0.25, 0.5], [0.25, 0.25, 0.5]];
  const layer = attention.createLayer({ nTokens: 3, dIn: 2, scoreSource: 'given' });
  layer.set('inputs', [[1, 2], [3, 4], [5, 6]]).set('attn_weights', typed).configure({ causal: true }).forward();
  assertClose(layer.get('attn_weights').data, [1, 0, 0, 0.5, 0.5, 0, 0.25, 0.25, 0.5], EXACT);
  layer.configure({ causal: false }).forward();
  assertClose(layer.get('attn_weights').data, typed.flat(), EXACT);
});

test('the toy: row 2 selects token 2; row 3 is 0.25·[1, 2] + 0.25·[3, 4] + 0.5·[5, 6] = [3.5, 4.5]', () => {
  const layer = attention.createLayer({ nTokens: 3, dIn: 2, scoreSource: 'given' });
  layer.set('inputs', [[1, 2], [3, 4], [5, 6]]).set('attn_weights', [[0.5, 0.25, 0.25], [0, 1, 0], [0.25, 0.25, 0.5]]);
  assertClose(layer.forward().get('context_vecs').data, [2.5, 3.5, 3, 4, 3.5, 4.5], EXACT);
  assertClose(layer.contextOneToken(2).context, [3.5, 4.5], EXACT);
});
