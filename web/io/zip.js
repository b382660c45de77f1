/**
 * What a zip archive holds, and its entries one at a time, stored or deflated. The sizes that an archive declares are
 * limits, not promises: unpacking stops where an entry grows beyond its own. Zip64, encryption and other methods are
 * refused. fflate unpacks; it checks neither sizes nor checksums, so that is done here. Next to read: npz.js.
 */

import { Inflate } from 'fflate';
import { crc32 } from '../engine/checksum.js';
import { MAX_BYTES, partOf, problem, quoted } from './arrays.js';

/**
 * @typedef {import('./arrays.js').Problem} Problem
 * @typedef {import('./arrays.js').Source} Source
 * @typedef {{ name: string, method: number, crc: number, packed: Source, size: number }} Entry
 */

const END = 0x06054b50;
const DIRECTORY = 0x02014b50;
const LOCAL = 0x04034b50;
const MAX_ENTRIES = 1000;
/** The end record, and the longest comment behind it. */
const MAX_END = 22 + 65535;
const CHUNK = 16384;

/** @param {Source} file @returns {Promise<{ entries: Entry[] } | Problem>} */
export async function readZip(file) {
  const tail = viewOf(await file.read(Math.max(0, file.size - MAX_END), file.size));
  const found = findEnd(tail);
  if (found < 0) return problem('problem-zip-end');
  const end = file.size - tail.byteLength + found;
  const [count, from] = [tail.getUint16(found + 10, true), tail.getUint32(found + 16, true)];
  if (count > MAX_ENTRIES) return problem('problem-zip-many', { got: count, limit: MAX_ENTRIES });
  const directory = viewOf(await file.read(Math.min(from, end), end));
  /** @type {Entry[]} */
  const entries = [];
  const names = new Set();
  let sum = 0;
  for (let i = 0, at = 0; i < count; i += 1) {
    const line = at + 46 <= directory.byteLength && directory.getUint32(at, true) === DIRECTORY;
    const entry = line ? await entryAt(file, directory, at, end) : null;
    if (!entry) return problem('problem-zip-directory', { entry: i + 1, count });
    if ('problem' in entry) return entry;
    if (names.has(entry.name)) return problem('problem-zip-twice', { name: quoted(entry.name) });
    names.add(entry.name);
    sum += entry.size;
    if (sum > MAX_BYTES) return problem('problem-zip-large', { limit: MAX_BYTES / 1e6 });
    entries.push(entry);
    at += 46 + directory.getUint16(at + 28, true) + directory.getUint16(at + 30, true) + directory.getUint16(at + 32, true);
  }
  return { entries };
}

/** @param {Uint8Array} bytes */
const viewOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Where the end record begins, searched from the end, for a comment may follow. @param {DataView} view */
function findEnd(view) {
  for (let at = view.byteLength - 22; at >= 0; at -= 1) if (view.getUint32(at, true) === END) return at;
  return -1;
}

/**
 * One line of the directory; null if it does not fit the file.
 * @param {Source} file @param {DataView} directory @param {number} at the line's place in it @param {number} end of all entries
 * @returns {Promise<Entry | Problem | null>}
 */
async function entryAt(file, directory, at, end) {
  const length = directory.getUint16(at + 28, true);
  if (at + 46 + length > directory.byteLength) return null;
  const name = new TextDecoder().decode(new Uint8Array(directory.buffer, directory.byteOffset + at + 46, length));
  const [flags, method] = [directory.getUint16(at + 8, true), directory.getUint16(at + 10, true)];
  if (flags & 1 || (method !== 0 && method !== 8)) return problem('problem-zip-method', { name: quoted(name) });
  const [crc, packedSize, size, place] = [16, 20, 24, 42].map((offset) => directory.getUint32(at + offset, true));
  if (place + 30 > end) return null;
  const local = viewOf(await file.read(place, place + 30));
  if (local.getUint32(0, true) !== LOCAL) return null;
  const start = place + 30 + local.getUint16(26, true) + local.getUint16(28, true);
  if (start + packedSize > end || (method === 0 && packedSize !== size)) return null;
  return { name, method, crc, packed: partOf(file, start, start + packedSize), size };
}

/**
 * An entry's bytes: all of them, checked against size and checksum, or the first ones only, unchecked.
 * @param {Entry} entry @param {number} [first] how many bytes are enough
 * @returns {Promise<{ bytes: Uint8Array } | Problem>}
 */
export async function unpack(entry, first = Infinity) {
  const bytes = entry.method === 0 ? await entry.packed.read(0, Math.min(first, entry.size)) : await inflated(entry, Math.min(first, entry.size));
  if (bytes === null) return problem('problem-zip-damaged', { name: quoted(entry.name) });
  if (first < entry.size) return { bytes };
  const sound = bytes.length === entry.size && parseInt(crc32(bytes), 16) === entry.crc;
  return sound ? { bytes } : problem('problem-zip-damaged', { name: quoted(entry.name) });
}

/**
 * Inflate until `wanted` bytes are there. Null if the data are damaged, or more than the declared size.
 * @param {Entry} entry @param {number} wanted
 */
async function inflated({ packed, size }, wanted) {
  /** @type {Uint8Array[]} */
  const parts = [];
  let got = 0;
  const inflate = new Inflate((part) => {
    parts.push(part);
    got += part.length;
  });
  for (let at = 0; at < packed.size && got < Math.max(wanted, 1); at += CHUNK) {
    const to = Math.min(at + CHUNK, packed.size);
    const part = await packed.read(at, to);
    try {
      inflate.push(part, to === packed.size);
    } catch {
      // fflate throws what it finds wrong; here any of it means the same.
      return null;
    }
  }
  if (got < wanted || (wanted === size && got > size)) return null;
  const bytes = new Uint8Array(got);
  parts.reduce((at, part) => { bytes.set(part, at); return at + part.length; }, 0);
  return bytes.subarray(0, wanted);
}
