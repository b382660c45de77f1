// The functions of src/attention.h, of the list that the linker exports and of the list that the page asks for are the
// same ones. Read next: loading.test.js.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { bareC } from './rules.js';

/** @param {string} path */
const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** What a header declares as functions. @param {string} text */
const declared = (text) => [...bareC(text).matchAll(/\b(attn_\w+)\s*\(/g)].map((match) => match[1]).sort();

test('exports.txt lists exactly the functions of attention.h, in alphabetical order, each once', () => {
  const functions = declared(read('src/attention.h'));
  assert.ok(functions.includes('attn_forward') && functions.includes('attn_train_step'));
  assert.deepEqual(read('src/exports.txt').trimEnd().split('\n'), functions.map((name) => `_${name}`));
  assert.deepEqual(declared('int attn_b(void); /* attn_c(1) */ struct attn_x *attn_a(int x);'), ['attn_a', 'attn_b']);
});

test('the module of the page is refused unless it has every one of them', () => {
  const list = /const FUNCTIONS = \[([^\]]*)\]/.exec(read('web/engine/module.js'))?.[1] ?? '';
  const asked = [...list.matchAll(/'(attn_\w+)'/g)].map((match) => match[1]).sort();
  assert.deepEqual(asked, declared(read('src/attention.h')));
});
