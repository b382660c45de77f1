// The instrument "Chapter" in real browsers, mostly by keyboard: formulas stand as formulas, a card leads to its
// experiment and back, the practice is answered, a mistake leads to the arithmetic. Read next: ../node/chapter.test.js.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { LAPTOP, PHONE, inBrowsers } from './browsers.js';
import { openExample, press, shows } from './reading.js';

/** @typedef {import('./reading.js').Page} Page */

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The text of what has the focus. @param {Page} page */
const focused = (page) => page.evaluate(() => document.activeElement?.textContent?.trim().replace(/\s+/g, ' ') ?? '');

/** @param {Page} page @param {string} key @param {string} name of a button, found by its text */
async function pressKeyOn(page, key, name) {
  await page.locator('#panel-chapter').getByRole('button', { name, exact: true }).focus();
  await page.keyboard.press(key);
}

/** The figures of the open card by their names. @param {Page} page */
const figures = (page) => page.locator('.figures > div').evaluateAll((rows) =>
  Object.fromEntries(rows.map((row) => [row.querySelector('dt')?.textContent, row.querySelector('dd')?.textContent])));

/** @param {Page} page @param {string} chapter */
async function openChapter(page, chapter) {
  await openExample(page, chapter);
  await press(page, 'Chapter');
}

inBrowsers((test) => {
  test('formulas are set as formulas: what is divided stands above what divides it, under a root', async ({ open }) => {
    const page = await open();
    await openChapter(page, 'Trainable: six tokens');
    const boxes = await page.locator('.formulas mfrac').first().evaluate((fraction) =>
      [...fraction.children].map((part) => part.getBoundingClientRect()).map(({ top, bottom, width }) => ({ top, bottom, width })));
    const [above, below] = boxes;
    assert.ok(above.width > 10 && below.width > 10);
    assert.ok(above.bottom <= below.top + 2, JSON.stringify(boxes));
    assert.equal(await page.locator('.formulas math').count(), 4);
    assert.equal(await page.locator('.formulas :is(merror, .tml-error)').count(), 0);
  });

  test('a card opens by keyboard where the confusion arises, its experiment answers, and closing leads back', async ({ open }) => {
    const page = await open();
    await openExample(page, 'Trainable: six tokens');
    await page.getByRole('button', { name: 'Should queries, keys and values have a bias?' }).focus();
    await page.keyboard.press('Enter');
    await shows(() => focused(page), 'Should queries, keys and values have a bias?', 'the focus is on the card');
    assert.equal((await figures(page))['attention weights moved by at most'], '0');
    await pressKeyOn(page, 'Space', 'keys');
    await shows(async () => Number((await figures(page))['attention weights moved by at most']?.replace('\u2212', '-')) < 1e-6, true, 'a key bias moves nothing');
    await pressKeyOn(page, 'Space', 'queries');
    await shows(async () => Number((await figures(page))['attention weights moved by at most']) > 1e-3, true, 'a query bias moves weights');
    assert.deepEqual(await page.locator('.trial [aria-pressed=true]').allTextContents(), ['queries', 'keys']);
    await pressKeyOn(page, 'Enter', 'Close card');
    await shows(() => focused(page), 'Should queries, keys and values have a bias?', 'the focus is back in the list');
    assert.equal(await page.locator('.card-list .open').count(), 0);
  });

  test('a card that needs several heads opens their chapter and stays open', async ({ open }) => {
    const page = await open();
    await press(page, 'Chapter');
    await pressKeyOn(page, 'Enter', 'd_out or head_dim?');
    await pressKeyOn(page, 'Enter', 'Open “Multi-head”');
    await shows(() => focused(page), 'd_out or head_dim?', 'the focus is on the card');
    await pressKeyOn(page, 'Enter', 'separate heads');
    await shows(() => figures(page).then((all) => JSON.stringify(all)),
      JSON.stringify({ 'head_dim': '2', 'columns of context_vecs': '4', 'largest difference from one split matrix': '0' }), 'no difference');
    await pressKeyOn(page, 'Enter', 'each d_out wide');
    await shows(async () => (await figures(page))['columns of context_vecs'], '8', 'twice as many columns');
  });

  test('the practice is answered by keyboard and held against the page', async ({ open }) => {
    const page = await open();
    await openChapter(page, 'Causal: six tokens');
    const boxes = page.locator('.practice input');
    for (const i of [0, 1, 4]) {
      await boxes.nth(i).focus();
      await page.keyboard.press('Space');
    }
    await page.getByLabel('Where do the trainable matrices enter?').selectOption('softmax');
    await pressKeyOn(page, 'Enter', 'Hint, 0 of 3 seen');
    await shows(() => focused(page).then((text) => text.startsWith('It is a weighted sum')), true, 'the first hint has the focus');
    await pressKeyOn(page, 'Enter', 'Compare with the page');
    await shows(() => focused(page).then((text) => /You said: 1, 2, 5\. On the page: 1, 2, 3\. Tokens 4, 5, 6 are masked/.test(text)),
      true, 'said and so, side by side');
    await boxes.nth(4).focus();
    await page.keyboard.press('Space');
    await shows(() => page.locator('.practice-answer').count(), 0, 'another answer waits to be compared');
  });

  test('a mistake leads to the arithmetic that shows it, a planted bug to the routes that disagree, and undo back', async ({ open }) => {
    const page = await open();
    await press(page, 'Chapter');
    await pressKeyOn(page, 'Enter', 'Trace every input');
    await shows(() => focused(page).then((text) => text.startsWith('Context vectors, row 3')), true, 'the arithmetic has the focus');
    await openExample(page, 'Simplified: six tokens');
    await pressKeyOn(page, 'Enter', 'Do rows or columns sum to 1?');
    await pressKeyOn(page, 'Enter', 'Plant the bug: Softmax over columns');
    await page.locator('.bug-banner').waitFor();
    assert.match(await page.locator('.routes-card').textContent() ?? '', /Two routes differ/);
    assert.equal(await focused(page), 'Remove the bug: Softmax over columns');
    await page.keyboard.press('Enter');
    await shows(() => page.locator('.bug-banner').count(), 0, 'the bug is gone');
  });

  test('identity matrices and an alike input are put on the page, each a step of undo', async ({ open }) => {
    const page = await open();
    await openChapter(page, 'Trainable: six tokens');
    await pressKeyOn(page, 'Enter', 'Why three matrices from one x, and what is the value?');
    await pressKeyOn(page, 'Enter', 'Make W_query, W_key and W_value the identity');
    await shows(() => page.getByRole('grid', { name: 'Key weights' }).locator('[data-row]').allTextContents().then((all) => all.map(Number).join(' ')),
      '1 0 0 0 1 0 0 0 1', 'W_key');
    await pressKeyOn(page, 'Enter', 'Do weights explain the answer?');
    await pressKeyOn(page, 'Enter', 'Give token 2 the input of token 1');
    const input = () => page.getByRole('grid', { name: 'Inputs' }).locator('[data-row="1"]').allTextContents().then((all) => all.slice(-3).join(' '));
    await shows(input, '0.43 0.15 0.89', 'the input of token 2');
    await page.keyboard.press('Control+z');
    await shows(input, '0.55 0.87 0.66', 'undone');
  });

  for (const [what, size, dark] of /** @type {const} */ ([['large and light', LAPTOP, false], ['small and dark', PHONE, true]])) {
    test(`axe finds nothing in any chapter's notes, nor in an open card, ${what}; nothing sticks out`, async ({ open }) => {
      const page = await open({ size, dark });
      await press(page, 'Chapter');
      await page.evaluate(AXE);
      for (const id of ['warm-up', 'simplified', 'trainable', 'causal', 'multi-head']) {
        await page.locator(`nav [data-value="${id}"]`).click();
        await page.locator('.card-list [data-value="reshape"], .card-list [data-value="scale"]').first().click();
        if (await page.locator('[data-value="plain"]').count() > 0) await page.locator('[data-value="plain"]').click();
        const found = await page.evaluate(async () => {
          const { axe } = /** @type {{ axe: typeof import('axe-core') }} */ (/** @type {unknown} */ (window));
          const { violations } = await axe.run(document.querySelector('#panel-chapter') ?? document, { resultTypes: ['violations'] });
          return violations.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.html.slice(0, 140)} ${node.failureSummary}`));
        });
        assert.deepEqual(found, [], id);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), id);
        const small = await page.locator('#panel-chapter :is(button, select)').evaluateAll((all) => all
          .map((one) => ({ box: one.getBoundingClientRect(), text: one.textContent?.trim().slice(0, 40) }))
          .filter(({ box }) => box.height < 44 || box.width < 24).map(({ text }) => text));
        assert.deepEqual(small, [], id);
      }
    });
  }
});
