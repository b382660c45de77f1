// Long and foreign labels and long numbers: what is written stands in order, fits, and no number is cut.
// Read next: ../node/labels.test.js, alignment.test.js (row lines).

import assert from 'node:assert/strict';
import { LAPTOP, PHONE, PROJECTOR, inBrowsers } from './browsers.js';
import { cell, edit, openExample, press, rowNames, shows } from './reading.js';

/** @typedef {import('./reading.js').Page} Page */

const LONG = 'the quick brown fox jumps over the lazy dog and runs on, awa';

/** @param {Page} page @param {number} row @param {string} label */
async function relabel(page, row, label) {
  await edit(page, 'Inputs', row, 0, label);
  await shows(async () => (await rowNames(page, 'Context vectors'))[row - 1], label);
}

/** How far the page, and lists of terms and matrices to be edited, reach beyond their frames. @param {Page} page */
const beyond = (page) => page.evaluate(() => {
  const frames = [document.documentElement, ...document.querySelectorAll('.term-scroll, .matrices .scroll')];
  return frames.map((frame) => frame.scrollWidth - frame.clientWidth).filter((width) => width > 0);
});

/** Numbers that do not fit into what they stand in. @param {Page} page */
const cutNumbers = (page) => page.evaluate(() => [...document.querySelectorAll('.matrix td, .factor span, .terms td')]
  .filter((box) => box.scrollWidth > box.clientWidth + 1).map((box) => box.textContent));

inBrowsers((test) => {
  test('in the blend bar a label from right to left comes first, then its number and the sign', async ({ open }) => {
    const page = await open();
    await relabel(page, 3, 'مرحبا');
    // The marks around the label have no width; whether they count as characters depends on the browser.
    const places = await page.locator('.blend-bar text').last().evaluate((element) => {
      const text = /** @type {SVGTextElement} */ (element);
      return Array.from({ length: text.getNumberOfChars() }, (_, i) => text.getExtentOfChar(i))
        .filter(({ width }) => width > 0).map(({ x }) => x);
    });
    const [fifty, , , percent] = places.slice(-4);
    const label = places.slice(0, -5);
    assert.ok(label.length >= 4 && Math.max(...label) < fifty && fifty < percent, places.join(' '));
  });

  test('a long label in the title of the row is cut on one line and told whole', async ({ open }) => {
    const page = await open();
    await openExample(page, 'Causal: six tokens');
    await relabel(page, 4, LONG);
    await cell(page, 'Context vectors', 4, 1).click();
    for (const size of [LAPTOP, PROJECTOR, PHONE]) {
      await page.setViewportSize(size);
      const title = await page.locator('#row-title').evaluate((one) => ({
        whole: one.getAttribute('title'), cut: one.scrollWidth > one.clientWidth, lines: one.getClientRects().length,
      }));
      assert.deepEqual(title, { whole: LONG, cut: true, lines: 1 });
      assert.deepEqual(await beyond(page), [], `${size.width}`);
    }
  });

  test('with six decimals no number is cut, and all columns of an open number are in sight', async ({ open }) => {
    const page = await open();
    await press(page, 'Numbers');
    for (const [label, places] of /** @type {[string, [string, number, number][]][]} */ ([
      ['Warm-up: three tokens', [['Context vectors', 3, 1]]],
      ['Simplified: six tokens', [['Context vectors', 3, 1]]],
      ['Multi-head: six tokens', [['Context vectors', 4, 1], ['Outputs', 4, 3], ['Values', 2, 1], ['Attention weights, head 1', 4, 2]]],
    ])) {
      await openExample(page, label);
      for (let digits = 3; digits <= 6; digits += 1) await press(page, '+: one digit more');
      for (const [name, row, column] of places) {
        await cell(page, name, row, column).click();
        await page.locator('.terms').waitFor();
        for (const size of [LAPTOP, PROJECTOR, PHONE]) {
          await page.setViewportSize(size);
          assert.deepEqual(await beyond(page), [], `${name} of ${label} at ${size.width}`);
          assert.deepEqual(await cutNumbers(page), [], `${name} of ${label} at ${size.width}`);
        }
      }
    }
  });

  test('numbers that grow long are set smaller, not cut: negative hundreds, powers of ten, in five columns too', async ({ open }) => {
    const page = await open();
    await press(page, 'Train');
    await press(page, 'Fetch my colour’s payload');
    const card = page.locator('.matrices .scroll').first();
    await shows(() => card.evaluate((box) => box.scrollWidth <= box.clientWidth), true, 'all five columns in sight');
    for (const [row, text] of /** @type {[number, string][]} */ ([[1, '-216.84'], [2, '-12345.6'], [3, '123456']])) {
      await edit(page, 'Inputs', row, 1, text);
    }
    await edit(page, 'Value weights', 1, 1, '8.6e20');
    await edit(page, 'Value weights', 1, 2, '-5e20');
    await shows(async () => (await cell(page, 'Value weights', 1, 2).textContent())?.trim(), '−5e20');
    const cut = await page.locator('.matrix td').evaluateAll((cells) => cells.filter((one) => {
      const range = document.createRange();
      range.selectNodeContents(one);
      return range.getBoundingClientRect().width > one.getBoundingClientRect().width;
    }).map((one) => one.textContent));
    assert.deepEqual(cut, []);
  });

  test('on a phone every choice of a group is large enough for a finger', async ({ open }) => {
    const page = await open({ size: PHONE });
    await openExample(page, 'Multi-head: six tokens');
    await press(page, 'Show both routes');
    const small = await page.locator('.segments label').evaluateAll((all) => all.map((one) => one.getBoundingClientRect())
      .filter(({ width, height }) => width < 44 || height < 44).length);
    assert.equal(small, 0);
  });
});
