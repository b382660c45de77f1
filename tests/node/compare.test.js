// Negative controls: the comparator, at the tolerances that the other tests use, rejects every wrong answer that a
// faulty attention would give on real cases. Must not make an expected answer, only wrong ones. Read next: compare.js.

import assert from 'node:assert/strict';
import test from 'node:test';
import { difference } from './compare.js';
import { expected, floats, layerOf, readCases, transpose } from './cases.js';

const FORWARD = { atol: 1e-5, rtol: 1e-5 };

const CASE = readCases('pytorch_gradients.json').find((c) => c.name === 'mha_no_wo');
const [B, T, WIDTH] = CASE.expected.Y.shape;
const HEADS = CASE.params.num_heads;
const Y = expected(CASE.expected.Y);
const WEIGHTS = expected(CASE.expected.attn_weights);

/** The case as a layer, with some options changed. @param {object} changes */
function computed(changes) {
  const { X, ...parameters } = CASE.tensors;
  const { scale, causal } = CASE.params;
  return layerOf(X, parameters, { scale, causal, nHeads: HEADS, ...changes }).forward();
}

/**
 * @param {ArrayLike<number>} wrong
 * @param {ArrayLike<number>} want
 * @param {import('./compare.js').Tolerance} [tolerance]
 */
const rejects = (wrong, want, tolerance = FORWARD) =>
  assert.notEqual(difference(wrong, want, tolerance), null);

/**
 * Attention weights under some mask, made plainly from unmasked scores.
 * @param {(i: number, j: number) => boolean} may
 */
function maskedBy(may) {
  const scores = computed({ causal: false }).get('attn_scores').data;
  const wrong = new Float64Array(scores.length);
  for (let row = 0; row < scores.length / T; row++) {
    const i = row % T;
    const terms = Array.from({ length: T }, (_, j) => (may(i, j) ? Math.exp(scores[row * T + j]) : 0));
    const sum = terms.reduce((a, b) => a + b, 0);
    terms.forEach((term, j) => { wrong[row * T + j] = sum === 0 ? 0 : term / sum; });
  }
  return wrong;
}

test('the comparator accepts the right answer of the real case', () => {
  assert.equal(difference(computed({}).get('context_vecs').data, Y, FORWARD), null);
  assert.equal(difference(maskedBy((i, j) => j <= i), WEIGHTS, FORWARD), null);
});

test('the comparator rejects zeros, for every expected tensor of every file', () => {
  let tensors = 0;
  for (const file of ['published_book_chapter.json', 'published_other.json', 'pytorch_gradients.json']) {
    for (const c of readCases(file)) {
      const all = Array.isArray(c.expected.data) ? [c.expected] : Object.values(c.expected);
      for (const tensor of all) {
        const want = expected(tensor);
        if (want.every((x) => Math.abs(x) < 1e-12)) continue; // gradients that are zero by nature
        tensors++;
        rejects(new Float64Array(want.length), want, 'abs_tol' in tensor ? { atol: tensor.abs_tol } : FORWARD);
      }
    }
  }
  assert.ok(tensors > 100, `only ${tensors} tensors were tried`);
});

test('the comparator rejects a constant, even the mean of the right answer', () => {
  for (const want of [Y, WEIGHTS]) {
    const mean = want.reduce((a, b) => a + b, 0) / want.length;
    rejects(new Float64Array(want.length).fill(mean), want);
  }
});

test('the comparator rejects transposed weights and a transposed matrix', () => {
  const wrong = [];
  for (let block = 0; block < B * HEADS; block++) {
    wrong.push(...transpose(WEIGHTS.slice(block * T * T, (block + 1) * T * T), T, T));
  }
  rejects(wrong, WEIGHTS);
  const wq = floats(CASE.tensors.Wq);
  const [dIn, dOut] = CASE.tensors.Wq.shape;
  const layer = computed({}).set('w_query', transpose(wq, dIn, dOut)).forward();
  rejects(layer.get('context_vecs').data, Y);
});

test('the comparator rejects two swapped heads', () => {
  const dim = WIDTH / HEADS;
  const wrong = Y.map((_, i) => {
    const head = Math.floor((i % WIDTH) / dim);
    return head > 1 ? Y[i] : Y[i + (head === 0 ? dim : -dim)];
  });
  rejects(wrong, Y);
});

test('the comparator rejects a mask off by one, in either direction, an inverted mask and none', () => {
  for (const may of [
    (/** @type {number} */ i, /** @type {number} */ j) => j <= i + 1,
    (/** @type {number} */ i, /** @type {number} */ j) => j < i,
    (/** @type {number} */ i, /** @type {number} */ j) => j >= i,
    () => true,
  ]) rejects(maskedBy(may), WEIGHTS);
  rejects(computed({ causal: false }).get('context_vecs').data, Y);
});

test('the comparator rejects a missing scale, a scale by √d_out and a multiplied √head_dim', () => {
  const dim = WIDTH / HEADS;
  for (const scale of ['none', 1 / Math.sqrt(WIDTH), Math.sqrt(dim)]) {
    rejects(computed({ scale }).get('context_vecs').data, Y);
  }
});

test('the comparator rejects queries and keys exchanged', () => {
  const { Wq, Wk } = CASE.tensors;
  const layer = computed({}).set('w_query', floats(Wk)).set('w_key', floats(Wq)).forward();
  rejects(layer.get('context_vecs').data, Y);
});

test('the comparator rejects one number that is off by 3e-5, NaN, an infinity and a missing number', () => {
  for (const bad of [Y[7] + 3e-5 * (1 + Math.abs(Y[7])), NaN, Infinity]) {
    const wrong = Y.slice();
    wrong[7] = bad;
    assert.match(difference(wrong, Y, FORWARD) ?? '', /^\[7\]: expected -?[\d.]+, got /);
  }
  rejects(Y.slice(1), Y);
  rejects([NaN], [NaN]);
  rejects([Infinity], [-Infinity]);
  rejects([1e300], [Infinity]);
  assert.equal(difference([-Infinity], [-Infinity]), null);
});
