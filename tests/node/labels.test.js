// Labels in sentences, whatever their script and length, and counts as the page writes numbers.
// Read next: ../browser/labels.test.js (where the words then stand), ../../web/app/messages.js.

import assert from 'node:assert/strict';
import test from 'node:test';
import { messages } from '../../web/app/messages.js';
import { update } from '../../web/model/update.js';
import { blendBar } from '../../web/view/blend.js';
import { page } from '../../web/view/page.js';
import { frameOf, htmlOf, opening, t, textOf } from './frames.js';

const ARABIC = 'مرحبا';
const LONG = 'the quick brown fox jumps over the lazy dog and runs on, awa';

/** A state whose token in a row has another label. @param {string} id @param {number} row @param {string} text */
async function labelled(id, row, text) {
  const outcome = update(await opening(id), { type: 'label', row, text });
  assert.ok('state' in outcome);
  return outcome.state;
}

test('a label that runs from right to left is isolated in its sentence, any other is not', async () => {
  assert.equal(t('blend-part', { label: ARABIC, percent: '26' }), `\u2068${ARABIC}\u2069 26 %`);
  for (const label of ['journey', '旅程', '👩‍🏫', 'e\u0301cole']) {
    assert.equal(t('blend-part', { label, percent: '26' }), `${label} 26 %`);
  }
  for (const label of ['שלום', 'a\u202eb', 'x\u2067y', 'އަޅު', '𞤀𞤣']) {
    assert.equal(t('blend-part', { label, percent: '1' }), `\u2068${label}\u2069 1 %`, label);
  }
  assert.ok(htmlOf(blendBar(await frameOf(await labelled('warm-up', 0, ARABIC)))).includes(`\u2068${ARABIC}\u2069 25 %`));
});

test('counts are written without groups of digits and still choose their words', () => {
  assert.equal(t('said-mystery', { seed: 123456 }), 'A mystery bug is planted, seed 123456.');
  assert.match(t('term-masked', { count: 1, list: '2' }), /^Token 2 is/);
  assert.match(t('term-masked', { count: 2, list: '2, 3' }), /^Tokens 2, 3 are/);
});

test('counts need no formatter of the browser, which takes long to set up', (context) => {
  context.mock.method(Intl, 'NumberFormat', () => assert.fail('a formatter was made'));
  assert.equal(t('said-mystery', { seed: 654321 }), 'A mystery bug is planted, seed 654321.');
});

test('a message brings those it refers to, whichever is asked for first', () => {
  const fresh = messages('a = A{ b }\nb = { -c }!\n-c = { $n ->\n    [1] one\n   *[other] many\n  }\n', 'en');
  assert.equal(fresh('a'), 'Amany!');
  assert.equal(fresh('b'), 'many!');
});

test('sentences of instruments cut a long label, and its title holds the whole', async () => {
  const state = await labelled('simplified', 1, LONG);
  const view = { ...state.view, replay: 2, panels: /** @type {const} */ (['routes', 'masking']) };
  const template = page(await frameOf({ ...state, view: /** @type {any} */ (view) }));
  const text = textOf(template);
  assert.ok(text.includes('Row 2 (the quick b…): the same scores'), text);
  assert.ok(text.includes('Token 2 (the quick b…) arrived'), text);
  assert.ok(htmlOf(template).includes(`<p class="note" title="${LONG}">Row 2 (`));
  assert.ok(htmlOf(template).includes(`title="${LONG}">Row 2 · “${LONG}”</h3>`));
});
