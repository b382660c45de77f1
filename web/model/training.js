/**
 * What training adds to a document: the task, the step, the way that the loss went, the best state so far; and the
 * changes that a task or a burst of steps makes. Pure: no gradient is taken and no number drawn here.
 * Next to read: tasks.js (what there is to learn), ../app/trainer.js (who takes the steps).
 */

import { classAnew } from './classroom.js';
import { FEATURES, RECIPE } from './tasks.js';
import { sizesOf, stateOfExample } from './state.js';

/**
 * @typedef {import('./state.js').Doc} Doc
 * @typedef {import('./state.js').State} State
 * @typedef {import('./state.js').Training} Training
 * @typedef {import('./state.js').Weights} Weights
 * @typedef {import('./state.js').Curve} Curve
 * @typedef {import('./state.js').Best} Best
 * @typedef {import('./update.js').Message} Message
 * @typedef {import('./state.js').Point} Point
 *
 * @typedef {{ type: 'task', start: import('../content/tasks.js').TaskStart, inputs: number[][], causal: boolean,
 *     seed: number, weights: Drawn }
 *   | { type: 'fit', targets: number[][] }
 *   | { type: 'no-task' }
 *   | { type: 'sequence', heldOut: boolean, index: number, inputs: number[][] }
 *   | { type: 'draw', seed: number, weights: Drawn }
 *   | { type: 'trained', steps: number, points: Point[], best: Best | null, weights: Weights }
 *   | { type: 'to-start' | 'to-best' | 'zero-start' }} TrainingAction
 *   'task' opens the data of a task as a new document; 'fit' gives the present one targets; 'trained' is the outcome
 *   of some steps
 * @typedef {import('./state.js').Drawn} Drawn
 */

/** Points that a curve keeps at most: then every second one goes, so that undo does not fill the memory. */
export const MAX_POINTS = 200;

/** @type {Curve} */
const NO_CURVE = Object.freeze({ stride: 1, points: [] });

/** What training begins with. @param {Pick<Training, 'task' | 'seed'>} what @returns {Training} */
const begun = ({ task, seed }) => ({
  task, seed, sequence: { heldOut: false, index: 0 }, step: 0, start: null, curve: NO_CURVE, best: null,
});

/** What trains. @param {Weights} from @returns {Weights} */
export function weightsOf({ w_query, w_key, w_value, w_out }) {
  return { w_query, w_key, w_value, w_out };
}

/**
 * Why a document cannot be trained as it is: its weights are not trainable, nothing is to be learnt, a bug is planted,
 * or its matrices no longer fit the task. Null if it can.
 * @param {Doc} doc @returns {'source' | 'task' | 'bug' | 'shape' | null}
 */
export function obstacleOf(doc) {
  if (doc.source !== 'trained') return 'source';
  if (!doc.training) return 'task';
  if (doc.fault !== 'none') return 'bug';
  if (doc.training.task === 'fit') return null;
  const { dIn, dOut } = sizesOf(doc);
  return dIn === FEATURES[doc.training.task].length && dOut === RECIPE.dOut ? null : 'shape';
}

/**
 * @param {State} state @param {TrainingAction} action
 * @returns {{ state: State, label: Message } | null}  null if the action leaves all as it is
 */
export function train(state, action) {
  const doc = state.document;
  /** @param {Doc} document @param {Message} label @param {Partial<State['view']>} [view] */
  const to = (document, label, view) => ({ state: { ...state, document, view: { ...state.view, ...view } }, label });
  if (action.type === 'task') return opened(state, action);
  if (action.type === 'fit') {
    return to({ ...doc, targets: action.targets, training: begun({ task: 'fit', seed: null }) }, { id: 'did-task' });
  }
  const { training } = doc;
  if (!training) return null;
  switch (action.type) {
    case 'no-task':
      return to({ ...doc, targets: null, training: null }, { id: 'did-no-task' }, { gradient: null, scales: null });
    case 'sequence': {
      const { heldOut, index, inputs } = action;
      return to({ ...doc, inputs, training: { ...training, sequence: { heldOut, index } } }, { id: 'did-sequence' });
    }
    case 'draw':
      return to({ ...doc, ...action.weights, training: again(training, action.seed) }, { id: 'did-draw' }, { scales: null });
    case 'trained':
      return to(trained(doc, training, action), { id: 'did-train' });
    case 'to-start':
      return training.start && to({ ...doc, ...training.start, training: again(training, training.seed) }, { id: 'did-start' });
    case 'to-best':
      return training.best && to({ ...doc, ...weightsOf(training.best), training: until(training, training.best.step) },
        { id: 'did-best' });
    case 'zero-start': {
      const zeros = (/** @type {number[][]} */ rows) => rows.map((row) => row.map(() => 0));
      const weights = { w_query: zeros(doc.w_query), w_key: zeros(doc.w_key) };
      return to({ ...doc, ...weights, training: again(training, training.seed) }, { id: 'did-zero' });
    }
  }
}

/** The document of a task; instruments stay open, what was pinned stays pinned. @param {State} state
 * @param {Extract<TrainingAction, { type: 'task' }>} action */
function opened(state, { start, inputs, causal, seed, weights }) {
  const { panels, pinned, tolerance, digits, present } = state.view;
  const example = {
    ...start, chapter: null, inputs, given: null, dOut: RECIPE.dOut, causal, heads: 1, project: false,
    draw: { scheme: /** @type {const} */ ('torch.rand'), seed },
    source: /** @type {const} */ ('trained'), scale: /** @type {const} */ ('sqrt_head_dim'),
  };
  const { document, view, version } = stateOfExample(example, weights);
  return {
    state: {
      version,
      document: { ...document, training: begun({ task: start.id, seed }) },
      view: { ...view, panels, pinned, tolerance, digits, present, classroom: classAnew(state.view.classroom) },
    },
    label: { id: 'did-task' },
  };
}

/** Step 0 once more. @param {Training} training @param {number | null} seed @returns {Training} */
function again(training, seed) {
  return { ...begun({ task: training.task, seed }), sequence: training.sequence };
}

/**
 * A document after some steps.
 * @param {Doc} doc @param {Training} training @param {Extract<TrainingAction, { type: 'trained' }>} burst @returns {Doc}
 */
function trained(doc, training, { steps, points, best, weights }) {
  return {
    ...doc,
    ...weights,
    training: {
      ...training, step: training.step + steps, start: training.start ?? weightsOf(doc),
      curve: recorded(training.curve, points), best,
    },
  };
}

/** Back to an earlier step of the same way. @param {Training} training @param {number} step @returns {Training} */
function until(training, step) {
  const points = training.curve.points.filter((point) => point.step < step);
  return { ...training, step, curve: { ...training.curve, points } };
}

/**
 * A curve with more points: those at multiples of its stride, which doubles when there are too many. Points are shared
 * with the curve before.
 * @param {Curve} curve @param {Point[]} points @returns {Curve}
 */
export function recorded(curve, points) {
  let { stride } = curve;
  let kept = [...curve.points, ...points.filter(({ step }) => step % stride === 0)];
  while (kept.length > MAX_POINTS) {
    stride *= 2;
    kept = kept.filter(({ step }) => step % stride === 0);
  }
  return { stride, points: kept };
}

/**
 * A document after a change by hand: weights of another shape begin at step 0; the best state is one of the same
 * problem; targets keep the size of the result.
 * @param {Doc} from @param {Doc} doc @returns {Doc}
 */
export function afterEdit(from, doc) {
  const { training } = doc;
  if (!training) return doc;
  const [was, is] = [sizesOf(from), sizesOf(doc)];
  if (was.dIn !== is.dIn || was.dOut !== is.dOut) return { ...doc, targets: resized(doc), training: again(training, null) };
  /** @type {(keyof Doc)[]} */
  const problem = ['causal', 'scale', 'heads', 'project', ...(training.task === 'fit' ? /** @type {const} */ (['inputs', 'targets']) : [])];
  const same = problem.every((name) => from[name] === doc[name]);
  return { ...doc, targets: resized(doc), training: same ? training : { ...training, best: null } };
}

/** Targets of the size of the result; new ones are 0. @param {Doc} doc @returns {number[][] | null} */
function resized({ targets, inputs, w_query }) {
  const width = w_query[0].length;
  if (!targets || (targets.length === inputs.length && targets[0].length === width)) return targets;
  return inputs.map((_, row) => w_query[0].map((__, column) => targets[row]?.[column] ?? 0));
}

/** The learning rates that can be chosen. */
export const RATES = [0.001, 0.01, 0.05, 0.1, 0.3, 1, 3, 10];

/** A rate to try when one was too large. @param {number} rate */
export function smallerRate(rate) {
  return RATES.filter((other) => other <= rate / 3).pop() ?? RATES[0];
}

/** The rate that an optimiser usually goes well with. @type {Record<import('./state.js').Settings['optimizer'], number>} */
export const USUAL_RATES = { sgd: RECIPE.learningRate, momentum: 0.1, adam: 0.05 };

/** What momentum keeps of the steps before. */
export const MOMENTUM = 0.9;
