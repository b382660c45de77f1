// What is hidden while a question is open: the number that is asked for stands nowhere, in no grid, name, title, picture,
// instrument, export, however it is written; and it is there again once it is shown. Read next: questions.test.js.

import assert from 'node:assert/strict';
import test from 'node:test';
import { figureSvg } from '../../web/io/figure.js';
import { shownOf } from '../../web/model/derive.js';
import { exact, inCell, plain } from '../../web/model/numbers.js';
import { KINDS, asked } from '../../web/model/questions.js';
import { update } from '../../web/model/update.js';
import { over } from '../../web/model/questions/draws.js';
import { placeAt, veil, veiled } from '../../web/model/veil.js';
import { readout } from '../../web/view/notice.js';
import { page } from '../../web/view/page.js';
import { planes } from '../../web/view/plane.js';
import { questionCard } from '../../web/view/question.js';
import { frameOf, htmlOf, opening, runner, t, textOf } from './frames.js';

/**
 * @typedef {import('../../web/model/state.js').State} State
 * @typedef {import('../../web/model/update.js').Action} Action
 * @typedef {import('../../web/model/derive.js').Tensors} Tensors
 */

const PANELS = /** @type {const} */ (['shapes', 'flow', 'plane', 'routes', 'bugs', 'compare', 'masking', 'scores', 'numbers', 'training', 'chapter']);

/** @param {State} state @param {Action[]} actions @returns {State} */
const after = (state, ...actions) => actions.reduce((last, action) => {
  const outcome = update(last, action);
  assert.ok('state' in outcome, JSON.stringify(outcome));
  return outcome.state;
}, state);

/** With all open that could tell, and numbers no two of which look alike: irregular inputs, six decimals. @param {State} state */
function talkative(state) {
  const { inputs, given } = state.document;
  const odd = (/** @type {number} */ row, /** @type {number} */ column) => Math.fround(Math.sin(7 * row + 3 * column + 1) + 0.123 * column);
  const rows = inputs.map((values, row) => /** @type {Action} */ ({
    type: 'edit-row', matrix: 'inputs', row, values: values.map((_, column) => odd(row, column)) }));
  const weights = (given ?? []).map((values, row) => /** @type {Action} */ ({
    type: 'edit-row', matrix: 'given', row, values: values.map((_, column) => Math.abs(odd(row + 5, column))) }));
  const changed = after(state, ...rows, ...weights);
  const open = PANELS.map((panel) => /** @type {Action} */ ({ type: 'panel', panel, open: true }));
  return after(changed, ...open, { type: 'digits', digits: 6 }, { type: 'column-sums', on: true }, { type: 'pin' },
    { type: 'replay', tokens: changed.document.tokens.length });
}

const fit = /** @type {Action} */ ({ type: 'causal', on: true });
const starts = [
  after(await opening('warm-up'), fit), await opening('simplified'), await opening('trainable'), await opening('causal'),
  await opening('multi-head'),
].map(talkative);

/** Every way in which the page and its files write a number. @param {number} value */
const writings = (value) => [inCell(value, 6), exact(value), plain(value), inCell(Math.abs(value), 6)].filter((text) => text.length > 6);

/** Everything that can be seen, heard or saved of a state. @param {State} state */
async function told(state) {
  const { row, head } = state.view;
  const column = asked(state)?.shows?.indices.slice(-1)[0] ?? 0;
  const places = ['context_vecs', 'values', 'outputs', 'queries', 'keys', `attn_weights-${head}`, `attn_scores-${head}`]
    .map((grid) => ({ grid, row, column }));
  const frame = await frameOf(state);
  const svg = figureSvg(frame, t, (kind) => ({ ground: kind, ink: kind })).svg;
  const readouts = places.map((focus) => readout({ ...frame, ui: { ...frame.ui, focus } }));
  const held = [frame.derived.blended, 'context_vecs'].map((point) => planes({ ...frame, ui: { ...frame.ui, held: { point: `${point} ${row}`, ends: {} } } }));
  return `${[page(frame), ...readouts, ...held].map(htmlOf).join('\n')}\n${svg}`;
}

/**
 * The numbers that answer an open question: the one asked for, or a row of weights, with its scores if the order matters.
 * Weights of 0 and 1 stand everywhere.
 * @param {State} state @returns {Promise<number[]>}
 */
async function hiddenNumbers(state) {
  const { tensors } = await runner.run(state);
  const question = asked(state);
  assert.ok(question);
  const { kind, hides, shows } = question;
  if (kind === 'fill-cell' && shows) {
    const { shape, data } = tensors[shows.tensor];
    return [data[shows.indices.reduce((element, index, axis) => element * shape[axis] + index, 0)]];
  }
  return ['attn_weights', ...(kind === 'top-token' && tensors.attn_scores ? ['attn_scores'] : [])].flatMap((name) => {
    const { shape, data } = tensors[name];
    return [...data].filter((value, i) => Number.isFinite(value) && ![0, 1].includes(value) && veiled(hides, name, placeAt(name, shape, i)));
  });
}

for (const start of starts) {
  test(`in ${start.document.example}, what a question hides stands nowhere until it is shown`, async () => {
    let numbers = 0;
    for (const kind of ['fill-cell', 'top-token', 'contributes', 'only']) {
      for (const seed of kind === 'fill-cell' ? [1, 2, 3, 4, 5, 6, 7, 8] : [1, 2, 3]) {
        const open = after(start, { type: 'ask', kind, seed });
        const html = await told(open);
        const shown = await told(after(open, { type: 'unveil' }));
        for (const text of (await hiddenNumbers(open)).flatMap(writings)) {
          numbers += 1;
          assert.ok(!html.includes(text), `${kind} ${seed}: ${text} in ${html.slice(Math.max(0, html.indexOf(text) - 200), html.indexOf(text) + 20)}`);
        }
        const [first] = (await hiddenNumbers(open)).map((value) => inCell(value, 6)).filter((text) => text.length > 6);
        if (first !== undefined) assert.ok(shown.includes(first), `${kind} ${seed}: ${first} comes back`);
        assert.doesNotMatch(html, /NaN|undefined/);
      }
    }
    assert.ok(numbers > 50, `${numbers} numbers were looked for`);
  });
}

test('the arithmetic that would give a hidden number away is closed, wherever one came from', async () => {
  const start = starts[4];
  for (let seed = 1; seed <= 8; seed++) {
    const open = after(start, { type: 'ask', kind: 'fill-cell', seed });
    const question = asked(open);
    assert.ok(question?.shows && question.row !== null);
    const [number] = await hiddenNumbers(open);
    const inspected = after(open, { type: 'inspect', cell: question.shows });
    assert.ok(!(await told(inspected)).includes(exact(number)));
    const context = /** @type {Action} */ ({ type: 'inspect', cell: { tensor: 'context_vecs', indices: [0, question.row, 0] } });
    assert.ok(!(await told(after(open, context))).includes(exact(number)));
  }
});

test('the row that is asked about shows no pattern of the mask, neither in the grid nor in the sum', async () => {
  for (const start of [starts[0], starts[3], starts[4]]) {
    const seed = [1, 2, 3, 4, 5, 6, 7, 8, 9].find((candidate) => {
      const { row } = asked(after(start, { type: 'ask', kind: 'contributes', seed: candidate })) ?? { row: null };
      return row !== null && row > 0 && row < start.document.tokens.length - 1;
    });
    assert.ok(seed !== undefined);
    const open = after(start, { type: 'ask', kind: 'contributes', seed });
    const html = htmlOf(page(await frameOf(open)));
    for (const line of html.match(/<tr role="row" class="chosen">[^]*?<\/tr>/g) ?? []) assert.doesNotMatch(line, /masked/);
    assert.doesNotMatch(html, /class="factor masked"|left out\./);
    assert.match(htmlOf(page(await frameOf(after(open, { type: 'unveil' })))), /class="factor masked"/);
  }
});

test('a size that is asked for stands on no matrix, in no diagram and not in the product above the figure', async () => {
  const start = after(await opening('multi-head'), { type: 'add-token' });
  for (let seed = 1; seed <= 12; seed++) {
    const open = after(start, { type: 'panel', panel: 'shapes', open: true }, { type: 'panel', panel: 'flow', open: true },
      { type: 'panel', panel: 'scores', open: true }, { type: 'ask', kind: 'shape', seed });
    const frame = await frameOf(open);
    const name = ['queries', 'values', 'attn_scores', 'context_vecs'][seed % 4];
    const size = new RegExp(`<code>${name}</code> <span class="shape">(.*?)</span>`);
    assert.deepEqual(htmlOf(page(frame)).match(size)?.[1], '?', name);
    const shown = htmlOf(page(await frameOf(after(open, { type: 'unveil' }))));
    assert.match(shown.match(size)?.[1] ?? '', /^7 × \d$/);
    assert.match(textOf(page(frame)), /\(\?\) \(\?\) = \(\?\)/);
    const around = textOf(page(frame)).replace(textOf(questionCard(frame)), '');
    const picture = figureSvg(frame, t, (kind) => ({ ground: kind, ink: kind })).svg;
    assert.doesNotMatch(around + picture, /7 ?× ?[247]/);
    assert.doesNotMatch(htmlOf(page(frame)), /class="products"/);
  }
});

test('which rows the mask changes is told neither by the ways to mask nor by a pinned state', async () => {
  const pinned = after(await opening('trainable'), { type: 'pin' }, { type: 'causal', on: true });
  const open = after(pinned, { type: 'panel', panel: 'compare', open: true }, { type: 'panel', panel: 'masking', open: true },
    { type: 'ask', kind: 'mask-changes', seed: 1 });
  const { pinned: then, masking } = shownOf(open, await runner.run(open));
  assert.ok(then?.weights?.data.every(Number.isNaN) && then.context?.data.every(Number.isNaN));
  assert.ok(masking?.open.attn_weights.data.every(Number.isNaN) && masking.after.context_vecs.data.every(Number.isNaN));
  const shown = shownOf(pinned, await runner.run(after(open, { type: 'unveil' })));
  assert.ok(shown.pinned?.weights?.data.some((difference) => difference !== 0));
});

test('the answer is not even computed before it is to be shown', async () => {
  for (const kind of KINDS.filter((one) => one !== 'bug')) {
    const open = after(starts[3], { type: 'ask', kind, seed: 1 });
    assert.equal((await runner.run(open)).answer, null, kind);
    assert.notEqual((await runner.run(after(open, { type: 'unveil' }))).answer, null, kind);
  }
});

test('a number that is hidden is heard as hidden, and its cell cannot be edited', async () => {
  const open = after(starts[2], { type: 'ask', kind: 'top-token', seed: 1 });
  const html = htmlOf(page(await frameOf(open)));
  const cells = [...html.matchAll(/<td[^>]*class="veiled[^>]*>\?<\/td>/g)].map(([cell]) => cell);
  assert.equal(cells.filter((cell) => cell.includes('role="gridcell"')).length, 6 + 6 + 5, 'a row of weights, a row of scores and what could mirror it');
  for (const cell of cells.filter((one) => one.includes('gridcell'))) assert.match(cell, /aria-label="hidden for now"/);
  const typed = after(await opening('warm-up'), { type: 'ask', kind: 'top-token', seed: 1 });
  const given = htmlOf(page(await frameOf(typed))).match(/<td[^>]*class="veiled[^>]*>/g) ?? [];
  assert.equal(given.filter((cell) => cell.includes('aria-readonly="true"')).length, 3);
});

test('a veil covers a tensor, a head, a row, a column or one number of it', () => {
  const veils = [over('a'), over('b', { row: 1 }), over('c', { head: 0, column: 2 }), over('d', { head: 1, row: 2, column: 3 })];
  const is = (/** @type {string} */ name, /** @type {any} */ place) => veiled(veils, name, place);
  assert.deepEqual([is('a', { row: 9 }), is('b', { row: 1, column: 5 }), is('b', { row: 2 }), is('b', {})], [true, true, false, true]);
  assert.deepEqual([is('c', { head: 0, row: 4, column: 2 }), is('c', { head: 1, column: 2 }), is('c', { head: 0, column: 1 })], [true, false, false]);
  assert.deepEqual([is('d', { head: 1, row: 2, column: 3 }), is('d', { head: 1, row: 2, column: 2 }), is('e', {})], [true, false, false]);
  assert.deepEqual(placeAt('attn_weights', [1, 2, 3, 3], 9 + 3 + 2), { head: 1, row: 1, column: 2 });
  assert.deepEqual(placeAt('attn_row_sums', [1, 2, 3], 4), { head: 1, row: 1, column: null });
  assert.deepEqual(placeAt('attn_column_sums', [1, 2, 3], 4), { head: 1, row: null, column: 1 });
  assert.deepEqual(placeAt('w_query', [3, 2], 3), { head: null, row: 1, column: 1 });
});

test('figures of a head and products of a row go with the weights that they are made of, those of another head stay', async () => {
  const open = after(starts[4], { type: 'ask', kind: 'top-token', seed: 1 });
  const computed = await runner.run(open);
  const { readouts, terms, rowTraces } = shownOf(open, computed);
  const { head } = open.view;
  assert.ok(Object.values(readouts[head]).every(Number.isNaN));
  assert.deepEqual(readouts[1 - head], computed.readouts[1 - head]);
  assert.ok([...terms.batched, ...terms.oneToken].every(Number.isNaN));
  assert.deepEqual(rowTraces.map((trace) => trace.terms), [[], []]);
  const elsewhere = after(open, { type: 'row', row: (open.view.row + 1) % 6 });
  assert.deepEqual(shownOf(elsewhere, await runner.run(elsewhere)).terms, (await runner.run(elsewhere)).terms);
});

test('a hidden number in focus is read out as hidden, with its place', async () => {
  const open = after(await opening('warm-up'), { type: 'ask', kind: 'fill-cell', seed: 2 });
  const frame = await frameOf(open, { ui: { focus: { grid: 'context_vecs', row: 0, column: 0 } } });
  assert.equal(textOf(readout(frame)), 'context_vecs, row 1, column 1: hidden');
});

test('nothing is hidden while nothing is asked, and the numbers are the very same', async () => {
  const computed = await runner.run(starts[4]);
  assert.equal(shownOf(starts[4], computed), computed);
  assert.equal(textOf(questionCard(await frameOf(starts[4]))), '');
});
