// Files that are not what they say: each gets a sentence of its own that names what was expected and what came, before
// anything is reserved for it, and nothing is read. Read next: io-arrays.test.js for what is read.

import assert from 'node:assert/strict';
import test from 'node:test';
import { zipSync } from 'fflate';
import { sourceOf } from '../../web/io/arrays.js';
import { readNpy } from '../../web/io/npy.js';
import { readNpz, writeNpz } from '../../web/io/npz.js';
import { readSafetensors } from '../../web/io/safetensors.js';
import { frozen } from './frames.js';
import { sentence } from './io-cases.js';
import { altered, described, find, offenderFiles } from './io-offender-files.js';

const READERS = { npy: readNpy, npz: readNpz, safetensors: readSafetensors };

for (const [name, ending, file, expected] of offenderFiles) {
  test(`${name} gets a sentence`, async () => {
    const before = file.slice();
    const outcome = await READERS[ending](sourceOf(file));
    assert.deepEqual(Object.keys(outcome), ['problem']);
    const text = sentence(frozen(outcome));
    assert.match(text, expected);
    assert.match(text, /Nothing was changed\.$/);
    assert.doesNotMatch(text, /undefined|NaN|\[object/);
    assert.deepEqual(file, before);
  });
}

test('a .npz whose bytes were altered is found out by its checksum when it is read', async () => {
  for (const deflate of [true, false]) {
    const file = writeNpz({ a: { shape: [50], data: Array.from({ length: 50 }, (_, i) => Math.sin(i)) } }, undefined, { deflate });
    const outcome = await readNpz(sourceOf(altered(file, 200, file[200] ^ 1)));
    const problem = 'problem' in outcome ? outcome : await outcome.arrays[0].read();
    assert.match(sentence(problem), /“a.npy” in this archive is damaged/);
  }
});

test('a .npz that unpacks to more or less than it declares is refused when it is read', async () => {
  const honest = described("'<f4'", '(2, 3)').length;
  for (const size of [honest + 20e6, honest + 1, honest - 1]) {
    const lying = zipSync({ 'a.npy': described("'<f4'", '(2, 3)', 24 + size - honest) });
    const at = find(lying, [0x50, 0x4b, 1, 2]) + 24;
    const outcome = await readNpz(sourceOf(altered(lying, at, ...new Uint8Array(Uint32Array.of(honest).buffer))));
    const problem = 'problem' in outcome ? outcome : await outcome.arrays[0].read();
    assert.match(sentence(problem), /“a.npy” in this archive is damaged/);
  }
});

test('numbers that a float32 cannot hold are refused with their place', async () => {
  const file = described("'<f8'", '(2, 3)', 48);
  new DataView(file.buffer).setFloat64(file.length - 8, 1e39, true);
  const stored = await readNpy(sourceOf(file));
  assert.ok(!('problem' in stored));
  assert.match(sentence(await stored.read()), /Row 2, column 3, holds 1e\+39/);
});
