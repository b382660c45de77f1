// How fast this machine multiplies and adds in WebAssembly SIMD, and what part of that the module's own product of
// two 512 × 512 matrices reaches; both compiled with the module's flags into build/bench.wasm. Read next: ceiling.c.

import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

const MODULE = fileURLToPath(new URL('../../build/bench.wasm', import.meta.url));
const REPETITIONS = 30;

/**
 * Both figures, measured in turns. The best of each: a limit is what is reached when nothing else runs.
 * @returns {Promise<{ chainsGflops: number, productGflops: number }>}
 */
export async function ceiling() {
  const { instance } = await WebAssembly.instantiate(readFileSync(MODULE), {
    wasi_snapshot_preview1: new Proxy({}, { get: () => () => 0 }),
  });
  const c = /** @type {Record<string, (...numbers: number[]) => number>} */ (instance.exports);
  c._initialize();
  /** @param {() => number} run @param {number} operations @returns {number} GFLOP/s */
  function rate(run, operations) {
    const start = performance.now();
    const result = run();
    if (!Number.isFinite(result)) throw new Error(`the ceiling's arithmetic gave ${result}`);
    return operations / (performance.now() - start) / 1e6;
  }
  const chains = [];
  const products = [];
  for (let i = 0; i <= REPETITIONS; i++) {
    const both = [
      rate(() => c.bench_chains(0.5, 0.1), c.bench_chain_operations()),
      rate(() => c.bench_product(), c.bench_product_operations()),
    ];
    if (i === 0) continue; // warms up
    chains.push(both[0]);
    products.push(both[1]);
  }
  return { chainsGflops: Math.max(...chains), productGflops: Math.max(...products) };
}
