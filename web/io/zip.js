/**
 * What a zip archive holds, and its entries one at a time, stored or deflated. The sizes that an archive declares are
 * limits, not promises: unpacking stops where an entry grows beyond its own. Zip64, encryption and other methods are
 * refused. fflate unpacks; it checks neither sizes nor checksums, so that is done here. Next to read: npz.js.
 */

import { Inflate } from 'fflate';
import { crc32 } from '../engine/checksum.js';
import { MAX_BYTES, problem, quoted } from './arrays.js';

/**
 * @typedef {import('./arrays.js').Problem} Problem
 * @typedef {{ name: string, method: number, crc: number, packed: Uint8Array, size: number }} Entry
 */

const END = 0x06054b50;
const DIRECTORY = 0x02014b50;
const LOCAL = 0x04034b50;
const MAX_ENTRIES = 1000;
const CHUNK = 16384;

/** @param {Uint8Array} bytes @returns {{ entries: Entry[] } | Problem} */
export function readZip(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEnd(view);
  if (end < 0) return problem('problem-zip-end');
  const [count, from] = [view.getUint16(end + 10, true), view.getUint32(end + 16, true)];
  if (count > MAX_ENTRIES) return problem('problem-zip-many', { got: count, limit: MAX_ENTRIES });
  /** @type {Entry[]} */
  const entries = [];
  let sum = 0;
  for (let i = 0, at = from; i < count; i += 1) {
    const entry = at + 46 <= end && view.getUint32(at, true) === DIRECTORY ? entryAt(bytes, view, at, end) : null;
    if (!entry) return problem('problem-zip-directory', { entry: i + 1, count });
    if ('problem' in entry) return entry;
    if (entries.some(({ name }) => name === entry.name)) return problem('problem-zip-twice', { name: quoted(entry.name) });
    sum += entry.size;
    if (sum > MAX_BYTES) return problem('problem-zip-large', { limit: MAX_BYTES / 1e6 });
    entries.push(entry);
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return { entries };
}

/** Where the end record begins, searched from the end: a comment of up to 65,535 bytes may follow. @param {DataView} view */
function findEnd(view) {
  const last = view.byteLength - 22;
  for (let at = last; at >= Math.max(0, last - 65535); at -= 1) if (view.getUint32(at, true) === END) return at;
  return -1;
}

/**
 * One line of the directory; null if it does not fit the file.
 * @param {Uint8Array} bytes @param {DataView} view @param {number} at @param {number} end
 * @returns {Entry | Problem | null}
 */
function entryAt(bytes, view, at, end) {
  const nameEnd = at + 46 + view.getUint16(at + 28, true);
  if (nameEnd > end) return null;
  const name = new TextDecoder().decode(bytes.subarray(at + 46, nameEnd));
  const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)];
  if (flags & 1 || (method !== 0 && method !== 8)) return problem('problem-zip-method', { name: quoted(name) });
  const [crc, packedSize, size, local] = [16, 20, 24, 42].map((offset) => view.getUint32(at + offset, true));
  if (local + 30 > end || view.getUint32(local, true) !== LOCAL) return null;
  const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  if (start + packedSize > end || (method === 0 && packedSize !== size)) return null;
  return { name, method, crc, packed: bytes.subarray(start, start + packedSize), size };
}

/**
 * An entry's bytes: all of them, checked against size and checksum, or the first ones only, unchecked.
 * @param {Entry} entry @param {number} [first] how many bytes are enough
 * @returns {{ bytes: Uint8Array } | Problem}
 */
export function unpack(entry, first = Infinity) {
  const bytes = entry.method === 0 ? entry.packed.subarray(0, first) : inflated(entry, Math.min(first, entry.size));
  if (bytes === null) return problem('problem-zip-damaged', { name: quoted(entry.name) });
  if (first < entry.size) return { bytes };
  const sound = bytes.length === entry.size && parseInt(crc32(bytes), 16) === entry.crc;
  return sound ? { bytes } : problem('problem-zip-damaged', { name: quoted(entry.name) });
}

/**
 * Inflate until `wanted` bytes are there. Null if the data are damaged, or more than the declared size.
 * @param {Entry} entry @param {number} wanted
 */
function inflated({ packed, size }, wanted) {
  /** @type {Uint8Array[]} */
  const parts = [];
  let got = 0;
  const inflate = new Inflate((part) => {
    parts.push(part);
    got += part.length;
  });
  try {
    for (let at = 0; at < packed.length && got < Math.max(wanted, 1); at += CHUNK) {
      inflate.push(packed.subarray(at, at + CHUNK), at + CHUNK >= packed.length);
    }
  } catch {
    // fflate throws what it finds wrong; here any of it means the same.
    return null;
  }
  if (got < wanted || (wanted === size && got > size)) return null;
  const bytes = new Uint8Array(got);
  parts.reduce((at, part) => { bytes.set(part, at); return at + part.length; }, 0);
  return bytes.subarray(0, wanted);
}
