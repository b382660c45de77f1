// The entry of the engine for the page and for any environment that has the module's bytes; node.js is the entry for
// Node. It must not fetch, read files or touch a document. Read next: layer.js.

import { Layer } from './layer.js';
import { openModule } from './module.js';

export { AttnError } from './errors.js';

/**
 * @typedef {import('./layer.js').LayerOptions} LayerOptions
 * @typedef {{ createLayer(options: LayerOptions): Layer }} Attention
 */

/**
 * Load the module. Layers of one Attention share its memory and nothing else.
 * @param {BufferSource | WebAssembly.Module} bytes the content of attention.wasm
 * @returns {Promise<Attention>}
 * @throws {import('./errors.js').AttnError} module_missing, module_damaged, no_webassembly, no_simd
 */
export async function loadAttention(bytes) {
  const core = await openModule(bytes);
  return Object.freeze({
    /**
     * Make a layer: every tensor zero, nothing computed yet. End it with its dispose().
     * @param {LayerOptions} options
     * @returns {Layer}
     * @throws {import('./errors.js').AttnError} wrong_type, unknown_option, unknown_choice, size_not_positive,
     *   heads_do_not_divide, too_large, out_of_memory, bias_without_out, width_is_fixed, number_not_finite,
     *   number_too_large
     */
    createLayer: (options) => new Layer(core, options),
  });
}
