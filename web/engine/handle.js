// A layer's address in the module, and what every method on a layer starts from: is it in use, which tensor is meant,
// how large is it, what does a status mean in words. It decides nothing about attention and keeps no view of memory.
// Read next: layer.js, the public face that is built on it.

import { axesOf, indicesOf, position } from './axes.js';
import { AttnError, errorFor, list, show } from './errors.js';
import { integer } from './numbers.js';

/**
 * @typedef {import('./module.js').Core} Core
 * @typedef {{ nBatch: number, nTokens: number, dIn: number, dOut: number, nHeads: number, outWidth: number,
 *   keepWeights: boolean, keepGradients: boolean }} Shape
 * @typedef {{ tensor: number, pointer: number, size: number }} Place a tensor's number, where it is and how long
 * @typedef {{ name: string, value: number, count: number }} Index an index, for the sentence that refuses it
 */

/** @param {string} name a tensor */
export const isGradient = (name) => name.startsWith('d_');

export class Handle {
  /** Of the tensors that were asked for since the configuration changed. @type {Map<unknown, Place>} */
  #places = new Map();

  /**
   * @param {Core} core
   * @param {number} pointer the layer's address; 0 once disposed
   * @param {Shape} shape
   */
  constructor(core, pointer, shape) {
    this.core = core;
    this.pointer = pointer;
    this.shape = shape;
  }

  /** The module's functions, for a layer that is still alive. @param {string} method for whom: its name */
  exports(method) {
    if (this.pointer === 0) {
      throw new AttnError('disposed', `${method}() needs a layer that is in use; this one was already disposed of`);
    }
    return this.core.exports;
  }

  /** The one way from a status to an error. @param {number} status @param {Record<string, unknown>} [context] */
  check(status, context = {}) {
    if (status === 0) return;
    const code = this.core.statusName(status);
    throw errorFor(code, { ...this.shape, ...context, ...this.#notFinite(code) }, this.core.statusText(status));
  }

  /** Where the core found a number that is not finite, and which: it may not be there any more. @param {string} code */
  #notFinite(code) {
    if (code !== 'tensor_not_finite' && code !== 'diverged') return {};
    const c = this.core.exports;
    const tensor = c.attn_error_tensor(this.pointer);
    const element = c.attn_error_element(this.pointer);
    const name = this.core.tensors[tensor];
    const { nBatch, nHeads, nTokens } = this.shape;
    const here = this.dims(tensor);
    const dims = here.length > 0 ? here : [nBatch, nHeads, nTokens, nTokens]; // scores, which are not kept
    const indices = indicesOf(dims, element);
    return { tensor: name, indices, where: position(name, dims, indices), value: c.attn_error_value(this.pointer) };
  }

  /**
   * An index, whose range the core will check.
   * @param {string} name @param {unknown} value @param {number} count @returns {Index}
   */
  index(name, value, count) {
    return { name, value: integer(value, name), count };
  }

  /** The number of a tensor that the layer has now. @param {unknown} name */
  find(name) {
    const here = () => list(this.here().map((index) => this.core.tensors[index]), 'and');
    if (typeof name !== 'string') {
      throw new AttnError('wrong_type',
        `the name of a tensor must be a string, got ${show(name)}; this layer has ${here()}`, { name });
    }
    const tensor = this.core.tensorIndex.get(name);
    if (tensor === undefined) {
      throw new AttnError('unknown_tensor', `there is no tensor ${show(name)}; this layer has ${here()}`, { name });
    }
    if (this.core.exports.attn_tensor_rank(this.pointer, tensor) === 0) {
      const dropped = this.#dropped(name);
      const why = dropped ? `was created with ${dropped}: false and` : 'as it is configured now,';
      throw new AttnError('tensor_not_here',
        `this layer${dropped ? '' : ','} ${why} has no ${name}; it has ${here()}`, { name });
    }
    return tensor;
  }

  /** The option of createLayer by which the layer has no such tensor, if it is one of these. @param {string} name */
  #dropped(name) {
    const ofWeights = ['attn_scores', 'attn_weights', 'given_weights', 'attn_row_sums', 'attn_column_sums'];
    if (!this.shape.keepWeights && ofWeights.includes(name)) return 'keepWeights';
    if (this.shape.keepGradients || !isGradient(name)) return undefined;
    return this.shape.keepWeights ? 'keepGradients' : 'keepWeights';
  }

  /** The tensors that the layer has now; gradients only once they are computed, for most users never ask for them. */
  here() {
    const c = this.core.exports;
    return [...this.core.tensors.keys()].filter((tensor) => c.attn_tensor_rank(this.pointer, tensor) > 0 &&
      !(isGradient(this.core.tensors[tensor]) && c.attn_tensor_is_stale(this.pointer, tensor)));
  }

  /** The names of the tensors that set() takes now. */
  settable() {
    const c = this.core.exports;
    return this.here().filter((tensor) => c.attn_tensor_target(this.pointer, tensor) >= 0)
      .map((tensor) => this.core.tensors[tensor]);
  }

  /** What the axes of a tensor are called now: only trained scores have a width of their own. @param {string} name */
  axes(name) {
    const trained = this.core.exports.attn_tensor_rank(this.pointer, this.core.tensors.indexOf('w_query')) > 0;
    return axesOf(name, trained ? 'dOut' : 'dIn');
  }

  /** @param {number} tensor @returns {number[]} */
  dims(tensor) {
    const c = this.core.exports;
    const rank = c.attn_tensor_rank(this.pointer, tensor);
    return Array.from({ length: rank }, (_, axis) => c.attn_tensor_dim(this.pointer, tensor, axis));
  }

  /** Where a tensor that the layer has now is. @param {unknown} name @returns {Place} */
  place(name) {
    return this.#places.get(name) ?? this.#measure(name);
  }

  /** @param {unknown} name @returns {Place} */
  #measure(name) {
    const c = this.core.exports;
    const tensor = this.find(name);
    const pointer = c.attn_tensor_data(this.pointer, tensor);
    const place = { tensor, pointer, size: c.attn_tensor_size(this.pointer, tensor) };
    this.#places.set(name, place);
    return place;
  }

  /** The configuration changes: tensors may be elsewhere, of another size, or not there. */
  forgetPlaces() {
    this.#places.clear();
  }

  /** The first n numbers of a tensor, in the module's memory. @param {number} tensor @param {number} n */
  view(tensor, n) {
    return this.core.floats(this.core.exports.attn_tensor_data(this.pointer, tensor), n);
  }
}
