// Paintings of the instruments that look closer (shapes, flow, plane, scores) and of arithmetic that is open, in every
// condition that they know: for scenes.js. Read next: scenes.js.

import { frameOf } from './frames.js';

/**
 * @typedef {import('../../web/model/state.js').State} State
 * @typedef {import('../../web/model/update.js').Action} Action
 * @typedef {[string, State, Parameters<typeof frameOf>[1]?]} Condition
 */

/** A number of every kind. @type {[string, number[]][]} */
const NUMBERS = [
  ['inputs', [0, 1, 0]], ['w_query', [0, 1]], ['w_out', [1, 1]], ['queries', [0, 1, 2]], ['attn_scores', [0, 1, 3, 1]],
  ['attn_scores', [0, 0, 0, 4]], ['attn_weights', [0, 0, 3, 1]], ['attn_weights', [0, 1, 0, 4]],
  ['attn_row_sums', [0, 0, 3]], ['attn_column_sums', [0, 0, 3]], ['context_vecs', [0, 3, 1]], ['outputs', [0, 3, 2]],
];

/**
 * @param {{ toy: State, inputs: State, trained: State, heads: State, odd: State,
 *   after: (state: State, ...actions: Action[]) => State }} states  odd: a row of weights that does not sum to 1
 * @returns {Condition[]}
 */
export function lookingConditions({ toy, inputs, trained, heads, odd, after }) {
  const panels = /** @type {const} */ (['shapes', 'flow', 'plane', 'scores']);
  const opened = (/** @type {State} */ state, /** @type {Action[]} */ ...actions) =>
    after(state, ...panels.map((panel) => /** @type {Action} */ ({ type: 'panel', panel, open: true })), ...actions);
  const unfolded = /** @type {Action} */ ({ type: 'unfolded', on: true });
  const everyHead = /** @type {Action} */ ({ type: 'every-head', on: true });
  /** @param {number | null} rows @returns {Action} */
  const tryRows = (rows) => ({ type: 'try-rows', rows });
  /** @param {string} point @returns {Parameters<typeof frameOf>[1]} */
  const held = (point) => ({ ui: { held: { point, ends: {} } } });
  /** @param {string} tensor @param {number[]} indices @returns {Action} */
  const inspect = (tensor, indices) => ({ type: 'inspect', cell: { tensor, indices } });
  const states = { toy, inputs, trained, heads, odd };
  return [
    ...Object.entries(states).flatMap(([name, state]) => /** @type {Condition[]} */ ([
      [`all that looks closer, ${name}`, opened(state)],
      [`all that looks closer, ${name}, unfolded, every head`, opened(state, unfolded, everyHead)],
      [`a matrix that would not fit, ${name}`, opened(state, tryRows(7))],
      [`a matrix that would not fit, ${name}, every head`, opened(state, everyHead, tryRows(1))],
      [`a point held, ${name}`, opened(state), held('inputs 0')],
      [`a context point held, ${name}`, opened(state), held('context_vecs 1')],
    ])),
    ...NUMBERS.flatMap(([tensor, indices]) => {
      const open = inspect(tensor, indices);
      const name = `${tensor}[${indices}]`;
      return /** @type {Condition[]} */ ([
        [`the arithmetic of ${name}`, after(heads, open)],
        [`the arithmetic of ${name}, one term`, after(heads, open, { type: 'step', step: 1 })],
        [`the arithmetic of ${name}, no term, without a scale`,
          after(heads, { type: 'scale', scale: 'none' }, open, { type: 'step', step: 0 })],
        [`the arithmetic of ${name}, from elsewhere`, after(heads, inspect('context_vecs', [0, 3, 1]), { type: 'follow', cell: { tensor, indices } })],
      ]);
    }),
    ['the arithmetic of a given weight', after(toy, inspect('attn_weights', [0, 0, 2, 0]))],
    ['the arithmetic of a given weight, masked', after(toy, { type: 'causal', on: true }, inspect('attn_weights', [0, 0, 2, 0]))],
    ['the arithmetic of inputs that are the queries', after(inputs, inspect('queries', [0, 1, 1]))],
    ['the arithmetic under a planted bug', after(heads, { type: 'fault', fault: 'scale_missing', place: 0, mystery: null },
      inspect('attn_scores', [0, 1, 3, 1]))],
    ['the arithmetic of a given weight whose row is masked to zeros', after(toy, { type: 'causal', on: true },
      { type: 'edit-row', matrix: 'given', row: 0, values: [0, 1, 0] }, inspect('attn_weights', [0, 0, 0, 0]))],
    ['points on a line', opened(after(toy, { type: 'remove-dimension' }))],
    ['the row built term by term', after(heads, { type: 'step', step: 1 })],
    ['column sums and nn.Linear.weight', after(heads, { type: 'column-sums', on: true }, { type: 'linear', on: true })],
  ];
}
