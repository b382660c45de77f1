// Every edit and every switch changes what is shown, is taken back by undo and done again by redo; what cannot be done
// says why and leaves the last good state on the screen. Read next: grids.test.js (how a cell is edited).

import assert from 'node:assert/strict';
import { inBrowsers } from './browsers.js';
import {
  cell, choose, edit, exactNumbers, flip, grid, notice, openExample, press, readout, rowNames, shows, texts,
} from './reading.js';

/** @typedef {import('./reading.js').Page} Page */

/**
 * All that a document determines on the screen: numbers, labels, shapes, and how the switches stand. Not which row is
 * chosen: looking elsewhere is no edit.
 * @param {Page} page
 */
const snapshot = (page) => page.evaluate(() => ({
  grids: [...document.querySelectorAll('[role=grid]')].map((table) => `${table.getAttribute('aria-label')}: ${
    [...table.querySelectorAll('tbody .label, tbody td')].map((part) => part.textContent?.trim()).join(' ')}`),
  shapes: [...document.querySelectorAll('.shape, .product')].map((part) => part.textContent),
  switches: [...document.querySelectorAll('[role=switch]')].map((part) => part.getAttribute('aria-checked')),
  radios: [...document.querySelectorAll('input:checked')].map((radio) => radio.getAttribute('value')),
  example: document.querySelector('select')?.value,
}));

const KEYS = [
  { undo: 'Control+z', redo: 'Control+Shift+z' },
  { undo: 'Control+z', redo: 'Control+y' },
];

/** By the buttons and by the keys in turn. @param {Page} page @param {'undo' | 'redo'} way @param {number} turn */
async function travel(page, way, turn) {
  if (turn % 3 === 2) return press(page, way === 'undo' ? 'Undo' : 'Redo');
  return page.keyboard.press(KEYS[turn % 3][way]);
}

/** @type {Record<string, [string, (page: Page) => Promise<unknown>][]>} */
const CHANGES = {
  'Warm-up: three tokens': [
    ['a given weight', (page) => edit(page, 'Attention weights', 3, 1, '0.75')],
    ['a normalised row', (page) => press(page, 'Normalise row 3')],
    ['an input', (page) => edit(page, 'Inputs', 1, 2, '-7')],
    ['a label', (page) => edit(page, 'Inputs', 2, 0, 'zwei')],
    ['the causal mask', (page) => flip(page, 'Causal mask')],
    ['a token more', (page) => press(page, 'Add a token')],
    ['a token less', (page) => press(page, 'Remove token 3, third')],
    ['a dimension more', (page) => press(page, '+ dim: add an input dimension')],
    ['a dimension less', (page) => press(page, '− dim: remove the last input dimension')],
    ['another source', (page) => choose(page, 'Attention weights come from', 'inputs·inputsᵀ')],
    ['a scale', (page) => choose(page, 'Scale', 'none')],
    ['a third source', (page) => choose(page, 'Attention weights come from', 'trainable')],
    ['the example as it was', (page) => press(page, 'Reset example')],
    ['another example', (page) => openExample(page, 'Causal: six tokens')],
  ],
  'Multi-head: six tokens': [
    ['W_query', (page) => edit(page, 'Query weights', 1, 1, '2')],
    ['W_key', (page) => edit(page, 'Key weights', 3, 2, '2')],
    ['W_value', (page) => edit(page, 'Value weights', 2, 4, '2')],
    ['W_out', (page) => edit(page, 'Output weights', 4, 1, '2')],
    ['four heads', (page) => choose(page, 'Heads', '4')],
    ['one head', (page) => choose(page, 'Heads', '1')],
    ['no scale', (page) => choose(page, 'Scale', 'none')],
    ['a column more', (page) => press(page, 'Add a column to the query, key and value weights')],
    ['a column less', (page) => press(page, 'Remove the last column of the query, key and value weights')],
    ['no mask', (page) => flip(page, 'Causal mask')],
    ['no output projection', (page) => flip(page, 'Output projection')],
    ['a token less', (page) => press(page, 'Remove token 4, with')],
  ],
};

inBrowsers((test) => {
  for (const [label, changes] of Object.entries(CHANGES)) {
    test(`every change made in "${label}" is undone and redone, by keys and by buttons`, async ({ open }) => {
      const page = await open();
      if (!label.startsWith('Warm-up')) await openExample(page, label);
      const states = [await snapshot(page)];
      for (const [what, change] of changes) {
        await change(page);
        const before = states[states.length - 1];
        await shows(async () => JSON.stringify(await snapshot(page)) !== JSON.stringify(before), true, `${what} shows`);
        assert.equal(await page.locator('.notice.problem').count(), 0, `${what}: ${await notice(page)}`);
        states.push(await snapshot(page));
      }
      for (let i = changes.length - 1; i >= 0; i -= 1) {
        await travel(page, 'undo', i);
        await shows(() => snapshot(page), states[i], `${changes[i][0]} undone`);
        assert.match(await notice(page), /^Undone: /);
      }
      for (let i = 0; i < changes.length; i += 1) {
        await travel(page, 'redo', i);
        await shows(() => snapshot(page), states[i + 1], `${changes[i][0]} done again`);
        assert.match(await notice(page), /^Done again: /);
      }
      assert.equal(await page.getByRole('button', { name: 'Redo' }).isDisabled(), true);
    });
  }

  test('numbers tried in one cell are one step of undo; another cell or a switch in between begins a new one', async ({ open }) => {
    const page = await open();
    const inputs = async () => (await texts(page, 'Inputs')).flat().map(Number);
    for (const text of ['7', '8', '9']) {
      await edit(page, 'Inputs', 1, 1, text);
      await shows(async () => (await inputs())[0], Number(text));
    }
    await page.keyboard.press('Control+z');
    await shows(inputs, [1, 2, 3, 4, 5, 6]);
    assert.equal(await page.getByRole('button', { name: 'Undo' }).isDisabled(), true);
    await press(page, 'Redo');
    await shows(async () => (await inputs())[0], 9);
    await edit(page, 'Inputs', 2, 2, '0');
    await flip(page, 'Causal mask');
    await edit(page, 'Inputs', 2, 2, '10');
    for (const expected of [[9, 2, 3, 0, 5, 6], [9, 2, 3, 0, 5, 6], [9, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6]]) {
      await press(page, 'Undo');
      await shows(inputs, expected);
    }
  });

  test('a new change ends what could be redone, and undo in a field is the field\'s own', async ({ open }) => {
    const page = await open();
    await edit(page, 'Inputs', 1, 1, '8');
    await press(page, 'Undo');
    assert.equal(await page.getByRole('button', { name: 'Undo' }).isDisabled(), true);
    await edit(page, 'Inputs', 1, 1, '9');
    assert.equal(await page.getByRole('button', { name: 'Redo' }).isDisabled(), true);
    await cell(page, 'Inputs', 2, 2).focus();
    await page.keyboard.press('F2');
    await page.keyboard.type('5');
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Escape');
    assert.deepEqual(await texts(page, 'Inputs'), [['9.00', '2.00'], ['3.00', '4.00'], ['5.00', '6.00']]);
  });

  test('a number too large to compute with says so, and the last good state stays', async ({ open }) => {
    const page = await open();
    await openExample(page, 'Trainable: six tokens');
    const before = await snapshot(page);
    await edit(page, 'Inputs', 2, 1, '1e30');
    await shows(async () => (await notice(page)).startsWith('attn_scores, row 2, column 2, would be too large'), true);
    assert.match(await notice(page), /Expected at most 3\.4e38 .* was not made; everything is as it was\.$/);
    assert.deepEqual(await snapshot(page), before);
    await edit(page, 'Inputs', 2, 1, '0.5');
    await shows(async () => (await exactNumbers(page, 'Inputs'))[1][0], 0.5);
    assert.equal(await notice(page), '');
  });

  test('heads that do not divide d_out cannot be chosen, and the reason stands beside them', async ({ open }) => {
    const page = await open();
    await openExample(page, 'Trainable: six tokens');
    const heads = page.getByRole('radiogroup', { name: 'Heads' });
    const disabled = () => heads.locator('input:disabled').evaluateAll((radios) =>
      radios.map((radio) => radio.getAttribute('value')));
    assert.deepEqual(await disabled(), ['4']);
    await heads.getByText('4 does not divide d_out = 2').waitFor();
    await press(page, 'Add a column to the query, key and value weights');
    await shows(disabled, ['2', '4']);
    await heads.getByText('2, 4 do not divide d_out = 3').waitFor();
    await choose(page, 'Heads', '3');
    await press(page, 'Add a column to the query, key and value weights');
    assert.match(await notice(page), /With d_out = 4 the number of heads must be one of 1, 2, 4; it is 3/);
    assert.equal(await grid(page, 'Attention weights, head 3').count(), 1);
  });

  test('the last token, dimension and column cannot be removed, and each says so', async ({ open }) => {
    const page = await open();
    await press(page, 'Remove token 3, third');
    await press(page, 'Remove token 2, second');
    await press(page, '− dim: remove the last input dimension');
    await shows(() => texts(page, 'Context vectors'), [['0.50']]);
    await press(page, 'Remove token 1, first');
    assert.match(await notice(page), /At least one token is needed/);
    await press(page, '− dim: remove the last input dimension');
    assert.match(await notice(page), /At least one input dimension is needed/);
    assert.deepEqual(await texts(page, 'Context vectors'), [['0.50']]);
  });

  test('W_query[0][0] = 42 moves the first query column by (42 − old) · the first input column', async ({ open }) => {
    const page = await open();
    await openExample(page, 'Trainable: six tokens');
    await press(page, 'Queries, keys, scores');
    const old = /** @type {number} */ ((await exactNumbers(page, 'Query weights'))[0][0]);
    const inputs = /** @type {number[][]} */ (await exactNumbers(page, 'Inputs'));
    const before = /** @type {number[][]} */ (await exactNumbers(page, 'Queries'));
    const values = await exactNumbers(page, 'Values');
    await edit(page, 'Query weights', 1, 1, '42');
    await shows(async () => (await exactNumbers(page, 'Query weights'))[0][0], 42);
    const queries = /** @type {number[][]} */ (await exactNumbers(page, 'Queries'));
    queries.forEach((row, i) => {
      const want = before[i][0] + (42 - old) * inputs[i][0];
      assert.ok(Math.abs(row[0] - want) <= 1e-5 * (1 + Math.abs(want)), `query ${i + 1}: ${row[0]} for ${want}`);
      assert.equal(row[1], before[i][1]);
    });
    assert.deepEqual(await exactNumbers(page, 'Values'), values, 'the values stay');
  });

  test('row 1, column 3 lights query 1 and key 3, and says so', async ({ open }) => {
    const page = await open();
    await openExample(page, 'Trainable: six tokens');
    const weight = (await exactNumbers(page, 'Attention weights'))[0][2];
    await cell(page, 'Attention weights', 1, 3).focus();
    await shows(() => readout(page), `Your (row 1) looks at starts (column 3) with weight exactly ${weight}`);
    await page.getByRole('heading', { name: 'Row 1 · “Your”' }).waitFor();
    for (const name of ['Attention weights', 'Context vectors']) {
      assert.deepEqual(await grid(page, name).locator('tbody tr').evaluateAll((rows) =>
        rows.flatMap((row, i) => (row.classList.contains('chosen') ? [i + 1] : []))), [1], name);
    }
    const lit = (/** @type {string} */ name) => grid(page, name).locator('th.lit').evaluateAll((all) => all.map((one) =>
      one.getAttribute('aria-label')));
    assert.deepEqual(await lit('Attention weights'), ['key 3 starts']);
    assert.deepEqual(await lit('Values'), ['starts']);
    const factor = await grid(page, 'Values').locator('tbody tr').nth(2).locator('.factor').textContent();
    assert.equal(factor?.replace('×', '').trim(), Number(weight).toFixed(2));
  });

  for (const hidden of [false, true]) {
    test(`an edit shows in the figure at once, ${hidden ? 'and everywhere on a hidden page' : 'and everywhere a frame later'}`, async ({ open }) => {
      const page = await open();
      await openExample(page, 'Multi-head: six tokens');
      const before = await snapshot(page);
      await cell(page, 'Inputs', 1, 1).focus();
      if (hidden) await page.evaluate(() => { Object.defineProperty(document, 'hidden', { value: true }); });
      const seen = await page.evaluate(() => new Promise((resolve) => {
        const numbers = () => ['attn_weights-0', 'context_vecs', 'attn_weights-1', 'outputs'].map((id) =>
          [...document.querySelectorAll(`#${id} td`)].map((td) => td.textContent).join(' '));
        const focused = () => /** @type {HTMLInputElement} */ (document.activeElement);
        const key = (/** @type {string} */ name) =>
          focused().dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }));
        const earlier = numbers();
        requestAnimationFrame(() => {
          key('F2');
          focused().value = '2';
          focused().dispatchEvent(new InputEvent('input', { bubbles: true }));
          key('Enter');
        });
        requestAnimationFrame(() => resolve(numbers().map((line, i) => line !== earlier[i])));
      }));
      assert.deepEqual(seen, hidden ? [true, true, true, true] : [true, true, false, false]);
      await shows(async () => {
        const { grids } = await snapshot(page);
        return grids.map((line) => line.split(':')[0]).filter((_, i) => grids[i] !== before.grids[i]);
      }, ['Inputs', 'Attention weights, head 1', 'Values', 'Context vectors', 'Attention weights, head 2', 'Outputs']);
      await press(page, 'Undo');
      await shows(() => snapshot(page), before);
    });
  }

  test('the upper triangle is there when the mask is off, and hidden when it is on', async ({ open }) => {
    const page = await open();
    await openExample(page, 'Simplified: six tokens');
    assert.equal(Number((await exactNumbers(page, 'Attention weights'))[0][5]).toFixed(4), '0.1452');
    await flip(page, 'Causal mask');
    await shows(async () => (await texts(page, 'Attention weights'))[0], ['1.00', '', '', '', '', '']);
    await cell(page, 'Attention weights', 1, 6).focus();
    assert.equal(await readout(page), 'masked: Your may not look ahead at step');
  });

  test('with the mask on, the last token changes no row above its own', async ({ open }) => {
    const page = await open();
    await openExample(page, 'Causal: six tokens');
    const before = await exactNumbers(page, 'Context vectors');
    for (const column of [1, 2, 3]) await edit(page, 'Inputs', 6, column, '100');
    await shows(async () => (await texts(page, 'Inputs'))[5].every((text) => text.startsWith('100')), true);
    const after = await exactNumbers(page, 'Context vectors');
    assert.deepEqual(after.slice(0, 5), before.slice(0, 5));
    assert.notDeepEqual(after[5], before[5]);
    assert.deepEqual(await rowNames(page, 'Context vectors'), ['Your', 'journey', 'starts', 'with', 'one', 'step']);
  });

  test('the two routes are compared on every change, and agree', async ({ open }) => {
    const page = await open();
    await page.getByText('3 of 3 rows', { exact: true }).waitFor();
    await openExample(page, 'Multi-head: six tokens');
    await page.getByRole('heading', { name: 'Two routes agree' }).waitFor();
    await page.getByText('6 of 6 rows', { exact: true }).waitFor();
  });
});
