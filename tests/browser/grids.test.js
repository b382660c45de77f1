// The matrix editors: the WAI-ARIA grid pattern by keys, the field that opens in a cell, what it accepts and refuses,
// fingers, labels, and the accessible names that people and other tests rely on.
// Read next: ../../web/app/grid-keys.js, editing.test.js (what an edit changes elsewhere).

import assert from 'node:assert/strict';
import { PHONE, inBrowsers } from './browsers.js';
import {
  EXAMPLES, cell, edit, grid, notice, openEditor, openExample, press, readout, rowNames, shows, texts,
} from './reading.js';

/** @typedef {import('./reading.js').Page} Page */

/** Where the focus is: grid, row and column from 1; "input" if it is in a field. @param {Page} page */
const focus = (page) => page.evaluate(() => {
  const at = document.activeElement;
  const place = at?.closest('[data-row]');
  const where = !(place instanceof HTMLElement) ? at?.tagName
    : `${place.closest('[role=grid]')?.id} ${Number(place.dataset.row) + 1},${Number(place.dataset.column) + 1}`;
  return at instanceof HTMLInputElement && place ? `${where} input` : where;
});

/** The field that is open. @param {Page} page */
const field = (page) => page.locator('input.editor');

inBrowsers((test, browser) => {
  test('every grid is one stop of the Tab key, and says whether it can be edited', async ({ open }) => {
    const page = await open();
    for (const { label, grids } of EXAMPLES) {
      await openExample(page, label);
      for (const summary of await page.locator('details summary').all()) await summary.click();
      const all = await page.getByRole('grid').evaluateAll((tables) => tables.map((table) => ({
        name: table.getAttribute('aria-label') ?? '',
        stops: table.querySelectorAll('[tabindex="0"]').length,
        cells: table.querySelectorAll('tbody [data-row]:not([tabindex])').length,
        readonly: table.getAttribute('aria-readonly'),
      })));
      for (const name of grids) assert.ok(all.some((one) => one.name === name), `${label} has no grid "${name}"`);
      for (const { name, stops, cells, readonly } of all) {
        assert.deepEqual({ stops, cells }, { stops: 1, cells: 0 }, `${label}: ${name}`);
        const editable = /^Inputs$|^(Query|Key|Value|Output) weights$/.test(name)
          || (name === 'Attention weights' && label.startsWith('Warm-up'));
        assert.equal(readonly, String(!editable), `${label}: ${name}`);
      }
    }
  });

  test('switch, radio groups, list, sums and buttons have the names that people hear', async ({ open }) => {
    const page = await open();
    await openExample(page, 'Multi-head: six tokens');
    await page.getByRole('switch', { name: 'Causal mask', exact: true, checked: true }).waitFor();
    for (const [group, chosen] of [['Heads', '2'], ['Scale', '1/√d_k'], ['Attention weights come from', 'trainable']]) {
      const radios = page.getByRole('radiogroup', { name: group, exact: true });
      await radios.getByRole('radio', { name: chosen, exact: true, checked: true }).waitFor();
    }
    assert.equal(await page.getByRole('combobox', { name: 'Example' }).inputValue(), 'multi-head');
    const options = await page.getByRole('combobox', { name: 'Example' }).locator('option').allTextContents();
    const toys = EXAMPLES.slice(1).map(({ label }) => label.replace('six tokens', 'the toy'));
    assert.deepEqual(options, [...EXAMPLES.map(({ label }) => label), ...toys]);
    for (const name of ['Undo', 'Redo', 'Reset example', 'Previous row', 'Next row', 'Show head 2', 'Add a token',
      'Remove token 4, with', '+ dim: add an input dimension', '− dim: remove the last input dimension']) {
      await page.getByRole('button', { name, exact: true }).waitFor();
    }
    await page.getByRole('columnheader', { name: 'key 6 step' }).first().waitFor();
    await page.getByRole('rowheader', { name: 'query 6 step' }).first().waitFor();
  });

  test('arrows, Home, End and with Ctrl the corners move through a grid, and stop at its edges', async ({ open }) => {
    const page = await open();
    await openExample(page, 'Simplified: six tokens');
    await cell(page, 'Attention weights', 2, 3).click();
    for (const [key, row, column] of /** @type {[string, number, number][]} */ ([
      ['ArrowRight', 2, 4], ['ArrowDown', 3, 4], ['ArrowLeft', 3, 3], ['ArrowUp', 2, 3],
      ['End', 2, 6], ['ArrowRight', 2, 6], ['Home', 2, 1], ['ArrowLeft', 2, 1],
      ['Control+End', 6, 6], ['ArrowDown', 6, 6], ['Control+Home', 1, 1], ['ArrowUp', 1, 1],
    ])) {
      await page.keyboard.press(key);
      assert.equal(await focus(page), `attn_weights-0 ${row},${column}`, `after ${key}`);
    }
    await page.keyboard.press('ArrowDown');
    for (const key of ['Enter', 'F2', '7', 'Delete']) {
      await page.keyboard.press(key);
      assert.equal(await field(page).count(), 0, 'a computed number is not edited');
      await shows(() => notice(page),
        'Attention weights: computed, so there is nothing to type over. They follow the inputs.', key);
      await press(page, 'Dismiss');
      await cell(page, 'Attention weights', 2, 1).focus();
    }
    await page.keyboard.press('Tab');
    assert.equal((await focus(page))?.startsWith('attn_weights'), false, 'Tab leaves the grid');
    await page.keyboard.press('Shift+Tab');
    assert.equal(await focus(page), 'attn_weights-0 2,1', 'and comes back to where one was');
  });

  test('Enter, F2, a digit or a second click open a field; Escape leaves it, Enter keeps it', async ({ open }) => {
    const page = await open();
    await cell(page, 'Inputs', 1, 1).focus();
    for (const key of ['Enter', 'F2']) {
      await page.keyboard.press(key);
      assert.equal(await focus(page), 'inputs 1,1 input');
      assert.equal(await field(page).inputValue(), '1');
      assert.equal(await field(page).getAttribute('inputmode'), 'decimal');
      await page.getByRole('textbox', { name: 'Inputs, row 1, column 1', exact: true }).waitFor();
      await page.keyboard.type('99');
      await page.keyboard.press('Escape');
      assert.equal(await focus(page), 'inputs 1,1');
      assert.equal((await texts(page, 'Inputs'))[0][0], '1.00');
    }
    await page.keyboard.type('7.25');
    assert.equal(await field(page).inputValue(), '7.25', 'the digit that opened the field stands in it');
    await page.keyboard.press('Enter');
    assert.equal(await focus(page), 'inputs 1,1');
    await shows(async () => (await texts(page, 'Inputs'))[0][0], '7.25');
    await cell(page, 'Inputs', 3, 2).click();
    assert.equal(await field(page).count(), 0);
    await cell(page, 'Inputs', 3, 2).click();
    assert.equal(await focus(page), 'inputs 3,2 input');
    await page.keyboard.press('Escape');
  });

  test('Tab keeps the number, closes the field and goes out of the grid', async ({ open }) => {
    const page = await open();
    await openEditor(page, 'Inputs', 2, 2);
    await page.keyboard.type('40');
    await page.keyboard.press('Tab');
    await shows(async () => (await texts(page, 'Inputs'))[1][1], '40.00');
    assert.equal((await focus(page))?.startsWith('inputs'), false);
    assert.equal(await field(page).count(), 0);
  });

  test('numbers are read as people write them, and shown with a true minus', async ({ open }) => {
    const page = await open();
    for (const [typed, printed, exactly] of [
      ['−0,5', '−0.50', '−0.5'], ['-1e-1', '−0.10', '−0.1'], [' +2. ', '2.00', '2'], ['.125', '0.13', '0.125'],
      ['0,333333343', '0.33', '0.33333334'],
    ]) {
      await edit(page, 'Inputs', 1, 2, typed);
      await shows(async () => (await texts(page, 'Inputs'))[0][1], printed, typed);
      assert.equal(await readout(page), `inputs, row 1, column 2: exactly ${exactly}`);
    }
  });

  test('text that is no number stays in its field, with what was expected and what came', async ({ open }) => {
    const page = await open();
    const before = await texts(page, 'Context vectors');
    for (const [text, said] of /** @type {[string, RegExp][]} */ ([
      ...['abc', '1.2.3', 'NaN', 'Infinity'].map((junk) =>
        [junk, new RegExp(`“${junk}” is not a number .*expected a finite number`)]),
      ['1e39', /“1e39” is too large: .*at most 3\.4e38/], ['1e-50', /“1e-50” is too close to 0/], ['', /field is empty/],
    ])) {
      await openEditor(page, 'Inputs', 1, 1);
      await field(page).fill(text);
      await page.keyboard.press('Enter');
      assert.match(await notice(page), said);
      assert.match(await notice(page), /old value 1 stays/);
      assert.equal(await focus(page), 'inputs 1,1 input', text);
      assert.equal(await field(page).inputValue(), text);
      assert.equal(await field(page).getAttribute('aria-invalid'), 'true');
      await page.keyboard.press('Tab');
      assert.equal(await focus(page), 'inputs 1,1 input', 'Tab does not lose what was typed');
      await page.keyboard.press('Escape');
      assert.equal(await notice(page), '');
    }
    await openEditor(page, 'Inputs', 1, 1);
    await field(page).fill('twelve');
    await cell(page, 'Attention weights', 1, 1).click();
    assert.equal(await field(page).count(), 0);
    assert.match(await notice(page), /“twelve” is not a number/);
    assert.deepEqual(await texts(page, 'Context vectors'), before);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    assert.equal(await notice(page), '');
  });

  for (const [text, kept] of [['9', '9.00'], ['nine', '1.00']]) {
    test(`an open field with "${text}" is done with before another example opens, and never enters it`, async ({ open }) => {
      const page = await open();
      await openEditor(page, 'Inputs', 1, 1);
      await field(page).fill(text);
      await openExample(page, 'Simplified: six tokens');
      assert.equal(await field(page).count(), 0);
      assert.deepEqual((await texts(page, 'Inputs'))[0], ['0.43', '0.15', '0.89']);
      await press(page, 'Undo');
      await shows(async () => (await texts(page, 'Inputs'))[0], [kept, '2.00']);
      await openEditor(page, 'Inputs', 2, 0);
      await field(page).fill('zwei');
      await openExample(page, 'Trainable: six tokens');
      assert.deepEqual(await rowNames(page, 'Context vectors'), ['Your', 'journey', 'starts', 'with', 'one', 'step']);
      // A field whose cell is not there in the other example.
      await openEditor(page, 'Query weights', 1, 1);
      await field(page).fill(text);
      await openExample(page, 'Warm-up: three tokens');
      assert.equal(await field(page).count(), 0);
      assert.deepEqual(await texts(page, 'Inputs'), [['1.00', '2.00'], ['3.00', '4.00'], ['5.00', '6.00']]);
    });
  }

  test('a number is kept when one clicks elsewhere', async ({ open }) => {
    const page = await open();
    await openEditor(page, 'Inputs', 1, 1);
    await field(page).fill('9');
    await page.getByRole('heading', { level: 1 }).click();
    await shows(async () => (await texts(page, 'Inputs'))[0], ['9.00', '2.00']);
  });

  test('a label is edited like a number, and the row that it names holds its own numbers', async ({ open }) => {
    const page = await open();
    for (const [i, label] of ['A', 'B', 'C'].entries()) await edit(page, 'Inputs', i + 1, 0, label);
    await shows(() => rowNames(page, 'Attention weights'), ['query 1 A', 'query 2 B', 'query 3 C']);
    await page.getByRole('columnheader', { name: 'key 2 B', exact: true }).waitFor();
    await edit(page, 'Inputs', 2, 1, '30');
    const row = grid(page, 'Attention weights').getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: 'query 2 B' }) });
    assert.deepEqual(await row.getByRole('gridcell').allTextContents(), ['0.00', '1.00', '0.00']);
    /** @param {import('playwright-core').Locator} one */
    const line = (one) => one.evaluate((part) => part.getBoundingClientRect().top);
    const context = grid(page, 'Context vectors').getByRole('row', { name: /^B/ });
    assert.deepEqual(await context.getByRole('gridcell').allTextContents(), ['30.00', '4.00']);
    assert.equal(await line(context), await line(row), 'query B stands beside the context vector of B');
    assert.equal(await line(grid(page, 'Inputs').locator('tbody tr', { hasText: 'B' })), await line(row));
    await edit(page, 'Inputs', 1, 0, '   ');
    assert.match(await notice(page), /at least one character/);
    await edit(page, 'Inputs', 1, 0, 'x'.repeat(61));
    assert.match(await notice(page), /at most 60 characters, this one has 61/);
    assert.deepEqual(await rowNames(page, 'Context vectors'), ['A', 'B', 'C']);
  });

  if (browser !== 'chromium') return;
  test('fingers find a sign, a Done and a Cancel button while a field is open', async ({ open }) => {
    const page = await open({ touch: true, size: PHONE });
    const tapCell = async () => {
      await cell(page, 'Inputs', 1, 1).tap();
      if (await field(page).count() === 0) await cell(page, 'Inputs', 1, 1).tap();
      await field(page).waitFor();
    };
    await tapCell();
    const bar = page.getByRole('toolbar');
    for (const button of await bar.getByRole('button').all()) {
      const box = await button.boundingBox();
      assert.ok(box && box.height >= 44 && box.y + box.height <= PHONE.height, 'the buttons are in sight and large');
    }
    await bar.getByRole('button', { name: 'Change the sign' }).tap();
    assert.equal(await field(page).inputValue(), '−1');
    assert.equal(await focus(page), 'inputs 1,1 input');
    await bar.getByRole('button', { name: 'Done' }).tap();
    await shows(async () => (await texts(page, 'Inputs'))[0], ['−1.00', '2.00']);
    await tapCell();
    await bar.getByRole('button', { name: 'Change the sign' }).tap();
    assert.equal(await field(page).inputValue(), '1');
    await bar.getByRole('button', { name: 'Cancel' }).tap();
    assert.equal(await field(page).count(), 0);
    assert.deepEqual((await texts(page, 'Inputs'))[0], ['−1.00', '2.00']);
  });
});
