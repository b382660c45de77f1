// The one place where the page meets the engine: what it gives the view is what the engine computes, whatever was
// computed, or failed to be, before. Expected numbers come from a layer made here, step by step. Read next: frames.js.

import assert from 'node:assert/strict';
import test from 'node:test';
import { createRunner } from '../../web/app/runner.js';
import { examples } from '../../web/content/examples.js';
import { attention } from './cases.js';
import { assertClose } from './compare.js';
import { batches, drawn, opening, runner } from './frames.js';

/** @typedef {import('../../web/model/state.js').Doc} Doc */

const toy = (await opening('warm-up')).document;
const trained = (await opening('multi-head')).document;

/** A document whose numbers become infinite on the way. @param {Doc} doc @returns {Doc} */
const tooLarge = (doc) => ({ ...doc, inputs: doc.inputs.map((row) => row.map(() => 1e30)), source: 'inputs' });

/**
 * The drawn parameters of an example, each as one flat array.
 * @param {import('../../web/content/examples.js').Example} example
 */
function drawnDirectly({ inputs, dOut, draw }) {
  const layer = attention.createLayer({ nTokens: 3, dIn: inputs[0].length, dOut }).init(draw.scheme, draw.seed);
  const parameters = ['w_query', 'w_key', 'w_value'].map((name) => layer.get(name).data);
  layer.dispose();
  return parameters;
}

/** Those whose parameters the module draws. */
const ofDrawn = examples.filter(({ parameters }) => !parameters);

for (const example of examples) {
  test(`the tensors of the example "${example.id}" are the engine's own, bit for bit`, async () => {
    const { source, scale, causal, heads, project, inputs, dOut, given } = example;
    const layer = attention.createLayer({
      nTokens: inputs.length, dIn: inputs[0].length, dOut, nHeads: heads, scoreSource: source, scale, causal,
      outputProjection: project, kernels: 'plain',
    });
    if (source === 'trained') layer.init(example.draw.scheme, example.draw.seed);
    for (const [name, rows] of Object.entries(example.parameters ?? {})) layer.set(name, rows);
    if (project) layer.set('w_out', Array.from({ length: dOut ** 2 }, (_, i) => (i % (dOut + 1) === 0 ? 1 : 0)));
    layer.set('inputs', inputs);
    if (source === 'given') layer.set('attn_weights', given);
    layer.forward();
    const { tensors, routes } = await run((await opening(example.id)).document);
    assert.deepEqual(Object.keys(tensors), Object.keys(layer.shapes()));
    for (const [name, tensor] of Object.entries(tensors)) {
      const want = layer.get(name);
      assert.deepEqual(tensor.shape, want.shape, name);
      assertClose(tensor.data, want.data, {}, name);
    }
    assert.deepEqual(routes, layer.compareRoutes());
    assert.equal(routes.verdict, 'agree');
    layer.dispose();
  });
}

for (const example of ofDrawn) {
  test(`the parameters of the example "${example.id}" are drawn by the engine's generator`, async () => {
    const parameters = (await drawn(example.id)).drawn;
    for (const [i, want] of drawnDirectly(example).entries()) {
      assertClose([parameters.w_query, parameters.w_key, parameters.w_value][i].flat(), want);
    }
  });
}

const { view } = await opening('warm-up');

/** What a runner says of a document, looked at from its first row. @param {any} document */
const run = (document, by = runner) => by.run({ version: 1, document, view: { ...view, row: 0 } });

test('the warm-up gives the context vectors that one can work out by hand', async () => {
  const { tensors } = await run(toy);
  assert.deepEqual(Array.from(tensors.context_vecs.data), [2.5, 3.5, 3, 4, 3.5, 4.5]);
});

test('the simplified example gives the published weights of its first row', async () => {
  const { tensors } = await run((await opening('simplified')).document);
  assertClose(tensors.attn_weights.data.slice(0, 6), [0.2098, 0.2006, 0.1981, 0.1242, 0.1220, 0.1452], { atol: 5e-5 });
});

test('an answer does not depend on what was computed before, in any order of shapes and sources', async () => {
  /** @type {Doc[]} */
  const documents = [
    toy, { ...toy, causal: true }, { ...toy, source: 'inputs' }, trained, { ...trained, heads: 1, scale: 'none' },
    { ...trained, project: false }, { ...trained, causal: false },
  ];
  const fresh = await Promise.all(documents.map((doc) => run(doc, createRunner(attention, batches))));
  for (const order of [[0, 1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1, 0], [2, 0, 3, 0, 5, 1, 4, 6, 3]]) {
    for (const i of order) assert.deepEqual(await run(documents[i]), fresh[i]);
  }
});

test('an answer is a copy: the next one does not change it', async () => {
  const { tensors } = await run(toy);
  const before = Array.from(tensors.context_vecs.data);
  await run({ ...toy, inputs: [[9, 9], [9, 9], [9, 9]] });
  await run(trained);
  assert.deepEqual(Array.from(tensors.context_vecs.data), before);
});

test('a document whose numbers are too large is refused with the place, and the runner stays usable', async () => {
  const fresh = await run(toy, createRunner(attention, batches));
  await assert.rejects(run(tooLarge(toy)), (/** @type {any} */ { name, code, context: { tensor, indices } }) => {
    assert.deepEqual([name, code, tensor, indices], ['AttnError', 'tensor_not_finite', 'attn_scores', [0, 0, 0, 0]]);
    return true;
  });
  assert.deepEqual(await run(toy), fresh);
});

test('a document that does not fit is refused, and the runner stays usable', async () => {
  const fresh = await run(trained, createRunner(attention, batches));
  await assert.rejects(run({ ...trained, heads: 3 }), { name: 'AttnError', code: 'heads_do_not_divide' });
  await assert.rejects(run({ ...trained, w_query: [[1, 2]] }), { name: 'AttnError', code: 'wrong_size' });
  const inputs = [[NaN, 1, 2], ...trained.inputs.slice(1)];
  await assert.rejects(run({ ...trained, inputs }), { name: 'AttnError', code: 'number_not_finite' });
  assert.deepEqual(await run(trained), fresh);
});

test('a given row is normalised by its own sum, and nothing else changes', async () => {
  const given = [[1, 2, 1], [0, 1, 0], [0.2, 0.2, 0.2]];
  const doc = { ...toy, given };
  assert.deepEqual(await runner.normalisedRow(doc, 0), [0.25, 0.5, 0.25]);
  assertClose(await runner.normalisedRow(doc, 2), [1 / 3, 1 / 3, 1 / 3], { atol: 1e-7 });
  assert.deepEqual(given, [[1, 2, 1], [0, 1, 0], [0.2, 0.2, 0.2]]);
  const { tensors } = await run(doc);
  assert.deepEqual(Array.from(tensors.attn_row_sums.data), [4, 1, Math.fround(0.6)]);
});

test('a row that sums to 0 cannot be normalised, and the runner stays usable', async () => {
  const doc = { ...toy, given: [[1, -1, 0], [0, 1, 0], [0, 0, 1]] };
  await assert.rejects(runner.normalisedRow(doc, 0), (/** @type {any} */ { name, code, context }) => {
    assert.deepEqual([name, code, context.row], ['AttnError', 'row_sum_is_zero', 0]);
    return true;
  });
  assert.deepEqual(await runner.normalisedRow(doc, 1), [0, 1, 0]);
});

test('the fast kernels can be chosen, give their own numbers bit for bit, and how far the others are from them', async () => {
  const state = await opening('multi-head');
  const { inputs, w_query, w_key, w_value, w_out } = state.document;
  /** @param {'plain' | 'simd'} kernels */
  const contextBy = (kernels) => {
    const layer = attention.createLayer({
      nTokens: 6, dIn: 3, dOut: 4, nHeads: 2, causal: true, outputProjection: true, kernels,
    });
    for (const [name, rows] of Object.entries({ inputs, w_query, w_key, w_value, w_out })) layer.set(name, rows);
    return layer.forward().get('context_vecs').data;
  };
  const [plain, fast] = [contextBy('plain'), contextBy('simd')];
  const apart = plain.reduce((most, value, i) => Math.max(most, Math.abs(value - fast[i])), 0);
  assert.ok(apart > 0 && apart < 1e-6, `${apart}`);
  for (const [kernels, expected] of /** @type {const} */ ([['plain', plain], ['simd', fast]])) {
    const computed = await runner.run({ ...state, view: { ...state.view, kernels, panels: ['numbers'] } });
    assert.deepEqual(computed.tensors.context_vecs.data, expected, kernels);
    assertClose([computed.kernelsApart ?? NaN], [apart], { atol: 1e-12, rtol: 1e-6 });
  }
});
