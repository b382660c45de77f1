// Figures of one head, column sums, and differences between results. Read next: src/readouts.c.

import assert from 'node:assert/strict';
import test from 'node:test';
import { assertClose } from './compare.js';
import { attention, fill, SIX_TOKENS } from './cases.js';

/** The six tokens, inputs · inputsᵀ. @param {boolean} causal */
const six = (causal) =>
  attention.createLayer({ nTokens: 6, dIn: 3, scoreSource: 'inputs', scale: 'none', causal })
    .set('inputs', SIX_TOKENS).forward();

test('the toy: entropy 1.5, 0 and 1.5 bits; weight on itself, on the one before, on the first', () => {
  const layer = attention.createLayer({ nTokens: 3, dIn: 2, scoreSource: 'given' });
  layer.set('attn_weights', [[0.5, 0.25, 0.25], [0, 1, 0], [0.25, 0.25, 0.5]]).forward();
  const { mean_weight, self, ...others } = layer.readouts();
  assert.deepEqual(others, { entropy: 1, previous: 0.125, first: 0.25 });
  assertClose([Number(self), Number(mean_weight)], [2 / 3, 1 / 3], { atol: 1e-15 });
  assertClose(layer.get('attn_column_sums').data, [0.75, 1.5, 0.75], { atol: 0 });
});

test('the mean weight is 1/T, and 2/(T+1) over the allowed cells of the causal mask', () => {
  assertClose([Number(six(false).readouts().mean_weight)], [1 / 6], { atol: 1e-7 });
  assertClose([Number(six(true).readouts().mean_weight)], [2 / 7], { atol: 1e-7 });
});

test('weight spread evenly has the entropy log2 T; all on one key, none', () => {
  const even = attention.createLayer({ nTokens: 8, dIn: 2 }).forward();
  assert.equal(even.readouts().entropy, 3);
  const sharp = attention.createLayer({ nTokens: 6, dIn: 3, scoreSource: 'inputs', scale: 1e4 });
  assertClose([Number(sharp.set('inputs', SIX_TOKENS).forward().readouts().entropy)], [0], { atol: 1e-6 });
});

test('figures are of the head and sequence asked for', () => {
  const layer = fill(attention.createLayer({ nBatch: 2, nTokens: 5, dIn: 3, dOut: 4, nHeads: 2 })).forward();
  const weights = layer.get('attn_weights').data;
  for (const [batch, head] of [[0, 0], [0, 1], [1, 0], [1, 1]]) {
    const own = weights.slice((batch * 2 + head) * 25, (batch * 2 + head + 1) * 25);
    const first = [0, 1, 2, 3, 4].reduce((sum, i) => sum + own[i * 5] / 5, 0);
    const previous = [1, 2, 3, 4].reduce((sum, i) => sum + own[i * 5 + i - 1] / 4, 0);
    const entropy = own.reduce((sum, w) => sum - w * Math.log2(w) / 5, 0);
    const got = layer.readouts(head, batch);
    assertClose([Number(got.first), Number(got.previous), Number(got.entropy)], [first, previous, entropy],
      { atol: 1e-6 });
  }
});

test('a lone token has no token before it; stale results and heads that are not there are refused', () => {
  const layer = attention.createLayer({ nTokens: 1, dIn: 2 });
  assert.throws(() => layer.readouts(), { code: 'stale', message: /^attn_weights is stale/ });
  assert.equal(layer.forward().readouts().previous, null);
  assert.throws(() => layer.readouts(1), { code: 'index_out_of_range', message: 'head must be from 0 to 0, got 1' });
  assert.throws(() => layer.readouts(0, -1), { message: 'batch must be from 0 to 0, got -1' });
});

test('a difference is taken number by number, of any length; two masked scores differ by 0', () => {
  const layer = six(true);
  const pinned = layer.get('attn_scores').data;
  const now = layer.configure({ scale: 0.5 }).forward().get('attn_scores').data;
  const apart = layer.difference(now, pinned);
  assertClose(apart, now.map((x, k) => (x === pinned[k] ? 0 : x - pinned[k])), { atol: 0 });
  assert.ok(apart.every(Number.isFinite) && apart[1] === 0 && apart[0] < 0);
  const long = Float32Array.from({ length: 1000 }, (_, k) => k);
  assertClose(layer.difference(long, long.map((x) => x / 2)), long.map((x) => x / 2), { atol: 0 });
  assert.deepEqual(layer.difference(new Float32Array(0), new Float32Array(0)), new Float32Array(0));
  assertClose(layer.get('attn_scores').data, now, { atol: 0 });
});

test('a difference needs two arrays that go together', () => {
  const layer = six(false);
  const wrong = { code: 'wrong_size', message: /^difference needs two Float32Arrays of the same length, got/ };
  assert.throws(() => layer.difference(new Float32Array(3), new Float32Array(4)), wrong);
  assert.throws(() => layer.difference(/** @type {any} */ ([1, 2]), new Float32Array(2)), wrong);
});
