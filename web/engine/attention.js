// The entry of the engine for the page and for any environment that has the module's bytes; node.js is the entry for
// Node. It must not fetch, read files or touch a document. Read next: layer.js.

import { errorFor } from './errors.js';
import { uniformFloor } from './floor.js';
import { Layer } from './layer.js';
import { openModule } from './module.js';
import { checkSeed, integer } from './numbers.js';
import { readLayerOptions, readObject, shapeArguments } from './options.js';

export { AttnError } from './errors.js';

/**
 * @typedef {import('./layer.js').LayerOptions} LayerOptions
 * @typedef {object} Attention
 * @property {(options: LayerOptions) => Layer} createLayer
 * @property {(options: LayerOptions) => { bytes: number, maxBytes: number }} layerBytes
 * @property {(seed: number, count: number) => Float32Array} random
 * @property {(options: import('./floor.js').FloorOptions) => number} uniformFloor
 */

/**
 * Load the module. Layers of one Attention share its memory and nothing else.
 * @param {BufferSource | WebAssembly.Module} bytes the content of attention.wasm
 * @returns {Promise<Attention>}
 * @throws {import('./errors.js').AttnError} module_missing, module_damaged, no_webassembly, no_simd
 */
export async function loadAttention(bytes) {
  const core = await openModule(bytes);
  /**
   * Make a layer: every tensor zero, nothing computed yet. End it with its dispose().
   * @param {LayerOptions} options
   * @returns {Layer}
   * @throws {import('./errors.js').AttnError} wrong_type, unknown_option, unknown_choice, size_not_positive,
   *   heads_do_not_divide, too_large, out_of_memory, bias_without_out, width_is_fixed, number_not_finite,
   *   number_too_large
   */
  const createLayer = (options) => new Layer(core, options);

  return Object.freeze({
    createLayer,

    /**
     * How many bytes a layer of these options would take, and the most that one may: nothing is allocated.
     * @param {LayerOptions} options as for createLayer
     * @returns {{ bytes: number, maxBytes: number }} approximate above 2⁵³
     * @throws {import('./errors.js').AttnError} wrong_type, unknown_option, unknown_choice, number_not_finite
     */
    layerBytes(options) {
      const bytes = core.exports.attn_shape_bytes(...shapeArguments(readLayerOptions(core.options, options).shape));
      return { bytes, maxBytes: core.exports.attn_max_bytes() };
    },

    /**
     * The numbers that PyTorch's torch.rand(count) draws after torch.manual_seed(seed): uniform in [0, 1).
     * @param {number} seed a whole number from 0 to 2³² − 1
     * @param {number} count at least 1
     * @returns {Float32Array}
     * @throws {import('./errors.js').AttnError} wrong_type, size_not_positive, too_large, out_of_memory
     */
    random(seed, count) {
      checkSeed(seed, "random's seed");
      if (integer(count, 'count') < 1) throw errorFor('size_not_positive', { sizes: { count } });
      // A matrix of one column, which init draws first.
      const layer = createLayer({ nTokens: 1, dIn: count, dOut: 1 });
      try {
        return layer.init('torch.rand', seed).get('w_query').data;
      } finally {
        layer.dispose();
      }
    },

    /**
     * The best loss, to about 1e-4 of its size, that a layer of these options can reach on these inputs and targets
     * while its attention is frozen to uniform. Takes up to 3000 training steps, in a layer of its own.
     * @param {import('./floor.js').FloorOptions} options
     * @returns {number}
     * @throws {import('./errors.js').AttnError} those of createLayer, set and trainStep
     */
    uniformFloor(options) {
      readObject(options, ['layer', 'inputs', 'targets', 'targetRows'], 'uniformFloor');
      return uniformFloor(createLayer, options);
    },
  });
}
