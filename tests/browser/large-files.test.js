// Large files: models with many tensors, of which some fit and the others say why not; files of 100 MB that never hold up
// the page, because only the parts that are wanted are read; what is larger, or gone, is refused in words.
// Read next: files.test.js, ../node/io-arrays.test.js.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PHONE, inBrowsers } from './browsers.js';
import { exactNumbers, grid, press, shows, texts, violations } from './reading.js';

/** @typedef {import('./reading.js').Page} Page */

/** @param {Page} page */
const dialogOf = (page) => page.getByRole('dialog');

/** @param {Page} page */
const said = async (page) => (await page.locator('.dialog-said').textContent() ?? '').trim();

/** @param {Page} page @param {string} path */
async function choose(page, path) {
  await press(page, 'Open file…');
  await page.locator('#open-file').setInputFiles(path);
}

/**
 * A .safetensors file as PyTorch's tensors lie in one: layers of nn.Linear weights in three types, and what does not
 * fit; the weights of the third layer, float32 in bfloat16, are printed.
 * @param {string} path
 */
function model(path) {
  const program = `
import json, struct, sys, torch
torch.manual_seed(1)
kinds = {torch.float32: 'F32', torch.float16: 'F16', torch.bfloat16: 'BF16', torch.int64: 'I64'}
parts = {'h.mask': torch.arange(9), 'h.0.conv.weight': torch.rand(2, 3, 4), 'h.none': torch.rand(0, 3)}
for i in range(24):
    for name in ['q_proj', 'k_proj', 'v_proj']:
        parts[f'h.{i}.attn.{name}.weight'] = torch.nn.Linear(3, 4).weight.detach().to([torch.float32, torch.float16, torch.bfloat16][i % 3])
    parts[f'h.{i}.mlp.weight'], parts[f'h.{i}.ln.weight'] = torch.rand(48, 64), torch.rand(3)
head, body = {}, b''
for name, tensor in parts.items():
    data = tensor.contiguous().view(torch.uint8).numpy().tobytes()
    head[name] = {'dtype': kinds[tensor.dtype], 'shape': list(tensor.shape), 'data_offsets': [len(body), len(body) + len(data)]}
    body += data
text = json.dumps(head).encode()
open(sys.argv[1], 'wb').write(struct.pack('<Q', len(text)) + text + body)
print(json.dumps({n: parts[f'h.2.attn.{n}_proj.weight'].float().T.tolist() for n in 'qkv'}))`;
  return JSON.parse(execFileSync('/usr/bin/python3', ['-c', program, path], { encoding: 'utf8' }));
}

/** A file of exactly 100 MB that begins so. @param {string} path @param {Uint8Array} head @param {number} [size] */
function largeFile(path, head, size = 100e6) {
  writeFileSync(path, head);
  truncateSync(path, size);
  return path;
}

/** @param {unknown} header of a .safetensors file */
function tensorsHead(header) {
  const text = Buffer.from(JSON.stringify(header).padEnd(1000));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text]);
}

inBrowsers((test, browser) => {
  test('of a model with 123 tensors those that fit are found by name, put where they are told, and turned round', async ({ open, folder }) => {
    const page = await open();
    const want = model(join(folder, 'model.safetensors'));
    await choose(page, join(folder, 'model.safetensors'));
    await dialogOf(page).getByText('123 arrays, 96 of them fit here. 50 are shown').waitFor();
    const rows = dialogOf(page).getByRole('row');
    assert.equal(await rows.count(), 51);
    const search = dialogOf(page).getByRole('searchbox', { name: 'Find arrays by name' });
    for (const [name, why] of [['h.mask', 'its numbers are of type I64'], ['h.0.conv', 'not a matrix'], ['h.none', 'holds no numbers'], ['h.7.mlp', 'larger than 32 × 32']]) {
      await search.fill(name);
      await shows(async () => (await rows.filter({ hasText: name }).locator('.why').allTextContents()).join(), `cannot be used: ${why}`);
    }
    // What stands by its name where it is guessed is let go, and the third layer is taken.
    for (const part of ['q', 'k', 'v']) {
      await dialogOf(page).getByRole('combobox', { name: `Where h.0.attn.${part}_proj.weight goes` }).selectOption({ label: 'nowhere' });
    }
    await search.fill('H.2.attn');
    await shows(() => rows.count(), 4);
    for (const [part, to] of [['q', 'Query weights'], ['k', 'Key weights'], ['v', 'Value weights']]) {
      await dialogOf(page).getByRole('combobox', { name: `Where h.2.attn.${part}_proj.weight goes` }).selectOption({ label: to });
    }
    await dialogOf(page).getByText('After this: 3 tokens × 4 input dimensions → 3 output dimensions').waitFor();
    for (const part of ['q', 'k', 'v']) await dialogOf(page).getByRole('checkbox', { name: `Transpose h.2.attn.${part}_proj.weight` }).check();
    await dialogOf(page).getByText('After this: 3 tokens × 3 input dimensions → 4 output dimensions').waitFor();
    await press(page, 'Put them in');
    await grid(page, 'Query weights').waitFor();
    for (const [part, name] of [['q', 'Query weights'], ['k', 'Key weights'], ['v', 'Value weights']]) {
      const close = (await exactNumbers(page, name)).flat();
      want[part].flat().forEach((/** @type {number} */ number, /** @type {number} */ i) => assert.ok(Math.abs(Number(close[i]) - number) <= 1e-6, `${name} ${i}`));
    }
    await press(page, 'Undo');
    await shows(async () => grid(page, 'Query weights').count(), 0);
  });

  test('a long list of arrays fits on a phone, in the dark too, and axe finds nothing in it', async ({ open, folder }) => {
    model(join(folder, 'model.safetensors'));
    for (const look of [{}, { dark: true, size: PHONE }]) {
      const page = await open(look);
      await choose(page, join(folder, 'model.safetensors'));
      await dialogOf(page).getByText('After this').waitFor();
      assert.deepEqual(await violations(page), []);
      const list = dialogOf(page).getByRole('region', { name: 'Arrays in the file' });
      assert.ok(await list.evaluate((region) => region.scrollWidth <= region.clientWidth && region.scrollHeight > region.clientHeight));
      await dialogOf(page).getByRole('button', { name: 'Put them in' }).scrollIntoViewIfNeeded();
      assert.equal(await dialogOf(page).evaluate((dialog) => dialog.scrollWidth <= dialog.clientWidth), true);
    }
  });

  test('a file that is taken away while its arrays are chosen is missed in words, and nothing changes', async ({ open, folder }) => {
    const page = await open();
    const before = await texts(page, 'Inputs');
    const path = join(folder, 'going.safetensors');
    model(path);
    await choose(page, path);
    await dialogOf(page).getByText('After this').waitFor();
    renameSync(path, `${path}.away`);
    await dialogOf(page).getByRole('checkbox', { name: 'Transpose h.0.attn.q_proj.weight' }).click();
    await shows(async () => /can no longer be read.*Nothing was changed\.$/.test(await said(page)), true);
    await page.keyboard.press('Escape');
    assert.deepEqual(await texts(page, 'Inputs'), before);
  });

  test('more than 100 MB is refused in words, before a byte of it is read', async ({ open }) => {
    const page = await open();
    const read = await page.evaluate(() => {
      const file = new File(['x'], 'huge.safetensors');
      let reads = 0;
      Object.defineProperty(file, 'size', { value: 2_500_000_000 });
      Object.defineProperty(file, 'slice', { value: () => { reads += 1; return new Blob(); } });
      const event = Object.assign(new Event('drop', { bubbles: true, cancelable: true }), { dataTransfer: { files: [file] } });
      document.body.dispatchEvent(event);
      return new Promise((done) => { setTimeout(() => done(reads), 200); });
    });
    await shows(() => said(page), 'This file has 2500 MB; the page opens files of up to 100 MB. Nothing was changed.');
    assert.equal(read, 0);
  });

  if (browser !== 'chromium') return;

  test('files of 100 MB never hold the page up: no task takes a fifth of a second, and what is wanted of them is there', async ({ open, folder }) => {
    const size = 100e6;
    const bulk = 4 * 1000 * 24_990;
    const header = {
      inputs: { dtype: 'F32', shape: [2, 2], data_offsets: [0, 16] }, wte: { dtype: 'F32', shape: [24_990, 1000], data_offsets: [16, 16 + bulk] },
    };
    const tensors = largeFile(join(folder, 'large.safetensors'), tensorsHead(header), 1008 + 16 + bulk);
    const columns = (size - 128) / 8 / 4;
    const npyText = `{'descr': '<f8', 'fortran_order': True, 'shape': (4, ${columns}), }`.padEnd(117);
    const npy = largeFile(join(folder, 'large.npy'), Buffer.concat([Buffer.from('\x93NUMPY\x01\x00\x76\x00', 'latin1'), Buffer.from(`${npyText}\n`)]));
    const csv = join(folder, 'large.csv');
    writeFileSync(csv, '');
    const lines = '0.123456,1.234567,-2.5\n'.repeat(500_000);
    while (readFileSync(csv).length < size - lines.length) appendFileSync(csv, lines);
    const npz = join(folder, 'large.npz');
    execFileSync('/usr/bin/python3', ['-c', 'import sys, numpy as np; np.savez(sys.argv[1], inputs=np.eye(2), big=np.random.rand(3000, 4100))', npz]);
    const page = await open();
    await page.evaluate(() => {
      const kept = /** @type {any} */ (window);
      kept.longest = 0;
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) kept.longest = Math.max(kept.longest, duration);
      }).observe({ type: 'longtask' });
    });
    for (const [path, shown] of /** @type {[string, RegExp][]} */ ([
      [tensors, /After this: 2 tokens × 2 input/], [npy, new RegExp(`This array has 4 × ${columns} numbers`)], [npz, /After this: 2 tokens × 2 input/],
      [csv, /This text file has 9\d(\.\d)? MB, more than/],
    ])) {
      await choose(page, path);
      await shows(async () => shown.test(await dialogOf(page).textContent() ?? ''), true, path);
      const heap = await page.evaluate(() => /** @type {any} */ (performance).memory.usedJSHeapSize);
      assert.ok(heap < 60e6, `${heap} bytes in use after ${path}`);
      await page.keyboard.press('Escape');
      await dialogOf(page).waitFor({ state: 'hidden' });
    }
    const longest = await page.evaluate(() => /** @type {any} */ (window).longest);
    assert.ok(longest < 200, `the longest task took ${longest} ms`);
  });
});
