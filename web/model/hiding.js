/**
 * Takes veiled numbers out of what the module computed, before anything is shown or made of it: NaN stands in their
 * place, which no tensor of the module ever holds, and which every text of a number writes as "?". An account of a sum
 * that has a veiled number anywhere in it goes as a whole. Computes nothing. Next to read: veil.js.
 */

import { placeAt, placeIn, veiled } from './veil.js';
import { standsIn } from './traces.js';

/**
 * @typedef {import('./derive.js').Computed} Computed
 * @typedef {import('./derive.js').Tensor} Tensor
 * @typedef {import('./derive.js').Tensors} Tensors
 * @typedef {import('./derive.js').Trace} Trace
 * @typedef {import('./veil.js').Veil} Veil
 */

/**
 * What may be shown of a state's numbers; the very same object if nothing is hidden.
 * @param {Computed} all @param {Veil[]} veils @param {boolean} trained  whether values are computed, see standsIn
 * @returns {Computed}
 */
export function behindVeil(all, veils, trained) {
  if (veils.length === 0) return all;
  const { pinned, replayed, both, masking, terms, experiment } = all;
  const tensors = (/** @type {Tensors} */ some) => tensorsBehind(some, veils, trained);
  const like = (/** @type {Tensor} */ tensor, /** @type {string} */ name) => tensorBehind(tensor, name, veils);
  const readouts = (/** @type {Computed['readouts']} */ figures) => figures.map((figure, head) =>
    (veiled(veils, 'attn_weights', { head }) ? unknown(figure) : figure));
  const blend = (/** @type {number} */ row) => veiled(veils, 'context_vecs', { row }) || veiled(veils, 'attn_weights', { row });
  const trace = (/** @type {Trace} */ one) => traceBehind(one, veils, trained);
  /** @param {import('./derive.js').Masked} found */
  const way = ({ attn_weights, attn_row_sums, context_vecs }) => ({
    attn_weights: like(like(attn_weights, 'attn_weights'), 'masking'),
    attn_row_sums: like(like(attn_row_sums, 'attn_row_sums'), 'masking'),
    context_vecs: like(like(context_vecs, 'context_vecs'), 'masking'),
  });
  return {
    ...all,
    tensors: tensors(all.tensors),
    trace: all.trace && trace(all.trace),
    rowTraces: all.rowTraces.map(trace),
    readouts: readouts(all.readouts),
    terms: blend(terms.row) || veiled(veils, standsIn('values', trained)) ? {
      ...terms, batched: terms.batched.map(() => NaN), oneToken: terms.oneToken.map(() => NaN),
    } : terms,
    pinned: pinned && {
      tensors: tensors(pinned.tensors), readouts: readouts(pinned.readouts),
      weights: pinned.weights && like(like(pinned.weights, 'attn_weights'), 'pinned'),
      context: pinned.context && like(like(pinned.context, 'context_vecs'), 'pinned'),
    },
    replayed: replayed && { tensors: tensors(replayed.tensors), before: replayed.before && tensors(replayed.before) },
    // What an experiment gives could tell what is hidden here.
    experiment: Array.isArray(experiment) ? experiment.map(({ id }) => ({ id, value: NaN })) : experiment,
    both: both && { oneToken: like(both.oneToken, 'context_vecs'), difference: like(both.difference, 'context_vecs') },
    // What is other than before could be told from what it was.
    changed: null,
    masking: masking && {
      open: way(masking.open), before: way(masking.before), renormalised: way(masking.renormalised), after: way(masking.after),
    },
  };
}

/** @param {Tensors} tensors @param {Veil[]} veils @param {boolean} trained @returns {Tensors} */
function tensorsBehind(tensors, veils, trained) {
  return Object.fromEntries(Object.entries(tensors).map(([name, tensor]) => [name, tensorBehind(tensor, standsIn(name, trained), veils)]));
}

/** @param {Tensor} tensor @param {string} name @param {Veil[]} veils @returns {Tensor} */
function tensorBehind(tensor, name, veils) {
  if (!veiled(veils, name)) return tensor;
  const { shape, data } = tensor;
  return { shape, data: data.map((value, element) => (veiled(veils, name, placeAt(name, shape, element)) ? NaN : value)) };
}

/** @template {Record<string, number | null>} T @param {T} figures @returns {T} */
function unknown(figures) {
  return /** @type {T} */ (Object.fromEntries(Object.keys(figures).map((name) => [name, NaN])));
}

/**
 * The account of one number, emptied if it or anything that it was made from is hidden.
 * @param {Trace} trace @param {Veil[]} veils @param {boolean} trained @returns {Trace}
 */
function traceBehind(trace, veils, trained) {
  const hidden = (/** @type {{ tensor: string, indices: number[] }} */ { tensor, indices }) =>
    veiled(veils, standsIn(tensor, trained), placeIn(tensor, indices));
  const parts = trace.terms.flatMap(({ left, right }) => (right ? [left, right] : [left]));
  if (![trace, ...parts].some(hidden)) return trace;
  return { ...trace, terms: [], max: NaN, total: NaN, result: NaN, shown: NaN };
}

/** Whether the account of a number was taken out. @param {Trace} trace */
export function isHidden({ shown }) {
  return Number.isNaN(shown);
}
