// forward() in parts: the same results, stale until the last, and what is said if something changes in between.
// Read next: memory.test.js, ../../web/engine/layer.js (forwardParts).

import assert from 'node:assert/strict';
import test from 'node:test';
import { SIX_TOKENS, attention, fill } from './cases.js';

/** @type {import('../../web/engine/attention.js').LayerOptions[]} */
const LAYERS = [
  { nTokens: 6, dIn: 3 }, { nTokens: 700, dIn: 6, nHeads: 2, nBatch: 2, outputProjection: true, causal: true },
  { nTokens: 700, dIn: 6, nHeads: 2, keepWeights: false }, { nTokens: 6, dIn: 3, scoreSource: 'given' },
  { nTokens: 6, dIn: 3, fault: 'softmax_columns' },
];

test('part by part every tensor becomes the same bits as at once, and the shares grow to 1', () => {
  for (const options of LAYERS) {
    const [parts, whole] = [fill(attention.createLayer(options)), fill(attention.createLayer(options)).forward()];
    let before = 0;
    for (const share of parts.forwardParts()) {
      assert.ok(share > before && share <= 1, `${share} after ${before}`);
      if (share < 1) assert.throws(() => parts.view('context_vecs'), { code: 'stale' });
      before = share;
    }
    assert.equal(before, 1);
    assert.deepEqual(Object.keys(parts.shapes()), Object.keys(whole.shapes()));
    for (const name of Object.keys(whole.shapes())) assert.deepEqual(parts.view(name), whole.view(name), name);
    parts.dispose();
    whole.dispose();
  }
});

test('a change in between is refused at the next part, in words; begun anew, it goes through', () => {
  const layer = fill(attention.createLayer({ nTokens: 6, dIn: 4, nHeads: 2 }));
  const parts = layer.forwardParts();
  assert.equal(parts.next().value, 0.5);
  layer.configure({ causal: true });
  assert.throws(() => parts.next(), {
    code: 'stale', message: 'this forwardParts() cannot go on: since its last part the layer was changed, or computed by ' +
      'another call; what is left of it is of no use, begin anew with forwardParts()',
  });
  assert.deepEqual([...layer.forwardParts()], [0.5, 1]);
  assert.equal(layer.get('attn_weights').data[1], 0);
  const left = layer.forwardParts();
  left.next();
  layer.dispose();
  assert.throws(() => left.next(), { code: 'disposed', message: /^forwardParts\(\) needs a layer that is in use/ });
});

test('one that was left begins anew and goes through; what is left of an older one is refused, and disturbs nothing', () => {
  const layer = fill(attention.createLayer({ nTokens: 6, dIn: 4, nHeads: 4 }));
  const wanted = fill(attention.createLayer({ nTokens: 6, dIn: 4, nHeads: 4 })).forward().get('context_vecs').data;
  const refused = { code: 'stale', message: /^this forwardParts\(\) cannot go on: .* begin anew with forwardParts\(\)$/ };
  const left = layer.forwardParts();
  left.next();
  const newer = layer.forwardParts();
  assert.equal(newer.next().value, 0.25);
  assert.throws(() => left.next(), refused, 'it asks for the very part that is next');
  assert.deepEqual([...newer], [0.5, 0.75, 1]);
  assert.deepEqual(layer.get('context_vecs').data, wanted);
  for (const other of [() => layer.forward(), () => layer.set('inputs', layer.get('inputs').data), () => [...layer.forwardParts()]]) {
    const older = layer.forwardParts();
    older.next();
    other();
    assert.throws(() => older.next(), refused, String(other));
    assert.deepEqual([...layer.forwardParts()], [0.25, 0.5, 0.75, 1]);
    assert.deepEqual(layer.get('context_vecs').data, wanted);
  }
});

test('a number that is not finite is named as forward() names it', () => {
  const layer = fill(attention.createLayer({ nTokens: 6, dIn: 3 })).set('inputs', SIX_TOKENS);
  layer.set('w_value', [[3e38, 3e38, 3e38], [3e38, 3e38, 3e38], [3e38, 3e38, 3e38]]);
  assert.throws(() => [...layer.forwardParts()], { code: 'tensor_not_finite', message: /^row 0, column 0 of values|^values/ });
});
