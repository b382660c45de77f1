// Runs the C tests as WebAssembly, compiled with the flags of the module that ships:
//   node tests/c/run_wasm.mjs build/c-tests.wasm
// Gives them the one thing that they need of a system: somewhere to print. Exits with their exit code.
import { readFileSync, writeSync } from 'node:fs';

/** @type {WebAssembly.Memory} */
let memory;

/** Print n buffers, each an address and a size at `buffers`, and store the number of bytes at `written`.
 * @param {number} file @param {number} buffers @param {number} n @param {number} written */
function fd_write(file, buffers, n, written) {
  const view = new DataView(memory.buffer);
  let total = 0;
  for (let k = 0; k < n; k++) {
    const start = view.getUint32(buffers + 8 * k, true);
    const size = view.getUint32(buffers + 8 * k + 4, true);
    if (size > 0) writeSync(file, new Uint8Array(memory.buffer, start, size));
    total += size;
  }
  view.setUint32(written, total, true);
  return 0;
}

/** What else printing links to: nothing that a test may call. @param {string} name */
const refuse = (name) => () => {
  throw new Error(`The C tests called ${name}`);
};

const module = new WebAssembly.Module(readFileSync(process.argv[2]));
/** @type {Record<string, Record<string, Function>>} */
const imports = {};
for (const { module: from, name } of WebAssembly.Module.imports(module)) {
  (imports[from] ??= {})[name] = refuse(name);
}
imports.wasi_snapshot_preview1.fd_write = fd_write;
imports.env.emscripten_notify_memory_growth = () => {};

const { exports } = new WebAssembly.Instance(module, /** @type {WebAssembly.Imports} */ (imports));
const { memory: itsMemory, _initialize: initialize, main } = /** @type {Record<string, any>} */ (exports);
memory = itsMemory;
initialize();
process.exitCode = main(0, 0);
