// The checksum that guards the module inside the page: the published check value of CRC-32, and its edges.
// Read next: ../../web/model/checksum.js.

import assert from 'node:assert/strict';
import test from 'node:test';
import { crc32 } from '../../web/model/checksum.js';

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
