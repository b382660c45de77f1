// What is typed and looked at in the instrument for large sequences: a refused entry stays beside its sentence, a field
// never says anything else than the map shows, the lens shows its cell on a phone, nothing is lost when the page is left.
// Read next: large-reading.js, large.test.js.

import assert from 'node:assert/strict';
import { PHONE, inBrowsers } from './browsers.js';
import { cellText, computed, openLarge, shown, status, type } from './large-reading.js';
import { flip, notice, press, shows, violations } from './reading.js';

/** @typedef {import('./reading.js').Page} Page */

/** @param {Page} page @param {string} name */
const field = (page, name) => page.locator('.instrument.large').getByRole('textbox', { name, exact: true });

/** The sentences beside the fields. @param {Page} page */
const sentences = (page) => page.locator('.large-wrong p').allInnerTexts();

inBrowsers((test) => {
  test('a refused entry stays to be mended, its sentence beside it, until the next good one', async ({ open }) => {
    const page = await open();
    await openLarge(page);
    for (const text of ['0', '2,048', '16385', '1e3x']) {
      await type(page, 'Tokens T', text);
      await shows(() => sentences(page), [`Tokens T must be a whole number from 1 to 16384, in digits alone; got ${text}. Mend it here; until then it is 64.`]);
      assert.equal(await field(page, 'Tokens T').inputValue(), text);
    }
    await type(page, 'Row', '999');
    await type(page, 'Seed', ' ');
    await shows(async () => (await sentences(page)).map((text) => text.split(' must')[0]), ['Tokens T', 'Seed', 'Row']);
    assert.equal(await field(page, 'Row').getAttribute('aria-invalid'), 'true');
    assert.equal(await field(page, 'Row').evaluate((one) => document.getElementById(one.getAttribute('aria-describedby') ?? '')?.textContent),
      'Row must be a whole number from 1 to 64, in digits alone; got 999. Mend it here; until then it is 1.');
    assert.equal(await notice(page), '', 'nothing is said out of sight');
    assert.deepEqual(await violations(page, ['.instrument.large']), []);
    await type(page, 'Row', '7');
    await shows(async () => (await cellText(page)).startsWith('Row 7 looks at column 1,'), true);
    await type(page, 'Seed', '123');
    await shows(async () => (await sentences(page)).map((text) => text.split(' must')[0]), ['Tokens T']);
    await press(page, 'T = 256 × 8 heads');
    await shows(() => sentences(page), []);
    assert.equal(await field(page, 'Tokens T').inputValue(), '256');
  });

  test('whatever the own undo of a field leaves in it, left it says what the map shows', async ({ open }) => {
    const page = await open();
    await openLarge(page);
    await field(page, 'Tokens T').click();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('70');
    await page.keyboard.press('Enter');
    await shows(() => shown(page), [[1, 70], [1, 70]]);
    for (let i = 0; i < 3; i += 1) await page.keyboard.press('Control+z');
    await page.keyboard.press('Tab');
    await shows(async () => {
      const [[, last] = [0, 0]] = await shown(page);
      return String(last) === await field(page, 'Tokens T').inputValue() && (await status(page)).includes(`T = ${last},`);
    }, true);
    // As where no change is told of.
    await field(page, 'Heads').evaluate((one) => {
      one.focus();
      /** @type {HTMLInputElement} */ (one).value = '3';
      one.blur();
    });
    await shows(async () => (await status(page)).includes(', 3 × head_dim'), true);
  });

  test('on a phone the lens shows its cell, and what is only heard in a cell makes the page no wider', async ({ open }) => {
    const page = await open({ size: PHONE });
    await openLarge(page);
    await press(page, 'T = 256 × 8 heads');
    await flip(page, 'Causal mask, large');
    for (const [row, column] of [['250', '256'], ['250', '249'], ['9', '1']]) {
      await type(page, 'Row', row);
      await type(page, 'Column', column);
      await shows(async () => new RegExp(`^Row ${row} .* column ${column}\\b`).test(await cellText(page)), true);
      await shows(() => page.evaluate(() => {
        const cell = document.querySelector('.large-lens [aria-current=true]');
        const [box, own, head] = [cell?.closest('.scroller'), cell, cell?.parentElement?.querySelector('th')]
          .map((one) => /** @type {Element} */ (one).getBoundingClientRect());
        return own.right <= box.right && own.left >= head.right - 1;
      }), true, `${row}, ${column}`);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'no wider than the screen');
    }
    assert.ok(await page.locator('.large-lens .heard').count() > 0);
    // A box clips only what is placed within it.
    const loose = () => page.evaluate(() => [...document.querySelectorAll('.heard')].filter((heard) => {
      let box = heard.parentElement;
      while (box && !/auto|scroll/.test(getComputedStyle(box).overflowX)) box = box.parentElement;
      return box && !box.contains(/** @type {HTMLElement} */ (heard).offsetParent);
    }).map((heard) => heard.closest('[class]:not(.heard)')?.className));
    for (const panel of ['masking', 'routes', 'compare', 'checks', 'bugs', 'scores']) {
      const opener = page.locator(`[data-act=panel][data-value=${panel}]`).first();
      if (await opener.count()) await opener.click();
      assert.deepEqual(await loose(), [], panel);
    }
  });

  test('what is chosen here is there after a reload at once, and in a link that is shared at once', async ({ open }) => {
    const page = await open();
    await openLarge(page);
    await type(page, 'Heads', '4');
    await page.waitForFunction(() => location.hash !== '');
    const hash = await page.evaluate(() => location.hash);
    await shows(async () => (await status(page)).includes(', 4 × head_dim'), true);
    await type(page, 'Tokens T', '70');
    await computed(page);
    await page.waitForFunction((before) => location.hash !== before, hash);
    await type(page, 'Tokens T', '80');
    await shows(async () => (await status(page)).includes('T = 80,'), true);
    await type(page, 'Row', '75');
    await page.reload();
    await computed(page);
    await shows(async () => (await status(page)).includes('T = 80, 4 × head_dim'), true);
    await shows(async () => (await cellText(page)).startsWith('Row 75 looks at column 1,'), true);
    assert.equal(await notice(page), 'Restored as you left it.');
    await type(page, 'Column', '44');
    await page.locator('[data-act=share]').click();
    const url = await page.getByRole('dialog').getByRole('textbox').first().inputValue();
    const other = await open({ url });
    await computed(other);
    await shows(async () => (await cellText(other)).startsWith('Row 75 looks at column 44,'), true);
  });
});
