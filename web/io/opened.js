/**
 * A file of any kind that the page reads, by its name: a whole state as text, or a list of arrays. Pure; its bytes were
 * read by whoever calls. Next to read: json.js, pasted.js, npy.js, npz.js, safetensors.js.
 */

import { problem, quoted } from './arrays.js';
import { readNpy } from './npy.js';
import { readNpz } from './npz.js';
import { readPasted } from './pasted.js';
import { readSafetensors } from './safetensors.js';

/**
 * @typedef {import('./arrays.js').Stored} Stored
 * @typedef {{ state: string } | { arrays: Stored[], labels: string[] | null } | import('./arrays.js').Problem} OpenedFile
 */

/** @param {string} name @param {Uint8Array} bytes @returns {OpenedFile} */
export function readFile(name, bytes) {
  const kind = /\.([a-z]+)$/i.exec(name)?.[1].toLowerCase();
  if (kind === 'npy') {
    const stored = readNpy(bytes);
    return 'problem' in stored ? stored : { arrays: [stored], labels: null };
  }
  if (kind === 'npz') {
    const listed = readNpz(bytes);
    if ('problem' in listed || listed.state === null) return 'problem' in listed ? listed : { arrays: listed.arrays, labels: null };
    return { state: listed.state };
  }
  if (kind === 'safetensors') {
    const listed = readSafetensors(bytes);
    return 'problem' in listed ? listed : { arrays: listed.arrays, labels: null };
  }
  if (kind === 'json' || kind === 'csv' || kind === 'tsv' || kind === 'txt') return readText(new TextDecoder().decode(bytes));
  return problem('problem-file-kind', { name: quoted(name) });
}

/** A state as JSON, or numbers in any form that can be pasted. @param {string} text @returns {OpenedFile} */
export function readText(text) {
  if (/^\s*\{/.test(text.replace(/^\uFEFF/, ''))) return { state: text };
  const pasted = readPasted(text);
  if ('problem' in pasted) return pasted;
  const { rows, rowLabels } = pasted;
  const shape = [rows.length, rows[0].length];
  return { arrays: [{ name: '', shape, type: 'text', read: () => ({ data: Float64Array.from(rows.flat()) }) }], labels: rowLabels };
}
