// The entry of the engine for Node: the same as attention.js, but finds the module that make built by itself.
// Must not be imported by the page. Read next: attention.js.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { loadAttention as load } from './attention.js';
import { AttnError } from './errors.js';

export { AttnError };

const MODULE = new URL('../../build/attention.wasm', import.meta.url);

/** The bytes of the module that belongs to this package. */
async function readModule() {
  try {
    return await readFile(MODULE);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AttnError('module_missing',
      `the attention module was expected at ${fileURLToPath(MODULE)} and could not be read (${reason}); ` +
      'run make build, or give the bytes to loadAttention', { reason });
  }
}

/**
 * Load the module.
 * @param {BufferSource | WebAssembly.Module} [bytes] the content of attention.wasm; read from build/ if left out
 * @returns {Promise<import('./attention.js').Attention>}
 * @throws {AttnError} module_missing, module_damaged, no_webassembly, no_simd
 */
export async function loadAttention(bytes) {
  return load(bytes === undefined ? await readModule() : bytes);
}
