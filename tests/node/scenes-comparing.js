// Paintings of the instruments that check and compare, in every condition that they know: for scenes.js.
// Read next: scenes.js, comparing.test.js.

import { frameOf } from './frames.js';

/**
 * @typedef {import('../../web/model/state.js').State} State
 * @typedef {import('../../web/model/update.js').Action} Action
 * @typedef {import('../../web/view/frame.js').Checks} Checks
 * @typedef {import('../../web/view/frame.js').Finding} Finding
 */

/** @param {string} fault @param {number | null} [mystery] @returns {Action} */
const plant = (fault, mystery = null) => ({ type: 'fault', fault, place: 3, mystery });

/** @param {Finding['state']} state @param {Partial<Finding>} [more] @returns {Finding} */
const finding = (state, more) => ({ state, figure: 0.25, allowed: 1e-6, rows: [0, 1], expected: 0.5, ...more });

/** @param {Checks['state']} state @param {Partial<Checks['answers']>} [answers] @returns {Checks} */
const found = (state, answers) => ({ state, answers: { count: 42, done: 42, failed: [], apart: 1e-5, ...answers } });

const moved = [{ token: 1, rows: [0] }, { token: 2, rows: [0, 1] }];
const failed = Array.from({ length: 7 }, (_, i) => ({
  source: ['book', 'published', 'torch', 'torch'][i % 4], problem: 'far off',
}));

/** What the checks may have found, at the start, halfway and in the end. @type {Checks[]} */
const FOUND = [
  found({}, { done: 0 }), found({}, { done: 7 }), found({ rowSums: finding('passed') }, { failed: failed.slice(0, 1), apart: Infinity }),
  found({
    rowSums: finding('failed'), meanWeight: finding('failed'), causalLeak: finding('failed', { moved }),
    routes: finding('failed', { verdict: 'some rows' }), splitHeads: finding('failed', { heads: [1] }),
  }, { failed }),
  found({ causalLeak: finding('off', { moved }), splitHeads: finding('off') }),
  found({ causalLeak: finding('off', { moved: [] }) }),
];

/**
 * @param {{ toy: State, causal: State, heads: State, underflow: State, order: State, after: (state: State, ...actions: Action[]) => State }} states
 * @returns {[string, State, Parameters<typeof frameOf>[1]?][]}
 */
export function comparingConditions({ toy, causal, heads, underflow, order, after }) {
  const panels = /** @type {const} */ (['routes', 'bugs', 'checks', 'compare', 'masking']);
  const opened = (/** @type {State} */ state, /** @type {Action[]} */ ...actions) =>
    after(state, ...panels.map((panel) => /** @type {Action} */ ({ type: 'panel', panel, open: true })), ...actions);
  const masked = /** @type {Action} */ ({ type: 'causal', on: true });
  const open = /** @type {Action} */ ({ type: 'causal', on: false });
  const pin = /** @type {Action} */ ({ type: 'pin' });
  /** @param {number} tokens @returns {Action} */
  const replay = (tokens) => ({ type: 'replay', tokens });
  /** @param {number | 'displayed'} tolerance @returns {Action} */
  const tolerance = (tolerance) => ({ type: 'tolerance', tolerance });
  return [
    ...FOUND.map((checks, i) => /** @type {[string, State, object]} */ ([
      `the checks, ${i}`, opened(i % 2 ? heads : after(heads, open)), { ui: { checks } },
    ])),
    ['all that compares, given', opened(toy)],
    ['all that compares, masked', opened(toy, masked)],
    ['a bug in one row, elsewhere', opened(causal, plant('term_wrong'), { type: 'row', row: 1 }, tolerance(0))],
    ['the order of adding', opened(order, tolerance(0))],
    ['a bug in one row, exactly', opened(causal, plant('scale_missing'), tolerance(0))],
    ['a bug that the digits hide', opened(causal, plant('term_wrong'), { type: 'digits', digits: 0 }, tolerance('displayed'))],
    ['a bug on one token', opened(causal, plant('input_altered'), tolerance('displayed'))],
    ['a bug in all rows', opened(after(causal, open), plant('query_key_swapped'))],
    ['a bug in some rows', opened(causal, plant('mask_off_by_one'))],
    ['a bug that cannot show', opened(causal, plant('mask_fill_large'))],
    ['a bug, folded', after(causal, plant('scale_missing'))],
    ['a mystery', opened(causal, plant('mask_fill_zero', 7))],
    ['a mystery, guessed', opened(causal, plant('mask_fill_zero', 7), { type: 'guess', guess: 'mask' })],
    ...['scale_missing', 'softmax_columns', 'input_altered', 'weight_altered', 'term_wrong', 'query_key_swapped',
      'heads_reshaped', 'mask_after_softmax', 'scale_sqrt_d_out', 'mask_fill_large', 'mask_off_by_one', 'mask_fill_zero']
      .map((fault) => /** @type {[string, State]} */ ([`a mystery revealed: ${fault}`,
        opened(heads, plant(fault, 7), { type: 'guess', guess: 'blend-row:2' }, { type: 'reveal' })])),
    ['pinned', opened(causal, pin)],
    ['pinned, then other heads', opened(heads, plant('scale_missing'), pin, open, { type: 'heads', count: 1 })],
    ['pinned, then another shape', opened(causal, pin, { type: 'add-token' })],
    ['the first token', opened(causal, replay(1))],
    ['tokens arrive, masked', opened(causal, replay(3))],
    ['tokens arrive, none masked, one row moves', opened(after(causal, open), replay(2))],
    ['tokens arrive, none masked, rows move', opened(after(causal, open), replay(6))],
    ['tokens arrive that nobody looks at', opened(toy, { type: 'edit-row', matrix: 'given', row: 0, values: [1, 0, 0] }, replay(2))],
    ['nothing left to renormalise', opened(underflow)],
    ['all that compares, no scale', opened(heads, { type: 'scale', scale: 'none' })],
    ['all that compares, heads one number wide', opened(causal, { type: 'heads', count: 2 })],
    ['all that compares, one token from inputs', opened(underflow, ...[0, 0].map((row) =>
      /** @type {Action} */ ({ type: 'remove-token', row })))],
    ['the last row, masked', opened(causal, { type: 'row', row: 5 })],
  ];
}
