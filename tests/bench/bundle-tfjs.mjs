// Bundles TensorFlow.js with its gradients and its WebAssembly backend into build/bench-tfjs.cjs: its package for Node
// leaves the gradients out, and the part that has them cannot be loaded there as it comes. Read next: peers/tfjs.js.

import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

await build({
  stdin: {
    contents: `import '@tensorflow/tfjs-core/dist/register_all_gradients';
      export * from '@tensorflow/tfjs-core';
      export { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';`,
    resolveDir: fileURLToPath(new URL('.', import.meta.url)),
  },
  bundle: true,
  platform: 'node',
  mainFields: ['module', 'main'],
  format: 'cjs',
  outfile: fileURLToPath(new URL('../../build/bench-tfjs.cjs', import.meta.url)),
  logLevel: 'error',
});
