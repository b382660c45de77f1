// Paintings of the inspector in every condition that it knows: each operation, steps, ways back, numbers in a folded
// part, a bug; and the ways to show numbers: for scenes.js. Read next: scenes.js, inspector.test.js.

/**
 * @typedef {import('../../web/model/state.js').State} State
 * @typedef {import('../../web/model/state.js').Cell} Cell
 * @typedef {import('../../web/model/update.js').Action} Action
 */

/** @param {string} tensor @param {...number} indices @returns {Action} */
const inspect = (tensor, ...indices) => ({ type: 'inspect', cell: { tensor, indices } });

/** @param {string} tensor @param {...number} indices @returns {Action} */
const follow = (tensor, ...indices) => ({ type: 'follow', cell: { tensor, indices } });

/** @param {number} count @returns {Action} */
const step = (count) => ({ type: 'step', step: count });

const scores = /** @type {Action} */ ({ type: 'panel', panel: 'scores', open: true });
const masked = /** @type {Action} */ ({ type: 'causal', on: true });

/**
 * @param {{ toy: State, simplified: State, heads: State, after: (state: State, ...actions: Action[]) => State }} states
 * @returns {[string, State][]}
 */
export function inspectorConditions({ toy, simplified, heads, after }) {
  const zero = /** @type {Action} */ ({ type: 'edit', matrix: 'given', row: 0, column: 0, value: 0 });
  const unscaled = /** @type {Action} */ ({ type: 'fault', fault: 'scale_missing', place: 0, mystery: null });
  return [
    ['a row, no term added', after(toy, step(0))],
    ['a row, two terms added', after(toy, step(2))],
    ['a blend', after(toy, inspect('context_vecs', 0, 2, 0))],
    ['a blend, two terms added', after(toy, inspect('context_vecs', 0, 2, 0), step(2))],
    ['a weight as given', after(toy, inspect('attn_weights', 0, 0, 2, 0))],
    ['a weight as typed', after(toy, inspect('attn_weights', 0, 0, 2, 0), follow('given_weights', 0, 0, 2, 0))],
    ['a weight as typed, masked', after(toy, masked, inspect('attn_weights', 0, 0, 1, 0))],
    ['a weight as typed, masked, nothing left', after(toy, masked, zero, inspect('attn_weights', 0, 0, 0, 0))],
    ['a masked weight', after(toy, masked, inspect('attn_weights', 0, 0, 0, 2))],
    ['an input', after(toy, inspect('inputs', 0, 1, 1))],
    ['a sum of a row', after(toy, inspect('attn_row_sums', 0, 0, 1))],
    ['a sum of a column', after(toy, { type: 'column-sums', on: true }, inspect('attn_column_sums', 0, 0, 1))],
    ['values that are the inputs', after(simplified, inspect('values', 0, 1, 1))],
    ['a score of inputs', after(simplified, scores, inspect('attn_scores', 0, 0, 1, 2))],
    ['a softmax over all', after(simplified, inspect('attn_weights', 0, 0, 1, 2), step(3))],
    ['a softmax, scores open', after(heads, scores, inspect('attn_weights', 0, 1, 3, 2))],
    ['a score', after(heads, inspect('attn_scores', 0, 1, 3, 2), step(1))],
    ['a masked score', after(heads, scores, inspect('attn_scores', 0, 1, 1, 4))],
    ['a score with a bug', after(heads, unscaled, inspect('attn_scores', 0, 0, 3, 1))],
    ['queries, keys, values', after(heads, inspect('queries', 0, 3, 1), follow('keys', 0, 2, 1), follow('values', 0, 1, 1))],
    ['an output, and the way to a parameter', after(heads, inspect('outputs', 0, 3, 2), follow('w_out', 1, 2))],
    ['an output', after(heads, inspect('outputs', 0, 3, 2))],
    ['matrices transposed', after(heads, { type: 'linear', on: true }, inspect('w_query', 2, 3))],
    ['as many digits as there can be', after(heads, { type: 'digits', digits: 6 })],
  ];
}
