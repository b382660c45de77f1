// The exported scripts, run by Python with PyTorch and NumPy as they are: states that together cover every option each
// come to the page's numbers, and one number altered makes the script fail. Read next: io-text.test.js.

import assert from 'node:assert/strict';
import test from 'node:test';
import { numpyScript, pytorchScript } from '../../web/io/scripts.js';
import { opening, runner } from './frames.js';
import { HOSTILE, python } from './io-cases.js';

/** @typedef {import('../../web/model/state.js').Doc} Doc */

const SCRIPTS = { pytorch: pytorchScript, numpy: numpyScript };

/** @param {number} rows @param {number} columns @param {number} seed */
const matrix = (rows, columns, seed, size = 1.5) => Array.from({ length: rows }, (_, i) =>
  Array.from({ length: columns }, (__, j) => Math.sin(seed * 12.9898 + (i * columns + j) * 78.233) * size));

/** A document of any sizes. @param {number} tokens @param {number} dIn @param {number} dOut @param {Partial<Doc>} changes @returns {Doc} */
const made = (tokens, dIn, dOut, changes) => ({
  example: 'multi-head', tokens: Array.from({ length: tokens }, (_, i) => HOSTILE[i % HOSTILE.length]),
  inputs: matrix(tokens, dIn, 1), given: matrix(tokens, tokens, 2).map((row) => row.map(Math.abs)),
  w_query: matrix(dIn, dOut, 3), w_key: matrix(dIn, dOut, 4), w_value: matrix(dIn, dOut, 5), w_out: matrix(dOut, dOut, 6),
  source: 'trained', scale: 'sqrt_head_dim', causal: false, heads: 1, project: false, fault: 'none', faultPlace: 0, mystery: null,
  targets: null, training: null,
  ...changes,
});

const of = async (/** @type {string} */ id, changes = {}) => ({ ...(await opening(id)).document, ...changes });

/** @type {Record<string, Doc>} */
const STATES = {
  'the warm-up': await of('warm-up'),
  'the warm-up, masked': await of('warm-up', { causal: true }),
  'given weights, masked, one row of them 0': made(4, 3, 2, { source: 'given', causal: true, given: [[0, 1, 2, 3], [1, -1, 5, 5], [1, 2, 3, 4], [0.1, 0.2, -0.25, 1]] }),
  'simplified': await of('simplified'),
  'simplified, masked, scaled': await of('simplified', { causal: true, scale: 'sqrt_head_dim' }),
  'trainable': await of('trainable'),
  'causal, no scale': await of('causal', { scale: 'none' }),
  'multi-head with W_out': await of('multi-head', { w_out: matrix(4, 4, 7) }),
  'odd sizes, three heads, W_out, hostile labels': made(7, 5, 9, { heads: 3, causal: true, project: true }),
  'the largest that the page shows': made(32, 16, 16, { heads: 16, project: true, scale: 'none' }),
  'one token, one dimension': made(1, 1, 1, { causal: true, project: true }),
  'every hostile label': made(HOSTILE.length, 2, 2, { heads: 2 }),
  'large numbers': made(6, 3, 4, { heads: 2, causal: true, inputs: matrix(6, 3, 1, 100) }),
  'huge scores': await of('huge-scores'),
  'numbers as small as they come': made(3, 2, 2, { inputs: matrix(3, 2, 1, 1e-20) }),
};

/** @type {{ name: string, doc: Doc, tensors: import('../../web/model/derive.js').Tensors }[]} */
const computed = [];
const { view } = await opening('warm-up');
for (const [name, doc] of Object.entries(STATES)) {
  computed.push({ name, doc, tensors: (await runner.run({ version: 1, document: doc, view: { ...view, row: 0 } })).tensors });
}

/**
 * Run scripts one after the other in one Python: what each printed, or how it failed.
 * @param {Record<string, string>} scripts by file name
 * @returns {{ error: string | null, printed: string }[]}
 */
function run(scripts) {
  const names = Object.keys(scripts);
  return JSON.parse(python(`
import contextlib, io, json, runpy
results = []
for name in json.load(open('names.json')):
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out): runpy.run_path(name, run_name='__main__')
        error = None
    except BaseException as e: error = type(e).__name__ + ': ' + str(e)
    results.append({'error': error, 'printed': out.getvalue()})
print(json.dumps(results))`, { ...scripts, 'names.json': JSON.stringify(names) }).printed);
}

for (const [dialect, script] of Object.entries(SCRIPTS)) {
  test(`${dialect}: the scripts of ${computed.length} states that cover every option assert the page's numbers`, () => {
    const results = run(Object.fromEntries(computed.map(({ doc, tensors }, i) => [`${i}.py`, script(doc, tensors)])));
    results.forEach(({ error, printed }, i) => {
      assert.equal(error, null, computed[i].name);
      assert.match(printed, /All tensors agree with the page: .*context_vecs/);
      for (const name of ['attn_scores', 'attn_weights', 'context_vecs', 'outputs']) {
        assert.equal(printed.includes(`${name}: agrees`), name in computed[i].tensors, `${computed[i].name}: ${name}`);
      }
    });
  });

  test(`${dialect}: one number of the page altered, in any tensor, makes the script fail and name it`, () => {
    const { doc, tensors } = computed[8];
    const names = ['queries', 'keys', 'values', 'attn_scores', 'attn_weights', 'context_vecs', 'outputs'];
    const results = run(Object.fromEntries(names.map((name) => {
      const data = tensors[name].data.slice();
      data[data.length - 1] += 5e-3;
      return [`${name}.py`, script(doc, { ...tensors, [name]: { ...tensors[name], data } })];
    })));
    results.forEach(({ error }, i) => assert.match(String(error), new RegExp(`^AssertionError: ${names[i]} differs`)));
  });

  test(`${dialect}: a scale left out, a mask left out, heads swapped: the script tells`, () => {
    const { doc, tensors } = computed[8];
    const [scale, mask] = [script({ ...doc, scale: 'none' }, tensors), script({ ...doc, causal: false }, tensors)];
    const swapped = { shape: tensors.attn_weights.shape, data: tensors.attn_weights.data.slice() };
    swapped.data.copyWithin(0, 49, 98);
    const heads = script(doc, { ...tensors, attn_weights: swapped });
    const [first, second, third] = run({ 'a.py': scale, 'b.py': mask, 'c.py': heads });
    assert.match(String(first.error), /attn_scores differs/);
    assert.match(String(second.error), /attn_scores differs/);
    assert.match(String(third.error), /attn_weights differs/);
  });

  test(`${dialect}: labels are the same strings in Python, and nothing else`, () => {
    const { doc, tensors } = computed[11];
    const { printed } = python(`
import json, runpy, contextlib, io
with contextlib.redirect_stdout(io.StringIO()): tokens = runpy.run_path('a.py')['tokens']
print(json.dumps(tokens))`, { 'a.py': script(doc, tensors) });
    assert.deepEqual(JSON.parse(printed), HOSTILE.map((label) => label.replace('\ud800', '\ufffd')));
  });
}

test('a planted bug is said in the script, but not which; the script computes without it, so it shows', async () => {
  const doc = { ...STATES['causal, no scale'], fault: 'mask_off_by_one', mystery: 5 };
  const { tensors } = await runner.run({ version: 1, document: doc, view });
  const text = pytorchScript(doc, tensors);
  assert.match(text, /A bug is planted on the page/);
  assert.doesNotMatch(text, /off_by_one/);
  assert.match(String(run({ 'a.py': text })[0].error), /attn_scores differs from the page \(a bug is planted on the page: this script computes without it\):/);
});
