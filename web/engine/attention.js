// The entry of the engine for the page and for any environment that has the module's bytes; node.js is the entry for
// Node. It must not fetch, read files or touch a document. Read next: layer.js.

import { AttnError, errorFor } from './errors.js';
import { uniformFloor } from './floor.js';
import { foresee } from './foresee.js';
import { Layer } from './layer.js';
import { openModule } from './module.js';
import { checkSeed, integer } from './numbers.js';
import { readObject } from './options.js';

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
   * Make a layer: every tensor zero, nothing computed yet. End it with its dispose(). Its options: options.js.
   * @param {LayerOptions} options
   * @returns {Layer}
   * @throws {import('./errors.js').AttnError} wrong_type, unknown_option, unknown_choice, size_not_positive,
   *   heads_do_not_divide, too_large, out_of_memory, bias_without_out, gradients_without_weights, width_is_fixed,
   *   not_kept, number_not_finite, number_too_large, index_out_of_range
   */
  const createLayer = (options) => new Layer(core, options, 'createLayer');

  /**
   * A layer whose w_query is a matrix of one column, and what init draws first.
   * @param {string} what is named if there is no room: the caller asked for no layer
   * @param {number} count
   */
  function layerFor(what, count) {
    try {
      return createLayer({ nTokens: 1, dIn: count, dOut: 1, keepWeights: false });
    } catch (error) {
      throw error instanceof AttnError ? errorFor(error.code, { ...error.context, what }) : error;
    }
  }

  return Object.freeze({
    createLayer,

    /**
     * How many bytes a layer of these options would take, and the most that one may: nothing is allocated.
     * @param {LayerOptions} options as for createLayer
     * @returns {{ bytes: number, maxBytes: number }} approximate above 2⁵³
     * @throws {import('./errors.js').AttnError} those of createLayer, but too_large and out_of_memory
     */
    layerBytes(options) {
      const { bytes, maxBytes } = foresee(core, options, 'layerBytes').facts;
      return { bytes, maxBytes };
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
      if (integer(count, "random's count") < 1) throw errorFor('size_not_positive', { sizes: { "random's count": count } });
      const layer = layerFor(`random(${seed}, ${count})`, count);
      try {
        return layer.init('torch.rand', seed).get('w_query').data;
      } finally {
        layer.dispose();
      }
    },

    /**
     * The best loss, to about 1e-4 of its size, that a layer of these options can reach on these inputs and targets
     * while its attention is frozen to uniform. Takes up to 3000 training steps, in a layer of its own that keeps what
     * training needs.
     * @param {import('./floor.js').FloorOptions} options
     * @returns {number}
     * @throws {import('./errors.js').AttnError} those of createLayer, set and trainStep
     */
    uniformFloor(options) {
      readObject(options, ['layer', 'inputs', 'targets', 'targetRows'], 'uniformFloor');
      foresee(core, options.layer, "uniformFloor's layer");
      return uniformFloor((own) => new Layer(core, own, "uniformFloor's layer"), options);
    },
  });
}
