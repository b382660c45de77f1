/**
 * CRC-32 as in zip and PNG: tells damage by accident, not by intent. Pure. A browser's own digests are missing where
 * a page is not served securely, and a damaged wasm module compiles more often than not.
 * Next to read: ../app/main.js, which checks the module by it.
 */

/** @param {Uint8Array} bytes @returns {string} eight hexadecimal digits */
export function crc32(bytes) {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (~crc >>> 0).toString(16).padStart(8, '0');
}
