// CRC-32 as in zip and PNG, and the seal by which the module's bytes are told to be whole: a custom section "crc32" at
// their end, which holds the checksum of all that stands before it. It tells damage by accident, not by intent; it is
// here because damaged code compiles more often than not, and a browser's own digests are missing where a page is not
// served securely. Pure. Read next: module.js, which checks the seal; tools/seal.mjs, which puts it on.

/** The section's head: custom, 10 bytes follow, of which 5 are its name. */
const HEAD = [0, 10, 5, ...[...'crc32'].map((letter) => letter.charCodeAt(0))];
const SEAL_BYTES = HEAD.length + 4;

/** What becomes of each byte in eight steps of a bit, so that the module is summed up before anyone waits for it. */
const STEPS = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  return crc;
});

/** @param {Uint8Array} bytes @returns {string} eight hexadecimal digits */
export function crc32(bytes) {
  let crc = -1;
  for (let i = 0; i < bytes.length; i += 1) crc = (crc >>> 8) ^ STEPS[(crc ^ bytes[i]) & 255];
  return (~crc >>> 0).toString(16).padStart(8, '0');
}

/** A module with its seal at the end. @param {Uint8Array} module @returns {Uint8Array} */
export function sealed(module) {
  const bytes = new Uint8Array(module.length + SEAL_BYTES);
  bytes.set(module);
  bytes.set(HEAD, module.length);
  new DataView(bytes.buffer).setUint32(module.length + HEAD.length, parseInt(crc32(module), 16));
  return bytes;
}

/** What is wrong with a sealed module's bytes, in words; null: they are whole. @param {Uint8Array} bytes */
export function damageOf(bytes) {
  const length = bytes.length - SEAL_BYTES;
  if (length < 0 || HEAD.some((byte, i) => bytes[length + i] !== byte)) return 'expected its checksum at the end, got none';
  const expected = [...bytes.slice(-4)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const got = crc32(bytes.subarray(0, length));
  return got === expected ? null : `expected the checksum ${expected}, got ${got}`;
}
