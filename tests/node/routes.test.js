// What compareRoutes says when the batched route is wrong in ways that no planted fault makes: so the test reaches into
// the module's memory, which it gets hold of while the module is instantiated. Read next: src/compare_routes.c.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { loadAttention } from '../../web/engine/node.js';
import { fill } from './cases.js';

/** An Attention of its own, and the memory of its module. */
async function withMemory() {
  const { instantiate } = WebAssembly;
  /** @type {WebAssembly.Memory | undefined} */
  let memory;
  /** @type {any} */ (WebAssembly).instantiate = async (/** @type {any} */ module, /** @type {any} */ imports) => {
    const instance = /** @type {any} */ (await instantiate(module, imports));
    memory = instance.exports.memory;
    return instance;
  };
  try {
    const bytes = readFileSync(new URL('../../build/attention.wasm', import.meta.url));
    const attention = await loadAttention(bytes);
    return { attention, memory: /** @type {WebAssembly.Memory} */ (memory) };
  } finally {
    WebAssembly.instantiate = instantiate;
  }
}

const { attention, memory } = await withMemory();

/**
 * Where a tensor lies: its numbers, looked for in the memory.
 * @param {import('../../web/engine/layer.js').Layer} layer
 * @param {string} name
 */
function inMemory(layer, name) {
  const { data } = layer.get(name);
  const floats = new Float32Array(memory.buffer);
  const at = floats.findIndex((first, i) => first === data[0] && data.every((x, k) => floats[i + k] === x));
  assert.ok(at >= 0, `${name} is not in the memory`);
  return floats.subarray(at, at + data.length);
}

let seed = 1;

/** Every layer has numbers of its own, so that they are found in the memory once. @param {object} [options] */
const computed = (options) =>
  fill(attention.createLayer({ nBatch: 2, nTokens: 5, dIn: 3, dOut: 4, nHeads: 2, ...options }), seed += 10).forward();

test('one wrong row is named by sequence, token, first position, and both numbers', () => {
  const layer = computed();
  const right = layer.get('context_vecs').data;
  const context = inMemory(layer, 'context_vecs');
  const row = (1 * 5 + 2) * 4;
  context[row + 1] += 0.5;
  context[row + 3] += 0.5;
  const { verdict, rows, tolerance } = layer.compareRoutes();
  assert.equal(verdict, 'one row');
  assert.equal(tolerance, 1e-6);
  assert.equal(rows.length, 1);
  const { batched, oneToken, ...where } = rows[0];
  // All terms are equal: the sum itself is at fault.
  assert.deepEqual(where, { batch: 1, token: 2, position: 1, term: null });
  assert.equal(batched, context[row + 1]);
  assert.ok(Math.abs(oneToken - right[row + 1]) < 1e-6);
  assert.equal(layer.compareRoutes({ tolerance: 1 }).verdict, 'agree', 'within a generous tolerance they agree');
});

test('a wrong weight is named as the first term whose products differ', () => {
  const layer = computed();
  const weights = inMemory(layer, 'attn_weights');
  const context = inMemory(layer, 'context_vecs');
  const values = layer.get('values').data;
  // Sequence 0, head 1, row 4: one weight altered, as if before the product.
  weights[(1 * 5 + 4) * 5 + 3] += 0.25;
  for (const e of [2, 3]) context[4 * 4 + e] += 0.25 * values[3 * 4 + e];
  const { verdict, rows } = layer.compareRoutes();
  assert.equal(verdict, 'one row');
  const { batch, token, position, term } = rows[0];
  assert.deepEqual({ batch, token, position, term }, { batch: 0, token: 4, position: 2, term: 3 });
});

test('several wrong rows are "some rows", all of them "every row"', () => {
  const layer = computed();
  const context = inMemory(layer, 'context_vecs');
  context[0] += 1;
  context[4 * 4] += 1;
  const some = layer.compareRoutes();
  assert.equal(some.verdict, 'some rows');
  assert.deepEqual(some.rows.map(({ batch, token }) => [batch, token]), [[0, 0], [0, 4]]);
  context.forEach((x, i) => { context[i] = x + 1; });
  const every = layer.compareRoutes();
  assert.equal(every.verdict, 'every row');
  assert.equal(every.rows.length, 10);
});

test('under the causal mask the first row draws on one token only and need not differ for "every row"', () => {
  const layer = computed({ causal: true });
  const context = inMemory(layer, 'context_vecs');
  context.forEach((x, i) => { if (i % 20 >= 4) context[i] = x + 1; });
  const { verdict, rows } = layer.compareRoutes();
  assert.equal(verdict, 'every row');
  assert.equal(rows.length, 8);
});

test('the verdict is undone by computing again', () => {
  const layer = computed();
  inMemory(layer, 'context_vecs')[7] += 1;
  assert.equal(layer.compareRoutes().verdict, 'one row');
  assert.deepEqual(layer.forward().compareRoutes(), { verdict: 'agree', rows: [], drawsOn: null, tolerance: 1e-6 });
});

test('with "some rows" the token that exactly these rows draw on is named, or none', () => {
  const layer = computed({ causal: true, nBatch: 1 });
  const context = inMemory(layer, 'context_vecs');
  context.forEach((x, i) => { if (i >= 12) context[i] = x + 1; });
  assert.deepEqual([layer.compareRoutes().verdict, layer.compareRoutes().drawsOn], ['some rows', 3]);
  context[4] += 1;
  assert.deepEqual([layer.compareRoutes().verdict, layer.compareRoutes().drawsOn], ['some rows', null]);
});

test('both routes print their terms, which add up to what each gave', () => {
  const layer = computed().configure({ kernels: 'plain' }).forward(); // which round a sum but once
  for (let position = 0; position < 4; position++) {
    const { batched, oneToken } = layer.routeTerms(3, position, 1);
    const sums = [batched, oneToken].map((terms) => Math.fround(terms.reduce((sum, term) => sum + term, 0)));
    assert.deepEqual(sums, [layer.get('context_vecs').data[(5 + 3) * 4 + position],
      layer.contextOneToken(3, 1).context[position]]);
  }
});

test('the terms point at the wrong one', () => {
  const layer = computed().configure({ fault: 'term_wrong', faultPlace: 4 }).forward();
  const [{ token, position, term, batched, oneToken }] = layer.compareRoutes().rows;
  const terms = layer.routeTerms(token, position);
  const wrong = terms.batched.flatMap((product, j) => (Math.abs(product - terms.oneToken[j]) > 1e-6 ? [j] : []));
  assert.deepEqual([token, position, wrong], [4, 1, [term]]);
  assert.ok(Math.abs((batched - oneToken) - (terms.batched[wrong[0]] - terms.oneToken[wrong[0]])) < 1e-6);
});

test('tokens that arrive one by one make the rows of the causal batch', () => {
  const layer = computed({ nBatch: 1, causal: true });
  const inputs = layer.get('inputs').data;
  const rows = layer.get('context_vecs').data;
  for (let t = 1; t <= 5; t++) {
    layer.set('inputs', inputs.map((x, i) => (i < t * 3 ? x : -7)));
    const { context } = layer.contextOneToken(t - 1);
    context.forEach((x, e) => assert.ok(Math.abs(x - rows[(t - 1) * 4 + e]) < 1e-6));
  }
});

test('the second route adds from the last to the first: exactly compared the order shows, and no term differs', () => {
  const layer = attention.createLayer({ nTokens: 3, dIn: 1, scoreSource: 'given' });
  layer.set('inputs', [[1e16], [-1e16], [1]]).set('attn_weights', Array(9).fill(1)).forward();
  assert.deepEqual([...layer.get('context_vecs').data], [1, 1, 1]);
  assert.deepEqual([...layer.contextOneToken(2).context], [0]);
  assert.equal(layer.compareRoutes().verdict, 'agree');
  const { verdict, rows } = layer.compareRoutes({ tolerance: 0 });
  assert.deepEqual([verdict, rows.map(({ term }) => term)], ['every row', [null, null, null]]);
});

test('terms of stale results, or of what is not there, are refused', () => {
  const layer = computed();
  assert.throws(() => layer.routeTerms(5, 0), { message: 'token must be from 0 to 4, got 5' });
  assert.throws(() => layer.routeTerms(0, 4), { message: 'position must be from 0 to 3, got 4' });
  assert.throws(() => layer.routeTerms(0, 0, 2), { message: 'batch must be from 0 to 1, got 2' });
  layer.configure({ causal: true });
  assert.throws(() => layer.routeTerms(0, 0), { code: 'stale', message: /^context_vecs is stale/ });
});
