// The link is the save: shared, opened, gone back to, refused when damaged; and the page comes back as it was left.
// Read next: files.test.js, ../node/io-link.test.js.

import assert from 'node:assert/strict';
import { FROM_DISK, PHONE, inBrowsers } from './browsers.js';
import { edit, flip, notice, openExample, press, shows, texts, violations, writtenSum } from './reading.js';

/** @typedef {import('./reading.js').Page} Page */

const START = '0.25 × [1, 2] + 0.25 × [3, 4] + 0.5 × [5, 6] = [3.5, 4.5]';

/** @param {Page} page */
const hash = (page) => page.evaluate(() => location.hash);

/** @param {Page} page */
const weights = (page) => texts(page, 'Attention weights');

/** @param {Page} page */
const dialogOf = (page) => page.getByRole('dialog');

/** The link that the Share button gives. @param {Page} page */
async function linkOf(page) {
  await press(page, 'Share');
  const link = await dialogOf(page).getByRole('textbox', { name: 'Link' }).inputValue();
  await press(page, 'Close');
  return link;
}

inBrowsers((test, browser) => {
  test('a link opens as the state that it was made of, exact, and undo leads back', async ({ open }) => {
    const page = await open();
    await edit(page, 'Inputs', 2, 1, '0.1234567891');
    await flip(page, 'Causal mask');
    await shows(async () => (await texts(page, 'Inputs'))[1][0], '0.12');
    const link = await linkOf(page);
    assert.match(link, /#rows1\./);
    assert.equal(await hash(page), new URL(link).hash);
    const other = await open({ url: link });
    await shows(async () => (await texts(other, 'Inputs'))[1][0], '0.12');
    assert.equal(await other.getByRole('switch', { name: 'Causal mask' }).getAttribute('aria-checked'), 'true');
    await shows(() => notice(other), 'Opened from the link. Undo brings back what was there.');
    assert.equal(await linkOf(other), link);
    await press(other, 'Undo');
    await shows(() => writtenSum(other), START);
  });

  test('the dialog works by keys, is clean for axe on a phone, in the dark, and shows a QR code', async ({ open }) => {
    for (const look of [{}, { dark: true, size: PHONE }]) {
      const page = await open(look);
      await page.getByRole('button', { name: 'Share' }).focus();
      await page.keyboard.press('Enter');
      await dialogOf(page).getByRole('img', { name: 'QR code of the link' }).waitFor();
      await shows(async () => (await dialogOf(page).getByRole('status').textContent())?.trim(), 'Copied.');
      assert.deepEqual(await violations(page), []);
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(beyond <= 0);
      await page.keyboard.press('Escape');
      await dialogOf(page).waitFor({ state: 'hidden' });
      assert.equal(await page.evaluate(() => document.activeElement?.textContent?.trim()), 'Share');
    }
  });

  test('the address follows the state; Back and Forward open what it held', async ({ open }) => {
    const page = await open();
    assert.equal(await hash(page), '');
    const before = await page.evaluate(() => history.length);
    await edit(page, 'Attention weights', 2, 1, '0.75');
    await page.waitForFunction(() => location.hash.startsWith('#rows1.'));
    assert.equal(await page.evaluate(() => history.length), before);
    const first = await hash(page);
    const second = new URL(await linkOf(await open({ url: page.url() }))).hash;
    assert.equal(second, first);
    await openExample(page, 'Simplified: six tokens');
    await page.waitForFunction((old) => location.hash !== old, first);
    const simplified = await hash(page);
    await page.evaluate((to) => { location.hash = to; }, first);
    await shows(async () => (await weights(page))[1][0], '0.75');
    await page.goBack();
    await shows(async () => (await weights(page)).length, 6);
    assert.equal(await hash(page), simplified);
  });

  test('a damaged, cut, foreign or newer link says so and changes nothing', async ({ open }) => {
    const page = await open();
    await edit(page, 'Attention weights', 2, 1, '0.75');
    const good = new URL(await linkOf(page)).hash;
    for (const [bad, says] of /** @type {[string, RegExp][]} */ ([
      [`${good.slice(0, 20)}A${good.slice(21)}x`, /not whole/], [good.slice(0, -4), /not whole/], ['#part', /no state of this page/],
      [good.replace('rows1', 'rows2'), /newer version/], ['#<img src=x onerror=alert(1)>', /no state of this page/],
    ])) {
      await page.evaluate((to) => { location.hash = to; }, bad);
      await shows(async () => says.test(await notice(page)), true, bad);
      assert.equal((await weights(page))[1][0], '0.75');
      await press(page, 'Dismiss');
      const other = await open({ url: `${page.url().split('#')[0]}${bad}` });
      await shows(async () => says.test(await notice(other)), true, bad);
      await shows(() => writtenSum(other), START);
    }
  });

  test('a state that is too long for a link says so and offers a file; no older link stays in the address', async ({ open }) => {
    const page = await open();
    await edit(page, 'Attention weights', 2, 1, '0.75');
    await page.waitForFunction(() => location.hash !== '');
    await press(page, 'Open file…');
    const numbers = Array.from({ length: 32 }, (_, i) => Array.from({ length: 16 }, (__, j) => Math.sin(i * 16 + j)));
    await dialogOf(page).getByRole('textbox').fill(JSON.stringify(numbers));
    await press(page, 'Read the text');
    await press(page, 'Put them in');
    await shows(async () => (await texts(page, 'Inputs')).length, 32);
    await press(page, 'Share');
    await dialogOf(page).getByText(/^This state is too long for a link: it would have \d{4} characters, .* longer ones than 1900\. /).waitFor();
    await press(page, 'Save as a file…');
    await dialogOf(page).getByRole('button', { name: 'Save JSON' }).waitFor();
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => location.hash === '');
  });

  test('the page comes back as it was left, says so, and starts afresh when asked', async ({ open }) => {
    const page = await open();
    await edit(page, 'Attention weights', 2, 1, '0.75');
    await page.waitForFunction(() => location.hash !== '');
    await page.goto(page.url().split('#')[0]);
    await page.reload();
    await shows(() => notice(page), 'Restored as you left it.');
    assert.equal((await weights(page))[1][0], '0.75');
    assert.deepEqual(await violations(page), []);
    await press(page, 'Start afresh');
    await shows(() => notice(page), 'Started afresh. Undo brings back what was there.');
    assert.equal((await weights(page))[1][0], '0.00');
    await page.reload();
    await shows(() => writtenSum(page), START);
    assert.equal(await notice(page), '');
  });

  test('storage that throws or is full, and what somebody else wrote there, breaks nothing', async ({ open, site }) => {
    const full = await open({ prepare: (page) => page.addInitScript(() => {
      Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };
    }) });
    await edit(full, 'Attention weights', 2, 1, '0.75');
    await full.waitForFunction(() => location.hash !== '');
    assert.equal(await notice(full), '');
    const foreign = await open({ prepare: async (page) => {
      await page.goto(site);
      await page.evaluate(() => localStorage.setItem(`attention-rows:${location.pathname}`, '{"format": "notebook"}'));
    } });
    await shows(async () => /could not be opened/.test(await notice(foreign)), true);
    await shows(() => writtenSum(foreign), START);
  });

  if (browser !== 'chromium') return;
  test('from the disk the link says where it works', async ({ open }) => {
    const page = await open({ url: FROM_DISK });
    await press(page, 'Share');
    await dialogOf(page).getByText('This page was opened from a file').waitFor();
    assert.equal(await dialogOf(page).getByRole('img').count(), 0);
  });
});
