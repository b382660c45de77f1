// What the tests of files share: random states with their tensors, Python as an independent reader and writer, and a
// place for its files. Next to read: io-arrays.test.js, io-scripts.test.js.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { t } from './frames.js';

/** @typedef {import('../../web/model/state.js').Doc} Doc */

/** Debian's own, with torch and numpy, whatever else is on the path. */
const PYTHON = '/usr/bin/python3';

/** Labels that would break out of quotes, lines, tags and formulas, and those of other scripts. */
export const HOSTILE = [
  "it's", '"quoted"', 'back\\slash', 'two\nlines', "'''", '"""', "'); import os #", '# -*-', '</text><script>alert(1)</script>',
  '<b>&amp;', ']]>', '=HYPERLINK("x")', '旅程', 'مرحبا', '👩‍🏫', 'e\u0301', 'a\u202Eb', '\u2028', '\0', '\ud800', '{x}', '%s', 'tab\there',
];

/**
 * A folder that is gone when `use` is done.
 * @template T @param {(folder: string) => T} use @returns {T}
 */
export function withFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), 'attention-rows-'));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Run a Python program in a folder with files; gives back what it printed and a reader of what it wrote.
 * @param {string} program @param {Record<string, Uint8Array | string>} files
 * @param {string[]} [outputs] the files that it writes
 * @returns {{ printed: string, written: Record<string, Uint8Array> }}
 */
export function python(program, files, outputs = []) {
  return withFolder((folder) => {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    const printed = execFileSync(PYTHON, ['-W', 'error', '-W', 'ignore::ResourceWarning', '-c', program], { cwd: folder, encoding: 'utf8' });
    return { printed, written: Object.fromEntries(outputs.map((name) => [name, new Uint8Array(readFileSync(join(folder, name)))])) };
  });
}

/** A problem as a sentence; throws if there is none, or if its message is missing an argument. @param {any} outcome */
export function sentence(outcome) {
  if (!outcome?.problem) throw new Error('there is no problem');
  return t(outcome.problem.id, outcome.problem.args);
}

const numbers = fc.float({ noNaN: true, noDefaultInfinity: true, min: -4, max: 4 }).map((x) => x + 0);

/** @param {number} rows @param {number} columns */
const matrix = (rows, columns) =>
  fc.array(fc.array(numbers, { minLength: columns, maxLength: columns }), { minLength: rows, maxLength: rows });

const labels = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ minLength: 1, maxLength: 8 }));

/** Documents of every option, small ones. @type {fc.Arbitrary<Doc>} */
export const documents = fc.record({
  nTokens: fc.integer({ min: 1, max: 5 }), dIn: fc.integer({ min: 1, max: 4 }),
  headDim: fc.integer({ min: 1, max: 3 }), heads: fc.integer({ min: 1, max: 3 }),
}).chain(({ nTokens, dIn, headDim, heads }) => {
  const dOut = headDim * heads;
  return fc.record({
    example: fc.constant('multi-head'),
    tokens: fc.array(labels, { minLength: nTokens, maxLength: nTokens }),
    inputs: matrix(nTokens, dIn), given: matrix(nTokens, nTokens),
    w_query: matrix(dIn, dOut), w_key: matrix(dIn, dOut), w_value: matrix(dIn, dOut), w_out: matrix(dOut, dOut),
    source: /** @type {fc.Arbitrary<Doc['source']>} */ (fc.constantFrom('given', 'inputs', 'trained')),
    scale: /** @type {fc.Arbitrary<Doc['scale']>} */ (fc.constantFrom('none', 'sqrt_head_dim')),
    causal: fc.boolean(), heads: fc.constant(heads), project: fc.boolean(),
    fault: fc.constant('none'), faultPlace: fc.constant(0), mystery: fc.constant(null),
    targets: fc.constant(null), training: fc.constant(null),
  }, { noNullPrototype: true });
});
