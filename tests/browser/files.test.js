// Everything goes out and comes in: files saved from the page are what independent programs read, and open again as the
// same state; numbers from elsewhere are previewed before they replace anything. Read next: sharing.test.js,
// ../node/io-scripts.test.js.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { PHONE, inBrowsers } from './browsers.js';
import { cell, edit, flip, notice, openEditor, openExample, press, shows, texts, violations, writtenSum } from './reading.js';

/** @typedef {import('./reading.js').Page} Page */

/** @param {Page} page */
const dialogOf = (page) => page.getByRole('dialog');

/** @param {Page} page */
const said = async (page) => (await dialogOf(page).getByRole('status').textContent())?.trim();

/** Press a button of the dialog that saves a file; where the file is. @param {Page} page @param {string} name @param {string} folder */
async function saved(page, name, folder) {
  const [download] = await Promise.all([page.waitForEvent('download'), press(page, name)]);
  const path = join(folder, download.suggestedFilename());
  await download.saveAs(path);
  return path;
}

/** Give a file to the Open dialog. @param {Page} page @param {string} name @param {string | Uint8Array} content */
async function give(page, name, content) {
  await press(page, 'Open file…');
  await page.locator('#open-file').setInputFiles({ name, mimeType: '', buffer: Buffer.from(content) });
}

/** Paste into a cell as the keyboard would. @param {Page} page @param {string} grid @param {number} row @param {number} column @param {string} text */
async function paste(page, grid, row, column, text) {
  await cell(page, grid, row, column).focus();
  await page.evaluate((data) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', data);
    // A ClipboardEvent made by a script carries nothing in Firefox.
    const event = Object.assign(new Event('paste', { bubbles: true, cancelable: true }), { clipboardData });
    document.activeElement?.dispatchEvent(event);
  }, text);
}

const START = '0.25 × [1, 2] + 0.25 × [3, 4] + 0.5 × [5, 6] = [3.5, 4.5]';

/** @param {string} program  that writes a file named by its first argument @param {string} path */
const python = (program, path) => {
  execFileSync('/usr/bin/python3', ['-c', `import sys, struct, json, numpy as np\n${program}`, path]);
  return readFileSync(path);
};

inBrowsers((test, browser) => {
  test('NumPy\'s files and a table open with a preview, resize what shares their size, and undo brings back all', async ({ open, folder }) => {
    const page = await open();
    const npy = python('np.save(sys.argv[1], np.asfortranarray([[1, 2, 3], [4, 5, 6.5]]))', join(folder, 'a.npy'));
    await give(page, 'a.npy', npy);
    await dialogOf(page).getByText('After this: 2 tokens × 3 input dimensions').waitFor();
    assert.deepEqual(await violations(page), []);
    await dialogOf(page).getByRole('checkbox').check();
    await dialogOf(page).getByText('After this: 3 tokens × 2 input dimensions').waitFor();
    assert.equal((await texts(page, 'Inputs'))[0][0], '1.00');
    await press(page, 'Put them in');
    await shows(() => texts(page, 'Inputs'), [['1.00', '4.00'], ['2.00', '5.00'], ['3.00', '6.50']]);
    await shows(() => notice(page), 'Opened. Undo brings back what was there.');
    await press(page, 'Undo');
    await shows(() => writtenSum(page), START);
    await give(page, 'table.csv', ',x1\r\none,1.5\r\ntwo,2\r\nthree,3\r\nfour,-4\r\n');
    await press(page, 'Put them in');
    await shows(() => texts(page, 'Inputs'), [['1.50'], ['2.00'], ['3.00'], ['\u22124.00']]);
    await cell(page, 'Inputs', 4, 0).getByText('four').waitFor();
    const npz = python('np.savez(sys.argv[1], x=np.ones((2, 2), np.int64), **{"w_query.weight": np.arange(6, dtype=np.float32).reshape(3, 2),'
      + ' "w_key.weight": np.ones((3, 2)), "w_value.weight": np.ones((3, 2))})', join(folder, 'b.npz'));
    await give(page, 'b.npz', npz);
    await dialogOf(page).getByText('After this: 4 tokens × 2 input dimensions → 3 output dimensions').waitFor();
    await dialogOf(page).getByRole('combobox', { name: 'Where x goes' }).selectOption({ label: 'Inputs' });
    await dialogOf(page).getByText('After this: 2 tokens × 2 input dimensions → 3 output dimensions').waitFor();
    await dialogOf(page).getByRole('combobox', { name: 'Where x goes' }).selectOption({ label: 'Output weights' });
    await dialogOf(page).getByText('Query weights has 2 × 3 numbers; the others need 2 for the output dimensions').waitFor();
    await dialogOf(page).getByRole('combobox', { name: 'Where x goes' }).selectOption({ label: 'nowhere' });
    await press(page, 'Put them in');
    await shows(() => texts(page, 'Query weights'), [['0.00', '2.00', '4.00'], ['1.00', '3.00', '5.00']]);
  });

  test('a saved state opens as it was, dropped on the page too', async ({ open }) => {
    const page = await open();
    await edit(page, 'Inputs', 2, 1, '0.1234567891');
    const json = await page.evaluate(() => new Promise((resolve) => {
      const make = URL.createObjectURL;
      URL.createObjectURL = (blob) => {
        void /** @type {Blob} */ (blob).text().then(resolve);
        return make(blob);
      };
      HTMLAnchorElement.prototype.click = () => {};
      /** @type {HTMLElement} */ (document.querySelector('[data-act=export]')).click();
      /** @type {HTMLElement} */ (document.querySelector('[data-value=json]')).click();
    }));
    await press(page, 'Close');
    await openExample(page, 'Simplified: six tokens');
    await page.evaluate((text) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([String(text)], 'state.json'));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    }, json);
    await dialogOf(page).getByText('A saved state: 3 tokens × 2 input dimensions').waitFor();
    assert.equal((await texts(page, 'Inputs')).length, 6);
    await press(page, 'Put them in');
    await shows(async () => (await texts(page, 'Inputs'))[1][0], '0.12');
  });

  test('a file that cannot be read gets a sentence and changes nothing', async ({ open }) => {
    const page = await open();
    for (const [name, content, says] of /** @type {[string, string, RegExp][]} */ ([
      ['a.npy', '\u0093NUMPX', /not a .npy file/], ['a.npz', 'PK', /not a whole .npz file/], ['a.safetensors', '{}', /safetensors/],
      ['a.json', '{"format": "x"}', /no state of this page/], ['a.csv', 'a,b\nc,d', /./], ['a.png', 'x', /no file that the page reads/],
    ])) {
      await give(page, name, content);
      await shows(async () => says.test(await said(page) ?? ''), true, name);
      await page.keyboard.press('Escape');
      await dialogOf(page).waitFor({ state: 'hidden' });
    }
    await shows(() => writtenSum(page), START);
  });

  test('text is pasted at the cursor; where it goes beyond, the matrix grows when that is confirmed', async ({ open }) => {
    const page = await open();
    await paste(page, 'Inputs', 2, 1, '0,5\t-1\r\n7\t8\r\n');
    await shows(() => texts(page, 'Inputs'), [['1.00', '2.00'], ['0.50', '\u22121.00'], ['7.00', '8.00']]);
    await paste(page, 'Attention weights', 1, 1, 'tensor([[1., 0., 0.]])');
    await shows(async () => (await texts(page, 'Attention weights'))[0], ['1.00', '0.00', '0.00']);
    await cell(page, 'Context vectors', 1, 1).focus();
    await paste(page, 'Context vectors', 1, 1, '1\t2');
    await shows(async () => /^Context vectors: computed, so there is nothing to type over/.test(await notice(page)), true);
    await paste(page, 'Inputs', 1, 1, 'one, two');
    await shows(async () => /./.test(await notice(page)), true);
    await paste(page, 'Inputs', 3, 2, '[[9, 10], [11, 12]]');
    await dialogOf(page).getByText('to 4 tokens × 3 input dimensions').waitFor();
    assert.equal((await texts(page, 'Inputs')).length, 3);
    await press(page, 'Put them in');
    await shows(() => texts(page, 'Inputs'), [
      ['1.00', '2.00', '0.00'], ['0.50', '\u22121.00', '0.00'], ['7.00', '9.00', '10.00'], ['0.00', '11.00', '12.00'],
    ]);
    await press(page, 'Undo');
    await shows(async () => (await texts(page, 'Inputs')).length, 3);
    await openExample(page, 'Trainable: six tokens');
    await press(page, 'Numbers');
    await flip(page, 'Show as nn.Linear.weight');
    await paste(page, 'Query weights', 1, 1, '[[1, 2, 3], [4, 5, 6]]');
    await shows(() => texts(page, 'Query weights'), [['1.00', '2.00', '3.00'], ['4.00', '5.00', '6.00']]);
  });

  test('a matrix that was copied here is pasted by Ctrl+V', async ({ open }) => {
    const page = await open();
    await press(page, 'Export');
    await dialogOf(page).getByRole('combobox', { name: 'Matrix' }).selectOption({ label: 'Inputs' });
    await press(page, 'Copy as TSV');
    await shows(() => said(page), 'Copied.');
    await press(page, 'Close');
    await cell(page, 'Attention weights', 1, 2).focus();
    await page.keyboard.press('Control+v');
    const pasted = [['0.50', '1.00', '2.00'], ['0.00', '3.00', '4.00'], ['0.25', '5.00', '6.00']];
    await shows(() => texts(page, 'Attention weights'), pasted);
    await press(page, 'Undo');
    await openEditor(page, 'Attention weights', 1, 2);
    await page.keyboard.press('Control+v');
    await shows(() => texts(page, 'Attention weights'), pasted, 'where a field was open, the block goes into the cells');
    await shows(() => page.evaluate(() => document.activeElement?.getAttribute('data-column')), '1');
  });

  test('text can be brought in without a keyboard, through the dialog', async ({ open }) => {
    const page = await open();
    await press(page, 'Open file…');
    assert.deepEqual(await violations(page), []);
    await dialogOf(page).getByRole('textbox').fill('array([[1, 2], [3, 4]])');
    await press(page, 'Read the text');
    await dialogOf(page).getByText('After this: 2 tokens').waitFor();
    await press(page, 'Put them in');
    await shows(async () => (await texts(page, 'Inputs')).length, 2);
  });

  test('the Export dialog opens by keys, says what it did, and is clean for axe', async ({ open }) => {
    for (const look of [{}, { dark: true, size: PHONE }]) {
      const page = await open(look);
      await openExample(page, 'Multi-head: six tokens');
      await page.getByRole('button', { name: 'Export' }).focus();
      await page.keyboard.press('Enter');
      await dialogOf(page).getByRole('combobox', { name: 'Matrix' }).selectOption({ label: 'Attention weights, head 2' });
      await press(page, 'Copy as PyTorch');
      await shows(() => said(page), 'Copied.');
      assert.deepEqual(await violations(page), []);
      await page.keyboard.press('Escape');
      await dialogOf(page).waitFor({ state: 'hidden' });
    }
  });

  if (browser !== 'chromium') return;

  test('a class that hides a matrix saves the worksheet with “?” in its place, and is told why other files wait', async ({ open, site, folder }) => {
    const page = await open({ url: `${site}#class&example=trainable&hide=w_value,values` });
    await press(page, 'Export');
    await dialogOf(page).getByText('Some numbers are hidden for this class. JSON holds').waitFor();
    await press(page, 'Save .npz');
    await shows(() => said(page), 'Some of these numbers are hidden for this class. They can be saved once they are shown.');
    const worksheet = readFileSync(await saved(page, 'Save worksheet', folder), 'utf8');
    assert.match(worksheet, /<caption>Values<\/caption>[^]*?<td>\?<\/td>/);
    assert.match(worksheet, /class="blank"/);
    await press(page, 'Save answers');
    await shows(() => said(page), 'Some of these numbers are hidden for this class. They can be saved once they are shown.');
  });

  test('the files of a state: JSON, .npz, scripts that Python runs, figure, matrix, worksheet', async ({ open, folder }) => {
    const page = await open();
    await openExample(page, 'Multi-head: six tokens');
    await edit(page, 'Inputs', 1, 0, '<b>"first"</b>');
    await edit(page, 'Inputs', 1, 1, '0.1234567891');
    await press(page, 'Export');
    const json = JSON.parse(readFileSync(await saved(page, 'Save JSON', folder), 'utf8'));
    assert.equal(json.document.inputs[0][0], 0.1234567891);
    const npz = await saved(page, 'Save .npz', folder);
    await dialogOf(page).getByRole('combobox', { name: 'Matrix' }).selectOption({ label: 'Context vectors' });
    const [npy, csv] = [await saved(page, 'Save .npy', folder), await saved(page, 'Save CSV', folder)];
    execFileSync('/usr/bin/python3', ['-c', 'import sys, json, numpy as np\n'
      + 'whole = np.load(sys.argv[1])\nassert whole["attn_weights"].shape == (1, 2, 6, 6)\n'
      + 'assert json.loads(bytes(whole["state"]).decode())["document"]["tokens"][0] == \'<b>"first"</b>\'\n'
      + 'assert (np.load(sys.argv[2]) == whole["context_vecs"][0]).all()\n'
      + 'assert (np.loadtxt(sys.argv[3], delimiter=",", dtype=np.float32) == whole["context_vecs"][0]).all()\n', npz, npy, csv]);
    for (const name of ['Save PyTorch script', 'Save NumPy script']) {
      const printed = execFileSync('/usr/bin/python3', [await saved(page, name, folder)], { encoding: 'utf8' });
      assert.match(printed, /All tensors agree with the page/);
    }
    const svg = await saved(page, 'Save SVG', folder);
    const [, width, height] = readFileSync(svg, 'utf8').match(/width="(\d+)" height="(\d+)"/) ?? [];
    const png = PNG.sync.read(readFileSync(await saved(page, 'Save PNG', folder)));
    assert.deepEqual([png.width, png.height], [2 * Number(width), 2 * Number(height)]);
    const colours = new Set(Array.from({ length: png.data.length / 4 }, (_, i) => png.data.readUInt32BE(i * 4)));
    assert.ok(colours.size > 50, `${colours.size} colours`);
    execFileSync('rsvg-convert', [svg, '-o', join(folder, 'figure.png')]);
    const worksheet = readFileSync(await saved(page, 'Save worksheet', folder), 'utf8');
    assert.match(worksheet, /class="blank"/);
    assert.doesNotMatch(readFileSync(await saved(page, 'Save answers', folder), 'utf8'), /class="blank"/);
    await press(page, 'Close');
    const weights = await texts(page, 'Attention weights, head 1');
    await openExample(page, 'Warm-up: three tokens');
    await give(page, 'numbers.npz', readFileSync(npz));
    await dialogOf(page).getByText('A saved state: 6 tokens × 3 input dimensions').waitFor();
    await press(page, 'Put them in');
    await shows(() => texts(page, 'Attention weights, head 1'), weights);
    await press(page, 'Export');
    assert.deepEqual(JSON.parse(readFileSync(await saved(page, 'Save JSON', folder), 'utf8')).document, json.document);
  });

  test('what is copied is what the matrix holds', async ({ open }) => {
    const page = await open();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await press(page, 'Export');
    for (const [name, text] of [
      ['Copy as TSV', '0.5\t0.25\t0.25\r\n0\t1\t0\r\n0.25\t0.25\t0.5\r\n'],
      ['Copy as NumPy', 'np.array([\n    [0.5, 0.25, 0.25],\n    [0, 1, 0],\n    [0.25, 0.25, 0.5],\n], dtype=np.float32)'],
    ]) {
      await press(page, name);
      await shows(() => page.evaluate(() => navigator.clipboard.readText()), text);
    }
  });

  test('in the dark the figure is light, for print', async ({ open, folder }) => {
    const figures = [];
    for (const dark of [false, true]) {
      const page = await open({ dark });
      await press(page, 'Export');
      figures.push(readFileSync(await saved(page, 'Save SVG', folder), 'utf8'));
    }
    assert.equal(figures[0], figures[1]);
  });
});
