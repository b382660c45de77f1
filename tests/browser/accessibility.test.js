// The page is for everyone: axe-core finds nothing in any example, light or dark, large or small, with everything
// open; ink is readable on every colour; targets are large enough; zoom, forced colours and less motion are respected.
// Read next: grids.test.js (keys and names), ../../tools/colours.mjs.

import assert from 'node:assert/strict';
import { LAPTOP, PHONE, inBrowsers } from './browsers.js';
import {
  EXAMPLES, cell, edit, flip, grid, openEditor, openExample, press, shows, texts, writtenSum, violations } from './reading.js';

/** @typedef {import('./reading.js').Page} Page */

const READABLE = 4.5;
const LARGE_PX = 44;
const CELL_PX = 24;

/** Relative luminance as WCAG 2 defines it. @param {string} colour as "rgb(…)" */
function luminance(colour) {
  const [r, g, b] = (colour.match(/[\d.]+/g) ?? []).map(Number).map((v) => v / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** @param {string} a @param {string} b */
function contrast(a, b) {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

/** What can be pressed and is smaller than it should be. @param {Page} page */
const tooSmall = (page) => page.evaluate(([large, small]) => {
  const name = (/** @type {Element} */ one) =>
    `${one.tagName} ${one.getAttribute('aria-label') ?? one.textContent?.trim()}`;
  /** @param {string} selector @param {number} least */
  const below = (selector, least) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility())
    .map((one) => ({ one, box: one.getBoundingClientRect() }))
    .filter(({ box }) => box.height < least || box.width < Math.min(least, 24))
    .map(({ one, box }) => `${name(one)}: ${box.width} × ${box.height}`);
  // The sums beside and below the weights keep to their row lines, as the cells do.
  const narrow = [...document.querySelectorAll('.segments label, .sum-of')].map((one) => ({ one, box: one.getBoundingClientRect() }))
    .filter(({ one, box }) => one.checkVisibility() && box.width < large - 8).map(({ one, box }) => `${name(one)}: ${box.width} wide`);
  return [...below('button:not(.sum-of), select, summary, .segments, .segments label', large), ...narrow,
    ...below('[role=grid] [data-row], .sum-of', small)];
}, [LARGE_PX, CELL_PX]);

/** Open all that is folded, a field, and a message. @param {Page} page @param {string} label */
async function openEverything(page, label) {
  for (const summary of await page.locator('details:not([open]) > summary').all()) await summary.click();
  const name = label.startsWith('Multi') ? 'Output weights' : 'Inputs';
  await openEditor(page, name, 1, 1);
  await page.keyboard.insertText('many');
  await page.keyboard.press('Enter');
  await page.locator('.notice.problem').waitFor();
}

inBrowsers((test, browser) => {
  // Firefox confirms what does not depend on the size; each of its looks is a browser of its own.
  const looks = [false, true].flatMap((dark) => (browser === 'chromium' ? [LAPTOP, PHONE] : [LAPTOP])
    .map((size) => ({ dark, size })));
  for (const { dark, size } of looks) {
    const where = `${dark ? 'dark' : 'light'}, ${size === PHONE ? 'on a phone' : 'on a laptop'}`;
    test(`axe-core finds nothing in any example, as it opens and with everything open, ${where}`, async ({ open }) => {
      const page = await open({ dark, size, touch: size === PHONE });
      for (const { label } of EXAMPLES) {
        await openExample(page, label);
        assert.deepEqual(await violations(page), [], `${label} as it opens`);
        assert.deepEqual(await tooSmall(page), [], label);
        await openEverything(page, label);
        assert.deepEqual(await violations(page), [], `${label} with everything open`);
        assert.deepEqual(await tooSmall(page), [], label);
        await page.keyboard.press('Escape');
      }
    });
  }

  test('axe-core finds nothing with odd sums, long labels and only one token left', async ({ open }) => {
    const page = await open();
    await edit(page, 'Attention weights', 3, 3, '-2');
    await edit(page, 'Attention weights', 2, 2, '0');
    await edit(page, 'Inputs', 1, 0, 'the quick brown fox jumps over the lazy dog and runs on and');
    await edit(page, 'Inputs', 2, 0, 'مرحبا');
    await page.getByText('Row 3 of the given weights sums to').waitFor();
    assert.deepEqual(await violations(page), []);
    await flip(page, 'Causal mask');
    await press(page, 'Remove token 2, \u2068مرحبا\u2069');
    await press(page, 'Remove token 2, third');
    await shows(async () => (await texts(page, 'Inputs')).length, 1);
    assert.deepEqual(await violations(page), []);
  });

  for (const dark of [false, true]) {
    test(`the ink is readable on every colour of the tables, ${dark ? 'dark' : 'light'}`, async ({ open }) => {
      const page = await open({ dark });
      const colours = await page.evaluate(() => {
        const steps = Array.from({ length: 101 }, (_, i) => i);
        const names = ['w', 's'].flatMap((table) => steps.map((i) => `${table}${i}`))
          .concat(steps.slice(0, 8).map((i) => `t${i}`));
        const swatch = document.createElement('i');
        document.body.append(swatch);
        return names.map((name) => {
          swatch.className = name;
          const { backgroundColor, color } = getComputedStyle(swatch);
          return { name, backgroundColor, color };
        });
      });
      for (const { name, backgroundColor, color } of colours) {
        assert.match(backgroundColor, /^rgb\(/, `${name} has a colour of its own`);
        const ratio = contrast(backgroundColor, color);
        assert.ok(ratio >= READABLE, `${name}: ${color} on ${backgroundColor} has ${ratio.toFixed(2)}`);
      }
      const distinct = new Set(colours.filter(({ name }) => name.startsWith('w')).map((one) => one.backgroundColor));
      assert.ok(distinct.size > 90, 'weights run from light to dark');
      const [negative, zero, positive] = ['s0', 's50', 's100'].map((wanted) =>
        colours.find(({ name }) => name === wanted)?.backgroundColor);
      assert.equal(new Set([negative, zero, positive]).size, 3, 'signs differ');
    });
  }

  test('whoever asks for less motion gets none', async ({ open }) => {
    const page = await open({ reducedMotion: true });
    assert.equal(await page.evaluate(() => matchMedia('(prefers-reduced-motion: reduce)').matches), true);
    await flip(page, 'Causal mask');
    const moving = await page.evaluate(() => document.getAnimations().length
      + [...document.querySelectorAll('*')].filter((one) => ['', '::before', '::after'].some((part) =>
        getComputedStyle(one, part).transitionDuration.split(',').some((time) => parseFloat(time) > 0))).length);
    assert.equal(moving, 0);
  });

  test('the page can be zoomed: at 400 % it is still not wider than the screen', async ({ open }) => {
    const page = await open({ size: { width: 320, height: 256 } });
    const viewport = await page.locator('meta[name=viewport]').getAttribute('content');
    assert.doesNotMatch(viewport ?? '', /user-scalable|maximum-scale/);
    for (const { label } of EXAMPLES) {
      await openExample(page, label);
      const beyond = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return scrollWidth - clientWidth;
      });
      assert.ok(beyond <= 0, `${label} is ${beyond} px wider than the screen`);
    }
  });

  test('weights that are zero, tiny, masked and ordinary look different, and not by colour alone', async ({ open }) => {
    const page = await open();
    await edit(page, 'Attention weights', 3, 1, '0.001');
    await flip(page, 'Causal mask');
    const look = (/** @type {number} */ row, /** @type {number} */ column) =>
      cell(page, 'Attention weights', row, column).evaluate((td) => {
        const { fontWeight, backgroundImage } = getComputedStyle(td);
        const { content } = getComputedStyle(td, '::before');
        return [td.textContent?.trim(), content, fontWeight, backgroundImage !== 'none'];
      });
    assert.deepEqual(await look(2, 1), ['0.00', 'none', '300', false]);
    assert.deepEqual(await look(3, 1), ['0.00', '"≈"', '400', false]);
    assert.deepEqual(await look(1, 2), ['', 'none', '400', true]);
    assert.deepEqual(await look(2, 2), ['1.00', 'none', '400', false]);
  });

  if (browser !== 'chromium') return;
  test('forced colours leave numbers, outlines and switches visible', async ({ open }) => {
    const page = await open({ forcedColors: true });
    assert.equal(await page.evaluate(() => matchMedia('(forced-colors: active)').matches), true);
    assert.equal((await writtenSum(page)).endsWith('= [3.5, 4.5]'), true);
    await cell(page, 'Context vectors', 3, 1).focus();
    const { ink, paper, outline } = await cell(page, 'Context vectors', 3, 1).evaluate((td) => {
      const style = getComputedStyle(td);
      return { ink: style.color, paper: style.backgroundColor, outline: `${style.outlineStyle} ${style.outlineWidth}` };
    });
    assert.ok(contrast(ink, paper) >= READABLE, `${ink} on ${paper}`);
    assert.equal(outline, 'solid 3px');
    assert.equal(await grid(page, 'Context vectors').locator('tr.chosen').count(), 1);
    const knob = () => page.getByRole('switch').evaluate((one) => getComputedStyle(one, '::after').transform);
    const off = await knob();
    await flip(page, 'Causal mask');
    await shows(async () => (await knob()) !== off, true, 'the switch moves');
    assert.deepEqual(await violations(page), []);
  });
});
