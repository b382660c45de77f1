/**
 * The known answers of tests/vectors as the page carries them: text of JSON, read from the one copy, without the cases
 * that are never run and without what only a person or the backward pass would read. Must change no number.
 * Next to read: ../web/engine/checks/answers.js, which runs them; build-page.mjs, which uses this.
 */

import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { isRun } from '../web/engine/checks/answers.js';

/** What no check of the forward pass reads. */
const UNREAD = new Set(['description', 'source', 'source_cell', 'family', 'dY', 'torch_float32_error', 'digits']);

/** @param {string} file @param {any[]} cases */
export function forPage(file, cases) {
  return cases.filter((c) => isRun(file, c)).map(({ expected, ...rest }) => ({
    ...without(rest, (name) => UNREAD.has(name)),
    // A gradient of X is called dX.
    expected: without(expected, (name) => UNREAD.has(name) || /^d[A-Zb]/.test(name)),
  }));
}

/** @param {Record<string, unknown>} object @param {(name: string) => boolean} drop */
function without(object, drop) {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !drop(name)));
}

/** @type {import('esbuild').Plugin} */
export const knownAnswers = {
  name: 'known answers',
  setup(build) {
    build.onLoad({ filter: /[\\/]tests[\\/]vectors[\\/][^\\/]*\.json$/ }, async ({ path }) => ({
      contents: JSON.stringify(forPage(basename(path), JSON.parse(await readFile(path, 'utf8')))),
      loader: 'text',
    }));
  },
};
