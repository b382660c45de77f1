// The part of `make bench` that measures the page in Chromium: how soon it can be seen and used after opening, and how
// soon an edit is on the screen, each on this machine as it is and slowed down six times; and large sequences. Prints
// the figures beside what they should be, and writes build/bench-page.json. Read next: run.js, large-page.mjs.

import { writeFileSync } from 'node:fs';
import { stdout } from 'node:process';
import { chromium } from 'playwright-core';
import { FROM_DISK, LAPTOP } from '../browser/browsers.js';
import { openEditor, openExample, press, rowNames, shows } from '../browser/reading.js';
import { measureLarge } from './large-page.mjs';
import { median, short } from './report.js';

/**
 * @typedef {import('playwright-core').Page} Page
 * @typedef {{ what: string, slowdown: number, ms: number, limit: number | null }} Figure limit: what it should be
 */

const FRAME_MS = 1000 / 60;
const OPENINGS = 9;
const ONE_LINE = 'data:text/html,<!doctype html><title>A line</title><p>A line';
const EDITS = 15;
const TOKENS = 16;

/** Notes, in the page, when its first pixels were shown and when it could be used: its figure drawn, and on the screen. */
function watchOpening() {
  const opening = { usable: 0 };
  Object.assign(window, { opening });
  new MutationObserver((_, observer) => {
    if (!document.querySelector('table[role=grid]')) return;
    observer.disconnect();
    // The first frame that has it: a message that is sent in a frame's callback arrives when that frame is drawn.
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => { opening.usable = performance.now(); };
      port2.postMessage(null);
    });
  }).observe(document, { childList: true, subtree: true });
}

/** Promises, in the page, the milliseconds from the next key to the frame that shows what it changed in the result. */
function watchEdit() {
  const result = /** @type {Element} */ (document.querySelector('table[aria-label="Context vectors"]'));
  const edited = new Promise((done) => {
    let key = 0;
    addEventListener('keydown', ({ timeStamp }) => { key = timeStamp; }, { capture: true, once: true });
    new MutationObserver((_, observer) => {
      observer.disconnect();
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => done(performance.now() - key);
        port2.postMessage(null);
      });
    }).observe(result, { childList: true, characterData: true, subtree: true });
  });
  Object.assign(window, { edited });
}

/** @param {import('playwright-core').Browser} browser @param {number} slowdown */
async function newPage(browser, slowdown) {
  const context = await browser.newContext({ viewport: LAPTOP });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  return page;
}

/**
 * Milliseconds from the start of loading to the first pixels, and to a page that can be used; and to the first pixels of
 * a page that is nothing but a line.
 * @param {import('playwright-core').Browser} browser @param {number} slowdown
 */
async function opening(browser, slowdown) {
  const page = await newPage(browser, slowdown);
  await page.addInitScript(watchOpening);
  await page.goto(FROM_DISK);
  const usable = Number(await (await page.waitForFunction(() => /** @type {any} */ (window).opening.usable)).jsonValue());
  const seen = await firstPixels(page);
  await page.context().close();
  const other = await newPage(browser, slowdown);
  await other.goto(ONE_LINE);
  const line = await firstPixels(other);
  await other.context().close();
  return { seen, usable, line };
}

/** @param {Page} page */
async function firstPixels(page) {
  const entry = await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint')[0]);
  return entry.evaluate(({ startTime }) => startTime);
}

/**
 * Edits a number again and again; milliseconds from the key that ends each edit to the frame that shows it.
 * @param {import('playwright-core').Browser} browser @param {number} slowdown
 */
async function edits(browser, slowdown) {
  const page = await newPage(browser, slowdown);
  page.setDefaultTimeout(60_000);
  await page.goto(FROM_DISK);
  await openExample(page, 'Multi-head: six tokens');
  for (let tokens = 7; tokens <= TOKENS; tokens += 1) await press(page, 'Add a token');
  await shows(async () => (await rowNames(page, 'Context vectors')).length, TOKENS);
  const times = [];
  for (let i = 0; i < EDITS; i++) {
    await openEditor(page, 'Inputs', 1, 1);
    await page.keyboard.insertText(i % 2 === 0 ? '0.25' : '0.75');
    await page.evaluate(watchEdit);
    await page.keyboard.press('Enter');
    times.push(await page.evaluate(() => /** @type {any} */ (window).edited));
  }
  await page.context().close();
  return median(times);
}

/**
 * What large sequences cost, at full speed.
 * @param {import('playwright-core').Browser} browser @returns {Promise<Figure[]>}
 */
async function largeSequences(browser) {
  const page = await newPage(browser, 1);
  await page.goto(FROM_DISK);
  await page.getByRole('grid', { name: 'Context vectors', exact: true }).waitFor();
  const measured = await measureLarge(page);
  await page.context().close();
  return [
    { what: 'first picture of 64 tokens, 8 heads', slowdown: 1, ms: measured.firstPaint, limit: 1000 },
    { what: 'its next head', slowdown: 1, ms: measured.headSwitch, limit: 100 },
    { what: 'its causal mask', slowdown: 1, ms: measured.causalSwitch, limit: 100 },
    { what: 'picture of 1024 tokens, 4 heads', slowdown: 1, ms: measured.manyTokens, limit: null },
    { what: 'a frame of it while it is dragged', slowdown: 1, ms: 1000 / measured.framesPerSecond, limit: FRAME_MS },
    { what: 'picture of 2048 tokens, 1 head', slowdown: 1, ms: measured.longRow, limit: null },
    { what: 'longest task in all of this', slowdown: 1, ms: measured.longestTask, limit: 50 },
  ];
}

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium' });
/** @type {Figure[]} */
const figures = [];
try {
  await opening(browser, 1); // the browser's own start
  for (const slowdown of [1, 6]) {
    const all = [];
    for (let i = 0; i < OPENINGS; i++) all.push(await opening(browser, slowdown));
    figures.push(
      { what: 'first pixels', slowdown, ms: median(all.map(({ seen }) => seen)), limit: slowdown === 6 ? 100 : null },
      { what: 'first pixels of a page of one line', slowdown, ms: median(all.map(({ line }) => line)), limit: null },
      { what: 'page can be used', slowdown, ms: median(all.map(({ usable }) => usable)), limit: slowdown === 1 ? 200 : null },
      {
        what: `edit to frame at ${TOKENS} tokens`, slowdown, ms: await edits(browser, slowdown),
        limit: slowdown === 1 ? FRAME_MS : 50,
      },
    );
  }
  figures.push(...await largeSequences(browser));
} finally {
  await browser.close();
}
writeFileSync(new URL('../../build/bench-page.json', import.meta.url), `${JSON.stringify(figures, null, 1)}\n`);
for (const { what, slowdown, ms, limit } of figures) {
  const wanted = limit === null ? '' : `, should be ${short(limit)} or less`;
  stdout.write(`Page, ${what}, ${slowdown === 1 ? 'at full speed' : `${slowdown} times slower`}: ${short(ms)} ms${wanted}\n`);
}
