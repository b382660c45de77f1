// Questions as people meet them: each kind answered by keyboard alone, from the link that a teacher sends to the answer;
// the answer is nowhere on the page before; several predictions; a change while one is open; axe-core finds nothing.
// Read next: reading.js, ../node/questions.test.js (the answers), ../node/veil.test.js (what is hidden).

import assert from 'node:assert/strict';
import { stateToLink } from '../../web/io/link.js';
import { KINDS } from '../../web/model/questions.js';
import { update } from '../../web/model/update.js';
import { opening, runner } from '../node/frames.js';
import { LAPTOP, PHONE, inBrowsers } from './browsers.js';
import { edit, grid, press, shows, texts, violations } from './reading.js';

/**
 * @typedef {import('./reading.js').Page} Page
 * @typedef {import('../../web/model/update.js').Action} Action
 */

const digits = /** @type {Action} */ ({ type: 'digits', digits: 6 });

/**
 * The state of an example with a question open, and its link.
 * @param {string} example @param {string} kind @param {number} seed @param {Action[]} before
 */
async function asking(example, kind, seed, ...before) {
  const start = await opening(example);
  const state = [...before, /** @type {Action} */ ({ type: 'ask', kind, seed })].reduce((last, action) => {
    const outcome = update(last, action);
    assert.ok('state' in outcome);
    return outcome.state;
  }, start);
  const link = stateToLink(state, start);
  assert.ok('hash' in link);
  return { state, hash: link.hash };
}

/** @param {Page} page */
const card = async (page) => (await page.locator('#question').textContent() ?? '').trim().replace(/\s+/g, ' ');

/** The element in focus, as one would name it. @param {Page} page */
const focused = (page) => page.evaluate(() => {
  const { activeElement: one } = document;
  return one?.id || (one?.textContent ?? '').trim();
});

/** Go on by Tab until something has the focus. @param {Page} page @param {string} name */
async function tabTo(page, name) {
  for (let i = 0; i < 40; i++) {
    if (await focused(page) === name) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`Tab does not come to ${name}, but to ${await focused(page)}`);
}

/** Every text, name and title of the page; also those of what is only heard. @param {Page} page */
const everything = (page) => page.evaluate(() => [document.body.innerText, document.body.textContent,
  ...[...document.querySelectorAll('#app *')].flatMap((one) => [...one.attributes].map(({ value }) => value))].join('\n'));

/** What one presses once the first field of a kind's form has the focus. @type {Record<string, (page: Page) => Promise<void>>} */
const ANSWERS = {
  'fill-cell': (page) => page.keyboard.type('0,5'),
  'shape': async (page) => {
    await page.keyboard.type('6');
    await page.keyboard.press('Tab');
    await page.keyboard.type('2');
  },
  'top-token': (page) => page.keyboard.press(' '),
  'contributes': (page) => page.keyboard.press(' '),
  'mask-changes': (page) => page.keyboard.press(' '),
  'only': (page) => page.keyboard.press(' '),
  'bug': (page) => page.keyboard.press('ArrowDown'),
};

inBrowsers((test, browser) => {
  for (const kind of KINDS) {
    test(`${kind} is answered by keyboard alone, from its link to the arithmetic`, async ({ open, site }) => {
      const bug = /** @type {Action[]} */ (kind === 'bug' ? [{ type: 'fault', fault: 'scale_missing', place: 0, mystery: 5 }] : []);
      const { hash } = await asking('multi-head', kind, 5, ...bug);
      const page = await open({ url: `${site}${hash}` });
      await page.locator('#question').focus();
      assert.match(await card(page), /Hidden until you predict or skip\./);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await ANSWERS[kind](page);
      await tabTo(page, 'Predict');
      await page.keyboard.press('Enter');
      await shows(() => focused(page), 'Show the answer');
      assert.match(await card(page), /Predicted so far: /);
      await page.keyboard.press('Enter');
      await shows(() => focused(page), 'answer');
      assert.match(await card(page), /Predicted.*Answer/);
      if (['fill-cell', 'top-token', 'contributes', 'only'].includes(kind)) {
        await tabTo(page, 'Show the arithmetic');
        await page.keyboard.press('Enter');
        await shows(() => focused(page), 'number-title');
      }
    });
  }

  test('the number that is asked for is nowhere on the page before it is shown, and there after', async ({ open, site }) => {
    for (const seed of [1, 3, 5, 6]) {
      const { state, hash } = await asking('multi-head', 'fill-cell', seed, digits, { type: 'panel', panel: 'plane', open: true },
        { type: 'panel', panel: 'routes', open: true });
      const { answer } = await runner.run({ ...state, view: { ...state.view, question: state.view.question && { ...state.view.question, revealed: true } } });
      const number = Math.abs(Number(answer?.right)).toFixed(6);
      const page = await open({ url: `${site}${hash}` });
      await page.locator('#question').waitFor();
      assert.ok(!(await everything(page)).includes(number), `${number} before`);
      await press(page, 'Skip, and show it');
      await page.locator('#answer').waitFor();
      assert.ok((await everything(page)).includes(number), `${number} after`);
      assert.match(await card(page), /Predictedskipped/);
    }
  });

  test('a class calls out numbers: all stand beside the answer, and the closest is named', async ({ open, site }) => {
    const { hash } = await asking('warm-up', 'fill-cell', 2);
    const page = await open({ url: `${site}${hash}` });
    for (const number of ['1', '3', '10']) {
      await page.getByLabel('Your number').fill(number);
      await page.keyboard.press('Enter');
      await shows(async () => (await card(page)).includes(`· ${number}`) || (await card(page)).includes(`so far: ${number}`), true);
    }
    await press(page, 'Show the answer');
    await shows(async () => /Predicted1 −1.5 from the number shown.*Predicted10 \+7.5.*Answer2\.50.*The closest was 3\./.test(await card(page)), true);
    assert.equal((await texts(page, 'Context vectors'))[0][0], '2.50');
    await press(page, 'Another one');
    await shows(async () => (await card(page)).includes('Hidden until you predict or skip.'), true);
    await shows(() => focused(page), 'question');
    await page.getByRole('button', { name: 'Close the question' }).click();
    await shows(() => page.locator('#question').count(), 0);
    assert.ok(!(await texts(page, 'Context vectors')).flat().includes('?'));
  });

  test('what was predicted is still there after the page is loaded again', async ({ open, site }) => {
    const { hash } = await asking('warm-up', 'fill-cell', 2);
    const page = await open({ url: `${site}${hash}` });
    await page.getByLabel('Your number').fill('7');
    await press(page, 'Predict');
    await shows(async () => (await card(page)).includes('so far: 7'), true);
    // What is kept follows a second behind.
    await shows(() => page.evaluate(() => Object.values(localStorage).some((text) => /"predictions":\s*\[\s*7/.test(text))), true);
    await page.reload();
    await page.locator('#question').waitFor();
    await shows(async () => (await card(page)).includes('so far: 7'), true);
  });

  test('what is no number is refused in a sentence, and what is edited meanwhile asks anew', async ({ open, site }) => {
    const { hash } = await asking('warm-up', 'fill-cell', 2);
    const page = await open({ url: `${site}${hash}` });
    await page.getByLabel('Your number').fill('high');
    await press(page, 'Predict');
    await page.getByText('Expected one number, such as 0.25 or −1; got "high". What was predicted before stays.').waitFor();
    await shows(() => page.getByLabel('Your number').inputValue(), 'high');
    await page.getByLabel('Your number').fill('2');
    await press(page, 'Predict');
    await edit(page, 'Inputs', 1, 1, '9');
    await page.getByText('The numbers have changed: the question is asked again, of the new ones.').waitFor();
    assert.match(await card(page), /Hidden until you predict or skip\./);
    assert.equal((await texts(page, 'Context vectors'))[0][0], '?');
  });

  test('a hidden number opens no field and no file, and is heard as hidden', async ({ open, site }) => {
    const { hash } = await asking('warm-up', 'top-token', 1);
    const page = await open({ url: `${site}${hash}` });
    const hidden = grid(page, 'Attention weights').getByRole('gridcell', { name: 'hidden for now' });
    await shows(() => hidden.count(), 3);
    await hidden.first().focus();
    await page.keyboard.press('F2');
    assert.equal(await page.locator('.editor').count(), 0);
    await press(page, 'Export');
    await page.getByRole('button', { name: /CSV/ }).first().click();
    await page.getByText('Some of these numbers are hidden while a question is open').waitFor();
  });

  test('another kind is chosen and asked; where the bug is plants one, and its answer names it', async ({ open, site }) => {
    const { hash } = await asking('causal', 'only', 1);
    const page = await open({ url: `${site}${hash}` });
    await page.getByLabel('Other questions').selectOption({ label: 'Where is the bug?' });
    await press(page, 'Ask');
    await page.getByText('A bug is planted in the batched route (seed 1). Where is it?').waitFor();
    await page.locator('.bug-banner').getByText('Mystery bug').waitFor();
    await page.locator('#question select.prediction').selectOption({ index: 2 });
    await press(page, 'Predict');
    await press(page, 'Show the answer');
    await page.locator('#answer').waitFor();
    assert.doesNotMatch(await page.locator('.bug-banner').textContent() ?? '', /Mystery/);
  });

  for (const size of browser === 'chromium' ? [LAPTOP, PHONE] : [LAPTOP]) {
    test(`axe-core finds nothing in a question of any kind, before and after, ${size === PHONE ? 'on a phone' : 'on a laptop'}`, async ({ open, site }) => {
      for (const kind of ['fill-cell', 'contributes', 'shape', 'mask-changes']) {
        const { hash } = await asking('causal', kind, 2);
        const page = await open({ url: `${site}${hash}`, size, dark: size === PHONE });
        await page.locator('#question').waitFor();
        assert.deepEqual(await violations(page), [], kind);
        await press(page, 'Skip, and show it');
        await page.locator('#answer').waitFor();
        assert.deepEqual(await violations(page), [], `${kind}, shown`);
        const narrow = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
        assert.equal(narrow, false, 'nothing runs out of the window');
      }
    });
  }
});
