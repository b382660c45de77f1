// Reading results in place: what a view of the module's memory shows, and when it may no longer be used.
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
