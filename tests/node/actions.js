// Random sequences of actions, such as a person could make, and what must hold of every state that they reach.
// Actions are drawn as numbers and made to suit the state when it is their turn. Read next: model-resize.test.js.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MAX_DIMENSIONS, MAX_TOKENS, headsInForce, sizesOf } from '../../web/model/state.js';
import { examples } from '../../web/content/examples.js';
import { drawn, opening } from './frames.js';

/**
 * @typedef {import('../../web/model/state.js').State} State
 * @typedef {import('../../web/model/update.js').Action} Action
 * @typedef {{ kind: number, a: number, b: number, value: number }} Seed  a and b become indices into what is there
 */

const openings = await Promise.all(examples.map(({ id }) => drawn(id)));

/** The states in which a sequence begins: that of every example. */
export const starts = await Promise.all(examples.map(({ id }) => opening(id)));

const SOURCES = /** @type {const} */ (['given', 'inputs', 'trained']);
const MATRICES = /** @type {const} */ (['inputs', 'given', 'w_query', 'w_key', 'w_value', 'w_out']);

/** Every kind of action, as a function of the state and of a seed. @type {((state: State, seed: Seed) => Action)[]} */
const KINDS = [
  ({ document }, { a, b, value }) => {
    const there = MATRICES.filter((name) => document[name] !== null);
    const matrix = there[a % there.length];
    const rows = /** @type {number[][]} */ (document[matrix]);
    return { type: 'edit', matrix, row: b % rows.length, column: a % rows[0].length, value };
  },
  ({ document }, { a, value }) => {
    const row = a % document.inputs.length;
    return { type: 'edit-row', matrix: 'inputs', row, values: document.inputs[row].map((old) => old / 2 + value) };
  },
  ({ document }, { a, b }) => ({ type: 'label', row: a % document.tokens.length, text: 'word '.repeat(b % 14) }),
  (_, { a }) => ({ type: 'causal', on: a % 2 === 0 }),
  (_, { a }) => ({ type: 'heads', count: (a % 5) + 1 }),
  (_, { a }) => ({ type: 'scale', scale: a % 2 === 0 ? 'none' : 'sqrt_head_dim' }),
  ({ document: { tokens } }, { a }) => ({
    type: 'source', source: SOURCES[a % 3], weights: tokens.map(() => tokens.map(() => 1 / tokens.length)),
  }),
  (_, { a }) => ({ type: 'project', on: a % 2 === 0 }),
  () => ({ type: 'add-token' }),
  ({ document }, { a }) => ({ type: 'remove-token', row: a % document.tokens.length }),
  () => ({ type: 'add-dimension' }),
  () => ({ type: 'remove-dimension' }),
  () => ({ type: 'add-output' }),
  () => ({ type: 'remove-output' }),
  ({ document }, { a }) => ({ type: 'row', row: a % document.tokens.length }),
  ({ document }, { a }) => ({ type: 'head', head: a % headsInForce(document) }),
  (_, { a }) => ({ type: 'open', ...openings[a % openings.length] }),
];

const index = fc.nat({ max: 999 });

export const actions = fc.array(fc.record({
  kind: fc.nat({ max: KINDS.length - 1 }), a: index, b: index, value: fc.double({ min: -9, max: 9, noNaN: true }),
}), { maxLength: 40, size: 'max' });

/** The action that a seed means in a state. @param {State} state @param {Seed} seed @returns {Action} */
export const actionOf = (state, seed) => KINDS[seed.kind](state, seed);

/** @param {number[][]} matrix @param {number} rows @param {number} columns @param {string} name */
function assertSize(matrix, rows, columns, name) {
  assert.equal(matrix.length, rows, `rows of ${name}`);
  for (const row of matrix) assert.equal(row.length, columns, `columns of ${name}`);
}

/**
 * What holds of every state: matrices fit together, heads divide, the view points at what is there.
 * @param {State} state
 */
export function assertFits({ document, view }) {
  const { nTokens, dIn, dOut } = sizesOf(document);
  assert.ok(nTokens >= 1 && nTokens <= MAX_TOKENS, 'tokens');
  for (const size of [dIn, dOut]) assert.ok(size >= 1 && size <= MAX_DIMENSIONS, 'dimensions');
  assertSize(document.inputs, nTokens, dIn, 'inputs');
  assertSize(document.w_query, dIn, dOut, 'w_query');
  assertSize(document.w_key, dIn, dOut, 'w_key');
  assertSize(document.w_value, dIn, dOut, 'w_value');
  assertSize(document.w_out, dOut, dOut, 'w_out');
  if (document.given) assertSize(document.given, nTokens, nTokens, 'given');
  assert.ok(document.source !== 'given' || document.given !== null, 'given weights are there when they are asked for');
  assert.equal(dOut % document.heads, 0, 'heads divide d_out');
  assert.ok(view.row >= 0 && view.row < nTokens, 'the chosen row is there');
  assert.ok(view.head >= 0 && view.head < headsInForce(document), 'the head shown is there');
}
