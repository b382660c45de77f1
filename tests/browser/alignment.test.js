// One row is one line: weights, values and context vectors line up to the pixel, and the page never scrolls sideways,
// in every example, at every size, light and dark, with long labels, other scripts, masks and open editors.
// Read next: ../../web/styles/grid.css (where the heights come from).

import assert from 'node:assert/strict';
import { LAPTOP, PHONE, PROJECTOR, inBrowsers } from './browsers.js';
import {
  EXAMPLES, cell, edit, flip, grid, openEditor, openExample, press, rowNames, shows,
} from './reading.js';

/** @typedef {import('./reading.js').Page} Page */

const SIZES = [LAPTOP, PROJECTOR, PHONE];
const LONG = 'the quick brown fox jumps over the lazy dog and runs on, away';
const SCRIPTS = ['旅程', 'مرحبا', '👩‍🏫', 'e\u0301cole'];

/**
 * Where the rows of the figure stand: for each row, the distinct [top, bottom] of all its cells and headers in all its
 * tables; and how far page and figure reach beyond their frame.
 * @param {Page} page
 */
const layout = (page) => page.evaluate(() => {
  const region = /** @type {HTMLElement} */ (document.querySelector('.rows-region'));
  const tables = [...region.querySelectorAll('table')];
  const count = /** @type {HTMLTableElement} */ (tables[0]).tBodies[0].rows.length;
  const rows = Array.from({ length: count }, (_, i) => {
    const spans = tables.flatMap((table) => [...table.tBodies[0].rows[i].cells]).map((part) => {
      const { top, bottom } = part.getBoundingClientRect();
      return `${top} to ${bottom}`;
    });
    return { spans: [...new Set(spans)], cells: spans.length };
  });
  const root = document.documentElement;
  return {
    tables: tables.length,
    rows,
    pageBeyond: root.scrollWidth - root.clientWidth,
    figureBeyond: region.scrollWidth - region.clientWidth,
    // A container may scroll vertically for no reason but a stray pixel.
    figureScrollsDown: region.scrollHeight - region.clientHeight,
  };
});

/**
 * Fails unless every row is one line and only the figure may be wider than the screen.
 * @param {Page} page @param {string} what @param {{ fits: boolean }} how
 */
async function isAligned(page, what, { fits }) {
  const { tables, rows, pageBeyond, figureBeyond, figureScrollsDown } = await layout(page);
  assert.equal(tables, 4, `${what}: weights, their sums, values, context vectors`);
  rows.forEach(({ spans, cells }, i) => {
    assert.ok(cells >= 7, `${what}: row ${i + 1} has ${cells} cells`);
    assert.equal(spans.length, 1, `${what}: row ${i + 1} stands at ${spans.join(' and ')}`);
  });
  assert.ok(pageBeyond <= 0, `${what}: the page is ${pageBeyond} px wider than the screen`);
  assert.equal(figureScrollsDown, 0, `${what}: the figure scrolls down`);
  if (fits) assert.ok(figureBeyond <= 0, `${what}: the figure is ${figureBeyond} px wider than its frame`);
}

/** @param {Page} page @param {number} row @param {string} label */
async function relabel(page, row, label) {
  await edit(page, 'Inputs', row, 0, label);
  await shows(async () => (await rowNames(page, 'Context vectors'))[row - 1], label);
}

inBrowsers((test) => {
  for (const dark of [false, true]) {
    test(`every example has its rows on common lines at every size, ${dark ? 'dark' : 'light'}`, async ({ open }) => {
      const page = await open({ dark });
      assert.equal(await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches), dark);
      for (const { label } of EXAMPLES) {
        await openExample(page, label);
        for (const size of SIZES) {
          await page.setViewportSize(size);
          await isAligned(page, `${label} at ${size.width}`, { fits: size !== PHONE });
        }
      }
    });
  }

  for (const { id, label } of EXAMPLES) {
    test(`"${label}" keeps its lines with any label, either mask and open editors`, async ({ open }) => {
      const page = await open();
      await openExample(page, label);
      const labels = [LONG.slice(0, 60), ...SCRIPTS].slice(0, id === 'warm-up' ? 3 : 5);
      for (const [i, text] of labels.entries()) await relabel(page, i + 1, text);
      for (const size of SIZES) {
        await page.setViewportSize(size);
        await isAligned(page, `${label} with other labels at ${size.width}`, { fits: false });
      }
      await flip(page, 'Causal mask');
      await isAligned(page, `${label} with the mask changed`, { fits: false });
      for (const column of [0, 1]) {
        for (const size of SIZES) {
          await page.setViewportSize(size);
          const before = (await layout(page)).rows.map(({ spans }) => spans);
          await openEditor(page, 'Inputs', 2, column);
          await isAligned(page, `${label} with an editor in column ${column} at ${size.width}`, { fits: false });
          const heights = (/** @type {string[][]} */ rows) => rows.map(([span]) => {
            const [top, bottom] = span.split(' to ').map(Number);
            return bottom - top;
          });
          assert.deepEqual(heights((await layout(page)).rows.map(({ spans }) => spans)), heights(before));
          await page.keyboard.press('Escape');
        }
      }
    });
  }

  test('the longest label leaves the context vectors of the warm-up in sight', async ({ open }) => {
    const page = await open();
    await relabel(page, 2, LONG.slice(0, 60));
    await isAligned(page, 'a label of 60 characters', { fits: true });
  });

  test('on a laptop the whole figure, its blend and the verdict of the routes are in sight with the step that is open', async ({ open }) => {
    const page = await open();
    await openExample(page, 'Multi-head: six tokens');
    const ends = (/** @type {string} */ part) => page.locator(part).evaluate((one) => one.getBoundingClientRect().bottom);
    const openers = await page.locator('.openers').evaluate((one) => one.getBoundingClientRect().top);
    for (const part of ['.lesson', '.figure', '.blend', '.routes-card']) {
      assert.ok(await ends(part) <= openers, `${part} ends at ${await ends(part)}, the instruments begin at ${openers}`);
    }
  });

  for (const size of SIZES) {
    test(`nothing of the page lies over the buttons at its lower edge, wherever it stands, ${size.width} wide`, async ({ open }) => {
      const page = await open({ size });
      await openExample(page, 'Multi-head: six tokens');
      const over = await page.evaluate(async () => {
        const bar = /** @type {HTMLElement} */ (document.querySelector('.openers'));
        const { top, bottom, width } = bar.getBoundingClientRect();
        const found = new Set();
        for (let y = 0; y < document.documentElement.scrollHeight; y += 20) {
          window.scrollTo(0, y);
          await new Promise((drawn) => { requestAnimationFrame(drawn); });
          for (let x = 5; x < width; x += 20) {
            const seen = document.elementFromPoint(x, (top + bottom) / 2);
            if (seen && !bar.contains(seen)) found.add(seen.outerHTML.slice(0, 60));
          }
        }
        return [...found];
      });
      assert.deepEqual(over, []);
    });
  }

  test('a label of the warm-up keeps all its characters and its own direction of writing', async ({ open }) => {
    const page = await open();
    for (const [i, text] of SCRIPTS.slice(0, 3).entries()) await relabel(page, i + 1, text);
    const shown = await grid(page, 'Attention weights').locator('tbody th bdi').evaluateAll((all) => all.map((one) => ({
      text: one.textContent, title: one.getAttribute('title'), cut: one.scrollWidth > one.clientWidth,
    })));
    assert.deepEqual(shown, SCRIPTS.slice(0, 3).map((text) => ({ text, title: text, cut: false })));
    await page.getByRole('heading', { name: 'Row 3 · “👩‍🏫”' }).waitFor();
  });

  test('with sixteen tokens, long numbers and tiny ones, the rows are still one line each', async ({ open }) => {
    const page = await open();
    await openExample(page, 'Causal: six tokens');
    for (let tokens = 7; tokens <= 16; tokens += 1) await press(page, 'Add a token');
    await shows(async () => (await rowNames(page, 'Context vectors')).length, 16);
    await edit(page, 'Inputs', 2, 1, '-123456');
    await edit(page, 'Inputs', 3, 2, '1e-6');
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await isAligned(page, `sixteen tokens at ${size.width}`, { fits: false });
    }
  });

  test('on a phone only the figure scrolls sideways, and its row labels stay in sight', async ({ open }) => {
    const page = await open({ size: PHONE });
    await openExample(page, 'Trainable: six tokens');
    const { pageBeyond, figureBeyond } = await layout(page);
    assert.ok(pageBeyond <= 0 && figureBeyond > 0, `page ${pageBeyond}, figure ${figureBeyond}`);
    const chapters = await page.getByRole('navigation').getByRole('button').evaluateAll((all) =>
      all.map((one) => one.getBoundingClientRect().right));
    assert.ok(chapters.length === 5 && Math.max(...chapters) <= PHONE.width, `the chapters end at ${chapters}`);
    await cell(page, 'Context vectors', 1, 2).focus();
    const labels = await page.evaluate(() => {
      const region = /** @type {HTMLElement} */ (document.querySelector('.rows-region'));
      region.scrollLeft = 100;
      const frame = region.getBoundingClientRect();
      return [...region.querySelectorAll('[id^=attn_weights] tbody th')].map((th) => {
        const { left, right } = th.getBoundingClientRect();
        return left >= frame.left - 1 && right <= frame.right;
      });
    });
    assert.deepEqual(labels, new Array(6).fill(true));
  });
});
