// What comes in damaged, cut, lying or hostile: over a hundred files through the Open dialog and by dropping them, and
// every malformed link through the address. Each gets its sentence; the state, its history and what is kept stay as they
// were. Read next: ../node/io-offender-files.js, ../node/io-offender-links.js, files.test.js.

import assert from 'node:assert/strict';
import { taskStarts } from '../../web/content/tasks.js';
import { jsonToState, stateToJson } from '../../web/io/json.js';
import { linkToState, stateToLink } from '../../web/io/link.js';
import { update } from '../../web/model/update.js';
import { opening, t } from '../node/frames.js';
import { HOSTILE } from '../node/io-cases.js';
import { offenderFiles } from '../node/io-offender-files.js';
import { offenderLinks } from '../node/io-offender-links.js';
import { foreignTexts, spoilt } from '../node/io-offenders.js';
import { known as examplesKnown } from '../node/io-states.js';
import { inBrowsers } from './browsers.js';
import { cell, edit, notice, press, shows, texts } from './reading.js';

/** @typedef {import('./reading.js').Page} Page */

/** As the page has it: the tasks are starts too. */
const known = { examples: [...examplesKnown.examples, ...taskStarts.map(({ id }) => id)] };

/** States with one fault, as files, and the sentence that each must get. */
const heads = stateToJson(await opening('multi-head'));
const jsonFiles = [
  ...spoilt.map(({ what, spoil }) => {
    const state = JSON.parse(heads);
    return { what, text: JSON.stringify({ format: state.format, ...spoil(state) ?? state }) };
  }),
  ...foreignTexts.filter(({ text }) => text.startsWith('{')),
].map(({ what, text }) => ({ what: `JSON: ${what}`, name: 'state.json', content: Buffer.from(text), says: sentenceOf(jsonToState(text, known)) }));

const files = [
  ...offenderFiles.map(([what, ending, bytes, says]) => ({ what, name: `file.${ending}`, content: Buffer.from(bytes), says })),
  ...jsonFiles,
];

/** @param {object} outcome of a reader */
function sentenceOf(outcome) {
  assert.ok('problem' in outcome, 'it was read');
  const { id, args } = /** @type {import('../../web/model/update.js').Message} */ (outcome.problem);
  return t(id, args);
}

/** All that must stay: numbers and labels, what can be undone, what is kept in the browser. @param {Page} page */
const kept = (page) => page.evaluate(() => ({
  grids: [...document.querySelectorAll('[role=grid]')].map((grid) => grid.textContent),
  buttons: [...document.querySelectorAll('[data-act=undo], [data-act=redo]')].map((button) => button.outerHTML),
  storage: JSON.stringify(localStorage),
  scripts: document.querySelectorAll('script, img, iframe').length,
}));

/** A page with one edit, once that is kept. @param {(opening?: import('./browsers.js').Opening) => Promise<Page>} open */
async function edited(open) {
  const page = await open();
  page.on('dialog', (dialog) => assert.fail(`a script ran: ${dialog.message()}`));
  await edit(page, 'Attention weights', 2, 1, '0.75');
  await page.waitForFunction(() => location.hash !== '' && localStorage.length > 0);
  return page;
}

/** Drop a file on the page. @param {Page} page @param {string} name @param {Buffer} content */
const drop = (page, name, content) => page.evaluate(([called, base64]) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))], called));
  document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
}, [name, content.toString('base64')]);

inBrowsers((test) => {
  test('a hundred malformed files, chosen and dropped in turn, each get a sentence and change nothing', async ({ open }) => {
    const page = await edited(open);
    const before = await kept(page);
    const address = page.url();
    assert.ok(files.length >= 100, `${files.length} files`);
    await press(page, 'Open file…');
    for (const [i, { what, name, content, says }] of files.entries()) {
      if (i % 2) await drop(page, name, content);
      else await page.locator('#open-file').setInputFiles({ name, mimeType: '', buffer: content });
      const said = async () => (await page.locator('.dialog-said').textContent() ?? '').trim();
      await shows(async () => (await said()).startsWith('Reading'), false);
      if (typeof says === 'string') assert.equal(await said(), says, what);
      else assert.match(await said(), says, what);
      assert.match(await said(), /Nothing was changed\.$/, what);
      assert.deepEqual(await kept(page), before, what);
    }
    await page.keyboard.press('Escape');
    await page.waitForTimeout(1200); // longer than the address and the storage stay behind
    assert.deepEqual([await kept(page), page.url()], [before, address]);
  });

  test('every malformed link, put into the address, gets its sentence and changes nothing', async ({ open }) => {
    const page = await edited(open);
    const before = await kept(page);
    // An empty address asks for nothing, and a browser takes line breaks out.
    const links = offenderLinks.filter(([, hash]) => !/^#?$|\n/.test(hash));
    assert.ok(links.length >= 40, `${links.length} links`);
    for (const [what, hash, id] of links) {
      await page.evaluate((to) => {
        /** @type {HTMLElement | null} */ (document.querySelector('[data-act=dismiss]'))?.click();
        location.hash = to;
      }, hash);
      const read = await linkToState(await page.evaluate(() => location.hash), known, opening);
      assert.ok('problem' in read && read.problem.id === id, what);
      await shows(() => notice(page), sentenceOf(read), what);
      assert.deepEqual(await kept(page), before, what);
    }
    await page.waitForTimeout(1200);
    assert.deepEqual(await kept(page), before);
  });

  test('labels that would be scripts, tags or formulas stay text: from a file, from a link, and wherever they stand', async ({ open, site }) => {
    let state = await opening('warm-up');
    // A label of nothing but a line separator is none.
    for (const [row, text] of HOSTILE.filter((label) => label.trim() !== '').entries()) {
      const label = /** @type {const} */ ({ type: 'label', row, text });
      for (const action of row < state.document.tokens.length ? [label] : [{ type: /** @type {const} */ ('add-token') }, label]) {
        const outcome = update(state, action);
        assert.ok('state' in outcome, JSON.stringify(action));
        state = outcome.state;
      }
    }
    const labels = state.document.tokens;
    const link = stateToLink(state, await opening('warm-up'));
    assert.ok('hash' in link);
    const page = await edited(open);
    const { scripts } = await kept(page);
    await press(page, 'Open file…');
    await page.locator('#open-file').setInputFiles({ name: '<img src=x onerror=alert(1)>.json', mimeType: '', buffer: Buffer.from(stateToJson(state)) });
    await page.getByRole('dialog').getByText('<img src=x onerror=alert(1)>.json', { exact: true }).waitFor();
    await press(page, 'Put them in');
    const linked = await open({ url: `${site}${link.hash}` });
    linked.on('dialog', (dialog) => assert.fail(`a script ran: ${dialog.message()}`));
    for (const one of [page, linked]) {
      await shows(async () => (await texts(one, 'Inputs')).length, labels.length);
      for (const row of [8, 9]) {
        assert.ok((await cell(one, 'Inputs', row + 1, 0).textContent())?.includes(labels[row]), labels[row]);
        await cell(one, 'Attention weights', row + 1, 1).focus();
      }
      await press(one, 'Export');
      assert.equal((await kept(one)).scripts, scripts);
      await press(one, 'Close');
    }
  });
});
