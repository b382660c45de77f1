// A state as a JSON file and back: equal in every bit for random states; what is no state is refused with the field,
// what was expected and what came. Autosave keeps the same text. Read next: io-offenders.js, io-link.test.js.

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { createAutosave } from '../../web/app/storage.js';
import { jsonToState, stateToJson } from '../../web/io/json.js';
import { readState } from '../../web/model/schema.js';
import { FIRST_VIEW } from '../../web/model/state.js';
import { update } from '../../web/model/update.js';
import { opening, t } from './frames.js';
import { foreignTexts, spoilt } from './io-offenders.js';
import { known, problemOf, states } from './io-states.js';

const RUNS = { seed: 20260103, numRuns: 300 };

test('300 random states come back from their JSON equal in every field and bit', () => {
  fc.assert(fc.property(states, (state) => {
    assert.deepEqual(jsonToState(stateToJson(state), known), { state });
  }), RUNS);
});

test('the file says what it is, and a matrix stands one row a line', async () => {
  const text = stateToJson(await opening('warm-up'));
  assert.match(text, /^\{\n  "format": "attention-rows state",\n  "version": 1,\n  "document": \{/);
  assert.match(text, /\n    "inputs": \[\n      \[1, 2\],\n      \[3, 4\],\n      \[5, 6\]\n    \],\n/);
  assert.match(text, /\n    "tokens": \["first", "second", "third"\],\n/);
});

test('numbers keep every bit: doubles that are no float32, the sign of zero, subnormals, 17 figures', async () => {
  let state = await opening('warm-up');
  const values = [0.1, -0, 5e-324, 1 / 3, 3.4e38, -1.2345678901234567];
  values.forEach((value, i) => {
    const outcome = update(state, { type: 'edit', matrix: 'inputs', row: i >> 1, column: i & 1, value });
    assert.ok('state' in outcome);
    state = outcome.state;
  });
  const read = jsonToState(stateToJson(state), known);
  assert.ok('state' in read);
  read.state.document.inputs.flat().forEach((value, i) => assert.ok(Object.is(value, values[i]), String(values[i])));
});

test('a part of the view that a file leaves out is as at first; a part of the document may not be left out', async () => {
  const { version, document } = await opening('causal');
  assert.deepEqual(readState({ version, document, view: {} }, known), { state: { version, document, view: FIRST_VIEW } });
  const { heads, ...rest } = document;
  assert.deepEqual(problemOf(readState({ version, document: rest, view: {} }, known)), {
    id: 'problem-state-missing', args: { field: 'document.heads' },
  });
});

test('a bug that a seed chose comes back unseen if the file says nothing of it', async () => {
  const { version, document } = await opening('causal');
  const read = readState({ version, document: { ...document, fault: 'scale_missing', mystery: 7 }, view: {} }, known);
  assert.ok('state' in read);
  assert.deepEqual(read.state.view.mystery, { seed: 7, guess: null, revealed: false });
});

test('markup and code in a label stay text', async () => {
  const state = structuredClone(await opening('warm-up'));
  state.document.tokens = ['<script>alert(1)</script>', '__proto__', '"><img src=x onerror=alert(1)>'];
  const read = jsonToState(stateToJson(state), known);
  assert.ok('state' in read);
  assert.deepEqual(read.state.document.tokens, state.document.tokens);
});

for (const { what, spoil, id } of spoilt) {
  test(`a state with ${what} is refused in words`, async () => {
    const state = JSON.parse(stateToJson(await opening('multi-head')));
    const { format, ...value } = spoil(state) ?? state;
    const problem = problemOf(readState(value, known));
    assert.equal(problem.id, id);
    assert.deepEqual(problemOf(jsonToState(JSON.stringify({ format, ...value }), known)), problem);
    assert.doesNotMatch(t(problem.id, problem.args), /undefined|NaN|\{ ?\$|\[object/);
  });
}

for (const { what, text, id } of foreignTexts) {
  test(`as a file, ${what} is refused in words`, () => {
    const problem = problemOf(jsonToState(text, known));
    assert.equal(problem.id, id);
    assert.doesNotMatch(t(problem.id, problem.args), /undefined|NaN|\{ ?\$|\[object/);
  });
}

test('a state cut off at any character is refused', async () => {
  const text = stateToJson(await opening('warm-up')).trimEnd();
  for (let length = 0; length < text.length; length += 7) {
    assert.equal(problemOf(jsonToState(text.slice(0, length), known)).id, 'problem-json-syntax');
  }
});

test('random JSON, as a state or as any part of one, is refused or a state, and never throws', async () => {
  const whole = JSON.parse(stateToJson(await opening('causal')));
  fc.assert(fc.property(fc.jsonValue(), fc.nat(), (value, place) => {
    jsonToState(JSON.stringify({ ...whole, document: value }), known);
    const part = place % 2 ? 'document' : 'view';
    const names = Object.keys(whole[part]);
    jsonToState(JSON.stringify({ ...whole, [part]: { ...whole[part], [names[place % names.length]]: value } }), known);
  }), { ...RUNS, numRuns: 1000 });
});

/** A storage of so many characters. @param {number} room */
function storage(room) {
  /** @type {Map<string, string>} */
  const kept = new Map();
  return {
    kept,
    getItem: (/** @type {string} */ key) => kept.get(key) ?? null,
    removeItem: (/** @type {string} */ key) => void kept.delete(key),
    setItem(/** @type {string} */ key, /** @type {string} */ text) {
      if (text.length > room) throw new Error('QuotaExceededError');
      kept.set(key, text);
    },
  };
}

test('autosave gives back the state of its page, and of no other', async () => {
  const state = await opening('multi-head');
  const store = storage(1e6);
  const here = createAutosave(() => store, '/a/');
  assert.equal(here.restore(known), null);
  assert.equal(here.save(state), true);
  assert.deepEqual(here.restore(known), { state });
  assert.equal(createAutosave(() => store, '/b/').restore(known), null);
  assert.equal(here.forget(), true);
  assert.equal(here.restore(known), null);
});

test('a full storage keeps nothing older that would pass for the last; one that throws keeps nothing; neither breaks anything', async () => {
  const [small, large] = [await opening('warm-up'), await opening('multi-head')];
  const store = storage(stateToJson(small).length);
  const full = createAutosave(() => store, '/');
  assert.equal(full.save(small), true);
  assert.equal(full.save(large), false);
  assert.equal(full.restore(known), null);
  const none = createAutosave(() => { throw new Error('SecurityError'); }, '/');
  assert.deepEqual([none.save(small), none.restore(known), none.forget()], [false, null, false]);
});

test('what was kept is checked: damage is a problem in words', () => {
  const store = storage(1e6);
  store.setItem('attention-rows:/', '{"format": "attention-rows state", "version": 1, "docu');
  assert.equal(problemOf(createAutosave(() => store, '/').restore(known) ?? {}).id, 'problem-json-syntax');
});
