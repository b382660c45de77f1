// The first screen: it is true, it can be touched, and it shows the warm-up and nothing else.
// Read next: editing.test.js (every edit and switch, taken back), examples.test.js (the other examples' numbers).

import assert from 'node:assert/strict';
import { LAPTOP, PHONE, inBrowsers } from './browsers.js';
import {
  cell, choose, edit, flip, grid, numbers, press, readout, rowNames, shows, texts, writtenSum,
} from './reading.js';

/** @typedef {import('./reading.js').Page} Page */

const WEIGHTS = [['0.50', '0.25', '0.25'], ['0.00', '1.00', '0.00'], ['0.25', '0.25', '0.50']];
const SUM_OF_ROW_3 = '0.25 × [1, 2] + 0.25 × [3, 4] + 0.5 × [5, 6] = [3.5, 4.5]';
const SUM_OF_ROW_2 = '0 × [1, 2] + 1 × [3, 4] + 0 × [5, 6] = [3, 4]';

/** @param {Page} page */
const sums = (page) => page.getByRole('table', { name: 'sum' }).locator('tbody td').allTextContents();

/** Which row is outlined in a grid, from 1. @param {Page} page @param {string} name */
const chosenRow = (page, name) => grid(page, name).evaluate((table) =>
  [...table.querySelectorAll('tbody tr')].findIndex((row) => row.classList.contains('chosen')) + 1);

/** The weights printed beside the rows that are blended. @param {Page} page */
const factors = async (page) =>
  (await grid(page, 'Inputs').locator('.factor').allTextContents()).map((text) => text.replace('×', '').trim());

inBrowsers((test) => {
  test('the first screen shows the toy, and row 3 written out with the numbers on screen', async ({ open }) => {
    const page = await open();
    assert.deepEqual(await texts(page, 'Attention weights'), WEIGHTS);
    assert.deepEqual(await texts(page, 'Inputs'), [['1.00', '2.00'], ['3.00', '4.00'], ['5.00', '6.00']]);
    assert.deepEqual(await texts(page, 'Context vectors'), [['2.50', '3.50'], ['3.00', '4.00'], ['3.50', '4.50']]);
    assert.deepEqual(await sums(page), ['1.00', '1.00', '1.00']);
    assert.equal(await writtenSum(page), SUM_OF_ROW_3);
    assert.equal(await chosenRow(page, 'Attention weights'), 3);
    assert.equal(await chosenRow(page, 'Context vectors'), 3);
    assert.deepEqual(await factors(page), ['0.25', '0.25', '0.50']);
    assert.deepEqual(await rowNames(page, 'Attention weights'), ['query 1 first', 'query 2 second', 'query 3 third']);
    await page.getByRole('img', { name: 'Row 3 blends first 25 %, second 25 %, third 50 %' }).waitFor();
    const product = '3 by 3 times 3 by 2 gives 3 by 2; the inner sizes match and cancel';
    await page.getByRole('img', { name: product }).waitFor();
    assert.deepEqual(await page.locator('.product b').allTextContents(), ['3', '3']);
    assert.deepEqual(await page.locator('.rows .shape').allTextContents(), ['3 × 3', '3 × 2', '3 × 2']);
  });

  test('the first screen names its axes, says where its numbers come from and what to try', async ({ open }) => {
    const page = await open();
    for (const sentence of [
      'attn_weights @ inputs = context_vecs', 'rows: query, the token that looks', 'columns: key, the token looked at',
      'Each row of attention weights blends all the inputs into one context row',
      'The example starts from numbers made up for teaching; not from a real model.',
      'Row 3 of the weights says how much of each input goes into row 3 of the result. Choose row 2 and read its sum.',
    ]) await page.getByText(sentence, { exact: true }).waitFor();
    const legend = page.locator('.legend').first();
    assert.match(await legend.textContent() ?? '', /^weights 01$/);
  });

  test('the first screen shows only what the warm-up is about', async ({ open }) => {
    const page = await open();
    const names = await page.getByRole('grid').evaluateAll((grids) => grids.map((g) => g.getAttribute('aria-label')));
    assert.deepEqual(names, ['Attention weights', 'Inputs', 'Context vectors']);
    assert.equal(await page.locator('.guide').count(), 1);
    assert.equal(await readout(page), '', 'no second hint');
    assert.equal(await page.getByText('Column sums').count(), 0);
    const end = await page.locator('.openers').evaluate((row) => row.getBoundingClientRect().bottom);
    assert.ok(end <= LAPTOP.height, `the instruments end at ${end}`);
    assert.equal(await page.getByRole('radiogroup', { name: 'Scale' }).count(), 0);
    assert.equal(await page.locator('details').count(), 0);
    const heads = page.getByRole('radiogroup', { name: 'Heads' });
    assert.equal(await heads.getByRole('radio', { name: '2', exact: true }).isDisabled(), true);
    await heads.getByText('heads need trainable weights').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Undo' }).isDisabled(), true);
  });

  test('a row is chosen by a click, by keys and by the buttons, and row 2 selects [3, 4]', async ({ open }) => {
    const page = await open();
    await cell(page, 'Context vectors', 2, 1).click();
    await shows(() => writtenSum(page), SUM_OF_ROW_2);
    assert.equal(await chosenRow(page, 'Attention weights'), 2);
    assert.deepEqual(await factors(page), ['0.00', '1.00', '0.00']);
    await page.getByRole('img', { name: 'Row 2 blends first 0 %, second 100 %, third 0 %' }).waitFor();
    await cell(page, 'Attention weights', 2, 1).focus();
    await page.keyboard.press('ArrowDown');
    await shows(() => writtenSum(page), SUM_OF_ROW_3);
    await press(page, 'Previous row');
    await shows(() => writtenSum(page), SUM_OF_ROW_2);
    await press(page, 'Next row');
    await shows(() => writtenSum(page), SUM_OF_ROW_3);
    assert.equal(await page.getByRole('button', { name: 'Next row' }).isDisabled(), true);
  });

  test('an edited weight shows its effect within the same frame', async ({ open }) => {
    const page = await open();
    await cell(page, 'Attention weights', 3, 1).focus();
    // Callbacks of one frame run one after the other, each with its promises, before that frame is painted.
    const seen = await page.evaluate(() => new Promise((resolve) => {
      const focused = () => /** @type {HTMLInputElement} */ (document.activeElement);
      const key = (/** @type {string} */ name) =>
        focused().dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }));
      let frame = 0;
      requestAnimationFrame((time) => {
        frame = time;
        key('F2');
        focused().value = '2';
        focused().dispatchEvent(new InputEvent('input', { bubbles: true }));
        key('Enter');
      });
      requestAnimationFrame((time) => resolve({
        sameFrame: time === frame,
        context: [...document.querySelectorAll('#context_vecs .chosen td')].map((td) => td.textContent),
        sum: document.querySelector('.written-sum')?.textContent,
      }));
    }));
    assert.deepEqual(seen, {
      sameFrame: true, context: ['5.25', '8.00'], sum: '2 × [1, 2] + 0.25 × [3, 4] + 0.5 × [5, 6] = [5.25, 8]',
    });
  });

  test('on a phone the sums of the rows are in view beside the weights, without scrolling sideways', async ({ open }) => {
    const page = await open({ size: PHONE });
    const [right, edge] = await page.getByRole('table', { name: 'sum' }).evaluate((table) =>
      [table, table.closest('.rows-region')].map((one) => /** @type {Element} */ (one).getBoundingClientRect().right));
    assert.ok(right <= edge, `${right} of ${edge}`);
  });

  test('a row that does not sum to 1 says so and is normalised when asked', async ({ open }) => {
    const page = await open();
    await edit(page, 'Attention weights', 3, 3, '1.5');
    await page.getByText('Row 3 of the given weights sums to 2, not to 1.').waitFor();
    assert.deepEqual(await sums(page), ['1.00', '1.00', '2.00']);
    assert.deepEqual((await texts(page, 'Context vectors'))[2], ['8.50', '10.50']);
    await page.getByText('A bar cannot show').waitFor();
    await press(page, 'Normalise row 3');
    await shows(() => texts(page, 'Attention weights'), [...WEIGHTS.slice(0, 2), ['0.13', '0.13', '0.75']]);
    assert.deepEqual((await texts(page, 'Context vectors'))[2], ['4.25', '5.25']);
    assert.equal(await page.getByText('of the given weights sums to').count(), 0);
    await edit(page, 'Attention weights', 2, 2, '0');
    await page.getByText('Row 2 of the given weights sums to 0, not to 1.').waitFor();
    await page.getByText('It has nothing to be divided by.').waitFor();
    await page.getByText('Row 2 draws on nothing: all its weights are 0.').waitFor();
    assert.deepEqual((await texts(page, 'Context vectors'))[1], ['0.00', '0.00']);
  });

  test('the causal mask hides and renormalises, and gives the typed weights back', async ({ open }) => {
    const page = await open();
    await cell(page, 'Attention weights', 1, 1).click();
    await flip(page, 'Causal mask');
    const masked = [['1.00', '', ''], ['0.00', '1.00', ''], ['0.25', '0.25', '0.50']];
    await shows(() => texts(page, 'Attention weights'), masked);
    assert.deepEqual(await numbers(page, 'Context vectors'), [[1, 2], [3, 4], [3.5, 4.5]]);
    assert.deepEqual(await sums(page), ['1.00', '1.00', '1.00']);
    assert.equal(await writtenSum(page), '1 × [1, 2] = [1, 2]');
    await page.getByText('Tokens 2, 3 are masked: they are left out.').waitFor();
    const why = 'masked: first may not look ahead at third';
    const hidden = grid(page, 'Attention weights').getByRole('gridcell', { name: why });
    assert.equal(await hidden.count(), 1);
    assert.match(await hidden.evaluate((td) => getComputedStyle(td).backgroundImage), /repeating-linear-gradient/);
    await cell(page, 'Attention weights', 1, 1).focus();
    assert.match(await readout(page), /typed as 0\.5; the mask divides the row by the sum of its allowed entries/);
    await flip(page, 'Causal mask');
    await shows(() => texts(page, 'Attention weights'), WEIGHTS);
  });

  test('weights may be taken from the inputs, and are the warm-up\'s own again when given', async ({ open }) => {
    const page = await open();
    await choose(page, 'Attention weights come from', 'inputs·inputsᵀ');
    await page.getByRole('radiogroup', { name: 'Scale' }).waitFor();
    assert.notDeepEqual(await texts(page, 'Attention weights'), WEIGHTS);
    await choose(page, 'Attention weights come from', 'given');
    await shows(() => texts(page, 'Attention weights'), WEIGHTS);
  });
});
