// What the tests read on the page and do to it, by the names that people hear: grids by accessible name, rows and
// columns counted from 1. Knows no expected number. Read next: browsers.js.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** @typedef {import('playwright-core').Page} Page */

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PATIENCE_MS = 15_000;
const PAUSE_MS = 15;

/**
 * Read until what is read equals what is expected; fail with the difference if it does not come to that.
 * @template T @param {() => Promise<T>} read @param {T} expected @param {string} [what]
 */
export async function shows(read, expected, what) {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const got = await read();
    try {
      return assert.deepEqual(got, expected, what);
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((ready) => { setTimeout(ready, PAUSE_MS); });
    }
  }
}

/** @param {Page} page @param {string} name */
export const grid = (page, name) => page.getByRole('grid', { name, exact: true });

/**
 * A cell by its row and column from 1; column 0 is the row's label.
 * @param {Page} page @param {string} name @param {number} row @param {number} column
 */
export const cell = (page, name, row, column) =>
  grid(page, name).locator(`[data-row="${row - 1}"][data-column="${column - 1}"]`);

/** The printed cells of a grid. @param {Page} page @param {string} name @returns {Promise<string[][]>} */
export const texts = (page, name) => grid(page, name).evaluate((table) =>
  [...table.querySelectorAll('tbody tr')].map((row) =>
    [...row.querySelectorAll('td')].map((td) => (td.textContent ?? '').trim())));

/** What is printed, as numbers; null where a cell is masked. @param {Page} page @param {string} name */
export const numbers = async (page, name) => (await texts(page, name)).map((row) => row.map(numberOf));

/** @param {string} text with a true minus */
const numberOf = (text) => (text === '' ? null : Number(text.replaceAll('\u2212', '-')));

/**
 * The exact numbers of a grid, as the readout says them when the focus is on each; null where it says "masked".
 * @param {Page} page @param {string} name @returns {Promise<(number | null)[][]>}
 */
export async function exactNumbers(page, name) {
  const said = await grid(page, name).evaluate((table) => [...table.querySelectorAll('tbody tr')].map((row) =>
    [...row.querySelectorAll('td')].map((td) => {
      td.focus();
      return document.querySelector('.readout')?.textContent ?? '';
    })));
  return said.map((row) => row.map((sentence) => {
    if (sentence.startsWith('masked')) return null;
    const exactly = sentence.match(/exactly ([^\s;]+)/);
    assert.ok(exactly, `the readout of ${name} says "${sentence}"`);
    return numberOf(exactly[1]);
  }));
}

/** The row labels of a grid, as a screen reader names them. @param {Page} page @param {string} name */
export const rowNames = (page, name) => grid(page, name).evaluate((table) =>
  [...table.querySelectorAll('tbody th')].map((th) => th.getAttribute('aria-label') ?? th.textContent?.trim() ?? ''));

/** @param {Page} page */
export const writtenSum = async (page) => (await page.locator('.written-sum').textContent() ?? '').trim();

/** What the page says. @param {Page} page */
export const notice = async (page) => (await page.getByRole('status').locator('span').allTextContents()).join(' ');

/** @param {Page} page */
export const readout = async (page) => (await page.locator('.readout').textContent() ?? '').trim();

/** Where the switches are folded behind a button, unfold them. @param {Page} page */
export async function unfoldSettings(page) {
  const button = page.getByRole('button', { name: 'Settings', exact: true, expanded: false });
  if (await button.isVisible()) await button.click();
}

/** @param {Page} page @param {string} label of the example's entry in the list */
export async function openExample(page, label) {
  await unfoldSettings(page);
  await page.getByRole('combobox', { name: 'Example' }).selectOption({ label });
  const again = `Reset: ${label}, as it was at first.`;
  await shows(async () => [`Opened: ${label}.`, again].includes(await notice(page)), true, `${label} is open`);
}

/**
 * Type over a cell and keep it.
 * @param {Page} page @param {string} name @param {number} row @param {number} column @param {string} text
 */
export async function edit(page, name, row, column, text) {
  await openEditor(page, name, row, column);
  await page.keyboard.insertText(text);
  await page.keyboard.press('Enter');
  await wholePage(page);
}

/** What an edit does not show in first is painted after the next frame. @param {Page} page */
export const wholePage = (page) => page.evaluate(() =>
  new Promise((painted) => { requestAnimationFrame(() => setTimeout(painted, 50)); }));

/** @param {Page} page @param {string} name @param {number} row @param {number} column */
export async function openEditor(page, name, row, column) {
  await cell(page, name, row, column).focus();
  await page.keyboard.press('F2');
  await cell(page, name, row, column).locator('input').waitFor();
}

/** @param {Page} page @param {string} group @param {string} choice */
export async function choose(page, group, choice) {
  await unfoldSettings(page);
  await page.getByRole('radiogroup', { name: group, exact: true }).getByRole('radio', { name: choice, exact: true }).check();
}

/** @param {Page} page @param {string} name */
export const press = (page, name) => page.getByRole('button', { name, exact: true }).click();

/** @param {Page} page @param {string} name */
export async function flip(page, name) {
  await unfoldSettings(page);
  await page.getByRole('switch', { name, exact: true }).click();
}

/**
 * All that axe-core's default rules object to, one line each.
 * @param {Page} page
 * @param {string[]} [within]  selectors; else the whole page
 * @returns {Promise<string[]>}
 */
export async function violations(page, within = ['html']) {
  if (!await page.evaluate(() => 'axe' in window)) await page.evaluate(AXE);
  return page.evaluate(async (parts) => {
    const { axe } = /** @type {{ axe: typeof import('axe-core') }} */ (/** @type {unknown} */ (window));
    const result = await axe.run({ include: parts.map((part) => [part]) }, { resultTypes: ['violations'] });
    return result.violations.flatMap(({ id, nodes }) => nodes.map((node) =>
      `${id}: ${node.html.slice(0, 160)} (${(node.failureSummary ?? '').replace(/\s+/g, ' ')})`));
  }, within);
}

/** The five examples: id, entry in the list, and the grids that each shows when it opens. */
export const EXAMPLES = [
  { id: 'warm-up', label: 'Warm-up: three tokens', grids: ['Attention weights', 'Inputs', 'Context vectors'] },
  { id: 'simplified', label: 'Simplified: six tokens', grids: ['Attention weights', 'Inputs', 'Context vectors'] },
  ...['trainable', 'causal'].map((id) => ({
    id,
    label: `${id[0].toUpperCase()}${id.slice(1)}: six tokens`,
    grids: ['Inputs', 'Query weights', 'Key weights', 'Value weights', 'Attention weights', 'Values',
      'Context vectors'],
  })),
  {
    id: 'multi-head',
    label: 'Multi-head: six tokens',
    grids: ['Inputs', 'Query weights', 'Key weights', 'Value weights', 'Output weights', 'Attention weights, head 1',
      'Attention weights, head 2', 'Values', 'Context vectors', 'Outputs'],
  },
];
