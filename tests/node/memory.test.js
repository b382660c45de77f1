// Memory: what a view of it shows and when it may no longer be used; layers that keep less, and what they take.
// Read next: ../../web/engine/layer.js (view), errors.test.js.

import assert from 'node:assert/strict';
import test from 'node:test';
import { SIX_TOKENS, attention, fill } from './cases.js';

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

test('after a layer was created that made memory grow, an old view is empty and a new one is good', async () => {
  const layer = fill(attention.createLayer({ nTokens: 6, dIn: 3 })).forward();
  const [view, copy] = [layer.view('context_vecs'), layer.get('context_vecs').data];
  const large = attention.createLayer({ nTokens: 4096, dIn: 16 });
  assert.equal(view.length, 0);
  assert.deepEqual(layer.view('context_vecs'), copy);
  large.dispose();
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

test('a layer takes at most 1.25 times what its caller can read of it', () => {
  for (const shape of [{ nTokens: 512, dIn: 64, nHeads: 4 }, { nTokens: 1024, dIn: 192, nHeads: 3 }]) {
    for (const kept of [{ keepGradients: false }, { keepWeights: false }]) {
      const layer = attention.createLayer({ ...shape, ...kept, outputProjection: true });
      const share = attention.layerBytes({ ...shape, ...kept, outputProjection: true }).bytes / readable(layer);
      assert.ok(share >= 1 && share <= 1.25, `${JSON.stringify({ ...shape, ...kept })}: ${share}`);
      layer.dispose();
    }
  }
  // With gradients there is room for given weights too: they are found again after another source of scores.
  const whole = { nTokens: 512, dIn: 64, nHeads: 4, outputProjection: true };
  const layer = fill(attention.createLayer(whole)).forward().backward(new Float32Array(512 * 64));
  assert.ok(attention.layerBytes(whole).bytes <= 1.25 * (readable(layer) + 4 * 4 * 512 ** 2));
  layer.dispose();
});

test('a layer that keeps no weights gives the same results, bit for bit, and no tensor of it is T × T', () => {
  for (const causal of [false, true]) {
    for (const nTokens of [1, 7, 33, 700]) {
      /** @type {any} */
      const options = { nBatch: 2, nTokens, dIn: 6, dOut: 8, nHeads: 2, outputProjection: 3, causal };
      const kept = fill(attention.createLayer(options)).forward();
      const lean = fill(attention.createLayer({ ...options, keepWeights: false })).forward();
      const names = Object.keys(lean.shapes());
      assert.ok(names.includes('outputs') && names.includes('attn_row_sums') && !names.includes('attn_weights'));
      for (const name of names) assert.deepEqual(lean.view(name), kept.view(name), `${name}, ${nTokens} tokens`);
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
  for (const name of ['attn_weights', 'attn_scores']) {
    assert.throws(() => lean.get(name), { code: 'tensor_not_here', message: new RegExp('^this layer was created with ' +
      `keepWeights: false and has no ${name}; it has inputs, `) });
  }
  const refused = { code: 'not_kept', message: /created with keepWeights: false.*create another with keepWeights: true$/ };
  for (const call of [() => lean.compareRoutes(), () => lean.routeTerms(0, 0), () => lean.readouts(),
    () => lean.trace('context_vecs', [0, 0]), () => lean.backward(new Float32Array(12)),
    () => lean.trainStep({ targets: new Float32Array(12), learningRate: 1 }),
    () => lean.gradientCheck('inputs', [0, 0], { targets: new Float32Array(12) }),
    () => lean.configure({ scoreSource: 'given' }), () => lean.configure({ fault: 'weight_altered' })]) {
    assert.throws(call, refused, String(call));
  }
  assert.equal(lean.faults().every(({ name, missing }) => name === 'none' || missing === 'kept_weights'), true);
  assert.equal(lean.contextOneToken(3).context.length, 3, 'the second route needs none');
  assert.equal(lean.trace('queries', [0, 0]).operation, 'projection');
  assert.ok(lean.view('context_vecs').every(Number.isFinite), 'a refused change changes nothing');

  const untrained = fill(attention.createLayer({ ...shape, keepGradients: false })).forward();
  assert.throws(() => untrained.backward(new Float32Array(12)),
    { code: 'not_kept', message: /created with keepGradients: false.*create another with keepGradients: true$/ });
  assert.throws(() => untrained.get('d_inputs'),
    { code: 'tensor_not_here', message: /^this layer was created with keepGradients: false and has no d_inputs/ });
  assert.throws(() => attention.createLayer({ ...shape, keepWeights: false, keepGradients: true }),
    { code: 'gradients_without_weights', message: /^keepGradients needs keepWeights: .* got keepWeights false/ });
  assert.throws(() => attention.createLayer(/** @type {any} */ ({ ...shape, keepWeights: 1 })),
    { code: 'wrong_type', message: 'keepWeights must be true or false, got 1' });
  assert.throws(() => lean.configure(/** @type {any} */ ({ keepWeights: true })), { code: 'option_is_fixed' });
});

test('a layer without gradients forgets given weights when another source takes their place', () => {
  const layer = fill(attention.createLayer({ nTokens: 3, dIn: 2, scoreSource: 'given', keepGradients: false })).forward();
  layer.configure({ scoreSource: 'trained' }).forward().configure({ scoreSource: 'given' });
  assert.deepEqual(layer.get('given_weights').data, new Float32Array(9));
  layer.dispose();
});
