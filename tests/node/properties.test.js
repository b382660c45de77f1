// Laws that hold for every shape, every option and all numbers, tried on random ones with a fixed seed. No expected
// number is computed: each law compares the module with itself or with the law's own plain statement. Laws that the page
// checks too come from web/engine/checks.
// Read next: numbers.test.js.

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { causalLeak, meanWeight, routes, rowSums, splitHeads } from '../../web/engine/checks/state.js';
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
  kernels: fc.constantFrom('simd', 'plain'),
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

/** What the checks take: options, and the same numbers that computed() fills in. @param {any} options */
function setupOf({ seed, ...options }) {
  const layer = computed({ seed, ...options });
  const names = Object.keys(layer.shapes()).filter((name) => name === 'inputs' || /^[wb]_|^given_weights$/.test(name));
  const tensors = Object.fromEntries(names.map((name) => [name, layer.get(name).data]));
  layer.dispose();
  return { options, tensors };
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
  if (options.scoreSource !== 'given') {
    assert.equal(rowSums(layer).state, 'passed');
    assert.equal(meanWeight(layer, { options, tensors: {} }).state, 'passed');
  }
  layer.dispose();
});

law('under the causal mask, changing token t leaves every row before t bit-identical', all, (options) => {
  const finding = causalLeak(attention, setupOf({ ...options, causal: true }));
  assert.deepEqual(finding, { state: 'passed', figure: 0, allowed: 0, rows: [], moved: [] });
});

law('without the mask, changing the last token moves rows before it', trained, (options) => {
  const setup = setupOf({ ...options, causal: false });
  if (options.nTokens === 1 || options.scale === 0) return;
  const { state, moved } = causalLeak(attention, setup);
  assert.equal(state, 'off');
  assert.ok(moved?.some(({ token }) => token === options.nTokens - 1));
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
  const finding = splitHeads(attention, setupOf(options));
  const state = options.nHeads === 1 ? 'off' : 'passed';
  assert.deepEqual(finding, { state, figure: 0, allowed: 0, rows: [], heads: [] });
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
  assert.equal(routes(layer).state, 'passed');
  if (options.kernels !== 'plain') return layer.dispose(); // how far off its numbers may be depends on the scores
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
