// Numbers from elsewhere put into a document: what fits, what grows along, what is refused. Read next: model-resize.test.js.

import assert from 'node:assert/strict';
import test from 'node:test';
import { labelled, overlaid, placed } from '../../web/model/placing.js';
import { sizesOf } from '../../web/model/state.js';
import { update } from '../../web/model/update.js';
import { assertFits } from './actions.js';
import { opening } from './frames.js';

const toy = await opening('warm-up');
const heads = await opening('multi-head');

/** @param {number} rows @param {number} columns */
const matrix = (rows, columns) => Array.from({ length: rows }, (_, i) => Array.from({ length: columns }, (__, j) => i * columns + j));

/** @param {import('../../web/model/state.js').State} state @param {import('../../web/model/placing.js').Matrices} matrices */
function after(state, matrices) {
  const outcome = update(state, { type: 'place', matrices, tokens: null });
  assert.ok('state' in outcome, JSON.stringify(outcome));
  assertFits(outcome.state);
  return outcome.state.document;
}

test('every matrix of every size that is allowed leaves a document that fits, with the matrix in it', () => {
  for (const [rows, columns] of [[1, 1], [2, 5], [7, 3], [16, 16]]) {
    assert.deepEqual(after(toy, { inputs: matrix(rows, columns) }).inputs, matrix(rows, columns));
    assert.deepEqual(after(toy, { given: matrix(rows, rows) }).given, matrix(rows, rows));
    assert.deepEqual(after(toy, { w_query: matrix(rows, columns) }).w_query, matrix(rows, columns));
    assert.deepEqual(after(toy, { w_out: matrix(rows, rows) }).w_out, matrix(rows, rows));
  }
  assert.deepEqual(sizesOf(after(heads, { w_query: matrix(2, 8), inputs: matrix(32, 2) })), {
    nTokens: 32, dIn: 2, dOut: 8, heads: 2, width: 8,
  });
});

test('trainable matrices switch to trainable weights, given ones to given', () => {
  assert.equal(after(toy, { w_value: matrix(2, 2) }).source, 'trained');
  assert.equal(after(toy, { w_out: matrix(2, 2) }).project, true);
  assert.equal(after(heads, { given: matrix(6, 6) }).source, 'given');
});

test('labels that came with the rows are taken if there is one for each', () => {
  const read = placed(toy.document, { inputs: matrix(2, 2) }, ['a', 'b']);
  assert.ok('tokens' in read);
  assert.deepEqual(read.tokens, ['a', 'b']);
  const other = placed(toy.document, { inputs: matrix(2, 2) }, ['a']);
  assert.ok('tokens' in other);
  assert.deepEqual(other.tokens, ['first', 'second']);
});

test('what does not fit is refused with the sizes', () => {
  assert.deepEqual(placed(toy.document, { inputs: matrix(3, 3), w_query: matrix(2, 2) }, null), {
    problem: { id: 'problem-place', args: { matrix: 'w_query', rows: 2, columns: 2, side: 'dIn', expected: 3 } },
  });
  assert.equal(/** @type {any} */ (placed(toy.document, { given: matrix(2, 3) }, null)).problem.id, 'problem-place');
  assert.equal(/** @type {any} */ (placed(toy.document, { inputs: matrix(33, 2) }, null)).problem.id, 'problem-tokens-many');
  assert.equal(/** @type {any} */ (placed(toy.document, { inputs: matrix(3, 17) }, null)).problem.id, 'problem-dimensions-many');
  assert.equal(/** @type {any} */ (placed(heads.document, { w_key: matrix(3, 5) }, null)).problem.id, 'problem-width-heads');
});

test('a block is laid over a matrix; beyond its edge the matrix grows as it does by hand', () => {
  assert.deepEqual(overlaid(toy.document, 'inputs', 1, 1, [[9]]), [[1, 2], [3, 9], [5, 6]]);
  assert.deepEqual(overlaid(toy.document, 'inputs', 2, 1, [[8, 9], [7, 6]]), [[1, 2, 0], [3, 4, 0], [5, 8, 9], [0, 7, 6]]);
  assert.deepEqual(overlaid(toy.document, 'given', 0, 3, [[0.5]]), [
    [0.5, 0.25, 0.25, 0.5], [0, 1, 0, 0], [0.25, 0.25, 0.5, 0], [0, 0, 0, 1],
  ]);
  assert.equal(/** @type {any} */ (overlaid(toy.document, 'inputs', 0, 0, matrix(40, 1))).problem.id, 'problem-tokens-many');
});

test('labels lie over those from a row on, with or without numbers beside them, and tokens grow along', () => {
  const { document } = toy;
  assert.deepEqual(labelled(document, 1, ['b'], null), { matrices: { inputs: document.inputs }, tokens: [document.tokens[0], 'b', document.tokens[2]] });
  const grown = labelled(document, 2, ['c', 'd'], [[9], [8]]);
  assert.ok('tokens' in grown);
  assert.deepEqual(grown.tokens, [...document.tokens.slice(0, 2), 'c', 'd']);
  assert.deepEqual(grown.matrices.inputs?.map(([first]) => first), [1, 3, 9, 8]);
  const doc = placed(document, grown.matrices, grown.tokens);
  assert.deepEqual('tokens' in doc && doc.tokens, grown.tokens);
  const many = Array.from({ length: 40 }, () => 'x');
  assert.deepEqual(labelled(document, 0, many, null), overlaid(document, 'inputs', 0, 0, many.map(() => [0, 0])));
  assert.deepEqual(labelled(document, 0, ['a', 'b'.repeat(61)], null), { problem: { id: 'problem-label-long', args: { length: 61, limit: 60 } } });
});
