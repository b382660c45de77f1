// The classroom on the page: class links opened, made and begun again; a presentation from the first row to the last, in
// full screen or without; what is locked and hidden; and that all of it is clean for axe and readable from the back row.
// Read next: keys.test.js, ../node/class-link.test.js.

import assert from 'node:assert/strict';
import { readyLessons } from '../../web/content/class-lessons.js';
import { PHONE, PROJECTOR, inBrowsers } from './browsers.js';
import { cell, edit, grid, notice, press, shows, texts, violations } from './reading.js';

/** @typedef {import('./reading.js').Page} Page */

const OPENED = 'Opened as set up for a class. Undo brings back what was there.';
const CAUSAL = '#class&example=causal&row=3&hide=plane,training&lock=inputs,switches&rows=0';

/** The rows of the result that are shown. @param {Page} page */
const rowsShown = async (page) => (await texts(page, 'Context vectors')).filter((row) => !row.includes('?')).length;

/** @param {Page} page */
const hash = (page) => page.evaluate(() => location.hash);

/** The size of a cell's digits, in px. @param {Page} page */
const digitSize = (page) => cell(page, 'Context vectors', 1, 1).evaluate((one) => parseFloat(getComputedStyle(one).fontSize));

/** How far the page reaches beyond the window. @param {Page} page */
const beyond = (page) => page.evaluate(() => {
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
  return [scrollWidth - clientWidth, scrollHeight - clientHeight];
});

inBrowsers((test, browser) => {
  test('a class link opens as it says: hidden, locked, one row after the other; and begins again, which undo takes back', async ({ open, site }) => {
    const page = await open({ url: `${site}${CAUSAL}` });
    await shows(() => notice(page), OPENED);
    assert.equal(await rowsShown(page), 0);
    assert.equal(await page.getByRole('button', { name: 'Plane', exact: true }).count(), 0);
    await cell(page, 'Inputs', 1, 1).focus();
    await page.keyboard.press('Enter');
    assert.equal(await page.locator('.editor').count(), 0);
    await shows(() => notice(page), 'Inputs: locked for this class');
    assert.equal(await page.getByRole('switch', { name: 'Causal mask' }).isDisabled(), true);
    for (const row of [1, 2]) await press(page, `Show row ${row}`);
    await shows(() => rowsShown(page), 2);
    await edit(page, 'Query weights', 1, 1, '9');
    await shows(async () => (await texts(page, 'Query weights'))[0][0], '9.00');
    await press(page, 'Reset to class start');
    await shows(() => notice(page), 'As the class began. Undo brings back what was there.');
    assert.deepEqual([await rowsShown(page), (await texts(page, 'Query weights'))[0][0]], [0, '0.30']);
    await press(page, 'Undo');
    await shows(async () => [await rowsShown(page), (await texts(page, 'Query weights'))[0][0]].join(), '2,9.00');
  });

  test('what a class link gets wrong is named, and the rest holds; a class comes back from the address', async ({ open, site }) => {
    const page = await open({ url: `${site}${CAUSAL}&colour=red&hide=cake,flow` });
    await shows(async () => /hide cannot be "cake".*the option "colour" is not known/.test(await notice(page)), true);
    assert.equal(await rowsShown(page), 0);
    assert.equal(await page.getByRole('button', { name: 'Flow', exact: true }).count(), 0);
    await press(page, 'Show row 1');
    await page.waitForFunction(() => location.hash.startsWith('#rows1.'));
    const other = await open({ url: page.url() });
    await shows(() => rowsShown(other), 1);
    await press(other, 'Reset to class start');
    await shows(() => rowsShown(other), 0);
  });

  test('numbers that wait to be asked for come one by one, by click or key', async ({ open, site }) => {
    const page = await open({ url: `${site}#class&example=warm-up&ask=attn_weights,context_vecs` });
    await shows(async () => (await texts(page, 'Attention weights')).flat().every((text) => text === '?'), true);
    assert.equal(await cell(page, 'Attention weights', 1, 1).getAttribute('aria-label'), 'hidden: press Enter to see it');
    await cell(page, 'Attention weights', 1, 1).click();
    await shows(() => texts(page, 'Attention weights'), [['0.50', '?', '?'], ['?', '?', '?'], ['?', '?', '?']]);
    await cell(page, 'Context vectors', 3, 2).focus();
    await page.keyboard.press('Enter');
    await shows(() => texts(page, 'Context vectors'), [['?', '?'], ['?', '?'], ['?', '4.50']]);
  });

  test('the dialog shows on the page what its link opens; closing puts back what was there, staying keeps it', async ({ open }) => {
    const page = await open();
    await edit(page, 'Attention weights', 1, 1, '0.75');
    const first = () => texts(page, 'Attention weights').then((rows) => rows[0][0]);
    await shows(first, '0.75');
    const dialog = page.getByRole('dialog');
    const make = async () => {
      await press(page, 'Share');
      await press(page, 'Make a class link…');
      await dialog.getByLabel('Starts from').waitFor();
    };
    const link = () => dialog.getByRole('textbox', { name: 'Class link' }).inputValue();
    await make();
    await dialog.getByLabel('Rows of the result').selectOption('one by one');
    await shows(() => page.locator('#context_vecs [data-column]').first().textContent(), '?');
    assert.match(await link(), /#class&state=rows1\.[\w-]+&rows=0$/);
    await dialog.getByLabel('Starts from').selectOption({ index: 0 });
    await shows(async () => /#class&example=warm-up&row=1&rows=0$/.test(await link()), true);
    await shows(() => page.locator('#attn_weights-0 [data-column]').first().textContent(), '0.50');
    await dialog.getByRole('group', { name: 'Leave out instruments' }).getByLabel('Train', { exact: true }).check();
    await dialog.getByRole('combobox', { name: 'Question', exact: true }).selectOption('A number');
    await shows(async () => /&question=fill-cell:1&/.test(await link()), true);
    const seed = async (/** @type {string} */ text) => {
      await dialog.getByLabel('Seed of the question').press('Control+a');
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    };
    await seed('7');
    await shows(async () => /&question=fill-cell:7&.*hide=training/.test(await link()), true);
    await seed('seven');
    await shows(async () => /must be a whole number/.test(await dialog.getByRole('status').textContent() ?? ''), true);
    assert.deepEqual(await violations(page), []);
    const made = await link();
    await page.keyboard.press('Escape');
    await shows(first, '0.75');
    assert.equal(await page.locator('.class-bar').count(), 0);
    const other = await open({ url: made });
    await shows(() => notice(other), OPENED);
    await other.locator('#question').waitFor();
    await make();
    await dialog.getByLabel('Rows of the result').selectOption('one by one');
    await shows(() => page.locator('#context_vecs [data-column]').first().textContent(), '?');
    await press(page, 'Stay in this view');
    await shows(() => rowsShown(page), 0);
    await make();
    await press(page, 'Open everything again');
    await shows(() => rowsShown(page), 3);
  });

  test('every ready lesson opens from the dialog, with nothing refused', async ({ open }) => {
    const page = await open();
    for (const [i, { hash: link }] of readyLessons.entries()) {
      await press(page, 'Share');
      await press(page, 'Make a class link…');
      await page.getByRole('dialog').locator('.ready a').nth(i).click();
      await shows(() => notice(page), OPENED);
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      assert.equal(await hash(page), link);
    }
  });

  test('the teacher’s page of the site leads to the lessons', async ({ open, site }) => {
    const page = await open({ url: `${site}teachers.html`, starts: false });
    assert.equal(await page.getByRole('heading', { level: 2, name: /^Lesson/ }).count(), 5);
    assert.deepEqual(await violations(page), []);
    await page.getByRole('link', { name: 'Open causal attention for a class' }).click();
    await shows(() => notice(page), OPENED);
  });

  test('a presentation shows the figure alone, large, without a scroll bar, and goes row by row', async ({ open, site }) => {
    // By a link, which asks for no full screen: that would change the window.
    for (const size of [PROJECTOR, { width: 1280, height: 720 }]) {
      const page = await open({ size, url: `${site}#class&example=multi-head&present` });
      await shows(async () => await digitSize(page) >= size.height / 48, true);
      assert.deepEqual((await beyond(page)).map((px) => px <= 0), [true, true], `${await beyond(page)}`);
      assert.equal(await page.getByRole('navigation').count(), 0);
      await page.getByRole('switch', { name: 'Rows one by one' }).click();
      await shows(() => rowsShown(page), 0);
      const large = await digitSize(page);
      for (let row = 1; row <= 6; row++) {
        await page.keyboard.press('PageDown');
        await shows(() => rowsShown(page), row);
      }
      assert.equal(await digitSize(page), large, 'nothing jumps while rows are revealed');
      await page.keyboard.press('PageDown');
      await shows(() => notice(page), 'That was the last of it.');
      await press(page, 'Leave Esc');
      await page.getByRole('navigation').waitFor();
      await shows(async () => await digitSize(page) < large, true);
    }
  });

  test('a row that is chosen while presenting is spoken, and that it is not shown yet', async ({ open, site }) => {
    const page = await open({ url: `${site}#class&example=causal&row=1&rows=2&present` });
    await shows(() => notice(page), OPENED);
    await page.keyboard.press('ArrowDown');
    await shows(() => notice(page), 'Row 2, “journey”.');
    await page.keyboard.press('ArrowDown');
    await shows(() => notice(page), 'Row 3, “starts”: not shown yet.');
  });

  test('on a phone nothing of a presentation lies beside the screen, and the row that comes is brought into view', async ({ open, site }) => {
    const page = await open({ size: PHONE, url: `${site}#class&example=multi-head&rows=1&present` });
    await shows(() => notice(page), OPENED);
    const beside = () => page.locator('.rows-region [data-column]').evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().right > innerWidth).length);
    assert.equal(await beside(), 0);
    const bar = async () => await page.locator('.present-bar').evaluate((one) => one.getBoundingClientRect().height);
    assert.ok(await bar() < 0.2 * PHONE.height, `${await bar()}`);
    for (const row of [2, 3, 4, 5, 6]) {
      await press(page, 'Next');
      await shows(() => rowsShown(page), row);
      const inView = async () => {
        const { y, height } = await cell(page, 'Context vectors', row, 1).boundingBox() ?? assert.fail();
        return y >= 0 && y + height <= PHONE.height - await bar();
      };
      await shows(inView, true, `row ${row}`);
    }
  });

  test('one press of undo puts away no predictions, a second does, and redo brings them back', async ({ open, site }) => {
    const page = await open({ url: `${site}#class&example=causal&question=top-token:7` });
    const predicted = () => page.getByText('Predicted so far').count();
    await page.locator('#question .prediction').first().check();
    await press(page, 'Predict');
    await shows(predicted, 1);
    await page.keyboard.press('Control+z');
    await shows(async () => /what was predicted would go/.test(await notice(page)), true);
    assert.equal(await predicted(), 1);
    await page.keyboard.press('Control+z');
    await shows(() => page.locator('.class-bar').count(), 0);
    await press(page, 'Redo');
    await shows(predicted, 1);
  });

  test('Present makes the numbers larger, with or without full screen, and leaving gives the page back as it was', async ({ open }) => {
    const page = await open();
    const before = await digitSize(page);
    await press(page, 'Present');
    await shows(async () => await digitSize(page) > before, true);
    await page.keyboard.press('Escape');
    await page.getByRole('navigation').waitFor();
    await shows(() => digitSize(page), before);
  });

  test('next shows the answer of an open question, and an instrument can be shown alone', async ({ open, site }) => {
    const page = await open({ url: `${site}#class&example=causal&present&question=top-token:7` });
    await page.locator('#question').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.locator('#answer').waitFor();
    await shows(() => notice(page).then((said) => said.startsWith('Answer: token')), true);
    await page.keyboard.press('ArrowLeft');
    await shows(() => page.locator('#answer').count(), 0);
    await shows(() => notice(page), 'The answer is hidden.');
    await page.keyboard.press('ArrowLeft');
    await shows(() => notice(page), 'Nothing comes before this.');
    await page.locator('#question').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await shows(() => page.locator('#question').count(), 0);
    await page.getByRole('combobox', { name: 'Show', exact: true }).selectOption('Plane');
    await page.locator('.presentation svg.plane').first().waitFor();
    assert.equal(await page.getByRole('grid').count(), 0);
    await page.getByRole('combobox', { name: 'Show', exact: true }).selectOption('Flow');
    await page.locator('.station').last().click();
    await grid(page, 'Context vectors').waitFor();
  });

  test('presentation, class bar and locks are clean for axe, light and dark, wide and on a phone', async ({ open, site }) => {
    for (const look of [{ size: PROJECTOR }, { dark: true, size: PHONE }]) {
      for (const link of [`${CAUSAL}&present`, CAUSAL, '#class&example=multi-head&lock=example,w_query&hide=chapters&ask=values']) {
        const page = await open({ ...look, url: `${site}${link}` });
        await shows(() => notice(page), OPENED);
        assert.deepEqual(await violations(page), [], `${link} at ${look.size.width}`);
        const [wide] = await beyond(page);
        assert.ok(wide <= 0, `${link}: ${wide} px too wide at ${look.size.width}`);
      }
    }
  });

  if (browser !== 'chromium') return;
  test('in a sandboxed frame, without full screen and storage, a class link opens and is presented', async ({ open, site }) => {
    const page = await open({ url: `${site}teachers.html`, starts: false, prepare: async (empty) => {
      await empty.route('**/frame.html', (route) => route.fulfill({
        contentType: 'text/html', body: `<iframe sandbox="allow-scripts" width="1200" height="700" src="/index.html${CAUSAL}"></iframe>`,
      }));
    } });
    await page.goto(`${site}frame.html`);
    const frame = page.frameLocator('iframe');
    await frame.getByRole('button', { name: 'Present' }).click();
    await frame.locator('.presentation').waitFor();
    await frame.locator('h1').press('ArrowRight');
    await frame.getByText('Rows shown: 1 of 6.').first().waitFor();
    await frame.locator('h1').press('Escape');
    await frame.getByRole('navigation').waitFor();
  });
});
