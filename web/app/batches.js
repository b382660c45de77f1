/**
 * Batches of sequences in the module: the task of a document, its loss, its gradients, a burst of steps. Keeps a layer
 * for the sequences to learn from and one for those held out, while shapes stay; an optimiser's memory lives in the
 * first and goes on as long as the document's weights are those of its last step. Knows no time and paints nothing.
 * Next to read: trainer.js, which says how many steps; ../engine/training.js.
 */

import { AttnError } from '../engine/attention.js';
import { uniformFloorSteps } from '../engine/floor.js';
import { rowsOf } from '../model/derive.js';
import { sizesOf } from '../model/state.js';
import { COPY_NUMBERS, FEATURES, FETCH_NUMBERS, RECIPE, SEEDS, copyTask, fetchTask, fitTask } from '../model/tasks.js';
import { MOMENTUM, obstacleOf, weightsOf } from '../model/training.js';
import { inSlices } from './slices.js';

/**
 * @typedef {import('../engine/attention.js').Attention} Attention
 * @typedef {import('../engine/layer.js').Layer} Layer
 * @typedef {import('../model/state.js').Doc} Doc
 * @typedef {import('../model/state.js').Weights} Weights
 * @typedef {import('../model/state.js').Settings} Settings
 * @typedef {import('../model/tasks.js').Task} Task
 * @typedef {import('../model/derive.js').Lesson} Lesson
 * @typedef {{ targets: Float32Array, targetRows: number[] }} Goal
 * @typedef {{ heldOut: boolean, index: number }} Sequence
 *
 * @typedef {object} Slot  a layer and what was last written into it, compared by identity
 * @property {Layer | null} layer
 * @property {string} shape
 * @property {string} settings
 * @property {Record<string, unknown>} holds
 *
 * @typedef {object} Burst  what came of some steps
 * @property {number} steps
 * @property {import('../model/state.js').Point[]} points
 * @property {import('../model/state.js').Best | null} best
 * @property {Weights} weights
 * @property {'step' | 'gradient' | null} failed  why there were no more steps: the next one would have led to a number that is
 *   not finite, or its gradient was none
 *
 * @typedef {ReturnType<typeof createBatches>} Batches
 */

const PARAMETERS = /** @type {const} */ (['w_query', 'w_key', 'w_value', 'w_out']);

/** What the module says where numbers have outgrown float32, or a check's step no longer moves them. */
const NOT_FINITE = ['tensor_not_finite', 'number_not_finite'];

/** Floors that are remembered; those of edited targets come and go. */
const MAX_FLOORS = 30;

/** @param {Attention} attention */
export function createBatches(attention) {
  /** Made when they are first asked for. @type {Map<'fetch' | 'copy', { learn: Task, heldOut: Task }>} */
  const tasks = new Map();
  /** @type {WeakMap<Task, Goal>} */
  const goals = new WeakMap();
  /** The last task to fit, so that one document has one. @type {Task | null} */
  let fitted = null;
  /** @type {Map<string, import('../view/frame.js').Ui['floor']>} */
  const floors = new Map();
  const [learning, examining] = [emptySlot(), emptySlot()];

  /** The sequences of a task that is made here. @param {'fetch' | 'copy'} id */
  function made(id) {
    const known = tasks.get(id) ?? (id === 'fetch' ? both(fetchTask, FETCH_NUMBERS) : both(copyTask, COPY_NUMBERS));
    tasks.set(id, known);
    return known;
  }

  /** @param {(random: Float32Array) => Task} make @param {number} count */
  function both(make, count) {
    return { learn: make(attention.random(SEEDS.learn, count)), heldOut: make(attention.random(SEEDS.heldOut, count)) };
  }

  /** The sequences of a document's task; those to fit are none but its own. @param {Doc} doc @returns {{ learn: Task, heldOut: Task | null }} */
  function tasksOf({ training, inputs, targets }) {
    if (training && training.task !== 'fit') return made(training.task);
    if (!targets) throw new Error('nothing is to be learnt');
    if (fitted?.inputs[0] !== inputs || fitted.targets[0] !== targets) fitted = fitTask(inputs, targets);
    return { learn: fitted, heldOut: null };
  }

  /** @param {Task} task @returns {Goal} */
  function goalOf(task) {
    const known = goals.get(task);
    if (known) return known;
    const goal = { targets: Float32Array.from(task.targets.flat(2)), targetRows: task.targetRows };
    goals.set(task, goal);
    return goal;
  }

  /** A layer for a task with a document's weights and settings. @param {Slot} slot @param {Doc} doc @param {Task} task */
  function ready(slot, doc, task) {
    const { dIn, dOut, heads } = sizesOf(doc);
    const shape = { nBatch: task.inputs.length, nTokens: task.inputs[0].length, dIn, dOut, nHeads: heads, outputProjection: doc.project };
    const settings = { scale: doc.scale, causal: doc.causal };
    if (slot.layer === null || slot.shape !== JSON.stringify(shape)) {
      slot.layer?.dispose();
      Object.assign(slot, emptySlot());
      slot.layer = attention.createLayer({ ...shape, ...settings });
      slot.shape = JSON.stringify(shape);
    } else if (slot.settings !== JSON.stringify(settings)) {
      slot.layer.configure(settings);
    }
    slot.settings = JSON.stringify(settings);
    const { layer } = slot;
    if (slot.holds.inputs !== task.inputs) layer.set('inputs', task.inputs);
    slot.holds.inputs = task.inputs;
    let other = false;
    for (const name of parametersOf(doc)) {
      if (slot.holds[name] === doc[name]) continue;
      layer.set(name, doc[name]);
      slot.holds[name] = doc[name];
      other = true;
    }
    if (other) layer.resetOptimizer();
    return layer;
  }

  /** Loss of held-out sequences, of whatever weights a document has. @param {Doc} doc @param {Task | null} task */
  const heldOutLoss = (doc, task) => (task ? finite(() => ready(examining, doc, task).loss(goalOf(task))) : null);

  return {
    /** The inputs of one sequence. @param {'fetch' | 'copy'} id @param {Sequence} which */
    sequence: (id, { heldOut, index }) => made(id)[heldOut ? 'heldOut' : 'learn'].inputs[index],

    /** Weights for a task, drawn by the module. @param {'fetch' | 'copy'} id @param {number} seed */
    draw(id, seed) {
      const layer = attention.createLayer({ nTokens: 1, dIn: FEATURES[id].length, dOut: RECIPE.dOut })
        .init('uniform', seed, RECIPE.bound);
      const [w_query, w_key, w_value] = PARAMETERS.slice(0, 3).map((name) => rowsOf(layer.get(name)));
      layer.dispose();
      return { w_query, w_key, w_value };
    },

    /**
     * What there is to say of a document's training; null if there is nothing to train on.
     * @param {Doc} doc @param {import('../model/state.js').Cell | null} cell whose gradient is asked for
     * @param {boolean} whole whether gradients too
     * @returns {Lesson | null}
     */
    lesson(doc, cell, whole) {
      const { training } = doc;
      const obstacle = obstacleOf(doc);
      if (!training || obstacle === 'source' || obstacle === 'shape') return null;
      const { learn, heldOut } = tasksOf(doc);
      const shown = training.sequence.heldOut && heldOut ? heldOut : learn;
      const layer = ready(learning, doc, learn);
      const goal = goalOf(learn);
      const loss = finite(() => layer.loss(goal));
      const differentiable = whole && loss !== null;
      const place = cell ?? { tensor: 'w_query', indices: [0, 0] };
      const check = differentiable ? finite(() => layer.gradientCheck(place.tensor, place.indices, goal)) : null;
      return {
        task: shown,
        sequences: learn.inputs.length,
        loss,
        heldOut: heldOutLoss(doc, heldOut),
        // The check leaves the gradients of the loss behind.
        gradients: check && Object.fromEntries(parametersOf(doc).map((name) => [name, largest(layer.get(`d_${name}`).data)])),
        check: cell ? check : null,
        edited: shown.inputs[training.sequence.index] !== doc.inputs
          && JSON.stringify(shown.inputs[training.sequence.index]) !== JSON.stringify(doc.inputs),
      };
    },

    /**
     * Take steps from a document's weights, at least one, as long as `more` says.
     * @param {Doc} doc @param {Settings} settings @param {(steps: number, loss: number) => boolean} more
     * @returns {Burst}
     */
    burst(doc, { optimizer, learningRate }, more) {
      const { training } = doc;
      if (!training) throw new Error('nothing is to be learnt');
      const { learn, heldOut } = tasksOf(doc);
      const layer = ready(learning, doc, learn);
      const goal = goalOf(learn);
      const step = {
        ...goal, learningRate, optimizer: optimizer === 'adam' ? /** @type {const} */ ('adam') : /** @type {const} */ ('sgd'),
        ...(optimizer === 'momentum' ? { momentum: MOMENTUM } : {}),
      };
      const read = () => /** @type {Weights} */ ({
        w_out: doc.w_out, ...Object.fromEntries(parametersOf(doc).map((name) => [name, rowsOf(layer.get(name))])),
      });
      /** @type {Burst['points']} */
      const points = [];
      let { best } = training;
      let steps = 0;
      /** @type {Burst['failed']} */
      let failed = null;
      try {
        do {
          const at = training.step + steps;
          if (at % training.curve.stride === 0) {
            const [weights, loss] = [steps === 0 ? doc : read(), layer.loss(goal)];
            points.push({ step: at, loss, heldOut: heldOutLoss({ ...doc, ...weights }, heldOut) });
            if (!best || loss < best.loss) best = { ...weightsOf(weights), step: at, loss };
          }
          layer.trainStep(step);
          steps += 1;
        } while (more(steps, layer.loss(goal)));
      } catch (error) {
        if (!(error instanceof AttnError) || !['diverged', ...NOT_FINITE].includes(error.code)) throw error;
        failed = String(error.context.tensor ?? '').startsWith('d_') ? 'gradient' : 'step';
      }
      const weights = steps === 0 ? weightsOf(doc) : read();
      // What the layer now holds are these weights: the next burst goes on from them, with the optimiser's memory.
      for (const name of parametersOf(doc)) learning.holds[name] = weights[name];
      return { steps, points, best, weights, failed };
    },

    /**
     * The best loss with uniform attention, as far as it is known; else it is set going, and painted when it is found.
     * @param {import('../model/state.js').State} state @param {() => void} paint @returns {import('../view/frame.js').Ui['floor']}
     */
    floor({ document: doc, view }, paint) {
      const obstacle = obstacleOf(doc);
      if (!view.panels.includes('training') || (obstacle !== null && obstacle !== 'bug')) return null;
      const { learn } = tasksOf(doc);
      const { id, inputs } = learn;
      const key = JSON.stringify([id, doc.causal, ...(id === 'fit' ? [inputs, learn.targets] : [])]);
      const known = floors.get(key);
      if (known !== undefined) return known;
      if (floors.size >= MAX_FLOORS) floors.clear();
      floors.set(key, null);
      const { dIn, dOut } = sizesOf(doc);
      const layer = { nBatch: inputs.length, nTokens: inputs[0].length, dIn, dOut, causal: doc.causal };
      const work = uniformFloorSteps(attention.createLayer, { layer, inputs, ...goalOf(learn) });
      const found = inSlices(work).catch((error) => {
        if (error instanceof AttnError) return /** @type {const} */ ('none');
        throw error;
      });
      void found.then((floor) => {
        if (floor !== undefined) floors.set(key, floor);
        paint();
      });
      return null;
    },
  };
}

/** @returns {Slot} */
function emptySlot() {
  return { layer: null, shape: '', settings: '', holds: {} };
}

/** The parameters that a document has in force. @param {Doc} doc */
function parametersOf({ project }) {
  return PARAMETERS.slice(0, project ? 4 : 3);
}

/** @param {Float32Array} numbers */
function largest(numbers) {
  return numbers.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}

/** What is computed, or null if it outgrows float32. @template T @param {() => T} compute @returns {T | null} */
function finite(compute) {
  try {
    return compute();
  } catch (error) {
    if (error instanceof AttnError && NOT_FINITE.includes(error.code)) return null;
    throw error;
  }
}
