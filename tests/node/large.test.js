// Large sequences without a browser: what the map shows as one moves and zooms, where keys lead, what the worker's
// layer says of a cell and its row, and how the desk asks the worker. Read next: scenes-large.js, picture.test.js.

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { createDesk } from '../../web/app/large-desk.js';
import { createLargeLayer, layerOptions } from '../../web/app/large-layer.js';
import {
  FIRST_LARGE, LARGE_LIMITS, LARGE_SIZES, cellAt, entryText, fitLarge, heaviest, lensStart, moved, readEntry, showing, stepped, topOf,
  wholeMap, workOf, wrongText, zoomed,
} from '../../web/model/large.js';
import { readState } from '../../web/model/schema.js';
import { update } from '../../web/model/update.js';
import { attention } from './cases.js';
import { known } from './io-states.js';
import { drawn, htmlOf, opening, textOf } from './frames.js';
import { scenes } from './scenes.js';

/** @typedef {import('../../web/model/large.js').Large} Large */

const ASKED = { ...FIRST_LARGE, tokens: 40, heads: 2, headDim: 3 };

/** @param {string} name of a scene */
const sceneText = (name) => textOf(scenes.find((one) => one.name === name)?.template);

test('however one moves and zooms, the map shows a square within the matrix, and the point under the finger stays', () => {
  const part = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(fc.property(fc.integer({ min: 1, max: 3000 }), fc.array(fc.tuple(fc.double({ min: -5000, max: 5000, noNaN: true }),
    fc.double({ min: 0.1, max: 10, noNaN: true }), part, part), { maxLength: 20 }), (tokens, steps) => {
    let region = wholeMap(tokens);
    for (const [by, factor, x, y] of steps) {
      region = moved(region, tokens, by, -by / 2);
      const before = region;
      region = zoomed(region, tokens, factor, x, y);
      assert.ok(region.row >= 0 && region.column >= 0 && region.size >= Math.min(8, tokens));
      assert.ok(region.row + region.size <= tokens + 1e-9 && region.column + region.size <= tokens + 1e-9);
      // Zoomed in, nothing is at an edge that could push it away.
      if (region.size < before.size) {
        assert.ok(Math.abs((region.column + x * region.size) - (before.column + x * before.size)) < 1e-6);
        assert.ok(Math.abs((region.row + y * region.size) - (before.row + y * before.size)) < 1e-6);
      }
      const cell = cellAt(region, tokens, x, y);
      assert.deepEqual(showing(region, tokens, cell).size, region.size);
    }
  }));
});

test('the map moves just as far as lets a cell be seen whole', () => {
  const region = { row: 10, column: 10, size: 20 };
  assert.deepEqual(showing(region, 100, { row: 15, column: 29 }), region);
  assert.deepEqual(showing(region, 100, { row: 9, column: 30 }), { row: 9, column: 11, size: 20 });
  assert.deepEqual(showing(region, 100, { row: 99, column: 0 }), { row: 80, column: 0, size: 20 });
  assert.deepEqual(cellAt(region, 100, 0.5, 0), { row: 10, column: 20 });
  assert.deepEqual(cellAt(wholeMap(64), 64, 1, 1), { row: 63, column: 63 });
});

test('steps lead from weight to weight, far ones nine at a time, and never out of the matrix', () => {
  const from = { row: 5, column: 30 };
  const to = (/** @type {[number, number]} */ way, far = false) => stepped(way, far, from, 40);
  assert.deepEqual(to([-1, 0]), { row: 4, column: 30 });
  assert.deepEqual(to([0, 1], true), { row: 5, column: 39 });
  assert.deepEqual(to([-1, 0], true), { row: 0, column: 30 });
  assert.deepEqual(to([9, 0]), { row: 14, column: 30 });
  assert.deepEqual(to([0, -Infinity]), { row: 5, column: 0 });
  assert.deepEqual(to([0, Infinity], true), { row: 39, column: 39 });
  assert.deepEqual(to([0, -Infinity], true), { row: 0, column: 0 });
});

test('the lens stands around its cell, and at the edges within the matrix', () => {
  assert.deepEqual([0, 4, 20, 39].map((place) => lensStart(place, 40)), [0, 0, 16, 31]);
  assert.equal(lensStart(3, 5), 0);
});

test('what is looked at stays within what there is when sizes change, and another example leaves it alone', async () => {
  assert.deepEqual(fitLarge({ ...ASKED, head: 7, row: 50, column: 39 }), { ...ASKED, head: 1, row: 39, column: 39 });
  const state = await opening('warm-up');
  const larger = update(state, { type: 'large', change: { tokens: 2000, row: 1999, heads: 1, head: 3 } });
  assert.ok('state' in larger && !larger.label, 'it is where one looks, not a step of undo');
  assert.deepEqual(larger.state.view.large, { ...FIRST_LARGE, tokens: 2000, row: 1999, heads: 1, head: 0 });
  const opened = update(larger.state, { type: 'open', ...await drawn('causal') });
  assert.ok('state' in opened);
  assert.deepEqual(opened.state.view.large, larger.state.view.large);
  assert.deepEqual(readState(structuredClone(opened.state), known), { state: opened.state });
});

test('colours end at 1 or at a multiple of the even share, never beyond 1', () => {
  assert.deepEqual([0, 4, 16].map((ends) => topOf({ ...ASKED, tokens: 8, ends })), [1, 0.5, 1]);
});

test('only what has to be computed anew counts as other work', () => {
  const same = [{ head: 1 }, { row: 3 }, { column: 3 }, { ends: 0 }].map((change) => workOf({ ...ASKED, ...change }));
  assert.deepEqual([...new Set(same)], [workOf(ASKED)]);
  for (const change of [{ tokens: 41 }, { heads: 1 }, { headDim: 4 }, { causal: true }, { seed: 1 }]) {
    assert.notEqual(workOf({ ...ASKED, ...change }), workOf(ASKED));
  }
});

test('sizes worth a click fit into what a layer may take, and the largest that can be typed does not', () => {
  for (const size of LARGE_SIZES) {
    const { bytes, maxBytes } = attention.layerBytes(layerOptions({ ...ASKED, ...size }));
    assert.ok(bytes < maxBytes / 4, `${size.tokens} × ${size.heads}`);
  }
  const [tokens, heads, headDim] = [LARGE_LIMITS.tokens[1], LARGE_LIMITS.heads[1], LARGE_LIMITS.headDim[1]];
  const { bytes, maxBytes } = attention.layerBytes(layerOptions({ ...ASKED, tokens, heads, headDim }));
  assert.ok(bytes > maxBytes);
});

/** The same layer, made by hand. @param {Large} large */
function byHand({ tokens, heads, headDim, causal, seed }) {
  const width = heads * headDim;
  const layer = attention.createLayer({ nTokens: tokens, dIn: width, nHeads: heads, causal });
  return layer.set('inputs', attention.random(seed, tokens * width)).init('uniform', seed, 4 / Math.sqrt(width)).forward();
}

test('of a cell and its row the worker says what the layer holds', () => {
  const large = createLargeLayer(attention);
  for (const causal of [false, true]) {
    const asked = { ...ASKED, causal };
    large.make(asked, () => {});
    const layer = byHand(asked);
    const { data: weights } = layer.get('attn_weights');
    const [head, row, column] = [1, 30, 3];
    const own = weights.slice((40 + row) * 40, (40 + row + 1) * 40);
    const found = large.look({ head, row, column });
    assert.equal(found.weight, own[column]);
    assert.deepEqual([found.firstRow, found.firstColumn], [26, 0]);
    assert.deepEqual(found.weights[4], [...own.slice(0, 9)]);
    assert.deepEqual(found.weights[8], [...weights.slice((40 + 34) * 40, (40 + 34) * 40 + 9)]);
    assert.equal(found.rowSum, layer.get('attn_row_sums').data[40 + row]);
    assert.deepEqual({ largest: found.largest, rest: found.rest }, layer.largestWeights(row, 8, head));
    assert.deepEqual(found.context, [...layer.get('context_vecs').data.slice(row * 6 + 3, row * 6 + 6)]);
    assert.ok(found.apart < 1e-5 && Math.abs(found.sumApart) < 1e-6);
    assert.equal(found.later, causal ? 0 : 9);
    layer.dispose();
  }
});

test('under the mask a row lists only tokens that it may look at', () => {
  const large = createLargeLayer(attention);
  large.make({ ...ASKED, causal: true }, () => {});
  const { largest, rest } = large.look({ head: 0, row: 2, column: 39 });
  assert.deepEqual(largest.map(({ key }) => key).sort(), [0, 1, 2]);
  assert.equal(rest, 0);
});

test('numbers are drawn anew only if they are other ones; each step is told before it is taken, and how much of it is done', () => {
  const large = createLargeLayer(attention);
  const told = (/** @type {Partial<Large>} */ change) => {
    /** @type {string[]} */
    const phases = [];
    large.make({ ...ASKED, ...change }, (phase, share) => phases.push(`${phase} ${share}`));
    return phases;
  };
  const computing = ['computing 0', 'computing 0.5', 'computing 1', 'painting 0']; // two heads, one after the other
  assert.deepEqual(told({}), ['drawing 0', ...computing]);
  assert.deepEqual(told({ causal: true }), computing);
  assert.deepEqual(told({ causal: true, seed: 5 }), ['drawing 0', ...computing]);
  assert.throws(() => createLargeLayer(attention).look({ head: 0, row: 0, column: 0 }), /no large layer was made yet/);
});

test('the row in words: masked cells have no number, others are summed, checks say by how much', () => {
  assert.match(sceneText('large lens'), /Row 31 looks at column 13, head 3: weight exactly 0\.\d+/);
  assert.match(sceneText('large lens'), /56 others/);
  assert.match(sceneText('large lens, masked'), /Row 11 may not look ahead at column 21: masked/);
  assert.match(sceneText('large lens, masked'), /holds No weight on later tokens: 0 of 53 are not 0/);
  assert.doesNotMatch(sceneText('large lens'), /later tokens/);
  assert.match(sceneText('large map, many weights a pixel'), /Rows \(query\) 11 to 1511 ↓ Columns \(key\) 1 to 1500 → One pixel covers up to 4 × 4 weights: it shows the largest/);
  assert.match(sceneText('large map, all of it'), /One weight is 9 pixels wide/);
  assert.match(sceneText('large, refused'), /These sizes need 128 MiB; a layer may take 1024 MiB\. Nothing was allocated/);
});

test('a masked key is no zero: others are those that the row may look at, and the masked ones are counted apart', () => {
  assert.match(sceneText('large lens, masked'), /3 others0\.\d+ 53 maskedno weight row sum/);
  assert.match(sceneText('large lens, row 1'), /weight 11 63 maskedno weight row sum1 /);
  assert.doesNotMatch(sceneText('large lens'), /\d+ masked/);
});

test('an entry is read as it is written, rows and columns from 1, or not at all', () => {
  for (const text of ['0', '16385', '2,048', '', '1e3x', '-1', '3.5']) assert.equal(readEntry(ASKED, 'tokens', text), null, text);
  assert.deepEqual(['16384', ' 7 ', '1e3'].map((text) => readEntry(ASKED, 'tokens', text)), [16384, 7, 1000]);
  assert.deepEqual(['0', '1', '40', '41'].map((text) => readEntry(ASKED, 'row', text)), [null, 0, 39, null]);
  assert.deepEqual([entryText(ASKED, 'row'), entryText(ASKED, 'tokens')], ['1', '40']);
  assert.equal(readEntry(ASKED, 'seed', '4294967295'), 2 ** 32 - 1);
});

test('an entry that was not taken stays, beside a sentence, until the field comes to say something else', () => {
  const wrong = { row: { text: '999', at: 0, high: 40 } };
  assert.equal(wrongText(wrong, ASKED, 'row'), '999');
  for (const change of [{ row: 3 }, { tokens: 2000 }]) assert.equal(wrongText(wrong, { ...ASKED, ...change }, 'row'), null);
  assert.equal(wrongText(wrong, ASKED, 'column'), null);
  const { template } = scenes.find(({ name }) => name === 'large, wrong entries') ?? assert.fail();
  assert.match(textOf(template), /Tokens T must be a whole number from 1 to 16384, in digits alone; got 2,048\. Mend it here; until then it is 64\./);
  assert.match(textOf(template), /Seed must be a whole number from 0 to 4294967295, in digits alone; got nothing\./);
  assert.match(htmlOf(template), /\.value="2,048"[^>]* aria-invalid="true"\s+aria-describedby="large-wrong-tokens"/);
  assert.match(sceneText('large lens, wrong row'), /Row must be a whole number from 1 to 64, in digits alone; got 999\./);
});

test('what was refused names what would help; what is ready says of which sizes', () => {
  assert.match(sceneText('large, too wide'), /heads × head_dim = 16384 rows and columns: choose fewer heads or a smaller head_dim\./);
  assert.equal(heaviest({ ...ASKED, tokens: 16384, heads: 8, headDim: 8 }), 'weights');
  assert.match(sceneText('large, ready'), /Computed in 12 ms, beside the page: T = 64, 8 × head_dim 8\./);
});

test('without a map its place says why, and what has nothing to act on is off and says so', () => {
  for (const [name, text] of [['stopped', 'No map: nothing is computed. Compute again'], ['refused', 'No map: these sizes are too large'],
    ['not begun', 'The map comes when all weights are computed']]) {
    const html = htmlOf(scenes.find((one) => one.name === `large, ${name}`)?.template);
    assert.ok(html.includes(text), name);
    const off = [...html.matchAll(/data-act="large-(head|zoom|move|whole)"[^>]*\?disabled="true" aria-describedby="large-empty"/g)];
    assert.equal(off.length, 8, name);
  }
  const lens = htmlOf(scenes.find((one) => one.name === 'large lens, no map')?.template);
  assert.equal(lens.match(/\?disabled="true"[^>]*aria-describedby="large-rests"/g)?.length, 2);
  assert.doesNotMatch(htmlOf(scenes.find((one) => one.name === 'large, ready')?.template), /large-empty|large-(zoom|move)"[^>]*\?disabled="true"/);
});

/** A worker that answers when it is told to, in the place of the browser's. */
class Worker {
  /** @type {Worker[]} */
  static started = [];

  constructor() {
    Worker.started.push(this);
    /** @type {any[]} */
    this.asked = [];
    this.ended = false;
    /** @type {Record<string, (event: any) => void>} */
    this.listeners = {};
  }

  /** @param {string} type @param {(event: any) => void} listener */
  addEventListener(type, listener) {
    this.listeners[type] = listener;
  }

  /** @param {any} request */
  postMessage(request) {
    this.asked.push(request);
  }

  terminate() {
    this.ended = true;
  }
}

/** @param {(desk: ReturnType<typeof createDesk>, heard: any[], reasons: string[]) => void} body */
function atDesk(body) {
  const real = globalThis.Worker;
  Object.assign(globalThis, { Worker });
  Worker.started = [];
  /** @type {[any[], string[]]} */
  const [heard, reasons] = [[], []];
  try {
    body(createDesk({ script: '', bytes: () => new Uint8Array([1]), heard: (one) => heard.push(one), broken: (reason) => reasons.push(reason) }),
      heard, reasons);
  } finally {
    Object.assign(globalThis, { Worker: real });
  }
}

/** @param {number} row */
const question = (row) => /** @type {const} */ ({ kind: 'look', cell: { head: 0, row, column: 0 } });
const kinds = (/** @type {Worker} */ worker) => worker.asked.map((one) => (one.kind === 'look' ? one.cell.row : one.kind));

test('the worker gets the module first; of questions asked meanwhile only the newest is asked', () => {
  atDesk((desk, heard) => {
    desk.make(ASKED);
    const [worker] = Worker.started;
    worker.listeners.message({ data: { kind: 'made', milliseconds: 1 } });
    for (const row of [1, 2, 3]) desk.ask(question(row));
    assert.deepEqual(kinds(worker), ['module', 'make', 1]);
    worker.listeners.message({ data: { kind: 'found', found: { row: 1 } } });
    assert.deepEqual(kinds(worker), ['module', 'make', 1, 3]);
    worker.listeners.message({ data: { kind: 'found', found: { row: 3 } } });
    assert.deepEqual(kinds(worker), ['module', 'make', 1, 3]);
    assert.equal(heard.length, 3);
  });
});

test('what is being computed is given up at once for something else; what was computed is built upon', () => {
  atDesk((desk, heard) => {
    desk.make(ASKED);
    desk.make({ ...ASKED, seed: 2 });
    const [first, second] = Worker.started;
    assert.deepEqual([first.ended, second.ended], [true, false]);
    first.listeners.message({ data: { kind: 'made', milliseconds: 1 } });
    assert.deepEqual(heard, [], 'nothing is heard of it any more');
    second.listeners.message({ data: { kind: 'made', milliseconds: 1 } });
    desk.make({ ...ASKED, seed: 3 });
    assert.equal(Worker.started.length, 2);
    desk.stop();
    assert.deepEqual([second.ended, desk.running()], [true, false]);
    desk.ask(question(1));
    assert.deepEqual(kinds(second), ['module', 'make', 'make']);
  });
});

test('a worker that does not start, or breaks off, is reported with the reason', () => {
  atDesk((desk, heard, reasons) => {
    desk.make(ASKED);
    Worker.started[0].listeners.error({ message: 'blocked', preventDefault: () => {} });
    assert.deepEqual([reasons, desk.running()], [['blocked'], false]);
    Object.assign(globalThis, { Worker: class { constructor() { throw new Error('not here'); } } });
    desk.make(ASKED);
    assert.deepEqual([reasons, desk.running(), heard], [['blocked', 'not here'], false, []]);
  });
});

test('after a failure the worker is ended, for its memory may be what failed', () => {
  atDesk((desk, heard) => {
    desk.make(ASKED);
    Worker.started[0].listeners.message({ data: { kind: 'failed', code: 'out_of_memory', message: 'none' } });
    assert.deepEqual([Worker.started[0].ended, desk.running(), heard.length], [true, false, 1]);
  });
});
