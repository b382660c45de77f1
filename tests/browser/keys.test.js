// The list of keys against reality: every key that it names is pressed where it says, and does what it says; the list is
// there by key, mouse and finger, and keys of one character can be silenced. Read next: ../node/classroom.test.js (that
// no key is missing from the list), ../../web/content/keys.js.

import assert from 'node:assert/strict';
import { places } from '../../web/content/keys.js';
import { PHONE, inBrowsers } from './browsers.js';
import { cell, edit, press, shows, texts } from './reading.js';

/** @typedef {import('./reading.js').Page} Page */

const WEIGHTS = 'Attention weights';

/** Where the focus is, as row and column from 1. @param {Page} page */
const at = (page) => page.evaluate(() => {
  const { row, column } = /** @type {HTMLElement} */ (document.activeElement).dataset;
  return [Number(row) + 1, Number(column) + 1];
});

/** @param {Page} page */
const editorOpen = (page) => page.locator('.editor').count();
/** @param {Page} page */
const chosen = (page) => page.locator('#context_vecs tr.chosen th').getAttribute('aria-label');
/** @param {Page} page */
const presenting = (page) => page.locator('.presentation, .blanked').count();
/** How many terms are added of the sum that is stepped through; none: it stands there whole. @param {Page} page */
const stepped = async (page) => (await page.locator('.present-sum .later').count()) + (await page.locator('.present-sum').getByText('so far').count()) > 0;
/** @param {Page} page */
const added = (page) => page.locator('.steps-added').textContent();
/** @param {Page} page */
const first = (page) => texts(page, WEIGHTS).then((rows) => rows[0][0]);

/** @param {Page} page @param {string} key  as the list has it */
const hit = (page, key) => page.keyboard.press(key === ' ' ? 'Space' : key.replace('Ctrl', 'Control'));

/** @param {Page} page */
async function present(page) {
  await page.locator('h1').click();
  await page.keyboard.press('p');
  await shows(() => presenting(page), 1);
}

/** @param {Page} page the input point that is nearest to the start of the list */
const point = (page) => page.locator('svg.plane g.point.movable').first();

/**
 * For each entry of the list: press its keys where it says, and see what it says.
 * @type {Record<string, (page: Page, keys: string[]) => Promise<void>>}
 */
const EFFECTS = {
  async help(page, [key]) {
    await hit(page, key);
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  },
  async present(page, [key]) {
    await hit(page, key);
    await shows(() => presenting(page), 1);
  },
  async undo(page, [key]) {
    await edit(page, WEIGHTS, 1, 1, '0.75');
    await shows(() => first(page), '0.75');
    await hit(page, key);
    await shows(() => first(page), '0.50');
  },
  async redo(page, keys) {
    await edit(page, WEIGHTS, 1, 1, '0.75');
    for (const key of keys) {
      await shows(() => first(page), '0.75');
      await hit(page, 'Ctrl+z');
      await shows(() => first(page), '0.50');
      await hit(page, key);
      await shows(() => first(page), '0.75');
    }
  },
  async press(page, keys) {
    await press(page, 'Flow');
    for (const key of keys) {
      await page.locator('.station').first().focus();
      await hit(page, key);
      await shows(() => page.evaluate(() => document.activeElement?.closest('[role=grid]')?.id), 'inputs');
    }
  },
  async move(page, keys) {
    const to = { ArrowUp: [1, 2], ArrowDown: [3, 2], ArrowLeft: [2, 1], ArrowRight: [2, 3] };
    for (const key of keys) {
      await cell(page, WEIGHTS, 2, 2).focus();
      await hit(page, key);
      await shows(() => at(page), to[/** @type {keyof typeof to} */ (key)], key);
    }
  },
  async ends(page, keys) {
    for (const key of keys) {
      await cell(page, WEIGHTS, 2, 2).focus();
      await hit(page, key);
      await shows(() => at(page), key === 'Home' ? [2, 1] : [2, 3]);
    }
  },
  async corners(page, keys) {
    for (const key of keys) {
      await cell(page, WEIGHTS, 2, 2).focus();
      await hit(page, key);
      await shows(() => at(page), key === 'Ctrl+Home' ? [1, 1] : [3, 3]);
    }
  },
  async edit(page, keys) {
    for (const key of keys) {
      await cell(page, WEIGHTS, 2, 2).focus();
      await hit(page, key);
      await shows(() => editorOpen(page), 1);
      await page.keyboard.press('Escape');
    }
    await page.goto(`${page.url().split('#')[0]}#class&ask=attn_weights`);
    for (const [i, key] of keys.entries()) {
      await cell(page, WEIGHTS, 1, i + 1).focus();
      await shows(() => cell(page, WEIGHTS, 1, i + 1).textContent(), '?');
      await hit(page, key);
      await shows(() => cell(page, WEIGHTS, 1, i + 1).textContent(), ['0.50', '0.25'][i]);
    }
  },
  async type(page) {
    await cell(page, WEIGHTS, 1, 1).focus();
    await page.keyboard.type('0.75');
    await page.keyboard.press('Enter');
    await shows(() => first(page), '0.75');
    await cell(page, 'Inputs', 1, 0).focus();
    await page.keyboard.type('word');
    await page.keyboard.press('Enter');
    await shows(() => page.locator('#inputs tbody th .label').first().textContent(), 'word');
  },
  async empty(page, keys) {
    for (const key of keys) {
      await cell(page, WEIGHTS, 1, 1).focus();
      await hit(page, key);
      await shows(() => page.locator('.editor').inputValue(), '');
      await page.keyboard.press('Escape');
    }
  },
  async keep(page, keys) {
    for (const [i, key] of keys.entries()) {
      await cell(page, WEIGHTS, 1, 1).focus();
      await page.keyboard.type(`0.${i + 6}`);
      await hit(page, key);
      await shows(() => first(page), `0.${i + 6}0`);
    }
  },
  async drop(page, [key]) {
    await cell(page, WEIGHTS, 1, 1).focus();
    await page.keyboard.type('9');
    await hit(page, key);
    await shows(() => editorOpen(page), 0);
    assert.equal(await first(page), '0.50');
  },
  async 'term-none'(page, [key]) {
    await hit(page, key);
    await shows(() => added(page), '0 of 3 terms');
  },
  async 'term-on'(page, [key]) {
    await hit(page, '{');
    await shows(() => added(page), '0 of 3 terms');
    await hit(page, key);
    await shows(() => added(page), '1 of 3 terms');
  },
  async 'term-back'(page, [key]) {
    await hit(page, '{');
    await shows(() => added(page), '0 of 3 terms');
    await hit(page, ']');
    await shows(() => added(page), '1 of 3 terms');
    await hit(page, key);
    await shows(() => added(page), '0 of 3 terms');
  },
  async 'term-all'(page, [key]) {
    await hit(page, '{');
    await shows(() => added(page), '0 of 3 terms');
    await hit(page, key);
    await shows(() => page.locator('.steps-added').count(), 0);
  },
  async 'point-move'(page, keys) {
    await press(page, 'Plane');
    const inputs = () => texts(page, 'Inputs').then((rows) => rows.flat().join());
    for (const key of keys) {
      const before = await inputs();
      await point(page).focus();
      await hit(page, key);
      await shows(async () => await inputs() !== before, true, key);
    }
  },
  async 'point-finer'(page, [key]) {
    await press(page, 'Plane');
    const number = async () => Number((await texts(page, 'Inputs'))[0][0]);
    await press(page, 'Numbers');
    for (let i = 0; i < 4; i++) await page.locator('[data-act=digits]').last().click();
    const steps = [];
    for (const each of ['ArrowRight', key]) {
      const before = await number();
      await point(page).focus();
      await hit(page, each);
      await shows(async () => await number() !== before, true, each);
      steps.push(await number() - before);
    }
    assert.ok(Math.abs(steps[0] / steps[1] - 10) < 0.01, steps.join(' and '));
  },
  async 'point-press'(page, keys) {
    await press(page, 'Plane');
    for (const [i, key] of keys.entries()) {
      await page.locator(`[data-point="context_vecs ${i}"]`).focus();
      await hit(page, key);
      await shows(() => chosen(page), ['first', 'second'][i]);
    }
  },
  async 'point-drop'(page, [key]) {
    await press(page, 'Plane');
    const inputs = () => texts(page, 'Inputs').then((rows) => rows.flat().join());
    const before = await inputs();
    await page.evaluate(() => document.querySelector('svg.plane')?.scrollIntoView({ block: 'center' }));
    const dot = await point(page).locator('.dot').boundingBox();
    assert.ok(dot);
    const [x, y] = [dot.x + dot.width / 2, dot.y + dot.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 20, y - 15, { steps: 4 });
    await shows(async () => await inputs() !== before, true);
    await hit(page, key);
    await shows(inputs, before);
    await page.mouse.up();
  },
  async next(page, keys) {
    await present(page);
    for (const key of keys) {
      await hit(page, key);
      await shows(() => stepped(page), true, key);
      await hit(page, 'ArrowLeft');
      await hit(page, 'ArrowLeft');
    }
  },
  async previous(page, keys) {
    await present(page);
    for (const key of keys) {
      await hit(page, 'ArrowRight');
      await hit(page, 'ArrowRight');
      const now = () => page.locator('.present-sum .later').count();
      await shows(now, 2);
      await hit(page, key);
      await shows(now, 3, key);
      await hit(page, 'ArrowRight');
      await shows(now, 2);
      await page.keyboard.press('Escape');
      await shows(() => presenting(page), 0);
      await present(page);
    }
  },
  async rows(page, keys) {
    await present(page);
    for (const [i, key] of keys.entries()) {
      await hit(page, key);
      await shows(() => chosen(page), ['second', 'third'][i]);
    }
  },
  async blank(page, keys) {
    await present(page);
    for (const key of keys) {
      await hit(page, key);
      await shows(() => page.locator('.blanked').count(), 1);
      assert.equal(await page.getByRole('grid').count(), 0);
      await hit(page, key);
      await shows(() => page.getByRole('grid').count(), 3);
    }
  },
  async leave(page, [key]) {
    await present(page);
    await hit(page, key);
    await shows(() => presenting(page), 0);
    await shows(() => page.evaluate(() => document.activeElement?.textContent), 'Present');
  },
  async close(page, [key]) {
    await press(page, 'Keys ?');
    await hit(page, key);
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  },
};

inBrowsers((test, browser) => {
  for (const { place, entries } of places) {
    test(`every key that is listed under "${place}" does what the list says`, async ({ open }) => {
      for (const { id, keys } of entries) {
        assert.ok(id in EFFECTS, id);
        await EFFECTS[id](await open(), keys);
      }
    });
  }

  test('keys of one character can be silenced, and spoken for again', async ({ open }) => {
    const page = await open();
    await page.keyboard.press('?');
    await page.getByRole('switch', { name: 'Keys of one character' }).click();
    await page.keyboard.press('Escape');
    await page.locator('h1').click();
    for (const key of ['?', 'p', '{']) await page.keyboard.press(key);
    assert.equal(await page.getByRole('dialog').count(), 0);
    assert.deepEqual([await presenting(page), await page.locator('.steps-added').count()], [0, 0]);
    await cell(page, WEIGHTS, 1, 1).focus();
    await page.keyboard.type('0.75');
    await page.keyboard.press('Enter');
    await shows(() => first(page), '0.75');
    await press(page, 'Keys ?');
    await page.getByRole('switch', { name: 'Keys of one character' }).click();
    await page.keyboard.press('Escape');
    await page.locator('h1').click();
    await page.keyboard.press('p');
    await shows(() => presenting(page), 1);
  });

  if (browser !== 'chromium') return;
  test('the list is there by finger on a phone', async ({ open }) => {
    const page = await open({ size: PHONE, touch: true });
    await page.getByRole('button', { name: 'Keys' }).tap();
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(beyond <= 0, `${beyond} px too wide`);
  });
});
