// A layer: one attention computation of one shape, living in the module's memory. Numbers go in by set() and init() and
// come out by get() as copies or by view() in place. Nothing here keeps a typed-array view of the module's memory across
// a call into the module: memory may grow, and the view would then be empty.
// Read next: handle.js, then options.js and numbers.js for what is accepted, src/attention.h for what is computed.

import { AttnError, errorFor, list, show } from './errors.js';
import { foresee, settingFacts } from './foresee.js';
import { Handle, isGradient } from './handle.js';
import { difference, listFaults, readouts, trace } from './instruments.js';
import { checkSeed, finite, readNumbers } from './numbers.js';
import { readConfiguration } from './options.js';
import { largestWeights, paint } from './picture.js';
import { compareRoutes, contextOneToken, routeTerms } from './routes.js';
import { backward, gradientCheck, loss, trainStep } from './training.js';

/**
 * @typedef {import('./module.js').Core} Core
 * @typedef {import('./options.js').LayerOptions} LayerOptions
 * @typedef {import('./options.js').LayerSettings} LayerSettings
 * @typedef {import('./routes.js').Comparison} Comparison
 * @typedef {{ name: string, shape: number[], data: Float32Array }} Tensor data is a row-major copy, safe to keep
 */

export class Layer {
  /** @type {Handle} */
  #handle;

  /** How often forwardParts() was begun: only the last may go on. */
  #begun = 0;

  /**
   * For loadAttention's result only.
   * @param {Core} core
   * @param {unknown} options LayerOptions, unchecked
   * @param {string} call whose they are, for sentences
   */
  constructor(core, options, call) {
    const { shape, shapeArguments, settings, facts } = foresee(core, options, call);
    const { biases, ...sizes } = shape;
    this.#handle = new Handle(core, core.exports.attn_layer_create(...shapeArguments), sizes);
    if (this.#handle.pointer === 0) throw errorFor(facts.bytes > facts.maxBytes ? 'too_large' : 'out_of_memory', facts);
    this.#apply(settings); // which foresee found to be good
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
    const c = this.#handle.exports('set');
    const tensor = this.#handle.find(name);
    const target = c.attn_tensor_target(this.#handle.pointer, tensor);
    if (target < 0) {
      throw new AttnError('tensor_is_derived',
        `${name} is computed by ${isGradient(name) ? 'backward' : 'forward'}(); ` +
        `what can be set is ${list(this.#handle.settable(), 'and')}`, { name });
    }
    const dims = this.#handle.dims(tensor);
    const numbers = readNumbers({ name, dims, axes: this.#handle.axes(name) }, rows);
    this.#handle.view(target, numbers.length).set(numbers);
    c.attn_tensors_changed(this.#handle.pointer);
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
    const c = this.#handle.exports('init');
    const index = this.#handle.core.schemes.indexOf(scheme);
    if (index < 0) {
      throw new AttnError('unknown_choice',
        `init's scheme must be ${list(this.#handle.core.schemes.map(show))}, got ${show(scheme)}`, { scheme });
    }
    checkSeed(seed, "init's seed");
    if (scheme !== 'uniform' && bound !== undefined) {
      throw new AttnError('unknown_option',
        `init takes a bound with 'uniform' only, got ${show(bound)} with '${scheme}'`, { scheme, bound });
    }
    const limit = scheme === 'uniform' ? finite(bound, "the bound of init('uniform', seed, bound)") : 0;
    this.#handle.check(c.attn_init(this.#handle.pointer, index, seed, limit),
      { what: "init's bound", range: ', from 0 to 1.7e38', value: bound });
    return this;
  }

  /**
   * Change settings: all that are named, or none. Everything derived becomes stale.
   * @param {LayerSettings} settings
   * @returns {this}
   * @throws {AttnError} unknown_option, option_is_fixed, unknown_choice, wrong_type, number_not_finite,
   *   heads_do_not_divide, width_is_fixed, not_kept, index_out_of_range, disposed; the layer is then unchanged
   */
  configure(settings) {
    this.#handle.exports('configure');
    this.#apply(readConfiguration(this.#handle.core.options, settings, this.#handle.shape.nTokens));
    return this;
  }

  /**
   * Compute every derived tensor from inputs, parameters and settings.
   * @returns {this} so that layer.forward().get('context_vecs') reads as it computes
   * @throws {AttnError} tensor_not_finite (names tensor, row and column; derived tensors stay stale), disposed
   */
  forward() {
    const c = this.#handle.exports('forward');
    this.#handle.check(c.attn_forward(this.#handle.pointer));
    return this;
  }

  /**
   * forward() in parts, to do something else in between: each step computes one and yields the share that is done, at
   * last 1. Until then results are stale. It may be left at any part; another one begins anew.
   * @returns {Generator<number, void, void>}
   * @throws {AttnError} as forward(); stale if something changed or was computed in between, or another one was begun
   */
  *forwardParts() {
    const count = this.#handle.exports('forwardParts').attn_forward_parts(this.#handle.pointer);
    const own = ++this.#begun;
    for (let part = 0; part < count; part++) {
      const c = this.#handle.exports('forwardParts');
      if (own !== this.#begun) throw errorFor('stale', { parts: true });
      this.#handle.check(c.attn_forward_part(this.#handle.pointer, part), { parts: true });
      yield (part + 1) / count;
    }
  }

  /**
   * A copy of one tensor.
   * @param {string} name
   * @returns {Tensor}
   * @throws {AttnError} stale (derived, and something changed since forward(); a gradient: since backward()),
   *   wrong_type, unknown_tensor, tensor_not_here, disposed
   */
  get(name) {
    const { tensor, pointer, size } = this.#fresh('get', name);
    return { name, shape: this.#handle.dims(tensor), data: this.#handle.core.floats(pointer, size).slice() };
  }

  /**
   * One tensor in place: its numbers in the module's memory, made anew at each call and copying nothing. To be read
   * only, and at once: it follows the layer's next results, shows other numbers once the layer is disposed of, and is
   * empty once memory grew, as it may at createLayer(), random() and uniformFloor() and at no other call. Whoever keeps
   * numbers for longer takes get().
   * @param {string} name
   * @returns {Float32Array} row-major; its dims are shapes()[name]
   * @throws {AttnError} as get()
   */
  view(name) {
    const { pointer, size } = this.#fresh('view', name);
    return this.#handle.core.floats(pointer, size);
  }

  /**
   * Every tensor that the layer has in its present configuration, with its dims; gradients once backward() has
   * computed them.
   * @returns {Record<string, number[]>}
   */
  shapes() {
    this.#handle.exports('shapes');
    const handle = this.#handle;
    return Object.fromEntries(handle.here().map((tensor) => [handle.core.tensors[tensor], handle.dims(tensor)]));
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
    return contextOneToken(this.#handle, token, batch);
  }

  /**
   * Compare context_vecs with the second route, row by row.
   * @param {{ tolerance?: number }} [options] how far apart two numbers may be, relative to the terms of their sum
   * @returns {Comparison}
   * @throws {AttnError} stale, number_not_finite, unknown_option, wrong_type, tensor_not_finite, disposed
   */
  compareRoutes(options = {}) {
    return compareRoutes(this.#handle, options);
  }

  /**
   * Both routes' terms of the sum that makes one number of context_vecs: weight times value, of the batched route as
   * its sum really had them.
   * @param {number} token counts from 0
   * @param {number} position a column of context_vecs
   * @param {number} [batch]
   * @returns {{ batched: number[], oneToken: number[] }} nTokens products each
   * @throws {AttnError} stale, index_out_of_range, wrong_type, tensor_not_finite, disposed
   */
  routeTerms(token, position, batch = 0) {
    return routeTerms(this.#handle, token, position, batch);
  }

  /**
   * The bugs that configure({ fault }) can plant into forward(): what the present setting lacks for each to show, null
   * if nothing; and whether it has a place, a token, given as faultPlace.
   * @returns {import('./instruments.js').Fault[]}
   * @throws {AttnError} disposed
   */
  faults() {
    return listFaults(this.#handle);
  }

  /**
   * How one number came to be: the operation that should have made it, done again from what is stored of its operands.
   * @param {string} name a tensor that the layer has now
   * @param {readonly number[]} indices one for each of its dimensions, from 0; leading ones of size 1 may be left out
   * @returns {import('./instruments.js').Trace}
   * @throws {AttnError} stale, index_out_of_range, wrong_size, wrong_type, unknown_tensor, tensor_not_here, disposed
   */
  trace(name, indices) {
    return trace(this.#handle, name, indices);
  }

  /**
   * Figures about one head's attn_weights: entropy in bits, the mean weight on the token itself (self), on the one
   * before (previous; null for one token), on the first, and the mean over all allowed cells.
   * @param {number} [head]
   * @param {number} [batch]
   * @returns {Record<import('./instruments.js').ReadoutName, number | null>}
   * @throws {AttnError} stale, index_out_of_range, wrong_type, disposed
   */
  readouts(head = 0, batch = 0) {
    return readouts(this.#handle, head, batch);
  }

  /**
   * A picture of one head's attn_weights, straight from the module's memory: RGBA, row by row, as ImageData takes it. A
   * pixel that shows several cells has the colour of the largest weight among them.
   * @param {import('./picture.js').PictureOptions} options
   * @returns {Uint8ClampedArray} width · height · 4 bytes, a copy
   * @throws {AttnError} stale, wrong_type, wrong_size, unknown_option, size_not_positive, index_out_of_range,
   *   number_not_finite, disposed
   */
  paint(options) {
    return paint(this.#handle, options);
  }

  /**
   * The largest weights of one row of attn_weights, largest first, and the sum of all others.
   * @param {number} row counts from 0
   * @param {number} count how many, up to 16 and nTokens
   * @param {number} [head]
   * @param {number} [batch]
   * @returns {import('./picture.js').LargestWeights}
   * @throws {AttnError} stale, index_out_of_range, wrong_type, disposed
   */
  largestWeights(row, count, head = 0, batch = 0) {
    return largestWeights(this.#handle, row, count, head, batch);
  }

  /**
   * left − right, number by number, in float32; equal numbers, −Infinity too, give 0. The layer is unchanged.
   * @param {Float32Array} left such as get() gives
   * @param {Float32Array} right of the same length
   * @returns {Float32Array}
   * @throws {AttnError} wrong_size, disposed
   */
  difference(left, right) {
    return difference(this.#handle, left, right);
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
    const c = this.#handle.exports('normalisedRow');
    this.#handle.find('given_weights');
    const { nBatch, nHeads, nTokens } = this.#handle.shape;
    const indices = [
      this.#handle.index('row', row, nTokens), this.#handle.index('head', head, nHeads),
      this.#handle.index('batch', batch, nBatch),
    ];
    this.#handle.check(c.attn_normalise_row(this.#handle.pointer, batch, head, row), { indices, row });
    return this.#handle.core.floats(c.attn_normalised_weights(this.#handle.pointer), nTokens).slice();
  }

  /**
   * The gradients of the sum of outputs · dOutputs (of context_vecs · dOutputs where there is no output projection), by
   * every tensor: get('d_inputs'), get('d_w_query') and so on, for each name with d_ before it. They are stale after
   * the next change. With scoreSource 'given', d_attn_weights is by the weights as they were set.
   * @param {unknown} dOutputs nested rows or a flat array, of the shape of outputs or context_vecs
   * @returns {this}
   * @throws {AttnError} stale (forward() comes first), wrong_type, wrong_size, number_not_finite, number_too_large,
   *   fault_planted, tensor_not_finite, disposed
   */
  backward(dOutputs) {
    backward(this.#handle, dOutputs);
    return this;
  }

  /**
   * How far the result is from targets: the mean of the squared differences over all numbers of the target rows, of all
   * sequences. Computes forward() first if something changed; moves nothing.
   * @param {import('./training.js').Goal} goal
   * @returns {number}
   * @throws {AttnError} wrong_type, wrong_size, index_out_of_range, no_targets, number_not_finite, number_too_large,
   *   unknown_option, tensor_not_finite, disposed
   */
  loss(goal) {
    return loss(this.#handle, goal);
  }

  /**
   * One step of gradient descent on loss(goal): every parameter that the layer has moves. Computes forward() before and
   * after, so that get() then gives what the new parameters make; gradients are stale afterwards: backward() computes
   * those of the new parameters. The optimiser's memory is the layer's: it starts anew
   * with resetOptimizer() and when the optimiser changes.
   * @param {import('./training.js').Goal & import('./training.js').StepOptions} options
   * @returns {import('./training.js').Step} loss and norm of the gradient, both of before the step
   * @throws {AttnError} diverged (then, and on every other error, no parameter has moved and the optimiser is as it
   *   was), no_parameters, fault_planted, unknown_choice, and those of loss()
   */
  trainStep(options) {
    return trainStep(this.#handle, options);
  }

  /**
   * Forget what the optimiser remembers of earlier steps; parameters stay.
   * @returns {this}
   * @throws {AttnError} disposed
   */
  resetOptimizer() {
    this.#handle.exports('resetOptimizer').attn_reset_optimizer(this.#handle.pointer);
    return this;
  }

  /**
   * The derivative of loss(goal) by one number that can be set, as backward() finds it and as
   * (loss(x + step) − loss(x − step)) / 2·step. The layer is as before, and its gradients are those of the loss.
   * @param {string} name inputs, a parameter, or attn_weights when scoreSource is 'given'
   * @param {readonly number[]} indices one for each of its dimensions; leading ones of size 1 may be left out
   * @param {import('./training.js').Goal & { step?: number }} options step is 0.001 if left out
   * @returns {import('./training.js').GradientCheck}
   * @throws {AttnError} tensor_is_derived, unknown_tensor, tensor_not_here, fault_planted, and those of loss()
   */
  gradientCheck(name, indices, options) {
    return gradientCheck(this.#handle, name, indices, options);
  }

  /**
   * Give the layer's memory back. What get() returned stays good; every later call on the layer throws.
   * @throws {AttnError} disposed
   */
  dispose() {
    this.#handle.exports('dispose').attn_layer_dispose(this.#handle.pointer);
    this.#handle.pointer = 0;
  }

  /** Where a tensor is that may be read now. @param {string} method for whom @param {string} name */
  #fresh(method, name) {
    const c = this.#handle.exports(method);
    const place = this.#handle.place(name);
    if (c.attn_tensor_is_stale(this.#handle.pointer, place.tensor)) {
      throw errorFor('stale', { tensor: name, call: isGradient(name) ? 'backward' : 'forward' });
    }
    return place;
  }

  /** Apply settings that were all found good. @param {import('./options.js').Setting[]} settings */
  #apply(settings) {
    const { core, pointer, shape } = this.#handle;
    this.#handle.forgetPlaces();
    for (const setting of settings) {
      const { option, choice, number } = setting;
      this.#handle.check(core.exports.attn_configure(pointer, option, choice, number), settingFacts(shape, setting));
    }
  }
}
