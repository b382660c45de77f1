// Every number says how it came to be: by mouse, by touch and by the keyboard alone, stepped through, read backwards to
// the inputs, live while numbers change; and numbers are shown as one asks for them.
// Read next: ../node/inspector.test.js (every printed term of every cell), reading.js.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PHONE, inBrowsers } from './browsers.js';
import { cell, edit, grid, openExample, press, shows, texts, writtenSum } from './reading.js';

/** @typedef {import('./reading.js').Page} Page */

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The card of the number that is open. @param {Page} page */
const card = (page) => page.locator('.number-card');

/** @param {Page} page */
const title = async (page) => (await card(page).count()) > 0 ? (await card(page).locator('h3').textContent() ?? '').trim() : '';

/** The lines of its terms as one reads them. @param {Page} page @returns {Promise<string[]>} */
const terms = (page) => card(page).locator('tbody tr').evaluateAll((rows) =>
  rows.map((row) => (row.textContent ?? '').replace(/\s+/g, ' ').trim()));

/** @param {Page} page */
const result = async (page) => (await card(page).locator('.trace-result').textContent() ?? '').trim();

/** What is lit in a grid: row, column (from 1) and how. @param {Page} page @param {string} name */
const lit = (page, name) => grid(page, name).locator('td[data-row][class*=lit-]').evaluateAll((cells) => cells.map((td) => {
  const { row, column } = /** @type {HTMLElement} */ (td).dataset;
  return `${Number(row) + 1},${Number(column) + 1} ${/lit-(\w+)/.exec(td.className)?.[1]}`;
}));

/** What has the focus, as its name or text. @param {Page} page */
const focused = (page) => page.evaluate(() => {
  const one = document.activeElement;
  return (one?.getAttribute('aria-label') ?? one?.textContent ?? '').trim();
});

/** @param {Page} page @param {string} name */
const button = (page, name) => page.getByRole('button', { name, exact: true });

inBrowsers((test, browser) => {
  test('by mouse: a click opens a number, its factors lead back to the inputs, and back again', async ({ open }) => {
    const page = await open();
    await openExample(page, 'Multi-head: six tokens');
    await cell(page, 'Outputs', 4, 3).click();
    for (const name of [
      'Outputs, row 4, column 3', 'Context vectors, row 4, column 1', 'Attention weights, head 1, row 4, column 1',
      'Attention scores, head 1, row 4, column 1', 'Queries, row 4, column 1', 'Inputs, row 4, column 1',
    ]) {
      await shows(() => title(page), name);
      assert.match(await result(page), /; the matrix holds /);
      if (!name.startsWith('Inputs')) await card(page).locator('.factor-of').first().click();
    }
    assert.equal(await card(page).locator('.factor-of').count(), 0);
    assert.match(await card(page).textContent() ?? '', /Typed in: nothing was computed/);
    for (const name of ['Queries, row 4, column 1', 'Attention scores, head 1, row 4, column 1']) {
      await button(page, `‹ Back to ${name}`).click();
      await shows(() => title(page), name);
    }
  });

  test('by mouse: the terms are added one at a time, lit where they stand, and the answer waits for the last', async ({ open }) => {
    const page = await open();
    await cell(page, 'Context vectors', 3, 1).click();
    await shows(() => result(page), '= 3.50; the matrix holds 3.50');
    await button(page, 'No terms').click();
    await shows(() => terms(page), ['1 0.25 × 1.00', '2 0.25 × 3.00', '3 0.50 × 5.00']);
    assert.equal(await card(page).locator('.trace-result').count(), 0);
    await button(page, 'Next term').click();
    await button(page, 'Next term').click();
    await shows(() => terms(page), ['1 0.25 × 1.00 0.25 0.25', '2 0.25 × 3.00 0.75 1.00', '3 0.50 × 5.00']);
    assert.deepEqual(await lit(page, 'Attention weights'), ['3,1 added', '3,2 now']);
    assert.deepEqual(await lit(page, 'Inputs'), ['1,1 added', '2,1 now']);
    assert.deepEqual(await lit(page, 'Context vectors'), ['3,1 open']);
    await button(page, 'One term back').click();
    await shows(() => lit(page, 'Inputs'), ['1,1 now']);
    await button(page, 'All terms').click();
    await shows(() => result(page), '= 3.50; the matrix holds 3.50');
    assert.equal(await button(page, 'Next term').isDisabled(), true);
  });

  test('by the keyboard alone: arrows open, brackets step, Tab and Enter follow, and the focus goes along', async ({ open }) => {
    const page = await open();
    await cell(page, 'Context vectors', 3, 1).focus();
    await page.keyboard.press('ArrowRight');
    await shows(() => title(page), 'Context vectors, row 3, column 2');
    await page.keyboard.press('{');
    await page.keyboard.press(']');
    await shows(() => terms(page), ['1 0.25 × 2.00 0.50 0.50', '2 0.25 × 4.00', '3 0.50 × 6.00']);
    await page.keyboard.press('[');
    await shows(() => lit(page, 'Inputs'), []);
    await page.keyboard.press('}');
    await shows(() => result(page), '= 4.50; the matrix holds 4.50');
    assert.equal(await cell(page, 'Context vectors', 3, 2).evaluate((td) => td === document.activeElement), true);
    await card(page).locator('.factor-of').first().focus();
    assert.match(await focused(page), /^0\.25: Attention weights, row 3, column 1, exactly 0\.25/);
    await page.keyboard.press('Enter');
    await shows(() => focused(page), 'Attention weights, row 3, column 1');
    await page.keyboard.press('Tab');
    await shows(() => focused(page), '‹ Back to Context vectors, row 3, column 2');
    await page.keyboard.press('Enter');
    await shows(() => focused(page), 'Context vectors, row 3, column 2');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await shows(() => focused(page), 'Row 3 · “third”');
    assert.equal(await card(page).count(), 0);
  });

  test('the chosen row is built term by term, by button and key', async ({ open }) => {
    const page = await open();
    await button(page, 'Step through the terms').click();
    assert.equal(await focused(page), 'Next term');
    await page.keyboard.press('Enter');
    await page.keyboard.press(']');
    const sum = async () => (await page.locator('.written-sum .term:not(.later)').allTextContents()).map((text) => text.trim());
    await shows(sum, ['0.25 × [1, 2]', '+ 0.25 × [3, 4]', '= [1, 1.5] so far']);
    assert.deepEqual(await lit(page, 'Inputs'), ['1,1 added', '1,2 added', '2,1 now', '2,2 now']);
    await page.keyboard.press(']');
    await shows(sum, ['0.25 × [1, 2]', '+ 0.25 × [3, 4]', '+ 0.5 × [5, 6]', '= [3.5, 4.5]']);
    await button(page, 'All terms').click();
    await shows(() => focused(page), 'Step through the terms');
    await page.keyboard.press('{');
    await shows(sum, ['= [0, 0] so far']);
    await grid(page, 'Attention weights').getByRole('rowheader', { name: 'query 2 second' }).click();
    await shows(() => writtenSum(page), '0 × [1, 2] + 1 × [3, 4] + 0 × [5, 6] = [3, 4]');
  });

  test('the arithmetic is live: it follows an edit', async ({ open }) => {
    const page = await open();
    await edit(page, 'Inputs', 1, 1, '9');
    await cell(page, 'Context vectors', 3, 1).click();
    await shows(() => result(page), '= 5.50; the matrix holds 5.50');
    await page.keyboard.press('Control+z');
    await shows(() => result(page), '= 3.50; the matrix holds 3.50');
  });

  test('numbers in a folded part of the page are offered, opened, and lit', async ({ open }) => {
    const page = await open();
    await openExample(page, 'Multi-head: six tokens');
    await cell(page, 'Attention weights, head 2', 4, 2).click();
    await button(page, 'Open Queries, keys, scores').click();
    await shows(() => lit(page, 'Attention scores, head 2'), ['4,1 added', '4,2 added', '4,3 added', '4,4 added']);
    assert.equal(await page.locator('#panel-scores').evaluate((panel) => panel === document.activeElement), true);
    assert.equal(await button(page, 'Open Queries, keys, scores').count(), 0);
  });

  test('a number of a head\'s small grid opens by click or Enter, in the large one; Tab only passes through', async ({ open }) => {
    const page = await open();
    await openExample(page, 'Multi-head: six tokens');
    const shownHead = () => page.locator('.mini.current button').textContent().then((text) => text?.trim());
    const inLarge = (/** @type {string} */ name) => grid(page, name).evaluate((table) =>
      table.closest('.rows-region') !== null && table.contains(document.activeElement));
    await cell(page, 'Attention weights, head 2', 4, 2).click();
    await shows(() => title(page), 'Attention weights, head 2, row 4, column 2');
    await shows(shownHead, 'Show head 2');
    await shows(() => inLarge('Attention weights, head 2'), true);
    await button(page, 'Show head 1').focus();
    await page.keyboard.press('Tab');
    assert.equal(await inLarge('Attention weights, head 1'), false);
    await page.keyboard.press('ArrowDown');
    assert.equal(await shownHead(), 'Show head 2');
    await page.keyboard.press('Enter');
    await shows(() => title(page), 'Attention weights, head 1, row 2, column 1');
    await shows(shownHead, 'Show head 1');
    await shows(() => inLarge('Attention weights, head 1'), true);
    await cell(page, 'Context vectors', 3, 4).click();
    await shows(shownHead, 'Show head 2');
  });

  test('sums of rows and, when asked for, of columns open as numbers do; rows stay on their lines', async ({ open }) => {
    const page = await open();
    await button(page, '1.00: Sum of a row of attention weights, number 3, exactly 1. How it came to be').click();
    await shows(() => terms(page), ['1 0.25 0.25', '2 0.25 0.50', '3 0.50 1.00']);
    await press(page, 'Numbers');
    await page.getByRole('checkbox', { name: 'Column sums' }).check();
    const foot = grid(page, 'Attention weights').locator('tfoot');
    await shows(async () => (await foot.locator('td').allTextContents()).map((text) => text.trim()), ['0.75', '1.50', '0.75']);
    await foot.getByRole('button').nth(1).click();
    await shows(() => title(page), 'Sum of a column of attention weights, number 2');
    assert.deepEqual(await lit(page, 'Attention weights'), ['1,2 added', '2,2 added', '3,2 added']);
    const tops = await page.locator('.rows tbody tr:nth-child(3)').evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().top));
    assert.ok(tops.every((top) => Math.abs(top - tops[0]) < 1), `rows 3 start at ${tops}`);
  });

  test('as nn.Linear.weight matrices stand transposed, and an edit lands in the right place', async ({ open }) => {
    const page = await open();
    await openExample(page, 'Trainable: six tokens');
    const before = await texts(page, 'Query weights');
    await press(page, 'Numbers');
    await page.getByRole('switch', { name: 'Show as nn.Linear.weight' }).click();
    const flipped = before[0].map((_, column) => before.map((row) => row[column]));
    await shows(() => texts(page, 'Query weights'), flipped);
    await edit(page, 'Query weights', 2, 3, '7');
    flipped[1][2] = '7.00';
    await shows(() => texts(page, 'Query weights'), flipped);
    assert.match(await page.locator('.readout').textContent() ?? '', /w_query\.weight, row 2, column 3: exactly 7/);
    await page.getByRole('switch', { name: 'Show as nn.Linear.weight' }).click();
    before[2][1] = '7.00';
    await shows(() => texts(page, 'Query weights'), before);
  });

  test('digits from 0 to 6 fit into every cell', async ({ open }) => {
    const page = await open();
    await openExample(page, 'Multi-head: six tokens');
    await press(page, 'Numbers');
    const clipped = () => page.locator('[role=gridcell]').evaluateAll((cells) =>
      cells.filter((td) => td.scrollWidth > td.clientWidth + 1).map((td) => td.textContent));
    for (const name of ['−: one digit fewer', '+: one digit more']) {
      while (!await button(page, name).isDisabled()) {
        await button(page, name).click();
        assert.deepEqual(await clipped(), []);
      }
    }
    assert.equal(await page.locator('.digits output').textContent(), '6');
    assert.equal((await texts(page, 'Inputs'))[0][0], '0.430000');
  });

  test('axe-core finds nothing in what stands open, while stepping, in the light and in the dark', async ({ open }) => {
    for (const dark of [false, true]) {
      const page = await open({ dark });
      await openExample(page, 'Multi-head: six tokens');
      await press(page, 'Numbers');
      await page.getByRole('checkbox', { name: 'Column sums' }).check();
      await cell(page, 'Context vectors', 4, 3).click();
      await card(page).locator('.factor-of').first().click();
      await button(page, 'One term back').click();
      await shows(() => card(page).locator('.steps-added').textContent(), '3 of 4 terms');
      await page.evaluate(AXE);
      const found = await page.evaluate(async () => {
        const { axe } = /** @type {{ axe: typeof import('axe-core') }} */ (/** @type {unknown} */ (window));
        const include = ['.number-card', '.row-card', '.display', '.side-by-side'].map((part) => [part]);
        const { violations } = await axe.run({ include }, { resultTypes: ['violations'] });
        return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
      });
      assert.deepEqual(found, []);
    }
  });

  if (browser === 'chromium') {
    test('by touch, on a phone: a tap opens a number, its buttons are large enough and nothing is wider than the screen', async ({ open }) => {
      const page = await open({ size: PHONE, touch: true });
      await openExample(page, 'Multi-head: six tokens');
      await cell(page, 'Context vectors', 4, 3).tap();
      await shows(() => title(page), 'Context vectors, row 4, column 3');
      await button(page, 'One term back').tap();
      await shows(() => card(page).locator('.steps-added').textContent(), '3 of 4 terms');
      await card(page).locator('.factor-of').nth(1).tap();
      await shows(() => title(page), 'Values, row 1, column 3');
      const small = await card(page).getByRole('button').evaluateAll((buttons) => buttons.filter((one) => {
        const { width, height } = one.getBoundingClientRect();
        return width < 44 || height < 44;
      }).map((one) => one.textContent));
      assert.deepEqual(small, []);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth), true);
    });
  }
});
