// The rules of a class: what is locked stays as it is by whatever way one tries, what is hidden is nowhere on the page,
// rows and terms come one by one and go again, undo brings back class and view; and every key that the code answers to is
// in the list of keys. Read next: class-link.test.js, ../browser/classroom.test.js.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';
import { places } from '../../web/content/keys.js';
import { LOCKS, MATRICES, OPEN_CLASS } from '../../web/model/classroom.js';
import { begin, commit, redo, undo } from '../../web/model/history.js';
import { back, forth } from '../../web/model/reveal.js';
import { update } from '../../web/model/update.js';
import { veil, veiled } from '../../web/model/veil.js';
import { page } from '../../web/view/page.js';
import { batches, drawn, frameOf, htmlOf, opening, textOf } from './frames.js';
import { inClass } from './scenes-classroom.js';
import { taskAction } from './scenes-training.js';

/**
 * @typedef {import('../../web/model/state.js').State} State
 * @typedef {import('../../web/model/update.js').Action} Action
 * @typedef {import('../../web/model/classroom.js').Lock} Lock
 */

const [toy, heads] = [await opening('warm-up'), await opening('multi-head')];

/** @param {State} state @param {Action[]} actions @returns {State} */
const after = (state, ...actions) => actions.reduce((last, action) => {
  const outcome = update(last, action);
  assert.ok('state' in outcome, JSON.stringify(outcome));
  return outcome.state;
}, state);

/** @param {State} state @param {Action} action */
function refusedBy(state, action) {
  const outcome = update(state, action);
  return 'problem' in outcome ? `${outcome.problem.id} ${outcome.problem.args?.what}` : null;
}

const weights = heads.document.tokens.map((_, i) => heads.document.tokens.map((__, j) => (i === j ? 1 : 0)));

/** An instrument that is locked stays folded. @param {import('../../web/model/state.js').Panel} panel @returns {Action} */
const opens = (panel) => ({ type: 'panel', panel, open: true });

/** What each lock refuses: every way to change what it holds. */
const REFUSED = /** @type {Record<Lock, Action[]>} */ ({
  inputs: [
    { type: 'edit', matrix: 'inputs', row: 0, column: 0, value: 9 }, { type: 'edit-row', matrix: 'inputs', row: 0, values: [1, 2, 3] },
    { type: 'label', row: 0, text: 'Mine' }, { type: 'add-token' }, { type: 'remove-token', row: 1 }, { type: 'add-dimension' },
    { type: 'place', matrices: { inputs: heads.document.inputs.map((row) => row.map((x) => x + 1)) }, tokens: null },
  ],
  attn_weights: [{ type: 'edit', matrix: 'given', row: 0, column: 0, value: 0.5 }, { type: 'add-token' }],
  w_query: [{ type: 'edit', matrix: 'w_query', row: 0, column: 0, value: 9 }, { type: 'add-dimension' }, { type: 'remove-output' }],
  w_key: [{ type: 'edit', matrix: 'w_key', row: 0, column: 0, value: 9 }],
  w_value: [{ type: 'edit', matrix: 'w_value', row: 0, column: 0, value: 9 }],
  w_out: [{ type: 'edit', matrix: 'w_out', row: 0, column: 0, value: 9 }],
  switches: [
    { type: 'causal', on: false }, { type: 'heads', count: 1 }, { type: 'scale', scale: 'none' }, { type: 'project', on: false },
    { type: 'source', source: 'inputs', weights },
  ],
  example: [{ type: 'open', ...await drawn('causal') }, { type: 'open', ...await drawn('multi-head') }, taskAction('fetch', true)],
  bugs: [{ type: 'fault', fault: 'scale_missing', place: 0, mystery: null }, opens('bugs')],
  training: [opens('training'), { type: 'fit', targets: heads.document.tokens.map(() => [1, 2, 3, 4]) }],
  ...Object.fromEntries(/** @type {const} */ (['chapter', 'shapes', 'flow', 'plane', 'routes', 'checks', 'compare', 'masking', 'scores', 'numbers', 'large'])
    .map((panel) => [panel, [opens(panel)]])),
});

// Heads that are not side by side can lose a column; given weights are there to be changed.
const one = after(heads, { type: 'source', source: 'given', weights }, { type: 'source', source: 'trained', weights });

test('a lock refuses every way to change what it holds, names it, and nothing else is refused for it', () => {
  assert.deepEqual(Object.keys(REFUSED), LOCKS);
  for (const lock of LOCKS) {
    const start = lock === 'w_query' ? after(one, { type: 'heads', count: 1 }) : one;
    const locked = inClass(start, {}, { lock: [lock] });
    for (const action of REFUSED[lock]) {
      assert.equal(refusedBy(start, action), null, `${lock}: ${action.type} without it`);
      assert.equal(refusedBy(locked, action), `problem-locked ${lock}`, `${lock}: ${action.type}`);
    }
    for (const other of LOCKS) {
      const free = REFUSED[other][0];
      if (other !== lock) assert.equal(refusedBy(locked, free), null, `${lock} does not hold ${other}`);
    }
  }
});

test('training is refused where it would move a locked matrix; looking never is', () => {
  const task = after(inClass(toy, {}, { lock: ['w_key'] }), taskAction('fetch', true));
  assert.deepEqual(task.view.classroom?.lock, ['w_key']);
  assert.equal(refusedBy(task, { type: 'draw', seed: 2, weights: batches.draw('fetch', 2) }), 'problem-locked w_key');
  const all = inClass(heads, {}, { lock: LOCKS });
  for (const action of /** @type {Action[]} */ ([
    { type: 'row', row: 0 }, { type: 'head', head: 1 }, { type: 'digits', digits: 4 },
    { type: 'step', step: 1 }, { type: 'pin' },
  ])) assert.equal(refusedBy(all, action), null, action.type);
});

test('an instrument that is left out cannot be opened, and no button offers it', async () => {
  const state = inClass(heads, {}, { hide: ['plane'] });
  assert.equal(refusedBy(state, { type: 'panel', panel: 'plane', open: true }), 'problem-hidden plane');
  assert.equal(refusedBy(state, { type: 'panel', panel: 'flow', open: true }), null);
  const html = htmlOf(page(await frameOf({ ...state, view: { ...state.view, panels: ['plane', 'flow'] } })));
  assert.doesNotMatch(html, /data-value="plane"|id="panel-plane"/);
  assert.match(html, /id="panel-flow"/);
});

test('another example keeps the rules of the class, and what was revealed begins anew', async () => {
  const asked = [{ tensor: 'inputs', indices: [0, 0, 0] }];
  const state = inClass(toy, {}, { hide: ['plane'], rows: 2, ask: ['inputs'], asked });
  const { classroom } = after(state, { type: 'open', ...await drawn('causal') }).view;
  assert.deepEqual(classroom, { ...OPEN_CLASS, hide: ['plane'], rows: 0, ask: ['inputs'] });
  const fewer = after(inClass(toy, {}, { rows: 3 }), { type: 'remove-token', row: 0 });
  assert.equal(fewer.view.classroom?.rows, 2);
});

/** Numbers of a tensor as the page prints them, to six digits. */
const distinct = after(
  inClass(heads, { digits: 6, panels: ['scores', 'routes', 'plane', 'compare', 'masking'], row: 5 }),
  { type: 'pin' },
);

/** @param {State} state @param {string} tensor @param {number} [row] @returns {Promise<string[]>} what the page prints of it */
async function printed(state, tensor, row) {
  const { data, shape } = (await frameOf({ ...state, view: { ...state.view, classroom: null } })).tensors[tensor];
  const columns = shape[shape.length - 1];
  const rows = shape[shape.length - 2];
  return [...data].filter((value, i) => Number.isFinite(value) && ![0, 1].includes(value)
    && (row === undefined || Math.floor(i / columns) % rows === row))
    .map((value) => value.toFixed(6).replace('-', '−'));
}

/** @param {State} state @param {Partial<import('../../web/model/classroom.js').Classroom>} change */
async function painted(state, change) {
  const template = page(await frameOf(inClass(state, {}, change)));
  return { html: htmlOf(template), text: textOf(template) };
}

for (const tensor of ['context_vecs', 'w_query', 'values', 'queries']) {
  test(`numbers of ${tensor} that a class is not to see stand nowhere on the page`, async () => {
    const numbers = await printed(distinct, tensor);
    const open = await painted(distinct, {});
    const least = numbers.filter((number) => open.html.includes(number)).length;
    assert.ok(least > numbers.length / 2, `${least} of ${numbers.length} were there`);
    for (const change of [{ hide: [tensor] }, { ask: [/** @type {typeof MATRICES[number]} */ (tensor)] }]) {
      const { html } = await painted(distinct, change);
      const others = await Promise.all(MATRICES.filter((name) => name !== tensor && !(tensor === 'context_vecs' && name === 'outputs')).map((name) => printed(distinct, name)));
      const alone = numbers.filter((number) => !others.flat().includes(number));
      assert.ok(alone.length > 3);
      assert.deepEqual(alone.filter((number) => html.includes(number)), [], JSON.stringify(change));
    }
  });
}

test('rows that were not revealed are nowhere on the page, those that were are', async () => {
  const { text } = await painted(toy, { rows: 1 });
  assert.match(text, /2\.50/);
  assert.doesNotMatch(text, /4\.50/);
  const given = await painted({ ...toy, view: { ...toy.view, row: 0 } }, { rows: 1, weightRows: true });
  assert.match(given.text, /0\.50/);
  assert.doesNotMatch(given.text, /3\.50 4\.50|1\.00 0\.00/);
  const veils = veil(inClass(heads, {}, { rows: 2 }));
  assert.deepEqual([0, 1, 2, 5].map((row) => veiled(veils, 'context_vecs', { row, column: 0 })), [false, false, true, true]);
  assert.deepEqual(['outputs', 'attn_weights'].map((tensor) => veiled(veils, tensor, { head: 0, row: 5, column: 0 })), [true, false]);
});

test('a number that is asked for is shown, its neighbours are not; what cannot be asked for stays hidden', () => {
  const state = inClass(heads, {}, { ask: ['attn_weights', 'w_key'], hide: ['values'] });
  const shows = (/** @type {State} */ now) => [
    veiled(veil(now), 'attn_weights', { head: 1, row: 2, column: 0 }), veiled(veil(now), 'attn_weights', { head: 0, row: 2, column: 0 }),
    veiled(veil(now), 'w_key', { head: null, row: 1, column: 3 }), veiled(veil(now), 'values', { head: null, row: 0, column: 0 }),
  ];
  assert.deepEqual(shows(state), [true, true, true, true]);
  const asked = after(state, { type: 'ask-number', cell: { tensor: 'attn_weights', indices: [0, 1, 2, 0] } },
    { type: 'ask-number', cell: { tensor: 'w_key', indices: [1, 3] } }, { type: 'ask-number', cell: { tensor: 'values', indices: [0, 0, 0] } });
  assert.deepEqual(shows(asked), [false, true, false, true]);
});

test('next and back go through all rows, or all terms of all rows, and end', () => {
  const through = (/** @type {State} */ state, /** @type {typeof forth} */ way) => {
    const seen = [];
    for (let now = state, actions = way(now, 3); actions !== null; actions = way(now, 3)) {
      now = after(now, ...actions);
      seen.push([now.view.row, now.view.classroom?.rows ?? now.view.step]);
      assert.ok(seen.length < 50, 'it ends');
      if (way(now, 3) === null) return { seen, now };
    }
    return { seen, now: state };
  };
  const rows = through(inClass(toy, {}, { rows: 0 }), forth);
  assert.deepEqual(rows.seen, [[0, 1], [1, 2], [2, 3]]);
  assert.deepEqual(through(rows.now, back).seen, [[1, 2], [0, 1], [0, 0]]);
  const terms = through(after(toy, { type: 'row', row: 1 }), forth);
  assert.deepEqual(terms.seen, [[1, 0], [1, 1], [1, 2], [1, 3], [2, 0], [2, 1], [2, 2], [2, 3]]);
  assert.deepEqual(through(terms.now, back).seen, [[2, 2], [2, 1], [2, 0], [1, null]]);
});

test('next shows the answer of an open question, then closes it', () => {
  const asked = after(heads, { type: 'ask', kind: 'top-token', seed: 4 });
  const shown = after(asked, ...(forth(asked, 3) ?? []));
  assert.deepEqual([shown.view.question?.revealed, shown.view.question?.skipped], [true, true]);
  assert.equal(after(shown, ...(forth(shown, 3) ?? [])).view.question, null);
});

test('back covers the answer again, keeps what was predicted, and moves no row behind an open question', () => {
  for (const state of [heads, inClass(heads, {}, { rows: 2 }), after(heads, { type: 'row', row: 1 }, { type: 'step', step: 2 })]) {
    const asked = after(state, { type: 'ask', kind: 'top-token', seed: 4 }, { type: 'predict', texts: ['0'] });
    const shown = after(asked, { type: 'unveil' });
    assert.deepEqual(after(shown, ...(back(shown, 3) ?? [])), asked);
    assert.equal(back(asked, 3), null);
  }
  const bug = after(heads, { type: 'fault', fault: 'scale_missing', place: 0, mystery: 5 }, { type: 'ask', kind: 'bug', seed: 5 }, { type: 'unveil' });
  const covered = after(bug, ...(back(bug, 3) ?? []));
  assert.deepEqual([covered.view.mystery?.revealed, covered.view.question?.skipped], [false, false]);
});

test('undo of a class link brings back the document and the view, redo the class', () => {
  const before = after(toy, { type: 'row', row: 0 }, { type: 'digits', digits: 4 });
  const opened = inClass(heads, { present: 'figure' }, { lock: ['inputs'] });
  const outcome = update(before, { type: 'restore', state: opened, label: { id: 'did-class' } });
  assert.ok('state' in outcome);
  const session = commit(begin(before), outcome.state, outcome.label, undefined, true);
  assert.deepEqual(undo(session).state, before);
  assert.deepEqual(redo(undo(session)).state, opened);
  const edited = commit(session, after(opened, { type: 'causal', on: false }), { id: 'did-causal' });
  assert.deepEqual(undo(undo(edited)).state, before);
});

/** The keys that a file of app/ compares with, as the browser names them. @param {string} source */
function keysIn(source) {
  const named = source.match(/\b(?:Arrow(?:Up|Down|Left|Right)|Enter|Escape|Home|End|F\d+|Delete|Backspace|Tab|PageUp|PageDown)\b/g) ?? [];
  const single = [...source.matchAll(/key (?:===|!==) '(.)'/g), ...source.matchAll(/^ {2}.*?'(.)': '/gm), ...source.matchAll(/[,[ ] ?'([[\]{}])'/g),
    ...source.matchAll(/\b(b): '/g)].map(([, key]) => key);
  return new Set([...named, ...single]);
}

test('every key that the code answers to is in the list of keys, under the file that answers', () => {
  const folder = new URL('../../web/app/', import.meta.url);
  const answering = readdirSync(folder).filter((name) => name.endsWith('.js')
    && /addEventListener\('keydown'/.test(readFileSync(new URL(name, folder), 'utf8')));
  const listed = places.filter(({ file }) => file !== null);
  assert.deepEqual(answering.sort(), [...new Set(listed.map(({ file }) => file))].sort());
  for (const file of answering) {
    const code = readFileSync(new URL(file, folder), 'utf8').replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');
    const inList = listed.filter((place) => place.file === file).flatMap(({ entries }) => entries.flatMap(({ keys }) => keys))
      .map((key) => (key.length > 1 ? /** @type {string} */ (key.split('+').pop()) : key)).filter((key) => key !== 'number' && key !== 'letter');
    assert.deepEqual([...keysIn(code)].sort(), [...new Set(inList)].sort(), file);
  }
});

test('a saved state opens in a class unless something is locked; what a link brings always does', () => {
  const restore = (/** @type {boolean} */ fromFile) => /** @type {Action} */ ({ type: 'restore', state: heads, label: { id: 'did-file' }, fromFile });
  const open = inClass(toy, {}, { hide: ['plane'] });
  const locked = inClass(toy, {}, { lock: ['inputs'] });
  assert.equal(after(open, restore(true)), heads);
  assert.equal(after(locked, restore(false)), heads);
  assert.match(refusedBy(locked, restore(true)) ?? '', /^problem-file-locked/);
});
