// What happens while something else is going on: files dropped, addresses followed and undo pressed before an open dialog;
// a class that works without files; a storage that is full; undo in a presentation; labels pasted where labels are.
// Read next: classroom.test.js, files.test.js, ../node/dialogs.test.js.

import assert from 'node:assert/strict';
import { inBrowsers } from './browsers.js';
import { cell, edit, flip, grid, notice, openExample, press, rowNames, shows, texts } from './reading.js';

/** @typedef {import('./reading.js').Page} Page */

/** @param {Page} page */
const dialogOf = (page) => page.getByRole('dialog');

/** @param {Page} page */
const first = async (page) => (await texts(page, 'Attention weights'))[0][0];

/** Open the dialog of class links, with its preview on the page. @param {Page} page */
async function preview(page) {
  await press(page, 'Share');
  await press(page, 'Make a class link…');
  await dialogOf(page).getByLabel('Rows of the result').selectOption('one by one');
  await page.locator('.class-bar').waitFor();
}

/** @param {Page} page @param {string} name @param {string} content */
const drop = (page, name, content) => page.evaluate(([called, text]) => {
  const file = new File([text], called);
  document.body.dispatchEvent(Object.assign(new Event('drop', { bubbles: true, cancelable: true }), { dataTransfer: { files: [file] } }));
}, [name, content]);

/** @param {Page} page @param {string} grid @param {number} row @param {number} column @param {string} text */
async function paste(page, grid, row, column, text) {
  await cell(page, grid, row, column).focus();
  await page.evaluate((data) => {
    const clipboardData = { getData: () => data };
    document.activeElement?.dispatchEvent(Object.assign(new Event('paste', { bubbles: true, cancelable: true }), { clipboardData }));
  }, text);
}

inBrowsers((test) => {
  test('a file dropped on the dialog of class links takes its place, and its preview goes', async ({ open }) => {
    const page = await open();
    await edit(page, 'Attention weights', 1, 1, '0.75');
    await preview(page);
    await drop(page, 'a.csv', '1,2\n3,4\n5,6\n');
    await dialogOf(page).getByText('After this: 3 tokens × 2 input dimensions').waitFor();
    await shows(() => page.locator('.class-bar').count(), 0);
    assert.equal(await first(page), '0.75');
    await page.keyboard.press('Escape');
    await shows(() => notice(page).then((text) => /Undone: .*class link/.test(text)), true);
    assert.equal(await first(page), '0.75');
  });

  test('an address that is followed closes the dialog, whose preview goes, and undo leads back to what was there', async ({ open }) => {
    const page = await open();
    await edit(page, 'Attention weights', 1, 1, '0.75');
    await preview(page);
    await page.evaluate(() => { location.hash = '#class&example=causal'; });
    await dialogOf(page).waitFor({ state: 'hidden' });
    await shows(() => texts(page, 'Attention weights').then((rows) => rows.length), 6);
    await press(page, 'Undo');
    await shows(() => first(page), '0.75');
    assert.equal(await page.locator('.class-bar').count(), 0);
  });

  test('undo rests behind a dialog, and fields in it keep theirs', async ({ open }) => {
    const page = await open();
    await edit(page, 'Attention weights', 1, 1, '0.75');
    await preview(page);
    await dialogOf(page).getByLabel('Rows of the result').focus();
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Escape');
    await shows(() => page.locator('.class-bar').count(), 0);
    assert.equal(await first(page), '0.75');
    await openExample(page, 'Trainable: six tokens');
    await flip(page, 'Output projection');
    await grid(page, 'Outputs').waitFor();
    await press(page, 'Export');
    await dialogOf(page).getByLabel('Matrix').selectOption({ label: 'Outputs' });
    await page.keyboard.press('Control+z');
    await press(page, 'Save CSV');
    await dialogOf(page).getByText('Handed to the browser: outputs.csv').waitFor();
    assert.equal(await grid(page, 'Outputs').count(), 1);
  });

  test('a class without files opens none that is dropped, and a locked one is not replaced by a saved state', async ({ open, site }) => {
    const without = await open({ url: `${site}#class&example=causal&hide=files` });
    await without.locator('.class-bar').waitFor();
    await drop(without, 'a.csv', '1,2\n3,4\n');
    await shows(() => notice(without), 'This class works without files. Nothing was opened.');
    assert.equal(await dialogOf(without).count(), 0);
    const locked = await open({ url: `${site}#class&example=causal&lock=inputs` });
    await locked.locator('.class-bar').waitFor();
    const state = await locked.evaluate(() => new Promise((then) => {
      const make = URL.createObjectURL;
      URL.createObjectURL = (blob) => {
        void /** @type {Blob} */ (blob).text().then(then);
        return make(blob);
      };
      HTMLAnchorElement.prototype.click = () => {};
      /** @type {HTMLElement} */ (document.querySelector('[data-act=export]')).click();
      /** @type {HTMLElement} */ (document.querySelector('[data-value=json]')).click();
    }));
    await press(locked, 'Close');
    await drop(locked, 'state.json', String(state));
    await dialogOf(locked).getByText('This class is locked, and a saved state would put another in its place').waitFor();
  });

  test('where nothing is kept, neither in the browser nor in the address, the page says so; an older state does not come back', async ({ open }) => {
    const page = await open({ prepare: (made) => made.addInitScript(() => {
      const keep = Storage.prototype.setItem;
      Storage.prototype.setItem = function full(key, text) {
        if (text.length > 5000) throw new DOMException('full', 'QuotaExceededError');
        keep.call(this, key, text);
      };
    }) });
    await edit(page, 'Attention weights', 1, 1, '0.75');
    await page.waitForFunction(() => location.hash.startsWith('#rows1.'));
    const lines = Array.from({ length: 32 }, (_, i) => Array.from({ length: 16 }, (__, j) => Math.sin(99 * i + j)).join('\t'));
    await paste(page, 'Inputs', 1, 1, lines.join('\n'));
    await press(page, 'Put them in');
    await shows(async () => /closing the page would lose it/.test(await notice(page)), true);
    assert.equal(await page.evaluate(() => location.hash), '');
    await page.reload();
    await page.locator('#inputs').waitFor();
    assert.deepEqual([await first(page), await notice(page)], ['0.50', '']);
  });

  test('undo in a presentation is seen, until one goes on', async ({ open, site }) => {
    const page = await open({ url: `${site}#class&example=warm-up&present` });
    await page.locator('.presentation').waitFor();
    await edit(page, 'Attention weights', 1, 1, '0.75');
    await page.keyboard.press('Control+z');
    const said = page.locator('.notice').getByText(/^Undone: /);
    await said.waitFor();
    const box = await said.boundingBox();
    assert.ok(box && box.width > 100 && box.y >= 0 && box.y < 200, JSON.stringify(box));
    await page.keyboard.press('ArrowDown');
    await said.waitFor({ state: 'detached' });
  });

  test('labels are pasted where labels are, with the numbers beside them; more of them than tokens ask first', async ({ open }) => {
    const page = await open();
    await paste(page, 'Inputs', 2, 0, 'blue\nsky');
    await shows(() => rowNames(page, 'Inputs').then((names) => names.map((name) => /[a-z]+/.exec(name)?.[0])), ['first', 'blue', 'sky']);
    await shows(() => notice(page), 'Pasted 2 labels.');
    await paste(page, 'Inputs', 3, 0, 'sea\t7\t8\nshore\t9\t9');
    await dialogOf(page).getByText('to 4 tokens × 2 input dimensions').waitFor();
    await press(page, 'Put them in');
    await shows(() => texts(page, 'Inputs').then((rows) => rows.slice(2)), [['7.00', '8.00'], ['9.00', '9.00']]);
    await cell(page, 'Inputs', 4, 0).getByText('shore').waitFor();
  });
});
