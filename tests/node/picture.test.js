// Pictures of attention weights and the largest of a row, through the module that ships: pixels follow the weights,
// cells smaller than a pixel show their largest, and what makes no picture is refused in words.
// Read next: ../../web/engine/picture.js, ../c/paint_test.c (every pixel).

import assert from 'node:assert/strict';
import test from 'node:test';
import { attention } from './cases.js';

/** Colour k of the table is k + 1: 0 is what lies outside. */
const COLOURS = Uint32Array.from({ length: 258 }, (_, k) => k + 1);
const WHOLE = { width: 8, height: 8, row: 0, rows: 8, column: 0, columns: 8, top: 1, colours: COLOURS };

/** @param {Partial<import('../../web/engine/attention.js').LayerOptions>} [options] */
function layerOf(options) {
  const layer = attention.createLayer({ nTokens: 8, dIn: 4, nHeads: 2, ...options });
  return layer.set('inputs', attention.random(1, layer.shapes().inputs[1] * 4)).init('uniform', 2, 2).forward();
}

/** The colours of a picture, as numbers. @param {Uint8ClampedArray} picture */
const steps = (picture) => [...new Uint32Array(picture.buffer)].map((colour) => colour - 1);

/** @param {number} weight @param {number} [top] */
const stepOf = (weight, top = 1) => (weight > 0 ? 1 + Math.floor(Math.min(weight * (254 / top), 254)) : 0);

test('a picture of one pixel a cell has the colour of every weight, of the head that was asked for', () => {
  const layer = layerOf();
  const { data } = layer.get('attn_weights');
  for (const head of [0, 1]) {
    const own = data.subarray(head * 64, (head + 1) * 64);
    for (const top of [1, 0.25]) {
      assert.deepEqual(steps(layer.paint({ ...WHOLE, head, top })), [...own].map((weight) => stepOf(weight, top)));
    }
  }
  layer.dispose();
});

test('a pixel of several cells has the colour of the largest of them, also in a picture wider than the core paints at once', () => {
  const layer = layerOf({ nTokens: 1300, nHeads: 1 });
  const weights = layer.view('attn_weights');
  const [width, height] = [2600, 10]; // each column is two pixels wide
  const largest = Array.from({ length: width * height }, (_, pixel) => {
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    let found = 0;
    for (let row = y * 130; row < (y + 1) * 130; row++) found = Math.max(found, weights[row * 1300 + (x >> 1)]);
    return stepOf(found, 0.01);
  });
  const picture = layer.paint({ ...WHOLE, width, height, rows: 1300, columns: 1300, top: 0.01 });
  assert.deepEqual(steps(picture), largest);
  assert.ok(new Set(largest).size > 20, 'the weights differ');
  layer.dispose();
});

test('under the mask exactly the later keys are hatched, and what lies outside has no colour', () => {
  const layer = layerOf({ causal: true });
  const picture = steps(layer.paint({ ...WHOLE, width: 9, columns: 9 }));
  for (let row = 0; row < 8; row++) {
    for (let column = 0; column < 9; column++) {
      const step = picture[row * 9 + column];
      const expected = column === 8 ? 'outside' : column > row ? 'masked' : 'weight';
      assert.equal(step === -1 ? 'outside' : step > 255 ? 'masked' : 'weight', expected, `${row}, ${column}`);
    }
  }
  layer.dispose();
});

test('the largest weights of a row are those that sorting finds, and the rest is what they leave of the sum', () => {
  const layer = layerOf({ nTokens: 50 });
  const { data } = layer.get('attn_weights');
  const row = [...data.subarray((50 + 7) * 50, (50 + 8) * 50)];
  const sorted = row.map((weight, key) => ({ key, weight })).sort((a, b) => b.weight - a.weight);
  const { largest, rest } = layer.largestWeights(7, 5, 1);
  assert.deepEqual(largest, sorted.slice(0, 5));
  const left = sorted.slice(5).reduce((sum, { weight }) => sum + weight, 0);
  assert.ok(Math.abs(rest - left) < 1e-12, `${rest} and ${left}`);
  layer.dispose();
});

test('what makes no picture and no list is refused in words', () => {
  const layer = layerOf();
  const refusals = /** @type {[() => unknown, RegExp][]} */ ([
    [() => layer.paint({ ...WHOLE, width: 0 }), /^width must be at least 1, got 0$/],
    [() => layer.paint({ ...WHOLE, width: 1.5 }), /^paint's width must be a whole number, got 1\.5$/],
    [() => layer.paint({ ...WHOLE, width: 1e5, height: 1e5 }), /at most 33554432 pixels, got 100000 × 100000/],
    [() => layer.paint({ ...WHOLE, rows: 0 }), /^paint's rows must be a finite number, above 0, got 0$/],
    [() => layer.paint({ ...WHOLE, top: -1 }), /^paint's top must be a finite number, above 0, got -1$/],
    [() => layer.paint({ ...WHOLE, column: NaN }), /^paint's column must be a finite number, got NaN$/],
    [() => layer.paint({ ...WHOLE, head: 2 }), /^head must be from 0 to 1, got 2$/],
    [() => layer.paint({ ...WHOLE, colours: new Uint32Array(3) }), /Uint32Array of 258, got one of 3$/],
    [() => layer.largestWeights(8, 1), /^row must be from 0 to 7, got 8$/],
    [() => layer.largestWeights(0, 9), /^largestWeights' count must be from 1 to 8, got 9$/],
    [() => layer.configure({ causal: true }).paint(WHOLE), /attn_weights is stale/],
    [() => layer.largestWeights(0, 1), /attn_weights is stale/],
  ]);
  for (const [call, message] of refusals) assert.throws(call, { name: 'AttnError', message });
  layer.dispose();
  assert.throws(() => layer.paint(WHOLE), /paint\(\) needs a layer that is in use/);
});

test('the bytes of a layer are told before it is made, also of one that cannot be', () => {
  const small = attention.layerBytes({ nTokens: 64, dIn: 64, nHeads: 8 });
  const four = attention.layerBytes({ nTokens: 128, dIn: 64, nHeads: 8 });
  assert.ok(small.bytes > 64 * 64 * 8 * 4 && four.bytes > 2 * small.bytes && four.bytes < small.maxBytes);
  const options = { nTokens: 100_000, dIn: 64, nHeads: 8 };
  const { bytes, maxBytes } = attention.layerBytes(options);
  assert.ok(bytes > maxBytes);
  assert.throws(() => attention.createLayer(options), { code: 'too_large' });
  assert.throws(() => attention.layerBytes({ nTokens: 1.5, dIn: 1 }), /nTokens must be a whole number/);
});
