// Enforces the layer table and the invariants, written as absences, of ARCHITECTURE.md on all sources; and shows every
// rule an offender first, so that a rule that sees nothing cannot pass. Read next: rules.js.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  allocation, importsOf, includes, kernelNames, layering, leftovers, mutableSymbols, noStyleAttribute, opening, purity,
  sharesNoKernel, size, throughTheTable,
} from './rules.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * The sources below a folder, by their path from the root.
 * @param {string} folder
 * @param {RegExp} ending
 * @returns {string[]}
 */
function files(folder, ending) {
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.name === 'node_modules') return []; // what the benchmark compares with, not ours
    if (entry.isDirectory()) return files(path, ending);
    return ending.test(entry.name) ? [path] : [];
  });
}

/** @param {string} path */
const read = (path) => readFileSync(join(ROOT, path), 'utf8');

const C = files('src', /\.[ch]$/);
const JS = files('web', /\.js$/);
const PAGES = files('web', /\.(js|html)$/);
const ALL = ['src', 'web', 'tests', 'tools'].flatMap((folder) => files(folder, /\.(c|h|js|mjs|css|html|ftl|sh)$/));
const CODE = ['src', 'web', 'tests', 'tools'].flatMap((folder) => files(folder, /\.(c|h|js|mjs|css)$/));
const KERNELS = files('src', /^kernels_.*\.c$/).flatMap((path) => kernelNames(read(path)));

/**
 * @param {string} title
 * @param {readonly string[]} paths
 * @param {import('./rules.js').Rule} rule
 * @param {[path: string, text: string][]} offenders each must be caught
 * @param {[path: string, text: string][]} [innocent] none may be caught
 */
function enforce(title, paths, rule, offenders, innocent = []) {
  test(title, () => {
    for (const [path, text] of offenders) assert.notDeepEqual(rule(path, text), [], `not caught: ${path}: ${text}`);
    for (const [path, text] of innocent) assert.deepEqual(rule(path, text), [], `wrongly caught: ${path}: ${text}`);
    assert.ok(paths.length > 0, 'no file was read');
    const broken = paths.flatMap((path) => rule(path, read(path)).map((what) => `${path} ${what}`));
    assert.deepEqual(broken, []);
  });
}

test('imports are read in all their forms, and not from comments or strings', () => {
  assert.deepEqual(importsOf(`
    // import './comment.js';
    import a, { b } from './a.js'; import './bare.js'; export { c } from "./c.js"; export * from './d.js';
    import {
      e,
    } from './e.js';
    const f = () => import('./f.js'); const text = "import './string.js'";
    /** @type {import('./type.js').T} */ let g = a + b + e;
    export { f, text, g };`), ['./a.js', './bare.js', './c.js', './d.js', './e.js', './f.js']);
});

enforce('a file of web/ imports only what its layer may import', JS, layering, [
  ['web/content/x.js', "import '../model/state.js';"],
  ['web/model/x.js', "import { html } from 'lit-html';"],
  ['web/model/x.js', "export * from '../view/page.js';"],
  ['web/model/x.js', "const a = await import('../engine/attention.js');"],
  ['web/engine/x.js', "import '../model/state.js';"],
  ['web/engine/x.js', "import fs from 'node:fs';"],
  ['web/view/x.js', "import { update } from '../model/update.js';"],
  ['web/view/x.js', "import { loadAttention } from '../engine/attention.js';"],
  ['web/io/x.js', "import '../app/main.js';"],
  ['web/io/x.js', "import '../engine/attention.js';"],
  ['web/app/x.js', "import '../engine/node.js';"],
  ['web/app/x.js', "import '../../tests/node/cases.js';"],
  ['web/engine/checks/x.js', "import '../../../tests/vectors/published_other.json';"],
  ['web/elsewhere/x.js', ''],
], [
  ['web/view/x.js', "import { html } from 'lit-html'; import '../model/derive.js'; import './page.js';"],
  ['web/io/x.js', "import '../model/state.js'; import { crc32 } from '../engine/checksum.js';"],
  ['web/app/x.js', "import '../engine/attention.js'; import english from '../content/en.ftl';"],
  ['web/app/x.js', "import answers from '../../tests/vectors/published_other.json';"],
  ['web/engine/checks/x.js', "import { AttnError } from '../errors.js';"],
  ['web/engine/node.js', "import { readFile } from 'node:fs/promises';"],
]);

enforce('the engine touches no page, the view and the model no engine, time, place or storage', JS, purity, [
  ['web/engine/x.js', 'document.title = "a";'],
  ['web/engine/x.js', 'const view = new Float32Array(memory.buffer);'],
  ['web/model/x.js', 'const now = new Date();'],
  ['web/model/x.js', 'const now = Date.now();'],
  ['web/view/x.js', 'if (location.hash) localStorage.setItem("a", "b");'],
  ['web/view/x.js', 'const module = WebAssembly;'],
  ['web/app/x.js', 'WebAssembly.compile(bytes);'],
], [
  ['web/model/x.js', '// Date.now() is not for a model\nconst a = state.document.title; const b = "the window is";'],
]);

enforce('no template writes a style attribute, which the strict CSP would ignore', PAGES, noStyleAttribute, [
  ['web/view/x.js', 'const a = html`<div style="color: red">`;'],
  ['web/view/x.js', 'const a = html`<div style=${css}>`;'],
  ['web/view/x.js', "element.setAttribute('style', css);"],
  ['web/view/x.js', "import { styleMap } from 'lit-html/directives/style-map.js'; styleMap({});"],
  ['web/index.html', '<p style="margin: 0">'],
], [['web/view/x.js', 'const a = html`<div .style=${css}>`; element.style.width = "1px"; const style = "a";']]);

enforce('a C file includes only what it may; none but tests includes stdio.h', C, includes, [
  ['src/x.c', '#include <stdio.h>'],
  ['src/x.c', '#include <stdlib.h>'],
  ['src/x.c', '# include "forward.c"'],
  ['src/attention.h', '#include "internal.h"'],
  ['src/x.c', '#include <emscripten.h>'],
  ['src/forward.c', '#include "simd.h"'],
], [['src/x.c', '/* #include <stdio.h> */\n#include <math.h>\n\n#include "internal.h"']]);

enforce('only layer.c names an allocator', C, allocation, [
  ['src/x.c', 'float *a = malloc(4);'], ['src/x.c', 'free(a);'], ['src/x.h', '#define NEW aligned_alloc'],
], [['src/x.c', '/* does not malloc */ freely(a);'], ['src/layer.c', 'free(layer);']]);

test('the names of kernels are read from the kernel files', () => {
  assert.ok(KERNELS.includes('matmul') && KERNELS.includes('softmax_rows'), `read: ${KERNELS}`);
  const text = 'static void one(int a) {\n  two(a);\n}\nconst attn_kernels table = {\n  .a = one,\n};\n' +
    'static float *three(void) {';
  assert.deepEqual(kernelNames(text), ['one', 'table', 'three']);
});

enforce('the batched route calls kernels through the table, has no #ifdef and knows of no bug', C,
  throughTheTable(KERNELS), [
    ['src/forward.c', '#ifdef __wasm_simd128__\n#endif'],
    ['src/forward.c', 'static void stage(void) { matmul(1, 2); }'],
    ['src/backward.c', 'run(attn_kernels_ref.matmul);'],
    ['src/forward.c', 'if (pass->fault) return;'],
  ], [['src/forward.c', 'pass->kernels->matmul(1, 2); table.softmax_rows(3); /* matmul( #if */']]);

enforce('the second route shares no kernel with the batched one', C, sharesNoKernel(KERNELS), [
  ['src/row_route.c', 'pass->kernels->matmul(1, 2);'],
  ['src/row_route.c', 'softmax_rows(1, 2);'],
  ['src/row_route.c', 'layer->stages[0](pass);'],
]);

/** The symbols of C sources, compiled without position independence: so a constant table is not mixed up with data.
 * @param {string[]} paths */
function symbols(paths) {
  const folder = mkdtempSync(join(tmpdir(), 'attention-rows-'));
  try {
    return paths.map((path, i) => {
      const object = join(folder, `${i}.o`);
      execFileSync('gcc', ['-std=c11', '-O0', '-fno-pic', '-fno-pie', '-fno-common', '-c', path, '-o', object]);
      return execFileSync('nm', [object], { encoding: 'utf8' });
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('no C file keeps state: there is no mutable variable at file scope, nor a static one in a function', () => {
  const folder = mkdtempSync(join(tmpdir(), 'attention-rows-'));
  try {
    const path = join(folder, 'offender.c');
    writeFileSync(path, 'static int zero; int set = 1; static const int table[] = {1, 2}; int common;\n' +
      'int (*const calls[])(void);\nstatic const char *const names[] = {"a", "b"};\n' +
      'int next(void) { static int count; zero++; return count++ + set + table[1] + common + names[0][0]; }\n' +
      'int (*const calls[])(void) = {next};\n');
    const caught = mutableSymbols(symbols([path])[0]).map((name) => name.replace(/\.\d+$/, '')).sort();
    assert.deepEqual(caught, ['common', 'count', 'set', 'zero']);
  } finally {
    rmSync(folder, { recursive: true });
  }
  const sources = C.filter((path) => path.endsWith('.c'));
  const broken = symbols(sources.map((path) => join(ROOT, path)))
    .flatMap((table, i) => mutableSymbols(table).map((name) => `${sources[i]} keeps ${name}`));
  assert.deepEqual(broken, []);
});

enforce('no source file has more than 400 lines', ALL, size, [['src/x.c', '\n'.repeat(401)]], [
  ['src/x.c', '\n'.repeat(400)],
]);

enforce('every source file opens with a comment that says what it is', CODE, opening, [
  ['src/x.c', '#include <math.h>\n'], ['tools/x.sh', '#!/bin/sh\nset -e\n'],
], [['tools/x.mjs', '#!/usr/bin/env node\n// Builds.\n']]);

enforce('no source file leaves work undone or bears a name that says nothing', ALL, leftovers, [
  ['src/x.c', '/* TO' + 'DO: later */'], ['web/app/utils.js', ''], ['web/app/grid-helper.js', ''],
]);
