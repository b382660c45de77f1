// The inspector of numbers: for every cell of every tensor in five configurations its printed terms, read off the page
// and multiplied and added here, come to the number that the matrix holds; and what it says of bugs, steps and ways
// back. Read next: frames.js, ../../web/view/inspector.js.

import assert from 'node:assert/strict';
import test from 'node:test';
import { look } from '../../web/model/look.js';
import { update } from '../../web/model/update.js';
import { numberCard } from '../../web/view/inspector.js';
import { page } from '../../web/view/page.js';
import { rowCard } from '../../web/view/side.js';
import { attention } from './cases.js';
import { frameOf, htmlOf, opening, textOf } from './frames.js';

/**
 * @typedef {import('../../web/model/state.js').State} State
 * @typedef {import('../../web/model/state.js').Doc} Doc
 * @typedef {import('../../web/model/state.js').Cell} Cell
 * @typedef {import('../../web/model/update.js').Action} Action
 */

const TOLERANCE = 1e-6;

/** @param {State} state @param {Action[]} actions @returns {State} */
const after = (state, ...actions) => actions.reduce((last, action) => {
  const outcome = update(last, action);
  assert.ok('state' in outcome, JSON.stringify(outcome));
  return outcome.state;
}, state);

/** @param {State} state @param {Partial<Doc>} changes @returns {State} */
const withDocument = (state, changes) => ({ ...state, document: { ...state.document, ...changes } });

/** Numbers of both signs that are no round ones. @param {number} rows @param {number} columns @param {number} seed */
const matrix = (rows, columns, seed) => Array.from({ length: rows }, (_, i) =>
  Array.from({ length: columns }, (_, j) => Math.sin(seed + 3.1 * i + 1.7 * j) * 1.3));

const multi = await opening('multi-head');
const five = withDocument(multi, {
  tokens: ['a', 'b', 'c', 'd', 'e'], inputs: matrix(5, 3, 1), w_query: matrix(3, 4, 2), w_key: matrix(3, 4, 3),
  w_value: matrix(3, 4, 4), w_out: matrix(4, 4, 5),
});

/** @type {[string, State][]} */
const CONFIGURATIONS = [
  ['weights given', await opening('warm-up')],
  ['weights given, masked', after(await opening('warm-up'), { type: 'causal', on: true })],
  ['inputs · inputsᵀ, masked and scaled', after(await opening('simplified'), { type: 'causal', on: true }, {
    type: 'scale', scale: 'sqrt_head_dim',
  })],
  ['trainable, one head', await opening('trainable')],
  ['T=5, d_in=3, d_out=4, 2 heads, masked, W_out', five],
];

/** Every cell of a tensor. @param {string} tensor @param {number[]} shape @returns {Cell[]} */
const cellsOf = (tensor, shape) => shape.reduce(
  (all, size) => all.flatMap((start) => Array.from({ length: size }, (_, i) => [...start, i])), [/** @type {number[]} */ ([])],
).map((indices) => ({ tensor, indices }));

/** @param {State} state @param {Cell[]} trail @param {number | null} [step] */
const opened = (state, trail, step = null) => frameOf({ ...state, view: { ...state.view, trail, step } });

/** @param {string} text */
const read = (text) => Number(text.replace('−∞', '-Infinity').replaceAll('−', '-'));

/** A number of a tensor is printed in the fewest digits that read back as its float32. @param {string} text */
const readSingle = (text) => Math.fround(read(text));

/** All that a pattern finds, its first group. @param {RegExp} pattern with flag g @param {string} html */
const found = (pattern, html) => [...html.matchAll(pattern)].map((match) => match[1]);

/** The terms of a card as it prints them, exactly. @param {string} html */
function printedTerms(html) {
  const body = /<tbody>([^]*?)<\/tbody>/.exec(html)?.[1];
  if (body === undefined) return [{ factors: found(/data-act="follow"[^]*?: exactly ([^"]*)"/g, html).map(readSingle), sums: [] }];
  return found(/<tr[^>]*>([^]*?)<\/tr>/g, body).map((line) => ({
    factors: found(/<button[^]*?title="[^"]*: exactly ([^"]*)"/g, line).map(readSingle),
    sums: found(/class="number" title="([^"]+)"/g, line).map(read),
  }));
}

/** The result that the printed terms of a card come to, and the sizes of these. @param {string} html @param {string} operation @param {number} own index of the own term */
function worked(html, operation, own) {
  const terms = printedTerms(html);
  const ending = /class="ending" title="([^"]*)"/.exec(html)?.[1] ?? '';
  const max = readSingle(/max (\S+),/.exec(ending)?.[1] ?? '0');
  const products = terms.map(({ factors: [left, right] }) =>
    operation === 'softmax' ? Math.exp(left - max) : left * (right ?? 1));
  let sum = 0;
  products.forEach((product, i) => {
    sum += product;
    const printed = terms[i].sums;
    // A number as it stands has no product and no sum, a sum of numbers no products.
    const [printedProduct, running] = printed.length === 2 ? printed : [product, printed[0] ?? product];
    assert.ok(Math.abs(printedProduct - product) <= 1e-12 * (1 + Math.abs(product)), `${printedProduct} is not ${product}`);
    assert.ok(Math.abs(running - sum) <= 1e-12 * (1 + Math.abs(sum)), `${running} is not ${sum}`);
  });
  const scale = operation === 'score' ? read(/ × (\S+)$/.exec(ending)?.[1] ?? '1') : 1;
  const size = products.reduce((total, product) => total + Math.abs(product * scale), 0);
  const divides = operation === 'softmax' || operation === 'given_masked';
  return { result: divides ? products[own] / sum : sum * scale, size };
}

for (const [name, state] of CONFIGURATIONS) {
  test(`the printed terms of every number come to it: ${name}`, async () => {
    const { tensors } = await frameOf(state);
    let count = 0;
    for (const [tensor, { shape, data }] of Object.entries(tensors)) {
      for (const [element, cell] of cellsOf(tensor, shape).entries()) {
        const frame = await opened(state, [cell]);
        const html = htmlOf(numberCard(frame));
        const trace = frame.derived.computed.trace ?? assert.fail('nothing is open');
        const where = `${tensor} ${cell.indices}`;
        assert.match(html, /; the matrix holds /, where);
        assert.equal(readSingle(/Exactly (\S+)\. /.exec(html)?.[1] ?? ''), data[element], where);
        count += 1;
        if (trace.terms.length === 0) continue;
        const own = trace.terms.findIndex(({ left }) => left.indices[3] === cell.indices[3]);
        const { result, size } = worked(html, trace.operation, own);
        assert.ok(Math.abs(result - data[element]) <= TOLERANCE * (1 + size), `${where}: ${result}, not ${data[element]}`);
      }
    }
    assert.equal(count, Object.values(tensors).reduce((sum, { data }) => sum + data.length, 0));
  });
}

test('two sequences at once, with biases: the account of every number is of its own sequence', () => {
  const layer = attention.createLayer({
    nBatch: 2, nTokens: 5, dIn: 3, dOut: 4, nHeads: 2, outputProjection: true, causal: true,
    biases: ['query', 'key', 'value', 'out'],
  });
  layer.init('nn.Linear', 7).set('inputs', [matrix(5, 3, 1), matrix(5, 3, 9)]).forward();
  for (const [tensor, shape] of Object.entries(layer.shapes())) {
    for (const cell of cellsOf(tensor, shape)) {
      const trace = layer.trace(tensor, cell.indices);
      const size = trace.terms.reduce((sum, { product }) => sum + Math.abs(product * trace.scale), 0);
      if (trace.result !== trace.shown) assert.ok(Math.abs(trace.result - trace.shown) <= TOLERANCE * (1 + size), `${tensor} ${cell.indices}`);
      for (const { left, right } of trace.terms) {
        for (const factor of right ? [left, right] : [left]) {
          const hasBatch = layer.shapes()[factor.tensor].length > 2;
          if (hasBatch) assert.equal(factor.indices[0], cell.indices[0], `${tensor} ${cell.indices}`);
        }
      }
    }
  }
  layer.dispose();
});

test('the arithmetic of a planted bug says that the matrix holds another number, and only there', async () => {
  const scaled = after(multi, { type: 'fault', fault: 'scale_missing', place: 0, mystery: null });
  const score = await opened(scaled, [{ tensor: 'attn_scores', indices: [0, 0, 3, 1] }]);
  assert.match(textOf(numberCard(score)), /by this arithmetic, but the matrix holds/);
  const weight = await opened(scaled, [{ tensor: 'attn_weights', indices: [0, 0, 3, 1] }]);
  assert.match(textOf(numberCard(weight)), /; the matrix holds/);
});

test('under a planted bug the row\'s terms come to their own sum, and what the matrix holds is said', async () => {
  const bug = /** @type {const} */ ({ type: 'fault', fault: 'input_altered', place: 3, mystery: null });
  for (const digits of [2, 0]) {
    const state = after(multi, bug, { type: 'row', row: 3 }, { type: 'digits', digits });
    const frame = await frameOf(state);
    const text = textOf(rowCard(frame));
    const [, sum, held] = /= \[([^\]]*)\] ?by this arithmetic, but the matrix holds \[([^\]]*)\]/.exec(text) ?? assert.fail(text);
    const { rowTraces } = frame.derived.computed;
    assert.deepEqual(sum.split(', ').map(readSingle), rowTraces.map(({ result }) => Math.fround(result)));
    assert.deepEqual(held.split(', ').map(readSingle), rowTraces.map(({ shown }) => shown));
    assert.notEqual(sum, held);
    rowTraces.forEach(({ terms, result }) => assert.ok(Math.abs(terms[terms.length - 1].running - result) < TOLERANCE));
  }
  const above = textOf(rowCard(await frameOf(after(multi, bug, { type: 'row', row: 2 }))));
  assert.doesNotMatch(above, /by this arithmetic/);
});

test('every factor goes on to how it came to be, from an output back to the inputs', async () => {
  /** @type {Cell[]} */
  let trail = [{ tensor: 'outputs', indices: [0, 3, 2] }];
  const tensors = [];
  for (;;) {
    const html = htmlOf(numberCard(await opened(multi, trail)));
    tensors.push(trail[trail.length - 1].tensor);
    const follows = found(/data-act="follow" data-value="([^"]*)"/g, html);
    if (follows.length === 0) break;
    const [tensor, indices] = follows[0].split(':');
    trail = [...trail, { tensor, indices: indices.split(',').map(Number) }];
  }
  assert.deepEqual(tensors, ['outputs', 'context_vecs', 'attn_weights', 'attn_scores', 'queries', 'inputs']);
  const text = textOf(numberCard(await opened(multi, trail.slice(0, 3))));
  assert.match(text, /Outputs 4, 3 ?Context vectors 4, 1 ?Attention weights 4, 1/);
});

test('without trainable matrices the factors are the inputs', async () => {
  const state = await opening('simplified');
  const html = htmlOf(numberCard(await opened(state, [{ tensor: 'attn_scores', indices: [0, 0, 1, 2] }])));
  assert.deepEqual(found(/data-value="(\w+):/g, html).filter((tensor) => tensor !== '0'), new Array(6).fill('inputs'));
});

test('stepping shows the terms so far, hides what is not yet known, and lights what was used', async () => {
  const toy = await opening('warm-up');
  const cell = { tensor: 'context_vecs', indices: [0, 2, 0] };
  const frame = await opened(toy, [cell], 2);
  const html = htmlOf(numberCard(frame));
  assert.deepEqual(printedTerms(html).map(({ sums }) => sums), [[0.25, 0.25], [0.75, 1], []]);
  assert.match(textOf(numberCard(frame)), /2 of 3 terms/);
  assert.doesNotMatch(html, /3\.50|the matrix holds/);
  assert.match(textOf(numberCard(frame)), /Term 2 of 3: 0\.25 × 3 = 0\.75; so far 1/);
  assert.deepEqual([...frame.derived.lit], [
    ['attn_weights:6', 'added'], ['inputs:0', 'added'], ['attn_weights:7', 'now'], ['inputs:2', 'now'],
    ['context_vecs:4', 'open'],
  ]);
  assert.match(htmlOf(page(frame)), /class="w25 lit-now"|class="w25 editable lit-now"/);
});

test('a row is built term by term', async () => {
  const toy = await opening('warm-up');
  const texts = [];
  for (const step of [0, 1, 2, 3, null]) texts.push(textOf(rowCard(await opened(toy, [], step))));
  assert.match(texts[0], /0 of 3 terms.*= \[0, 0\] so far/);
  assert.match(texts[1], /1 of 3 terms.*= \[0\.25, 0\.5\] so far/);
  assert.match(texts[2], /2 of 3 terms.*= \[1, 1\.5\] so far/);
  assert.match(texts[3], /3 of 3 terms.*= \[3\.5, 4\.5\]/);
  assert.match(texts[4], /Step .*= \[3\.5, 4\.5\]/);
  assert.doesNotMatch(texts[4], /so far|terms/, 'nothing to step with before one asks for it');
});

test('a step beyond the last term, after terms went away, is the last', async () => {
  const state = after(await opening('simplified'), { type: 'row', row: 2 }, { type: 'step', step: 5 }, { type: 'causal', on: true });
  assert.match(textOf(rowCard(await frameOf(state))), /3 of 3 terms/);
});

test('numbers in a folded instrument offer to open it, and no longer when it is open', async () => {
  const cell = { tensor: 'attn_weights', indices: [0, 1, 3, 1] };
  const frame = await opened(multi, [cell]);
  assert.match(textOf(numberCard(frame)), /Open Queries, keys, scores/);
  const open = { ...multi, view: { ...multi.view, panels: /** @type {const} */ (['scores']) } };
  const shown = await opened(/** @type {any} */ (open), [cell]);
  assert.doesNotMatch(textOf(numberCard(shown)), /Open Queries/);
  const html = htmlOf(page(shown));
  const grid = /id="attn_scores-1"[^]*?<\/table>/.exec(html)?.[0] ?? '';
  assert.equal(found(/class="([^"]*lit-added)"/g, grid).length, 4);
});

test('a masked number says why, an edited weight under the mask what it was divided by', async () => {
  const masked = await opened(multi, [{ tensor: 'attn_scores', indices: [0, 0, 1, 4] }]);
  assert.match(textOf(numberCard(masked)), /Masked: journey may not look ahead at one\. The score is −∞.*= −∞; the matrix holds −∞/);
  const given = after(await opening('warm-up'), { type: 'causal', on: true });
  const weight = await opened(given, [{ tensor: 'attn_weights', indices: [0, 0, 0, 0] }]);
  assert.match(textOf(numberCard(weight)), /0\.50 \/ 0\.50 = 1\.00; the matrix holds 1\.00/);
  const zero = after(given, { type: 'edit', matrix: 'given', row: 0, column: 0, value: 0 });
  const nothing = await opened(zero, [{ tensor: 'attn_weights', indices: [0, 0, 0, 0] }]);
  assert.match(textOf(numberCard(nothing)), /nothing to divide by.*= 0\.00; the matrix holds 0\.00/);
});

test('inspecting chooses a query\'s row; going back ends at the row', () => {
  const cell = { tensor: 'context_vecs', indices: [0, 4, 3] };
  const inspected = look(multi.view, { type: 'inspect', cell, row: 4 }, multi.document);
  assert.equal(inspected.row, 4);
  const followed = look(inspected, { type: 'follow', cell: { tensor: 'attn_weights', indices: [0, 1, 4, 2] } }, multi.document);
  const back = look(look(followed, { type: 'back' }, multi.document), { type: 'back' }, multi.document);
  assert.deepEqual([back.trail, back.row], [[], 4]);
});

/** Numbers of head 2 of two heads two wide. @type {Cell[]} */
const OF_HEAD_2 = [
  ...['queries', 'keys', 'values', 'context_vecs'].map((tensor) => ({ tensor, indices: [0, 3, 2] })),
  ...['attn_scores', 'attn_weights'].map((tensor) => ({ tensor, indices: [0, 1, 3, 1] })),
  ...['attn_row_sums', 'attn_column_sums'].map((tensor) => ({ tensor, indices: [0, 1, 3] })),
];

test('a number of another head shows that head large, opened, followed or come back to; one of no head leaves it', () => {
  for (const cell of OF_HEAD_2) {
    const inspected = look(multi.view, { type: 'inspect', cell }, multi.document);
    assert.equal(inspected.head, 1, `${cell.tensor}, opened`);
    const elsewhere = look(inspected, { type: 'follow', cell: { tensor: 'values', indices: [0, 0, 1] } }, multi.document);
    assert.equal(elsewhere.head, 0);
    assert.equal(look(elsewhere, { type: 'back' }, multi.document).head, 1, `${cell.tensor}, come back to`);
    assert.equal(look(elsewhere, { type: 'follow', cell }, multi.document).head, 1, `${cell.tensor}, followed`);
    for (const tensor of ['inputs', 'w_query', 'outputs']) {
      const indices = tensor === 'w_query' ? [0, 0] : [0, 0, 0];
      assert.equal(look(inspected, { type: 'follow', cell: { tensor, indices } }, multi.document).head, 1, tensor);
    }
  }
});

test('what stands beside a number of head 2 is head 2\'s', async () => {
  const text = textOf(page(await frameOf(after(multi, { type: 'inspect', cell: { tensor: 'context_vecs', indices: [0, 3, 3] }, row: 3 }))));
  const card = textOf(rowCard(await frameOf(after(multi, { type: 'head', head: 1 }))));
  assert.ok(text.includes('Context vectors, row 4, column 4'));
  assert.ok(text.includes(/0\.\d+ × .* = \[[^\]]*\]/.exec(card)?.[0] ?? 'a sum'), card);
});

test('as nn.Linear.weight a matrix stands transposed, with its axes, and its numbers are named as they stand', async () => {
  const linear = { ...multi, view: { ...multi.view, linear: true } };
  const trail = [{ tensor: 'w_query', indices: [2, 3] }];
  const frame = await opened(linear, trail);
  const html = htmlOf(page(frame));
  const grid = /id="w_query"[^]*?<\/table>/.exec(html)?.[0] ?? '';
  assert.equal(found(/(role="rowheader")/g, grid).length, 4);
  assert.match(html, /w_query\.weight<\/code>\s*<span class="shape">4 × 3/);
  assert.match(grid, /data-row="3" data-column="2" class="[^"]*lit-open/);
  assert.match(textOf(numberCard(frame)), /Query weights, row 4, column 3/);
  /** @param {State} state @param {string} tensor */
  const said = async (state, tensor) => textOf(numberCard(await opened(state, [{ tensor, indices: [0, 1, 2] }])));
  assert.match(await said(linear, 'queries'), /row 2 of the inputs times row 3 of Query weights/);
  assert.match(await said(multi, 'queries'), /row 2 of the inputs times column 3 of Query weights/);
  assert.match(await said(linear, 'outputs'), /context row 2 times row 3 of the output weights/);
  assert.match(await said(multi, 'outputs'), /context row 2 times column 3 of the output weights/);
});

test('the choice of kernels says what both are, and how far apart they are here once that is known', async () => {
  const state = await opening('warm-up');
  const open = update(state, { type: 'panel', panel: 'numbers', open: true });
  const shown = 'state' in open ? open.state : assert.fail();
  const said = async (/** @type {number | null} */ kernelsApart) => textOf(page(await frameOf(shown, { computed: { kernelsApart } })));
  const both = /Plain: every sum in double precision \(about 16 digits\), rounded once\. Fast: four numbers at a time, in single precision/;
  assert.match(await said(6e-8), both);
  assert.match(await said(6e-8), /the other kind’s context vectors differ by 6e−8 at most\./);
  assert.match(await said(null), both);
  assert.doesNotMatch(await said(null), /differ by/);
});
