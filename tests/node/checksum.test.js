// The checksum that guards the module: the published check value of CRC-32, its edges, and the seal that holds it.
// Read next: ../../web/engine/checksum.js; loading.test.js damages the module itself.

import assert from 'node:assert/strict';
import test from 'node:test';
import { crc32, damageOf, sealed } from '../../web/engine/checksum.js';

test('the checksum is CRC-32: its published check value, that of nothing, and leading zeros kept', () => {
  assert.equal(crc32(new TextEncoder().encode('123456789')), 'cbf43926');
  assert.equal(crc32(new Uint8Array(0)), '00000000');
  assert.equal(crc32(new Uint8Array([0, 0, 0, 0])), '2144df1c');
  assert.equal(crc32(new TextEncoder().encode('plumless')), '4ddb0c25');
});

test('the checksum notices every single altered byte', () => {
  const bytes = Uint8Array.from({ length: 300 }, (_, i) => (i * 7) % 256);
  const sums = new Set([crc32(bytes)]);
  for (let i = 0; i < bytes.length; i += 1) sums.add(crc32(bytes.map((byte, j) => (j === i ? byte ^ 1 : byte))));
  assert.equal(sums.size, 301);
});

test('sealed bytes are followed by a custom section with their checksum, and damage to any part shows', () => {
  const bytes = new TextEncoder().encode('123456789');
  const whole = sealed(bytes);
  assert.deepEqual([...whole], [...bytes, 0, 10, 5, ...new TextEncoder().encode('crc32'), 0xcb, 0xf4, 0x39, 0x26]);
  assert.equal(damageOf(whole), null);
  whole.forEach((_, i) => assert.notEqual(damageOf(whole.map((byte, j) => (j === i ? byte ^ 128 : byte))), null, `byte ${i}`));
  assert.equal(damageOf(Uint8Array.of(0x30, ...whole.slice(1))),
    `expected the checksum cbf43926, got ${crc32(new TextEncoder().encode('023456789'))}`);
  for (const short of [new Uint8Array(0), whole.slice(0, -1), bytes]) {
    assert.equal(damageOf(short), 'expected its checksum at the end, got none');
  }
});
