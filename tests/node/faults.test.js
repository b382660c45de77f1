// Planted bugs: the signature of each (verdict, rows, first position and term, which checks fail), what each needs in
// order to show, and the wrong numbers of known mistakes. Read next: src/faults.c, trace.test.js.

import assert from 'node:assert/strict';
import test from 'node:test';
import { assertClose } from './compare.js';
import { attention, distinct, fill, rowOf, SIX_TOKENS } from './cases.js';

/**
 * @typedef {import('../../web/engine/layer.js').Layer} Layer
 * @typedef {import('../../web/engine/options.js').FaultName} FaultName
 */

const T = 5;
const WIDTH = 4;
const PLACE = 2;

/** Sizes that hide nothing, with the mask on. @param {object} [options] */
const causal = (options) =>
  fill(attention.createLayer({ nTokens: T, dIn: 3, dOut: WIDTH, nHeads: 2, causal: true, ...options })).forward();

/** Which rows of two results are not the same, bit for bit. @param {Float32Array} a @param {Float32Array} b */
const movedRows = (a, b) => [...Array(a.length / WIDTH).keys()]
  .filter((row) => rowOf(a, WIDTH, row).some((x, e) => x !== b[row * WIDTH + e]));

/** The causal leak test: the rows before the last token that move when the last token does. @param {Layer} layer */
function leak(layer) {
  const inputs = layer.get('inputs').data;
  const before = layer.get('context_vecs').data;
  layer.set('inputs', inputs.map((x, i) => (i < (T - 1) * 3 ? x : 10 * x + 7))).forward();
  const after = layer.get('context_vecs').data;
  layer.set('inputs', inputs).forward();
  return movedRows(before, after).filter((row) => row < T - 1);
}

/** Rows, of any head, whose weights do not sum to 1. @param {Layer} layer */
const badSums = (layer) => [...new Set([...layer.get('attn_row_sums').data].flatMap((sum, row) =>
  (Math.abs(sum - 1) > 1e-5 ? [row % T] : [])))].sort();

/** Is a head's mean weight over the allowed cells other than 2/(T+1)? @param {Layer} layer */
const badMean = (layer) => [0, 1].some((head) =>
  Math.abs(Number(layer.readouts(head).mean_weight) - 2 / (T + 1)) > 1e-5);

/**
 * What is seen of a fault: the comparison's verdict, rows, token and first find; and what the checks say.
 * @param {Layer} layer @param {FaultName} fault
 */
function signature(layer, fault) {
  layer.configure({ fault, faultPlace: PLACE }).forward();
  const { verdict, rows, drawsOn } = layer.compareRoutes();
  const first = rows.length > 0 ? [rows[0].position, rows[0].term] : null;
  return {
    verdict, rows: rows.map(({ token }) => token), drawsOn, first, sums: badSums(layer), leak: leak(layer),
    mean: badMean(layer),
  };
}

const ALL = [0, 1, 2, 3, 4];
const ALL_BUT_FIRST = [1, 2, 3, 4];
const ALL_BUT_LAST = [0, 1, 2, 3];
const FINE = { drawsOn: null, sums: [], leak: [], mean: false };

/** @type {[title: string, fault: FaultName, seen: ReturnType<typeof signature>][]} */
const SIGNATURES = [
  ['no fault: the routes agree and every check passes', 'none', { ...FINE, verdict: 'agree', rows: [], first: null }],
  ['an altered weight: one row, whose weights do not sum to 1', 'weight_altered',
    { ...FINE, verdict: 'one row', rows: [PLACE], first: [0, 0], sums: [PLACE], mean: true }],
  ['a wrong term: one row; its first number agrees, the second does not; no check fails', 'term_wrong',
    { ...FINE, verdict: 'one row', rows: [PLACE], first: [1, 1] }],
  ['an altered input: exactly the rows that draw on it, in its term', 'input_altered',
    { ...FINE, verdict: 'some rows', rows: [2, 3, 4], drawsOn: PLACE, first: [0, PLACE] }],
  // The columns sum to 1, so the mean weight is what it should be.
  ['softmax over columns: every row, and no sum is 1; later queries leak into earlier rows', 'softmax_columns',
    { ...FINE, verdict: 'every row', rows: ALL, first: [0, 0], sums: ALL, leak: ALL_BUT_LAST }],
  ['a mask off by one: all rows but the last; the token before last sees the last', 'mask_off_by_one',
    { ...FINE, verdict: 'some rows', rows: ALL_BUT_LAST, first: [0, 0], leak: [3], mean: true }],
  ['a mask after softmax: all rows but the last, whose weights sum to less than 1, and leak', 'mask_after_softmax',
    { ...FINE, verdict: 'some rows', rows: ALL_BUT_LAST, first: [0, 0], sums: ALL_BUT_LAST, leak: ALL_BUT_LAST,
      mean: true }],
  ['a mask of zeros: all rows but the last leak, though every row sums to 1', 'mask_fill_zero',
    { ...FINE, verdict: 'some rows', rows: ALL_BUT_LAST, first: [0, 0], leak: ALL_BUT_LAST, mean: true }],
  ['a mask of -1e9 among ordinary scores: nothing at all', 'mask_fill_large',
    { ...FINE, verdict: 'agree', rows: [], first: null }],
  ['a missing scale: every row that could differ, and no check fails', 'scale_missing',
    { ...FINE, verdict: 'every row', rows: ALL_BUT_FIRST, first: [0, 0] }],
  ['the root of d_out as scale: every row that could differ, and no check fails', 'scale_sqrt_d_out',
    { ...FINE, verdict: 'every row', rows: ALL_BUT_FIRST, first: [0, 0] }],
  ['query and key swapped: every row that could differ, and no check fails', 'query_key_swapped',
    { ...FINE, verdict: 'every row', rows: ALL_BUT_FIRST, first: [0, 0] }],
  // Row 3 of head 1 is the numbers from (1·5 + 3)·2 = 16 on: they are token 4's.
  ['heads split by a plain reshape: every row, the first in its second head; a later token leaks', 'heads_reshaped',
    { ...FINE, verdict: 'every row', rows: ALL, first: [2, 0], leak: [3] }],
];

for (const [title, fault, seen] of SIGNATURES) {
  test(title, () => assert.deepEqual(signature(causal(), fault), seen));
}

test('an altered input is named also where all rows draw on it: without the mask, and as token 1 or 2 of six', () => {
  const { verdict, rows, drawsOn } = signature(causal({ causal: false }), 'input_altered');
  assert.deepEqual({ verdict, rows, drawsOn }, { verdict: 'some rows', rows: ALL, drawsOn: PLACE });
  for (const faultPlace of [0, 1]) {
    const found = causal({ fault: 'input_altered', faultPlace }).compareRoutes();
    assert.deepEqual([found.verdict, found.rows.map(({ token }) => token), found.drawsOn],
      ['some rows', ALL.slice(faultPlace), faultPlace]);
  }
});

test('wrong weights accuse no input, though in each row only one term differs: the other values are 0', () => {
  const layer = attention.createLayer({ nTokens: 2, dIn: 2, scoreSource: 'inputs', scale: 1, fault: 'scale_missing' });
  layer.configure({ scale: 0.5 }).set('inputs', [[1, 0], [0, 1]]).forward();
  const { verdict, rows, drawsOn } = layer.compareRoutes();
  assert.deepEqual([verdict, rows.map(({ term }) => term), drawsOn], ['every row', [0, 0], null]);
});

test('a fault taken away leaves every tensor as it was, bit for bit, and the routes agree again', () => {
  const layer = causal({ nBatch: 2, outputProjection: 3, biases: ['query', 'out'] });
  const names = Object.keys(layer.shapes());
  const before = names.map((name) => layer.get(name));
  for (const { name } of layer.faults()) {
    layer.configure({ fault: name, faultPlace: PLACE }).forward().configure({ fault: 'none' }).forward();
    assert.deepEqual(names.map((tensor) => layer.get(tensor)), before, name);
  }
  assert.deepEqual(layer.compareRoutes({ tolerance: 1e-6 }).rows, []);
});

test('an altered input leaves inputs and values as they are', () => {
  for (const options of [{}, { dIn: WIDTH, scoreSource: 'inputs' }, { dIn: WIDTH, scoreSource: 'given' }]) {
    const layer = causal(options);
    const before = ['inputs', 'values'].map((name) => layer.get(name));
    layer.configure({ fault: 'input_altered', faultPlace: PLACE }).forward();
    assert.deepEqual(['inputs', 'values'].map((name) => layer.get(name)), before);
    assert.equal(layer.compareRoutes().drawsOn, PLACE);
  }
});

test('a fault is in the first sequence of a batch if it has a place, else in all', () => {
  const layer = causal({ nBatch: 2 });
  for (const { name, hasPlace, missing } of layer.faults().filter((fault) => fault.missing === null)) {
    const { rows } = layer.configure({ fault: name, faultPlace: PLACE }).forward().compareRoutes();
    const sequences = [...new Set(rows.map(({ batch }) => batch))];
    assert.deepEqual(sequences, hasPlace ? [0] : [0, 1], `${name} ${missing}`);
  }
});

test('each fault says what the setting lacks, and whether it is about a token', () => {
  /** @param {Layer} layer */
  const lacking = (layer) => Object.fromEntries(layer.faults().map(({ name, missing }) => [name, missing]));
  const layer = attention.createLayer({ nTokens: 3, dIn: 2, scoreSource: 'given', fault: 'term_wrong', faultPlace: 2 });
  assert.deepEqual(lacking(layer), {
    weight_altered: null, term_wrong: null, input_altered: null, softmax_columns: 'scores', mask_off_by_one: 'causal',
    mask_after_softmax: 'causal', mask_fill_zero: 'scores', mask_fill_large: 'scores', scale_missing: 'scores',
    scale_sqrt_d_out: 'scores', query_key_swapped: 'scores', heads_reshaped: 'two_heads',
  });
  layer.configure({ scoreSource: 'inputs', scale: 'none', causal: true });
  assert.deepEqual(lacking(layer), {
    weight_altered: null, term_wrong: null, input_altered: null, softmax_columns: null, mask_off_by_one: null,
    mask_after_softmax: null, mask_fill_zero: null, mask_fill_large: 'huge_scores', scale_missing: 'scale',
    scale_sqrt_d_out: 'sqrt_head_dim', query_key_swapped: 'trained', heads_reshaped: 'two_heads',
  });
  assert.deepEqual(layer.faults().filter(({ hasPlace }) => hasPlace).map(({ name }) => name),
    ['weight_altered', 'term_wrong', 'input_altered']);
});

test('a fault and its place are refused with what was expected and what came', () => {
  const layer = causal();
  const before = layer.get('context_vecs');
  /** @type {[object, string, RegExp][]} */
  const wrong = [
    [{ fault: 'typo' }, 'unknown_choice', /^fault must be 'none', .* or 'heads_reshaped', got 'typo'$/],
    [{ fault: 'term_wrong', faultPlace: 5 }, 'index_out_of_range', /^faultPlace must be from 0 to 4, got 5$/],
    [{ causal: false, fault: 'term_wrong', faultPlace: -1 }, 'index_out_of_range', /^faultPlace .* got -1$/],
    [{ fault: 'term_wrong', faultPlace: 0.5 }, 'wrong_type', /^faultPlace must be a whole number, got 0.5$/],
    [{ faultPlace: 2 }, 'unknown_option', /^faultPlace needs a fault beside it, got 2 and no fault$/],
  ];
  for (const [settings, code, message] of wrong) {
    assert.throws(() => layer.configure(/** @type {any} */ (settings)), { name: 'AttnError', code, message });
  }
  assert.deepEqual(layer.get('context_vecs'), before);
});

// ---- The wrong numbers of known mistakes ------------------------------------------------------------------------

test('masked scores of 0 give row 1 of the six tokens .3521 and then .1296 five times', () => {
  const layer = attention.createLayer({
    nTokens: 6, dIn: 3, scoreSource: 'inputs', scale: 'none', causal: true, fault: 'mask_fill_zero',
  });
  const weights = layer.set('inputs', SIX_TOKENS).forward().get('attn_weights').data;
  assertClose(weights.slice(0, 6), [0.3521, 0.1296, 0.1296, 0.1296, 0.1296, 0.1296], { atol: 5e-5 });
});

test('√d_out after splitting heads gives .164 .100 .736 where √head_dim gives .102 .050 .848', () => {
  const layer = attention.createLayer({ nTokens: 3, dIn: 3, dOut: 4, nHeads: 2 });
  layer.set('inputs', [[1, 0, 0], [0, 1, 0], [0, 0, 1]]);
  // Query 1 is [1, 0], the keys begin with 3, 2, 6, in head 1: the scores before the scale are 3, 2, 6.
  layer.set('w_query', [[1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]);
  layer.set('w_key', [[3, 0, 0, 0], [2, 0, 0, 0], [6, 0, 0, 0]]);
  const row = () => layer.forward().get('attn_weights').data.slice(0, 3);
  assertClose(row(), [0.102, 0.050, 0.848], { atol: 5e-4 });
  layer.configure({ fault: 'scale_sqrt_d_out' });
  assertClose(row(), [0.164, 0.100, 0.736], { atol: 5e-4 });
  layer.configure({ fault: 'scale_missing' });
  assertClose(row(), softmax([3, 2, 6]), { atol: 1e-6 });
});

/** @param {number[]} scores */
function softmax(scores) {
  const total = scores.reduce((sum, score) => sum + Math.exp(score), 0);
  return scores.map((score) => Math.exp(score) / total);
}

test('a plain reshape makes [1,2] [3,4] [5,6] of head 1, where the columns are [1,2] [5,6] [9,10]', () => {
  const layer = attention.createLayer({ nTokens: 3, dIn: 4, nHeads: 2, scale: 'none' });
  const identity = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]];
  for (const name of ['w_query', 'w_key', 'w_value']) layer.set(name, identity);
  layer.set('inputs', [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]);
  /** @param {number[][]} rows */
  const products = (rows) => rows.flatMap((q) => rows.map((k) => q[0] * k[0] + q[1] * k[1]));
  const scores = () => layer.forward().get('attn_scores').data;
  assertClose(scores().slice(0, 9), products([[1, 2], [5, 6], [9, 10]]), { atol: 0 });
  layer.configure({ fault: 'heads_reshaped' });
  assertClose(scores(), [...products([[1, 2], [3, 4], [5, 6]]), ...products([[7, 8], [9, 10], [11, 12]])], { atol: 0 });
  // The largest score of each row is with the last token: each head's context is its last row of "values".
  assertClose(rowOf(layer.get('context_vecs').data, 4, 2), [5, 6, 11, 12], { atol: 1e-4 });
});

test('query and key swapped gives the transposed scores', () => {
  const layer = causal({ causal: false, nHeads: 1 });
  const right = layer.get('attn_scores').data;
  const wrong = layer.configure({ fault: 'query_key_swapped' }).forward().get('attn_scores').data;
  assertClose(wrong, right.map((_, k) => right[(k % T) * T + Math.floor(k / T)]), { atol: 1e-7 });
});

test('softmax over columns makes the columns sum to 1', () => {
  const layer = causal({ fault: 'softmax_columns' });
  assertClose(layer.get('attn_column_sums').data, Array(2 * T).fill(1), { atol: 1e-6 });
});

test('under the mask given weights can be masked off by one, or not renormalised', () => {
  const layer = attention.createLayer({ nTokens: 3, dIn: 2, scoreSource: 'given', causal: true });
  layer.set('inputs', distinct(6)).set('attn_weights', [[0.5, 0.25, 0.25], [0.25, 0.25, 0.5], [0.25, 0.25, 0.5]]);
  const weights = () => layer.forward().get('attn_weights').data;
  assertClose(weights(), [1, 0, 0, 0.5, 0.5, 0, 0.25, 0.25, 0.5], { atol: 0 });
  layer.configure({ fault: 'mask_off_by_one' });
  assertClose(weights(), [2 / 3, 1 / 3, 0, 0.25, 0.25, 0.5, 0.25, 0.25, 0.5], { atol: 1e-7 });
  layer.configure({ fault: 'mask_after_softmax' });
  assertClose(weights(), [0.5, 0, 0, 0.25, 0.25, 0, 0.25, 0.25, 0.5], { atol: 0 });
});

test('a mask of -1e9 shows with the toy, W_query = -20000 and W_key = 20000 times the identity', () => {
  // Plain kernels: sums in float of such a size are too uncertain to hold the routes against each other.
  const layer = attention.createLayer({ nTokens: 3, dIn: 2, causal: true, kernels: 'plain' });
  layer.set('inputs', [[1, 2], [3, 4], [5, 6]]).set('w_value', [[1, 0], [0, 1]]);
  layer.set('w_query', [[-20000, 0], [0, -20000]]).set('w_key', [[20000, 0], [0, 20000]]).forward();
  assertClose(layer.get('attn_weights').data, [1, 0, 0, 1, 0, 0, 1, 0, 0], { atol: 0 });
  assert.equal(layer.faults().find(({ name }) => name === 'mask_fill_large')?.missing, null);
  layer.configure({ fault: 'mask_fill_large' }).forward();
  assertClose(layer.get('attn_weights').data, [0, 0.5, 0.5, 0, 0, 1, 1, 0, 0], { atol: 0 });
  const { verdict, rows } = layer.compareRoutes();
  assert.deepEqual([verdict, rows.map(({ token }) => token)], ['some rows', [0, 1]]);
  layer.configure({ fault: 'none', scale: 1e-9 }).forward();
  assert.equal(layer.faults().find(({ name }) => name === 'mask_fill_large')?.missing, 'huge_scores');
});
