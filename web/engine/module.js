// Opens the WebAssembly module: the only file that instantiates it and that sees its memory.
// Everything that the module can describe (options, tensors, schemes, statuses) is read from its directories here, so
// that no number of the C side is copied into JavaScript. Read next: src/attention.h, then layer.js.

import { damageOf } from './checksum.js';
import { AttnError, list, show } from './errors.js';

/**
 * @typedef {{ memory: WebAssembly.Memory } & { [name: string]: (...args: number[]) => number }} Exports
 * @typedef {{ index: number, choices: readonly string[] }} Option
 */

/** Every function of src/attention.h: a module without one of them is another version's. */
const FUNCTIONS = [
  '_initialize', 'attn_status_name', 'attn_status_text', 'attn_shape_check', 'attn_shape_bytes', 'attn_max_bytes',
  'attn_layer_create', 'attn_layer_dispose', 'attn_option_name', 'attn_choice_name', 'attn_configure',
  'attn_fault_missing', 'attn_fault_has_place', 'attn_tensor_count', 'attn_tensor_name', 'attn_tensor_rank',
  'attn_tensor_dim', 'attn_tensor_size', 'attn_tensor_data', 'attn_tensor_target', 'attn_tensor_is_stale', 'attn_tensors_changed',
  'attn_forward', 'attn_forward_parts', 'attn_forward_part', 'attn_error_tensor', 'attn_error_element',
  'attn_error_value', 'attn_scheme_name', 'attn_init', 'attn_result_tensor', 'attn_source_check',
  'attn_tensor_gradient', 'attn_backward', 'attn_targets', 'attn_target_rows', 'attn_measure_loss', 'attn_loss',
  'attn_optimizer_name', 'attn_train_step', 'attn_gradient_norm', 'attn_reset_optimizer', 'attn_check_gradient',
  'attn_gradient_analytic', 'attn_gradient_numerical', 'attn_gradient_difference', 'attn_context_one_token',
  'attn_one_token_context', 'attn_compare_routes', 'attn_routes_verdict', 'attn_routes_position', 'attn_routes_term',
  'attn_routes_batched', 'attn_routes_one_token', 'attn_routes_draws_on', 'attn_route_terms', 'attn_route_term_batched',
  'attn_route_term_one_token', 'attn_trace', 'attn_trace_operation', 'attn_trace_term_count', 'attn_trace_tensor',
  'attn_trace_element', 'attn_trace_product', 'attn_trace_running', 'attn_trace_scale', 'attn_trace_max',
  'attn_trace_total', 'attn_trace_result', 'attn_readout_name', 'attn_read_out', 'attn_readout', 'attn_difference_room',
  'attn_difference_left', 'attn_difference_right', 'attn_difference', 'attn_normalise_row', 'attn_normalised_weights',
  'attn_largest_room', 'attn_largest_weights', 'attn_largest_key', 'attn_largest_rest', 'attn_paint_room',
  'attn_paint_colours', 'attn_paint_pixels', 'attn_paint_line',
];

/** The smallest module that uses SIMD: `i32.const 0, i8x16.splat, i8x16.popcnt`. */
const SIMD_PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

/** What the module imports: one notice, which needs no answer because views are made anew on each use. */
const IMPORTS = { env: { emscripten_notify_memory_growth() {} } };

/** @param {unknown} error */
const reasonOf = (error) => (error instanceof Error ? error.message : String(error));

/** @param {BufferSource | WebAssembly.Module} source @param {string} reason */
function damaged(source, reason) {
  const came = source instanceof WebAssembly.Module ? 'a compiled module' : `${source.byteLength} bytes`;
  return new AttnError('module_damaged',
    `attention.wasm must be the WebAssembly module that make builds; got ${came} that cannot be loaded (${reason}); ` +
    'copy or build the file again', { reason });
}

/**
 * What can be loaded here, if anything can.
 * @param {unknown} source
 * @returns {BufferSource | WebAssembly.Module}
 */
function loadable(source) {
  if (typeof WebAssembly !== 'object') {
    throw new AttnError('no_webassembly',
      'attention needs WebAssembly, which this environment does not have; use a current browser or Node 18 or newer');
  }
  if (!(source instanceof WebAssembly.Module || source instanceof ArrayBuffer || ArrayBuffer.isView(source))) {
    throw new AttnError('module_missing',
      'loadAttention needs the bytes of attention.wasm (an ArrayBuffer or Uint8Array) or a WebAssembly.Module; ' +
      `got ${show(source)}`);
  }
  if (!WebAssembly.validate(SIMD_PROBE)) {
    throw new AttnError('no_simd',
      'attention needs WebAssembly with SIMD, which this environment does not have; use a browser of 2023 or newer ' +
      '(Chrome 91, Firefox 89, Safari 16.4) or Node 18 or newer');
  }
  return /** @type {BufferSource | WebAssembly.Module} */ (source);
}

/**
 * Compile what came whole. Of a module that others compiled, the bytes are gone: nothing tells whether they were whole.
 * @param {BufferSource | WebAssembly.Module} source @returns {WebAssembly.Module | Promise<WebAssembly.Module>}
 */
function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  const bytes = ArrayBuffer.isView(source) ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
  const damage = damageOf(bytes);
  if (damage !== null) throw new Error(damage);
  try {
    // A millisecond or two. A page that waits for it instead draws a frame in between, which takes longer.
    return new WebAssembly.Module(source);
  } catch (error) {
    // Older Chrome allows it a page for 4 KB only.
    if (error instanceof RangeError) return WebAssembly.compile(source);
    throw error;
  }
}

/**
 * Compile, instantiate and initialise.
 * @param {BufferSource | WebAssembly.Module} source
 * @returns {Promise<Exports>}
 */
async function instantiate(source) {
  const { exports } = await WebAssembly.instantiate(await compile(source), IMPORTS);
  const missing = FUNCTIONS.filter((name) => typeof exports[name] !== 'function');
  if (!(exports.memory instanceof WebAssembly.Memory)) missing.unshift('memory');
  if (missing.length > 0) {
    const named = missing.length > 4 ? [...missing.slice(0, 3), `${missing.length - 3} more`] : missing;
    throw new Error(`it does not export ${list(named, 'and')}: it belongs to another version or another program`);
  }
  const own = /** @type {Exports} */ (exports);
  own._initialize(); // before anything else: malloc traps without it
  return own;
}

/**
 * An instance of the module with its directories read: one is enough for any number of layers.
 * @param {unknown} given ArrayBuffer, typed array over the bytes, or a compiled WebAssembly.Module
 * @returns {Promise<Core>}
 * @throws {AttnError} module_missing, module_damaged, no_webassembly, no_simd
 */
export async function openModule(given) {
  const source = loadable(given);
  try {
    return coreOf(await instantiate(source));
  } catch (error) {
    throw damaged(source, reasonOf(error));
  }
}

/** @param {Exports} exports */
function coreOf(exports) {
  /** A C string; '' for NULL. The core's names and sentences are ASCII. @param {number} pointer */
  const text = (pointer) => {
    let string = '';
    if (pointer === 0) return string;
    const bytes = new Uint8Array(exports.memory.buffer);
    for (let i = pointer; bytes[i] > 0; i++) string += String.fromCharCode(bytes[i]);
    return string;
  };

  /** The names of a directory that ends with NULL. @param {(index: number) => number} nameAt @returns {string[]} */
  const names = (nameAt) => {
    const found = [];
    for (let name = text(nameAt(0)); name !== ''; name = text(nameAt(found.length))) found.push(name);
    return found;
  };

  /** @type {Map<string, Option>} */
  const options = new Map();
  for (const [index, name] of names((option) => exports.attn_option_name(option)).entries()) {
    options.set(name, { index, choices: names((choice) => exports.attn_choice_name(index, choice)) });
  }

  /** The module's memory, asked for anew when it has grown: the buffer from before is then empty. */
  let buffer = exports.memory.buffer;
  const memory = () => (buffer.byteLength > 0 ? buffer : (buffer = exports.memory.buffer));

  const tensors = Array.from({ length: exports.attn_tensor_count() }, (_, i) => text(exports.attn_tensor_name(i)));

  return Object.freeze({
    exports,
    text,
    /** The options of a layer by their C name. */
    options,
    /** The tensors of any layer, in order. */
    tensors,
    /** The number of each by its name. */
    tensorIndex: new Map(tensors.map((name, index) => [name, index])),
    /** The read-outs of a head, in order. */
    readouts: names((readout) => exports.attn_readout_name(readout)),
    /** The optimisers of attn_train_step, in order. */
    optimizers: names((optimizer) => exports.attn_optimizer_name(optimizer)),
    /** The schemes of attn_init, in order. */
    schemes: names((scheme) => exports.attn_scheme_name(scheme)),
    /** A view of n floats of the module's memory; it must not outlive the function that asked for it.
     * @param {number} pointer @param {number} n */
    floats: (pointer, n) => new Float32Array(memory(), pointer, n),
    /** The same of n integers. @param {number} pointer @param {number} n */
    integers: (pointer, n) => new Int32Array(memory(), pointer, n),
    /** @param {number} status */
    statusName: (status) => text(exports.attn_status_name(status)),
    /** @param {number} status */
    statusText: (status) => text(exports.attn_status_text(status)),
  });
}

/** @typedef {ReturnType<typeof coreOf>} Core */
