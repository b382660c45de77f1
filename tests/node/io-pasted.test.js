// Numbers out of pasted text: every kind that spreadsheets, NumPy, PyTorch and JSON write, with labels apart; what
// cannot be read is refused with its place. Printouts come from the real NumPy and PyTorch. Read next: io-json.test.js.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import test from 'node:test';
import fc from 'fast-check';
import { MAX_PASTED, readLabels, readPasted } from '../../web/io/pasted.js';
import { t } from './frames.js';
import { problemOf } from './io-states.js';

const AB = [[1, 2], [3, 4]];

/** @type {[string, string, number[][], (string[] | null)?, (string[] | null)?][]} what, text, rows, labels of rows, of columns */
const readable = [
  ['a spreadsheet', '1\t2\n3\t4', AB],
  ['a spreadsheet of Windows, with a byte order mark', '\uFEFF1\t2\r\n3\t4\r\n', AB],
  ['lines of an old Mac', '1\t2\r3\t4\r', AB],
  ['decimal commas between tabs', '0,5\t-1,25\n\u22121\t1e-3', [[0.5, -1.25], [-1, 0.001]]],
  ['CSV', '1,2\n3,4\n', AB],
  ['CSV with blanks and blank lines', '\n 1, 2\n\n3 ,4 \n\n', AB],
  ['CSV whose commas part whole numbers', '0,5\n0,25', [[0, 5], [0, 25]]],
  ['CSV with semicolons and decimal commas', '0,5;1,5\n2;3', [[0.5, 1.5], [2, 3]]],
  ['CSV with a separator at every end', '1,2,\n3,4,\n', AB],
  ['quoted cells', '"1","2"\n"3","4"', AB],
  ['columns of blanks', '  1  2\n  3  4', AB],
  ['columns of blanks with decimal commas', '0,5 0,25\n1,5 -2,0', [[0.5, 0.25], [1.5, -2]]],
  ['numbers of numpy.savetxt', '1.000000000000000000e+00 2.0e+00\n3.0e+00 4.0e+00\n', AB],
  ['one number', '0.5', [[0.5]]],
  ['one column', '1\n2\n', [[1], [2]]],
  ['a header', 'x,y\n1,2\n3,4', AB, null, ['x', 'y']],
  ['a header above one column', 'x\n1\n2', [[1], [2]], null, ['x']],
  ['row labels', 'Your\t1\t2\njourney\t3\t4', AB, ['Your', 'journey']],
  ['a row label before one row', 'Your;0,5;1', [[0.5, 1]], ['Your']],
  ['labels on both sides', 'token,x,y\nYour,1,2\n旅程,3,4', AB, ['Your', '旅程'], ['x', 'y']],
  ['labels on both sides of an empty corner', '\tx\ty\na\t1\t2\nb\t3\t4', AB, ['a', 'b'], ['x', 'y']],
  ['labels on both sides of no corner', 'x y\na 1 2\nb 3 4', AB, ['a', 'b'], ['x', 'y']],
  ['the index of pandas', ',0,1\n0,1.0,2.0\n1,3.0,4.0\n', AB, ['0', '1'], ['0', '1']],
  ['labels that are code', '"a,""b"""\t1\n<script>alert(1)</script>\t2', [[1], [2]], ['a,"b"', '<script>alert(1)</script>']],
  ['a quoted label with a line end', '"two\nlines",1,2\nb,3,4', AB, ['two\nlines', 'b']],
  ['a label with an open quote', '"a\t1\t2\nb\t3\t4', AB, ['"a', 'b']],
  ['labels in brackets', '[CLS]\t1\t2\n[SEP]\t3\t4', AB, ['[CLS]', '[SEP]']],
  ['labels that begin with a count', '1st\t1\t2\n2 cats\t3\t4', AB, ['1st', '2 cats']],
  ['labels among which are signs', 'null\t1\nis\t2\n.\t3', [[1], [2], [3]], ['null', 'is', '.']],
  ['JSON', '[[1, 2], [3, 4]]', AB],
  ['JSON over lines', '[\n  [1,2],\n  [3,4]\n]\n', AB],
  ['JSON of one row', '[1, 2.5e-1]', [[1, 0.25]]],
  ['a batch of one', '[[[1, 2], [3, 4]]]', AB],
  ['a batch of one with one head', '[[[[1, 2], [3, 4]]]]', AB],
  ['one row in a batch of one', '[[[1, 2]]]', [[1, 2]]],
  ['a column', '[[1], [2]]', [[1], [2]]],
  ['print of NumPy', '[[1. 2.]\n [3. 4.]]', AB],
  ['repr of NumPy', 'array([[1., 2.],\n       [3., 4.]], dtype=float32)', AB],
  ['code of NumPy', 'W = np.array([[1, 2], [3, 4]])', AB],
  ['print of PyTorch', 'tensor([[1., 2.],\n        [3., 4.]])', AB],
  ['PyTorch with a gradient', 'tensor([[1., 2.], [3., 4.]], grad_fn=<MmBackward0>)', AB],
  ['PyTorch on a device', "tensor([[1., 2.], [3., 4.]], device='cuda:0', dtype=torch.float64, requires_grad=True)", AB],
  ['a parameter', 'Parameter containing:\ntensor([[ 1.0000e+00,  2.0000e+00],\n        [ 3.0000e+00,  4.0000e+00]], requires_grad=True)', AB],
  ['code of PyTorch', 'x = torch.tensor(\n  [[1, 2],\n   [3, 4],]\n);', AB],
];

for (const [what, text, rows, rowLabels = null, columnLabels = null] of readable) {
  test(`${what} is read`, () => assert.deepEqual(readPasted(text), { rows, rowLabels, columnLabels }));
}

/** @type {[string, string, string, Record<string, string | number>?][]} what, text, problem, what its sentence names */
const refused = [
  ['nothing', '', 'problem-paste-empty'],
  ['blanks', ' \n\t\n', 'problem-paste-empty'],
  ['an empty list', '[]', 'problem-paste-empty'],
  ['a list of empty lists', '[[], []]', 'problem-paste-empty'],
  ['an empty tensor', 'tensor([], size=(0, 3))', 'problem-paste-empty'],
  ['a word', 'hello', 'problem-paste-number', { row: 1, column: 1, text: 'hello' }],
  ['a sentence', 'Your journey starts', 'problem-paste-number', { row: 1, column: 2, text: 'journey' }],
  ['a page', '<script>alert(1)</script>', 'problem-paste-number', { row: 1, column: 1, text: '<script>alert(1)</script>' }],
  ['a word among numbers', '1\t2\n3\tx', 'problem-paste-number', { row: 2, column: 2, text: 'x' }],
  ['an empty cell', '1\t2\n3\t', 'problem-paste-number', { row: 2, column: 2, text: '' }],
  ['an empty first cell', '\t2\n3\t4', 'problem-paste-number', { row: 1, column: 1, text: '' }],
  ['a word below a header', 'x,y\n1,2\n3,z', 'problem-paste-number', { row: 3, column: 2, text: 'z' }],
  ['thousands', '1.000,5\t2\n3\t4', 'problem-paste-number', { row: 1, column: 1, text: '1.000,5' }],
  ['a number beyond float32', '1,1e39', 'problem-paste-number', { row: 1, column: 2, text: '1e39' }],
  ['a number beyond float32 in the first column', '1e39\t1', 'problem-paste-number', { row: 1, column: 1, text: '1e39' }],
  ['a first row of numbers beyond float32', '1e39\t1e40\n1\t2', 'problem-paste-number', { row: 1, column: 1, text: '1e39' }],
  ['a number beyond float32 beside an empty corner', '\t1e39\n1\t2', 'problem-paste-number', { row: 1, column: 1, text: '' }],
  ['a column of fractions', '1/2\t1\n1/3\t2', 'problem-paste-number', { row: 1, column: 1, text: '1/2' }],
  ['a fraction of one character', '½\t2', 'problem-paste-number', { row: 1, column: 1, text: '½' }],
  ['thousands with a space', '1 234,5\t2', 'problem-paste-number', { row: 1, column: 1, text: '1 234,5' }],
  ['thousands with a point', '1.234,5;2', 'problem-paste-number', { row: 1, column: 1, text: '1.234,5' }],
  ['a column of NaN', 'NAN,1\nNAN,2', 'problem-paste-number', { row: 1, column: 1, text: 'NAN' }],
  ['a row of nan', 'nan\tnan\n1\t2', 'problem-paste-number', { row: 1, column: 1, text: 'nan' }],
  ['a column of infinities', '-inf\t1\n∞\t2', 'problem-paste-number', { row: 1, column: 1, text: '-inf' }],
  ['a column of what is missing', 'NA\t1\n#N/A\t2', 'problem-paste-number', { row: 1, column: 1, text: 'NA' }],
  ['a row of dashes', '-\t-\n1\t2', 'problem-paste-number', { row: 1, column: 1, text: '-' }],
  ['a sign apart from its number', '- 1\t2', 'problem-paste-number', { row: 1, column: 1, text: '- 1' }],
  ['two points', '1..5\t2', 'problem-paste-number', { row: 1, column: 1, text: '1..5' }],
  ['a formula', '=1+2\t2', 'problem-paste-number', { row: 1, column: 1, text: '=1+2' }],
  ['money', '€ 5\t2', 'problem-paste-number', { row: 1, column: 1, text: '€ 5' }],
  ['an amount in brackets', '(5)\t2', 'problem-paste-number', { row: 1, column: 1, text: '(5)' }],
  ['per cent', '5%\t2', 'problem-paste-number', { row: 1, column: 1, text: '5%' }],
  ['a decimal with its unit', '1.5 kg\t2', 'problem-paste-number', { row: 1, column: 1, text: '1.5 kg' }],
  ['hexadecimal', '0x1F\t2', 'problem-paste-number', { row: 1, column: 1, text: '0x1F' }],
  ['a power of ten of Fortran', '1d5\t2', 'problem-paste-number', { row: 1, column: 1, text: '1d5' }],
  ['a long word', `1,${'x'.repeat(99)}`, 'problem-paste-number', { row: 1, column: 2, text: `${'x'.repeat(40)}…` }],
  ['a row that is shorter', '1,2\n3', 'problem-paste-ragged', { row: 2, expected: 2, got: 1 }],
  ['a row that is longer, below a header', 'x\ty\n1\t2\n3\t4\t5', 'problem-paste-ragged', { row: 3, expected: 2, got: 3 }],
  ['a header that is too short', 'x,y\n1,2,3', 'problem-paste-header', { expected: 3, got: 2 }],
  ['a table that leaves rows out', '1\t2\n...\t...\n3\t4', 'problem-paste-elided'],
  ['nan of NumPy', '[[1. nan]\n [3. 4.]]', 'problem-paste-number', { row: 1, column: 2, text: 'nan' }],
  ['−inf of PyTorch', 'tensor([[0.5, -inf], [1., 2.]])', 'problem-paste-number', { row: 1, column: 2, text: '-inf' }],
  ['null in JSON', '[[1, 2], [3, null]]', 'problem-paste-number', { row: 2, column: 2, text: 'null' }],
  ['two commas', '[[1,, 2]]', 'problem-paste-number', { row: 1, column: 2, text: '' }],
  ['rows of lists that differ', '[[1, 2], [3]]', 'problem-paste-ragged', { row: 2, expected: 2, got: 1 }],
  ['a printout with numbers left out', 'tensor([[1., 2., ..., 3.]])', 'problem-paste-elided'],
  ['a printout with rows left out', '[[1. 2.]\n ...\n [3. 4.]]', 'problem-paste-elided'],
  ['a list that is cut off', '[[1, 2], [3', 'problem-paste-cut', { open: 2 }],
  ['one bracket', '[', 'problem-paste-cut', { open: 1 }],
  ['a hundred thousand brackets', '['.repeat(1e5), 'problem-paste-cut', { open: 1e5 }],
  ['two lists', '[[1, 2]] [[3, 4]]', 'problem-paste-behind', { text: '[[3, 4]]' }],
  ['arithmetic', '[[1, 2]] * 2', 'problem-paste-behind', { text: '* 2' }],
  ['much behind a list', `[1], a=${' '.repeat(2.9e5)}[`, 'problem-paste-behind', { text: `, a=${' '.repeat(36)}…` }],
  ['a number among lists', '[[1, 2], 3]', 'problem-paste-mixed', { row: 2 }],
  ['two heads', '[[[1, 2]], [[3, 4]]]', 'problem-paste-deep', { row: 1 }],
  ['much too much', '1,'.repeat(MAX_PASTED), 'problem-paste-long', { limit: MAX_PASTED, got: 2 * MAX_PASTED }],
];

for (const [what, text, id, args] of refused) {
  test(`${what} is refused in words`, () => {
    const problem = problemOf(readPasted(text));
    assert.deepEqual(problem, args ? { id, args } : { id });
    assert.doesNotMatch(t(id, args), /undefined|NaN|\{ ?\$|\[object/);
  });
}

test('a column of labels is one a line; a table brings numbers with them', () => {
  assert.deepEqual(readLabels('Your journey\r\n\r\n1/2, or so\r\n3\r\n'), { labels: ['Your journey', '1/2, or so', '3'], rows: null });
  assert.deepEqual(readLabels('[CLS]\nthe'), { labels: ['[CLS]', 'the'], rows: null });
  assert.deepEqual(readLabels('token\tx\nYour\t1\njourney\t2'), { labels: ['Your', 'journey'], rows: [[1], [2]] });
  assert.deepEqual(readLabels('1\t2\n3\t4'), { labels: null, rows: AB });
  assert.deepEqual(readLabels('[[1, 2], [3, 4]]'), { labels: null, rows: AB });
  assert.equal(problemOf(readLabels('a\tb\nc\td')).id, 'problem-paste-number');
  assert.equal(problemOf(readLabels(' \n')).id, 'problem-paste-empty');
  assert.equal(problemOf(readLabels('x'.repeat(MAX_PASTED + 1))).id, 'problem-paste-long');
});

const numbers = fc.double({ noNaN: true, min: -3e38, max: 3e38 });
const matrices = fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 2, max: 6 })).chain(([rows, columns]) =>
  fc.array(fc.array(numbers, { minLength: columns, maxLength: columns }), { minLength: rows, maxLength: rows }));

test('any matrix comes back to the bit as JSON, TSV, CSV and CSV with decimal commas', () => {
  const written = (/** @type {number} */ n) => (Object.is(n, -0) ? '-0' : String(n));
  fc.assert(fc.property(matrices, (rows) => {
    const lines = (/** @type {string} */ separator) => rows.map((row) => row.map(written).join(separator)).join('\n');
    const texts = [
      `[${rows.map((row) => `[${row.map(written).join(', ')}]`).join(',\n')}]`, lines('\t'), lines(','), lines(' '),
      lines(';').replaceAll('.', ','),
    ];
    for (const text of texts) assert.deepEqual(readPasted(text), { rows, rowLabels: null, columnLabels: null }, text);
  }), { seed: 20260105, numRuns: 300 });
});

test('any text is a matrix or a problem, and is read in no time', () => {
  const pieces = fc.constantFrom('[', ']', ',', ';', '\t', '\n', ' ', '"', '1', '0,5', '-2.5e3', 'x', '...', 'tensor(', ')', '=', '…', '\u0000');
  fc.assert(fc.property(fc.oneof(fc.string(), fc.array(pieces).map((all) => all.join(''))), (text) => {
    const read = readPasted(text);
    if ('problem' in read) return assert.doesNotMatch(t(read.problem.id, read.problem.args), /undefined|NaN|\[object/);
    const width = read.rows[0].length;
    assert.ok(width > 0 && read.rows.every((row) => row.length === width && row.every((n) => Number.isFinite(Math.fround(n)))));
    assert.ok(read.rowLabels === null || read.rowLabels.length === read.rows.length);
    assert.ok(read.columnLabels === null || read.columnLabels.length === width);
  }), { seed: 20260106, numRuns: 3000 });
  for (const piece of ['"', '""', ' ', ' "', '1 ', '"a\n', '0,5 ', '[ ', 'a=', '-', ', ', '"a",', '1e', '1,5']) {
    const start = performance.now();
    readPasted(piece.repeat(MAX_PASTED / piece.length));
    assert.ok(performance.now() - start < 3000, `${JSON.stringify(piece)} again and again`);
  }
});

test('what the real NumPy and PyTorch print is read, number by number', () => {
  const script = `
import json, numpy, torch
torch.manual_seed(123)
samples = [torch.rand(6, 3), torch.randn(4, 5) * 1e-6, torch.randn(3, 3) * 1e7, torch.eye(4), torch.randn(1, 3), torch.randn(9, 30)]
layer = torch.nn.Linear(3, 4, bias=False)
out = [[repr(layer.weight), layer.weight.tolist()], [repr(layer(samples[0])), layer(samples[0]).tolist()]]
for sample in samples:
    array = sample.numpy()
    batch = sample[None, None]
    for text in (repr(sample), str(sample), repr(array), str(array), repr(sample.double()), json.dumps(sample.tolist()), repr(batch)):
        out.append([text, sample.tolist()])
print(json.dumps(out))`;
  const printed = JSON.parse(execFileSync('/usr/bin/python3', ['-c', script], { encoding: 'utf8' }));
  assert.equal(printed.length, 44);
  for (const [text, want] of printed) {
    const read = readPasted(text);
    assert.ok('rows' in read, `${text}\n${JSON.stringify(read)}`);
    assert.deepEqual([read.rows.length, read.rows[0].length], [want.length, want[0].length]);
    const largest = Math.max(...want.flat().map(Math.abs));
    read.rows.flat().forEach((number, i) => assert.ok(Math.abs(number - want.flat()[i]) <= 1e-3 * largest + 1e-12, text));
  }
});
