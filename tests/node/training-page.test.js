// Training as the page does it, without a browser: what actions make of a document, bursts of steps, undo, the trainer
// with a clock of its own. Numbers are those of a layer that is trained here, step by step.
// Read next: training.test.js (the engine's steps), ../browser/training.test.js.

import assert from 'node:assert/strict';
import test from 'node:test';
import { createBatches } from '../../web/app/batches.js';
import { createRunner } from '../../web/app/runner.js';
import { begin, commit, redo, undo } from '../../web/model/history.js';
import { derive } from '../../web/model/derive.js';
import { obstacleOf, recorded, smallerRate } from '../../web/model/training.js';
import { update } from '../../web/model/update.js';
import { attention } from './cases.js';
import { frozen, opening } from './frames.js';
import { fitAction, stepsFrom, taskAction } from './scenes-training.js';
import { desk } from './training-desk.js';

/**
 * @typedef {import('../../web/model/state.js').State} State
 * @typedef {import('../../web/model/update.js').Action} Action
 */

/** @param {State} state @param {Action[]} actions @returns {State} */
const after = (state, ...actions) => actions.reduce((last, action) => {
  const outcome = update(last, frozen(action));
  assert.ok('state' in outcome, JSON.stringify(outcome));
  return frozen(outcome.state);
}, state);

/** @param {State} state */
const trainingOf = ({ document }) => {
  assert.ok(document.training);
  return document.training;
};

/** @param {State} state */
const weightsOf = ({ document: { w_query, w_key, w_value } }) => ({ w_query, w_key, w_value });

const open = /** @type {Action} */ ({ type: 'panel', panel: 'training', open: true });
const toy = after(await opening('warm-up'), open);
const fetch = after(toy, taskAction('fetch', true));
const fit = after(await opening('causal'), open, fitAction(await opening('causal')));

/** Steps taken one at a time by a layer of our own. @param {number} count @param {number} [learningRate] */
function byHand(count, learningRate = 1) {
  const task = createBatches(attention).lesson(fetch.document, null, false)?.task;
  assert.ok(task);
  const { inputs, targets, targetRows } = task;
  const layer = attention.createLayer({ nBatch: 16, nTokens: 6, dIn: 5, dOut: 2, causal: true }).init('uniform', 123, 0.5);
  layer.set('inputs', inputs);
  const losses = [];
  for (let step = 0; step < count; step++) losses.push(layer.trainStep({ targets, targetRows, learningRate }).loss);
  const weights = ['w_query', 'w_key', 'w_value'].map((name) => Array.from(layer.get(name).data));
  layer.dispose();
  return { losses, weights };
}

test('a task opens its data as a document: first sequence, drawn weights, the mask as it was, step 0', () => {
  const { document, view } = fetch;
  assert.deepEqual([document.example, document.source, document.causal, document.heads], ['fetch', 'trained', true, 1]);
  assert.deepEqual([document.inputs.length, document.inputs[0].length, document.w_query[0].length], [6, 5, 2]);
  assert.deepEqual(view.panels, ['training'], 'the instrument stays open');
  const { step, start, seed, task, curve, best } = trainingOf(fetch);
  assert.deepEqual([task, seed, step, start, curve.points, best], ['fetch', 123, 0, null, [], null]);
  assert.deepEqual([document.w_query, document.w_key, document.w_value].map((rows) => rows.flat()), byHand(0).weights);
  assert.equal(after(toy, taskAction('copy', false)).document.causal, false);
  assert.deepEqual(JSON.parse(JSON.stringify(fetch)), fetch);
});

test('a document says why it cannot be trained', () => {
  assert.equal(obstacleOf(toy.document), 'source');
  assert.equal(obstacleOf(after(fetch, { type: 'no-task' }).document), 'task');
  assert.equal(obstacleOf(after(fetch, { type: 'fault', fault: 'scale_missing', place: 0, mystery: null }).document), 'bug');
  for (const type of /** @type {const} */ (['add-dimension', 'add-output', 'remove-output'])) {
    assert.equal(obstacleOf(after(fetch, { type }).document), 'shape', type);
    assert.equal(obstacleOf(after(fit, { type }).document), null, type);
  }
  assert.equal(obstacleOf(after(fetch, { type: 'add-token' }).document), null, 'the batch keeps its own tokens');
  assert.equal(obstacleOf(fetch.document), null);
});

test('steps from a document are those of a layer trained by hand, bit for bit, however they are cut into bursts', () => {
  const want = byHand(40);
  const atOnce = after(fetch, stepsFrom(fetch, 40));
  let cut = fetch;
  for (const count of [1, 10, 4, 25]) cut = after(cut, stepsFrom(cut, count));
  for (const state of [atOnce, cut]) {
    assert.deepEqual(Object.values(weightsOf(state)).map((rows) => rows.flat()), want.weights);
    assert.equal(trainingOf(state).step, 40);
    assert.deepEqual(trainingOf(state).curve.points.map(({ loss }) => loss), want.losses);
    assert.deepEqual(JSON.parse(JSON.stringify(state)), state);
  }
  assert.deepEqual(cut, atOnce);
});

test('momentum and Adam go on from burst to burst, and start anew where the weights are others', () => {
  for (const optimizer of /** @type {const} */ (['momentum', 'adam'])) {
    const start = after(fetch, { type: 'settings', change: { optimizer, learningRate: 0.05 } });
    let cut = start;
    for (let i = 0; i < 10; i++) cut = after(cut, stepsFrom(cut, 3));
    assert.deepEqual(cut, after(start, stepsFrom(start, 30)), optimizer);
    const edited = after(cut, { type: 'edit', matrix: 'w_query', row: 0, column: 0, value: 1 });
    assert.deepEqual(after(edited, stepsFrom(edited, 5)), after(edited, stepsFrom(after(edited, open), 5)));
  }
});

test('back to step 0 gives the first weights, bit for bit, and the same way again', () => {
  const gone = after(fetch, stepsFrom(fetch, 30));
  const back = after(gone, { type: 'to-start' });
  assert.deepEqual(back.document, fetch.document);
  assert.deepEqual(after(back, stepsFrom(back, 30)).document, gone.document);
  assert.equal(after(fetch, { type: 'to-start' }), fetch, 'at step 0 there is nothing to do');
});

test('undo brings step, curve and weights back together, bit for bit; redo too', () => {
  const gone = after(fetch, stepsFrom(fetch, 25));
  const session = commit(begin(fetch), gone, { id: 'did-train' }, 1);
  assert.deepEqual(undo(session).state.document, fetch.document);
  assert.deepEqual(redo(undo(session)).state.document, gone.document);
});

test('the best state is kept when the loss rises, and one can go back to it', () => {
  const good = after(fetch, stepsFrom(fetch, 50));
  const steep = after(good, { type: 'settings', change: { learningRate: 10 } });
  const bad = after(steep, stepsFrom(steep, 12));
  const { best } = trainingOf(bad);
  assert.ok(best && best.step >= 49);
  const back = after(bad, { type: 'to-best' });
  assert.equal(trainingOf(back).step, best.step);
  assert.ok(trainingOf(back).curve.points.every(({ step }) => step < best.step));
  assert.equal(createBatches(attention).lesson(back.document, null, false)?.loss, best.loss);
  assert.equal(trainingOf(after(bad, { type: 'causal', on: false })).best, null, 'another problem has another best');
});

test('looking, colours, settings and the learning rate move no weight and no step', () => {
  const gone = after(fetch, stepsFrom(fetch, 20));
  /** @type {Action[]} */
  const looks = [
    { type: 'row', row: 2 }, { type: 'digits', digits: 4 }, { type: 'linear', on: true }, { type: 'column-sums', on: true },
    { type: 'scales', scales: { figure: 1, weight: 2, score: 3 } }, { type: 'scales', scales: null },
    { type: 'settings', change: { learningRate: 3, optimizer: 'adam', speed: 25, stopLoss: 0, stopSteps: 100 } },
    { type: 'gradient', cell: { tensor: 'w_key', indices: [0, 0] } }, { type: 'panel', panel: 'training', open: false },
    { type: 'pin-start' },
  ];
  assert.equal(after(gone, ...looks).document, gone.document);
  const same = after(gone, { type: 'settings', change: { learningRate: 3 } }, { type: 'settings', change: { learningRate: 1 } });
  assert.deepEqual(after(same, stepsFrom(same, 5)).document, after(gone, stepsFrom(gone, 5)).document);
});

test('another sequence on the screen changes the inputs alone, and training goes on as before', () => {
  const batches = createBatches(attention);
  const which = { heldOut: true, index: 5 };
  const gone = after(fetch, stepsFrom(fetch, 10));
  const other = after(gone, { type: 'sequence', ...which, inputs: batches.sequence('fetch', which) });
  assert.deepEqual(weightsOf(other), weightsOf(gone));
  assert.deepEqual(weightsOf(after(other, stepsFrom(other, 10))), weightsOf(after(fetch, stepsFrom(fetch, 20))));
  assert.equal(batches.lesson(other.document, null, true)?.edited, false);
  assert.equal(batches.lesson(after(other, { type: 'edit', matrix: 'inputs', row: 0, column: 0, value: 9 }).document, null, true)?.edited, true);
});

test('targets can be edited, keep the size of the result, and are what is learnt', () => {
  const edited = after(fit, { type: 'edit', matrix: 'targets', row: 0, column: 1, value: -1 });
  assert.equal(edited.document.targets?.[0][1], -1);
  const batches = createBatches(attention);
  assert.notEqual(batches.lesson(edited.document, null, false)?.loss, batches.lesson(fit.document, null, false)?.loss);
  const larger = after(edited, { type: 'add-token' }, { type: 'add-output' });
  assert.deepEqual(larger.document.targets?.map((row) => row.length), Array(7).fill(3));
  assert.equal(trainingOf(larger).start, null);
  const gone = after(larger, stepsFrom(larger, 200));
  assert.ok(Number(batches.lesson(gone.document, null, false)?.loss) < Number(batches.lesson(larger.document, null, false)?.loss));
});

test('gradients: zero W_query and W_key have none, nor has a single token; the check agrees', () => {
  const batches = createBatches(attention);
  const zero = after(fetch, { type: 'zero-start' });
  const still = batches.lesson(zero.document, null, true)?.gradients;
  assert.deepEqual([still?.w_query, still?.w_key], [0, 0]);
  assert.ok(Number(still?.w_value) > 0);
  const gone = after(zero, stepsFrom(zero, 50));
  assert.deepEqual([...gone.document.w_query, ...gone.document.w_key].flat().filter((value) => value !== 0), []);
  const one = after(fit, ...Array.from({ length: 5 }, () => /** @type {Action} */ ({ type: 'remove-token', row: 0 })));
  const alone = batches.lesson(one.document, null, true)?.gradients;
  assert.deepEqual([alone?.w_query, alone?.w_key], [0, 0]);
  const check = batches.lesson(fetch.document, { tensor: 'w_value', indices: [3, 1] }, true)?.check;
  assert.ok(check && Math.abs(check.difference) < 1e-5 && check.analytic !== 0);
});

test('a softmax that is saturated is flagged', async () => {
  const runner = createRunner(attention, createBatches(attention));
  const flag = async (/** @type {State} */ state) => derive(state, await runner.run(state)).saturated;
  assert.equal(await flag(fit), false);
  const large = after(fit, ...fit.document.inputs.map((row, i) => /** @type {Action} */ ({
    type: 'edit-row', matrix: 'inputs', row: i, values: row.map((value) => value * 1000),
  })));
  assert.equal(await flag(large), true);
});

test('a curve keeps at most 200 points, at even steps, and shares them with the curve before', () => {
  const points = Array.from({ length: 1500 }, (_, step) => ({ step, loss: 1 / (step + 1), heldOut: null }));
  const whole = recorded({ stride: 1, points: [] }, points);
  assert.deepEqual([whole.stride, whole.points.length], [8, 188]);
  let cut = recorded({ stride: 1, points: [] }, []);
  for (const point of points) cut = recorded(cut, [point]);
  assert.deepEqual(cut, whole);
  assert.equal(whole.points[1], points[8]);
});

test('a smaller rate is smaller, down to the smallest', () => {
  assert.deepEqual([10, 3, 1, 0.05, 0.001].map(smallerRate), [3, 1, 0.3, 0.01, 0.001]);
});

test('playing takes as many steps a frame as asked for; from play to pause it is one step of undo', async () => {
  const { trainer, frames, session, ui, said, go } = await desk(fetch);
  await trainer.play();
  await frames(9);
  assert.equal(ui.playing, true);
  assert.equal(trainingOf(session().state).step, 10);
  assert.deepEqual(said, [], 'nothing is said while it runs');
  trainer.pause();
  assert.deepEqual([ui.playing, said.length], [false, 1]);
  assert.match(said[0], /^Step 10, loss 0\.\d+\.$/);
  await frames(5);
  assert.equal(trainingOf(session().state).step, 10, 'a frame that comes late does nothing');
  assert.equal(session().past.length, 1);
  await trainer.steps(10);
  assert.deepEqual([trainingOf(session().state).step, session().past.length], [20, 2]);
  go(undo);
  go(undo);
  assert.deepEqual(session().state.document, fetch.document);
});

test('steps end with the frame’s budget, after at least one', async () => {
  const fast = after(fetch, { type: 'settings', change: { speed: 100 } });
  const slow = await desk(fast, { costs: 20 });
  await slow.trainer.play();
  assert.equal(trainingOf(slow.session().state).step, 1);
  const quick = await desk(fast, { costs: 0.5 });
  await quick.trainer.play();
  assert.equal(trainingOf(quick.session().state).step, 16, '8 ms');
});

test('a slow screen gets the steps of the frames that it missed, within the same budget', async () => {
  for (const [frame, steps] of [[16, 1], [50, 3], [1000, 8]]) {
    const { trainer, frames, session } = await desk(fetch, { frame });
    await trainer.play();
    await frames(4);
    assert.equal(trainingOf(session().state).step, 1 + 4 * steps, `${frame} ms`);
  }
});

test('with reduced motion the page moves twice a second, by more steps', async () => {
  const { trainer, session, waiting } = await desk(fetch, { still: true });
  await trainer.play();
  assert.deepEqual([trainingOf(session().state).step, waiting.map(({ when }) => when)], [30, ['later']]);
});

test('training pauses below the loss that was set, after so many steps, and goes on when asked', async () => {
  const limited = after(fetch, { type: 'settings', change: { stopLoss: 0.05, stopSteps: 300 } });
  const { trainer, frames, session, ui, said } = await desk(limited);
  await trainer.play();
  await frames(1000);
  assert.deepEqual([ui.playing, ui.stopped?.why], [false, 'loss']);
  assert.match(said[0], /^Paused at step \d+: the loss is 0\.0[45]\d*, below the limit/);
  const { step } = trainingOf(session().state);
  await trainer.play();
  await frames(1000);
  assert.equal(ui.stopped?.why, 'steps');
  assert.equal(trainingOf(session().state).step, step + 300);
});

test('divergence pauses at the last finite state, says why, and undo takes the run back', async () => {
  const steep = after(fetch, { type: 'settings', change: { learningRate: 10 } });
  const { trainer, frames, session, ui, said, go, loop } = await desk(steep);
  await trainer.play();
  await frames(200);
  assert.deepEqual([ui.playing, ui.stopped], [false, { why: 'diverged', rate: 10, steps: trainingOf(session().state).step }]);
  assert.match(said[0], /^Diverged at learning rate 10: /);
  const { document } = session().state;
  assert.ok(trainingOf(session().state).step > 3);
  for (const rows of Object.values(weightsOf(session().state))) assert.ok(rows.flat().every(Number.isFinite));
  assert.ok(Number.isFinite(loop.derived().computed.lesson?.loss));
  await trainer.steps(1);
  assert.equal(session().state.document, document, 'the next step is refused again');
  go(undo);
  assert.deepEqual(session().state.document, fetch.document);
});

test('a gradient that overflows before any step is told as such: no rate would help, and there is no run to undo', async () => {
  const { inputs } = fit.document;
  const large = after(fit, { type: 'edit-row', matrix: 'inputs', row: 0, values: inputs[0].map(() => 1000) },
    { type: 'edit-row', matrix: 'targets', row: 0, values: [3e38, 3e38] });
  const { trainer, session, ui, said } = await desk(large);
  await trainer.play();
  assert.deepEqual([ui.playing, ui.stopped], [false, { why: 'gradient', rate: 1, steps: 0 }]);
  assert.match(said[0], /^No step can be taken, whatever the learning rate: the gradient is too large/);
  assert.deepEqual([session().state.document.w_query, session().past.length], [large.document.w_query, 0]);
});

test('a step button takes as many steps as it names, whatever limits are set for play', async () => {
  const limited = after(fetch, { type: 'settings', change: { stopLoss: 0.12, stopSteps: 3 } });
  const { trainer, session, ui } = await desk(limited);
  await trainer.steps(10);
  assert.deepEqual([trainingOf(session().state).step, ui.stopped], [10, null]);
});

test('training pauses when weights are changed by other hands, when it is folded away, and refuses under a bug', async () => {
  const { trainer, frames, session, ui, said, loop } = await desk(fetch);
  await trainer.play();
  await loop.dispatch({ type: 'row', row: 1 });
  await loop.dispatch({ type: 'causal', on: false });
  await frames(1);
  assert.deepEqual([ui.playing, trainingOf(session().state).step], [true, 2], 'looking and settings do not stop it');
  await loop.dispatch({ type: 'edit', matrix: 'w_query', row: 0, column: 0, value: 1 });
  await frames(1);
  assert.deepEqual([ui.playing, ui.stopped?.why], [false, 'changed']);
  assert.match(said[0], /^Paused, for you changed the weights .*by an edit, Undo or Redo\. Step 2, loss /);
  await trainer.play();
  await loop.dispatch({ type: 'panel', panel: 'training', open: false });
  await frames(1);
  assert.equal(ui.playing, false);
  await loop.dispatch({ type: 'panel', panel: 'training', open: true });
  await loop.dispatch({ type: 'fault', fault: 'scale_missing', place: 0, mystery: null });
  const { document } = session().state;
  await trainer.play();
  await trainer.steps(10);
  assert.deepEqual([ui.playing, session().state.document], [false, document]);
});

test('colours keep their limits from the first step until they are asked to follow again', async () => {
  const { trainer, loop } = await desk(fetch);
  const { weightLimit, figureLimit } = loop.derived();
  await trainer.steps(10);
  assert.deepEqual([loop.derived().figureLimit, loop.derived().weightLimit], [figureLimit, weightLimit * 6]);
  await loop.dispatch({ type: 'scales', scales: null });
  assert.ok(loop.derived().weightLimit < weightLimit * 6);
});

test('comparing with step 0 pins the document with the weights of step 0', () => {
  const gone = after(fetch, stepsFrom(fetch, 10), { type: 'pin-start' });
  assert.deepEqual(weightsOf({ ...gone, document: /** @type {State['document']} */ (gone.view.pinned) }), weightsOf(fetch));
});

test('the floor is computed in slices and told when it is known', async () => {
  const batches = createBatches(attention);
  const floor = await new Promise((found) => {
    const paint = () => found(batches.floor(fetch, paint));
    assert.equal(batches.floor(fetch, paint), null);
  });
  assert.ok(Math.abs(floor - 0.0347) < 1e-4, `${floor}`);
  assert.equal(batches.floor(toy, () => {}), null);
});

test('a floor that outgrows float32 is none, and is painted as such', async () => {
  const batches = createBatches(attention);
  const large = after(fit, { type: 'edit', matrix: 'targets', row: 0, column: 0, value: 3e38 });
  const floor = await new Promise((found) => {
    const paint = () => found(batches.floor(large, paint));
    assert.equal(batches.floor(large, paint), null);
  });
  assert.equal(floor, 'none');
});
