// What the page compares, in Node: the verdict in words, the mystery bug, the pinned state, the tokens that arrive one by
// one, the ways to mask, and the examples that the instruments bring. The runner is the page's own.
// Read next: ../../web/app/comparisons.js, ../../web/model/mystery.js.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { messages } from '../../web/app/messages.js';
import { createBatches } from '../../web/app/batches.js';
import { createRunner } from '../../web/app/runner.js';
import { examples } from '../../web/content/examples.js';
import { derive, placeOf } from '../../web/model/derive.js';
import { begin, commit, redo, undo } from '../../web/model/history.js';
import { MAX_SEED, ROW_STAGES, STAGES, candidates } from '../../web/model/mystery.js';
import { inCell } from '../../web/model/numbers.js';
import { stateOfExample } from '../../web/model/state.js';
import { update } from '../../web/model/update.js';
import { verdict } from '../../web/view/verdict.js';
import { attention } from './cases.js';
import { assertClose } from './compare.js';

/**
 * @typedef {import('../../web/model/state.js').State} State
 * @typedef {import('../../web/model/update.js').Action} Action
 */

const runner = createRunner(attention, createBatches(attention));
const text = ['en', 'en-checks'].map((name) => readFileSync(new URL(`../../web/content/${name}.ftl`, import.meta.url), 'utf8'));
const t = messages(text.join('\n'), 'en');

/** The state that an example opens with, and what actions make of it. @param {string} id @param {Action[]} actions */
async function stateOf(id, ...actions) {
  const example = examples.find((one) => one.id === id);
  assert.ok(example, `there is no example "${id}"`);
  return changed(stateOfExample(example, await runner.draw(example)), ...actions);
}

/** @param {State} state @param {Action[]} actions */
function changed(state, ...actions) {
  for (const action of actions) {
    const outcome = update(state, action);
    assert.ok('state' in outcome, `${action.type} is a problem`);
    state = outcome.state;
  }
  return state;
}

/** @param {string} fault @param {number} [place] @returns {Action} */
const plant = (fault, place = 0) => ({ type: 'fault', fault, place, mystery: null });

/** The verdict's sentence for a state. @param {State} state */
async function said(state) {
  const { tensors, ...computed } = await runner.run(state);
  const derived = derive(state, { tensors, ...computed });
  return verdict({
    state, tensors, derived, t, ui: /** @type {any} */ ({}), examples, chapters: [], content: { notes: [], cards: [], formulas: {} },
  });
}

test('the verdict names the row, the position and the term; or the token; or all that could differ', async () => {
  assert.equal(await said(await stateOf('causal')), 'All rows agree.');
  assert.match(await said(await stateOf('causal', plant('term_wrong', 3))),
    /^Only row 4 differs: look at row 4 of the attention weights, or at the product that formed its entries\. The first disagreement is at position 2, in term \d\.$/);
  assert.equal(await said(await stateOf('causal', plant('input_altered', 3))),
    'Several rows differ (4, 5, 6), exactly those that draw on token 4: look at input 4, or at how the weights were built.');
  assert.equal(await said(await stateOf('causal', plant('input_altered', 1))),
    'Several rows differ (2, 3, 4, 5, 6), exactly those that draw on token 2: look at input 2, or at how the weights were built.');
  assert.equal(await said(await stateOf('trainable', plant('query_key_swapped'))),
    'Every row that could differ does: look at the shared inputs, or at how the weights were built.');
});

const exactly = /** @type {Action} */ ({ type: 'tolerance', tolerance: 0 });
const asDisplayed = /** @type {Action} */ ({ type: 'tolerance', tolerance: 'displayed' });

test('exactly compared, an order of adding that shows is said to be no more, and a bug is still found', async () => {
  assert.equal((await runner.run(await stateOf('multi-head', exactly))).routes.tolerance, 0);
  const order = await stateOf('summation-order', exactly);
  assert.equal(await said(order), 'Only the order of adding differs (rows 1, 3): every term is the same.');
  const { tensors, both } = await runner.run(changed(order, { type: 'panel', panel: 'routes', open: true }));
  assert.deepEqual([tensors.context_vecs.data[0], both?.oneToken.data[0]], [0.5, 0]);
  assert.equal(await said(changed(order, { type: 'tolerance', tolerance: 1e-6 })), 'All rows agree.');
  assert.match(await said(changed(order, plant('weight_altered', 1))), /^To the last bit, rows 1, 2, 3 differ. To 10⁻⁶: Only row 2 /);
});

test('as displayed, rows differ if their numbers look different, however large they are', async () => {
  const large = await stateOf('warm-up', ...[[1, [1000, 2000]], [2, [3000, 4000]]].map(([row, values]) =>
    /** @type {Action} */ ({ type: 'edit-row', matrix: 'inputs', row, values })), plant('weight_altered', 2), asDisplayed);
  assert.match(await said(large), /^Only row 3 differs: look at row 3 /);

  const swapped = await stateOf('causal', plant('query_key_swapped'), asDisplayed);
  assert.match(await said(swapped), /^As displayed, rows 3, 4, 5 differ\. To 10⁻⁶: Every row that could differ does: /);
  const looks = (/** @type {Float32Array} */ data) => Array.from(data, (x) => inCell(x, 2));
  const { routes, both, tensors } = await runner.run(changed(swapped, { type: 'panel', panel: 'routes', open: true }));
  const batched = looks(tensors.context_vecs.data), oneToken = looks(/** @type {any} */ (both).oneToken.data);
  assert.deepEqual(routes.rows.map(({ token }) => token),
    [...new Set(batched.flatMap((text, i) => (text === oneToken[i] ? [] : [Math.floor(i / 2)])))]);
});

test('with no decimals fewer rows look different, and where to look is still what 10⁻⁶ says', async () => {
  const state = await stateOf('simplified', { type: 'digits', digits: 0 }, asDisplayed, plant('softmax_columns'));
  const { routes, pointing } = await runner.run(state);
  // 0.56 and 0.44 look like 1 and 0, though they are not apart by half of 1.
  assert.deepEqual([pointing.verdict, routes.rows.map(({ token }) => token)], ['every row', [1, 2, 3, 4]]);
  assert.match(await said(state), /^As displayed, rows 2, 3, 4, 5 differ\. To 10⁻⁶: Every row /);
  const hidden = await stateOf('causal', { type: 'digits', digits: 0 }, asDisplayed, plant('term_wrong', 3));
  assert.match(await said(hidden), /^As displayed, no row differs\. To 10⁻⁶: Only row 4 differs: look at row 4 /);
});

test('both routes are held against each other number by number, only while the instrument is open', async () => {
  const state = await stateOf('multi-head', plant('weight_altered', 2));
  assert.equal((await runner.run(state)).both, null);
  const { both, tensors } = await runner.run(changed(state, { type: 'panel', panel: 'routes', open: true }));
  assert.ok(both);
  const differing = Array.from(both.difference.data).flatMap((x, i) => (x === 0 ? [] : [Math.floor(i / 4)]));
  assert.deepEqual([...new Set(differing)], [2]);
  const sums = both.oneToken.data.map((x, i) => x + both.difference.data[i]);
  assertClose(sums, tensors.context_vecs.data, { atol: 1e-6 });
});

test('tokens that arrive one by one: with the mask no earlier row moves, without it they do; in the end all are there', async () => {
  for (const [id, moves] of /** @type {const} */ ([['causal', false], ['trainable', true]])) {
    for (let count = 2; count <= 6; count++) {
      const { replayed, tensors } = await runner.run(await stateOf(id, { type: 'replay', tokens: count }));
      assert.ok(replayed?.before);
      const [now, before] = [replayed.tensors.context_vecs.data, replayed.before.context_vecs.data];
      assert.equal(now.length, count * 2);
      assert.equal(before.every((x, i) => x === now[i]), !moves, `${id}, token ${count}`);
      if (count === 6) assert.deepEqual(now, tensors.context_vecs.data);
    }
  }
});

test('a bug in one row: not there before its token arrives, and stays with its row when tokens go', async () => {
  const state = await stateOf('causal', plant('term_wrong', 3));
  for (const [count, same] of /** @type {const} */ ([[3, true], [4, false]])) {
    const bugged = await runner.run(changed(state, { type: 'replay', tokens: count }));
    const right = await runner.run(await stateOf('causal', { type: 'replay', tokens: count }));
    assert.equal(String(bugged.replayed?.tensors.context_vecs.data) === String(right.replayed?.tensors.context_vecs.data), same);
  }
  const place = (/** @type {number[]} */ ...rows) =>
    changed(state, ...rows.map((row) => /** @type {Action} */ ({ type: 'remove-token', row }))).document.faultPlace;
  assert.deepEqual([place(0), place(3), place(5), place(5, 4, 3)], [2, 3, 3, 2]);
});

test('the pinned state: the difference is now less then, by head; shapes that do not agree have none', async () => {
  const causal = await stateOf('causal', { type: 'pin' });
  const open = changed(causal, { type: 'causal', on: false });
  const { pinned, tensors } = await runner.run(open);
  assert.ok(pinned?.weights && pinned.context);
  const then = (await runner.run(causal)).tensors;
  assertClose(pinned.weights.data, tensors.attn_weights.data.map((x, i) => x - then.attn_weights.data[i]), { atol: 1e-7 });
  assertClose(pinned.context.data, tensors.context_vecs.data.map((x, i) => x - then.context_vecs.data[i]), { atol: 1e-7 });

  const twoHeads = await runner.run(changed(causal, { type: 'heads', count: 2 }));
  assert.ok(twoHeads.pinned?.weights, 'each head is held against the one head');
  assertClose(twoHeads.pinned.weights.data.slice(36),
    twoHeads.tensors.attn_weights.data.slice(36).map((x, i) => x - then.attn_weights.data[i]), { atol: 1e-7 });

  const more = await runner.run(changed(causal, { type: 'add-token' }));
  assert.equal(more.pinned?.weights, null);
  assert.equal(more.pinned?.context, null);
  assert.equal((await runner.run(changed(causal, { type: 'unpin' }))).pinned, null);
});

test('what is pinned, and which instruments are open, stays when another example is opened', async () => {
  const state = await stateOf('causal', { type: 'panel', panel: 'compare', open: true }, { type: 'pin' });
  const example = examples[2];
  const opened = changed(state, { type: 'open', example, drawn: await runner.draw(example) });
  assert.deepEqual(opened.view.panels, ['compare']);
  assert.equal(opened.view.pinned, state.document);
});

/** The row of a way to mask. @param {Record<string, any>} way @param {number} row @param {number} n */
const weightsOf = (way, row, n) => Array.from(way.attn_weights.data.slice(row * n, (row + 1) * n));

test('three ways to mask: the first two give the same row, the third what is left of it', async () => {
  for (const id of ['simplified', 'trainable', 'multi-head']) {
    const { masking } = await runner.run(await stateOf(id, { type: 'panel', panel: 'masking', open: true }, plant('scale_missing')));
    assert.ok(masking);
    const right = await runner.run(await stateOf(id, { type: 'causal', on: true }));
    assert.deepEqual(masking.before.attn_weights.data, right.tensors.attn_weights.data, 'without the planted bug');
    assertClose(masking.renormalised.attn_weights.data, masking.before.attn_weights.data, { atol: 1e-6 }, id);
    assertClose(masking.renormalised.context_vecs.data, masking.before.context_vecs.data, { atol: 1e-6 }, id);
    for (const [row, sum] of masking.after.attn_row_sums.data.entries()) {
      const last = row % 6 === 5;
      assert.ok(last ? Math.abs(sum - 1) < 1e-6 : sum < 0.999, `${id}, row ${row}: ${sum}`);
    }
    assert.deepEqual(weightsOf(masking.after, 1, 6).slice(0, 2), weightsOf(masking.open, 1, 6).slice(0, 2));
  }
  assert.equal((await runner.run(await stateOf('warm-up', { type: 'panel', panel: 'masking', open: true }))).masking, null);
});

test('the example of large scores: renormalised after softmax nothing is left, with −∞ before it the row is right', async () => {
  const { masking } = await runner.run(await stateOf('mask-underflow', { type: 'panel', panel: 'masking', open: true }));
  assert.ok(masking);
  assert.deepEqual(weightsOf(masking.before, 0, 3), [1, 0, 0]);
  assert.deepEqual(weightsOf(masking.renormalised, 0, 3), [0, 0, 0]);
  assert.equal(masking.renormalised.attn_row_sums.data[0], 0);
});

test('the example of huge scores is one in which a mask filled with −10⁹ shows, and in no chapter does it', async () => {
  for (const { id, chapter } of examples) {
    const { faults } = await runner.run(await stateOf(id, { type: 'causal', on: true }));
    const { missing } = faults.find(({ name }) => name === 'mask_fill_large') ?? { missing: '' };
    assert.equal(missing === null, id === 'huge-scores', `${id}: ${missing}`);
    if (id === 'huge-scores') assert.equal(chapter, null);
  }
  const { routes } = await runner.run(await stateOf('huge-scores', plant('mask_fill_large')));
  assert.equal(routes.verdict, 'some rows');
  assert.deepEqual(routes.rows.map(({ token }) => token), [0, 1]);
});

test('a seed gives the same bug every time, one that shows; among a hundred seeds every bug that can show comes up', async () => {
  const { document } = await stateOf('multi-head');
  /** @type {Set<string>} */
  const seen = new Set();
  for (let seed = 0; seed < 100; seed++) {
    const choose = (/** @type {any} */ faults) => candidates(faults, seed, 6);
    const chosen = await runner.firstThatShows(document, choose);
    assert.ok(chosen);
    assert.deepEqual(await runner.firstThatShows({ ...document, fault: 'scale_missing' }, choose), chosen);
    const { routes } = await runner.run({ ...await stateOf('multi-head', plant(chosen.fault, chosen.place)) });
    assert.notEqual(routes.verdict, 'agree', chosen.fault);
    seen.add(chosen.fault);
  }
  const { faults } = await runner.run(await stateOf('multi-head'));
  assert.deepEqual([...seen].sort(), faults.filter(({ missing }) => missing === null).map(({ name }) => name).sort());
});

test('the generator is the documented one: these seeds choose these bugs on every device', () => {
  const faults = ['a', 'b', 'c', 'd'].map((name) => ({ name, missing: name === 'c' ? 'causal' : null, hasPlace: name === 'a' }));
  const order = (/** @type {number} */ seed) => candidates(faults, seed, 6).map(({ fault, place }) => `${fault}${place}`).join(' ');
  assert.deepEqual([0, 1, 2, 123, MAX_SEED].map(order), EXPECTED_ORDER);
});

/** mulberry32 by its published definition, in another form: the shuffles that it gives. */
const EXPECTED_ORDER = [0, 1, 2, 123, MAX_SEED].map((seed) => {
  let a = seed | 0;
  const next = () => {
    a = (a + 0x6d2b79f5) | 0;
    let x = Math.imul(a ^ (a >>> 15), 1 | a);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) / 4294967296;
  };
  const names = ['a', 'b', 'd'];
  for (const i of [2, 1]) {
    const j = Math.floor(next() * (i + 1));
    [names[i], names[j]] = [names[j], names[i]];
  }
  return names.map((name) => `${name}${name === 'a' ? Math.floor(next() * 6) : Math.floor(next()) * 0}`).join(' ');
});

test('every bug has a name, a description and a place that one can choose; every need has words', async () => {
  /** @type {Set<string>} */
  const needs = new Set();
  for (const { id } of examples) {
    for (const { name, missing } of (await runner.run(await stateOf(id))).faults) {
      assert.ok(t(`bug-${name}`) && t(`bug-${name}-about`));
      if (missing !== null) needs.add(missing);
      const [stage, row] = placeOf(name, 2).split(':');
      assert.ok(row === undefined ? STAGES.includes(stage) : ROW_STAGES.includes(stage) && row === '2', name);
      assert.ok(t(`place-${stage}`, { row: 3 }));
    }
  }
  for (const need of ['scores', 'trained', 'causal', 'scale', 'sqrt_head_dim', 'two_heads', 'two_values', 'two_tokens',
    'huge_scores', ...needs]) assert.ok(t(`missing-${need}`));
});

test('planting is a step that can be undone; a mystery stays one through undo and redo, and comes back unseen', async () => {
  let session = begin(await stateOf('causal'));
  const mystery = () => session.state.view.mystery;
  const take = (/** @type {Action} */ action) => {
    const outcome = update(session.state, action);
    assert.ok('state' in outcome);
    session = commit(session, outcome.state, outcome.label);
  };
  take({ type: 'fault', fault: 'mask_fill_zero', place: 0, mystery: 7 });
  assert.deepEqual(mystery(), { seed: 7, guess: null, revealed: false });
  take({ type: 'guess', guess: 'mask' });
  take({ type: 'reveal' });
  assert.deepEqual(mystery(), { seed: 7, guess: 'mask', revealed: true });
  take({ type: 'causal', on: false });
  assert.equal(mystery()?.revealed, true, 'an edit hides nothing again');
  take(plant('scale_missing'));
  assert.equal(mystery(), null);
  session = undo(session);
  assert.equal(session.state.document.fault, 'mask_fill_zero');
  assert.deepEqual(mystery(), { seed: 7, guess: null, revealed: false }, 'and not named by undo');
  session = undo(undo(session));
  assert.equal(session.state.document.fault, 'none');
  assert.equal(mystery(), null);
  session = redo(session);
  assert.equal(mystery()?.seed, 7);
});
