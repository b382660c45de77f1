// Starts Debian's Chromium and Firefox for a suite and opens the built page in them, over http or from the disk. Every
// console error or warning, every uncaught error, every blocked style or script and every request that is not the page
// itself fails the test that saw it. Holds no test. Read next: reading.js (what tests read and do on the page).

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium, firefox } from 'playwright-core';
import { serveFolder } from '../../tools/serve.mjs';

/**
 * @typedef {import('playwright-core').Page} Page
 * @typedef {import('playwright-core').Browser} Browser
 * @typedef {'chromium' | 'firefox'} Name
 * @typedef {{ dark?: boolean, reducedMotion?: boolean }} Look
 *
 * @typedef {object} Opening
 * @property {string} [url]        where the page is; left out: the site, over http
 * @property {{ width: number, height: number }} [size]
 * @property {boolean} [dark]
 * @property {boolean} [reducedMotion]
 * @property {boolean} [touch]     Chromium only: Firefox cannot be given fingers
 * @property {boolean} [forcedColors] Chromium only
 * @property {boolean} [starts]    false where the page is not expected to start; it is else waited for
 * @property {RegExp} [expected]   faults that the test provokes: at least one must occur
 * @property {(page: Page) => Promise<unknown>} [prepare] before the page is loaded
 *
 * @typedef {object} Session       what a test is given
 * @property {Name} name
 * @property {string} site         the site's address
 * @property {string} folder       an empty folder, removed after the suite
 * @property {(opening?: Opening) => Promise<Page>} open
 */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const SINGLE_FILE = join(ROOT, 'dist/attention-rows.html');
export const FROM_DISK = pathToFileURL(SINGLE_FILE).href;
const SITE = join(ROOT, 'dist/site');
const TITLES = { chromium: 'Chromium', firefox: 'Firefox' };
export const LAPTOP = { width: 1440, height: 900 };
export const PROJECTOR = { width: 1920, height: 1080 };
export const PHONE = { width: 390, height: 844 };

/** Firefox obeys preferences alone: what Playwright's emulation asks for is silently ignored there.
 * @param {Name} name @param {Look} look */
function launch(name, { dark, reducedMotion }) {
  if (name === 'chromium') return chromium.launch({ executablePath: '/usr/bin/chromium' });
  return firefox.launch({
    channel: 'moz-firefox',
    executablePath: '/usr/bin/firefox-esr',
    firefoxUserPrefs: {
      'security.fileuri.strict_origin_policy': true, // off under automation, on for everyone else
      'layout.css.prefers-color-scheme.content-override': dark ? 0 : 1,
      'ui.prefersReducedMotion': reducedMotion ? 1 : 0,
    },
  });
}

/**
 * A suite whose tests run in both browsers, side by side; within one browser, one after the other.
 * @param {(test: (title: string, body: (session: Session) => Promise<void>) => void, name: Name) => void} define
 * @param {Name[]} [names]
 */
export function inBrowsers(define, names = ['chromium', 'firefox']) {
  describe('in real browsers', { concurrency: names.length }, () => {
    for (const name of names) describe(`in ${TITLES[name]}`, { concurrency: 1 }, () => suite(name, define));
  });
}

/** @param {Name} name @param {Parameters<typeof inBrowsers>[0]} define */
function suite(name, define) {
  /** @type {Map<string, Promise<Browser>>} */
  const browsers = new Map();
  /** @type {Awaited<ReturnType<typeof serveFolder>>} */
  let server;
  let folder = '';

  before(async () => {
    server = await serveFolder(SITE, 0);
    folder = mkdtempSync(join(tmpdir(), 'attention-rows-'));
  });
  after(async () => {
    for (const browser of browsers.values()) await (await browser).close();
    await server.close();
    rmSync(folder, { recursive: true });
  });

  /** One browser for all tests; in Firefox, one for each look. @param {Look} look */
  function browserFor({ dark = false, reducedMotion = false }) {
    const look = name === 'firefox' ? { dark, reducedMotion } : {};
    const key = JSON.stringify(look);
    const started = browsers.get(key) ?? launch(name, look);
    browsers.set(key, started);
    return started;
  }

  define((title, body) => {
    it(title, { timeout: 120_000 }, async () => {
      /** @type {{ page: Page, check: () => void }[]} */
      const opened = [];
      const open = async (/** @type {Opening} */ opening = {}) => {
        const page = await newPage(await browserFor(opening), opening);
        opened.push({ page, check: watch(page, opening) });
        await opening.prepare?.(page);
        await page.goto(opening.url ?? server.address);
        if (opening.starts ?? true) await page.getByRole('grid', { name: 'Context vectors', exact: true }).waitFor();
        return page;
      };
      try {
        await body({ name, site: server.address, folder, open });
        for (const { check } of opened) check();
      } finally {
        for (const { page } of opened) await page.context().close();
      }
    });
  }, name);
}

/** @param {Browser} browser @param {Opening} opening */
async function newPage(browser, { size = LAPTOP, dark, reducedMotion, touch, forcedColors }) {
  const context = await browser.newContext({
    viewport: size,
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
    ...(touch ? { hasTouch: true, isMobile: true } : {}),
    ...(forcedColors ? { forcedColors: 'active' } : {}),
  });
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  // Neither browser reports every blocked style on its console.
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, sample }) =>
      console.error(`blocked by the policy: ${violatedDirective} ${sample}`));
  });
  return page;
}

/**
 * Note every fault from now on; what is returned asserts that there was none but those expected.
 * @param {Page} page @param {Opening} opening
 */
function watch(page, { expected }) {
  /** @type {string[]} */
  const faults = [];
  page.on('console', (message) => {
    if (['error', 'warning', 'assert'].includes(message.type())) faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`uncaught: ${error.message}`));
  page.on('request', (request) => {
    const itself = request.isNavigationRequest() || /^(data|blob):/.test(request.url());
    if (!itself) faults.push(`request: ${request.url()}`);
  });
  return () => {
    assert.deepEqual(faults.filter((fault) => !expected?.test(fault)), [], 'the page had faults');
    if (expected) assert.ok(faults.some((fault) => expected.test(fault)), `nothing matched ${expected}`);
  };
}
