// Gradients and learning, as plain functions: layer.js's methods of the same names are their public face and
// documentation. All numbers are the core's. Read next: src/train.c, src/backward.c.

import { elementOf } from './axes.js';
import { AttnError, errorFor, list, show } from './errors.js';
import { finite, floatsAsTheyAre, integer, isList, readNumbers } from './numbers.js';
import { readObject } from './options.js';

/**
 * @typedef {import('./handle.js').Handle} Handle
 *
 * @typedef {object} Goal what the result should be
 * @property {unknown} targets nested rows or a flat array, of the shape of outputs (of context_vecs where there is no
 *   output projection): [n_batch][n_tokens][width]; leading dimensions of size 1 may be left out
 * @property {readonly number[]} [targetRows] the tokens, from 0, whose rows count, in every sequence (default all)
 *
 * @typedef {object} StepOptions
 * @property {'sgd' | 'adam'} [optimizer] plain or with momentum (default); Adam with PyTorch's defaults
 * @property {number} learningRate 0 or more
 * @property {number} [momentum] with 'sgd' only: from 0 (default) to less than 1
 *
 * @typedef {{ loss: number, gradientNorm: number }} Step both of before the step
 * @typedef {{ analytic: number, numerical: number, difference: number }} GradientCheck
 */

const GOAL = ['targets', 'targetRows'];
const STEP = [...GOAL, 'optimizer', 'learningRate', 'momentum'];

/**
 * The tensor that a target or an incoming gradient is about, as something to be filled.
 * @param {Handle} handle
 * @param {string} what how sentences call it
 */
function resultLike(handle, what) {
  const tensor = handle.core.exports.attn_result_tensor(handle.pointer);
  return { tensor, name: what, dims: handle.dims(tensor), axes: handle.axes(handle.core.tensors[tensor]) };
}

/** @param {unknown} given @param {number} nTokens */
function checkRows(given, nTokens) {
  if (given === undefined) return;
  if (!isList(given)) {
    throw new AttnError('wrong_type', `targetRows must be an array of tokens, got ${show(given)}`);
  }
  for (let i = 0; i < given.length; i++) {
    if (Number.isInteger(given[i]) && given[i] >= 0 && given[i] < nTokens) continue;
    const name = `targetRows[${i}]`;
    throw errorFor('index_out_of_range', { indices: [{ name, value: integer(given[i], name), count: nTokens }] });
  }
}

/** Gradients have a place, and so have targets. @param {Handle} handle @param {string} method for whom */
function needGradients(handle, method) {
  const c = handle.exports(method);
  if (!handle.shape.keepGradients) throw errorFor('not_kept', { ...handle.shape, asked: `${method}()`, gradients: true });
  return c;
}

/**
 * Check a goal, then write it where the core looks for it. Floats for rows that all count are not looked at here: the
 * core finds what is not finite, and judge() says where.
 * @param {Handle} handle
 * @param {Record<string, unknown>} options
 */
function setGoal(handle, { targets, targetRows }) {
  const { nTokens } = handle.shape;
  const c = handle.core.exports;
  const size = c.attn_tensor_size(handle.pointer, c.attn_result_tensor(handle.pointer));
  const numbers = (targetRows === undefined ? floatsAsTheyAre(targets, size) : undefined) ??
    readNumbers(resultLike(handle, 'targets'), targets);
  checkRows(targetRows, nTokens);
  handle.core.floats(c.attn_targets(handle.pointer), size).set(numbers);
  const counts = handle.core.integers(c.attn_target_rows(handle.pointer), nTokens);
  const others = targetRows === undefined ? 1 : 0;
  for (let i = 0; i < nTokens; i++) counts[i] = others; // for so few, fill() takes longer
  if (targetRows !== undefined) for (const row of /** @type {readonly number[]} */ (targetRows)) counts[row] = 1;
}

/**
 * Throw what a status stands for, if not a target is at fault.
 * @param {Handle} handle @param {number} status @param {unknown} targets @param {Record<string, unknown>} [context]
 */
function judge(handle, status, targets, context) {
  if (status === 0) return;
  readNumbers(resultLike(handle, 'targets'), targets);
  handle.check(status, context);
}

/** @param {Handle} handle @param {unknown} dResult */
export function backward(handle, dResult) {
  const c = needGradients(handle, 'backward');
  const to = resultLike(handle, 'dOutputs');
  const result = handle.core.tensors[to.tensor];
  if (c.attn_tensor_is_stale(handle.pointer, to.tensor)) throw errorFor('stale', { tensor: result });
  const numbers = readNumbers(to, dResult);
  handle.view(c.attn_tensor_gradient(to.tensor), numbers.length).set(numbers);
  handle.check(c.attn_backward(handle.pointer), { method: 'backward', tensor: result });
}

/** @param {Handle} handle @param {unknown} given @returns {number} */
export function loss(handle, given) {
  const c = needGradients(handle, 'loss');
  const goal = readObject(given, GOAL, 'loss');
  setGoal(handle, goal);
  if (c.attn_tensor_is_stale(handle.pointer, c.attn_result_tensor(handle.pointer))) {
    handle.check(c.attn_forward(handle.pointer));
  }
  judge(handle, c.attn_measure_loss(handle.pointer), goal.targets);
  return c.attn_loss(handle.pointer);
}

/** @param {Handle} handle @param {unknown} given @returns {Step} */
export function trainStep(handle, given) {
  const c = needGradients(handle, 'trainStep');
  const options = readObject(given, STEP, 'trainStep');
  const { optimizer = 'sgd', momentum = 0 } = options;
  const index = handle.core.optimizers.indexOf(/** @type {string} */ (optimizer));
  if (index < 0) {
    throw new AttnError('unknown_choice',
      `optimizer must be ${list(handle.core.optimizers.map(show))}, got ${show(optimizer)}`, { optimizer });
  }
  const learningRate = finite(options.learningRate, 'learningRate');
  if (learningRate < 0) {
    throw errorFor('number_not_finite', { what: 'learningRate', range: ', 0 or more', value: learningRate });
  }
  const kept = finite(momentum, 'momentum');
  if (optimizer !== 'sgd' && kept !== 0) {
    throw new AttnError('unknown_option', `momentum goes with 'sgd' only, got ${kept} with '${optimizer}'`,
      { optimizer, momentum });
  }
  if (kept < 0 || kept >= 1) {
    throw errorFor('number_not_finite', { what: 'momentum', range: ' from 0 to less than 1', value: kept });
  }
  setGoal(handle, options);
  judge(handle, c.attn_train_step(handle.pointer, index, learningRate, kept), options.targets,
    { method: 'trainStep', learningRate });
  return { loss: c.attn_loss(handle.pointer), gradientNorm: c.attn_gradient_norm(handle.pointer) };
}

/**
 * @param {Handle} handle @param {unknown} name @param {unknown} indices @param {unknown} given
 * @returns {GradientCheck}
 */
export function gradientCheck(handle, name, indices, given) {
  const c = needGradients(handle, 'gradientCheck');
  const { step = 1e-3, ...goal } = readObject(given, [...GOAL, 'step'], 'gradientCheck');
  const tensor = handle.find(name);
  if (c.attn_tensor_target(handle.pointer, tensor) < 0) {
    throw new AttnError('tensor_is_derived',
      `gradientCheck moves what can be set, which is ${list(handle.settable(), 'and')}; got ${name}`, { name });
  }
  const element = elementOf('gradientCheck', String(name), handle.dims(tensor), indices);
  const size = finite(step, 'step');
  setGoal(handle, goal);
  judge(handle, c.attn_check_gradient(handle.pointer, tensor, element, size), goal.targets, {
    method: 'gradientCheck', what: 'step', range: ', large enough to move the number and not to infinity', value: step,
  });
  return {
    analytic: c.attn_gradient_analytic(handle.pointer),
    numerical: c.attn_gradient_numerical(handle.pointer),
    difference: c.attn_gradient_difference(handle.pointer),
  };
}
