// Blend bars, the plane, shapes and the flow diagram, by mouse, by finger and by keyboard alone; axe-core finds nothing
// in them, and no page scrolls sideways. Read next: ../node/pictures.test.js (what they are drawn from).

import assert from 'node:assert/strict';
import { LAPTOP, PHONE, inBrowsers } from './browsers.js';
import { EXAMPLES, choose, edit, flip, grid, numbers, openExample, press, shows, violations } from './reading.js';

/** @typedef {import('./reading.js').Page} Page */

const PANELS = ['Shapes', 'Flow', 'Plane'];

/** The point of an input. @param {Page} page @param {string} name */
const input = (page, name) => page.getByRole('slider', { name, exact: true });

/** Where a point says it is. @param {Page} page @param {string} name */
const where = (page, name) => input(page, name).getAttribute('aria-valuetext');

/** The ends of the axes of the plane that has the context vectors. @param {Page} page */
const ends = (page) => page.locator('svg.plane').last().getAttribute('data-ends');

/** The middle of a point, on the screen. @param {import('playwright-core').Locator} point */
async function middle(point) {
  const box = await point.locator('.dot').boundingBox();
  assert.ok(box, 'the point is on the page');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** How long the parts of each row's bar are, in hundredths. @param {Page} page */
const bars = (page) => grid(page, 'Context vectors').locator('.row-bar').evaluateAll((all) => all.map((bar) =>
  [...bar.querySelectorAll('rect')].map((part) => Math.round(parseFloat(part.getAttribute('width') ?? '')))));

/** The products as they stand. @param {Page} page */
const products = async (page) => (await page.locator('.shape-row .sum').allTextContents())
  .map((text) => text.replace(/\s+/g, ' ').trim());

/** @param {Page} page */
const focused = (page) => page.evaluate(() => {
  const cell = document.activeElement?.closest('[data-row]');
  const place = cell instanceof HTMLElement ? ` ${Number(cell.dataset.row) + 1}` : '';
  return `${cell?.closest('[role=grid]')?.id ?? document.activeElement?.getAttribute('data-point')}${place}`;
});

/** The parts that axe-core looks at here. */
const PARTS = ['.instruments'];

inBrowsers((test, browser) => {
  test('a bar beside every context vector shows the weights of its row, without what is masked, and nothing where no bar would be true', async ({ open }) => {
    const page = await open();
    assert.deepEqual(await bars(page), [[50, 25, 25], [100], [25, 25, 50]]);
    await flip(page, 'Causal mask');
    await shows(() => bars(page), [[100], [100], [25, 25, 50]]);
    await flip(page, 'Causal mask');
    await edit(page, 'Attention weights', 3, 1, '-1');
    await shows(async () => (await bars(page))[2], []);
  });

  test('an input is dragged: its numbers follow, the axes stay, and it is one step of undo', async ({ open }) => {
    const page = await open();
    await press(page, 'Plane');
    const before = await numbers(page, 'Inputs');
    const axes = await ends(page);
    await input(page, 'third').scrollIntoViewIfNeeded();
    const from = await middle(input(page, 'third'));
    await page.mouse.move(from.x + 2, from.y - 2);
    await page.mouse.down();
    for (let i = 1; i <= 6; i += 1) await page.mouse.move(from.x + 2 + i * 6, from.y - 2 + i * 20);
    await page.mouse.up();
    await shows(async () => (await numbers(page, 'Inputs'))[2].some((one, i) => one !== before[2][i]), true);
    assert.equal(await ends(page), axes);
    const [x, y] = (await numbers(page, 'Inputs'))[2];
    assert.ok(Number(x) > 5.3 && Number(y) < 5, `it went to ${x}, ${y}`);
    assert.deepEqual((await numbers(page, 'Inputs')).slice(0, 2), before.slice(0, 2));
    const now = await middle(input(page, 'third'));
    assert.ok(Math.hypot(now.x - from.x - 36, now.y - from.y - 120) < 2, 'the point is where the pointer left it');
    await press(page, 'Undo');
    await shows(() => numbers(page, 'Inputs'), before);
    assert.ok(await page.getByRole('button', { name: 'Undo' }).isDisabled());
  });

  test('a press without a move changes nothing', async ({ open }) => {
    const page = await open();
    await press(page, 'Plane');
    await input(page, 'first').click();
    assert.equal(await focused(page), 'inputs 0');
    assert.ok(await page.getByRole('button', { name: 'Undo' }).isDisabled());
  });

  test('by keyboard: arrows move an input, with Shift finer, and undo takes back one press', async ({ open }) => {
    const page = await open();
    await press(page, 'Plane');
    await input(page, 'third').focus();
    assert.equal(await where(page, 'third'), 'x₁ 5, x₂ 6');
    await page.keyboard.press('ArrowRight');
    await shows(() => where(page, 'third'), 'x₁ 5.25, x₂ 6');
    await page.keyboard.press('Shift+ArrowDown');
    await shows(() => where(page, 'third'), 'x₁ 5.25, x₂ 5.95');
    assert.deepEqual((await numbers(page, 'Inputs'))[2], [5.25, 5.95]);
    await page.keyboard.press('Control+z');
    await shows(() => where(page, 'third'), 'x₁ 5.25, x₂ 6');
    await page.keyboard.press('Control+z');
    await shows(() => where(page, 'third'), 'x₁ 5, x₂ 6');
  });

  test('by keyboard: a context point chooses its row, and holds its spokes', async ({ open }) => {
    const page = await open();
    await press(page, 'Plane');
    const rows = page.getByRole('radiogroup', { name: 'Row whose blend is shown' });
    await rows.getByRole('radio', { name: /^context vector 3, third: z₁ 3\.5, z₂ 4\.5$/, checked: true }).focus();
    assert.equal(await page.locator('.spoke').count(), 3);
    await page.keyboard.press('ArrowUp');
    await shows(() => focused(page), 'context_vecs 1');
    assert.equal(await rows.getByRole('radio', { checked: true }).getAttribute('aria-label'),
      'context vector 2, second: z₁ 3, z₂ 4');
    assert.equal(await page.locator('.spoke').count(), 1);
  });

  test('a row that does not sum to 1 is said to leave the hull', async ({ open }) => {
    const page = await open();
    await press(page, 'Plane');
    assert.equal(await page.locator('.leaves').count(), 0);
    await edit(page, 'Attention weights', 3, 3, '1.5');
    await page.locator('.leaves').waitFor();
  });

  test('an undo that takes the focused point away leaves the focus on the nearest one that remains', async ({ open }) => {
    const page = await open();
    await press(page, 'Plane');
    await page.locator('[data-act="add-token"]').first().click();
    const point = (/** @type {number} */ index) => page.locator(`g.point[data-point="inputs ${index}"]`).first();
    await point(3).focus();
    await page.keyboard.press('Control+z');
    await shows(() => point(3).count(), 0);
    await shows(() => page.evaluate(() => document.activeElement?.getAttribute('data-point')), 'inputs 2');
  });

  test('an instrument that opens below the window is scrolled to; the focus stays on its button', async ({ open }) => {
    const page = await open({ size: { width: 1440, height: 600 } });
    await page.evaluate(() => scrollTo(0, 0));
    await press(page, 'Plane');
    await shows(() => page.locator('#panel-plane').evaluate((panel) => panel.getBoundingClientRect().top < 300), true);
    assert.equal(await page.evaluate(() => document.activeElement?.textContent?.trim()), 'Plane');
  });

  test('values cannot be moved and say so; moving an input moves them', async ({ open }) => {
    const page = await open();
    await openExample(page, 'Causal: six tokens');
    await press(page, 'Plane');
    await page.getByText('Values are computed from them, so they cannot be moved').waitFor();
    const value = page.getByRole('button', { name: /^value 2, journey: v₁ / });
    const before = await value.getAttribute('aria-label');
    await value.focus();
    await page.keyboard.press('ArrowRight');
    assert.equal(await value.getAttribute('aria-label'), before);
    await input(page, 'journey').focus();
    await page.keyboard.press('ArrowRight');
    await shows(async () => await value.getAttribute('aria-label') === before, false);
    await page.getByRole('combobox', { name: 'Across' }).first().selectOption({ label: 'x₃' });
    await shows(() => where(page, 'Your'), 'x₃ 0.89, x₂ 0.15');
  });

  if (browser === 'chromium') {
    test('a finger drags an input', async ({ open }) => {
      const page = await open({ size: PHONE, touch: true });
      await press(page, 'Plane');
      await input(page, 'first').scrollIntoViewIfNeeded();
      const before = await numbers(page, 'Inputs');
      const { x, y } = await middle(input(page, 'first'));
      const fingers = await page.context().newCDPSession(page);
      const touch = (/** @type {'touchStart' | 'touchMove' | 'touchEnd'} */ type, /** @type {number} */ by) => {
        const touchPoints = type === 'touchEnd' ? [] : [{ x: x + by, y: y - by }];
        return fingers.send('Input.dispatchTouchEvent', { type, touchPoints });
      };
      await touch('touchStart', 0);
      for (const by of [10, 20, 30, 40]) await touch('touchMove', by);
      await touch('touchEnd', 40);
      const grew = async () => (await numbers(page, 'Inputs'))[0].every((one, i) => Number(one) > Number(before[0][i]));
      await shows(grew, true);
      await press(page, 'Undo');
      await shows(() => numbers(page, 'Inputs'), before);
    });
  }

  test('shapes of one head and of all; a matrix that does not fit is named with both sizes', async ({ open }) => {
    const page = await open();
    await openExample(page, 'Multi-head: six tokens');
    await press(page, 'Shapes');
    await shows(async () => (await products(page))[0], 'inputs(6×3) · w_query(3×2) = queries(6×2)');
    await press(page, 'all 2 heads');
    await shows(async () => (await products(page))[0], 'inputs(6×3) · w_query(3×4) = queries(6×4)');
    const tried = page.getByRole('combobox', { name: 'What if w_query had another number of rows?' });
    await tried.selectOption('4');
    await page.getByText('inputs (6×3) has 3 columns, w_query (4×4) has 4 rows').waitFor();
    assert.equal(await page.getByText('has no value').count(), 7);
    await tried.selectOption({ label: '3, as it is' });
    await shows(() => page.getByText('has no value').count(), 0);
  });

  test('flow: every station, by keyboard, goes to its tensor and leaves the row as it is', async ({ open }) => {
    const page = await open();
    await openExample(page, 'Multi-head: six tokens');
    await press(page, 'Flow');
    await press(page, 'unfolded');
    const stations = page.locator('.station');
    const names = await stations.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
    assert.deepEqual(names.filter((name) => name?.includes('trainable')), [
      'W_query, trainable, 3 × 4, leads to Queries', 'W_key, trainable, 3 × 4, leads to Keys',
      'W_value, trainable, 3 × 4, leads to Values', 'W_out, trainable, 4 × 4, new in this chapter, leads to Outputs',
    ]);
    const reached = [];
    for (let i = 0; i < names.length; i += 1) {
      await stations.nth(i).focus();
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => document.activeElement?.closest('[role=grid]'));
      reached.push(await focused(page));
    }
    assert.deepEqual(reached, [
      'inputs 4', 'w_query 1', 'w_key 1', 'w_value 1', 'queries 4', 'keys 4', 'attn_scores-0 4', 'attn_scores-0 4',
      'attn_weights-0 4', 'values 4', 'attn_weights-0 4', 'context_vecs 4', 'w_out 1', 'outputs 4',
    ]);
    await flip(page, 'Causal mask');
    await flip(page, 'Output projection');
    await shows(() => stations.count(), names.length - 3);
    await choose(page, 'Attention weights come from', 'given');
    await shows(() => page.locator('.station.trainable').count(), 0);
    await press(page, 'folded');
    await shows(() => stations.count(), 3);
  });

  for (const size of browser === 'chromium' ? [LAPTOP, PHONE] : [LAPTOP]) {
    for (const dark of [false, true]) {
      const look = dark ? 'dark' : 'light';
      test(`nothing for axe-core, and no page wider than ${size.width}, ${look}`, async ({ open }) => {
        const page = await open({ size, dark });
        for (const { label } of EXAMPLES) {
          await openExample(page, label);
          for (const name of PANELS) {
            const opener = page.getByRole('button', { name, exact: true });
            if (await opener.getAttribute('aria-expanded') === 'false') await opener.click();
          }
          await press(page, 'unfolded');
          await page.locator('[data-act="try-rows"]').selectOption('1');
          await page.locator('.shape-row.misfit').waitFor();
          assert.deepEqual(await violations(page, PARTS), [], label);
          assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), label);
        }
      });
    }
  }
});
