// A state as a link and back: equal in every bit for random states, short for a few edits; what is no whole link of
// ours is refused in words. One link of every version is kept and must open for ever. Read next: io-json.test.js.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import fc from 'fast-check';
import { MAX_LINK, linkToState, stateToLink } from '../../web/io/link.js';
import { pack, unpack } from '../../web/io/packing.js';
import { update } from '../../web/model/update.js';
import { UNANSWERED } from '../../web/model/asking.js';
import { VERSION } from '../../web/model/schema.js';
import { frozen, opening, t } from './frames.js';
import { forged, good, offenderLinks } from './io-offender-links.js';
import { known, problemOf, states } from './io-states.js';

/**
 * @typedef {import('../../web/model/state.js').State} State
 * @typedef {import('../../web/model/update.js').Action} Action
 */

const RUNS = { seed: 20260104, numRuns: 300 };

/** @param {State} state @returns {Promise<string>} */
async function linkOf(state) {
  const link = stateToLink(state, await opening(state.document.example));
  assert.ok('hash' in link, JSON.stringify(link));
  return link.hash;
}

/** @param {string} hash */
const read = (hash) => linkToState(hash, known, opening);

/** @param {State} state @param {Action[]} actions */
const after = (state, ...actions) => actions.reduce((before, action) => {
  const outcome = update(before, action);
  assert.ok('state' in outcome);
  return outcome.state;
}, state);

/** What a link holds of a state: a question, but nothing that was said of it. @param {State} state @returns {State} */
function unanswered(state) {
  const { question } = state.view;
  return { ...state, view: { ...state.view, question: question && { ...question, ...UNANSWERED } } };
}

/** @param {number} value @returns {Action} */
const edit = (value) => ({ type: 'edit', matrix: 'w_query', row: 1, column: 0, value });

test('300 random states come back from their link equal in every field and bit, or are said to be too long', async () => {
  let whole = 0;
  await fc.assert(fc.asyncProperty(states, async (state) => {
    const link = stateToLink(frozen(state), await opening(state.document.example));
    if ('tooLong' in link) return assert.ok(link.tooLong > MAX_LINK);
    whole += 1;
    assert.ok(link.hash.length <= MAX_LINK);
    assert.match(link.hash, /^#rows1\.[\w-]+$/);
    assert.deepEqual(await read(link.hash), { state: unanswered(state) });
  }), RUNS);
  assert.ok(whole > 200, `${whole} of the states had a link`);
});

test('a recipe is short: an example, a few edits, a label', async () => {
  const start = await opening('multi-head');
  const few = after(start, edit(0.1), { type: 'label', row: 0, text: 'Mine' }, { type: 'causal', on: false });
  assert.ok((await linkOf(start)).length <= 80, `${(await linkOf(start)).length}`);
  assert.ok((await linkOf(few)).length <= 170, `${(await linkOf(few)).length}`);
});

test('typed decimals take two bytes, float32 four: 24 tokens with 8 dimensions fit', async () => {
  let state = await opening('warm-up');
  for (let i = 0; i < 3; i++) state = after(state, { type: 'add-dimension' });
  for (let i = 0; i < 21; i++) state = after(state, { type: 'add-token' });
  for (let row = 0; row < 24; row++) {
    const values = Array.from({ length: 5 }, (_, j) => Math.round(Math.sin(row * 5 + j) * 100) / 100);
    state = after(state, { type: 'edit-row', matrix: 'inputs', row, values });
  }
  const link = stateToLink(state, await opening('warm-up'));
  assert.ok('hash' in link && link.hash.length < 900, JSON.stringify(link).slice(0, 90));
  assert.deepEqual(await read(link.hash), { state });
});

test('every number comes back to the bit, whatever form is the shortest', async () => {
  const values = [
    0, -0, 1, -1, 0.1, -0.25, 3.2767, 32767, -32767, 32768, 0.12345, 1 / 3, Math.fround(1 / 3), Math.fround(0.1), 5e-324, 2 ** -149,
    3.4e38, 1e-4, 0.0001, 12.34, 1.005, 2 ** 24 + 1, -1e-5,
  ];
  const { text, next, left } = unpack(pack('{"a":"ä旅"}', values));
  assert.equal(text, '{"a":"ä旅"}');
  for (const value of values) assert.ok(Object.is(next(), value), String(value));
  assert.equal(left(), 0);
  const start = await opening('trainable');
  for (const value of values) {
    const state = after(start, edit(value));
    const back = await read(await linkOf(state));
    assert.ok('state' in back && Object.is(back.state.document.w_query[1][0], value), String(value));
  }
});

test('all doubles that float32 can hold come back to the bit', () => {
  fc.assert(fc.property(fc.array(fc.double({ noNaN: true })), (values) => {
    const { next } = unpack(pack('', values));
    for (const value of values) assert.ok(Object.is(next(), value), String(value));
  }), RUNS);
});

test('a pinned state costs only what differs, and comes back', async () => {
  const start = await opening('multi-head');
  const state = after(start, { type: 'pin' }, edit(0.5));
  assert.deepEqual(await read(await linkOf(state)), { state });
  assert.ok((await linkOf(state)).length - (await linkOf(after(start, edit(0.5)))).length < 60);
  assert.deepEqual(await read(await linkOf(after(start, { type: 'pin' }))), { state: after(start, { type: 'pin' }) });
});

test('a state that is too long for a link says how long', async () => {
  let state = await opening('simplified');
  for (let row = 0; row < 26; row++) state = after(state, { type: 'add-token' });
  for (let i = 0; i < 9; i++) state = after(state, { type: 'add-dimension' });
  for (let row = 0; row < 32; row++) {
    const values = Array.from({ length: 12 }, (_, j) => Math.sin(row * 12 + j));
    state = after(state, { type: 'edit-row', matrix: 'inputs', row, values });
  }
  const link = stateToLink(state, await opening('simplified'));
  assert.ok('tooLong' in link && link.tooLong > 3000);
});

test('with or without #, a link opens; markup in a label stays text', async () => {
  const state = after(await opening('warm-up'), { type: 'label', row: 0, text: '<img src=x onerror=alert(1)>' });
  const hash = await linkOf(state);
  assert.deepEqual(await read(hash), { state });
  assert.deepEqual(await read(hash.slice(1)), { state });
});

const warm = await opening('warm-up');

for (const [what, hash, id] of offenderLinks) {
  test(`a link that is ${what} is refused in words`, async () => {
    const problem = problemOf(await read(hash));
    assert.equal(problem.id, id);
    assert.doesNotMatch(t(problem.id, problem.args), /undefined|NaN|\{ ?\$|\[object/);
  });
}

test('a link with any one character altered, or cut off anywhere, is refused', async () => {
  for (let i = '#rows1.'.length; i < good.length; i++) {
    const other = `${good.slice(0, i)}${good[i] === 'x' ? 'y' : 'x'}${good.slice(i + 1)}`;
    // Bits that the last character has beyond the last byte may be anything: then it is the same link.
    if (i < good.length - 1) assert.equal(problemOf(await read(other)).id, 'problem-link-damaged');
    assert.equal(problemOf(await read(good.slice(0, i))).id, 'problem-link-damaged');
  }
});

test('a recipe for an example whose numbers have changed since is refused, not shown with other numbers', async () => {
  const changed = async (/** @type {string} */ id) => after(await opening(id), edit(9), { type: 'causal', on: false });
  const hash = await linkOf(after(await opening('causal'), { type: 'edit', matrix: 'inputs', row: 0, column: 0, value: 1 }));
  assert.equal(problemOf(await linkToState(hash, known, changed)).id, 'problem-link-changed');
});

test('a link whose bytes are not ours never opens the door of an example', async () => {
  const never = () => { throw new Error('asked'); };
  for (const hash of ['#x', '#rows2.AA', '#rows1.AAAAAAAA', forged({ e: '__proto__' })]) {
    problemOf(await linkToState(hash, known, never));
  }
});

/** @type {{ version: number, what: string, hash: string, document: any, view: any }[]} */
const kept = JSON.parse(readFileSync(new URL('../vectors/links.json', import.meta.url), 'utf8'));

test('there is a kept link of every version', () => {
  assert.deepEqual([...new Set(kept.map(({ version }) => version))], Array.from({ length: VERSION }, (_, i) => i + 1));
});

/** A pinned document, like the document itself, without the fields that came later. @param {any} got @param {any} value */
const onlyOf = (got, value) => (value === null || Array.isArray(value) || typeof value !== 'object' ? got
  : Object.fromEntries(Object.entries(got ?? {}).filter(([name]) => name in value)));

for (const { version, what, hash, document, view } of kept) {
  test(`the kept link of version ${version} opens: ${what}`, async () => {
    const back = await read(hash);
    assert.ok('state' in back, JSON.stringify(back));
    // Newer versions may know more fields; those that the link knew must be as they were.
    const [gotDocument, gotView] = /** @type {any[]} */ ([back.state.document, back.state.view]);
    for (const [name, value] of Object.entries(document)) assert.deepEqual(gotDocument[name], value, name);
    for (const [name, value] of Object.entries(view)) assert.deepEqual(onlyOf(gotView[name], value), value, name);
  });
}

test('the start of an example is a link too', async () => {
  assert.deepEqual(await read(await linkOf(warm)), { state: warm });
});
