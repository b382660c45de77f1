// Rows and columns that come and go, and laws of all states that any sequence of actions can reach: every matrix fits,
// the view points at what is there, and the engine computes it. Read next: model-history.test.js.

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { MAX_DIMENSIONS, MAX_TOKENS, identity, sizesOf, validHeads } from '../../web/model/state.js';
import { update } from '../../web/model/update.js';
import { actions, actionOf, assertFits, starts } from './actions.js';
import { frozen, opening, runner } from './frames.js';

/**
 * @typedef {import('../../web/model/state.js').State} State
 * @typedef {import('../../web/model/update.js').Action} Action
 */

const toy = await opening('warm-up');
const trained = await opening('multi-head');

/** The document after an action that must succeed. @param {State} state @param {Action} action @returns {State} */
function after(state, action) {
  const outcome = update(state, action);
  assert.ok('state' in outcome, `${JSON.stringify(action)} was refused`);
  assertFits(outcome.state);
  return frozen(outcome.state);
}

/** @param {State} state @param {Action} action */
function refused(state, action) {
  const outcome = update(state, action);
  assert.ok('problem' in outcome, `${JSON.stringify(action)} was done`);
  return outcome.problem;
}

/** The same action, as often as it is done. @param {State} state @param {Action} action */
function untilRefused(state, action) {
  let last = state;
  for (let times = 0; times < 100; times++) {
    const outcome = update(last, action);
    if ('problem' in outcome) return { state: last, problem: outcome.problem };
    last = after(last, action);
  }
  throw new Error(`${action.type} never ends`);
}

test('a new token has zeros as its input and looks at itself alone', () => {
  const { document } = after(toy, { type: 'add-token' });
  assert.deepEqual(document.tokens, ['first', 'second', 'third', 'token 4']);
  assert.deepEqual(document.inputs, [[1, 2], [3, 4], [5, 6], [0, 0]]);
  assert.deepEqual(document.given, [[0.5, 0.25, 0.25, 0], [0, 1, 0, 0], [0.25, 0.25, 0.5, 0], [0, 0, 0, 1]]);
});

test('a new token gets a label that no other token has', () => {
  const named = after(toy, { type: 'label', row: 0, text: 'token 4' });
  const { tokens } = after(after(named, { type: 'add-token' }), { type: 'add-token' }).document;
  assert.deepEqual(tokens, ['token 4', 'second', 'third', 'token 5', 'token 6']);
});

test('a token goes with its label, its input, its row and its column of weights', () => {
  const { document } = after(toy, { type: 'remove-token', row: 1 });
  assert.deepEqual(document.tokens, ['first', 'third']);
  assert.deepEqual(document.inputs, [[1, 2], [5, 6]]);
  assert.deepEqual(document.given, [[0.5, 0.25], [0.25, 0.5]]);
});

test('the chosen row stays in its place, or becomes the last one there is', () => {
  assert.equal(toy.view.row, 2);
  assert.equal(after(toy, { type: 'remove-token', row: 0 }).view.row, 1);
  assert.equal(after(trained, { type: 'remove-token', row: 5 }).view.row, 3);
});

test('one more input dimension is a zero in every input and a row of zeros in every projection', () => {
  const { document } = after(trained, { type: 'add-dimension' });
  for (const [i, row] of document.inputs.entries()) assert.deepEqual(row, [...trained.document.inputs[i], 0]);
  for (const name of /** @type {const} */ (['w_query', 'w_key', 'w_value'])) {
    assert.deepEqual(document[name], [...trained.document[name], [0, 0, 0, 0]]);
  }
  assert.equal(document.w_out, trained.document.w_out);
});

test('one more output column is a column of zeros, and W_out grows by a part of the identity', () => {
  const one = after(trained, { type: 'heads', count: 1 });
  const { document } = after(one, { type: 'add-output' });
  for (const name of /** @type {const} */ (['w_query', 'w_key', 'w_value'])) {
    assert.deepEqual(document[name], trained.document[name].map((row) => [...row, 0]));
  }
  assert.deepEqual(document.w_out, identity(5));
});

test('new rows and columns of zeros leave every number on the screen as it was, but for the scale', async () => {
  const one = after(after(trained, { type: 'heads', count: 1 }), { type: 'scale', scale: 'none' });
  const before = (await runner.run(one)).tensors;
  const taller = (await runner.run(after(one, { type: 'add-dimension' }))).tensors;
  assert.deepEqual(taller.context_vecs, before.context_vecs);
  const wider = (await runner.run(after(one, { type: 'add-output' }))).tensors;
  assert.deepEqual(wider.attn_weights, before.attn_weights);
});

test('what was added last and is taken away again leaves the document as it was', () => {
  const one = after(trained, { type: 'heads', count: 1 });
  for (const start of [toy, one]) {
    const last = start.document.tokens.length;
    /** @type {[Action, Action][]} */
    const pairs = [
      [{ type: 'add-token' }, { type: 'remove-token', row: last }],
      [{ type: 'add-dimension' }, { type: 'remove-dimension' }],
      [{ type: 'add-output' }, { type: 'remove-output' }],
    ];
    for (const [add, remove] of pairs) assert.deepEqual(after(after(start, add), remove).document, start.document);
  }
});

test('sizes stop at the page’s own limits, with a sentence, and the engine computes them all the same', async () => {
  const one = after(trained, { type: 'heads', count: 1 });
  const tokens = untilRefused(one, { type: 'add-token' });
  assert.deepEqual(tokens.problem, { id: 'problem-tokens-many', args: { limit: MAX_TOKENS } });
  const dimensions = untilRefused(tokens.state, { type: 'add-dimension' });
  assert.deepEqual(dimensions.problem, { id: 'problem-dimensions-many', args: { limit: MAX_DIMENSIONS } });
  const outputs = untilRefused(dimensions.state, { type: 'add-output' });
  assert.deepEqual(outputs.problem, { id: 'problem-outputs-many', args: { limit: MAX_DIMENSIONS } });
  const { nTokens, dIn, dOut } = sizesOf(outputs.state.document);
  assert.deepEqual([nTokens, dIn, dOut], [MAX_TOKENS, MAX_DIMENSIONS, MAX_DIMENSIONS]);
  assert.equal((await runner.run(outputs.state)).routes.verdict, 'agree');
});

test('the last token, input dimension and output column cannot be taken away', async () => {
  const one = after(trained, { type: 'heads', count: 1 });
  const tokens = untilRefused(one, { type: 'remove-token', row: 0 });
  assert.deepEqual(tokens.problem, { id: 'problem-tokens-none' });
  const dimensions = untilRefused(tokens.state, { type: 'remove-dimension' });
  assert.deepEqual(dimensions.problem, { id: 'problem-dimensions-none' });
  const outputs = untilRefused(dimensions.state, { type: 'remove-output' });
  assert.deepEqual(outputs.problem, { id: 'problem-outputs-none' });
  const { nTokens, dIn, dOut } = sizesOf(outputs.state.document);
  assert.deepEqual([nTokens, dIn, dOut], [1, 1, 1]);
  assert.equal((await runner.run(outputs.state)).routes.verdict, 'agree');
});

test('d_out cannot become what the heads in force do not divide', () => {
  assert.deepEqual(refused(trained, { type: 'add-output' }), {
    id: 'problem-width-heads', args: { dOut: 5, heads: 2, valid: '1, 5' },
  });
  assert.deepEqual(refused(trained, { type: 'remove-output' }), {
    id: 'problem-width-heads', args: { dOut: 3, heads: 2, valid: '1, 3' },
  });
});

test('heads that are not in force do not stand in the way of d_out: they become one', () => {
  const { document } = after(after(trained, { type: 'source', source: 'inputs', weights: [] }), { type: 'add-output' });
  assert.deepEqual([document.heads, document.w_query[0].length], [1, 5]);
});

test('the head counts that are valid are the divisors of the width', () => {
  assert.deepEqual(validHeads(1), [1]);
  assert.deepEqual(validHeads(12), [1, 2, 3, 4, 6, 12]);
  assert.deepEqual(validHeads(7), [1, 7]);
});

test('any sequence of actions keeps every matrix fitting, and the engine computes every state', async () => {
  const property = fc.asyncProperty(fc.constantFrom(...starts), actions, async (start, seeds) => {
    let state = start;
    for (const seed of seeds) {
      const outcome = update(state, frozen(actionOf(state, seed)));
      if ('problem' in outcome) continue;
      state = frozen(outcome.state);
      assertFits(state);
      const { tensors, routes } = await runner.run(state);
      const { nTokens, heads, width } = sizesOf(state.document);
      assert.deepEqual(tensors.context_vecs.shape, [1, nTokens, width]);
      assert.deepEqual(tensors.attn_weights.shape, [1, heads, nTokens, nTokens]);
      assert.equal(routes.verdict, 'agree', JSON.stringify(state.document));
    }
  });
  await fc.assert(property, { seed: 20260103, numRuns: 60 });
});
