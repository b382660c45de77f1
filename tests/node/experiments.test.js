// The figures of every card's experiment against an independent computation in double; and what an experiment says where
// it has none. Read next: chapter.test.js, ../../web/app/experiments.js.

import assert from 'node:assert/strict';
import test from 'node:test';
import { experimentOf } from '../../web/app/experiments.js';
import { cards } from '../../web/content/cards.js';
import { FIRST_VIEW } from '../../web/model/state.js';
import { attention } from './cases.js';
import { htmlOf, opening, runner, textOf } from './frames.js';
import { scenes } from './scenes.js';

/** @typedef {import('../../web/model/state.js').Doc} Doc */

/** @param {string} name */
function scene(name) {
  const { template } = scenes.find((one) => one.name === name) ?? assert.fail(`no scene "${name}"`);
  return { html: htmlOf(template), text: textOf(template) };
}

// ---- An attention of the tests' own, one head, in double -----------------------------------------------------------

/** @param {number[][]} a @param {number[][]} b */
const product = (a, b) => a.map((row) => b[0].map((_, j) => row.reduce((sum, x, k) => sum + x * b[k][j], 0)));

/** @param {number[]} row scores, or −∞ */
function softmax(row) {
  const parts = row.map((x) => Math.exp(x - Math.max(...row)));
  return parts.map((x) => x / parts.reduce((sum, y) => sum + y, 0));
}

/**
 * @param {{ q: number[][], k: number[][], v: number[][] }} rows @param {number} scale
 * @param {(score: number, i: number, j: number) => number} [mask]
 */
function attend({ q, k, v }, scale, mask = (score) => score) {
  const weights = q.map((query, i) => softmax(k.map((key, j) =>
    mask(query.reduce((sum, x, e) => sum + x * key[e], 0) * scale, i, j))));
  return { weights, context: product(weights, v) };
}

/** @param {number[][]} left @param {number[][]} right */
const furthest = (left, right) => Math.max(...left.flatMap((row, i) => row.map((x, j) => Math.abs(x - right[i][j]))));

/** What the mask leaves. @type {(score: number, i: number, j: number) => number} */
const causal = (score, i, j) => (j > i ? -Infinity : score);

/** @param {Doc} doc @param {string[]} [biased] */
function projected(doc, biased = []) {
  const of = (/** @type {string} */ name, /** @type {number[][]} */ w) => product(doc.inputs, w)
    .map((row) => row.map((x) => x + (biased.includes(name) ? 1 : 0)));
  return { q: of('query', doc.w_query), k: of('key', doc.w_key), v: of('value', doc.w_value) };
}

/** The figures of a card by their ids. @param {Doc} doc @param {string} card @param {string[]} tried @param {number} [row] */
function figures(doc, card, tried, row = 0) {
  const list = experimentOf(attention, doc, { ...FIRST_VIEW, row, notes: { ...FIRST_VIEW.notes, card, tried } });
  assert.ok(Array.isArray(list), card);
  return Object.fromEntries(list.map(({ id, value }) => [id, value]));
}

/** @param {number} actual @param {number} expected */
const close = (actual, expected) => assert.ok(Math.abs(actual - expected) <= 2e-6 * Math.max(1, Math.abs(expected)), `${actual}, expected ${expected}`);

test('a key bias moves nothing but by rounding, a query bias moves weights, a value bias context vectors alone', async () => {
  const { document: doc } = await opening('trainable');
  const scale = 1 / Math.sqrt(2);
  const plain = attend(projected(doc), scale);
  for (const tried of [['query'], ['key'], ['value'], ['query', 'value']]) {
    const other = attend(projected(doc, tried), scale);
    const { weights, context } = figures(doc, 'bias', tried);
    close(weights, furthest(other.weights, plain.weights));
    close(context, furthest(other.context, plain.context));
  }
  assert.ok(figures(doc, 'bias', ['key']).weights < 1e-6);
  assert.ok(figures(doc, 'bias', ['query']).weights > 1e-3);
  assert.equal(figures(doc, 'bias', ['value']).weights, 0);
  assert.equal(figures(doc, 'bias', []).context, 0);
});

test('a fill of 0 leaks as much as the published row says; −∞ leaks nothing; −10⁹ leaks where scores are huge', async () => {
  const { document: doc } = await opening('simplified');
  const of = { q: doc.inputs, k: doc.inputs, v: doc.inputs };
  const { weights } = attend(of, 1, (score, i, j) => (j > i ? 0 : score));
  assert.deepEqual([weights[0][0].toFixed(4), weights[0][5].toFixed(4)], ['0.3521', '0.1296']);
  const leaks = weights.map((row, i) => row.slice(i + 1).reduce((sum, x) => sum + x, 0));
  const { leak, where } = figures(doc, 'mask-fill', ['zero']);
  close(leak, Math.max(...leaks));
  assert.equal(where, leaks.indexOf(Math.max(...leaks)) + 1);
  assert.deepEqual(figures(doc, 'mask-fill', []), { leak: 0 });
  assert.deepEqual(figures(doc, 'mask-fill', ['large']), { leak: 0 });
  const huge = (await opening('huge-scores')).document;
  assert.ok(figures(huge, 'mask-fill', ['large']).leak > 0.9);
});

test('the leak of several heads is that of the head that leaks most', async () => {
  const { document: doc } = await opening('multi-head');
  const rows = projected(doc);
  const leaks = [0, 2].map((from) => {
    const cut = (/** @type {number[][]} */ matrix) => matrix.map((row) => row.slice(from, from + 2));
    const { weights } = attend({ q: cut(rows.q), k: cut(rows.k), v: cut(rows.v) }, 1 / Math.sqrt(2), (score, i, j) => (j > i ? 0 : score));
    return weights.map((row, i) => row.slice(i + 1).reduce((sum, x) => sum + x, 0));
  });
  close(figures(doc, 'mask-fill', ['zero']).leak, Math.max(...leaks.flat()));
});

test('the scale experiment has scores of its own, so that each wrong scale shows, whatever is on the screen', async () => {
  for (const id of ['simplified', 'causal', 'multi-head']) {
    const { document: doc } = await opening(id);
    for (const [choice, factor, first] of /** @type {[string, number, string][]} */ ([
      ['divide', 1 / Math.SQRT2, '0.1017'], ['none', 1, '0.0466'], ['multiply', Math.SQRT2, '0.0141'], ['width', 1 / 2, '0.1643'],
    ])) {
      const weights = softmax([3, 2, 6].map((score) => score * factor));
      const found = figures(doc, 'scale', [choice], 3);
      close(found.factor, factor);
      assert.equal(found['weight-1'].toFixed(4), first);
      weights.forEach((weight, i) => close(found[`weight-${i + 1}`], weight));
      close(found.entropy, weights.reduce((sum, x) => sum - x * Math.log2(x), 0));
    }
  }
  assert.match(scene('card scale ').text, /Scores 3, 2, 6, in one of 2 heads that share d_out = 4, so d_k = 2:/);
});

test('5 more in every score moves no weight but by rounding; the softmax of weights is another', async () => {
  for (const [id, scale, mask] of /** @type {const} */ ([['trainable', 1 / Math.SQRT2, undefined], ['causal', 1 / Math.SQRT2, causal]])) {
    const { document: doc } = await opening(id);
    const { q, k, v } = projected(doc);
    const { weights } = attend({ q, k, v }, scale, mask);
    for (const row of [0, 2]) {
      const reach = mask ? row + 1 : 6;
      const scores = product([q[row]], k[0].map((_, e) => k.map((key) => key[e])))[0].map((score) => score * scale);
      const shifted = figures(doc, 'scores-or-weights', ['plus-5'], row);
      assert.ok(Math.abs(shifted.scores - 5) < 1e-5 && shifted.row < 1e-6, id);
      const again = softmax(weights[row].slice(0, reach));
      const found = figures(doc, 'scores-or-weights', ['again'], row);
      close(found.largest, Math.max(...again));
      close(found.row, furthest([again], [weights[row].slice(0, reach)]));
      close(found.scores, furthest([weights[row].slice(0, reach)], [scores.slice(0, reach)]));
      const { largest, ...still } = figures(doc, 'scores-or-weights', [], row);
      assert.deepEqual(still, { scores: 0, row: 0 });
      close(largest, Math.max(...weights[row]));
    }
  }
  const heads = (await opening('multi-head')).document;
  assert.equal(figures(heads, 'scores-or-weights', [], 3).row, 0);
});

test('W @ x does not fit a matrix that is not square, and gives other queries where it is', async () => {
  const { document: doc } = await opening('trainable');
  const asks = (/** @type {Doc} */ of, /** @type {string} */ choice) =>
    experimentOf(attention, of, { ...FIRST_VIEW, row: 1, notes: { ...FIRST_VIEW.notes, card: 'orientation', tried: [choice] } });
  assert.equal(asks(doc, 'turned'), 'does not fit');
  assert.match(scene('card orientation turned').text, /W_query is \[3\]\[4\], so W @ x expects 4 numbers in x, and x has 3/);
  assert.deepEqual(figures(doc, 'orientation', ['rows'], 1), { query: 0 });
  const w = doc.w_query.slice(0, 2);
  const x = [doc.inputs[1].slice(0, 2)];
  const wrong = furthest(product(x, w), product(x, [[w[0][0], w[1][0]], [w[0][1], w[1][1]]]));
  assert.ok(wrong > 0.1);
  close(figures(doc, 'orientation', ['square'], 1).query, wrong);
  const square = { ...doc, inputs: doc.inputs.map((row) => row.slice(0, 2)), w_query: w, w_key: doc.w_key.slice(0, 2), w_value: doc.w_value.slice(0, 2) };
  close(figures(square, 'orientation', ['turned'], 1).query, wrong);
});

test('an input moves the weights and no matrix, a step moves both, and weights that are kept are wrong', async () => {
  const { document: doc } = await opening('trainable');
  const plain = attend(projected(doc), 1 / Math.SQRT2);
  const edited = projected({ ...doc, inputs: doc.inputs.map((row, i) => (i === 2 ? [3, 3, 3] : row)) });
  const other = attend(edited, 1 / Math.SQRT2);
  const input = figures(doc, 'learnt', [], 2);
  assert.equal(input.matrices, 0);
  close(input.weights, furthest(other.weights, plain.weights));
  const kept = figures(doc, 'learnt', ['kept'], 2);
  assert.deepEqual([kept.matrices, kept.weights], [0, 0]);
  close(kept.stale, furthest(product(plain.weights, edited.v), other.context));
  assert.ok(kept.stale > 0.1);
  const step = figures(doc, 'learnt', ['step'], 2);
  assert.ok(step.matrices > 0.01 && step.weights > 1e-3);
  const heads = (await opening('multi-head')).document;
  assert.ok(figures(heads, 'learnt', ['kept'], 2).stale > 0.01);
});

test('W_out as the identity changes nothing; with one number more outputs move alone, and no head by itself gets there', async () => {
  const { document: doc } = await opening('multi-head');
  assert.deepEqual(figures(doc, 'projection', []), { context: 0, outputs: 0 });
  const { context } = await runner.run(await opening('multi-head')).then(({ tensors }) => ({ context: tensors.context_vecs.data }));
  const last = Math.max(...[...context].filter((_, i) => i % 4 === 3).map(Math.abs));
  const free = figures(doc, 'projection', ['free']);
  assert.equal(free.context, 0);
  close(free.outputs, last);
  const alone = figures(doc, 'projection', ['alone']);
  assert.deepEqual([alone.context, alone.outputs], [0, 0]);
  close(alone.astray, last);
  assert.equal(figures({ ...doc, heads: 1 }, 'projection', ['alone']).astray, 0);
});

test('every card breaks a number: by an experiment, or by a bug that it plants', () => {
  for (const { id, does, experiment } of cards) assert.ok(experiment || does.some(({ act }) => act === 'plant'), id);
});

test('identity matrices give the product of the inputs; a free W_value moves context vectors, not weights', async () => {
  for (const id of ['simplified', 'trainable', 'causal', 'warm-up']) {
    const { document: doc } = await opening(id);
    assert.deepEqual(figures(doc, 'three-matrices', []), { weights: 0, context: 0 }, id);
    const value = figures(doc, 'three-matrices', ['w_value']);
    assert.equal(value.weights, 0, id);
    assert.ok(value.context > 0.01, id);
    for (const free of ['w_query', 'w_key']) assert.ok(figures(doc, 'three-matrices', [free]).weights > 1e-3, `${id} ${free}`);
  }
});

test('separate heads give what one split matrix gives, bit for bit, and take no more columns', async () => {
  const { document: doc } = await opening('multi-head');
  assert.deepEqual(figures(doc, 'head-dim', ['separate']), { width: 2, columns: 4, apart: 0 });
  assert.deepEqual(figures(doc, 'head-dim', []), { width: 2, columns: 4 });
  assert.deepEqual(figures(doc, 'head-dim', ['wide']), { width: 4, columns: 8 });
});

test('with alike inputs all weight may move between two tokens and no context vector does', async () => {
  for (const id of ['warm-up', 'trainable', 'multi-head']) {
    const { document: doc } = await opening(id);
    assert.deepEqual(figures(doc, 'explains', ['alike']), { weights: 1, context: 0 }, id);
    const { weights, context } = figures(doc, 'explains', []);
    const { v } = doc.source === 'trained' ? projected(doc) : { v: doc.inputs };
    assert.equal(weights, 1);
    close(context, furthest([v[0]], [v[1]]));
  }
});

test('an experiment that no float32 can hold says so and leaves the page as it is', async () => {
  const { document: doc } = await opening('trainable');
  const huge = { ...doc, w_query: doc.w_query.map((row) => row.map(() => 3e38)) };
  assert.equal(experimentOf(attention, huge, { ...FIRST_VIEW, notes: { ...FIRST_VIEW.notes, card: 'bias', tried: ['query'] } }), 'too large');
  assert.equal(experimentOf(attention, doc, { ...FIRST_VIEW, notes: { ...FIRST_VIEW.notes, card: 'sums' } }), null);
  assert.match(scene('an experiment whose numbers are too large').text, /too large here/);
});

test('a planted bug does not get into an experiment', async () => {
  const { document: doc } = await opening('trainable');
  assert.deepEqual(figures({ ...doc, fault: 'softmax_columns' }, 'bias', ['query']), figures(doc, 'bias', ['query']));
});
