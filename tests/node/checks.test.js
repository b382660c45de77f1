// The checks that the page runs: they hold on a right computation, and under each planted bug exactly those fail that
// must; the known answers that the page carries are those of tests/vectors, all of them.
// Read next: ../../web/engine/checks/state.js, ../../web/app/checks.js.

import assert from 'node:assert/strict';
import test from 'node:test';
import { ANSWERS, isRun } from '../../web/engine/checks/answers.js';
import { causalLeak, build, meanWeight, routes, rowSums, splitHeads, withFault } from '../../web/engine/checks/state.js';
import { apart, compare } from '../../web/engine/checks/compare.js';
import { forPage } from '../../tools/known-answers.mjs';
import { attention, distinct, readCases } from './cases.js';

/** @typedef {import('../../web/engine/checks/state.js').Setup} Setup */

const OPTIONS = { nTokens: 5, dIn: 3, dOut: 4, nHeads: 2, causal: true };

/** @param {Partial<import('../../web/engine/attention.js').LayerOptions>} [options] @param {number} [size] @returns {Setup} */
function setup(options = {}, size = 1) {
  const tensors = { inputs: 15, w_query: 12, w_key: 12, w_value: 12 };
  return {
    options: { ...OPTIONS, ...options },
    tensors: Object.fromEntries(Object.entries(tensors).map(([name, count], i) =>
      [name, distinct(count, i + 1).map((x) => (name === 'w_value' ? x : x * size))])),
  };
}

/** What each check says. @param {Setup} of @param {import('../../web/engine/options.js').FaultName} fault @param {number} [place] */
function findings(of, fault, place = 0) {
  const bugged = withFault(attention, fault, place);
  const layer = build(bugged, of);
  const found = {
    'row sums': rowSums(layer),
    'mean weight': meanWeight(layer, of),
    'causal leak': causalLeak(bugged, of),
    'routes': routes(layer),
    'split heads': splitHeads(bugged, of),
  };
  layer.dispose();
  return found;
}

/** @param {ReturnType<typeof findings>} found @param {string} state */
const inState = (found, state) => Object.entries(found).filter(([, finding]) => finding.state === state).map(([name]) => name);

test('without a bug every check holds, and each has its figure', () => {
  const found = findings(setup(), 'none');
  assert.deepEqual(inState(found, 'passed'), Object.keys(found));
  for (const { figure, allowed } of Object.values(found)) assert.ok(figure >= 0 && figure <= allowed);
  assert.equal(found['mean weight'].expected, 2 / 6);
});

test('a check that says nothing about a computation is off: the leak without the mask, the heads with one head', () => {
  const found = findings(setup({ causal: false, nHeads: 1 }), 'none');
  assert.deepEqual(inState(found, 'off'), ['causal leak', 'split heads']);
  const last = found['causal leak'].moved?.find(({ token }) => token === 4);
  assert.deepEqual(last?.rows, [0, 1, 2, 3], 'without the mask every earlier row draws on the last token');
});

/** Which checks fail under each bug, in the causal setting with two heads; place 2. */
const SIGNATURES = /** @type {const} */ ([
  ['weight_altered', ['row sums', 'mean weight', 'routes', 'split heads']],
  ['term_wrong', ['routes', 'split heads']],
  ['input_altered', ['routes', 'split heads']],
  ['softmax_columns', ['row sums', 'causal leak', 'routes']],
  ['mask_off_by_one', ['mean weight', 'causal leak', 'routes']],
  ['mask_after_softmax', ['row sums', 'mean weight', 'causal leak', 'routes']],
  ['mask_fill_zero', ['mean weight', 'causal leak', 'routes']],
  ['scale_missing', ['routes']],
  ['scale_sqrt_d_out', ['routes', 'split heads']],
  ['query_key_swapped', ['routes']],
  ['heads_reshaped', ['causal leak', 'routes', 'split heads']],
]);
for (const [fault, failing] of SIGNATURES) {
  test(`under ${fault} exactly these fail: ${failing.join(', ')}`, () => {
    const found = findings(setup(), fault, 2);
    assert.deepEqual(inState(found, 'failed'), failing);
    for (const name of failing) assert.ok(/** @type {any} */ (found)[name].figure > 1e-4, `${name} shows by how much`);
  });
}

test('a bug in one place accuses the heads that have it, and no other', () => {
  for (const [fault, heads] of /** @type {const} */ ([['weight_altered', [0]], ['term_wrong', [0]], ['input_altered', [0, 1]]])) {
    for (const place of [0, 2, 4]) {
      assert.deepEqual(findings(setup({ causal: false }), fault, place)['split heads'].heads, heads, `${fault} ${place}`);
    }
  }
});

test('a mask filled with −10⁹ fails only where all allowed scores are lower: the leak and the routes then tell', () => {
  assert.deepEqual(inState(findings(setup(), 'mask_fill_large'), 'failed'), []);
  const inputs = [[1, 2], [3, 4], [5, 6]];
  const tensors = { inputs, w_query: [[-1e5, 0], [0, -1e5]], w_key: [[1e5, 0], [0, 1e5]], w_value: [[1, 0], [0, 1]] };
  /** @type {import('../../web/engine/attention.js').LayerOptions} sums in float of such a size are too uncertain */
  const options = { nTokens: 3, dIn: 2, dOut: 2, causal: true, kernels: 'plain' };
  const huge = { options, tensors };
  assert.deepEqual(inState(findings(huge, 'none'), 'failed'), []);
  const found = findings(huge, 'mask_fill_large');
  assert.deepEqual(inState(found, 'failed'), ['mean weight', 'causal leak', 'routes']);
  assert.deepEqual(found['causal leak'].rows, [0, 1]);
});

test('the leak check lists the rows that moved, by token', () => {
  const { moved, rows } = findings(setup(), 'mask_off_by_one')['causal leak'];
  assert.deepEqual(moved, [1, 2, 3, 4].map((token) => ({ token, rows: [token - 1] })));
  assert.deepEqual(rows, [0, 1, 2, 3]);
});

test('given weights that do not sum to 1 are said to, without a bug', () => {
  const given = {
    options: { nTokens: 2, dIn: 2, scoreSource: /** @type {const} */ ('given') },
    tensors: { inputs: [[1, 2], [3, 4]], attn_weights: [[0.5, 0.5], [0.5, 0.25]] },
  };
  const { state, figure, rows } = findings(given, 'none')['row sums'];
  assert.deepEqual({ state, figure, rows }, { state: 'failed', figure: 0.25, rows: [1] });
});

test('how far apart two lists are: the largest gap; NaN is never near, a shorter list never alike', () => {
  assert.equal(apart([1, 2, 3], [1, 2.5, 2.75]), 0.5);
  assert.equal(apart([-Infinity], [-Infinity]), 0);
  assert.ok(Number.isNaN(apart([NaN, 5], [0, 0])));
  assert.ok(Number.isNaN(apart([1], [1, 2])));
  assert.notEqual(compare('x', [NaN], [NaN]).problem, null);
});

for (const [file, { run, check }] of Object.entries(ANSWERS)) {
  test(`the page carries all ${run} known answers of ${file}, and they say the same as in the file`, () => {
    const whole = readCases(file).filter((c) => isRun(file, c));
    // As text, the way it stands in the page.
    const carried = JSON.parse(JSON.stringify(forPage(file, readCases(file))));
    assert.equal(carried.length, run);
    for (const [i, c] of carried.entries()) {
      const found = check(attention, c);
      assert.deepEqual(found, check(attention, whole[i]), c.name);
      assert.deepEqual(found.filter(({ problem }) => problem !== null), []);
    }
  });

  test(`the known answers of ${file} notice a wrong scale, a wrong mask and an altered weight`, () => {
    for (const fault of /** @type {const} */ (['scale_missing', 'mask_off_by_one', 'weight_altered'])) {
      const bugged = withFault(attention, fault, 0);
      const failing = readCases(file).filter((c) => isRun(file, c) && check(bugged, c).some(({ problem }) => problem !== null));
      assert.ok(failing.length > 0 && failing.length <= run, fault);
    }
  });
}
