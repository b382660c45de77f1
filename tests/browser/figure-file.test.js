// The figure that is saved is what the screen shows. The PNG, pixel by pixel, is the SVG as a screen of two pixels to a
// point draws it; and every number, its colour and the place of its row are those of the page, whose pixels are looked at
// too. In the dark the page is compared as it is in the light: files are for print. Read next: files.test.js,
// ../node/io-figure.test.js.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { inBrowsers } from './browsers.js';
import { EXAMPLES, edit, flip, openExample, press } from './reading.js';

/**
 * @typedef {import('./reading.js').Page} Page
 * @typedef {[number, number, number]} Colour
 * @typedef {{ text: string, x: number, y: number, left: number, top: number, width: number, faint: boolean, masked: boolean }} Cell
 *   x, y: a place within it where no letter stands
 */

const SCALE = 2;
/** Letters are smoothed a little otherwise where a file is drawn on a canvas: how many pixels of any square so wide may. */
const WINDOW = 24;
const MOST_DIFFERENT = 80;
/** Of 255, for rounding of blended colours. */
const NEAR = 2;

/** @param {PNG} png @param {number} x @param {number} y @returns {Colour} */
function pixel({ data, width }, x, y) {
  const at = (Math.round(y) * width + Math.round(x)) * 4;
  return [data[at], data[at + 1], data[at + 2]];
}

/** @param {Colour} a @param {Colour} b */
const apart = (a, b) => Math.max(...a.map((part, i) => Math.abs(part - b[i])));

/** How many pixels differ in that square where most do. @param {PNG} a @param {PNG} b */
const mostDifferent = (a, b) => pixelmatch(a.data, b.data, null, a.width, a.height, { threshold: 0.1, windowSize: WINDOW });

/** The picture without one of its numbers. @param {PNG} png @param {Cell} cell */
function without(png, { x, y, width }) {
  const copy = PNG.sync.read(PNG.sync.write(png));
  for (let row = 0; row < 22 * SCALE; row += 1) {
    const from = ((y * SCALE + row) * png.width + x * SCALE) * 4;
    for (let at = from; at < from + (width - 8) * SCALE * 4; at += 4) png.data.copy(copy.data, at, from, from + 4);
  }
  return copy;
}

/** Save the figure as SVG and as PNG. @param {Page} page @param {string} folder @param {string} name */
async function saved(page, folder, name) {
  await press(page, 'Export');
  /** @type {string[]} */
  const paths = [];
  for (const kind of ['SVG', 'PNG']) {
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, `Save ${kind}`)]);
    paths.push(join(folder, `${name}.${kind.toLowerCase()}`));
    await download.saveAs(paths[paths.length - 1]);
  }
  await press(page, 'Close');
  return { svg: paths[0], png: PNG.sync.read(readFileSync(paths[1])) };
}

/** The cells of the figure on the page: weights, what they blend, context vectors. @param {Page} page @returns {Promise<Cell[][]>} */
const cellsOnPage = (page) => page.locator('.figure').evaluate((figure) =>
  [...figure.querySelectorAll('table[role=grid]')].map((grid) => [...grid.querySelectorAll('tbody td')].map((td) => {
    const { left, top, width } = td.getBoundingClientRect();
    const faint = td.classList.contains('other-head');
    return { text: (td.textContent ?? '').trim(), x: left + 6, y: top + 6, left, top, width, faint, masked: td.classList.contains('masked') };
  })));

/** The cells of a file, in the order of its rectangles, cut into grids as long as those given. @param {Page} page @param {string} svg @param {number[]} lengths
 * @returns {Promise<Cell[][]>} */
async function cellsInFile(page, svg, lengths) {
  const cells = await page.evaluate((text) => {
    const figure = new DOMParser().parseFromString(text, 'image/svg+xml');
    return [...figure.querySelectorAll('rect[rx="3"][height="30"]')].map((rect) => {
      const [left, top, width] = ['x', 'y', 'width'].map((name) => Number(rect.getAttribute(name)));
      const next = rect.nextElementSibling;
      const own = next?.tagName === 'text' && Math.abs(Number(next.getAttribute('x')) - left - width / 2) < 0.1;
      const masked = (rect.getAttribute('fill') ?? '').startsWith('url');
      return { text: own ? next.textContent ?? '' : '', x: left + 4, y: top + 4, left, top, width, faint: rect.hasAttribute('fill-opacity'), masked };
    });
  }, svg);
  assert.equal(cells.length, lengths.reduce((sum, length) => sum + length, 0));
  return lengths.map((length) => cells.splice(0, length));
}

/** Places from 0 to 1, in steps of a thousandth: rows and columns stand alike, whatever their size. @param {number[]} places */
function alike(places) {
  const [low, high] = [Math.min(...places), Math.max(...places)];
  return places.map((place) => Math.round(100 * (place - low) / (high - low || 1)));
}

inBrowsers((test) => {
  for (const dark of [false, true]) {
    for (const { id, label } of dark ? EXAMPLES.slice(-1) : EXAMPLES) {
      test(`${label}${dark ? ', in the dark' : ''}: the PNG is the SVG as a screen draws it, its numbers, colours and rows are the page's`, async ({ open, folder }) => {
        const page = await open({ dark, size: { width: 1440, height: 1400 } });
        if (id !== 'warm-up') await openExample(page, label);
        await edit(page, 'Inputs', 2, 1, '-3.5');
        if (id === 'simplified') await flip(page, 'Causal mask');
        const { svg, png } = await saved(page, folder, `${id}-${dark}`);
        const text = readFileSync(svg, 'utf8');

        const screen = await (await page.context().browser())?.newPage({
          deviceScaleFactor: SCALE, viewport: { width: png.width / SCALE, height: png.height / SCALE },
        });
        assert.ok(screen);
        await screen.goto(pathToFileURL(svg).href);
        const drawn = PNG.sync.read(await screen.screenshot());
        await screen.context().close();
        assert.deepEqual([drawn.width, drawn.height], [png.width, png.height]);
        const different = mostDifferent(png, drawn);
        assert.ok(different <= MOST_DIFFERENT, `${id}: ${different} pixels of one square differ`);

        if (dark) await page.emulateMedia({ colorScheme: 'light' });
        await page.locator('.brand, h1').first().click();
        const onPage = await cellsOnPage(page);
        const inFile = await cellsInFile(page, text, onPage.map((grid) => grid.length));
        assert.ok(mostDifferent(without(png, inFile[0][0]), png) > MOST_DIFFERENT, 'a number that is not there is seen');
        const shot = PNG.sync.read(await page.screenshot());
        for (const [g, grid] of onPage.entries()) {
          const file = inFile[g];
          assert.deepEqual(file.map(({ text: number }) => number), grid.map(({ text: number }) => number), `${id}: numbers of grid ${g + 1}`);
          assert.deepEqual(file.map(({ masked }) => masked), grid.map(({ masked }) => masked));
          assert.deepEqual(file.map(({ faint }) => faint), grid.map(({ faint }) => faint));
          assert.deepEqual(alike(file.map(({ top }) => top)), alike(grid.map(({ top }) => top)), `${id}: rows of grid ${g + 1}`);
          // All three stand on the same lines, in the file as on the page.
          assert.deepEqual([...new Set(file.map(({ top }) => top))], [...new Set(inFile[0].map(({ top }) => top))]);
          for (const [c, cell] of grid.entries()) {
            if (cell.masked || cell.faint) continue;
            const [there, here] = [pixel(shot, cell.x, cell.y), pixel(png, file[c].x * SCALE, file[c].y * SCALE)];
            assert.ok(apart(there, here) <= NEAR, `${id}: ${cell.text} in grid ${g + 1} is ${there} on the page and ${here} in the PNG`);
          }
        }
      });
    }
  }
}, ['chromium']);
