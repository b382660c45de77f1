// update(state, action), action by action, on frozen states: what changes, what is shared with the state before, what
// is refused. Sizes are tested in model-resize.test.js.

import assert from 'node:assert/strict';
import test from 'node:test';
import { MAX_LABEL_LENGTH } from '../../web/model/state.js';
import { update } from '../../web/model/update.js';
import { drawn, frozen, opening } from './frames.js';

/**
 * @typedef {import('../../web/model/state.js').State} State
 * @typedef {import('../../web/model/update.js').Action} Action
 */

const toy = await opening('warm-up');
const trained = await opening('multi-head');

/** The state after an action that must succeed. @param {State} state @param {Action} action */
function after(state, action) {
  const outcome = update(state, frozen(action));
  assert.ok('state' in outcome, `${JSON.stringify(action)} was refused`);
  return frozen(outcome);
}

/** The problem that an action must meet. @param {State} state @param {Action} action */
function refused(state, action) {
  const outcome = update(state, frozen(action));
  assert.ok('problem' in outcome, `${JSON.stringify(action)} was done`);
  assert.deepEqual(Object.keys(outcome), ['problem']);
  return outcome.problem;
}

/** What of a document is not the very value that stood there before. @param {State} before @param {State} now */
function moved(before, now) {
  const names = /** @type {(keyof State['document'])[]} */ (Object.keys(now.document));
  return names.filter((name) => now.document[name] !== before.document[name]);
}

test('opening an example gives its start state, whatever was there before', async () => {
  const parts = await drawn('multi-head');
  const { state, label } = after(toy, { type: 'open', ...parts });
  assert.deepEqual(state, trained);
  assert.deepEqual(label, { id: 'did-open' });
});

test('a state is one JSON value', () => {
  for (const state of [toy, trained]) assert.deepEqual(JSON.parse(JSON.stringify(state)), state);
});

test('an edit changes one number of one matrix and shares all the rest', () => {
  for (const matrix of /** @type {const} */ (['inputs', 'w_query', 'w_key', 'w_value', 'w_out'])) {
    const { state, label } = after(trained, { type: 'edit', matrix, row: 1, column: 0, value: 42 });
    assert.deepEqual(moved(trained, state), [matrix]);
    assert.deepEqual(label, { id: 'did-edit', args: { matrix } });
    const old = trained.document[matrix];
    assert.equal(state.document[matrix][1][0], 42);
    assert.deepEqual(state.document[matrix].map((row, i) => (i === 1 ? [old[1][0], ...row.slice(1)] : row)), old);
    state.document[matrix].forEach((row, i) => { if (i !== 1) assert.equal(row, old[i]); });
    assert.deepEqual(state.view, trained.view);
  }
});

test('an edit of a given weight changes that weight, and no row is renormalised by itself', () => {
  const { state } = after(toy, { type: 'edit', matrix: 'given', row: 0, column: 2, value: 7 });
  assert.deepEqual(moved(toy, state), ['given']);
  assert.deepEqual(state.document.given, [[0.5, 0.25, 7], [0, 1, 0], [0.25, 0.25, 0.5]]);
});

test('a whole row is replaced at once', () => {
  const { state, label } = after(toy, { type: 'edit-row', matrix: 'given', row: 1, values: [0.1, 0.2, 0.7] });
  assert.deepEqual(moved(toy, state), ['given']);
  assert.deepEqual(state.document.given, [[0.5, 0.25, 0.25], [0.1, 0.2, 0.7], [0.25, 0.25, 0.5]]);
  assert.deepEqual(label, { id: 'did-edit', args: { matrix: 'given' } });
});

test('given weights that do not exist cannot be edited: that is a fault of the caller', () => {
  const edit = /** @type {Action} */ ({ type: 'edit', matrix: 'given', row: 0, column: 0, value: 1 });
  assert.throws(() => update(trained, edit), /given is not there/);
});

test('a label is taken without spaces at its ends, in any script', () => {
  for (const text of ['旅程', 'مرحبا', '👩‍🏫', 'e\u0301', 'a'.repeat(60), '👩'.repeat(60)]) {
    const { state, label } = after(toy, { type: 'label', row: 1, text: ` ${text}\t` });
    assert.deepEqual(state.document.tokens, ['first', text, 'third']);
    assert.deepEqual(moved(toy, state), ['tokens']);
    assert.deepEqual(label, { id: 'did-label' });
  }
});

test('an empty label and one that is too long are refused, with both lengths', () => {
  for (const text of ['', '   ', '\n']) {
    assert.deepEqual(refused(toy, { type: 'label', row: 0, text }), { id: 'problem-label-empty' });
  }
  assert.deepEqual(refused(toy, { type: 'label', row: 0, text: 'a'.repeat(61) }), {
    id: 'problem-label-long', args: { length: 61, limit: MAX_LABEL_LENGTH },
  });
});

test('the switches for mask, scale and output projection change their setting and nothing else', () => {
  /** @type {[Action, keyof State['document'], unknown][]} */
  const cases = [
    [{ type: 'causal', on: false }, 'causal', false],
    [{ type: 'scale', scale: 'none' }, 'scale', 'none'],
    [{ type: 'project', on: false }, 'project', false],
  ];
  for (const [action, name, value] of cases) {
    const { state, label } = after(trained, action);
    assert.deepEqual(moved(trained, state), [name]);
    assert.equal(state.document[name], value);
    assert.deepEqual(label, { id: `did-${action.type}` });
    assert.deepEqual(state.view, trained.view);
  }
});

test('the mask leaves the typed weights as they are', () => {
  const masked = after(toy, { type: 'causal', on: true }).state;
  assert.equal(masked.document.given, toy.document.given);
  assert.deepEqual(after(masked, { type: 'causal', on: false }).state, toy);
});

test('heads that divide d_out are taken', () => {
  for (const count of [1, 2, 4]) {
    const { state, label } = after(trained, { type: 'heads', count });
    assert.equal(state.document.heads, count);
    assert.deepEqual(label, { id: 'did-heads' });
  }
});

test('heads that do not divide d_out are refused, with the list of those that do', () => {
  for (const count of [3, 5, 8, 0, -1, 1.5, NaN]) {
    assert.deepEqual(refused(trained, { type: 'heads', count }), {
      id: 'problem-heads', args: { count, dOut: 4, valid: '1, 2, 4' },
    });
  }
});

test('where the weights come from can change there and back, and the given weights come back as typed', () => {
  let state = after(toy, { type: 'edit', matrix: 'given', row: 0, column: 0, value: -3 }).state;
  const typed = state.document.given;
  const weights = [[9, 9, 9], [9, 9, 9], [9, 9, 9]];
  for (const source of /** @type {const} */ (['inputs', 'trained', 'given'])) {
    const outcome = after(state, { type: 'source', source, weights });
    assert.deepEqual(moved(state, outcome.state), ['source']);
    assert.deepEqual(outcome.label, { id: 'did-source' });
    state = outcome.state;
  }
  assert.equal(state.document.given, typed);
});

test('given weights that were never typed start from those on the screen, and only when they are asked for', () => {
  const weights = Array.from({ length: 6 }, () => new Array(6).fill(1 / 6));
  assert.equal(after(trained, { type: 'source', source: 'inputs', weights }).state.document.given, null);
  assert.equal(after(trained, { type: 'source', source: 'given', weights }).state.document.given, weights);
});

test('choosing a row or a head moves the view, touches no document and is no step of the history', () => {
  const row = after(trained, { type: 'row', row: 5 });
  assert.deepEqual(row, { state: { ...trained, view: { ...trained.view, row: 5 } } });
  const head = after(trained, { type: 'head', head: 1 });
  assert.deepEqual(head, { state: { ...trained, view: { ...trained.view, head: 1 } } });
  for (const { state } of [row, head]) assert.equal(state.document, trained.document);
});

test('to open the arithmetic that is open changes nothing: the state is the same one', () => {
  const cell = { tensor: 'context_vecs', indices: [0, 2, 1] };
  const { state: opened } = after(trained, { type: 'inspect', cell, row: 2 });
  assert.equal(after(opened, { type: 'inspect', cell: { ...cell }, row: 2 }).state, opened);
  const others = [
    { type: 'inspect', cell: { ...cell, indices: [0, 2, 0] }, row: 2 },
    { type: 'inspect', cell, row: 3 },
  ];
  for (const action of others) assert.notDeepEqual(after(opened, /** @type {any} */ (action)).state.view, opened.view);
  const { state: stepping } = after(opened, { type: 'step', step: 1 });
  assert.equal(after(stepping, { type: 'inspect', cell, row: 2 }).state.view.step, null);
});

test('a head that is gone gives way to the last one there is', () => {
  const second = after(trained, { type: 'head', head: 1 }).state;
  assert.equal(after(second, { type: 'heads', count: 1 }).state.view.head, 0);
  assert.equal(after(second, { type: 'heads', count: 4 }).state.view.head, 1);
  assert.equal(after(second, { type: 'source', source: 'inputs', weights: [] }).state.view.head, 0);
});
