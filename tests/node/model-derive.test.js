// What the view shows of a state and its tensors: rows of tensors, classes of colour, limits of scales, choices.
// Read next: content.test.js, where whole pages are rendered.

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import {
  derive, headChoices, headRows, isIdentity, isTiny, rowOf, rowsOf, signedClass, tokenClass, weightClass,
} from '../../web/model/derive.js';
import { update } from '../../web/model/update.js';
import { frameOf, opening } from './frames.js';

/** @typedef {import('../../web/model/update.js').Action} Action */

const RUNS = { seed: 20260105, numRuns: 1000 };
const toy = await opening('warm-up');
const trained = await opening('multi-head');

/** @param {number[]} shape @returns {{ shape: number[], data: Float32Array }} numbers 0, 1, 2, … */
const counting = (shape) => ({ shape, data: Float32Array.from(Array(shape.reduce((a, b) => a * b, 1)).keys()) });

/**
 * What is derived after some actions.
 * @param {import('../../web/model/state.js').State} start @param {Action[]} actions
 */
async function derived(start, ...actions) {
  let state = start;
  for (const action of actions) {
    const outcome = update(state, action);
    assert.ok('state' in outcome);
    state = outcome.state;
  }
  return (await frameOf(state)).derived;
}

/** @param {number} value @returns {Action} */
const given = (value) => ({ type: 'edit', matrix: 'given', row: 0, column: 0, value });

test('a row of a tensor is counted over all leading sizes', () => {
  assert.deepEqual(rowOf(counting([2, 3]), 1), [3, 4, 5]);
  assert.deepEqual(rowOf(counting([1, 2, 2, 3]), 3), [9, 10, 11]);
});

test('rows are copies, so that they outlive the tensor', () => {
  const tensor = counting([2, 2]);
  const [rows, row, heads] = [rowsOf(tensor), rowOf(tensor, 0), headRows({ ...tensor, shape: [1, 1, 2, 2] }, 0)];
  tensor.data.fill(9);
  assert.deepEqual([rows, row, heads], [[[0, 1], [2, 3]], [0, 1], [[0, 1], [2, 3]]]);
});

test('all rows of a tensor come in order, and those of one head apart', () => {
  assert.deepEqual(rowsOf(counting([1, 3, 2])), [[0, 1], [2, 3], [4, 5]]);
  assert.deepEqual(headRows(counting([1, 2, 2, 3]), 0), [[0, 1, 2], [3, 4, 5]]);
  assert.deepEqual(headRows(counting([1, 2, 2, 3]), 1), [[6, 7, 8], [9, 10, 11]]);
});

test('the class of a weight goes from w0 to w100 on a scale fixed to 0 … 1', () => {
  assert.equal(weightClass(0), 'w0');
  assert.equal(weightClass(0.5), 'w50');
  assert.equal(weightClass(1), 'w100');
  assert.equal(weightClass(2.5), 'w100');
  assert.equal(weightClass(-0.5), 'w0');
});

test('a weight that is not zero never looks like zero', () => {
  for (const weight of [2 ** -149, 1e-9, 0.004, 0.0149]) assert.equal(weightClass(weight), 'w1');
});

test('the class of a signed number is symmetric about 0: opposite numbers are equally far from s50', () => {
  assert.equal(signedClass(0, 2), 's50');
  assert.equal(signedClass(-0, 2), 's50');
  assert.deepEqual([signedClass(-2, 2), signedClass(2, 2)], ['s0', 's100']);
  assert.deepEqual([signedClass(-9, 2), signedClass(9, 2)], ['s0', 's100']);
  fc.assert(fc.property(fc.integer({ min: -200, max: 200 }), (hundredths) => {
    const step = (/** @type {number} */ value) => Number(signedClass(value, 1).slice(1));
    assert.equal(step(hundredths / 100) + step(-hundredths / 100), 100);
  }), RUNS);
});

test('classes of weights and of signed numbers never go down when the number goes up', () => {
  const numbers = fc.double({ min: -3, max: 3, noNaN: true });
  fc.assert(fc.property(numbers, numbers, (a, b) => {
    const [low, high] = a < b ? [a, b] : [b, a];
    assert.ok(Number(weightClass(low).slice(1)) <= Number(weightClass(high).slice(1)));
    assert.ok(Number(signedClass(low, 2).slice(1)) <= Number(signedClass(high, 2).slice(1)));
  }), RUNS);
});

test('eight token colours begin again with the ninth token', () => {
  assert.deepEqual([0, 7, 8, 31].map(tokenClass), ['t0', 't7', 't0', 't7']);
});

test('a number is tiny when it would be printed as zero and is not', () => {
  assert.ok(isTiny(0.004, 2) && isTiny(-0.004, 2) && isTiny(2 ** -149, 6) && isTiny(0.4, 0));
  assert.ok(!isTiny(0, 2) && !isTiny(-0, 2) && !isTiny(0.005, 2) && !isTiny(1, 0));
});

test('the heads to choose from are 1, 2, 4 and every divisor of d_out, and each says whether it divides', () => {
  /** @param {number} dOut */
  const said = (dOut) => headChoices(dOut).map(({ count, divides }) => `${count}${divides ? '' : ' no'}`).join(', ');
  assert.equal(said(1), '1, 2 no, 4 no');
  assert.equal(said(2), '1, 2, 4 no');
  assert.equal(said(4), '1, 2, 4');
  assert.equal(said(6), '1, 2, 3, 4 no, 6');
  assert.equal(said(16), '1, 2, 4, 8, 16');
});

test('the sizes on the screen are those in force: if not trained, one head as wide as the inputs', async () => {
  const warmUp = await derived(toy);
  assert.deepEqual([warmUp.nTokens, warmUp.dIn, warmUp.heads, warmUp.width, warmUp.headDim], [3, 2, 1, 2, 2]);
  assert.deepEqual([warmUp.blended, warmUp.masked], ['inputs', false]);
  const multiHead = await derived(trained);
  assert.deepEqual([multiHead.nTokens, multiHead.dIn, multiHead.dOut], [6, 3, 4]);
  assert.deepEqual([multiHead.heads, multiHead.width, multiHead.headDim], [2, 4, 2]);
  assert.deepEqual([multiHead.blended, multiHead.masked], ['values', true]);
  const untrained = await derived(trained, { type: 'source', source: 'inputs', weights: [] });
  assert.deepEqual([untrained.heads, untrained.width, untrained.headDim, untrained.blended], [1, 3, 3, 'inputs']);
});

test('a colour scale ends at a round number that no entry exceeds by more than rounding', async () => {
  const limits = new Set([1, 1.5, 2, 3, 4, 5, 6, 8, 10]);
  const numbers = fc.integer({ min: 1, max: 2 ** 31 - 1 })
    .map((bits) => new Float32Array(Int32Array.of(bits).buffer)[0])
    .filter((value) => Number.isFinite(value));
  const { state, tensors, derived: { computed } } = await frameOf(toy);
  const none = { shape: [1, 1], data: Float32Array.of(0) };
  fc.assert(fc.property(numbers, (largest) => {
    const inputs = { shape: [1, 2], data: Float32Array.of(-largest, largest / 3) };
    const { figureLimit } = derive(state, { ...computed, tensors: { ...tensors, inputs, values: inputs, context_vecs: none } });
    assert.ok(largest <= figureLimit * 1.00001 && largest > figureLimit / 2.01, `${figureLimit} for ${largest}`);
    const figures = Number(figureLimit.toExponential().split('e')[0]);
    assert.ok(limits.has(figures), `${figureLimit} is not round`);
  }), { ...RUNS, examples: [0.1, 0.2, 0.3, 0.7, 1, 6, 9.5, 1000, 2 ** -149, 2 ** 127].map((x) => [Math.fround(x)]) });
});

test('a matrix of zeros has a scale from −1 to 1, and a masked score does not count', async () => {
  const { state, tensors, derived: { computed } } = await frameOf(trained);
  const zero = { shape: [1, 1], data: Float32Array.of(0) };
  const attn_scores = { shape: [1, 2], data: Float32Array.of(-Infinity, 0.4) };
  const parameters = { w_query: zero, w_key: zero, w_value: zero, w_out: zero };
  const some = derive(state, { ...computed, tensors: { ...tensors, ...parameters, queries: zero, keys: zero, attn_scores } });
  assert.deepEqual([some.scoreLimit, some.weightLimit], [0.4, 1]);
});

test('a given row that does not sum to 1 is odd, with its sum, and can be normalised unless the sum is 0', async () => {
  assert.deepEqual((await derived(toy)).oddRows, []);
  assert.deepEqual((await derived(toy, given(1.5))).oddRows, [{ row: 0, sum: 2, canNormalise: true }]);
  const [short] = (await derived(toy, given(0.499))).oddRows;
  assert.ok(short.row === 0 && Math.abs(short.sum - 0.999) < 1e-6);
  assert.deepEqual((await derived(toy, given(-0.5))).oddRows, [{ row: 0, sum: 0, canNormalise: false }]);
});

test('a given row whose sum differs from 1 only by the rounding of float32 is not odd', async () => {
  const rounded = /** @type {Action} */ ({ type: 'edit-row', matrix: 'given', row: 0, values: [0.1, 0.2, 0.7] });
  assert.deepEqual((await derived(toy, rounded)).oddRows, []);
});

test('weights that softmax or the mask has made are never odd, but for a row that draws on nothing', async () => {
  assert.deepEqual((await derived(trained)).oddRows, []);
  const masked = /** @type {Action} */ ({ type: 'causal', on: true });
  assert.deepEqual((await derived(toy, masked, given(7))).oddRows, []);
  assert.deepEqual((await derived(toy, masked, given(0))).oddRows, [{ row: 0, sum: 0, canNormalise: false }]);
});

test('W_out is the identity until any of its entries is edited', () => {
  assert.ok(isIdentity(trained.document));
  for (const [row, column, value] of [[0, 0, 2], [1, 0, 1e-9]]) {
    const outcome = update(trained, { type: 'edit', matrix: 'w_out', row, column, value });
    assert.ok('state' in outcome && !isIdentity(outcome.state.document));
  }
});
