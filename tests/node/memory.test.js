// Memory: what a view of it shows and when it may no longer be used; layers that keep less, and what they take.
// Read next: ../../web/engine/layer.js (view), errors.test.js.

import assert from 'node:assert/strict';
import test from 'node:test';
import { SIX_TOKENS, attention, fill } from './cases.js';
import { assertClose } from './compare.js';

test('view() shows the numbers that get() copies, of every tensor, and copies nothing', () => {
  const layer = fill(attention.createLayer({ nTokens: 6, dIn: 3, dOut: 2, outputProjection: true }));
  layer.set('inputs', SIX_TOKENS).forward();
  for (const name of Object.keys(layer.shapes())) assert.deepEqual(layer.view(name), layer.get(name).data, name);
  const first = layer.view('outputs');
  const second = layer.view('outputs');
  assert.equal(first.buffer, second.buffer);
  assert.equal(first.byteOffset, second.byteOffset);
  layer.dispose();
});

test('a view follows the next results of its layer; what get() gave does not', () => {
  const layer = fill(attention.createLayer({ nTokens: 6, dIn: 3 })).forward();
  const [view, copy] = [layer.view('context_vecs'), layer.get('context_vecs').data];
  layer.set('inputs', SIX_TOKENS).forward();
  assert.deepEqual(view, layer.get('context_vecs').data);
  assert.notDeepEqual(copy, layer.get('context_vecs').data);
  layer.dispose();
});

test('a name leads to other numbers, and to more or fewer, once the configuration has changed', () => {
  const layer = fill(attention.createLayer({ nTokens: 6, dIn: 3, dOut: 2 })).set('inputs', SIX_TOKENS).forward();
  assert.equal(layer.view('queries').length, 12);
  layer.configure({ scoreSource: 'inputs' }).forward();
  assert.deepEqual(layer.view('queries'), layer.get('inputs').data);
  assert.equal(layer.get('queries').data.length, 18);
  layer.dispose();
});

test('view() refuses what get() refuses: stale results, tensors that are not there, a layer disposed of', () => {
  const layer = fill(attention.createLayer({ nTokens: 6, dIn: 3 })).forward();
  layer.configure({ causal: true });
  assert.throws(() => layer.view('attn_weights'), { code: 'stale', message: /^attn_weights is stale/ });
  assert.equal(layer.view('inputs').length, 18);
  assert.throws(() => layer.view('outputs'), { code: 'tensor_not_here' });
  assert.throws(() => layer.view('weights'), { code: 'unknown_tensor' });
  layer.dispose();
  assert.throws(() => layer.view('inputs'), { code: 'disposed', message: /^view\(\) needs a layer that is in use/ });
});

/** How many bytes the tensors take that a layer tells of. @param {import('../../web/engine/layer.js').Layer} layer */
const readable = (layer) => Object.values(layer.shapes())
  .reduce((sum, dims) => sum + 4 * dims.reduce((size, dim) => size * dim, 1), 0);

/** What a layer keeps, as createLayer is told. */
const KEPT = [{}, { keepGradients: false }, { keepWeights: false }];

/** @param {number} nTokens @param {number} dIn @param {number} nHeads @param {object} kept */
function sizesOf(nTokens, dIn, nHeads, kept) {
  const options = { nTokens, dIn, nHeads, outputProjection: true, ...kept };
  const layer = attention.createLayer(options).forward();
  if (KEPT.indexOf(kept) === 0) layer.backward(new Float32Array(nTokens * dIn));
  const read = readable(layer);
  layer.dispose();
  return { taken: attention.layerBytes(options).bytes, read };
}

test('a layer takes at most 1.25 times what its caller can read of it', () => {
  for (const [tokens, width, heads] of [[32, 64, 4], [128, 64, 4], [256, 256, 8], [512, 768, 12], [1024, 192, 3]]) {
    for (const kept of KEPT) {
      const { taken, read } = sizesOf(tokens, width, heads, kept);
      // What an optimiser remembers is twice the parameters: more than the rest leaves, where tokens are few.
      if (tokens === 32 && kept === KEPT[0]) continue;
      assert.ok(taken >= read && taken <= 1.25 * read, `${tokens}, ${width}, ${heads} ${JSON.stringify(kept)}: ${taken / read}`);
    }
  }
});

test('beside what can be read there is no more than the contract says, at any size', () => {
  for (const [tokens, width, heads] of [[1, 1, 1], [6, 3, 1], [32, 64, 4], [7, 512, 2], [300, 20, 5], [1024, 768, 12]]) {
    for (const kept of KEPT) {
      const { taken, read } = sizesOf(tokens, width, heads, kept);
      const parameters = 4 * 4 * width ** 2;
      const scratch = 16384 + 48 * width + (60 + 24) * tokens + 8 * tokens * Math.ceil(width / heads);
      const undoing = 2 * parameters - 4 * (5 * tokens * width + 2 * heads * tokens ** 2);
      const beside = [
        scratch + 4 * tokens * width + 2 * parameters + Math.max(0, undoing), scratch, scratch + 65536,
      ][KEPT.indexOf(kept)];
      assert.ok(taken - read <= beside, `${tokens}, ${width}, ${heads} ${JSON.stringify(kept)}: ${taken - read} > ${beside}`);
    }
  }
});

test('what a layer that keeps no weights takes grows with T, not with T × T', () => {
  const bytes = (/** @type {number} */ nTokens) => attention.layerBytes({ nTokens, dIn: 8, keepWeights: false }).bytes;
  assert.equal(bytes(16384) - bytes(8192), 2 * (bytes(8192) - bytes(4096)));
});

/** @type {[number, string][]} */
const LENGTHS = [[1, 'simd'], [7, 'plain'], [33, 'simd'], [256, 'plain'], [700, 'simd'], [700, 'plain']];

test('a layer that keeps no weights gives the same results, bit for bit up to 256 tokens, and nothing of it is T × T', () => {
  for (const causal of [false, true]) {
    for (const [nTokens, kernels] of LENGTHS) {
      /** @type {any} */
      const options = { nBatch: 2, nTokens, dIn: 6, dOut: 8, nHeads: 2, outputProjection: 3, causal, kernels };
      const kept = fill(attention.createLayer(options)).forward();
      const lean = fill(attention.createLayer({ ...options, keepWeights: false })).forward();
      const names = Object.keys(lean.shapes());
      assert.ok(names.includes('outputs') && !names.some((name) => name.startsWith('attn_')), names.join());
      for (const name of names) {
        const [got, wanted] = [lean.view(name), kept.view(name)];
        if (nTokens <= 256) assert.deepEqual(got, wanted, `${name}, ${nTokens} tokens`);
        else assertClose(got, wanted, { atol: 1e-6 * Math.max(...kept.view(name).map(Math.abs)) }, name);
      }
      kept.dispose();
      lean.dispose();
    }
  }
});

test('16,384 tokens fit where no weights are kept, and are refused in words where they are', () => {
  const shape = { nTokens: 16384, dIn: 8, nHeads: 2 };
  assert.throws(() => attention.createLayer(shape), { code: 'too_large', message: /would need [\d.]+ GiB/ });
  attention.createLayer({ ...shape, keepWeights: false }).dispose();
});

test('what a layer does not keep it says so of, and how to have it', () => {
  const shape = { nTokens: 4, dIn: 3 };
  const lean = fill(attention.createLayer({ ...shape, keepWeights: false })).forward();
  for (const name of ['attn_weights', 'attn_scores', 'attn_row_sums', 'attn_column_sums']) {
    assert.throws(() => lean.get(name), { code: 'tensor_not_here', message: new RegExp('^this layer was created with ' +
      `keepWeights: false and has no ${name}; it has inputs, `) });
  }
  const targets = new Float32Array(12);
  /** @type {[string, () => unknown][]} */
  const ofWeights = [['compareRoutes()', () => lean.compareRoutes()], ['routeTerms()', () => lean.routeTerms(0, 0)],
    ['readouts()', () => lean.readouts()], ['trace()', () => lean.trace('context_vecs', [0, 0])],
    ['largestWeights()', () => lean.largestWeights(0, 1)], ['paint()', () => lean.paint({ width: 1, height: 1, row: 0,
      rows: 1, column: 0, columns: 1, top: 1, colours: new Uint32Array(258) })],
    ["scoreSource 'given'", () => lean.configure({ scoreSource: 'given' })],
    ["fault 'weight_altered'", () => lean.configure({ fault: 'weight_altered' })],
    ["scoreSource 'given'", () => attention.createLayer({ ...shape, keepWeights: false, scoreSource: 'given' })],
    ["fault 'scale_missing'", () => attention.createLayer({ ...shape, keepWeights: false, fault: 'scale_missing' })]];
  for (const [asked, call] of ofWeights) {
    assert.throws(call, { code: 'not_kept', message: `${asked} needs attention weights, and this layer keeps none ` +
      '(keepWeights: false); create one with keepWeights: true' });
  }
  /** @type {[string, (layer: import('../../web/engine/layer.js').Layer) => unknown][]} */
  const ofGradients = [['backward()', (layer) => layer.backward(targets)], ['loss()', (layer) => layer.loss({ targets })],
    ['trainStep()', (layer) => layer.trainStep({ targets, learningRate: 1 })],
    ['gradientCheck()', (layer) => layer.gradientCheck('inputs', [0, 0], { targets })]];
  for (const [asked, call] of ofGradients) {
    assert.throws(() => call(lean), { code: 'not_kept', message: `${asked} needs room for gradients and targets, and this ` +
      'layer keeps none (keepWeights: false); create one with keepWeights: true and keepGradients: true' });
  }
  assert.throws(() => lean.get('d_inputs'),
    { code: 'tensor_not_here', message: /^this layer was created with keepWeights: false and has no d_inputs/ });
  assert.equal(lean.faults().every(({ name, missing }) => name === 'none' || missing === 'kept_weights'), true);
  assert.equal(lean.contextOneToken(3).context.length, 3, 'the second route needs none');
  assert.equal(lean.trace('queries', [0, 0]).operation, 'projection');
  assert.ok(lean.view('context_vecs').every(Number.isFinite), 'a refused change changes nothing');

  const untrained = fill(attention.createLayer({ ...shape, keepGradients: false })).forward();
  for (const [asked, call] of ofGradients) {
    assert.throws(() => call(untrained), { code: 'not_kept', message: `${asked} needs room for gradients and targets, and ` +
      'this layer keeps none (keepGradients: false); create one with keepGradients: true' });
  }
  assert.throws(() => untrained.get('d_inputs'),
    { code: 'tensor_not_here', message: /^this layer was created with keepGradients: false and has no d_inputs/ });
  assert.throws(() => attention.createLayer({ ...shape, keepWeights: false, keepGradients: true }),
    { code: 'gradients_without_weights', message: /^keepGradients needs keepWeights: .* got keepWeights false/ });
  assert.throws(() => attention.createLayer(/** @type {any} */ ({ ...shape, keepWeights: 1 })),
    { code: 'wrong_type', message: 'keepWeights must be true or false, got 1' });
  assert.throws(() => lean.configure(/** @type {any} */ ({ keepWeights: true })), { code: 'option_is_fixed' });
});

test('given weights are zeros when another source has taken their place, and stay when nothing has', () => {
  for (const keepGradients of [true, false]) {
    const layer = fill(attention.createLayer({ nTokens: 3, dIn: 2, scoreSource: 'given', keepGradients })).forward();
    const own = layer.get('given_weights').data;
    layer.configure({ scoreSource: 'given' }).forward();
    assert.deepEqual(layer.get('given_weights').data, own);
    layer.configure({ scoreSource: 'trained' }).forward().configure({ scoreSource: 'given' });
    assert.deepEqual(layer.get('given_weights').data, new Float32Array(9));
    layer.dispose();
  }
});
