/**
 * A file of any kind that the page reads, by its name: a whole state as text, or a list of arrays. Pure: whoever calls
 * brings the bytes. Next to read: json.js, pasted.js, npy.js, npz.js, safetensors.js.
 */

import { problem, quoted, tooLarge } from './arrays.js';
import { MAX_TEXT } from './json.js';
import { readNpy } from './npy.js';
import { readNpz } from './npz.js';
import { readPasted } from './pasted.js';
import { readSafetensors } from './safetensors.js';

/**
 * @typedef {import('./arrays.js').Stored} Stored
 * @typedef {{ arrays: Stored[], refused: import('./arrays.js').Listed['refused'], labels: string[] | null }} OpenedArrays
 * @typedef {{ state: string } | OpenedArrays | import('./arrays.js').Problem} OpenedFile  refused: arrays that cannot be
 *   read, and why
 */

/** UTF-8 takes at most three bytes for each character that is counted: more than this is too long whatever it says. */
const MAX_TEXT_BYTES = 3 * MAX_TEXT;

/** @param {string} name @param {import('./arrays.js').Source} file @returns {Promise<OpenedFile>} */
export async function readFile(name, file) {
  const large = tooLarge(file.size);
  if (large) return large;
  const kind = /\.([a-z]+)$/i.exec(name)?.[1].toLowerCase();
  if (kind === 'npy') {
    const stored = await readNpy(file);
    return 'problem' in stored ? stored : { arrays: [stored], refused: [], labels: null };
  }
  if (kind === 'npz') {
    const listed = await readNpz(file);
    if ('problem' in listed) return listed;
    const { state, arrays, refused } = listed;
    return state === null ? { arrays, refused, labels: null } : { state };
  }
  if (kind === 'safetensors') {
    const listed = await readSafetensors(file);
    return 'problem' in listed ? listed : { ...listed, labels: null };
  }
  if (kind !== 'json' && kind !== 'csv' && kind !== 'tsv' && kind !== 'txt') return problem('problem-file-kind', { name: quoted(name) });
  if (file.size > MAX_TEXT_BYTES) {
    return problem('problem-text-large', { size: Math.ceil(file.size / 1e5) / 10, limit: MAX_TEXT_BYTES / 1e6 });
  }
  return readText(decoded(await file.read(0, file.size)));
}

/** Text is UTF-8, unless its byte order mark says UTF-16, as some spreadsheets write it. @param {Uint8Array} bytes */
function decoded(bytes) {
  const [first, second] = bytes;
  const encoding = first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}

/** A state as JSON, or numbers in any form that can be pasted. @param {string} text @returns {OpenedFile} */
export function readText(text) {
  if (/^\s*\{/.test(text.replace(/^\uFEFF/, ''))) return { state: text };
  const pasted = readPasted(text);
  if ('problem' in pasted) return pasted;
  const { rows, rowLabels } = pasted;
  const shape = [rows.length, rows[0].length];
  const read = async () => ({ data: Float64Array.from(rows.flat()) });
  return { arrays: [{ name: '', shape, type: 'text', read }], refused: [], labels: rowLabels };
}
