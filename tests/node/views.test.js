// Views of the module's memory when it grows: which calls make them empty, and that no other does; and that a refused call
// writes nothing where it has no place. Read next: memory.test.js, ../../web/engine/layer.js (view).

import assert from 'node:assert/strict';
import test from 'node:test';
import { loadAttention } from '../../web/engine/node.js';
import { Layer } from '../../web/engine/layer.js';
import { SIX_TOKENS, fill } from './cases.js';

const SMALL = { nTokens: 6, dIn: 3 };
const LARGE = { nTokens: 200, dIn: 8 };

/** A module of its own, with results, a view of them, and so many large layers. @param {number} count */
async function loaded(count) {
  const attention = await loadAttention();
  const layer = fill(attention.createLayer({ ...SMALL, scoreSource: 'given' })).set('inputs', SIX_TOKENS).forward();
  for (let i = 0; i < count; i++) attention.createLayer(LARGE);
  return { attention, layer, view: layer.view('context_vecs'), copy: layer.get('context_vecs').data };
}

/** How many large layers a module has room for before its memory grows. */
async function room() {
  const { attention, view } = await loaded(0);
  let count = 0;
  for (; view.length > 0; count++) attention.createLayer(LARGE);
  return count - 1;
}

test('createLayer(), random() and uniformFloor() may empty views; a new view then shows the same numbers', async () => {
  const count = await room();
  /** @type {((attention: import('../../web/engine/attention.js').Attention) => unknown)[]} */
  const calls = [
    (attention) => attention.createLayer(LARGE),
    (attention) => attention.random(1, 100000),
    (attention) => attention.uniformFloor({ layer: LARGE, inputs: new Float32Array(1600), targets: new Float32Array(1600).fill(1) }),
  ];
  for (const call of calls) {
    const { attention, layer, view, copy } = await loaded(count);
    assert.equal(view.length, 18);
    call(attention);
    assert.equal(view.length, 0, String(call));
    assert.deepEqual(layer.view('context_vecs'), copy);
  }
});

test('no other call does, whatever room is left', async () => {
  const { attention, layer, view } = await loaded(await room());
  attention.layerBytes(LARGE);
  const targets = new Float32Array(18);
  /** @type {Record<string, () => unknown>} */
  const calls = {
    set: () => layer.set('inputs', SIX_TOKENS), init: () => layer.init('torch.rand', 1),
    configure: () => layer.configure({ causal: true, scoreSource: 'trained' }), forward: () => layer.forward(),
    forwardParts: () => [...layer.forwardParts()], get: () => layer.get('inputs'), view: () => layer.view('inputs'),
    shapes: () => layer.shapes(), contextOneToken: () => layer.contextOneToken(0), compareRoutes: () => layer.compareRoutes(),
    routeTerms: () => layer.routeTerms(0, 0), faults: () => layer.faults(), trace: () => layer.trace('context_vecs', [0, 0]),
    readouts: () => layer.readouts(), largestWeights: () => layer.largestWeights(0, 1),
    paint: () => layer.paint({ width: 9, height: 9, row: 0, rows: 6, column: 0, columns: 6, top: 1, colours: new Uint32Array(258) }),
    difference: () => layer.difference(targets, targets), loss: () => layer.loss({ targets }),
    backward: () => layer.backward(targets), trainStep: () => layer.trainStep({ targets, learningRate: 0.1, optimizer: 'adam' }),
    resetOptimizer: () => layer.resetOptimizer(), gradientCheck: () => layer.gradientCheck('inputs', [0, 0], { targets }),
    normalisedRow: () => layer.configure({ scoreSource: 'given' }).set('attn_weights', new Float32Array(36).fill(1)).normalisedRow(0),
    dispose: () => layer.dispose(),
  };
  const methods = Object.getOwnPropertyNames(Layer.prototype).filter((name) => name !== 'constructor');
  assert.deepEqual(methods.sort(), Object.keys(calls).sort(), 'every method is called');
  for (const [name, call] of Object.entries(calls)) {
    call();
    assert.equal(view.length, 18, name);
  }
});

test('gradients that a layer has no room for are refused before anything is written', async () => {
  const attention = await loadAttention();
  for (const kept of [{ keepWeights: false }, { keepGradients: false }]) {
    const layer = fill(attention.createLayer({ nTokens: 64, dIn: 64, ...kept })).forward();
    const before = new Uint8Array(layer.view('inputs').buffer).slice();
    assert.throws(() => layer.backward(new Float32Array(4096).fill(7)), { code: 'not_kept' });
    assert.deepEqual(new Uint8Array(layer.view('inputs').buffer), before);
  }
});
