// The rules of the house as functions from a file's path and text to the list of what breaks them, so that each can be
// shown a made-up offender. Must not read files. What the rules mean is in ARCHITECTURE.md. Read next: layers.test.js.

import { transformSync } from 'esbuild';

/**
 * @typedef {(path: string, text: string) => string[]} Rule what in this file breaks the rule, in words
 */

/** A C file without its comments. @param {string} text */
export const bareC = (text) => text.replace(/\/\*[^]*?\*\/|\/\/.*/g, ' ');

/** A JavaScript file as esbuild prints it: without comments, one form of quotes and spaces. @param {string} text */
export const bareJs = (text) => transformSync(text, { loader: 'js', legalComments: 'none' }).code;

/** @param {string} text @param {RegExp} pattern with flag g @returns {string[]} */
const found = (text, pattern) =>
  [...new Set([...text.matchAll(pattern)].map((match) => (match[1] ?? match[0]).trim()))];

// ---- JavaScript: who may import whom -----------------------------------------------------------------------------

/**
 * For each folder of web/: what it may import, as starts of paths within web/, and which packages.
 * @type {Record<string, { files: string[], packages: RegExp | null }>}
 */
const LAYERS = {
  content: { files: [], packages: null },
  model: { files: ['model/'], packages: null },
  engine: { files: ['engine/'], packages: null },
  io: { files: ['io/', 'model/', 'engine/checksum.js'], packages: /^(fflate|qrcode-generator)$/ },
  view: { files: ['view/', 'model/derive.js'], packages: /^lit-html($|\/)/ },
  app: {
    // The known answers have one copy; the page checks itself against it.
    files: ['app/', 'content/', 'engine/', 'io/', 'model/', 'view/', '../tests/vectors/'],
    packages: /^(lit-html|@fluent\/bundle)($|\/)/,
  },
};

/** @param {string} text @returns {string[]} */
export const importsOf = (text) =>
  found(bareJs(text), /(?:^\s*(?:import|export)\b[^;]*?\bfrom|^\s*import|\bimport\()\s*"([^"]+)"/gm);

/** @type {Rule} */
export function layering(path, text) {
  const layer = LAYERS[path.split('/')[1]];
  if (!layer) return [`${path} lies in no layer`];
  return importsOf(text).filter((target) => {
    if (target.startsWith('node:')) return path !== 'web/engine/node.js';
    if (!target.startsWith('.')) return !layer.packages?.test(target);
    const resolved = new URL(target, `file:///${path}`).pathname.replace(/^\/(web\/)?/, (_, web) => (web ? '' : '../'));
    return !layer.files.some((start) => resolved.startsWith(start)) || resolved === 'engine/node.js';
  }).map((target) => `imports ${target}`);
}

/**
 * What a folder may not touch: names followed by a use, so that words in sentences do not count.
 * @type {Record<string, RegExp>}
 */
const UNTOUCHED = {
  engine: /(?<![.\w$])(document|window|navigator|localStorage|fetch)(?=\s*[.[(])/g,
  view: /(?<![.\w$])(document|window|location|localStorage|sessionStorage|Date|performance)(?=\s*[.[(])/g,
  model: /(?<![.\w$])(document|window|location|localStorage|sessionStorage|Date|performance)(?=\s*[.[(])/g,
};

/** @type {Rule} */
export function purity(path, text) {
  const folder = path.split('/')[1];
  const code = bareJs(text);
  const touched = UNTOUCHED[folder] ? found(code, UNTOUCHED[folder]) : [];
  if (folder !== 'engine') touched.push(...found(code, /\bWebAssembly\b/g));
  if (path !== 'web/engine/module.js') touched.push(...found(code, /\bmemory\.buffer\b/g));
  return touched.map((name) => `touches ${name}`);
}

/** Under the strict CSP a style attribute does nothing; the property `.style=${…}` works. @type {Rule} */
export function noStyleAttribute(path, text) {
  const code = path.endsWith('.js') ? bareJs(text) : text;
  return found(code, /(?<![.\w-])style=|\bstyleMap\b|setAttribute\("style"/g).map((use) => `writes ${use}`);
}

// ---- C -----------------------------------------------------------------------------------------------------------

const ALLOCATORS = /\b(malloc|calloc|realloc|aligned_alloc|posix_memalign|memalign|alloca|strdup|free)\b/g;
const SYSTEM_HEADERS = /^<(stdint|stddef|stdbool|math|float|limits|string|stdlib)\.h>$/;

/** @type {Rule} */
export function includes(path, text) {
  const name = path.split('/').pop();
  const allowed = /^(attention|simd)\.h$/.test(String(name)) ? [] : name === 'internal.h' ? ['"attention.h"']
    : ['"attention.h"', '"internal.h"', ...(/^(kernels_(?!ref)\w+|train)\.c$/.test(String(name)) ? ['"simd.h"'] : [])];
  return found(bareC(text), /^\s*#\s*include\s*([<"][^>"]+[>"])/gm).filter((header) => {
    if (header === '<stdlib.h>') return name !== 'layer.c';
    return header.startsWith('<') ? !SYSTEM_HEADERS.test(header) : !allowed.includes(header);
  }).map((header) => `includes ${header}`);
}

/** Only layer.c names an allocator. @type {Rule} */
export const allocation = (path, text) =>
  (path.endsWith('/layer.c') ? [] : found(bareC(text), ALLOCATORS).map((name) => `names ${name}`));

/** The functions that a kernel file defines, and the tables that it offers. @param {string} text @returns {string[]} */
export const kernelNames = (text) =>
  found(bareC(text), /^(?:static |const |inline )*[a-z]\w*[ *]+(\w+)\s*(?:\(|= \{|=$)/gm);

/**
 * The batched route calls kernels through the table only and is compiled one way only; it knows of no bug.
 * @param {readonly string[]} kernels
 * @returns {Rule}
 */
export const throughTheTable = (kernels) => (path, text) => {
  if (!/\/(forward|backward|train)\.c$/.test(path)) return [];
  const code = bareC(text);
  const named = new RegExp(`(?<!->|\\.|\\w)(${kernels.join('|')})\\b`, 'g');
  return [
    ...found(code, /^\s*#\s*(?:if|ifdef|ifndef|elif)\b.*/gm), ...found(code, named), ...found(code, /\bfault\w*/gi),
  ].map((use) => `has ${use}`);
};

/**
 * The second route has no kernel at all, by name or through a table: else the comparison would prove nothing.
 * @param {readonly string[]} kernels
 * @returns {Rule}
 */
export const sharesNoKernel = (kernels) => (path, text) => {
  if (!path.endsWith('/row_route.c')) return [];
  const named = new RegExp(`\\b(${kernels.join('|')}|kernels|stages)\\b`, 'g');
  return found(bareC(text), named).map((use) => `has ${use}`);
};

/** Variables that could keep state, from the symbol table of the compiled file. @param {string} symbols of nm */
export const mutableSymbols = (symbols) => found(symbols, /^\S*\s+[bBdDcCsSgG]\s+(\S+)$/gm);

// ---- every file --------------------------------------------------------------------------------------------------

/** @type {Rule} */
export function size(path, text) {
  const lines = text.split('\n').length - 1;
  return lines > 400 ? [`has ${lines} lines, 400 are allowed`] : [];
}

/** @type {Rule} */
export function opening(path, text) {
  const first = text.startsWith('#!') ? text.slice(text.indexOf('\n') + 1) : text;
  return /^(\/\/|\/\*)/.test(first) ? [] : ['does not open with a comment that says what it is'];
}

/** @type {Rule} */
export function leftovers(path, text) {
  const name = /** @type {string} */ (path.split('/').pop());
  return [
    ...found(text, /\b(?:TODO|FIXME|HACK)\b/g).filter(() => !path.endsWith('/rules.js')),
    ...found(name, /util|helper|manager|misc/gi).map((word) => `the word ${word} in its name`),
  ].map((use) => `has ${use}`);
}
