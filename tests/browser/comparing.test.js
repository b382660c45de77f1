// The instruments that check and compare, as people use them: both routes, planted bugs, the mystery, the checks, the
// pinned state, the ways to mask; by mouse, by touch, by keyboard alone; axe-core finds nothing in them.
// Read next: reading.js, ../node/comparing.test.js (the numbers).

import assert from 'node:assert/strict';
import { LAPTOP, PHONE, inBrowsers } from './browsers.js';
import { choose, edit, flip, notice, openExample, press, shows, violations } from './reading.js';

/** @typedef {import('./reading.js').Page} Page */

const PANELS = ['Two routes', 'Planted bugs', 'Checks', 'Compare', 'Ways to mask'];

/** An instrument that is open. @param {Page} page @param {string} name */
const panel = (page, name) => page.getByRole('region', { name, exact: true });

/** Open or fold. @param {Page} page @param {string} name */
const toggle = (page, name) => page.locator('.openers').getByRole('button', { name, exact: true }).click();

/** The cells of a table, row by row, as they read. @param {Page} page @param {string} name */
const table = (page, name) => page.getByRole('table', { name, exact: true }).evaluate((element) =>
  [...element.querySelectorAll('tbody tr')].map((row) => [...row.children].map((one) =>
    (one.textContent ?? '').trim().replace(/\s+/g, ' '))));

/** What each check says, and its figure. @param {Page} page */
const results = (page) => panel(page, 'Checks').locator('tbody tr').evaluateAll((rows) => rows.map((row) =>
  [row.querySelector('.badge')?.textContent ?? '', (row.children[1].textContent ?? '').trim()]));

/** A bug's button, by the name of the bug. @param {Page} page @param {string} bug */
const bugButton = (page, bug) => panel(page, 'Planted bugs').getByRole('listitem')
  .filter({ has: page.getByRole('heading', { name: bug, exact: true }) }).getByRole('button').last();

/** @param {Page} page */
const banner = async (page) => (await page.locator('.bug-banner p').allTextContents()).join(' ').trim().replace(/\s+/g, ' ');

/** @param {Page} page */
const card = async (page) => (await page.locator('.routes-card').textContent() ?? '').trim().replace(/\s+/g, ' ');

/** The parts that axe-core looks at here. */
const PARTS = ['.instruments', '.bug-banner', '.side'];

inBrowsers((test, browser) => {
  test('nothing is open at first; each instrument opens and folds away', async ({ open }) => {
    const page = await open();
    assert.equal(await page.locator('.instrument').count(), 0);
    for (const name of PANELS) {
      await toggle(page, name);
      await panel(page, name).waitFor();
      await toggle(page, name);
      await panel(page, name).waitFor({ state: 'detached' });
    }
  });

  test('a bug is planted, said, found by the other route, undone, done again and removed', async ({ open }) => {
    const page = await open();
    await openExample(page, 'Causal: six tokens');
    await shows(() => card(page).then((text) => text.includes('6 of 6 rows')), true);
    await toggle(page, 'Planted bugs');
    await page.getByLabel('Row for the first three').selectOption({ label: '4 with' });
    await bugButton(page, 'One input altered').click();
    const said = 'Planted bug: One input altered, row 4. The batched numbers are wrong on purpose; the other route is right.';
    await shows(() => banner(page), said);
    assert.match(await card(page), /Two routes differ 3 of 6 rows Show Several rows differ \(4, 5, 6\), exactly those that draw on token 4/);
    await press(page, 'Undo');
    await shows(() => banner(page), '');
    assert.match(await card(page), /6 of 6 rows/);
    await press(page, 'Redo');
    await shows(() => banner(page), said);
    await page.locator('.bug-banner').getByRole('button', { name: 'Remove the bug' }).click();
    await shows(() => banner(page), '');
    assert.match(await card(page), /6 of 6 rows/);
  });

  test('a bug that cannot show is disabled and says what it needs', async ({ open }) => {
    const page = await open();
    await toggle(page, 'Planted bugs');
    for (const [bug, why] of [
      ['Softmax over columns', 'Needs scores: weights that come from inputs·inputsᵀ or are trainable.'],
      ['Mask off by one', 'Needs the causal mask.'], ['Heads split by a plain reshape', 'Needs two heads or more.'],
    ]) {
      await shows(() => bugButton(page, bug).isDisabled(), true);
      assert.ok((await bugButton(page, bug).getAttribute('aria-describedby'))?.includes('why-'));
      assert.equal(await page.getByRole('listitem').filter({ hasText: bug }).locator('.why').textContent(), why);
    }
    await flip(page, 'Causal mask');
    await shows(() => bugButton(page, 'Mask off by one').isEnabled(), true);
  });

  test('both routes in full: the differing number, its term, tolerance, and tokens that arrive one by one', async ({ open }) => {
    const page = await open();
    await openExample(page, 'Causal: six tokens');
    await press(page, 'Show both routes');
    const differences = 'Batched − one token at a time, every number';
    await shows(async () => (await table(page, differences)).flatMap((row) => row.slice(1)).join(), Array(12).fill('0').join());
    await toggle(page, 'Planted bugs');
    await bugButton(page, 'One term wrong').click();
    await shows(async () => (await panel(page, 'Two routes').locator('.verdict').textContent())?.trim().split('\n')[0],
      'Only row 2 differs: look at row 2 of the attention weights, or at the product that formed its entries. The first disagreement is at position 2, in term 2.');
    const terms = await table(page, 'Row 2, position 2: the terms of both routes');
    assert.equal(terms[0][1], terms[0][2]);
    assert.notEqual(terms[1][1], terms[1][2]);
    assert.deepEqual(terms[2].slice(1), ['0', '0']);
    const lit = page.getByRole('table', { name: 'Row 2, position 2: the terms of both routes' }).locator('.first');
    assert.deepEqual(await lit.allTextContents(), terms[1].slice(1));
    await choose(page, 'Tolerance', 'exact');
    await panel(page, 'Two routes').getByText('the last bit may differ by the order of summation alone').waitFor();
    await press(page, 'Let the tokens arrive one by one');
    await press(page, 'Next token');
    await page.getByText('Token 2 (journey) arrived. No earlier row moved: the causal mask lets none of them look ahead.').waitFor();
    await flip(page, 'Causal mask');
    await page.getByText('Token 2 (journey) arrived, and an earlier row moved: row 1. It draws on the new token.').waitFor();
    await press(page, 'Open an input where the order shows');
    await panel(page, 'Two routes').getByText('Only the order of adding differs (rows 1, 3): every term is the same.').waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.textContent?.trim()), 'Two routes');
  });

  test('the mystery bug by touch: its name is nowhere before a place is said and it is revealed', async ({ open }) => {
    const page = await open({ size: PHONE, ...(browser === 'chromium' ? { touch: true } : {}) });
    const tap = (/** @type {import('playwright-core').Locator} */ one) => (browser === 'chromium' ? one.tap() : one.click());
    await openExample(page, 'Multi-head: six tokens');
    await tap(page.locator('.openers').getByRole('button', { name: 'Planted bugs' }));
    await page.getByLabel('Seed').fill('many');
    await tap(page.getByRole('button', { name: 'Plant a mystery bug' }));
    await shows(() => notice(page), '“many” is not a seed: expected a whole number from 0 to 999999.');
    await page.getByLabel('Seed').fill('7');
    await tap(page.getByRole('button', { name: 'Plant a mystery bug' }));
    await shows(() => banner(page),
      'A mystery bug is planted (seed 7). The batched numbers are wrong on purpose; the other route is right.');
    assert.equal(await page.locator('.bug-list .planted').count(), 0);
    assert.match(await card(page), /Two routes differ/);
    const reveal = page.getByRole('button', { name: 'Reveal' });
    assert.ok(await reveal.isDisabled());
    await page.getByText('Say first where you think it is.').waitFor();
    await page.getByLabel('Where is it?').selectOption({ label: 'weights, row 3' });
    await tap(reveal);
    const first = await page.locator('.revealed').textContent();
    assert.match(first ?? '', /You said: weights, row 3\.\s+It is: .+ \(place: .+\)\./);
    assert.match(await banner(page), /^Planted bug: /);
    await tap(page.locator('.bug-banner').getByRole('button', { name: 'Remove the bug' }));
    await tap(page.getByRole('button', { name: 'Plant a mystery bug' }));
    await page.getByLabel('Where is it?').selectOption({ label: 'weights, row 3' });
    await tap(reveal);
    assert.equal(await page.locator('.revealed').textContent(), first, 'the same seed, the same bug');
  });

  test('the checks run the known answers, "42 of 42", follow what is on screen, and fail under a bug', async ({ open }) => {
    const page = await open();
    await openExample(page, 'Multi-head: six tokens');
    await toggle(page, 'Checks');
    await page.getByText('42 of 42 come out').waitFor();
    await shows(async () => (await results(page)).map(([state]) => state), Array(6).fill('holds'));
    for (const [, figure] of await results(page)) assert.match(figure, /^(0|[\d.]+(e−\d+)?)$/);
    await flip(page, 'Causal mask');
    await page.getByText('Without the causal mask rows may move: changing token 6 moved rows 1, 2, 3, 4, 5.').waitFor();
    await flip(page, 'Causal mask');
    await toggle(page, 'Planted bugs');
    await bugButton(page, 'Mask off by one').click();
    await page.getByText('Changing token 6 moved row 5.').waitFor();
    await page.getByText('32 of 42 come out').waitFor();
    await page.getByText('of a book’s chapter on attention do').waitFor();
    await shows(async () => (await results(page))[5], ['fails', '']);
    await shows(async () => (await results(page)).map(([state]) => state), ['holds', 'fails', 'fails', 'fails', 'holds', 'fails']);
    await bugButton(page, 'Mask off by one').click();
    await page.getByText('42 of 42 come out').waitFor();
    await openExample(page, 'Warm-up: three tokens');
    await edit(page, 'Attention weights', 2, 2, '0.9');
    await shows(async () => (await results(page))[0], ['fails', '0.1']);
  });

  test('a pinned state against the one on screen: signed differences, heads, shapes that do not agree', async ({ open }) => {
    const page = await open();
    await openExample(page, 'Causal: six tokens');
    await toggle(page, 'Compare');
    await press(page, 'Pin this state');
    await page.getByText('Nothing differs.').first().waitFor();
    await flip(page, 'Causal mask');
    await page.getByText('On screen: Causal: six tokens · trainable · no mask · 1 head').waitFor();
    const [first] = await table(page, 'Difference: Attention weights');
    assert.match(first[1], /^−0\.\d+$/);
    for (const text of first.slice(2)) assert.match(text, /^\+0\.\d+$/);
    await choose(page, 'Heads', '2');
    await press(page, 'Show head 2');
    await page.getByText('head 2 less head 1 of the pinned state').waitFor();
    assert.deepEqual((await table(page, 'What each head does')).map(([name]) => name), ['head 1', 'head 2', 'pinned, head 1']);
    await press(page, 'Add a token');
    await page.getByText('The shapes do not agree: now 7 × 7, pinned 6 × 6.').waitFor();
    await press(page, 'Unpin');
    await page.getByText('Pinned: ').waitFor({ state: 'detached' });
  });

  test('three ways to mask, and the input with which the second fails', async ({ open }) => {
    const page = await open();
    await toggle(page, 'Ways to mask');
    await page.getByText('There are no scores to mask: the weights are given.').waitFor();
    await press(page, 'Open an input where renormalising fails');
    await shows(() => table(page, 'Ways to mask row 1, first'), [
      ['no mask', '0.00', '1.00', '0.00', '1.00', '30.00', '0.00'],
      ['−∞ before softmax', '1.00', 'masked', 'masked', '1.00', '10.00', '0.00'],
      ['after softmax, renormalised', '0.00', 'masked', 'masked', '0.00', '0.00', '0.00'],
      ['after softmax, not renormalised', '0.00', 'masked', 'masked', '0.00', '0.00', '0.00'],
    ]);
    await page.getByText('there is nothing left to renormalise (0/0').waitFor();
    await page.getByRole('rowheader', { name: 'no mask', exact: true }).waitFor();
    const box = await page.getByRole('rowheader', { name: 'no mask', exact: true }).boundingBox();
    assert.ok(box && box.height > 20, 'the row without a mask is there to compare with');
    await press(page, 'Next row');
    await page.getByText('−∞ before softmax, and renormalising after it, give the same row.').waitFor();
  });

  test('the bug that needs huge scores brings its example', async ({ open }) => {
    const page = await open();
    await openExample(page, 'Causal: six tokens');
    await toggle(page, 'Planted bugs');
    await press(page, 'Open an example with such scores');
    await bugButton(page, 'Masked scores filled with −10⁹').click();
    await shows(() => banner(page).then((text) => text.startsWith('Planted bug: Masked scores filled with −10⁹.')), true);
    assert.match(await card(page), /1 of 3 rows/);
  });

  test('by keyboard alone: open, plant, guess, reveal, remove; the focus stays where one works', async ({ open }) => {
    const page = await open();
    await openExample(page, 'Simplified: six tokens');
    const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');
    await page.locator('.openers').getByRole('button', { name: 'Planted bugs' }).focus();
    await page.keyboard.press('Enter');
    await panel(page, 'Planted bugs').waitFor();
    assert.equal(await focused(), 'Planted bugs');
    await page.getByLabel('Seed').focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('1234567');
    await page.keyboard.press('Enter');
    await shows(() => notice(page), '“1234567” is not a seed: expected a whole number from 0 to 999999.');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('12345');
    await page.keyboard.press('Enter');
    await shows(() => notice(page), 'A mystery bug is planted, seed 12345.');
    await shows(() => banner(page).then((text) => text.startsWith('A mystery bug is planted (seed 12345).')), true);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-act')), 'guess');
    await page.keyboard.press('ArrowDown');
    await page.getByText('You can still change your mind.').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('.revealed').waitFor();
    await page.locator('.bug-list .planted').getByRole('button').focus();
    await page.keyboard.press('Enter');
    await shows(() => banner(page), '');
    assert.match(await focused(), /^Plant/);
  });

  for (const { dark, size } of browser === 'chromium' ? [{ dark: false, size: LAPTOP }, { dark: true, size: PHONE }]
    : [{ dark: true, size: LAPTOP }]) {
    test(`axe-core finds nothing with all open, ${dark ? 'dark' : 'light'}, ${size.width} wide; nothing sticks out`, async ({ open }) => {
      const page = await open({ dark, size });
      for (const label of ['Warm-up: three tokens', 'Multi-head: six tokens']) {
        await openExample(page, label);
        if (label.startsWith('Warm')) for (const name of PANELS) await toggle(page, name);
        else await flip(page, 'Causal mask');
        await press(page, label.startsWith('Warm') ? 'Pin this state' : 'Pin this state instead');
        await page.locator('[data-act="replay"]').first().click();
        await bugButton(page, 'One weight altered').click();
        await page.locator('.check-list').getByText('of 42 come out').waitFor();
        assert.deepEqual(await violations(page, PARTS), [], label);
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(width <= size.width, `${label}: ${width} wide`);
        const small = await page.locator('.instruments, .bug-banner').evaluateAll((parts) => parts.flatMap((part) =>
          [...part.querySelectorAll('button, select, input[type=text]')].filter((one) => one.getBoundingClientRect().height < 44)
            .map((one) => one.textContent)));
        assert.deepEqual(small, []);
      }
    });
  }
});
