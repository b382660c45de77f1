// What it takes to get a first result: the time from the start of a process, and the bytes that a page would have to
// fetch. Read next: processes.js.

import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { performance } from 'node:perf_hooks';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SIZES } from './problem.js';
import { start } from './processes.js';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const MODULE = fileURLToPath(new URL('../../build/attention.wasm', import.meta.url));

/**
 * Milliseconds from the start of a process of its own, Node's own start included, until the peer has computed the
 * smallest size.
 * @param {string} name a peer
 */
export async function firstResult(name) {
  const began = performance.now();
  const peer = start(name);
  try {
    await peer.ask({ prepare: { kind: 'forward', size: SIZES[0], causal: false } });
    return performance.now() - began;
  } finally {
    await peer.stop();
  }
}

/** What a page needs of each library to compute attention: exports bundled and minified, and files beside. */
const NEEDED = {
  'onnxruntime-web': {
    script: 'export { InferenceSession, Tensor, env } from "onnxruntime-web/wasm"',
    files: ['onnxruntime-web/dist/ort-wasm-simd-threaded.wasm'],
  },
  'tfjs-wasm': {
    script: 'export * from "@tensorflow/tfjs-core"; export { setWasmPaths } from "@tensorflow/tfjs-backend-wasm"',
    files: ['@tensorflow/tfjs-backend-wasm/wasm-out/tfjs-backend-wasm-simd.wasm'],
  },
  'jax-js': { script: 'export { init, defaultDevice, jit, nn, numpy } from "@jax-js/jax"', files: [] },
  ours: { script: 'export { loadAttention } from "../../web/engine/attention.js"', files: [MODULE] },
};

/** @returns {Promise<Record<string, number>>} bytes by library, uncompressed */
export async function bytesOf() {
  const { build } = await import('esbuild');
  /** @type {Record<string, number>} */
  const bytes = {};
  for (const [name, { script, files }] of Object.entries(NEEDED)) {
    const bundled = await build({
      stdin: { contents: script, resolveDir: HERE }, bundle: true, minify: true, write: false, format: 'esm',
      platform: 'browser', logLevel: 'error',
    });
    const beside = files.map((file) => statSync(file.startsWith('/') ? file : join(HERE, 'node_modules', file)).size);
    bytes[name] = [bundled.outputFiles[0].contents.length, ...beside].reduce((sum, size) => sum + size, 0);
  }
  return bytes;
}
