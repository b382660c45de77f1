// The short path, walked on the page: from the warm-up to the last card of the last chapter by the keyboard alone, each
// step done and said to be; the bridges between chapters; the toy taken along; the switches folded on a phone.
// Read next: ../node/lesson.test.js (what has a step done, and every number of "what changed").

import assert from 'node:assert/strict';
import { PHONE, inBrowsers } from './browsers.js';
import { cell, flip, notice, openExample, press, shows, texts } from './reading.js';

/** @typedef {import('./reading.js').Page} Page */

const strip = (/** @type {Page} */ page) => page.locator('.lesson');

/** Where the path is: "Causal, step 2 of 3". @param {Page} page */
const place = (page) => strip(page).getAttribute('aria-label');

/** @param {Page} page */
const isDone = async (page) => await strip(page).getByText('✓ done').count() === 1;

/** Go by Tab, or back, until the focus is on what has this name. @param {Page} page @param {RegExp} name @param {string} [key] */
async function tabTo(page, name, key = 'Tab') {
  for (let presses = 0; presses < 150; presses += 1) {
    const at = await page.evaluate(() => {
      const one = document.activeElement;
      const grid = one?.closest('[role=grid]')?.getAttribute('aria-label');
      return grid ? `in ${grid}` : one?.getAttribute('aria-label') ?? one?.textContent?.trim() ?? '';
    });
    if (name.test(at)) return;
    await page.keyboard.press(key);
  }
  assert.fail(`no Tab reaches ${name}`);
}

/** @param {Page} page @param {string} text */
async function type(page, text) {
  await page.keyboard.press('F2');
  await page.keyboard.insertText(text);
  await page.keyboard.press('Enter');
}

/** @param {Page} page @param {string} where */
const saysDone = (page, where) => shows(async () => /(^|\S )Done\. Go on with Next when you like\.$/.test(await notice(page)), true, where);

/** Have the question of the step asked, its answer shown, and close it. @param {Page} page */
async function askAndSkip(page) {
  await tabTo(page, /^Ask me$/, 'Shift+Tab');
  await page.keyboard.press('Enter');
  await page.locator('#question:focus').waitFor();
  assert.equal(await page.locator('.lesson-text').count(), 0);
  await tabTo(page, /^Skip, and show it$/);
  await page.keyboard.press('Enter');
  await page.locator('#answer').waitFor();
  await saysDone(page, 'a question');
  await tabTo(page, /^Close the question$/, 'Shift+Tab');
  await page.keyboard.press('Enter');
}

/** What is done by keys alone at each step; what is not named here is only read. @type {Record<string, (page: Page) => Promise<void>>} */
const BY_KEYS = {
  'Warm-up: Blend, step 1 of 5': async (page) => {
    await tabTo(page, /^in Attention weights$/);
    await page.keyboard.press('ArrowDown');
  },
  'Warm-up: Blend, step 2 of 5': async (page) => {
    await tabTo(page, /^in Attention weights$/);
    await type(page, '0.5');
  },
  'Warm-up: Blend, step 3 of 5': async (page) => {
    await tabTo(page, /^Open Shapes$/, 'Shift+Tab');
    await page.keyboard.press('Enter');
  },
  'Warm-up: Blend, step 4 of 5': askAndSkip,
  'Simplified, step 2 of 4': async (page) => {
    await tabTo(page, /^in Inputs$/);
    await type(page, '0.9');
  },
  'Simplified, step 3 of 4': askAndSkip,
  'Trainable, step 2 of 5': async (page) => {
    await tabTo(page, /^in Query weights$/);
    await type(page, '0.9');
  },
  'Trainable, step 3 of 5': async (page) => {
    await tabTo(page, /^Set identity$/, 'Shift+Tab');
    await page.keyboard.press('Enter');
  },
  'Trainable, step 4 of 5': askAndSkip,
  'Causal, step 2 of 4': async (page) => {
    await tabTo(page, /^in Inputs$/);
    await page.keyboard.press('Control+End');
    await type(page, '0.9');
  },
  'Causal, step 3 of 4': askAndSkip,
  'Multi-head, step 2 of 5': async (page) => {
    await tabTo(page, /^Show head 2$/);
    await page.keyboard.press('Enter');
  },
  'Multi-head, step 3 of 5': async (page) => {
    await tabTo(page, /^Set one head$/, 'Shift+Tab');
    await page.keyboard.press('Enter');
  },
  'Multi-head, step 4 of 5': askAndSkip,
};

inBrowsers((test) => {
  test('the short path leads from the first screen to the last card by keys alone, and says when a step is done', async ({ open }) => {
    const page = await open();
    const walked = [];
    await tabTo(page, /^Next$/);
    for (;;) {
      const here = await place(page) ?? assert.fail();
      walked.push(here);
      const does = BY_KEYS[here];
      if (does) {
        assert.equal(await isDone(page), false, here);
        await does(page);
        await shows(() => isDone(page), true, here);
        if (does !== askAndSkip) await saysDone(page, here);
        // From a button of the strip it is on, from the figure it is back.
        const onStrip = await strip(page).evaluate((one) => one.contains(document.activeElement));
        await tabTo(page, /^Next$/, onStrip ? 'Tab' : 'Shift+Tab');
      }
      if (here === 'Multi-head, step 5 of 5') break;
      await tabTo(page, /^Next/);
      await page.keyboard.press('Enter');
      await shows(async () => (await place(page)) !== here, true, `on from ${here}`);
      await tabTo(page, /^(Next|Again)/);
    }
    assert.deepEqual(walked.filter((here) => BY_KEYS[here]), Object.keys(BY_KEYS));
    assert.equal(walked.length, 23);
    assert.match(await strip(page).textContent() ?? '', /do not by themselves explain/);
  });

  test('after the answer Tab comes to Next, which leads to the next step; a question from elsewhere leads back', async ({ open }) => {
    const page = await open();
    for (let step = 1; step <= 3; step += 1) await press(page, 'Next');
    await press(page, 'Ask me');
    await press(page, 'Skip, and show it');
    await page.locator('#answer:focus').waitFor();
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Next');
    await page.keyboard.press('Enter');
    await shows(() => place(page), 'Warm-up: Blend, step 5 of 5');
    await page.locator('.lesson #onward:focus').waitFor();
    await press(page, 'Ask me');
    await press(page, 'Skip, and show it');
    await press(page, 'Back to the guide');
    await page.locator('.lesson #onward:focus').waitFor();
    assert.equal(await place(page), 'Warm-up: Blend, step 5 of 5');
  });

  test('the step that comes is heard, the focus stays on Next, and Back goes back', async ({ open }) => {
    const page = await open();
    await strip(page).getByRole('button', { name: 'Next' }).focus();
    await page.keyboard.press('Enter');
    await shows(() => notice(page), await page.locator('.lesson-text').textContent().then((text) => text?.trim()));
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Next');
    await press(page, 'Back');
    await shows(() => place(page), 'Warm-up: Blend, step 1 of 5');
    await strip(page).getByRole('button', { name: 'Back' }).focus();
    await page.keyboard.press('Enter');
    assert.equal(await place(page), 'Warm-up: Blend, step 1 of 5');
  });

  test('a bridge gives the numbers of the chapter before, says so, and is taken back at once', async ({ open }) => {
    const page = await open();
    await openExample(page, 'Simplified: six tokens');
    const simplified = await texts(page, 'Attention weights');
    await openExample(page, 'Trainable: six tokens');
    const trainable = await texts(page, 'Attention weights');
    for (let step = 1; step <= 2; step += 1) await press(page, 'Next');
    await press(page, 'Set identity');
    await shows(() => texts(page, 'Attention weights'), simplified);
    await strip(page).getByText('Nothing differs.').waitFor();
    await press(page, 'Undo');
    await shows(() => texts(page, 'Attention weights'), trainable);
    assert.equal(await place(page), 'Trainable, step 3 of 5');
  });

  test('the toy comes into a chapter by a button and by the list, goes on to the next one, and out again', async ({ open }) => {
    const page = await open();
    await openExample(page, 'Simplified: six tokens');
    await press(page, 'Use the toy');
    await shows(async () => (await texts(page, 'Inputs'))[2], ['5.00', '6.00']);
    await page.getByRole('button', { name: 'Simplified' }).and(page.locator('[aria-current=step]')).waitFor();
    for (let step = 1; step <= 3; step += 1) await press(page, 'Next');
    await press(page, 'Next chapter: Trainable');
    await shows(() => place(page), 'Trainable, step 1 of 5');
    assert.deepEqual((await texts(page, 'Inputs'))[2], ['5.00', '6.00']);
    await openExample(page, 'Causal: the toy');
    await shows(() => place(page), 'Causal, step 1 of 4');
    await openExample(page, 'Simplified: the toy');
    await press(page, 'Use the six tokens');
    await shows(async () => (await texts(page, 'Inputs')).length, 6);
  });

  test('what is new stands in the flow, opened from the strip with its branches', async ({ open }) => {
    const page = await open();
    await openExample(page, 'Causal: six tokens');
    await press(page, 'Show what is new');
    await page.getByRole('button', { name: /^Mask, .*new in this chapter/ }).waitFor();
    assert.equal(await page.locator('.flag').count(), 1);
    const top = await page.locator('#panel-flow').evaluate((one) => one.getBoundingClientRect().top);
    await shows(async () => await page.locator('#panel-flow').evaluate((one) => one.getBoundingClientRect().bottom <= innerHeight), true, `${top}`);
  });

  test('the path goes with a link', async ({ open }) => {
    const page = await open();
    await press(page, 'Next');
    await cell(page, 'Attention weights', 2, 1).focus();
    await page.keyboard.press('F2');
    await page.keyboard.insertText('0.5');
    await page.keyboard.press('Enter');
    await shows(() => isDone(page), true);
    await page.waitForFunction(() => location.hash.length > 1);
    const again = await open({ url: page.url() });
    await shows(() => place(again), 'Warm-up: Blend, step 2 of 5');
    assert.equal(await isDone(again), true);
  });

  test('on a phone the switches are behind a button, so that step and figure come first, and work when unfolded', async ({ open }) => {
    const page = await open({ size: PHONE });
    const mask = page.getByRole('switch', { name: 'Causal mask' });
    assert.equal(await mask.isVisible(), false);
    const [step, figure] = await page.locator('.lesson, .rows-region').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    assert.ok(step < figure && figure < 0.7 * PHONE.height, `${step}, ${figure}`);
    await flip(page, 'Causal mask');
    await shows(() => mask.getAttribute('aria-checked'), 'true');
    await page.getByRole('button', { name: 'Settings', expanded: true }).focus();
    await page.keyboard.press('Enter');
    await shows(() => mask.isVisible(), false);
    await page.setViewportSize({ width: 1440, height: 900 });
    await shows(() => mask.isVisible(), true);
    assert.equal(await page.getByRole('button', { name: 'Settings' }).isVisible(), false);
  });
});
