// Tables and literals of one matrix, read back by Python; and the worksheet, whose blanks and answers are the module's
// numbers. Read next: io-scripts.test.js.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { numpyLiteral, torchLiteral, writeDelimited } from '../../web/io/csv.js';
import { worksheet, worksheetHtml } from '../../web/io/worksheet.js';
import { headRows, inCell, rowsOf } from '../../web/model/derive.js';
import { frameOf, opening, t } from './frames.js';
import { HOSTILE, python } from './io-cases.js';

const ROWS = [[0.1, -2.5, 3], [1e-45, 3.4028234663852886e38, -0], [-Infinity, 1 / 3, 123456789]];

test('CSV and TSV hold every digit and every label, as Python reads them', () => {
  const rowLabels = ["it's", '"q", x', 'two\nlines'];
  const columnLabels = ['a\tb', '旅程', 'c;d'];
  for (const separator of /** @type {const} */ ([',', '\t'])) {
    const text = writeDelimited(ROWS, { separator, rowLabels, columnLabels });
    const { printed } = python(`
import csv, json
with open('a.csv', newline='', encoding='utf-8') as f: print(json.dumps(list(csv.reader(f, delimiter=${JSON.stringify(separator)}))))`, { 'a.csv': text });
    const [header, ...lines] = JSON.parse(printed);
    assert.deepEqual(header, ['', ...columnLabels]);
    assert.deepEqual(lines.map((/** @type {string[]} */ line) => line[0]), rowLabels);
    const numbers = lines.map((/** @type {string[]} */ line) => line.slice(1).map((x) => Math.fround(Number(x.replace('inf', 'Infinity')))));
    assert.deepEqual(numbers, ROWS.map((row) => row.map((x) => Math.fround(x) + 0)));
  }
  assert.equal(writeDelimited([[0.1, 2]]), '0.1,2\r\n');
});

test('a label that a spreadsheet would run as a formula is marked as text', () => {
  const text = writeDelimited([[1], [2], [-3]], { rowLabels: ['=HYPERLINK("x")', '@cmd', '-1+1'] });
  assert.equal(text, '"\'=HYPERLINK(""x"")",1\r\n\'@cmd,2\r\n\'-1+1,-3\r\n');
});

test('literals are the same float32 numbers in NumPy and in PyTorch, whole numbers too', () => {
  const { printed } = python(`
import numpy as np, torch, json
a = ${numpyLiteral(ROWS)}
b = ${torchLiteral(ROWS)}
c = ${torchLiteral([[1, 2]])}
assert a.dtype == np.float32 and b.dtype == torch.float32 and c.dtype == torch.float32
assert (a == b.numpy()).all()
print(a.tobytes().hex())`, {});
  const bytes = Buffer.from(printed.trim(), 'hex');
  const want = ROWS.flat().map((x) => Math.fround(x) + 0);
  assert.deepEqual(want.map((_, i) => bytes.readFloatLE(i * 4)), want);
});

/** The cells of a table of a worksheet. @param {import('../../web/io/worksheet.js').Worksheet} sheet @param {string} caption */
function cellsOf(sheet, caption) {
  const table = sheet.tables.find((candidate) => candidate.caption === caption);
  if (!table) throw new Error(`no table "${caption}"`);
  return table.rows.map(({ cells }) => cells);
}

for (const id of ['warm-up', 'simplified', 'trainable', 'multi-head']) {
  test(`the worksheet of "${id}" leaves blank what is asked; the answer sheet shows the numbers of the page there`, async () => {
    const frame = await frameOf(await opening(id));
    const { state, tensors, derived } = frame;
    const [asked, answers] = [false, true].map((which) => worksheet(frame, t, { answers: which }));
    assert.deepEqual(asked.tables.map(({ caption }) => caption), answers.tables.map(({ caption }) => caption));
    asked.tables.forEach((table, i) => table.rows.forEach(({ cells }, j) => cells.forEach((cell, k) => {
      const answer = answers.tables[i].rows[j].cells[k];
      assert.equal(answer.blank, false);
      assert.notEqual(answer.text, '');
      if (cell.blank) assert.equal(cell.text, '');
      else assert.deepEqual(cell, answer);
    })));
    const { row, head, digits } = state.view;
    const part = (/** @type {number[]} */ whole) => whole.slice(head * derived.headDim, (head + 1) * derived.headDim);
    const texts = (/** @type {number[]} */ numbers) => numbers.map((value) => inCell(value, digits));
    const context = cellsOf(answers, 'Context vectors')[0].map(({ text }) => text);
    assert.deepEqual(context, texts(part(rowsOf(tensors.context_vecs)[row])));
    assert.ok(cellsOf(asked, 'Context vectors')[0].every(({ blank }) => blank));
    const weights = headRows(tensors.attn_weights, head)[row].map((weight, key) =>
      (derived.masked && key > row ? 'masked' : inCell(weight, digits)));
    const line = cellsOf(answers, 'Attention weights')[0].map(({ text }) => text);
    assert.deepEqual(line.slice(0, -1), weights);
    assert.equal(line[line.length - 1], inCell(1, digits));
    const given = state.document.source === 'given';
    const blanks = cellsOf(asked, 'Attention weights')[0];
    assert.equal(blanks[0].blank, !given);
    assert.equal(blanks[blanks.length - 1].blank, true);
    const products = cellsOf(answers, 'Weight × row, one line for each token');
    assert.equal(products.length, derived.nTokens);
    assert.equal(products[0].length, derived.headDim);
  });
}

test('typed weights under the mask are given as typed, and the masked row is asked', async () => {
  const state = await opening('warm-up');
  const frame = await frameOf({ ...state, document: { ...state.document, causal: true }, view: { ...state.view, row: 1 } });
  const sheet = worksheet(frame, t, { answers: false });
  assert.match(sheet.tables[0].caption, /as typed/);
  assert.deepEqual(cellsOf(sheet, 'Attention weights')[0].map(({ text, blank }) => (blank ? '_' : text)), ['_', '_', 'masked', '_']);
});

test('the worksheet as a page allows its own style and nothing else, and labels stay text', async () => {
  const state = await opening('causal');
  for (let from = 0; from < HOSTILE.length; from += 6) {
    const tokens = Array.from({ length: 6 }, (_, i) => HOSTILE[(from + i) % HOSTILE.length]);
    const frame = await frameOf({ ...state, document: { ...state.document, tokens } });
    const html = worksheetHtml(worksheet(frame, t, { answers: false }), 'en');
    const style = html.match(/<style>([^]*)<\/style>/)?.[1] ?? '';
    const digest = createHash('sha256').update(style).digest('base64');
    assert.ok(html.includes(`default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'`));
    const tags = new Set([...html.matchAll(/<\/?([a-z!][a-z0-9]*)/g)].map(([, tag]) => tag));
    assert.deepEqual([...tags].sort(), ['!doctype', 'bdi', 'body', 'caption', 'h1', 'head', 'html', 'meta', 'p', 'style', 'table',
      'tbody', 'td', 'th', 'thead', 'title', 'tr']);
    assert.doesNotMatch(html, /\son\w+=|style=|NaN|undefined|\[object/);
  }
});
