// The page needs nothing but itself: it works from the disk, in a sandboxed frame, under any path, under the strict
// policy, with every other request refused; and where it cannot work it says what failed and what to do.
// Read next: ../../tools/build-page.mjs, browsers.js (what fails every test).

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { serveFolder } from '../../tools/serve.mjs';
import { FROM_DISK, SINGLE_FILE, inBrowsers } from './browsers.js';
import { EXAMPLES, edit, flip, openExample, shows, texts, writtenSum } from './reading.js';

/** @typedef {import('./reading.js').Page} Page */

const SUM_OF_ROW_3 = '0.25 × [1, 2] + 0.25 × [3, 4] + 0.5 × [5, 6] = [3.5, 4.5]';

/** The page does its job: sum, edit, switch, other examples. @param {Page} page */
async function works(page) {
  await shows(() => writtenSum(page), SUM_OF_ROW_3);
  await edit(page, 'Attention weights', 2, 1, '1');
  await shows(async () => (await texts(page, 'Context vectors'))[1], ['4.00', '6.00']);
  await flip(page, 'Causal mask');
  await shows(async () => (await texts(page, 'Context vectors'))[0], ['1.00', '2.00']);
  for (const { label } of EXAMPLES) await openExample(page, label);
  await shows(async () => (await texts(page, 'Outputs')).length, 6);
}

/**
 * A changed copy of the single file; its address.
 * @param {string} folder @param {string} name @param {(page: string) => string} change
 */
function copyWith(folder, name, change) {
  const page = readFileSync(SINGLE_FILE, 'utf8');
  const changed = change(page);
  assert.notEqual(changed, page, 'the copy must differ');
  writeFileSync(join(folder, name), changed);
  return pathToFileURL(join(folder, name)).href;
}

/** Change the module's text inside the page. @param {(base64: string) => string} change */
const module = (change) => (/** @type {string} */ page) =>
  page.replace(/(<script type="text\/plain" id="wasm"[^>]*>)([^<]*)/, (_, tag, base64) => tag + change(base64));

/** What the page says instead of starting. @param {Page} page */
async function failure(page) {
  const alert = page.getByRole('alert');
  await alert.waitFor();
  assert.equal(await alert.getByRole('heading').textContent(), 'The page could not start');
  const [reason, advice] = await alert.locator('p').allTextContents();
  assert.match(advice, /^Load the page again\. .*fresh copy of the file/);
  assert.equal(await page.getByRole('grid').count(), 0);
  return reason;
}

inBrowsers((test, browser) => {
  test('the single file works from the disk', async ({ open }) => {
    await works(await open({ url: FROM_DISK }));
  });

  test('the files of another folder on the disk cannot be read by it', async ({ open, folder }) => {
    const secret = join(folder, 'secret.txt');
    writeFileSync(secret, 'secret');
    // Without the policy, only the browser's own protection of files is left: the one that a double click meets.
    const url = copyWith(folder, 'free.html', (text) =>
      text.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, ''));
    const page = await open({ url, expected: browser === 'chromium' ? /Failed to load|CORS|secret/ : undefined });
    const read = await page.evaluate(
      (target) => fetch(target).then((answer) => answer.text(), (error) => error.name), pathToFileURL(secret).href);
    assert.equal(read, 'TypeError');
  });

  test('the single file is the same under a sub-path, and so is the site', async ({ open, folder }) => {
    mkdirSync(join(folder, 'a/deeper path'), { recursive: true });
    copyFileSync(SINGLE_FILE, join(folder, 'a/deeper path/lesson.html'));
    const server = await serveFolder(folder, 0);
    try {
      await works(await open({ url: `${server.address}a/deeper%20path/lesson.html?unit=3#part` }));
    } finally {
      await server.close();
    }
    const site = new URL('../../dist/site/index.html', import.meta.url);
    assert.ok(readFileSync(site).equals(readFileSync(SINGLE_FILE)), 'the folder holds the same page');
  });

  test('it works with every request refused but the page itself', async ({ open, site }) => {
    await works(await open({
      prepare: (page) => page.route('**/*', (route) =>
        (route.request().url() === site ? route.continue() : route.abort())),
    }));
  });

  test('it works whole in a sandboxed frame, where storage throws', async ({ open, folder }) => {
    copyFileSync(SINGLE_FILE, join(folder, 'lesson.html'));
    writeFileSync(join(folder, 'course.html'), `<!doctype html><html lang="en"><title>Course</title>
      <iframe title="Lesson" sandbox="allow-scripts" width="1300" height="800" src="lesson.html"></iframe>`);
    // Chromium says on its console what the frame may not: the page finds another way to copy, and says what cannot be saved.
    const page = await open({
      url: pathToFileURL(join(folder, 'course.html')).href, starts: false,
      expected: browser === 'chromium' ? /Clipboard API has been blocked|Download is disallowed/ : undefined,
    });
    const frame = page.frameLocator('iframe');
    await frame.getByRole('grid', { name: 'Context vectors', exact: true }).waitFor();
    const inside = page.frames()[1];
    assert.equal(await inside.evaluate(() => {
      try {
        return typeof localStorage;
      } catch (error) {
        return /** @type {Error} */ (error).name;
      }
    }), 'SecurityError');
    const cells = () => frame.getByRole('grid', { name: 'Context vectors' }).getByRole('gridcell').allTextContents();
    await shows(cells, ['2.50', '3.50', '3.00', '4.00', '3.50', '4.50']);
    await frame.getByRole('switch', { name: 'Causal mask' }).click();
    await shows(cells, ['1.00', '2.00', '3.00', '4.00', '3.50', '4.50']);
    await frame.getByRole('combobox', { name: 'Example' }).selectOption('multi-head');
    await frame.getByRole('grid', { name: 'Outputs', exact: true }).waitFor();
    const dialog = frame.getByRole('dialog');
    const pressed = (/** @type {string} */ name) => frame.getByRole('button', { name, exact: true }).click();
    const said = async () => (await dialog.getByRole('status').textContent() ?? '').trim();
    await pressed('Share');
    assert.match(await dialog.getByRole('textbox', { name: 'Link' }).inputValue(), /lesson\.html#rows1\./);
    await shows(said, 'Copied.');
    await pressed('Close');
    await pressed('Export');
    await pressed('Copy as TSV');
    await shows(said, 'Copied.');
    await pressed('Save JSON');
    await shows(async () => /may not allow it to save files/.test(await said()), true);
    await pressed('Close');
    await pressed('Open file…');
    await frame.locator('#open-file').setInputFiles({ name: 'a.csv', mimeType: '', buffer: Buffer.from('1,2\n3,4\n') });
    await pressed('Put them in');
    await shows(() => frame.getByRole('grid', { name: 'Inputs' }).getByRole('gridcell').allTextContents(), ['1.00', '2.00', '3.00', '4.00']);
  });

  test('the policy lets nothing run but the page\'s own script and style', async ({ open }) => {
    const page = await open({ url: FROM_DISK });
    const { policy, scripts, styles } = await page.evaluate(() => ({
      policy: document.querySelector('meta[http-equiv=Content-Security-Policy]')?.getAttribute('content'),
      scripts: [...document.querySelectorAll('script:not([type])')].map((one) => one.textContent ?? ''),
      styles: [...document.querySelectorAll('style')].map((one) => one.textContent ?? ''),
    }));
    /** @param {string} text */
    const hash = (text) => `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;
    assert.deepEqual([scripts.length, styles.length], [2, 2]);
    assert.equal(policy, `default-src 'none'; script-src ${scripts.map(hash).join(' ')} 'wasm-unsafe-eval'; `
      + `style-src ${styles.map(hash).join(' ')}; img-src data: blob:; worker-src blob:; base-uri 'none'; form-action 'none'`);
    for (const { label } of EXAMPLES) {
      await openExample(page, label);
      const foreign = page.locator('[style], [onclick], link:not([rel=icon]), img, iframe');
      assert.equal(await foreign.count(), 0, label);
    }
    assert.doesNotMatch(readFileSync(SINGLE_FILE, 'utf8'), /[^\x00-\x7f]/, 'in ASCII, a page is read fastest');
    assert.equal(/<[^>]+\sstyle=/.test(readFileSync(SINGLE_FILE, 'utf8').replace(/<script[ >][^]*<\/script>/, '')), false);
  });

  test('a damaged, cut or missing module is named, with what to do', async ({ open, folder }) => {
    for (const [name, change] of /** @type {[string, (base64: string) => string][]} */ ([
      ['altered', (base64) => `${base64.slice(0, 2000)}AAAAAAAA${base64.slice(2008)}`],
      ['cut', (base64) => base64.slice(0, 4000)],
      ['garbled', (base64) => `${base64.slice(0, 400)}%${base64.slice(400)}`],
      ['missing', () => ''],
    ])) {
      const url = copyWith(folder, `${name}.html`, module(change));
      const page = await open({ url, starts: false, expected: /uncaught/ });
      const reason = await failure(page);
      assert.match(reason, /^The WebAssembly module inside this page is damaged: expected .*, got \w+\.$/, name);
    }
  });

  test('where its script may not run, the page says so', async ({ open, folder }) => {
    const url = copyWith(folder, 'blocked.html', (text) =>
      text.replace(/script-src (?:'sha256-[^']*' ?)+/, "script-src 'none' "));
    const page = await open({ url, starts: false, expected: /./ });
    await page.getByText('Starting: the attention code is being loaded. If this line stays, the page\'s script was not '
      + 'allowed to run').waitFor();
    assert.equal(await page.getByRole('heading', { level: 1 }).textContent(), 'Attention, row by row');
  });

  test('a browser without WebAssembly SIMD, or without WebAssembly, is told so', async ({ open }) => {
    const page = await open({
      starts: false,
      expected: /uncaught/,
      prepare: (one) => one.addInitScript(() => {
        const { compile, validate } = WebAssembly;
        WebAssembly.validate = (bytes) => bytes.byteLength > 1000 && validate(bytes);
        WebAssembly.compile = async (bytes) => {
          if (bytes) throw new WebAssembly.CompileError('Wasm SIMD unsupported');
          return compile(bytes);
        };
      }),
    });
    assert.match(await failure(page), /SIMD/);
    const without = await open({
      starts: false,
      expected: /uncaught/,
      prepare: (one) => one.addInitScript(() => { Reflect.deleteProperty(globalThis, 'WebAssembly'); }),
    });
    assert.match(await failure(without), /WebAssembly/);
  });

  test('where no frame is drawn, the page starts all the same', async ({ open }) => {
    await open({
      url: FROM_DISK,
      prepare: (one) => one.addInitScript(() => {
        performance.now = () => 1000;
        globalThis.requestAnimationFrame = () => 0;
      }),
    });
  });

  test('on a machine that is fast, the page waits for no frame', async ({ open }) => {
    await open({
      url: FROM_DISK,
      prepare: (one) => one.addInitScript(() => {
        performance.now = () => 0;
        globalThis.requestAnimationFrame = () => 0;
        const later = setTimeout;
        Object.assign(window, { setTimeout: (/** @type {() => void} */ call, ms = 0) => (ms === 200 ? 0 : later(call, ms)) });
      }),
    });
  });

  if (browser !== 'chromium') return;
  test('on a machine that is slow, a sign of life stands on the screen before the script has run', async ({ open }) => {
    // Only the way by a frame is left open; what stood on the page in that frame, and when the script was put in, is noted.
    const page = await open({ url: FROM_DISK, prepare: (one) => one.addInitScript(() => {
      /** @type {string[]} */
      const order = [];
      Object.assign(window, { order });
      const [frame, later] = [requestAnimationFrame, setTimeout];
      performance.now = () => 1000;
      Object.assign(window, {
        requestAnimationFrame: (/** @type {FrameRequestCallback} */ call) => frame((time) => {
          order.push(document.querySelector('.starting')?.textContent ?? 'nothing');
          call(time);
        }),
        setTimeout: (/** @type {() => void} */ call, ms = 0) => (ms > 0 ? 0 : later(call)),
      });
      new MutationObserver((_, observer) => {
        if (!document.querySelector('head script')) return;
        observer.disconnect();
        order.push('script');
      }).observe(document, { childList: true, subtree: true });
    }) });
    const html = readFileSync(SINGLE_FILE, 'utf8');
    const first = html.indexOf('Starting: the attention code is being loaded.');
    assert.ok(first > 0 && first < html.indexOf('type="text/plain"'), 'the sentence comes before all that is kept as text');
    const [seen, then] = await page.evaluate(() => /** @type {any} */ (window).order);
    assert.match(seen, /Starting: the attention code is being loaded/);
    assert.equal(then, 'script');
    assert.equal(await page.locator('.starting').count(), 0);
  });
});
