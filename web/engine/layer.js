// A layer: one attention computation of one shape, living in the module's memory. Numbers go in by set() and init() and
// come out by get() as copies. No typed-array view of the module's memory may be kept across a call into the module:
// memory may grow, and the view would then be empty.
// Read next: options.js and numbers.js for what is accepted, src/attention.h for what is computed.

import { axesOf, indicesOf, position } from './axes.js';
import { AttnError, errorFor, list, show } from './errors.js';
import { finite, integer, readNumbers } from './numbers.js';
import { readConfiguration, readLayerOptions, readObject } from './options.js';

/**
 * @typedef {import('./module.js').Core} Core
 * @typedef {import('./options.js').LayerOptions} LayerOptions
 * @typedef {import('./options.js').LayerSettings} LayerSettings
 * @typedef {{ name: string, shape: number[], data: Float32Array }} Tensor data is a row-major copy, safe to keep
 * @typedef {'agree' | 'one row' | 'some rows' | 'every row'} Verdict
 * @typedef {object} RowDifference
 * @property {number} batch
 * @property {number} token the row of context_vecs that differs
 * @property {number} position the first position of the row that differs
 * @property {number | null} term in that position's sum, the first term (key row) that differs; null where all terms
 *   are equal and the sum itself is at fault
 * @property {number} batched context_vecs at that position
 * @property {number} oneToken the second route's number there
 */

export class Layer {
  /** @type {Core} */
  #core;
  /** The layer's address in the module; 0 once disposed. */
  #pointer = 0;
  /** @type {{ nBatch: number, nTokens: number, dIn: number, dOut: number, nHeads: number, outWidth: number }} */
  #shape;

  /**
   * For createLayer of loadAttention's result only.
   * @param {Core} core
   * @param {unknown} options LayerOptions, unchecked
   */
  constructor(core, options) {
    const { shape, settings } = readLayerOptions(core.options, options);
    const { nBatch, nTokens, dIn, dOut, nHeads, outWidth } = shape;
    const sizes = { nBatch, nTokens, dIn, dOut, nHeads };
    const asked = [nBatch, nTokens, dIn, dOut, nHeads, outWidth, ...shape.biases];
    const c = core.exports;
    this.#core = core;
    this.#shape = { ...sizes, outWidth };
    const facts = { sizes, bytes: c.attn_shape_bytes(...asked), maxBytes: c.attn_max_bytes() };
    this.#check(c.attn_shape_check(...asked), facts);
    this.#pointer = c.attn_layer_create(...asked);
    if (this.#pointer === 0) throw errorFor('out_of_memory', facts);
    try {
      this.#apply(settings);
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /**
   * Write one tensor: inputs, a parameter, or attn_weights when scoreSource is 'given'. Everything derived
   * becomes stale.
   * @param {string} name
   * @param {unknown} rows nested arrays, or a flat array, Float32Array or Float64Array of the right count; leading
   *   dimensions of size 1 may be left out
   * @returns {this}
   * @throws {AttnError} wrong_type, wrong_size, number_not_finite, number_too_large, unknown_tensor, tensor_not_here,
   *   tensor_is_derived, disposed; the layer is then unchanged
   */
  set(name, rows) {
    const c = this.#exports('set');
    const tensor = this.#find(name);
    const target = c.attn_tensor_target(this.#pointer, tensor);
    if (target < 0) {
      throw new AttnError('tensor_is_derived',
        `${name} is computed by forward(); what can be set is ${list(this.#settable(), 'and')}`, { name });
    }
    const dims = this.#dims(tensor);
    const numbers = readNumbers({ name, dims, axes: axesOf(name, this.#widthName()) }, rows);
    this.#view(target, numbers.length).set(numbers);
    c.attn_tensors_changed(this.#pointer);
    return this;
  }

  /**
   * Draw all parameters anew, in the order query, key, value, out, each weight followed by its bias, with the numbers
   * that PyTorch draws after torch.manual_seed(seed). Everything derived becomes stale.
   * @param {'torch.rand' | 'nn.Linear' | 'uniform'} scheme uniform in [0, 1); torch.nn.Linear's default; in ±bound
   * @param {number} seed a whole number from 0 to 2³² − 1
   * @param {number} [bound] for 'uniform' only
   * @returns {this}
   * @throws {AttnError} unknown_choice, wrong_type, index_out_of_range, number_not_finite, disposed
   */
  init(scheme, seed, bound) {
    const c = this.#exports('init');
    const index = this.#core.schemes.indexOf(scheme);
    if (index < 0) {
      throw new AttnError('unknown_choice',
        `init's scheme must be ${list(this.#core.schemes.map(show))}, got ${show(scheme)}`, { scheme });
    }
    if (typeof seed !== 'number' || !Number.isInteger(seed) || seed < 0 || seed >= 2 ** 32) {
      throw new AttnError('wrong_type',
        `init's seed must be a whole number from 0 to ${2 ** 32 - 1}, got ${show(seed)}`, { seed });
    }
    if (scheme !== 'uniform' && bound !== undefined) {
      throw new AttnError('unknown_option',
        `init takes a bound with 'uniform' only, got ${show(bound)} with '${scheme}'`, { scheme, bound });
    }
    const limit = scheme === 'uniform' ? finite(bound, "the bound of init('uniform', seed, bound)") : 0;
    this.#check(c.attn_init(this.#pointer, index, seed, limit),
      { what: "init's bound", range: ', from 0 to 1.7e38', value: bound });
    return this;
  }

  /**
   * Change settings: all that are named, or none. Everything derived becomes stale.
   * @param {LayerSettings} settings
   * @returns {this}
   * @throws {AttnError} unknown_option, option_is_fixed, unknown_choice, wrong_type, number_not_finite,
   *   heads_do_not_divide, width_is_fixed, disposed; the layer is then unchanged
   */
  configure(settings) {
    this.#exports('configure');
    this.#apply(readConfiguration(this.#core.options, settings));
    return this;
  }

  /**
   * Compute every derived tensor from inputs, parameters and settings.
   * @returns {this} so that layer.forward().get('context_vecs') reads as it computes
   * @throws {AttnError} tensor_not_finite (names tensor, row and column; derived tensors stay stale), disposed
   */
  forward() {
    const c = this.#exports('forward');
    this.#check(c.attn_forward(this.#pointer));
    return this;
  }

  /**
   * A copy of one tensor.
   * @param {string} name
   * @returns {Tensor}
   * @throws {AttnError} stale (derived, and something changed since forward()), unknown_tensor, tensor_not_here,
   *   disposed
   */
  get(name) {
    const c = this.#exports('get');
    const tensor = this.#find(name);
    if (c.attn_tensor_is_stale(this.#pointer, tensor)) {
      throw errorFor('stale', { tensor: name });
    }
    const shape = this.#dims(tensor);
    return { name, shape, data: this.#view(tensor, shape.reduce((size, dim) => size * dim, 1)).slice() };
  }

  /**
   * Every tensor that the layer has in its present configuration, with its dims.
   * @returns {Record<string, number[]>}
   */
  shapes() {
    this.#exports('shapes');
    return Object.fromEntries(this.#here().map((tensor) => [this.#core.tensors[tensor], this.#dims(tensor)]));
  }

  /**
   * One token's context vector (heads side by side, before w_out) by the second route, which shares no kernel with
   * forward() and needs none.
   * @param {number} token counts from 0
   * @param {number} [batch]
   * @returns {{ context: Float32Array }} a copy
   * @throws {AttnError} index_out_of_range, wrong_type, tensor_not_finite, disposed
   */
  contextOneToken(token, batch = 0) {
    const c = this.#exports('contextOneToken');
    const indices = [this.#index('token', token, this.#shape.nTokens), this.#index('batch', batch, this.#shape.nBatch)];
    this.#check(c.attn_context_one_token(this.#pointer, batch, token), { indices });
    const pointer = c.attn_one_token_context(this.#pointer);
    const [width] = this.#dims(this.#find('context_vecs')).slice(-1);
    return { context: this.#core.floats(pointer, width).slice() };
  }

  /**
   * Compare context_vecs with the second route, row by row.
   * @param {{ tolerance?: number }} [options] how far apart two numbers may be, relative to the terms of their sum
   * @returns {{ verdict: Verdict, rows: RowDifference[], tolerance: number }} rows: those that differ
   * @throws {AttnError} stale, number_not_finite, unknown_option, wrong_type, tensor_not_finite, disposed
   */
  compareRoutes(options = {}) {
    const c = this.#exports('compareRoutes');
    const { tolerance: given = 1e-6 } = readObject(options, ['tolerance'], 'compareRoutes');
    const tolerance = finite(given, 'tolerance');
    this.#check(c.attn_compare_routes(this.#pointer, tolerance),
      { what: 'tolerance', range: ', 0 or more', value: tolerance, tensor: 'context_vecs' });
    const rows = [];
    for (let batch = 0; batch < this.#shape.nBatch; batch++) {
      for (let token = 0; token < this.#shape.nTokens; token++) {
        const first = c.attn_routes_position(this.#pointer, batch, token);
        if (first < 0) continue;
        const term = c.attn_routes_term(this.#pointer, batch, token);
        rows.push({
          batch,
          token,
          position: first,
          term: term < 0 ? null : term,
          batched: c.attn_routes_batched(this.#pointer, batch, token),
          oneToken: c.attn_routes_one_token(this.#pointer, batch, token),
        });
      }
    }
    const verdict = /** @type {Verdict} */ (this.#core.text(c.attn_routes_verdict(this.#pointer)));
    return { verdict, rows, tolerance };
  }

  /**
   * One row of the caller's own attn_weights divided by its sum. The layer is unchanged: set() the result to use it.
   * @param {number} row counts from 0
   * @param {number} [head]
   * @param {number} [batch]
   * @returns {Float32Array} nTokens numbers, a copy
   * @throws {AttnError} tensor_not_here (scoreSource is not 'given'), row_sum_is_zero, index_out_of_range, wrong_type,
   *   disposed
   */
  normalisedRow(row, head = 0, batch = 0) {
    const c = this.#exports('normalisedRow');
    this.#find('given_weights');
    const { nBatch, nHeads, nTokens } = this.#shape;
    const indices = [
      this.#index('row', row, nTokens), this.#index('head', head, nHeads), this.#index('batch', batch, nBatch),
    ];
    this.#check(c.attn_normalise_row(this.#pointer, batch, head, row), { indices, row });
    return this.#core.floats(c.attn_normalised_weights(this.#pointer), nTokens).slice();
  }

  /**
   * Give the layer's memory back. What get() returned stays good; every later call on the layer throws.
   * @throws {AttnError} disposed
   */
  dispose() {
    this.#exports('dispose').attn_layer_dispose(this.#pointer);
    this.#pointer = 0;
  }

  /** The module's functions, for a layer that is still alive. @param {string} method */
  #exports(method) {
    if (this.#pointer === 0) {
      throw new AttnError('disposed', `${method}() needs a layer that is in use; this one was already disposed of`);
    }
    return this.#core.exports;
  }

  /** The one way from a status to an error. @param {number} status @param {Record<string, unknown>} [context] */
  #check(status, context = {}) {
    if (status === 0) return;
    const code = this.#core.statusName(status);
    const where = code === 'tensor_not_finite' ? this.#notFinite() : {};
    throw errorFor(code, { ...this.#shape, ...context, ...where }, this.#core.statusText(status));
  }

  /** Where the core found a number that is not finite. */
  #notFinite() {
    const c = this.#core.exports;
    const tensor = c.attn_error_tensor(this.#pointer);
    const element = c.attn_error_element(this.#pointer);
    const name = this.#core.tensors[tensor];
    const dims = this.#dims(tensor);
    const indices = indicesOf(dims, element);
    const where = position(name, dims, indices);
    return { tensor: name, indices, where, value: this.#view(tensor, element + 1)[element] };
  }

  /** Apply settings that were all found good. @param {import('./options.js').Setting[]} settings */
  #apply(settings) {
    const c = this.#core.exports;
    for (const { option, choice, number, value } of settings) {
      const widthName = value === 'trained' ? 'd_out' : 'd_in';
      const width = value === 'trained' ? this.#shape.dOut : this.#shape.dIn;
      this.#check(c.attn_configure(this.#pointer, option, choice, number), { widthName, width });
    }
  }

  /** An index, whose range the core will check. @param {string} name @param {unknown} value @param {number} count */
  #index(name, value, count) {
    return { name, value: integer(value, name), count };
  }

  /** The number of a tensor that the layer has now. @param {unknown} name */
  #find(name) {
    const tensor = this.#core.tensors.indexOf(/** @type {string} */ (name));
    const here = () => list(this.#here().map((index) => this.#core.tensors[index]), 'and');
    if (tensor < 0) {
      throw new AttnError('unknown_tensor', `there is no tensor ${show(name)}; this layer has ${here()}`, { name });
    }
    if (this.#core.exports.attn_tensor_rank(this.#pointer, tensor) === 0) {
      throw new AttnError('tensor_not_here',
        `this layer, as it is configured now, has no ${name}; it has ${here()}`, { name });
    }
    return tensor;
  }

  /** The tensors that the layer has now. */
  #here() {
    const c = this.#core.exports;
    return [...this.#core.tensors.keys()].filter((tensor) => c.attn_tensor_rank(this.#pointer, tensor) > 0);
  }

  /** The names of the tensors that set() takes now. */
  #settable() {
    const c = this.#core.exports;
    return this.#here().filter((tensor) => c.attn_tensor_target(this.#pointer, tensor) >= 0)
      .map((tensor) => this.#core.tensors[tensor]);
  }

  /** What the width of values and context_vecs is called: only trained scores come with matrices of their own width. */
  #widthName() {
    const trained = this.#core.exports.attn_tensor_rank(this.#pointer, this.#core.tensors.indexOf('w_query')) > 0;
    return trained ? 'd_out' : 'd_in';
  }

  /** @param {number} tensor @returns {number[]} */
  #dims(tensor) {
    const c = this.#core.exports;
    const rank = c.attn_tensor_rank(this.#pointer, tensor);
    return Array.from({ length: rank }, (_, axis) => c.attn_tensor_dim(this.#pointer, tensor, axis));
  }

  /** The first n numbers of a tensor, in the module's memory. @param {number} tensor @param {number} n */
  #view(tensor, n) {
    return this.#core.floats(this.#core.exports.attn_tensor_data(this.#pointer, tensor), n);
  }
}
