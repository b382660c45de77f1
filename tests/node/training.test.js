// Learning, through the JavaScript face: PyTorch's own steps, what a step may move, divergence, the numerical check,
// and what is refused. Read next: tasks.test.js, tests/vectors/make_training_steps.py.

import assert from 'node:assert/strict';
import test from 'node:test';
import { assertClose } from './compare.js';
import { attention, distinct, expected, fill, floats, readCases } from './cases.js';

/**
 * @typedef {import('../../web/engine/layer.js').Layer} Layer
 * @typedef {import('../../web/engine/layer.js').LayerOptions} LayerOptions
 */

const PARAMETER = /^[wb]_/;

/** The bits of every parameter. @param {Layer} layer @returns {Record<string, number[]>} */
const parametersOf = (layer) => Object.fromEntries(Object.keys(layer.shapes()).filter((name) => PARAMETER.test(name))
  .map((name) => [name, Array.from(layer.get(name).data)]));

/** max|got − want| / max|want|. @param {ArrayLike<number>} got @param {ArrayLike<number>} want */
const apart = (got, want) => Math.max(...Array.from(want, (w, k) => Math.abs(got[k] - w))) /
  Math.max(...Array.from(want, Math.abs));

/** Three sequences with every kind of parameter, and their targets. @param {Partial<LayerOptions>} [options] */
function pupil(options = {}) {
  const layer = fill(attention.createLayer({
    nBatch: 3, nTokens: 5, dIn: 3, dOut: 4, nHeads: 2, outputProjection: 6, biases: ['query', 'key', 'value', 'out'],
    ...options,
  }));
  return { layer, targets: distinct(90, 70) };
}

// ---- PyTorch ------------------------------------------------------------------------------------------------------

/** @param {any} c */
function torchPupil(c) {
  const { num_heads: nHeads, causal, target_rows: targetRows, optimizer, momentum } = c.params;
  const learningRate = c.params.learning_rate;
  const [nBatch, nTokens, dIn] = c.inputs.shape;
  const layer = attention.createLayer({
    nBatch, nTokens, dIn, dOut: c.start.w_query.shape[1], nHeads, causal,
    outputProjection: c.start.w_out?.shape[1] ?? false,
    biases: c.start.b_out ? ['query', 'key', 'value', 'out'] : [],
  });
  layer.set('inputs', floats(c.inputs));
  for (const [name, tensor] of Object.entries(c.start)) layer.set(name, floats(/** @type {any} */ (tensor)));
  const targets = floats(c.targets);
  return { layer, step: () => layer.trainStep({ targets, targetRows, optimizer, learningRate, momentum }) };
}

const steps = readCases('pytorch_training_steps.json');

for (const c of steps) {
  test(`30 steps of PyTorch's ${c.params.optimizer} come out for every parameter (${c.name})`, () => {
    const { layer, step } = torchPupil(c);
    for (let k = 0; k < c.params.steps; k++) {
      const { loss, gradientNorm } = step();
      assertClose([loss, gradientNorm], [c.losses[k], c.gradient_norms[k]], { atol: 1e-7, rtol: 2e-5 }, `step ${k}`);
    }
    for (const [name, tensor] of Object.entries(c.expected)) {
      // The gradient of a key bias is rounding noise, which Adam makes as large as any other.
      if (name === 'b_key' && c.params.optimizer === 'adam') continue;
      const off = apart(layer.get(name).data, expected(/** @type {any} */ (tensor)));
      assert.ok(off <= 1e-5, `${name} is off by ${off} of its largest number`);
      assert.ok(apart(floats(c.start[name]), expected(/** @type {any} */ (tensor))) > 1e-3 || name === 'b_key',
        `${name} has moved`);
    }
  });
}

test('the steps compared are 6 runs of 30: plain, with momentum and Adam, in two settings', () => {
  assert.deepEqual(steps.map(({ name, params }) => [name, params.steps]),
    ['all_sgd', 'all_momentum', 'all_adam', 'one_sgd', 'one_momentum', 'one_adam'].map((name) => [name, 30]));
});

test('one step less, another rate or no momentum does not pass for PyTorch’s', () => {
  const c = steps[1];
  for (const wrong of [{ steps: 29 }, { learning_rate: 0.101 }, { momentum: 0 }]) {
    const params = { ...c.params, ...wrong };
    const { layer, step } = torchPupil({ ...c, params });
    for (let k = 0; k < params.steps; k++) step();
    assert.ok(apart(layer.get('w_value').data, expected(c.expected.w_value)) > 1e-4);
  }
});

// ---- the loss -----------------------------------------------------------------------------------------------------

test('the loss is the mean over all numbers of the target rows, counted in every sequence', () => {
  const layer = attention.createLayer({ nBatch: 2, nTokens: 2, dIn: 2, scoreSource: 'given' });
  layer.set('inputs', [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]);
  layer.set('attn_weights', [[[[1, 0], [0, 1]]], [[[1, 0], [0, 1]]]]); // context_vecs = inputs
  const targets = [[[1, 100], [3, 2]], [[100, 6], [8, 5]]];
  assert.equal(layer.loss({ targets, targetRows: [1] }), (0 + 4 + 1 + 9) / 4);
  assert.equal(layer.loss({ targets, targetRows: [1, 1] }), 14 / 4, 'a row counts once');
  assert.equal(layer.loss({ targets }), (98 ** 2 + 95 ** 2 + 14) / 8);
  assert.equal(layer.loss({ targets, targetRows: [0, 1] }), layer.loss({ targets }));
  assert.equal(layer.loss({ targets: layer.get('context_vecs').data }), 0);
});

test('trainStep() tells the loss before it; after it results are those of the new parameters', () => {
  const { layer, targets } = pupil();
  const before = layer.loss({ targets });
  assert.equal(layer.trainStep({ targets, learningRate: 0.05 }).loss, before);
  const outputs = layer.get('outputs').data;
  const after = layer.loss({ targets });
  assert.ok(after < before);
  assertClose(layer.forward().get('outputs').data, outputs, {});
  assert.throws(() => layer.get('d_w_query'), { code: 'stale' });
});

test('rows that are no target neither count nor pull', () => {
  const [one, two] = [pupil(), pupil()];
  const other = two.targets.map((x, k) => ([0, 2].includes(Math.floor(k / 6) % 5) ? -x * 9 : x));
  for (let k = 0; k < 5; k++) {
    assert.deepEqual(one.layer.trainStep({ targets: one.targets, targetRows: [1, 3, 4], learningRate: 0.1 }),
      two.layer.trainStep({ targets: other, targetRows: [4, 3, 1], learningRate: 0.1 }));
  }
  assert.deepEqual(parametersOf(one.layer), parametersOf(two.layer));
});

// ---- what moves ---------------------------------------------------------------------------------------------------

test('every parameter moves, whatever the source of the scores, but a key bias, which has no gradient', () => {
  const all = ['w_query', 'w_key', 'w_value', 'b_query', 'b_key', 'b_value', 'w_out', 'b_out'];
  for (const [scoreSource, moving] of /** @type {const} */ ([
    ['trained', all], ['inputs', ['w_out', 'b_out']], ['given', ['w_out', 'b_out']],
  ])) {
    for (const optimizer of /** @type {const} */ (['sgd', 'adam'])) {
      const { layer, targets } = pupil({ dIn: 4, scoreSource, causal: true });
      const kept = ['inputs', ...(scoreSource === 'given' ? ['given_weights'] : [])];
      const before = kept.map((name) => layer.get(name).data);
      const start = parametersOf(layer);
      assert.deepEqual(Object.keys(start), moving);
      layer.trainStep({ targets, optimizer, learningRate: 0.1 });
      const end = parametersOf(layer);
      for (const name of moving.filter((one) => one !== 'b_key')) {
        assert.notDeepEqual(end[name], start[name], `${name} by ${optimizer}`);
      }
      kept.forEach((name, i) => assertClose(layer.get(name).data, before[i], {}, name));
    }
  }
});

test('zero w_query and w_key never move, by either optimiser; a touch of one sets both going', () => {
  for (const [optimizer, momentum] of /** @type {const} */ ([['sgd', 0], ['sgd', 0.9], ['adam', 0]])) {
    const { layer, targets } = pupil({ biases: [] });
    const zeros = Array(12).fill(0);
    layer.set('w_query', zeros).set('w_key', zeros);
    for (let k = 0; k < 100; k++) layer.trainStep({ targets, optimizer, learningRate: 0.02, momentum });
    const { w_query: query, w_key: key } = parametersOf(layer);
    assertClose(query, zeros, {}, 'w_query');
    assertClose(key, zeros, {}, 'w_key');
    layer.set('w_key', [0.01, ...zeros.slice(1)]);
    for (let k = 0; k < 2; k++) layer.trainStep({ targets, optimizer, learningRate: 0.02, momentum });
    assert.ok(layer.get('w_query').data.some((w) => w !== 0));
  }
});

test('with one token alone w_query and w_key stay as they are, while w_value learns', () => {
  const layer = fill(attention.createLayer({ nBatch: 2, nTokens: 1, dIn: 3, dOut: 2 }));
  const before = parametersOf(layer);
  for (let k = 0; k < 20; k++) layer.trainStep({ targets: [[[1, 2]], [[3, 4]]], optimizer: 'adam', learningRate: 0.1 });
  const after = parametersOf(layer);
  assert.deepEqual([after.w_query, after.w_key], [before.w_query, before.w_key]);
  assert.notDeepEqual(after.w_value, before.w_value);
});

test('the same seed gives the same bits, step for step, and again after going back to it', () => {
  const run = (/** @type {Layer} */ layer) => {
    layer.init('uniform', 5, 0.5).resetOptimizer();
    const { targets } = pupil();
    for (let k = 0; k < 25; k++) layer.trainStep({ targets, optimizer: 'adam', learningRate: 0.03 });
    return parametersOf(layer);
  };
  const { layer } = pupil();
  const first = run(layer);
  assert.deepEqual(run(layer), first);
  assert.deepEqual(run(pupil().layer), first);
});

test('looking moves nothing: reading, tracing, comparing, checking and losses between steps leave every bit', () => {
  const [one, two] = [pupil({ causal: true }), pupil({ causal: true })];
  for (let k = 0; k < 10; k++) {
    const step = { optimizer: /** @type {const} */ ('adam'), learningRate: 0.03 };
    assert.deepEqual(one.layer.trainStep({ targets: one.targets, ...step }),
      two.layer.trainStep({ targets: two.targets, ...step }));
    for (const name of Object.keys(two.layer.shapes())) two.layer.get(name);
    two.layer.trace('outputs', [1, 2, 3]);
    two.layer.readouts(1, 2);
    two.layer.faults();
    assert.equal(two.layer.compareRoutes().verdict, 'agree');
    two.layer.loss({ targets: two.targets.map((x) => x + 1), targetRows: [2] });
    two.layer.gradientCheck('w_key', [1, 2], { targets: two.targets, targetRows: [1] });
    two.layer.forward().backward(distinct(90, 3));
  }
  assert.deepEqual(parametersOf(one.layer), parametersOf(two.layer));
});

test('an optimiser remembers until it is reset or exchanged for the other', () => {
  const step = (/** @type {ReturnType<typeof pupil>} */ { layer, targets }, momentum = 0.9) =>
    layer.trainStep({ targets, learningRate: 0.05, momentum });
  const [kept, reset, exchanged] = [pupil(), pupil(), pupil()];
  for (const each of [kept, reset, exchanged]) step(each);
  assert.equal(reset.layer.resetOptimizer(), reset.layer);
  exchanged.layer.trainStep({ targets: exchanged.targets, optimizer: 'adam', learningRate: 0 });
  for (const each of [kept, reset, exchanged]) step(each);
  assert.notDeepEqual(parametersOf(kept.layer), parametersOf(reset.layer));
  assert.deepEqual(parametersOf(exchanged.layer), parametersOf(reset.layer));
});

// ---- divergence ---------------------------------------------------------------------------------------------------

test('a rate that diverges stops with the last finite state, optimiser included, and says what helps', () => {
  for (const optimizer of /** @type {const} */ (['sgd', 'adam'])) {
    const [one, two] = [pupil(), pupil()];
    const step = { optimizer, learningRate: 0.01 };
    for (const { layer, targets } of [one, two]) layer.trainStep({ targets, ...step });
    const before = one.layer.get('outputs').data;
    assert.throws(() => one.layer.trainStep({ targets: one.targets, optimizer, learningRate: 1e38 }), {
      code: 'diverged',
      message: new RegExp('^the step at learning rate 1e\\+38 would lead to a number that is not finite, ' +
        'in \\w+\\[.*\\]; nothing was changed, .*; a smaller learning rate keeps it finite$'),
    });
    assertClose(one.layer.get('outputs').data, before, {}, 'outputs, not stale');
    assert.deepEqual(parametersOf(one.layer), parametersOf(two.layer));
    for (const { layer, targets } of [one, two]) layer.trainStep({ targets, ...step });
    assert.deepEqual(parametersOf(one.layer), parametersOf(two.layer));
  }
});

test('a step by another optimiser that diverges leaves the memory of the one before, bit for bit', () => {
  const [one, two] = [pupil(), pupil()];
  const adam = { optimizer: /** @type {const} */ ('adam'), learningRate: 0.01 };
  for (let k = 0; k < 10; k++) {
    if (k === 5) {
      assert.throws(() => one.layer.trainStep({ targets: one.targets, learningRate: 1e38 }), { code: 'diverged' });
    }
    for (const { layer, targets } of [one, two]) layer.trainStep({ targets, ...adam });
    assert.deepEqual(parametersOf(one.layer), parametersOf(two.layer), `step ${k}`);
  }
});

test('a gradient that overflows is not blamed on the learning rate', () => {
  const layer = attention.createLayer({ nTokens: 1, dIn: 1, dOut: 1 });
  layer.set('inputs', [[1e20]]).set('w_value', [[1e10]]); // a result of 1e30, gradients of 2e40 and more
  assert.throws(() => layer.trainStep({ targets: [[0]], learningRate: 1e-30 }),
    { code: 'diverged', message: /^the gradient is so large that no step can be taken: .*, in d_\w+.*; smaller targets/ });
  assert.deepEqual(Array.from(layer.get('w_value').data), [1e10]);
});

// ---- the numerical check ------------------------------------------------------------------------------------------

test('the gradient of any number that can be set agrees with its numerical check, which restores every bit', () => {
  for (const scoreSource of /** @type {const} */ (['trained', 'inputs', 'given'])) {
    const { layer, targets } = pupil({ dIn: 4, scoreSource, causal: true });
    if (scoreSource === 'given') layer.set('attn_weights', layer.get('given_weights').data.map((x) => x + 1));
    layer.forward();
    const names = Object.keys(layer.shapes());
    const before = names.map((name) => layer.get(name).data);
    for (const name of names.filter((one) => /^(inputs|[wb]_.*|given_weights)$/.test(one))) {
      const last = layer.shapes()[name].map((dim) => dim - 1);
      const goal = { targets, targetRows: [1, 2, 4] };
      const { analytic, numerical, difference } = layer.gradientCheck(name, last, { ...goal, step: 0.01 });
      assert.equal(difference, analytic - numerical);
      assert.ok(Math.abs(difference) <= 1e-4 + 1e-3 * Math.abs(analytic), `${name}: ${analytic}, ${numerical}`);
      const gradient = layer.get(name === 'given_weights' ? 'd_attn_weights' : `d_${name}`).data;
      assert.equal(gradient[gradient.length - 1], analytic, 'gradients of the loss can be read then');
      const plain = layer.gradientCheck(name, last, goal);
      assert.equal(plain.analytic, analytic);
      assert.ok(Math.abs(plain.difference) <= 5e-4 + 1e-3 * Math.abs(analytic), 'with the usual step of 0.001');
    }
    names.forEach((name, i) => assertClose(layer.get(name).data, before[i], {}, name));
  }
});

// ---- what is refused ----------------------------------------------------------------------------------------------

test('what a step, a loss or a check cannot use is refused in a sentence, and nothing moves', () => {
  const made = pupil();
  const layer = /** @type {any} */ (made.layer);
  const { targets } = made;
  const before = parametersOf(layer);
  const step = { targets, learningRate: 0.1 };
  /** @type {[() => unknown, string, string | RegExp][]} */
  const wrong = [
    [() => layer.trainStep(), 'wrong_type', 'trainStep takes an object with options such as targets, got nothing'],
    [() => layer.trainStep({ ...step, rate: 1 }), 'unknown_option', "trainStep has no option 'rate'; the options are " +
      'targets, targetRows, optimizer, learningRate and momentum'],
    [() => layer.trainStep({ targets }), 'wrong_type', 'learningRate must be a number, got nothing'],
    [() => layer.trainStep({ ...step, learningRate: NaN }), 'number_not_finite', /^learningRate must be a finite/],
    [() => layer.trainStep({ ...step, learningRate: -0.1 }), 'number_not_finite',
      'learningRate must be a finite number, 0 or more, got -0.1'],
    [() => layer.trainStep({ ...step, momentum: 1 }), 'number_not_finite',
      'momentum must be a finite number from 0 to less than 1, got 1'],
    [() => layer.trainStep({ ...step, momentum: -0.5 }), 'number_not_finite',
      'momentum must be a finite number from 0 to less than 1, got -0.5'],
    [() => layer.trainStep({ ...step, optimizer: 'lbfgs' }), 'unknown_choice',
      "optimizer must be 'sgd' or 'adam', got 'lbfgs'"],
    [() => layer.trainStep({ ...step, momentum: '0.9' }), 'wrong_type', "momentum must be a number, got '0.9'"],
    [() => layer.trainStep({ ...step, optimizer: 'adam', momentum: 0.9 }), 'unknown_option',
      "momentum goes with 'sgd' only, got 0.9 with 'adam'"],
    [() => layer.trainStep({ learningRate: 1 }), 'wrong_type',
      'targets must be 3×5×6 (nBatch × nTokens × outputProjection) numbers, got nothing'],
    [() => layer.loss({ targets: targets.slice(1) }), 'wrong_size',
      'targets must be 3×5×6 (nBatch × nTokens × outputProjection), got 89 numbers'],
    [() => layer.loss({ targets: targets.map((x, k) => (k === 7 ? NaN : x)) }), 'number_not_finite', /^targets\[7\]/],
    [() => layer.trainStep({ ...step, targets: Float32Array.from(targets, (x, k) => (k === 7 ? Infinity : x)) }),
      'number_not_finite', /^targets\[7\]/],
    [() => layer.loss({ targets: Float32Array.from(targets, (x, k) => (k === 7 ? NaN : x)), targetRows: [3] }),
      'number_not_finite', /^targets\[7\]/],
    [() => layer.loss({ ...step }), 'unknown_option', /^loss has no option 'learningRate'/],
    [() => layer.loss({ targets, targetRows: [] }), 'no_targets',
      'targetRows must name at least one token, got an empty array'],
    [() => layer.loss({ targets, targetRows: [0, 5] }), 'index_out_of_range',
      'targetRows[1] must be from 0 to 4, got 5'],
    [() => layer.loss({ targets, targetRows: 3 }), 'wrong_type', 'targetRows must be an array of tokens, got 3'],
    [() => layer.gradientCheck('queries', [0, 0, 0], { targets }), 'tensor_is_derived',
      /^gradientCheck moves what can be set, which is inputs, .*; got queries$/],
    [() => layer.gradientCheck('w_nothing', [0, 0], { targets }), 'unknown_tensor', /^there is no tensor 'w_nothing'/],
    [() => layer.gradientCheck('w_query', [0], { targets }), 'wrong_size',
      'gradientCheck needs one index for each dimension of w_query (3×4), got 1 of them'],
    [() => layer.gradientCheck('w_query', [0, 4], { targets }), 'index_out_of_range',
      'index 1 of w_query must be from 0 to 3, got 4'],
    [() => layer.gradientCheck('w_query', [0, 0], { targets, step: 0 }), 'number_not_finite', /^step must be a finite/],
  ];
  for (const [call, code, message] of wrong) assert.throws(call, { code, message });
  layer.configure({ fault: 'scale_missing' });
  assert.throws(() => layer.trainStep(step), { code: 'fault_planted', message: /^trainStep\(\) needs fault 'none'/ });
  layer.configure({ fault: 'none' });
  assert.deepEqual(parametersOf(layer), before);
  const bare = attention.createLayer({ nTokens: 2, dIn: 2, scoreSource: 'inputs' }).set('inputs', [[1, 2], [3, 4]]);
  assert.throws(() => bare.trainStep({ targets: [[1, 2], [3, 4]], learningRate: 1 }),
    { code: 'no_parameters', message: /^trainStep\(\) needs weight matrices, and this layer has none/ });
  assert.ok(bare.loss({ targets: [[1, 2], [3, 4]] }) > 0, 'but there is a loss');
  bare.dispose();
  for (const call of ['trainStep', 'loss', 'resetOptimizer', 'gradientCheck']) {
    const message = new RegExp(`^${call}\\(\\) needs`);
    assert.throws(() => /** @type {any} */ (bare)[call](), { code: 'disposed', message });
  }
});
