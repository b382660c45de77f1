// The address follows the state, but never over a link that somebody has put there and that is yet to be opened.
// Read next: ../browser/sharing.test.js.

import assert from 'node:assert/strict';
import test from 'node:test';
import { createKeeping } from '../../web/app/keeping.js';
import { createAutosave } from '../../web/app/storage.js';
import { update } from '../../web/model/update.js';
import { opening, t } from './frames.js';
import { good } from './io-offender-links.js';
import { known } from './io-states.js';

/** A page of nothing but a state, an address and a storage. @param {string} [address] @param {Map<string, string>} [tab]  what its tab keeps */
async function desk(address = '', tab = new Map()) {
  const page = { state: await opening('warm-up'), address, said: '', saved: 0, room: true, due: () => {}, changed: () => {}, settle: () => {} };
  const loop = /** @type {any} */ ({
    t,
    state: () => page.state,
    follow: (/** @type {() => void} */ then) => { page.changed = then; },
    say: (/** @type {string} */ _, /** @type {string} */ text) => { page.said = text; },
    restore: async (/** @type {typeof page.state} */ state) => {
      page.state = state;
      return true;
    },
  });
  const keeping = createKeeping({
    loop, starts: /** @type {any} */ ({ known, opening, first: () => opening('warm-up') }),
    address: { read: () => page.address, write: (hash) => { page.address = hash; } },
    autosave: { save: () => { page.saved += 1; return page.room; }, restore: () => null, forget: () => true },
    behind: (hash) => createAutosave(() => ({
      getItem: (key) => tab.get(key) ?? null, setItem: (key, text) => void tab.set(key, text), removeItem: (key) => void tab.delete(key),
    }), hash),
    settle: () => page.settle(),
    later: (then) => { page.due = then; },
  });
  const edit = (/** @type {number} */ value) => {
    const outcome = update(page.state, { type: 'edit', matrix: 'inputs', row: 0, column: 0, value });
    assert.ok('state' in outcome);
    page.state = outcome.state;
    page.changed();
  };
  return { page, keeping, edit };
}

test('a change is kept and written into the address, and read back from there', async () => {
  const { page, keeping, edit } = await desk();
  edit(7);
  await keeping.keep();
  assert.match(page.address, /^#rows1\./);
  assert.equal(page.saved, 1);
  const { state } = page;
  page.state = await opening('warm-up');
  await keeping.openAddress();
  assert.deepEqual(page.state, state);
});

test('a link that is put into the address while the state is being written stays there and is opened', async () => {
  for (const early of [false, true]) {
    const { page, keeping, edit } = await desk();
    edit(7);
    if (early) page.address = good;
    const writing = keeping.keep();
    page.address = good;
    await writing;
    assert.equal(page.address, good);
    await keeping.openAddress();
    assert.equal(page.state.document.example, 'causal');
  }
});

test('a link that could not be read stands in the address until the next change', async () => {
  const { page, keeping, edit } = await desk();
  page.address = '#rows1.damaged';
  await keeping.openAddress();
  assert.match(page.said, /not whole/);
  edit(7);
  await keeping.keep();
  assert.match(page.address, /^#rows1\.(?!damaged)/);
});

test('what is kept neither in the browser nor in the address is said, once, until it is kept again', async () => {
  const { page, keeping, edit } = await desk();
  const long = structuredClone(page.state);
  long.document.inputs = Array.from({ length: 32 }, (_, i) => Array.from({ length: 16 }, (__, j) => Math.fround(Math.sin(99 * i + j))));
  long.document.tokens = long.document.inputs.map((_, i) => `token ${i}`);
  const warned = async (/** @type {number} */ value) => {
    page.said = '';
    edit(value);
    await keeping.keep();
    return page.said;
  };
  page.room = false;
  assert.equal(await warned(1), '', 'the link holds it');
  page.state = { ...long, document: { ...long.document, given: long.document.tokens.map(() => long.document.tokens.map(() => Math.fround(1 / 3))) } };
  assert.match(await warned(2), /Save it as a file/);
  assert.equal(page.address, '');
  assert.equal(await warned(3), '', 'it has been said');
  page.room = true;
  assert.equal(await warned(4), '');
  page.room = false;
  assert.match(await warned(5), /keeps nothing/);
});

test('a page that is left before its address is written comes back as it was; another address comes before that', async () => {
  for (const [left, example, value] of /** @type {const} */ ([['', 'warm-up', 7], [good, 'causal', null]])) {
    const tab = new Map();
    const before = await desk('', tab);
    before.edit(5);
    await before.keeping.keep();
    assert.equal(tab.size, 1);
    before.page.due();
    assert.equal(tab.size, 0, 'the address is not behind');
    const { address } = before.page;
    before.edit(7);
    await before.keeping.keep(); // written in vain, and nothing after: the page is gone
    const { page, keeping } = await desk(left || address, tab);
    await keeping.start();
    assert.equal(page.state.document.example, example);
    if (value === null) continue;
    assert.equal(page.state.document.inputs[0][0], value);
    await keeping.keep();
    assert.notEqual(page.address, address, 'the address follows');
  }
});

test('what is looked at but not yet in the state is in it before it is kept or shared', async () => {
  const { page, keeping, edit } = await desk();
  edit(7);
  page.settle = () => edit(9);
  await keeping.keep();
  const { address } = page;
  page.state = await opening('warm-up');
  page.settle = () => {};
  await keeping.openAddress();
  assert.equal(page.state.document.inputs[0][0], 9);
  page.settle = () => edit(11);
  assert.notDeepEqual(await keeping.link(), { hash: address });
});
