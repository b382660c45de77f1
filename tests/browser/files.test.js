// Everything goes out and comes in: files saved from the page are what independent programs read, and open again as the
// same state; numbers from elsewhere are previewed before they replace anything. Read next: sharing.test.js,
// ../node/io-scripts.test.js.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { PHONE, inBrowsers } from './browsers.js';
import { edit, openExample, press, shows } from './reading.js';

/** @typedef {import('./reading.js').Page} Page */

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** @param {Page} page */
const dialogOf = (page) => page.getByRole('dialog');

/** @param {Page} page */
const said = async (page) => (await dialogOf(page).getByRole('status').textContent())?.trim();

/** @param {Page} page @returns {Promise<string[]>} */
async function violations(page) {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = /** @type {{ axe: typeof import('axe-core') }} */ (/** @type {unknown} */ (window));
    return (await axe.run(document, { resultTypes: ['violations'] })).violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`);
  });
}

/** Press a button of the dialog that saves a file; where the file is. @param {Page} page @param {string} name @param {string} folder */
async function saved(page, name, folder) {
  const [download] = await Promise.all([page.waitForEvent('download'), press(page, name)]);
  const path = join(folder, download.suggestedFilename());
  await download.saveAs(path);
  return path;
}

inBrowsers((test, browser) => {
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
