// Paintings of training in every condition that it knows: for scenes.js. Read next: scenes.js, training-page.test.js.

import { taskStarts } from '../../web/content/tasks.js';
import { batches, frameOf } from './frames.js';

/**
 * @typedef {import('../../web/model/state.js').State} State
 * @typedef {import('../../web/model/update.js').Action} Action
 * @typedef {Parameters<typeof frameOf>[1]} Changes
 */

/** What opens the data of a task. @param {'fetch' | 'copy'} id @param {boolean} causal @param {number} [seed] @returns {Action} */
export function taskAction(id, causal, seed = 123) {
  const start = taskStarts.find((candidate) => candidate.id === id);
  if (!start) throw new Error(`no task "${id}"`);
  const inputs = batches.sequence(id, { heldOut: false, index: 0 });
  return { type: 'task', start, inputs, causal, seed, weights: batches.draw(id, seed) };
}

/** Some steps from a state, as an action. @param {State} state @param {number} count @returns {Action} */
export function stepsFrom({ document, view }, count) {
  const { failed, ...outcome } = batches.burst(document, view.settings, (steps) => steps < count);
  return { type: 'trained', ...outcome };
}

/** Targets that differ from row to row. @param {State} state @returns {Action} */
export const fitAction = ({ document }) => ({ type: 'fit', targets: document.inputs.map((row) => row.slice(0, 2)) });

/**
 * @param {{ toy: State, causal: State, after: (state: State, ...actions: Action[]) => State }} states
 * @returns {[string, State, Changes?][]}
 */
export function trainingConditions({ toy, causal, after }) {
  const open = /** @type {Action} */ ({ type: 'panel', panel: 'training', open: true });
  const fetch = after(toy, open, taskAction('fetch', true));
  const copy = after(toy, open, taskAction('copy', false));
  const fit = after(causal, open, fitAction(causal));
  const trained = after(fetch, stepsFrom(fetch, 30));
  const risen = after(trained, { type: 'edit', matrix: 'w_value', row: 0, column: 0, value: 5 });
  const zero = after(fetch, { type: 'zero-start' });
  const one = after(fit, ...Array.from({ length: 5 }, () => /** @type {Action} */ ({ type: 'remove-token', row: 0 })));
  const huge = after(fit, ...fit.document.inputs.map((row, i) => /** @type {Action} */ ({
    type: 'edit-row', matrix: 'inputs', row: i, values: row.map((value) => value * 1e6),
  })));
  const place = { grid: 'w_query', row: 1, column: 1 };
  const heldOut = { heldOut: true, index: 3 };
  /** @type {[string, State, Changes?][]} */
  const stops = (/** @type {const} */ (['loss', 'steps', 'hidden', 'changed', 'diverged'])).map((why) =>
    [`training stopped: ${why}`, trained, { ui: { stopped: { why, rate: 1, steps: 30 }, floor: 0.03 } }]);
  return [
    ...stops,
    ['training stopped: gradient, no step', fetch, { ui: { stopped: { why: 'gradient', rate: 1, steps: 0 } } }],
    ['training, given weights', after(toy, open)],
    ['training, nothing to learn', after(causal, open)],
    ['training, fetch', fetch],
    ['training, playing', trained, { ui: { playing: true, floor: 0.0347 } }],
    ['training, no floor', fit, { ui: { floor: 'none' } }],
    ['training, copy', copy, { ui: { floor: 0.05 } }],
    ['training, copy, held out', after(copy, { type: 'sequence', ...heldOut, inputs: batches.sequence('copy', heldOut) })],
    ['training, fit', fit, { ui: { focus: { grid: 'targets', row: 1, column: 0 } } }],
    ['training, an input edited', after(fetch, { type: 'edit', matrix: 'inputs', row: 0, column: 0, value: 2 })],
    ['training, a bug planted', after(fetch, { type: 'fault', fault: 'scale_missing', place: 0, mystery: null })],
    ['training, another shape', after(fetch, { type: 'add-output' })],
    ['training, the loss has risen', risen],
    ['training, pinned scales', after(trained, { type: 'scales', scales: { figure: 1, weight: 3, score: 2 } })],
    ['training, other settings', after(fetch, { type: 'settings', change: { optimizer: 'adam', learningRate: 0.02, stopLoss: 0 } })],
    ['training, zero', zero],
    ['training, one token', one],
    ['training, saturated', huge],
    ['training, compared with step 0', after(trained, { type: 'pin-start' }, { type: 'panel', panel: 'compare', open: true })],
    ['training, a gradient', after(fetch, { type: 'gradient', cell: { tensor: 'w_key', indices: [2, 1] } }), { ui: { focus: place } }],
  ];
}
