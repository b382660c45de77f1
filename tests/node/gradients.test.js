// Gradients, through the JavaScript face: PyTorch's, central differences of every source of scores, what has none, and
// when they are stale. Must not compute a gradient by the chain rule. Read next: training.test.js.

import assert from 'node:assert/strict';
import test from 'node:test';
import { assertClose } from './compare.js';
import {
  TORCH_LEFT_OUT, attention, distinct, expected, fill, floats, parameterName, readCases, torchLayer,
} from './cases.js';

/** @typedef {import('../../web/engine/layer.js').Layer} Layer */

/** 2e-5 · max|g| + 1e-6. @param {ArrayLike<number>} want */
const toleranceOf = (want) => ({ atol: 2e-5 * Math.max(...Array.from(want, Math.abs)) + 1e-6 });

/** @param {number[]} dims */
const sizeOf = (dims) => dims.reduce((size, dim) => size * dim, 1);

/** The tensor that backward() differentiates. @param {Layer} layer */
const resultOf = (layer) => ('outputs' in layer.shapes() ? 'outputs' : 'context_vecs');

// ---- PyTorch ------------------------------------------------------------------------------------------------------

const cases = readCases('pytorch_gradients.json').filter((c) => !Object.values(TORCH_LEFT_OUT).some((rule) => rule(c)));

for (const c of cases) {
  test(`pytorch_gradients.json: every gradient of ${c.name} comes out (${c.description})`, () => {
    const layer = torchLayer(c).backward(floats(c.dY));
    const gradients = Object.keys(c.expected).filter((name) => name.startsWith('d'));
    assert.ok(gradients.length >= (c.op === 'attention' ? 4 : c.op === 'context' ? 2 : 1));
    for (const name of gradients) {
      const tensor = { dX: 'inputs', dA: 'attn_weights' }[name] ?? parameterName(name.slice(1));
      const { data, shape } = layer.get(`d_${tensor}`);
      assert.equal(sizeOf(shape), data.length);
      const want = expected(c.expected[name]);
      // The gradient of a key bias is mathematically 0: what is expected is rounding noise.
      assertClose(data, want, name === 'dbk' ? { atol: 1e-6 } : toleranceOf(want), `${c.name} ${name}`);
    }
  });
}

test('pytorch_gradients.json: the gradients of 10 cases are compared', () => assert.equal(cases.length, 10));

// ---- central differences ------------------------------------------------------------------------------------------

/** Σ result · dResult, from anew. @param {Layer} layer @param {Float32Array} dResult */
const weighted = (layer, dResult) =>
  layer.forward().get(resultOf(layer)).data.reduce((sum, x, k) => sum + x * dResult[k], 0);

/**
 * Every number that can be set against (f(x + h) − f(x − h)) / 2h. Returns the tensors that were checked.
 * @param {Layer} layer
 */
function checkDifferences(layer) {
  const step = 2 ** -7;
  const dims = layer.forward().shapes()[resultOf(layer)];
  const dResult = distinct(sizeOf(dims), 50);
  const names = Object.keys(layer.shapes()).filter((name) => /^(inputs|given_weights|[wb]_.*)$/.test(name));
  layer.backward(dResult);
  const gradients = names.map((name) => layer.get(name === 'given_weights' ? 'd_attn_weights' : `d_${name}`).data);
  names.forEach((name, i) => {
    const target = name === 'given_weights' ? 'attn_weights' : name;
    const numbers = layer.get(name).data;
    const numerical = Array.from(numbers, (x, k) => {
      numbers[k] = x + step;
      const above = weighted(layer.set(target, numbers), dResult);
      numbers[k] = x - step;
      const below = weighted(layer.set(target, numbers), dResult);
      numbers[k] = x;
      layer.set(target, numbers);
      return (above - below) / (2 * step);
    });
    assertClose(gradients[i], numerical, { atol: 3e-3, rtol: 3e-3 }, `d_${target}`);
  });
  return names;
}

/** @param {Layer} layer @param {number} factor */
function shrink(layer, factor) {
  for (const name of Object.keys(layer.shapes()).filter((one) => /^(inputs|[wb]_.*)$/.test(one))) {
    layer.set(name, layer.get(name).data.map((x) => x * factor));
  }
  return layer;
}

const EVERY = ['inputs', 'w_query', 'w_key', 'w_value', 'b_query', 'b_key', 'b_value', 'w_out', 'b_out'];

for (const causal of [false, true]) {
  const mask = causal ? 'with the mask' : 'without a mask';

  test(`central differences of all parameters and inputs: trained, 3 sequences, T 5, 3 → 4 → 6, 2 heads, ${mask}`, () => {
    const layer = fill(attention.createLayer({
      nBatch: 3, nTokens: 5, dIn: 3, dOut: 4, nHeads: 2, outputProjection: 6, causal,
      biases: ['query', 'key', 'value', 'out'],
    }));
    assert.deepEqual(checkDifferences(shrink(layer, 0.6)), EVERY);
  });

  test(`central differences, trained, other odd shapes: T 7, 5 → 3, 3 heads and T 2, 1 → 1, ${mask}`, () => {
    for (const [nTokens, dIn, dOut, nHeads] of [[7, 5, 3, 3], [2, 1, 1, 1]]) {
      const layer = fill(attention.createLayer({ nBatch: 3, nTokens, dIn, dOut, nHeads, causal, scale: 0.7 }));
      assert.deepEqual(checkDifferences(shrink(layer, 0.6)), ['inputs', 'w_query', 'w_key', 'w_value']);
    }
  });

  test(`central differences of inputs that are queries, keys and values at once, batch of 3, ${mask}`, () => {
    const layer = fill(attention.createLayer({
      nBatch: 3, nTokens: 5, dIn: 4, nHeads: 2, scoreSource: 'inputs', causal, outputProjection: 3,
    }));
    assert.deepEqual(checkDifferences(shrink(layer, 0.6)), ['inputs', 'w_out']);
  });

  test(`central differences of given weights as they were set, batch of 3, ${mask}`, () => {
    const layer = fill(attention.createLayer({
      nBatch: 3, nTokens: 5, dIn: 4, nHeads: 2, scoreSource: 'given', causal, outputProjection: 3, biases: ['out'],
    }));
    layer.set('attn_weights', layer.get('given_weights').data.map((x) => x + 1));
    assert.deepEqual(checkDifferences(shrink(layer, 0.6)), ['inputs', 'w_out', 'b_out', 'given_weights']);
  });
}

test('the comparison rejects a gradient without its scale, and one turned around', () => {
  const layer = fill(attention.createLayer({ nTokens: 5, dIn: 4, dOut: 4 })).forward();
  layer.backward(distinct(20, 50));
  const want = layer.get('d_w_query').data;
  assert.throws(() => assertClose(want.map((x) => x * 2), want, toleranceOf(want)));
  assert.throws(() => assertClose(want.map((_, k) => want[(k % 4) * 4 + Math.floor(k / 4)]), want, toleranceOf(want)));
  assert.throws(() => assertClose(want.map(() => 0), want, toleranceOf(want)));
});

// ---- where there is none ------------------------------------------------------------------------------------------

test('the numbers of one token leave w_query and w_key without a gradient: its weight is 1 whatever its score', () => {
  const layer = fill(attention.createLayer({ nBatch: 2, nTokens: 1, dIn: 3, dOut: 4, nHeads: 2, biases: ['query'] }));
  layer.forward().backward(distinct(8, 50));
  for (const name of ['d_w_query', 'd_w_key', 'd_b_query', 'd_attn_scores']) {
    const { data } = layer.get(name);
    assertClose(data, new Float32Array(data.length), {}, name);
  }
  assert.ok(layer.get('d_w_value').data.every((x) => x !== 0));
});

test('with w_query and w_key zero each is the other’s gradient’s factor: both gradients are zero', () => {
  const layer = fill(attention.createLayer({ nTokens: 5, dIn: 3, dOut: 4, nHeads: 2 }));
  layer.set('w_query', new Float32Array(12)).set('w_key', new Float32Array(12)).forward().backward(distinct(20, 50));
  for (const name of ['d_w_query', 'd_w_key']) assertClose(layer.get(name).data, new Float32Array(12), {}, name);
  assert.ok(layer.get('d_attn_scores').data.some((x) => x !== 0), 'though the scores have one');
});

test('a row in which nothing is allowed has no gradient and spoils no other', () => {
  const layer = attention.createLayer({ nTokens: 3, dIn: 2, scoreSource: 'given', causal: true });
  layer.set('inputs', [[1, 2], [3, 4], [5, 6]]);
  layer.set('attn_weights', [[0, 1, 1], [1, 3, 5], [1, 1, 2]]).forward().backward([[1, 1], [1, 1], [0, 0]]);
  assertClose(layer.get('d_attn_weights').data, [0, 0, 0, -0.75, 0.25, 0, 0, 0, 0], {});
  assertClose(layer.get('d_inputs').data, [0.25, 0.25, 0.75, 0.75, 0, 0], {});
});

test('under the mask a later token has no influence on the gradient of an earlier result', () => {
  const layer = fill(attention.createLayer({ nTokens: 5, dIn: 3, dOut: 4, nHeads: 2, causal: true })).forward();
  const dResult = distinct(20, 50).fill(0, 8); // results of the first two tokens only
  layer.backward(dResult);
  assertClose(layer.get('d_inputs').data.slice(6), new Float32Array(9), {});
  const masked = layer.get('d_attn_scores').data.filter((_, k) => k % 5 > Math.floor(k / 5) % 5);
  assertClose(masked, new Float32Array(20), {});
});

test('softmax passes no gradient to a shift of a whole row: each row of d_attn_scores sums to 0', () => {
  const layer = fill(attention.createLayer({ nTokens: 5, dIn: 3, dOut: 4, nHeads: 2 })).forward();
  const { data } = layer.backward(distinct(20, 50)).get('d_attn_scores');
  for (let row = 0; row < 10; row++) {
    assertClose([data.slice(row * 5, row * 5 + 5).reduce((sum, x) => sum + x, 0)], [0], { atol: 1e-6 });
  }
});

test('a saturated softmax passes no gradient: with inputs × 1000 all weight is on one key and w_query stands still', () => {
  const layer = fill(attention.createLayer({ nTokens: 5, dIn: 3, dOut: 2 })).forward().backward(distinct(10, 50));
  assert.ok(layer.get('d_w_query').data.some((x) => Math.abs(x) > 0.01) && Number(layer.readouts().entropy) > 0.1);
  layer.set('inputs', layer.get('inputs').data.map((x) => x * 1000)).forward().backward(distinct(10, 50));
  assertClose(layer.get('d_w_query').data, new Float32Array(6), {});
  assert.equal(layer.readouts().entropy, 0);
});

// ---- asking for them ----------------------------------------------------------------------------------------------

test('backward() differentiates outputs where there is a w_out, and context_vecs where there is none', () => {
  const projected = fill(attention.createLayer({ nTokens: 2, dIn: 3, dOut: 4, outputProjection: 5 })).forward();
  assert.deepEqual(projected.backward(new Float32Array(10)).get('d_outputs').shape, [1, 2, 5]);
  assert.throws(() => projected.backward(new Float32Array(8)),
    { code: 'wrong_size', message: 'dOutputs must be 2×5 (nTokens × outputProjection), got 8 numbers' });
  const plain = fill(attention.createLayer({ nTokens: 2, dIn: 3, dOut: 4 })).forward();
  assert.equal(plain.backward(new Float32Array(8).fill(1)), plain);
  assertClose(plain.get('d_context_vecs').data, new Float32Array(8).fill(1), {});
  assert.throws(() => plain.get('d_outputs'), { code: 'tensor_not_here' });
  assert.throws(() => plain.backward([[1, 2, 3], [4, 5, 6]]),
    { code: 'wrong_size', message: 'dOutputs must be 2×4 (nTokens × dOut), got 2×3' });
  assert.throws(() => plain.backward([[1, 2, 3, NaN], [5, 6, 7, 8]]), { code: 'number_not_finite' });
});

test('gradients are stale before backward() and after every change, and cannot be set', () => {
  const layer = fill(attention.createLayer({ nTokens: 2, dIn: 3 }));
  const stale = { code: 'stale', message: 'd_inputs is stale: something changed since the last backward(), or there ' +
    'was none yet; call backward() first' };
  assert.throws(() => layer.backward(new Float32Array(6)),
    { code: 'stale', message: /^context_vecs is stale: .*; call forward\(\) first$/ });
  assert.throws(() => layer.get('d_inputs'), stale);
  layer.forward();
  assert.throws(() => layer.get('d_inputs'), stale);
  assert.ok(!('d_inputs' in layer.shapes()), 'nobody is shown gradients who never asked for them');
  layer.backward(new Float32Array(6));
  assert.deepEqual(layer.shapes().d_inputs, [1, 2, 3]);
  layer.forward();
  assert.equal(layer.get('d_inputs').data.length, 6);
  for (const change of [() => layer.set('w_key', new Float32Array(9)), () => layer.configure({ causal: true })]) {
    change();
    assert.throws(() => layer.get('d_inputs'), stale);
    layer.forward();
    assert.throws(() => layer.get('d_inputs'), stale);
    layer.backward(new Float32Array(6));
  }
  assert.throws(() => layer.set('d_inputs', new Float32Array(6)),
    { code: 'tensor_is_derived', message: /^d_inputs is computed by backward\(\); what can be set is inputs, / });
  assert.throws(() => layer.set('d_w_out', [[1]]), { code: 'tensor_not_here' });
});

test('while a bug is planted there is no gradient; numbers that no float holds are named', () => {
  const layer = fill(attention.createLayer({ nTokens: 3, dIn: 2, causal: true, fault: 'mask_off_by_one' })).forward();
  assert.throws(() => layer.backward(new Float32Array(6)), { code: 'fault_planted', message: "backward() needs fault " +
    "'none': gradients are those of the right computation, and a bug is planted into this one" });
  layer.configure({ fault: 'none' }).forward();
  assert.throws(() => layer.backward(new Float32Array(6).fill(3e38)),
    { code: 'tensor_not_finite', message: /^d_\w+\[.*\] is not finite/ });
  assert.throws(() => layer.get('d_inputs'), { code: 'stale' });
  layer.dispose();
  assert.throws(() => layer.backward(new Float32Array(6)), { code: 'disposed' });
});

test('backward() changes no other tensor, and the same numbers give the same bits', () => {
  const make = () => fill(attention.createLayer({ nBatch: 2, nTokens: 5, dIn: 3, dOut: 4, nHeads: 2 })).forward();
  const [one, two] = [make(), make()];
  const before = Object.keys(one.shapes()).map((name) => one.get(name));
  one.backward(distinct(40, 50));
  for (const { name, data } of before) assertClose(one.get(name).data, data, {}, name);
  two.backward(distinct(40, 51)).backward(distinct(40, 50));
  for (const name of Object.keys(two.shapes())) assertClose(two.get(name).data, one.get(name).data, {}, name);
});
