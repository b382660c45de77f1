// Loading the module: what it may be given, and the sentence for what it may not. And the module itself: its size, its
// one import, and that nothing but it comes out of the build. Read next: web/engine/module.js.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';
import { AttnError, loadAttention } from '../../web/engine/node.js';
import { loadAttention as loadBytes } from '../../web/engine/attention.js';
import { sealed } from '../../web/engine/checksum.js';

const BUILD = new URL('../../build/', import.meta.url);
const BYTES = readFileSync(new URL('attention.wasm', BUILD));

/**
 * @param {unknown} source
 * @param {string} code
 * @param {RegExp} message
 */
const refuses = (source, code, message) => assert.rejects(loadBytes(/** @type {any} */ (source)), (error) => {
  assert.ok(error instanceof AttnError, `an AttnError was expected, got ${error}`);
  assert.match(error.message, message);
  assert.equal(error.code, code);
  return true;
});

/**
 * Put something else in the place of a property for the time of a call.
 * @param {any} object
 * @param {string} name
 * @param {unknown} value
 * @param {() => Promise<unknown>} call
 */
async function stubbed(object, name, value, call) {
  const original = Object.getOwnPropertyDescriptor(object, name);
  Object.defineProperty(object, name, { configurable: true, writable: true, value });
  try {
    await call();
  } finally {
    Object.defineProperty(object, name, /** @type {PropertyDescriptor} */ (original));
  }
}

test('the module loads from a typed array, an ArrayBuffer, a compiled module, and by itself in Node', async () => {
  const buffer = BYTES.buffer.slice(BYTES.byteOffset, BYTES.byteOffset + BYTES.byteLength);
  for (const source of [BYTES, new Uint8Array(BYTES), buffer, await WebAssembly.compile(BYTES), undefined]) {
    const attention = await loadAttention(/** @type {any} */ (source));
    assert.ok(Object.isFrozen(attention));
    const layer = attention.createLayer({ nTokens: 2, dIn: 2, scoreSource: 'given' });
    layer.set('inputs', [[1, 2], [3, 4]]).set('attn_weights', [[0.5, 0.5], [0, 1]]).forward();
    assert.deepEqual([...layer.get('context_vecs').data], [2, 3, 3, 4]);
  }
});

test('what is no module at all is refused with what was expected and what came', async () => {
  for (const [source, came] of /** @type {[unknown, string][]} */ ([[undefined, 'nothing'], [null, 'null'],
    ['attention.wasm', "'attention.wasm'"], [{}, 'an object'], [[0, 97, 115, 109], 'an array']])) {
    await refuses(source, 'module_missing',
      new RegExp(`^loadAttention needs the bytes of attention\\.wasm .* or a WebAssembly\\.Module; got ${came}$`));
  }
});

test('a damaged module is refused with its size and why: empty, cut off, a web page, changed, another', async () => {
  const damaged = /^attention\.wasm must be the WebAssembly module that make builds; got \d+ bytes that cannot be/;
  await refuses(new Uint8Array(0), 'module_damaged', damaged);
  await refuses(BYTES.subarray(0, BYTES.length >> 1), 'module_damaged', damaged);
  await refuses(new TextEncoder().encode('<!doctype html><title>404 Not Found</title>'), 'module_damaged', damaged);
  const changed = new Uint8Array(BYTES);
  changed[4] = 9;
  await refuses(changed, 'module_damaged', damaged);
  const other = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
  await refuses(other, 'module_damaged', /got 8 bytes that cannot be loaded \(expected its checksum at the end, got none\)/);
  await refuses(sealed(changed.subarray(0, -12)), 'module_damaged', /\(WebAssembly.*\); copy or build the file again$/);
});

test('one altered bit, anywhere in the module, and it is refused: nothing is computed with it', async () => {
  const ends = BYTES.length - 40; // with every bit of the checksum itself
  for (let at = 0; at < BYTES.length; at += at < ends ? 97 : 1) {
    for (let bit = 0; bit < 8; bit += 1) {
      const changed = Uint8Array.from(BYTES);
      changed[at] ^= 1 << bit;
      await refuses(changed, 'module_damaged', /cannot be loaded \(expected (the|its) checksum .*, got \w+\)/);
    }
  }
});

/** A module that exports a memory and functions of these names, all of which trap. @param {string[]} names */
function trapping(names) {
  const sized = (/** @type {number[]} */ content) => [content.length & 127 | 128, content.length >> 7, ...content];
  const section = (/** @type {number} */ id, /** @type {number[]} */ ...content) => [id, ...sized(content)];
  const exported = (/** @type {string} */ name, /** @type {number} */ kind) =>
    [...sized([...new TextEncoder().encode(name)]), kind, 0];
  return WebAssembly.compile(new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0,
    ...section(1, 1, 96, 0, 0), ...section(3, 1, 0), ...section(5, 1, 0, 1),
    ...section(7, names.length + 1, ...exported('memory', 2), ...names.flatMap((name) => exported(name, 0))),
    ...section(10, 1, 3, 0, 0, 11), // the one function: unreachable
  ]));
}

test('a compiled module of another program is refused: three missing functions are named, the rest counted', async () => {
  const needed = WebAssembly.Module.exports(await WebAssembly.compile(BYTES))
    .map(({ name }) => name).filter((name) => name === '_initialize' || name.startsWith('attn_'));
  await refuses(await trapping([]), 'module_damaged', new RegExp('^attention\\.wasm must be .*; got a compiled module that ' +
    `cannot be loaded \\(it does not export _initialize, attn_\\w+, attn_\\w+ and ${needed.length - 3} more: it belongs`));
  await refuses(await trapping(needed.filter((name) => name !== 'attn_forward')), 'module_damaged',
    /\(it does not export attn_forward: it belongs to another version or another program\)/);
  await refuses(await trapping(needed), 'module_damaged', /got a compiled module that cannot be loaded \(unreachable\)/);
  const importing = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 2, 7, 1, 1, 97, 1, 98, 0, 0]);
  await refuses(await WebAssembly.compile(importing), 'module_damaged', /got a compiled module .* \(.*import.*\)/i);
});

test('an environment without SIMD, or without WebAssembly, is told what it lacks and what to use', async () => {
  await stubbed(WebAssembly, 'validate', () => false, () =>
    refuses(BYTES, 'no_simd', /^attention needs WebAssembly with SIMD, which this environment does not have; use/));
  await stubbed(globalThis, 'WebAssembly', undefined, () =>
    refuses(BYTES, 'no_webassembly', /^attention needs WebAssembly, which this environment does not have; use/));
  await loadAttention();
});

test('where a browser lets nothing of this size be compiled at once, it is compiled all the same', async () => {
  let refusals = 0;
  const refusing = new Proxy(WebAssembly.Module, {
    construct() {
      refusals += 1;
      throw new RangeError('larger than 4KB');
    },
  });
  await stubbed(WebAssembly, 'Module', refusing, async () => {
    const layer = (await loadBytes(BYTES)).createLayer({ nTokens: 1, dIn: 1, dOut: 1 });
    layer.dispose();
  });
  assert.equal(refusals, 1);
});

test('the module is smaller than 64 KB and imports one function, the notice that memory grew', async () => {
  assert.ok(BYTES.length < 64 * 1024, `${BYTES.length} bytes`);
  const module = await WebAssembly.compile(BYTES);
  assert.deepEqual(WebAssembly.Module.imports(module),
    [{ module: 'env', name: 'emscripten_notify_memory_growth', kind: 'function' }]);
});

test('every function of attention.h is exported, and nothing more of it', async () => {
  const header = readFileSync(new URL('../../src/attention.h', import.meta.url), 'utf8');
  const declared = [...header.matchAll(/^[a-z][\w ]*[ *](attn_\w+)\(/gm)].map((match) => match[1]);
  const names = WebAssembly.Module.exports(await WebAssembly.compile(BYTES)).map(({ name }) => name);
  assert.deepEqual(names.filter((name) => name.startsWith('attn_')).sort(), declared.sort());
  assert.ok(names.includes('memory') && names.includes('_initialize'));
});

test('the build leaves no JavaScript beside the module', () => {
  assert.deepEqual(readdirSync(BUILD).filter((name) => /^attention\..*/.test(name)), ['attention.wasm']);
});
