/**
 * NumPy's .npz files: a zip archive of .npy files. Reading lists the arrays by their headers; numbers are unpacked when
 * asked for. Writing adds the state as text, an array of its own, so that the file opens again as all that it was made
 * from, and numpy.load still reads every entry. Next to read: npy.js, zip.js.
 */

import { zipSync } from 'fflate';
import { problem, sourceOf, tooLarge } from './arrays.js';
import { MAX_HEADER, checkHeader, readHeader, readNpy, readNpyText, writeNpy, writeNpyText } from './npy.js';
import { readZip, unpack } from './zip.js';

/**
 * @typedef {import('./arrays.js').Problem} Problem
 * @typedef {import('./arrays.js').Stored} Stored
 * @typedef {import('./zip.js').Entry} Entry
 */

/** The entry that holds the state as JSON. */
const STATE = 'state';

/** The earliest date that a zip archive can bear: the same tensors give the same bytes. */
const mtime = new Date(1980, 0, 1, 12);

/**
 * @param {import('./arrays.js').Source} file
 * @returns {Promise<import('./arrays.js').Listed & { state: string | null } | Problem>} state: the text that writeNpz was given
 */
export async function readNpz(file) {
  const large = tooLarge(file.size);
  if (large) return large;
  const zip = await readZip(file);
  if ('problem' in zip) return zip;
  /** @type {import('./arrays.js').Listed} */
  const { arrays, refused } = { arrays: [], refused: [] };
  let state = null;
  for (const entry of zip.entries.filter(({ name }) => name.endsWith('.npy'))) {
    const name = entry.name.slice(0, -4);
    const text = name === STATE ? await textOf(entry) : null;
    if (text !== null) {
      state = text;
      continue;
    }
    const stored = await storedOf(entry, name);
    if ('problem' in stored) refused.push({ name, problem: stored.problem });
    else arrays.push(stored);
  }
  if (arrays.length > 0 || state !== null) return { arrays, refused, state };
  return refused.length > 0 ? { problem: refused[0].problem } : problem('problem-npz-empty', { count: zip.entries.length });
}

/** @param {Entry} entry @param {string} name @returns {Promise<Stored | Problem>} */
async function storedOf(entry, name) {
  const start = await unpack(entry, Math.min(MAX_HEADER, entry.size));
  if ('problem' in start) return start;
  const header = readHeader(start.bytes);
  if ('problem' in header) return header;
  const wrong = checkHeader(header, entry.size);
  if (wrong) return wrong;
  const read = async () => {
    const whole = await unpack(entry);
    if ('problem' in whole) return whole;
    const stored = await readNpy(sourceOf(whole.bytes));
    return 'problem' in stored ? stored : stored.read();
  };
  return { name, shape: header.shape, type: header.type, read };
}

/** @param {Entry} entry @returns {Promise<string | null>} */
async function textOf(entry) {
  const whole = await unpack(entry);
  return 'problem' in whole ? null : readNpyText(whole.bytes);
}

/**
 * @param {Record<string, { shape: number[], data: ArrayLike<number> }>} tensors by name
 * @param {string} [state] as JSON; anything but ASCII in it is escaped as JSON has it
 * @param {{ deflate?: boolean }} [how]
 * @returns {Uint8Array}
 */
export function writeNpz(tensors, state, { deflate = true } = {}) {
  /** @type {Record<string, Uint8Array>} */
  const files = {};
  for (const [name, tensor] of Object.entries(tensors)) files[`${name}.npy`] = writeNpy(tensor);
  if (state !== undefined) files[`${STATE}.npy`] = writeNpyText(state.replace(/[^\0-\x7f]/g, escaped));
  return zipSync(files, { level: deflate ? 6 : 0, mtime });
}

/** @param {string} unit one code unit */
function escaped(unit) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
