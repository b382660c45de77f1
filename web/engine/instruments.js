// What a layer says about its own numbers: how one came to be, figures of a head, differences, and the bugs that can be
// planted. Plain objects only; layer.js's methods are their public face and documentation. All numbers are the core's.
// Read next: src/trace.c, src/readouts.c, src/faults.c.

import { elementOf, indicesOf } from './axes.js';
import { AttnError, show } from './errors.js';
import { isGradient } from './handle.js';

/**
 * @typedef {import('./handle.js').Handle} Handle
 * @typedef {import('./options.js').FaultName} FaultName
 * @typedef {{ name: FaultName, missing: string | null, hasPlace: boolean }} Fault
 *
 * @typedef {{ tensor: string, indices: number[], value: number }} Factor one number of a tensor
 * @typedef {object} Term
 * @property {Factor} left
 * @property {Factor | null} right null where the term is the left number itself, or is made of it alone
 * @property {number} product
 * @property {number} running the sum of the products up to and with this one
 *
 * @typedef {'input' | 'gradient' | 'same' | 'projection' | 'score' | 'masked' | 'softmax' | 'given' | 'given_masked' | 'row_sum'
 *   | 'column_sum' | 'blend' | 'output'} Operation see attn_trace in src/attention.h
 *
 * @typedef {object} Trace
 * @property {string} tensor
 * @property {number[]} indices
 * @property {Operation} operation
 * @property {Term[]} terms
 * @property {number} scale what multiplies the sum of the products: 1 but for a score
 * @property {Factor | null} bias what is added then
 * @property {number | null} max with softmax: the largest score of the row
 * @property {number | null} total with softmax and given_masked: the sum of the products, by which is divided
 * @property {number} result what the operation gives, not rounded to float32
 * @property {number} shown what the tensor holds; differs where a bug was planted into this step
 *
 * @typedef {'entropy' | 'self' | 'previous' | 'first' | 'mean_weight'} ReadoutName
 */

/** @param {Handle} handle @returns {Fault[]} */
export function listFaults(handle) {
  const c = handle.exports('faults');
  const choices = handle.core.options.get('fault')?.choices ?? [];
  return choices.map((name, choice) => ({
    name: /** @type {FaultName} */ (name),
    missing: handle.core.text(c.attn_fault_missing(handle.pointer, choice)) || null,
    hasPlace: c.attn_fault_has_place(choice) === 1,
  })).filter(({ name }) => name !== 'none');
}

/** One number of a tensor, -1 for none. @param {Handle} handle @param {number} tensor @param {number} element */
function factor(handle, tensor, element) {
  if (tensor < 0) return null;
  const indices = indicesOf(handle.dims(tensor), element);
  return { tensor: handle.core.tensors[tensor], indices, value: handle.view(tensor, element + 1)[element] };
}

/** NaN stands for "there is none". @param {number} value */
const orNull = (value) => (Number.isNaN(value) ? null : value);

/** @param {Handle} handle @param {string} name @param {unknown} given @returns {Trace} */
export function trace(handle, name, given) {
  const c = handle.exports('trace');
  const tensor = handle.find(name);
  const dims = handle.dims(tensor);
  const element = elementOf('trace', name, dims, given);
  handle.check(c.attn_trace(handle.pointer, tensor, element),
    { asked: 'trace()', tensor: name, call: isGradient(String(name)) ? 'backward' : 'forward' });
  const [left, right, bias] = [0, 1, 2].map((side) => c.attn_trace_tensor(handle.pointer, side));
  const terms = Array.from({ length: c.attn_trace_term_count(handle.pointer) }, (_, term) => ({
    left: /** @type {Factor} */ (factor(handle, left, c.attn_trace_element(handle.pointer, 0, term))),
    right: factor(handle, right, c.attn_trace_element(handle.pointer, 1, term)),
    product: c.attn_trace_product(handle.pointer, term),
    running: c.attn_trace_running(handle.pointer, term),
  }));
  return {
    tensor: name,
    indices: indicesOf(dims, element),
    operation: /** @type {Operation} */ (handle.core.text(c.attn_trace_operation(handle.pointer))),
    terms,
    scale: c.attn_trace_scale(handle.pointer),
    bias: factor(handle, bias, c.attn_trace_element(handle.pointer, 2, 0)),
    max: orNull(c.attn_trace_max(handle.pointer)),
    total: orNull(c.attn_trace_total(handle.pointer)),
    result: c.attn_trace_result(handle.pointer),
    shown: handle.view(tensor, element + 1)[element],
  };
}

/** @param {Handle} handle @param {unknown} head @param {unknown} batch */
export function readouts(handle, head, batch) {
  const c = handle.exports('readouts');
  const { nHeads, nBatch } = handle.shape;
  const indices = [handle.index('head', head, nHeads), handle.index('batch', batch, nBatch)];
  const [column, sequence] = indices.map(({ value }) => value);
  handle.check(c.attn_read_out(handle.pointer, sequence, column),
    { asked: 'readouts()', indices, tensor: 'attn_weights' });
  const figures = handle.core.readouts.map((name, k) => [name, orNull(c.attn_readout(handle.pointer, k))]);
  return /** @type {Record<ReadoutName, number | null>} */ (Object.fromEntries(figures));
}

/** @param {Handle} handle @param {unknown} left @param {unknown} right */
export function difference(handle, left, right) {
  const c = handle.exports('difference');
  if (!(left instanceof Float32Array) || !(right instanceof Float32Array) || left.length !== right.length) {
    /** @param {unknown} side */
    const what = (side) => (side instanceof Float32Array ? `${side.length} numbers` : show(side));
    throw new AttnError('wrong_size', 'difference needs two Float32Arrays of the same length, ' +
      `got ${what(left)} and ${what(right)}`);
  }
  const result = new Float32Array(left.length);
  const room = c.attn_difference_room();
  const [a, b] = [c.attn_difference_left(handle.pointer), c.attn_difference_right(handle.pointer)];
  for (let start = 0; start < left.length; start += room) {
    const some = left.subarray(start, start + room);
    handle.core.floats(a, room).set(some);
    handle.core.floats(b, room).set(right.subarray(start, start + room));
    c.attn_difference(handle.pointer, some.length);
    result.set(handle.core.floats(a, some.length), start);
  }
  return result;
}
