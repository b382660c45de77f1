/**
 * What a large sequence costs on the page, measured in a browser: time from a click to its picture, frames a second
 * while the map is dragged, and the longest time for which the page itself stood still. Opens no browser and judges
 * nothing: the caller does. Next to read: ../../web/app/large.js.
 */

/**
 * @typedef {import('playwright-core').Page} Page
 * @typedef {object} LargeFigures  in milliseconds, but for framesPerSecond; longestTask is NaN where it cannot be seen
 * @property {number} firstPaint   from the click that opens the instrument: T = 64, 8 heads
 * @property {number} headSwitch   until another head is painted
 * @property {number} causalSwitch until the mask is painted
 * @property {number} manyTokens   from the click to the picture of T = 1024, 4 heads
 * @property {number} longRow      likewise of T = 2048, 1 head
 * @property {number} framesPerSecond of the map of T = 1024 while it is dragged
 * @property {number} slowestFrame    the longest time between two of these frames
 * @property {number} longestTask     of the page, in all of this
 */

const DRAG_MS = 2000;

/** Note every frame of the map, every sequence computed and every long task from now on. @param {Page} page */
export async function watchMap(page) {
  await page.evaluate(() => {
    const seen = { frames: /** @type {number[]} */ ([]), made: /** @type {number[]} */ ([]), tasks: /** @type {number[]} */ ([]), sees: false };
    Object.assign(globalThis, { mapSeen: seen });
    const { putImageData } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.putImageData = function put(/** @type {ImageData} */ image, /** @type {number} */ x, /** @type {number} */ y) {
      Reflect.apply(putImageData, this, [image, x, y]);
      seen.frames.push(performance.now());
    };
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function post(/** @type {{ kind: string }} */ request) {
      if (request.kind === 'module') this.addEventListener('message', ({ data }) => data.kind === 'made' && seen.made.push(performance.now()));
      Reflect.apply(postMessage, this, [request]);
    };
    seen.sees = PerformanceObserver.supportedEntryTypes.includes('longtask');
    if (seen.sees) new PerformanceObserver((list) => seen.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' });
  });
}

/** @param {Page} page @returns {Promise<{ frames: number[], tasks: number[], sees: boolean, now: number }>} */
export const seen = (page) => page.evaluate(() =>
  ({ .../** @type {any} */ (globalThis).mapSeen, now: performance.now() }));

/**
 * How long it takes from a click on a control until the map is painted after it, with the sequence computed.
 * @param {Page} page @param {string} control  selector
 * @param {string} [choice]  for a list, which asks for another picture of the same sequence; all else asks to compute
 */
export async function timeOf(page, control, choice) {
  return page.evaluate(async ({ selector, value }) => {
    const element = /** @type {HTMLElement | null} */ (document.querySelector(selector));
    if (!element) throw new Error(`there is no ${selector}`);
    const { frames, made } = /** @type {{ frames: number[], made: number[] }} */ (/** @type {any} */ (globalThis).mapSeen);
    const start = performance.now();
    if (element instanceof HTMLSelectElement && value !== undefined) {
      element.value = value;
      element.dispatchEvent(new Event('change', { bubbles: true }));
    } else element.click();
    const list = element instanceof HTMLSelectElement;
    while (performance.now() - start < 60_000) {
      await new Promise((ready) => { requestAnimationFrame(ready); });
      const computed = list ? start : made.find((time) => time > start);
      const painted = computed === undefined ? undefined : frames.find((time) => time > computed);
      if (painted) return painted - start;
    }
    throw new Error(`no picture came after ${selector}`);
  }, { selector: control, value: choice });
}

/** Drag the map about. @param {Page} page @returns {Promise<{ framesPerSecond: number, slowestFrame: number }>} */
export async function drag(page) {
  const map = page.locator('#large-map');
  await map.scrollIntoViewIfNeeded();
  const box = await map.boundingBox();
  if (!box) throw new Error('the map is not to be seen');
  const [x, y] = [box.x + box.width / 2, box.y + Math.min(box.height / 2, 200)];
  await page.mouse.move(x, y);
  await page.mouse.down();
  const { now: start } = await seen(page);
  for (let end = start; end < start + DRAG_MS;) {
    const angle = (end - start) / 200;
    await page.mouse.move(x + 60 * Math.cos(angle), y + 60 * Math.sin(angle));
    end = await page.evaluate(() => performance.now());
  }
  const { frames, now: end } = await seen(page);
  await page.mouse.up();
  const during = frames.filter((time) => time >= start && time <= end);
  const gaps = during.slice(1).map((time, i) => time - during[i]);
  const meanGap = (during[during.length - 1] - during[0]) / gaps.length;
  return { framesPerSecond: 1000 / meanGap, slowestFrame: Math.max(...gaps) };
}

/** All figures, on a page that has just been opened. @param {Page} page @returns {Promise<LargeFigures>} */
export async function measureLarge(page) {
  await watchMap(page);
  const firstPaint = await timeOf(page, '[data-act=panel][data-value=large]');
  const headSwitch = await timeOf(page, '[data-act=large-head]', '3');
  const causalSwitch = await timeOf(page, '[data-act=large-causal]');
  const manyTokens = await timeOf(page, '[data-act=large-size][data-value="1024 4 16"]');
  for (let closer = 0; closer < 2; closer++) await page.locator('[data-act=large-zoom][data-value=in]').click();
  const pace = await drag(page);
  const longRow = await timeOf(page, '[data-act=large-size][data-value="2048 1 16"]');
  const { tasks, sees } = await seen(page);
  return { firstPaint, headSwitch, causalSwitch, manyTokens, longRow, ...pace, longestTask: sees ? Math.max(0, ...tasks) : NaN };
}
