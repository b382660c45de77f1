// Undo and redo: inverse to each other over any sequence of changes, bounded, and with a view that always fits.
// Read next: model-resize.test.js for the laws of single states.

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { MAX_STEPS, MAX_VALUES, begin, commit, gestureOf, redo, undo } from '../../web/model/history.js';
import { update } from '../../web/model/update.js';
import { actionOf, actions, assertFits, starts } from './actions.js';
import { drawn, frozen, opening } from './frames.js';

/**
 * @typedef {import('../../web/model/history.js').Session} Session
 * @typedef {import('../../web/model/update.js').Action} Action
 */

const RUNS = { seed: 20260104, numRuns: 100 };
const toy = await opening('warm-up');

/**
 * The session after an action; the same session where it is refused.
 * @param {Session} session @param {Action} action
 */
function done(session, action) {
  const outcome = update(session.state, action);
  return 'problem' in outcome ? session : frozen(commit(session, outcome.state, outcome.label));
}

/** @param {Session} session @param {number} times @param {(session: Session) => Session} step */
function repeated(session, times, step) {
  let last = session;
  for (let i = 0; i < times; i++) last = step(last);
  return last;
}

test('undo gives the very document that stood before, redo the one that stood after', () => {
  const first = begin(toy);
  const second = done(first, { type: 'causal', on: true });
  const back = undo(second);
  assert.equal(back.state.document, toy.document);
  assert.equal(redo(back).state.document, second.state.document);
});

test('with nothing to undo or redo the session stays the very same', () => {
  const session = begin(toy);
  assert.equal(undo(session), session);
  assert.equal(redo(session), session);
});

test('a step keeps the name of its change while it goes back and forth', () => {
  const session = done(done(begin(toy), { type: 'causal', on: true }), { type: 'add-token' });
  assert.deepEqual(session.past.map(({ label }) => label.id), ['did-causal', 'did-resize']);
  const back = undo(session);
  assert.deepEqual([back.past.map(({ label }) => label.id), back.future.map(({ label }) => label.id)],
    [['did-causal'], ['did-resize']]);
  assert.deepEqual(redo(back).past, session.past);
});

test('a new change empties what could be redone', () => {
  const back = undo(done(begin(toy), { type: 'causal', on: true }));
  assert.equal(back.future.length, 1);
  assert.deepEqual(done(back, { type: 'add-token' }).future, []);
});

test('choosing a row is no step: it can be neither undone nor does it empty what could be redone', () => {
  const back = undo(done(begin(toy), { type: 'causal', on: true }));
  const looked = done(back, { type: 'row', row: 0 });
  assert.deepEqual([looked.past, looked.future], [back.past, back.future]);
  assert.equal(looked.state.view.row, 0);
  assert.equal(redo(looked).state.view.row, 0, 'redo keeps the chosen row');
});

test('going back cuts the view to what is there', () => {
  const longer = done(done(begin(toy), { type: 'add-token' }), { type: 'row', row: 3 });
  assert.equal(undo(longer).state.view.row, 2);
});

test('opening an example is a step like any other, so that Reset example can be undone', async () => {
  const edited = done(begin(toy), { type: 'edit', matrix: 'inputs', row: 0, column: 0, value: 42 });
  const reset = done(edited, { type: 'open', ...await drawn('warm-up') });
  assert.deepEqual(reset.state.document, toy.document);
  assert.equal(undo(reset).state.document, edited.state.document);
});

test('the oldest steps are forgotten, and no more than the limit can be undone or redone', () => {
  const extra = 20;
  let session = begin(toy);
  for (let value = 0; value < MAX_STEPS + extra; value++) {
    session = done(session, { type: 'edit', matrix: 'inputs', row: 0, column: 0, value });
  }
  assert.equal(session.past.length, MAX_STEPS);
  const oldest = repeated(session, MAX_STEPS + extra, undo);
  assert.equal(oldest.state.document.inputs[0][0], extra - 1);
  assert.deepEqual([oldest.past.length, oldest.future.length], [0, MAX_STEPS]);
  const newest = repeated(oldest, MAX_STEPS + extra, redo);
  assert.equal(newest.state.document, session.state.document);
  assert.deepEqual([newest.past.length, newest.future.length], [MAX_STEPS, 0]);
});

/** As the page does it: changes of one cell go together. @param {Session} session @param {Action[]} made */
const edited = (session, ...made) => made.reduce((before, action) => {
  const outcome = update(before.state, action);
  assert.ok('state' in outcome);
  return frozen(commit(before, outcome.state, outcome.label, gestureOf(action)));
}, session);

/** @param {number} value @param {number} [row] @param {number} [column] @returns {Action} */
const typed = (value, row = 0, column = 1) => ({ type: 'edit', matrix: 'inputs', row, column, value });

test('numbers tried in one cell, one after the other, are one step: undo brings what stood there first, redo the last', () => {
  const tried = edited(begin(toy), typed(7), typed(8), { type: 'row', row: 2 }, typed(9));
  assert.equal(tried.past.length, 1);
  assert.equal(undo(tried).state.document, toy.document);
  assert.equal(redo(undo(tried)).state.document.inputs[0][1], 9);
  const named = edited(begin(toy), { type: 'label', row: 1, text: 'a' }, { type: 'label', row: 1, text: 'ab' });
  assert.deepEqual([named.past.length, undo(named).state.document], [1, toy.document]);
});

test('another cell, another label or any other change begins a step of its own, even if one comes back to the cell', () => {
  /** @type {Action[]} */
  const between = [
    typed(1, 0, 0), typed(1, 1, 1), { type: 'label', row: 0, text: 'a' }, { type: 'causal', on: true },
    { type: 'edit', matrix: 'given', row: 0, column: 1, value: 1 }, { type: 'edit-row', matrix: 'inputs', row: 0, values: [0, 0] },
  ];
  for (const action of between) {
    const session = edited(begin(toy), typed(7), action, typed(8));
    assert.equal(session.past.length, 3, JSON.stringify(action));
    assert.equal(undo(session).state.document.inputs[0][1], action.type === 'edit-row' ? 0 : 7);
  }
  const labels = edited(begin(toy), { type: 'label', row: 0, text: 'a' }, { type: 'label', row: 1, text: 'b' });
  assert.equal(labels.past.length, 2);
});

test('who has gone back begins anew in the same cell: what undo led to is not lost', () => {
  const back = undo(edited(begin(toy), typed(7), { type: 'causal', on: true }));
  const again = edited(back, typed(8));
  assert.equal(undo(again).state.document.inputs[0][1], 7);
  const forth = edited(redo(undo(edited(begin(toy), typed(7)))), typed(8));
  assert.equal(undo(forth).state.document.inputs[0][1], 7);
});

/** So many numbers, all of them new. @param {number} count */
const fresh = (count) => [Array.from({ length: count }, (_, i) => i)];

test('what is kept is bounded in numbers: large documents push out the oldest steps, never the last', () => {
  const large = (/** @type {number} */ count) => frozen({ ...toy, document: { ...toy.document, w_out: fresh(count) } });
  const label = { id: 'did-place' };
  let session = begin(large(MAX_VALUES / 10));
  for (let i = 0; i < 30; i += 1) session = commit(session, large(MAX_VALUES / 10), label);
  assert.ok(session.past.length >= 8 && session.past.length <= 10, `${session.past.length} steps`);
  const huge = commit(commit(begin(large(2 * MAX_VALUES)), large(2 * MAX_VALUES), label), toy, label);
  assert.equal(huge.past.length, 1);
  assert.equal(undo(huge).state.document.w_out[0].length, 2 * MAX_VALUES);
});

test('what steps share counts once: many small edits of a large document are all kept, also after going back and forth', () => {
  const w_out = fresh(MAX_VALUES / 2);
  let session = begin(frozen({ ...toy, document: { ...toy.document, w_out } }));
  for (let value = 0; value < 100; value += 1) {
    session = done(session, typed(value));
    if (value % 10 === 0) session = redo(undo(session));
  }
  assert.equal(session.past.length, 100);
  assert.ok(session.past.reduce((sum, { size }) => sum + size, 0) < MAX_VALUES / 2 + 100 * 60);
});

test('over any sequence of changes, undo all the way and redo all the way visit the same documents', () => {
  fc.assert(fc.property(fc.constantFrom(...starts), actions, (start, seeds) => {
    let session = begin(start);
    const documents = [start.document];
    for (const seed of seeds) {
      session = done(session, frozen(actionOf(session.state, seed)));
      if (session.past.length === documents.length) documents.push(session.state.document);
    }
    assert.equal(session.past.length, documents.length - 1);
    for (const step of [undo, redo]) {
      const inOrder = step === undo ? [...documents].reverse() : documents;
      for (const document of inOrder.slice(1)) {
        session = frozen(step(session));
        assert.equal(session.state.document, document);
        assertFits(session.state);
      }
      assert.equal((step === undo ? session.past : session.future).length, 0);
    }
  }), RUNS);
});

test('undo and redo at any moment are inverse to each other, and no step is lost or doubled', () => {
  const moves = fc.array(fc.constantFrom('undo', 'redo'), { maxLength: 12 });
  fc.assert(fc.property(fc.constantFrom(...starts), actions, moves, (start, seeds, wanders) => {
    let session = seeds.reduce((s, seed) => done(s, frozen(actionOf(s.state, seed))), begin(start));
    const steps = session.past.length;
    for (const move of wanders) {
      session = frozen(move === 'undo' ? undo(session) : redo(session));
      assert.equal(session.past.length + session.future.length, steps);
      assertFits(session.state);
      if (session.past.length > 0) assert.deepEqual(redo(undo(session)).state.document, session.state.document);
      if (session.future.length > 0) assert.deepEqual(undo(redo(session)).state.document, session.state.document);
    }
  }), RUNS);
});
