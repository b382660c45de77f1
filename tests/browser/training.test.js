// Training as people use it: play until the loss falls below the floor, pause, undo, step 0, divergence, targets of
// one's own; by mouse and by keyboard alone, in a hidden tab, with little motion; axe-core finds nothing in it.
// Read next: reading.js, ../node/training-page.test.js (the numbers).

import assert from 'node:assert/strict';
import { LAPTOP, PHONE, PROJECTOR, inBrowsers } from './browsers.js';
import { cell, edit, exactNumbers, flip, notice, openExample, press, readout, shows, violations } from './reading.js';

/** @typedef {import('./reading.js').Page} Page */

const WEIGHTS = ['Query weights', 'Key weights', 'Value weights'];

/** @param {Page} page @param {string} task */
async function openTask(page, task) {
  await page.locator('.openers').getByRole('button', { name: 'Train', exact: true }).click();
  await press(page, task);
  await figure(page, 'floor').waitFor();
}

/** A number of the bar above the figure. @param {Page} page @param {string} name */
const figure = (page, name) => page.locator('.train-figures div').filter({ hasText: name }).locator('dd');

/** @param {Page} page @param {string} name */
const read = async (page, name) => Number((await figure(page, name).textContent() ?? '').replace('−', '-'));

/** The exact weights. @param {Page} page */
async function weights(page) {
  const all = [];
  for (const name of WEIGHTS) all.push(await exactNumbers(page, name));
  return all;
}

/** Why training rests, and what is offered. @param {Page} page */
const news = async (page) => (await page.locator('.train-news').allTextContents()).join(' ').replace(/\s+/g, ' ').trim();

/** Wait until something holds. @param {() => Promise<boolean>} holds @param {string} what */
async function until(holds, what) {
  const end = Date.now() + 60_000;
  while (!await holds()) assert.ok(Date.now() < end, `it never came to this: ${what}`);
}

inBrowsers((test, browser) => {
  test('play: the loss falls below the floor while the heatmap moves; pause; undo gives the weights back', async ({ open }) => {
    const page = await open();
    await flip(page, 'Causal mask');
    await openTask(page, 'Fetch my colour’s payload');
    assert.equal(await figure(page, 'floor').textContent(), '0.0347');
    const first = await weights(page);
    await cell(page, 'Attention weights', 5, 1).focus();
    const before = await readout(page);
    await press(page, 'Play');
    const start = Date.now();
    await until(async () => await read(page, 'loss') < 0.0347, 'a loss below the floor');
    // The machine that tests may be slow and busy; at 60 frames a second it takes two seconds.
    assert.ok(Date.now() - start < 30_000, `${Date.now() - start} ms`);
    assert.notEqual(await readout(page), before, 'the number in focus keeps ticking');
    await press(page, 'Pause');
    const step = await read(page, 'step');
    await shows(async () => (await notice(page)).startsWith(`Step ${step}, loss 0.0`), true);
    const gone = await weights(page);
    assert.notDeepEqual(gone, first);
    await press(page, 'Undo');
    await shows(() => read(page, 'step'), 0);
    assert.deepEqual(await weights(page), first);
    await press(page, 'Redo');
    await shows(() => read(page, 'step'), step);
    assert.deepEqual(await weights(page), gone);
    await press(page, 'Back to step 0');
    await shows(() => read(page, 'step'), 0);
    assert.deepEqual(await weights(page), first);
  });

  test('the same seed gives the same numbers again, in single steps too; what one looks at moves none', async ({ open }) => {
    const page = await open();
    await openTask(page, 'Copy the previous token');
    await press(page, '10 steps');
    await shows(() => read(page, 'step'), 10);
    const ten = await weights(page);
    await press(page, 'Back to step 0');
    for (let step = 1; step <= 10; step++) {
      await press(page, '1 step');
      await shows(() => read(page, 'step'), step);
    }
    assert.deepEqual(await weights(page), ten);
    await page.getByLabel('Learning rate').selectOption('0.1');
    await press(page, 'Auto-scale now');
    await page.getByLabel('On the screen').selectOption({ label: 'held out 7' });
    await page.getByRole('heading', { name: 'Held-out sequence 7, solved' }).waitFor();
    assert.deepEqual([await weights(page), await read(page, 'step')], [ten, 10]);
    await page.getByLabel('Seed of step 0').selectOption('2');
    await shows(() => read(page, 'step'), 0);
  });

  test('a learning rate of 10 diverges: it pauses, keeps the last finite state, offers undo and a smaller rate', async ({ open }) => {
    const page = await open();
    await openTask(page, 'Fetch my colour’s payload');
    const first = await weights(page);
    await page.getByLabel('Learning rate').selectOption('10');
    await press(page, 'Play');
    await until(async () => (await news(page)).startsWith('Diverged at learning rate 10: '), 'divergence');
    for (const text of await page.locator('main').allTextContents()) assert.doesNotMatch(text, /NaN|∞/);
    await page.getByRole('button', { name: 'Learning rate 3', exact: true }).click();
    assert.equal(await page.getByLabel('Learning rate').inputValue(), '3');
    await press(page, 'Undo');
    assert.deepEqual(await weights(page), first);
    assert.equal(await news(page), '');
  });

  test('targets of one’s own are learnt; given weights and planted bugs say why nothing can be trained', async ({ open }) => {
    const page = await open();
    await page.locator('.openers').getByRole('button', { name: 'Train', exact: true }).click();
    await page.getByText('There is nothing to train here:').waitFor();
    await openExample(page, 'Causal: six tokens');
    await press(page, 'Fit these context rows');
    await edit(page, 'Targets', 2, 1, '0.9');
    await shows(async () => (await cell(page, 'Targets', 2, 1).textContent())?.trim(), '0.90');
    const before = await read(page, 'loss');
    await page.getByLabel('Optimiser').selectOption({ label: 'Adam' });
    await page.getByLabel('Steps a frame').selectOption('25');
    await press(page, 'Play');
    await until(async () => await read(page, 'loss') < before / 4, 'a loss that falls');
    if (await page.getByRole('button', { name: 'Pause', exact: true }).count() > 0) await press(page, 'Pause');
    await press(page, 'Compare with step 0');
    await page.getByRole('table', { name: 'Difference: Attention weights' }).waitFor();
    await page.locator('.openers').getByRole('button', { name: 'Planted bugs' }).click();
    await page.locator('.bug-list button[data-act="plant"]:not([disabled])').first().click();
    await page.getByText('Training waits while a bug is planted').first().waitFor();
    const step = await read(page, 'step');
    await page.getByRole('button', { name: '10 steps', exact: true }).click({ force: true });
    assert.equal(await read(page, 'step'), step);
  });

  test('zero W_query and W_key do not move, with the reason; any weight shows its gradient, checked', async ({ open }) => {
    const page = await open();
    await openTask(page, 'Fetch my colour’s payload');
    await press(page, 'Start from zero W_query and W_key');
    await page.getByText('W_query and W_key are both 0, and so they stay').waitFor();
    await press(page, '10 steps');
    await shows(() => read(page, 'step'), 10);
    const [query, key, value] = await weights(page);
    assert.deepEqual([...query, ...key].flat(), Array(20).fill(0));
    assert.ok(value.flat().every((one) => one !== 0));
    await cell(page, 'Value weights', 4, 2).focus();
    await press(page, 'Gradient of Value weights, row 4, column 2');
    const text = await page.locator('.gradient-check').textContent() ?? '';
    const [, analytic, numerical] = text.match(/gradient ([−\d.e]+); checked by[^:]*: ([−\d.e]+)\. They/) ?? [];
    assert.ok(Math.abs(Number(analytic.replaceAll('−', '-')) - Number(numerical.replaceAll('−', '-'))) < 1e-4, text);
    const shown = async () => (await page.locator('.gradient-check').textContent() ?? '').trim().split(':')[0];
    await cell(page, 'Key weights', 2, 1).focus();
    await shows(shown, 'Key weights, row 2, column 1', 'it follows the focus');
    await press(page, 'Play');
    await cell(page, 'Query weights', 3, 2).focus();
    await shows(shown, 'Query weights, row 3, column 2', 'while playing too');
  });

  test('by keyboard alone: open, choose, play, pause, step; the focus stays where one works', async ({ open }) => {
    const page = await open();
    const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim().replace(/\s+/g, ' ') ?? '');
    await page.locator('.openers').getByRole('button', { name: 'Train', exact: true }).focus();
    await page.keyboard.press('Enter');
    // Past the buttons of the instruments that come after it.
    for (let i = 0; i < 4 && !(await focused()).startsWith('Fetch'); i++) await page.keyboard.press('Tab');
    assert.equal(await focused(), 'Fetch my colour’s payload');
    await page.keyboard.press('Enter');
    await shows(focused, '▶ Play');
    await page.keyboard.press('Enter');
    await shows(focused, '❚❚ Pause');
    await until(async () => await read(page, 'step') > 5, 'a few steps');
    await page.keyboard.press('Enter');
    await shows(focused, '▶ Play');
    const step = await read(page, 'step');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await shows(() => read(page, 'step'), step + 1);
  });

  test('a hidden tab pauses it, and says so', async ({ open }) => {
    const page = await open();
    await openTask(page, 'Fetch my colour’s payload');
    await press(page, 'Play');
    await until(async () => await read(page, 'step') > 2, 'a few steps');
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: true, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await shows(async () => (await news(page)).includes('while the page was hidden'), true);
  });

  test('with reduced motion it plays in leaps, and says so', async ({ open }) => {
    const page = await open({ reducedMotion: true });
    await openTask(page, 'Fetch my colour’s payload');
    await page.getByText('Little motion is asked for on this device').waitFor();
    await press(page, 'Play');
    await until(async () => await read(page, 'step') >= 60, 'two leaps');
    assert.equal(await read(page, 'step') % 30, 0);
    await press(page, 'Pause');
  });

  test('the page answers while it trains at full speed, and stops at a limit by itself', async ({ open }) => {
    const page = await open();
    await openTask(page, 'Fetch my colour’s payload');
    await page.getByLabel('Steps a frame').selectOption('100');
    await page.getByLabel('Pause after steps').selectOption('10000');
    await page.getByLabel('Pause below loss').selectOption({ label: 'never' });
    await press(page, 'Play');
    await press(page, 'Next row');
    await page.locator('#row-title').filter({ hasText: 'Row 6' }).waitFor();
    assert.ok(await read(page, 'step') < 10000, 'it still trains');
    await until(async () => (await news(page)).startsWith('Paused at step 10000'), 'the limit');
    assert.ok(await read(page, 'loss') < 0.001);
    await page.getByText('The curve as a table').click();
    const rows = page.getByRole('table', { name: 'The curve as a table' }).locator('tbody tr');
    assert.ok(await rows.count() > 10 && await rows.count() < 25);
    assert.equal(await rows.last().locator('th').textContent(), '10000');
  });

  for (const { dark, size } of browser === 'chromium'
    ? [{ dark: false, size: LAPTOP }, { dark: true, size: PHONE }, { dark: false, size: PROJECTOR }] : [{ dark: true, size: LAPTOP }]) {
    test(`axe-core finds nothing, ${dark ? 'dark' : 'light'}, ${size.width} wide; nothing sticks out`, async ({ open }) => {
      const page = await open({ dark, size });
      for (const task of ['Fetch my colour’s payload', 'Fit these context rows']) {
        if (task.startsWith('Fetch')) await openTask(page, task);
        else await press(page, task);
        await press(page, '10 steps');
        await page.getByText('The curve as a table').click();
        await page.getByLabel('Optimiser').selectOption({ label: 'Adam' });
        assert.deepEqual(await violations(page), [], task);
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(width <= size.width, `${task}: ${width} wide`);
        const small = await page.locator('.train-bar, #panel-training').evaluateAll((parts) => parts.flatMap((part) =>
          [...part.querySelectorAll('button, select')].filter((one) => one.getBoundingClientRect().height < 44)
            .map((one) => one.textContent)));
        assert.deepEqual(small, []);
      }
    });
  }
});
