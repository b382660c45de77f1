// Large sequences in real browsers: the map has the colours of the weights; mouse, wheel, fingers, keys and buttons move
// it; lens and row say the numbers; what does not fit is refused, what takes long can be stopped, and the page never
// stands still meanwhile. Read next: large-reading.js, large-entries.test.js, ../bench/large-page.mjs (how long it takes), ../node/large.test.js.

import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { measureLarge, timeOf } from '../bench/large-page.mjs';
import { FROM_DISK, LAPTOP, PHONE, PROJECTOR, SINGLE_FILE, inBrowsers } from './browsers.js';
import { axes, cellText, computed, openLarge, shown, status, type } from './large-reading.js';
import { flip, press, shows, violations } from './reading.js';

/** @typedef {import('./reading.js').Page} Page */


/**
 * The colours of the map in the middle of cells, rows and columns from 1.
 * @param {Page} page @param {{ row: number, column: number }[]} cells
 */
async function coloursAt(page, cells) {
  const [[firstRow, lastRow], [firstColumn]] = await shown(page);
  const places = cells.map(({ row, column }) => ({ down: row - firstRow, right: column - firstColumn }));
  return page.evaluate(({ all, size }) => {
    const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector('#large-map'));
    const copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height });
    const ink = /** @type {CanvasRenderingContext2D} */ (copy.getContext('2d', { willReadFrequently: true }));
    ink.drawImage(canvas, 0, 0);
    return all.map(({ down, right }) => {
      const [x, y] = [right, down].map((place) => Math.floor(((place + 0.5) * canvas.width) / size));
      return `rgb(${[...ink.getImageData(x, y, 1, 1).data.subarray(0, 3)].join(', ')})`;
    });
  }, { all: places, size: lastRow - firstRow + 1 });
}

/** The lens: each cell's row and column from 1, its text and its colour. @param {Page} page */
const lens = (page) => page.locator('.large-lens').evaluate((table) => {
  const columns = [...table.querySelectorAll('thead th')].map((th) => Number(th.textContent));
  return [...table.querySelectorAll('tbody tr')].flatMap((tr) => [...tr.querySelectorAll('td')].map((td, i) => ({
    row: Number(tr.querySelector('th')?.textContent), column: columns[i], text: (td.textContent ?? '').trim(),
    colour: getComputedStyle(td).backgroundColor, here: td.getAttribute('aria-current') === 'true',
  })));
});

/** Fingers on the screen: Playwright has none that move. @param {Page} page */
async function fingers(page) {
  const client = await page.context().newCDPSession(page);
  return (/** @type {'touchStart' | 'touchMove' | 'touchEnd'} */ type, /** @type {[number, number][]} */ points) =>
    client.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
}

/** The parts that axe-core looks at here. */
const PARTS = ['.instrument.large'];

inBrowsers((test, browser) => {
  test('every weight has the colour on the map that it has in the lens, of any head, in the light and in the dark', async ({ open }) => {
    for (const dark of [false, true]) {
      const page = await open({ dark });
      await openLarge(page);
      for (const head of ['1', '6']) {
        await page.locator('[data-act=large-head]').selectOption({ label: head });
        await type(page, 'Row', '40');
        await type(page, 'Column', '20');
        await shows(async () => (await cellText(page)).startsWith(`Row 40 looks at column 20, head ${head}: weight exactly 0.0`), true);
        const cells = await lens(page);
        assert.deepEqual([cells.length, cells[0].row, cells[0].column], [81, 36, 16]);
        // The frame of the cell that is looked at covers its neighbours.
        const apart = cells.filter(({ row, column }) => Math.abs(row - 40) > 1 || Math.abs(column - 20) > 1);
        // The lens has 101 steps, the map 255: they differ by less than a step.
        await shows(async () => {
          const colours = await coloursAt(page, apart);
          return apart.filter(({ colour }, i) => !near(colours[i], colour)).map(({ row, column, colour }) => ({ row, column, colour }));
        }, [], `head ${head}, ${dark ? 'dark' : 'light'}`);
        assert.ok(new Set(apart.map(({ colour }) => colour)).size > 20, 'the weights differ');
      }
    }
  });

  test('under the mask later keys are hatched and have no number; without it they have one', async ({ open }) => {
    const page = await open();
    await openLarge(page);
    await flip(page, 'Causal mask, large');
    await type(page, 'Row', '10');
    await type(page, 'Column', '12');
    await shows(() => cellText(page), 'Row 10 may not look ahead at column 12: masked');
    const cells = await lens(page);
    for (const { row, column, text } of cells) assert.equal(text === 'masked', column > row, `row ${row}, column ${column}`);
    const ahead = [20, 30, 40, 50].flatMap((column) => [3, 4, 5, 6, 7].map((row) => ({ row, column })));
    const colours = new Set(await coloursAt(page, ahead));
    assert.equal(colours.size, 2, `ground and lines: ${[...colours].join()}`);
    for (const ramp of cells.filter(({ column, row }) => column <= row).map(({ colour }) => colour)) assert.ok(!colours.has(ramp), 'masked is no weight');
    await flip(page, 'Causal mask, large');
    await shows(async () => /weight exactly 0\.\d+$/.test(await cellText(page)), true);
  });

  test('keys, buttons, mouse and wheel lead to the same places; the wheel alone scrolls the page', async ({ open }) => {
    const page = await open();
    await openLarge(page);
    const map = page.locator('#large-map');
    await map.scrollIntoViewIfNeeded();
    await map.focus();
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight', 'Shift+ArrowDown']) await page.keyboard.press(key);
    await shows(async () => (await cellText(page)).startsWith('Row 11 looks at column 3,'), true);
    await page.keyboard.press('Control+End');
    await shows(async () => (await cellText(page)).startsWith('Row 64 looks at column 64,'), true);
    assert.deepEqual(await shown(page), [[1, 64], [1, 64]]);
    for (let closer = 0; closer < 5; closer += 1) await page.keyboard.press('+');
    await shows(() => shown(page), [[57, 64], [57, 64]], 'zoomed in at the cell that is looked at');
    await page.keyboard.press('Home');
    await shows(() => shown(page), [[57, 64], [1, 8]], 'the map follows the cell');
    await page.keyboard.press('0');
    await shows(() => shown(page), [[1, 64], [1, 64]]);
    await press(page, 'Zoom in');
    await shows(async () => (await shown(page))[0][0] > 1, true, 'a button zooms too');
    const [[top], [left]] = await shown(page);
    await press(page, 'Up');
    await press(page, 'Right');
    await shows(async () => {
      const [[row], [column]] = await shown(page);
      return row < top && column > left;
    }, true);
    await press(page, 'Show all');
    await map.evaluate((element) => element.scrollIntoView());
    const box = await map.boundingBox() ?? assert.fail();
    const [x, y] = [box.x + box.width / 2, box.y + box.width * 0.3];
    await page.mouse.click(x, y);
    await shows(async () => (await cellText(page)).split(', head')[0], 'Row 20 looks at column 33');
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -300);
    await page.keyboard.up('Control');
    await shows(async () => {
      const [[from, to]] = await shown(page);
      return to - from < 50;
    }, true, 'Ctrl and the wheel zoom');
    const [[before]] = await shown(page);
    await page.mouse.down();
    await page.mouse.move(x + 10, y + 60);
    await page.mouse.move(x + 20, y + 120);
    await page.mouse.up();
    await shows(async () => (await shown(page))[0][0] < before, true, 'dragged down, earlier rows come into view');
    assert.match(await cellText(page), /^Row 20 looks at column 33,/, 'a drag is no click');
    const region = await axes(page);
    const scrolled = () => page.evaluate(() => Math.round(scrollY));
    const from = await scrolled();
    await page.mouse.wheel(0, -200);
    await shows(async () => await scrolled() < from, true);
    assert.equal(await axes(page), region);
  });

  test('the lens is a table with names: a click in it looks there; the row shows largest weights, sum, context and checks', async ({ open }) => {
    const page = await open();
    await openLarge(page);
    await type(page, 'Row', '20');
    await type(page, 'Column', '30');
    await shows(async () => (await cellText(page)).startsWith('Row 20 looks at column 30,'), true);
    await page.locator('.large-lens').locator('[data-lens="20 25"]').click();
    await shows(async () => (await cellText(page)).split(', head')[0], 'Row 21 looks at column 26');
    const [here] = (await lens(page)).filter((cell) => cell.here);
    assert.deepEqual([here.row, here.column], [21, 26]);
    const rows = await page.locator('.large-row table tbody tr').evaluateAll((all) => all.map((tr) => [...tr.children].map((one) => one.textContent?.trim() ?? '')));
    assert.equal(rows.length, 8 + 2);
    const listed = rows.slice(0, 8).map(([, weight]) => Number(weight));
    assert.deepEqual(listed, [...listed].sort((a, b) => b - a));
    assert.match(rows[8][0], /^56 others$/);
    const sum = [...listed, Number(rows[8][1])].reduce((all, one) => all + one, 0);
    assert.ok(Math.abs(sum - Number(rows[9][1])) < 0.001, `${sum} and ${rows[9]}`);
    const checks = await page.locator('.large-checks li').allInnerTexts();
    assert.deepEqual(checks.map((text) => text.slice(0, 5)), ['holds', 'holds']);
    assert.match(checks[1], /largest difference (0|\d(\.\d)?e−\d+)\.$/);
    assert.equal((await page.locator('.large-vector').innerText()).split(',').length, 8);
  });

  test('what is being typed stays while the page is painted anew', async ({ open }) => {
    const page = await open();
    await openLarge(page);
    await type(page, 'Row', '5');
    const field = page.locator('.instrument.large').getByRole('textbox', { name: 'Column', exact: true });
    await field.click();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('3');
    await page.waitForTimeout(900); // the row comes to rest, and goes into the state
    assert.equal(await field.inputValue(), '3');
    await page.keyboard.type('0');
    await page.keyboard.press('Enter');
    await shows(async () => (await cellText(page)).split(', head')[0], 'Row 5 looks at column 30');
  });

  test('what does not fit is refused in words with both numbers, and the place of the map says so', async ({ open }) => {
    const page = await open();
    await openLarge(page);
    await type(page, 'Tokens T', '16000');
    await shows(async () => /^These sizes need (\d+) MiB; a layer may take 1024 MiB\. Nothing was allocated/.test(await status(page)), true);
    assert.ok(Number((await status(page)).match(/need (\d+)/)?.[1]) > 1024);
    assert.equal(await axes(page), '');
    assert.match(await page.locator('#large-empty').innerText(), /^No map: these sizes are too large\./);
    await type(page, 'Tokens T', '70');
    await computed(page);
    assert.deepEqual(await shown(page), [[1, 70], [1, 70]]);
    assert.equal(await page.locator('#large-empty').count(), 0);
  });

  test('the sentence about what was computed is never said of other sizes', async ({ open }) => {
    const page = await open();
    await openLarge(page);
    await page.evaluate(() => {
      /** @type {Set<string>} */
      const said = new Set();
      Object.assign(window, { said });
      new MutationObserver(() => said.add(document.querySelector('#large-status')?.textContent ?? ''))
        .observe(document.body, { childList: true, subtree: true, characterData: true });
    });
    // Other paintings come between.
    await page.evaluate(async () => {
      /** @type {HTMLElement | null} */ (document.querySelector('[data-value="2048 1 16"]'))?.click();
      const ends = /** @type {HTMLSelectElement} */ (document.querySelector('[data-act=large-ends]'));
      for (let frame = 0; frame < 10; frame += 1) {
        ends.value = frame % 2 ? '4' : '16';
        ends.dispatchEvent(new Event('change', { bubbles: true }));
        await new Promise(requestAnimationFrame);
      }
    });
    await shows(async () => (await status(page)).includes('T = 2048, 1 × head_dim 16.'), true);
    const said = await page.evaluate(() => [.../** @type {any} */ (window).said].filter((text) => text.startsWith('Computed')));
    const pairs = said.map((text) => text.replace(/^.*(T = \d+),.*takes ([\d.]+) MiB of.*$/s, '$1: $2'));
    assert.deepEqual([...new Set(pairs)].sort(), ['T = 2048: 32.8', 'T = 64: 0.4']);
  });

  test('what takes long says where it is and can be stopped at once; the page answers meanwhile', async ({ open }) => {
    const page = await open();
    await openLarge(page);
    await type(page, 'head_dim', '64');
    await computed(page);
    // About as much as one can ask for. Whoever stops it has to be quick; so the page does it as soon as it can be done.
    const steps = page.evaluate(() => new Promise((ready) => {
      new MutationObserver((_, observer) => {
        const text = document.querySelector('.large-progress')?.textContent ?? '';
        if (!text.includes('computing all')) return;
        observer.disconnect();
        /** @type {HTMLElement | null} */ (document.querySelector('[data-act=large-stop]'))?.click();
        ready(text);
      }).observe(document.body, { childList: true, subtree: true, characterData: true });
    }));
    await type(page, 'Tokens T', '1800');
    assert.match(String(await steps), /Step 3 of 4: computing all attention weights/);
    await shows(async () => /^Stopped\. Nothing of it was kept, nor of what was computed before/.test(await status(page)), true);
    assert.match(await page.locator('#large-empty').innerText(), /^No map: nothing is computed\. Compute again/);
    for (const name of ['Zoom in', 'Show all', 'Left']) assert.ok(await page.getByRole('button', { name, exact: true }).isDisabled(), name);
    for (const name of ['Row', 'Column']) assert.ok(await page.getByRole('textbox', { name, exact: true }).isDisabled(), name);
    assert.ok(await page.locator('[data-act=large-head]').isDisabled());
    const frames = page.evaluate(() => new Promise((ready) => {
      let count = 0;
      /** @type {Set<number>} */
      const values = new Set();
      const status = () => document.querySelector('.large-progress')?.textContent ?? '';
      const next = () => {
        if (status().includes('computing all')) {
          count += 1;
          values.add(/** @type {HTMLProgressElement} */ (document.querySelector('.large-progress progress')).value);
        }
        if (status().includes('Computed in')) ready([count, ...values]);
        else requestAnimationFrame(next);
      };
      next();
    }));
    await press(page, 'Compute again');
    const [count, ...values] = /** @type {number[]} */ (await frames);
    assert.ok(count >= 3, `${count} frames were drawn while it computed`);
    assert.ok(values.every((value) => value >= 2 && value <= 3) && values.some((value) => value > 2 && value < 3), `the bar was at ${values}`);
  });

  test('a link opens with its sequence, and folding the instrument away ends its worker', async ({ open, site }) => {
    const page = await open();
    await openLarge(page);
    await press(page, 'T = 256 × 8 heads');
    await type(page, 'Row', '200');
    await page.locator('[data-act=large-ends]').selectOption('0');
    await shows(async () => (await page.evaluate(() => location.hash)).length > 10, true);
    await computed(page);
    await page.waitForTimeout(2500); // the address follows a second behind, the place when it rests
    const other = await open({ url: `${site}${await page.evaluate(() => location.hash)}` });
    await computed(other);
    await shows(async () => (await cellText(other)).startsWith('Row 200 looks at column 1,'), true);
    assert.equal(await other.locator('[data-act=large-ends]').inputValue(), '0');
    assert.deepEqual(await shown(other), [[1, 256], [1, 256]]);
    await other.locator('.openers').getByRole('button', { name: 'Large', exact: true }).click();
    await shows(async () => other.locator('#large-map').count(), 0);
    if (browser === 'chromium') await shows(async () => other.workers().length, 0);
  });

  test('it works from the disk and in a sandboxed frame; where no worker may start, it says so', async ({ open, folder }) => {
    await openLarge(await open({ url: FROM_DISK }));
    copyFileSync(SINGLE_FILE, join(folder, 'lesson.html'));
    writeFileSync(join(folder, 'course.html'), `<!doctype html><html lang="en"><title>Course</title>
      <iframe title="Lesson" sandbox="allow-scripts" width="1300" height="800" src="lesson.html"></iframe>`);
    const page = await open({ url: pathToFileURL(join(folder, 'course.html')).href, starts: false });
    const frame = page.frameLocator('iframe');
    await frame.getByRole('button', { name: 'Large', exact: true }).click();
    await shows(async () => /^Computed in/.test(await status(frame)), true, 'it computes in a sandboxed frame');
    const text = readFileSync(SINGLE_FILE, 'utf8');
    writeFileSync(join(folder, 'blocked.html'), text.replace('worker-src blob:', "worker-src 'none'"));
    const blocked = await open({ url: pathToFileURL(join(folder, 'blocked.html')).href, expected: /policy|Policy|worker|Worker/ });
    await blocked.getByRole('button', { name: 'Large', exact: true }).click();
    await shows(async () => /^No worker could be started beside the page, .* The browser says: \S/.test(await status(blocked)), true);
  });

  test('axe-core finds nothing in it, and nothing sticks out, on laptop, projector and phone, light and dark', async ({ open }) => {
    for (const size of [LAPTOP, PROJECTOR, PHONE]) {
      const page = await open({ size, dark: size === PROJECTOR });
      await openLarge(page);
      assert.deepEqual(await violations(page, PARTS), [], `${size.width}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${wide} px too wide at ${size.width}`);
      const small = await page.locator('.instrument.large').locator('button, select, input, summary').evaluateAll((all) => all
        .map((one) => ({ name: one.textContent?.trim() || one.getAttribute('data-act'), box: one.getBoundingClientRect() }))
        .filter(({ box }) => box.height < 43.9 || box.width < 43.9).map(({ name }) => name));
      assert.deepEqual(small, []);
    }
  });

  if (browser !== 'chromium') return;

  test('fingers move the map and zoom it, and a tap looks at a weight', async ({ open }) => {
    const page = await open({ size: PHONE, touch: true });
    await openLarge(page);
    const map = page.locator('#large-map');
    await map.scrollIntoViewIfNeeded();
    const box = await map.boundingBox() ?? assert.fail();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.touchscreen.tap(x, y);
    await shows(async () => (await cellText(page)).startsWith('Row 33 looks at column 33,'), true);
    const touch = await fingers(page);
    await touch('touchStart', [[x - 20, y], [x + 20, y]]);
    for (const apart of [40, 60, 80]) await touch('touchMove', [[x - apart, y], [x + apart, y]]);
    await touch('touchEnd', []);
    await shows(async () => {
      const [[from, to]] = await shown(page);
      return to - from > 10 && to - from < 24;
    }, true, 'four times as far apart: a quarter of the rows');
    const [[row], [column]] = await shown(page);
    const scrolled = await page.evaluate(() => scrollY);
    await touch('touchStart', [[x, y]]);
    for (const by of [20, 40, 80]) await touch('touchMove', [[x + by, y + by]]);
    await touch('touchEnd', []);
    await shows(async () => {
      const [[top], [left]] = await shown(page);
      return top < row && left < column;
    }, true);
    assert.equal(await page.evaluate(() => scrollY), scrolled, 'the page stays where it is');
  });

  test('where all of the map is shown a finger that swipes over it scrolls the page', async ({ open }) => {
    const page = await open({ size: PHONE, touch: true });
    await openLarge(page);
    const map = page.locator('#large-map');
    const touch = await fingers(page);
    const swipe = async () => {
      await map.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }));
      const box = await map.boundingBox() ?? assert.fail();
      const from = await page.evaluate(() => scrollY);
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      await touch('touchStart', [[x, y]]);
      for (let by = 10; by <= 120; by += 10) await touch('touchMove', [[x, y - by]]);
      await touch('touchEnd', []);
      return await page.evaluate(() => scrollY) - from;
    };
    assert.ok(await swipe() > 60);
    await press(page, 'Zoom in');
    await shows(async () => (await shown(page))[0][1] < 64, true);
    assert.equal(await swipe(), 0, 'there it moves the map');
  });

  test('the figures hold, as far as a busy machine can tell', async ({ open }) => {
    const page = await open();
    const figures = await measureLarge(page);
    const report = JSON.stringify(figures);
    // What they are on a machine that does nothing else, and for how long the page stands still, the benchmark tells.
    assert.ok(figures.firstPaint < 2000 && figures.headSwitch < 1000 && figures.causalSwitch < 1000, report);
    assert.ok(figures.manyTokens < 20_000 && figures.longRow < 20_000, report);
    assert.ok(figures.framesPerSecond > 2, report);
    assert.ok(await timeOf(page, '[data-act=large-causal]') > 0);
  });
});

/** Are two colours less than a step of the ramp apart? @param {string} a @param {string} b */
function near(a, b) {
  const [one, other] = [a, b].map((colour) => (colour.match(/\d+/g) ?? []).map(Number));
  return one.length >= 3 && one.slice(0, 3).every((part, i) => Math.abs(part - other[i]) <= 8);
}
