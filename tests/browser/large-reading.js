// What tests read and do in the instrument for large sequences. Holds no test. Read next: reading.js, large.test.js.

import { shows } from './reading.js';

/** @typedef {import('./reading.js').Page} Page */

/** @param {Page | import('playwright-core').FrameLocator} page */
export const status = async (page) => (await page.locator('.large-progress').innerText()).replace(/\s+/g, ' ').trim();

/** What the map shows. @param {Page} page */
export const axes = async (page) => (await page.locator('#large-axes').innerText()).replace(/\s+/g, ' ').trim();

/** The first and last row and column on the map. @param {Page} page */
export const shown = async (page) => [...(await axes(page)).matchAll(/\) (\d+) to (\d+)/g)].map(([, from, to]) => [Number(from), Number(to)]);

/** @param {Page} page */
export const cellText = (page) => page.locator('#large-close [role=status]').innerText();

/** @param {Page} page */
export async function openLarge(page) {
  await page.locator('.openers').getByRole('button', { name: 'Large', exact: true }).click();
  await computed(page);
}

/** @param {Page} page */
export async function computed(page) {
  await shows(async () => /^Computed in \d+ ms/.test(await status(page)), true, 'it is computed');
  await page.waitForFunction(() => /** @type {HTMLCanvasElement} */ (document.querySelector('#large-map')).width > 100);
}

/** @param {Page} page @param {string} name @param {string} text */
export async function type(page, name, text) {
  const field = page.locator('.instrument.large').getByRole('textbox', { name, exact: true });
  await field.click();
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
  await field.press('Enter');
  await field.blur();
}
