// Laws that hold for every shape, every option and all numbers, tried on random ones with a fixed seed. No expected
// number is computed: each law compares the module with itself or with the law's own plain statement.
// Read next: numbers.test.js.

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { assertClose } from './compare.js';
import { attention, distinct, fill } from './cases.js';

const RUNS = { seed: 20260101, numRuns: 60 };
const CLOSE = { atol: 2e-6, rtol: 2e-6 };

/** Shapes that hide nothing: sizes differ, heads divide the width. */
const shapes = fc.record({
  nBatch: fc.integer({ min: 1, max: 3 }),
  nTokens: fc.integer({ min: 1, max: 9 }),
  dIn: fc.integer({ min: 1, max: 7 }),
  headDim: fc.integer({ min: 1, max: 5 }),
  nHeads: fc.integer({ min: 1, max: 4 }),
});

const settings = fc.record({
  causal: fc.boolean(),
  scale: fc.oneof(fc.constantFrom('none', 'sqrt_head_dim'), fc.double({ min: -2, max: 2, noNaN: true })),
});

const sources = fc.constantFrom('trained', 'inputs', 'given');
const biases = fc.subarray(['query', 'key', 'value', 'out']);
const seeds = fc.integer({ min: 1, max: 1e6 });

const all = fc.tuple(shapes, settings, sources, biases, seeds).map(([shape, setting, scoreSource, withBias, seed]) => {
  const { headDim, ...sizes } = shape;
  const width = headDim * shape.nHeads;
  // Unless trained, the width is d_in, and an output projection is fixed to it.
  const dIn = scoreSource === 'trained' ? shape.dIn : width;
  return { ...sizes, dIn, dOut: width, ...setting, scoreSource, outputProjection: 3, biases: withBias, seed };
});

const trained = all.filter((options) => options.scoreSource === 'trained');

/** @param {any} options */
function computed({ seed, ...options }) {
  return fill(attention.createLayer(options), seed).forward();
}

/**
 * A law, tried on random options; the layers that it makes it disposes of.
 * @param {string} title
 * @param {fc.Arbitrary<any>} arbitrary
 * @param {(options: any) => void} check
 */
const law = (title, arbitrary, check) => test(title, () => fc.assert(fc.property(arbitrary, check), RUNS));

law('every row of attention weights computed by softmax sums to 1, and the row sums say so', all, (options) => {
  const layer = computed(options);
  const { data, shape: [, , , n] } = layer.get('attn_weights');
  const sums = layer.get('attn_row_sums').data;
  for (let row = 0; row < sums.length; row++) {
    const sum = data.slice(row * n, (row + 1) * n).reduce((a, b) => a + b, 0);
    assertClose([sums[row]], [sum], { rtol: 1e-6 });
    if (options.scoreSource !== 'given') assertClose([sum], [1], { atol: 1e-6 });
  }
  layer.dispose();
});

law('under the causal mask, changing token t leaves every row before t bit-identical', all, (options) => {
  const { nBatch, nTokens, dIn, scoreSource, seed } = options;
  const causal = { ...options, causal: true };
  const layer = computed(causal);
  const result = () => ['context_vecs', 'outputs', 'attn_weights'].map((name) => layer.get(name));
  const before = result();
  const t = seed % nTokens;
  const inputs = layer.get('inputs').data;
  for (let b = 0; b < nBatch; b++) inputs.fill(7.5, (b * nTokens + t) * dIn, (b * nTokens + t + 1) * dIn);
  layer.set('inputs', inputs).forward();
  for (const [i, { name, shape, data }] of result().entries()) {
    const width = shape[shape.length - 1];
    for (let row = 0; row < data.length / width; row++) {
      if (row % nTokens >= t) continue;
      assertClose(data.slice(row * width, (row + 1) * width), before[i].data.slice(row * width, (row + 1) * width), {},
        `${scoreSource} ${name} row ${row}`);
    }
  }
  layer.dispose();
});

law('under the causal mask no weight lies above the diagonal', all, (options) => {
  const layer = computed({ ...options, causal: true });
  const { data, shape: [, , , n] } = layer.get('attn_weights');
  data.forEach((weight, i) => { if (i % n > Math.floor(i / n) % n) assert.equal(weight, 0); });
  layer.dispose();
});

law('permuting the tokens permutes the outputs', trained, (options) => {
  const { nBatch, nTokens, dIn } = options;
  const layer = computed({ ...options, causal: false });
  const { data, shape } = layer.get('outputs');
  const turn = (/** @type {Float32Array} */ from, /** @type {number} */ width) => {
    const to = new Float32Array(from.length);
    for (let b = 0; b < nBatch; b++) {
      for (let t = 0; t < nTokens; t++) {
        const source = b * nTokens + ((t + 1) % nTokens);
        to.set(from.slice(source * width, (source + 1) * width), (b * nTokens + t) * width);
      }
    }
    return to;
  };
  layer.set('inputs', turn(layer.get('inputs').data, dIn)).forward();
  assertClose(layer.get('outputs').data, turn(data, shape[2]), CLOSE);
  layer.dispose();
});

law('trained attention with identity matrices and no scale is attention without trainable weights', all, (options) => {
  const { nBatch, nTokens, dIn, nHeads, causal, seed } = options;
  const sizes = { nBatch, nTokens, dIn: dIn * nHeads, nHeads, causal, scale: /** @type {const} */ ('none') };
  const identity = Float32Array.from({ length: sizes.dIn ** 2 }, (_, i) => Number(i % (sizes.dIn + 1) === 0));
  const inputs = distinct(nBatch * nTokens * sizes.dIn, seed);
  const plain = attention.createLayer({ ...sizes, scoreSource: 'inputs' }).set('inputs', inputs).forward();
  const layer = attention.createLayer(sizes).set('inputs', inputs);
  for (const name of ['w_query', 'w_key', 'w_value']) layer.set(name, identity);
  layer.forward();
  for (const name of ['attn_scores', 'attn_weights', 'context_vecs']) {
    assertClose(layer.get(name).data, plain.get(name).data, {}, name);
  }
  plain.dispose();
  layer.dispose();
});

law('heads split from one matrix equal separate single-head layers on its column blocks', trained, (options) => {
  const { nHeads, dOut, dIn, outputProjection, biases: withBias, ...rest } = options;
  const biasNames = withBias.filter((/** @type {string} */ name) => name !== 'out');
  const whole = computed({ ...rest, dIn, dOut, nHeads, biases: biasNames });
  const headDim = dOut / nHeads;
  const { data, shape } = whole.get('context_vecs');
  const parameters = Object.keys(whole.shapes()).filter((name) => /^[wb]_/.test(name));
  const { seed, ...settingsOnly } = rest;
  for (let head = 0; head < nHeads; head++) {
    const columns = (/** @type {Float32Array} */ from) =>
      from.filter((_, i) => Math.floor((i % dOut) / headDim) === head);
    const single = attention.createLayer({ ...settingsOnly, dIn, dOut: headDim, biases: biasNames });
    single.set('inputs', whole.get('inputs').data);
    for (const name of parameters) single.set(name, columns(whole.get(name).data));
    assertClose(single.forward().get('context_vecs').data, columns(data), {}, `seed ${seed} head ${head} of ${shape}`);
    single.dispose();
  }
  whole.dispose();
});

law('a key bias changes nothing but the scores', trained, (options) => {
  const layer = computed({ ...options, biases: ['key'], scale: 'sqrt_head_dim' });
  const before = layer.get('context_vecs').data;
  layer.set('b_key', new Float32Array(options.dOut)).forward();
  assertClose(layer.get('context_vecs').data, before, { atol: 5e-6, rtol: 5e-6 });
  layer.dispose();
});

law('the two routes agree, and one token alone gives its batched row', all, (options) => {
  const layer = computed(options);
  assert.equal(layer.compareRoutes().verdict, 'agree');
  const { data, shape: [nBatch, nTokens, width] } = layer.get('context_vecs');
  for (let b = 0; b < nBatch; b++) {
    for (let t = 0; t < nTokens; t++) {
      const start = (b * nTokens + t) * width;
      assertClose(layer.contextOneToken(t, b).context, data.slice(start, start + width), CLOSE);
    }
  }
  layer.dispose();
});

law('given weights stay as the caller set them: the causal mask acts on a copy, and switching it off gives them back',
  all.map((options) => ({ ...options, scoreSource: 'given' })), ({ dIn, ...options }) => {
    const layer = computed({ ...options, dIn: options.dOut, causal: true });
    const own = layer.get('given_weights').data;
    layer.configure({ causal: false }).forward();
    assertClose(layer.get('given_weights').data, own);
    assertClose(layer.get('attn_weights').data, own);
    layer.dispose();
  });

law('switching an option there and back gives the same bits', all, (options) => {
  const layer = computed(options);
  const before = layer.get('outputs').data;
  layer.configure({ causal: !options.causal, scale: 0.125 }).forward();
  layer.configure({ causal: options.causal, scale: options.scale }).forward();
  assertClose(layer.get('outputs').data, before);
  layer.dispose();
});

law('sequences of a batch do not touch each other: each alone gives the same bits', trained, (options) => {
  const { nBatch, nTokens, dIn, seed, ...rest } = options;
  const layer = computed(options);
  const { data, shape } = layer.get('outputs');
  const size = data.length / nBatch;
  const inputs = layer.get('inputs').data;
  for (let b = 0; b < nBatch; b++) {
    const alone = fill(attention.createLayer({ ...rest, nTokens, dIn, nBatch: 1 }), seed);
    alone.set('inputs', inputs.slice(b * nTokens * dIn, (b + 1) * nTokens * dIn)).forward();
    assertClose(alone.get('outputs').data, data.slice(b * size, (b + 1) * size), {}, `sequence ${b} of ${shape}`);
    alone.dispose();
  }
  layer.dispose();
});
