// Memory: what a view of the module's shows and when it may no longer be used; layers that keep less, and what they take.
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

const LARGE = { nTokens: 512, dIn: 64, nHeads: 4, outputProjection: true };

test('a layer takes at most 1.25 times the tensors that its caller can read', () => {
  for (const kept of [{ keepGradients: false }, { keepWeights: false }]) {
    const layer = fill(attention.createLayer({ ...LARGE, ...kept })).forward();
    const share = attention.layerBytes({ ...LARGE, ...kept }).bytes / readable(layer);
    assert.ok(share >= 1 && share <= (kept.keepWeights === false ? 1.5 : 1.25), `${JSON.stringify(kept)}: ${share}`);
    layer.dispose();
  }
  // With gradients there is room for weights that are given, too, so that they are found again after another source.
  const layer = fill(attention.createLayer(LARGE)).forward().backward(new Float32Array(512 * 64));
  assert.ok(attention.layerBytes(LARGE).bytes <= 1.25 * (readable(layer) + 4 * 4 * 512 ** 2));
  layer.dispose();
});
