// Files of numbers, against NumPy and PyTorch as they are: what they write is read, what is written here they read.
// Read next: io-malformed.test.js for what is refused.

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { MAX_BYTES, ELEMENTS, matrixOf, sourceOf } from '../../web/io/arrays.js';
import { jsonToState, stateToJson } from '../../web/io/json.js';
import { readFile } from '../../web/io/opened.js';
import { readNpy, writeNpy } from '../../web/io/npy.js';
import { readNpz, writeNpz } from '../../web/io/npz.js';
import { readSafetensors } from '../../web/io/safetensors.js';
import { opening, runner } from './frames.js';
import { documents, python, sentence } from './io-cases.js';
import { known, states } from './io-states.js';

const LIMIT = { maxRows: 32, maxColumns: 32 };
const { view } = await opening('warm-up');

/** @param {any} outcome @returns {any} what was read; a problem is thrown as its sentence */
function good(outcome) {
  if ('problem' in outcome) throw new Error(sentence(outcome));
  return outcome;
}

/** @param {Uint8Array} bytes */
const npyIn = async (bytes) => good(await readNpy(sourceOf(bytes)));

/** @param {Uint8Array} bytes */
const npzIn = async (bytes) => good(await readNpz(sourceOf(bytes)));

/** @param {import('../../web/io/arrays.js').Stored} stored */
const whole = async (stored) => ({ shape: stored.shape, data: Array.from(good(await stored.read()).data) });

/** @param {import('../../web/io/arrays.js').Stored} stored @param {boolean} [transpose] */
const rowsIn = async (stored, transpose) => good(await matrixOf(stored, { ...LIMIT, transpose })).rows;

test('.npz: all tensors of 300 random states read back equal, stored and deflated, and so does the state itself', async () => {
  let count = 0;
  await fc.assert(fc.asyncProperty(documents, fc.boolean(), async (document, deflate) => {
    const { tensors } = await runner.run({ version: 1, document, view: { ...view, row: 0 } });
    const finite = Object.fromEntries(Object.entries(tensors).filter(([, { data }]) => data.every(Number.isFinite)));
    const file = writeNpz(finite, JSON.stringify(document), { deflate });
    const { arrays, refused, state } = await npzIn(file);
    assert.deepEqual(refused, []);
    assert.deepEqual(JSON.parse(state), document);
    const back = Object.fromEntries(await Promise.all(arrays.map(async (/** @type {any} */ stored) => [stored.name, await whole(stored)])));
    const want = Object.fromEntries(Object.entries(finite).map(([name, { shape, data }]) => [name, { shape, data: Array.from(data) }]));
    assert.deepEqual(back, want);
    count += 1;
  }), { seed: 20260102, numRuns: 300 });
  assert.equal(count, 300);
});

test('.npz: 300 random states, saved with all their tensors as the page does it, open as the very states', async () => {
  let count = 0;
  await fc.assert(fc.asyncProperty(states, async (state) => {
    const { tensors } = await runner.run(state);
    const opened = good(await readFile('state.npz', sourceOf(writeNpz(tensors, stateToJson(state)))));
    assert.deepEqual(jsonToState(opened.state, known), { state });
    count += 1;
  }), { seed: 20260107, numRuns: 300 });
  assert.equal(count, 300);
});

test('masked scores, −∞, are written as such and refused as numbers, in words', async () => {
  const state = await opening('causal');
  const { tensors } = await runner.run(state);
  const { arrays } = await npzIn(writeNpz(tensors));
  const scores = arrays.find((/** @type {any} */ { name }) => name === 'attn_scores');
  assert.match(sentence(await scores.read()), /Row 1, column 2, holds -Infinity; expected finite/);
});

test('.npy written by NumPy is read: versions 1, 2, 3, every type, C and Fortran order, no number, one number', async () => {
  const { written } = python(`
import numpy as np
from numpy.lib import format
a = np.arange(-12, 12).reshape(2, 3, 4) * 1.5
for t in ['<f4', '<f8', '<i4', '<i8']:
    np.save(t[1:] + '.npy', a.astype(t))
    np.save(t[1:] + 'F.npy', np.asfortranarray(a.astype(t)))
for v in [1, 2, 3]:
    with open(f'v{v}.npy', 'wb') as f: format.write_array(f, np.array([[0.1, -2.5], [3, 1e-45]], '<f4'), version=(v, 0))
np.save('none.npy', np.zeros((0, 3), '<f4'))
np.save('one.npy', np.array(7, '<i8'))
np.save('vector.npy', np.array([1, 2, 3], '<f8'))`, {},
  ['f4', 'f8', 'i4', 'i8'].flatMap((type) => [`${type}.npy`, `${type}F.npy`])
    .concat('v1.npy', 'v2.npy', 'v3.npy', 'none.npy', 'one.npy', 'vector.npy'));
  const want = Array.from({ length: 24 }, (_, i) => (i - 12) * 1.5);
  for (const type of ['f4', 'f8', 'i4', 'i8']) {
    const data = type.startsWith('i') ? want.map((x) => Math.trunc(x) + 0) : want;
    for (const order of ['', 'F']) {
      assert.deepEqual(await whole(await npyIn(written[`${type}${order}.npy`])), { shape: [2, 3, 4], data }, `${type}${order}`);
    }
  }
  for (const version of [1, 2, 3]) {
    const read = await whole(await npyIn(written[`v${version}.npy`]));
    assert.deepEqual(read, { shape: [2, 2], data: [0.1, -2.5, 3, 1e-45].map(Math.fround) });
  }
  assert.deepEqual(await whole(await npyIn(written['none.npy'])), { shape: [0, 3], data: [] });
  assert.deepEqual(await whole(await npyIn(written['one.npy'])), { shape: [], data: [7] });
  assert.deepEqual(await rowsIn(await npyIn(written['vector.npy'])), [[1, 2, 3]]);
});

test('.npz written by NumPy is read, stored and compressed; what is no number is listed apart', async () => {
  const { written } = python(`
import numpy as np
a = dict(w_query=np.array([[1, 2], [3, 4], [5, 6]], '<f4'), other=np.asfortranarray(np.eye(3)), flags=np.array([True]))
np.savez('stored.npz', **a); np.savez_compressed('packed.npz', **a)`, {}, ['stored.npz', 'packed.npz']);
  for (const file of Object.values(written)) {
    const { arrays, refused, state } = await npzIn(file);
    assert.deepEqual(arrays.map((/** @type {any} */ { name, shape, type }) => [name, shape, type]),
      [['w_query', [3, 2], '<f4'], ['other', [3, 3], '<f8']]);
    assert.deepEqual((await whole(arrays[0])).data, [1, 2, 3, 4, 5, 6]);
    assert.deepEqual(await rowsIn(arrays[0], true), [[1, 3, 5], [2, 4, 6]]);
    assert.equal(state, null);
    assert.match(sentence(refused[0]), /true and false/);
  }
});

test('NumPy reads what is written here: .npy of ranks 0 to 4, .npz with every name and the state', async () => {
  const state = await opening('multi-head');
  const { tensors } = await runner.run(state);
  const json = JSON.stringify({ tokens: ['旅程', '👩‍🏫', "it's"] });
  const shapes = [[], [3], [1], [2, 3], [2, 1, 3], [1, 2, 2, 2], [0, 2], [30, 40]];
  const of = (/** @type {number[]} */ shape) => Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => Math.sin(i));
  const files = Object.fromEntries(shapes.map((shape, i) => [`${i}.npy`, writeNpy({ shape, data: of(shape) })]));
  const { printed, written } = python(`
import json, numpy as np
shapes = json.load(open('shapes.json'))
for i, shape in enumerate(shapes):
    a = np.load(f'{i}.npy')
    assert a.dtype == np.float32 and list(a.shape) == shape and a.flags.c_contiguous, (i, a.dtype, a.shape)
    np.save(f'back{i}.npy', a)
for name in ['stored', 'packed']:
    z = np.load(name + '.npz')
    assert json.loads(z['state'].item())['tokens'][0] == '旅程'
    np.savez(name + 'back.npz', **{k: z[k] for k in z.files})
    print(' '.join(z.files))`, {
    ...files, 'shapes.json': JSON.stringify(shapes),
    'stored.npz': writeNpz(tensors, json, { deflate: false }), 'packed.npz': writeNpz(tensors, json),
  }, ['storedback.npz', 'packedback.npz', ...shapes.map((_, i) => `back${i}.npy`)]);
  assert.deepEqual([...new Set(printed.trim().split('\n'))], [[...Object.keys(tensors), 'state'].join(' ')]);
  for (const [i, shape] of shapes.entries()) {
    assert.deepEqual(await whole(await npyIn(written[`back${i}.npy`])), { shape, data: Array.from(of(shape)) });
  }
  for (const name of ['storedback.npz', 'packedback.npz']) {
    const back = await npzIn(written[name]);
    assert.equal(back.state, json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`));
    for (const stored of back.arrays.filter((/** @type {any} */ { name: n }) => n !== 'attn_scores')) {
      assert.deepEqual((await whole(stored)).data, Array.from(tensors[stored.name].data), stored.name);
    }
  }
});

test('the same tensors give the same bytes', async () => {
  const { tensors } = await runner.run(await opening('trainable'));
  assert.deepEqual(writeNpz(tensors), writeNpz(tensors));
});

/** A .safetensors file. @param {Record<string, any>} header @param {Uint8Array} body */
function safetensors(header, body) {
  const text = new TextEncoder().encode(JSON.stringify(header));
  const file = new Uint8Array(8 + text.length + body.length);
  new DataView(file.buffer).setBigUint64(0, BigInt(text.length), true);
  file.set(text, 8);
  file.set(body, 8 + text.length);
  return file;
}

test('float16 and bfloat16 are read as PyTorch reads them, for every bit pattern', () => {
  const { written } = python(`
import numpy as np, torch
bits = torch.arange(65536, dtype=torch.int32).to(torch.int16)
for name, t in [('float16', torch.float16), ('bfloat16', torch.bfloat16)]:
    bits.view(t).to(torch.float32).numpy().tofile(name)`, {}, ['float16', 'bfloat16']);
  const bits = new DataView(Uint16Array.from({ length: 65536 }, (_, i) => i).buffer);
  for (const element of ['float16', 'bfloat16']) {
    const want = new Float32Array(written[element].slice().buffer);
    // What is compared is the numbers: a NaN may be kept in other bits.
    assert.deepEqual(Array.from({ length: 65536 }, (_, i) => ELEMENTS[element].at(bits, i * 2)), Array.from(want), element);
  }
});

test('.safetensors: tensors are listed with their shapes; nn.Linear weights are turned round when told', async () => {
  const { written } = python(`
import torch
torch.manual_seed(1)
layer = torch.nn.Linear(3, 2)
parts = [layer.weight.detach(), layer.weight.detach().to(torch.bfloat16), layer.bias.detach().to(torch.float16)]
open('body', 'wb').write(b''.join(p.contiguous().view(torch.uint8).numpy().tobytes() for p in parts))
torch.set_printoptions(precision=9)
import json; json.dump([p.float().tolist() for p in parts], open('want.json', 'w'))`, {}, ['body', 'want.json']);
  const want = JSON.parse(new TextDecoder().decode(written['want.json']));
  const file = safetensors({
    __metadata__: { format: 'pt' },
    'half.bias': { dtype: 'F16', shape: [2], data_offsets: [36, 40] },
    'q.weight': { dtype: 'F32', shape: [2, 3], data_offsets: [0, 24] },
    'k.weight': { dtype: 'BF16', shape: [2, 3], data_offsets: [24, 36] },
  }, written.body);
  const { arrays } = good(await readSafetensors(sourceOf(file)));
  assert.deepEqual(arrays.map((/** @type {any} */ { name, shape, type }) => [name, shape, type]),
    [['q.weight', [2, 3], 'F32'], ['k.weight', [2, 3], 'BF16'], ['half.bias', [2], 'F16']]);
  const turned = (/** @type {number[][]} */ rows) => rows[0].map((_, j) => rows.map((row) => row[j]));
  assert.deepEqual(await rowsIn(arrays[0]), want[0]);
  assert.deepEqual(await rowsIn(arrays[0], true), turned(want[0]));
  assert.deepEqual(await rowsIn(arrays[1], true), turned(want[1]));
  assert.deepEqual(await rowsIn(arrays[2]), [want[2]]);
});

test('a .safetensors file whose tensors are all of other types says so; some of them are listed apart', async () => {
  const whole64 = { dtype: 'I64', shape: [1], data_offsets: [0, 8] };
  assert.match(sentence(await readSafetensors(sourceOf(safetensors({ a: whole64 }, new Uint8Array(8))))), /“a” holds elements of type “I64”/);
  const both = safetensors({ a: whole64, b: { dtype: 'F32', shape: [1, 1], data_offsets: [8, 12] } }, new Uint8Array(12));
  const { arrays, refused } = good(await readSafetensors(sourceOf(both)));
  assert.deepEqual([arrays[0].name, refused[0].name], ['b', 'a']);
});

test('a matrix is held against the room for it before its numbers are read; leading sizes of 1 do not count', async () => {
  let reads = 0;
  const stored = (/** @type {number[]} */ shape) => ({
    name: 'a', shape, type: '<f4', read: async () => { reads += 1; return { data: Float64Array.from({ length: 6 }, (_, i) => i) }; },
  });
  assert.match(sentence(await matrixOf(stored([768, 768]), LIMIT)), /768 × 768.*at most 32 × 32/);
  assert.match(sentence(await matrixOf(stored([2, 3, 4]), LIMIT)), /2 × 3 × 4; expected a matrix/);
  assert.match(sentence(await matrixOf(stored([]), LIMIT)), /expected a matrix/);
  assert.match(sentence(await matrixOf(stored([0, 3]), LIMIT)), /no numbers/);
  assert.equal(reads, 0);
  assert.deepEqual(good(await matrixOf(stored([1, 1, 2, 3]), LIMIT)).rows, [[0, 1, 2], [3, 4, 5]]);
  assert.deepEqual(good(await matrixOf(stored([2, 3]), { maxRows: 3, maxColumns: 2, transpose: true })).rows, [[0, 3], [1, 4], [2, 5]]);
});

/**
 * A file of 100 MB that is made up where it is read, and how much of it was: its beginning, and zeros.
 * @param {Uint8Array} head @param {number} [size]
 */
function largeFile(head, size = MAX_BYTES) {
  const counted = { size, bytes: 0, async read(/** @type {number} */ from, /** @type {number} */ to) {
    counted.bytes += to - from;
    const part = new Uint8Array(to - from);
    part.set(head.subarray(from, to));
    return part;
  } };
  return counted;
}

test('a table is read in UTF-8, or in UTF-16 as its byte order mark says', async () => {
  const text = '\uFEFFtoken,x\r\n旅程,0.5\r\nß,2\r\n';
  const little = new Uint8Array(Uint16Array.from(text, (letter) => letter.charCodeAt(0)).buffer);
  const big = little.map((_, i) => little[i ^ 1]);
  for (const bytes of [new TextEncoder().encode(text), little, big]) {
    const opened = good(await readFile('a.csv', sourceOf(bytes)));
    assert.deepEqual([opened.labels, await rowsIn(opened.arrays[0])], [['旅程', 'ß'], [[0.5], [2]]]);
  }
});

test('of a file of 100 MB only the parts that are wanted are read; one byte more is refused in words, unread', async () => {
  const tensors = Array.from({ length: 149 }, (_, i) => ({ name: `h.${i}.c_attn.weight`, at: i * 24 }));
  const header = Object.fromEntries(tensors.map(({ name, at }) => [name, { dtype: 'F32', shape: [2, 3], data_offsets: [at, at + 24] }]));
  const room = MAX_BYTES - 8 - 20_000 - 149 * 24;
  const rest = { 'wte.weight': { dtype: 'F16', shape: [room / 8, 4], data_offsets: [149 * 24, 149 * 24 + room] } };
  const text = JSON.stringify({ ...header, ...rest }).padEnd(20_000);
  const file = largeFile(new Uint8Array([...new Uint8Array(BigUint64Array.of(20_000n).buffer), ...new TextEncoder().encode(text)]));
  const { arrays } = good(await readFile('model.safetensors', file));
  assert.equal(arrays.length, 150);
  assert.deepEqual(await rowsIn(arrays[7], true), [[0, 0], [0, 0], [0, 0]]);
  assert.match(sentence(await matrixOf(arrays[149], LIMIT)), /at most 32 × 32/);
  assert.ok(file.bytes < 21_000, `${file.bytes} bytes`);
  const larger = largeFile(new Uint8Array(), MAX_BYTES + 1);
  assert.match(sentence(await readFile('model.safetensors', larger)), /100\.1 MB; the page opens files of up to 100 MB/);
  assert.equal(larger.bytes, 0);
});

test('text of many megabytes cannot be a matrix or a state of this page, and is refused in words, unread', async () => {
  for (const name of ['numbers.csv', 'state.json']) {
    const file = largeFile(new Uint8Array());
    assert.match(sentence(await readFile(name, file)), /has 100 MB.* at most 3 MB/);
    assert.equal(file.bytes, 0);
  }
});

test('tables of 1000 arrays are listed; of each only the header is unpacked', async () => {
  const zeros = { shape: [100, 100], data: new Float32Array(10_000) };
  const packed = writeNpz(Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`a${i}`, zeros])));
  const { arrays } = await npzIn(packed);
  assert.equal(arrays.length, 1000);
  const claimed = writeNpz(Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`a${i}`, zeros])));
  assert.match(sentence(await readNpz(sourceOf(claimed))), /1001 files; expected at most 1000/);
});
