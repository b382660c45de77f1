// Undo and redo: inverse to each other over any sequence of changes, bounded, and with a view that always fits.
// Read next: model-resize.test.js for the laws of single states.

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { MAX_STEPS, begin, commit, redo, undo } from '../../web/model/history.js';
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
