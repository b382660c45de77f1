// The one dialog of the page: whoever showed it hears of its end once, however that comes about; and what it offers is
// there. Read next: ../browser/files.test.js, ../browser/classroom.test.js.

import assert from 'node:assert/strict';
import test from 'node:test';
import { createDialogs } from '../../web/app/dialogs.js';
import { exported } from '../../web/view/export.js';
import { frameOf, opening } from './frames.js';

/** A dialog element that closes as a browser's does: the event comes later. */
function desk() {
  const element = Object.assign(new EventTarget(), {
    open: false,
    showModal: () => { element.open = true; },
    close: () => {
      if (!element.open) return;
      element.open = false;
      setTimeout(() => element.dispatchEvent(new Event('close')));
    },
  });
  const loop = /** @type {any} */ ({ ui: { dialog: null }, paint() {} });
  return { element, loop, dialogs: createDialogs(/** @type {any} */ ({ querySelector: () => element }), loop) };
}

/** @type {import('../../web/view/frame.js').Dialog} */
const keys = { kind: 'keys', places: [], said: '' };
const events = () => new Promise((then) => { setTimeout(then, 5); });

test('the end of a dialog is told once: closed by the page, by Escape, or by another that takes its place', async () => {
  for (const how of ['page', 'escape', 'another']) {
    const { element, loop, dialogs } = desk();
    let ends = 0;
    const ended = () => { ends += 1; };
    dialogs.show(keys, ended);
    dialogs.show({ ...keys, said: 'again' }, ended);
    assert.equal(ends, 0, 'it is the same dialog');
    if (how === 'page') dialogs.close();
    if (how === 'escape') element.close();
    if (how === 'another') dialogs.show({ ...keys, said: 'other' });
    assert.equal(ends, how === 'escape' ? 0 : 1, 'the page need not wait for the browser');
    await events();
    assert.equal(ends, 1, how);
    assert.equal(loop.ui.dialog?.said, how === 'another' ? 'other' : undefined);
  }
});

test('a dialog that is opened while the browser still tells of the end of another stays', async () => {
  const { element, loop, dialogs } = desk();
  dialogs.show(keys);
  dialogs.close();
  dialogs.show({ ...keys, said: 'next' });
  await events();
  assert.equal(element.open, true);
  assert.equal(loop.ui.dialog.said, 'next');
});

test('the matrix to be exported is one that is there', async () => {
  const [toy, heads] = [await frameOf(await opening('warm-up')), await frameOf(await opening('multi-head'))];
  assert.equal(exported(heads, 'attn_weights-1'), 'attn_weights-1');
  for (const gone of ['outputs', 'w_query', 'attn_weights-1']) assert.equal(exported(toy, gone), 'attn_weights-0');
});
