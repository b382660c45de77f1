// Random states such as a person can reach, every field of the view included; and what the readers of states need to
// know of the page. Read next: io-json.test.js, io-link.test.js.

import fc from 'fast-check';
import { examples } from '../../web/content/examples.js';
import { LARGE_ENDS } from '../../web/model/large.js';
import { FAULTS } from '../../web/model/mystery.js';
import { askOf, kindsHere } from '../../web/model/questions.js';
import { sizesOf } from '../../web/model/state.js';
import { update } from '../../web/model/update.js';
import { actionOf, actions, starts } from './actions.js';
import { opening } from './frames.js';
import { textsFor } from './scenes-questions.js';

/**
 * @typedef {import('../../web/model/state.js').State} State
 * @typedef {import('../../web/model/update.js').Action} Action
 */

export const known = { examples: examples.map(({ id }) => id) };

export { opening };

const PANELS = /** @type {const} */ ([
  'shapes', 'flow', 'plane', 'routes', 'bugs', 'checks', 'compare', 'masking', 'scores', 'training', 'large', 'chapter',
]);

const LABELS = [
  '<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '旅程', 'مرحبا', '👩‍🏫', 'e\u0301', "'; drop table", '\ud800',
  '__proto__', 'a\nb\tc', '\u2028', '${1}', '#', '~',
];

/**
 * Actions that actions.js does not have, as functions of the state and of two numbers.
 * @type {((state: State, a: number, b: number) => Action)[]}
 */
const KINDS = [
  ({ document }, a, b) => ({ type: 'label', row: a % document.tokens.length, text: LABELS[b % LABELS.length] }),
  (_, a) => ({ type: 'digits', digits: a % 7 }),
  (_, a, b) => ({ type: 'panel', panel: PANELS[a % PANELS.length], open: b % 3 > 0 }),
  (_, a) => ({ type: 'kernels', kernels: a % 2 === 0 ? 'plain' : 'simd' }),
  (_, a) => ({ type: 'column-sums', on: a % 2 === 0 }),
  (_, a) => ({ type: 'linear', on: a % 2 === 0 }),
  (_, a) => ({ type: 'tolerance', tolerance: /** @type {const} */ (['displayed', 0, 1e-6, 1e-7])[a % 4] }),
  ({ document }, a, b) => ({
    type: 'inspect', cell: { tensor: 'context_vecs', indices: [0, a % document.tokens.length, b % sizesOf(document).width] },
  }),
  ({ document }, a, b) => ({
    type: 'follow', cell: { tensor: 'attn_weights', indices: [0, b % sizesOf(document).heads, 0, a % document.tokens.length] },
  }),
  (_, a) => ({ type: 'step', step: a % 5 === 0 ? null : a % 17 }),
  ({ document }, a, b) => {
    const { width, heads } = sizesOf(document);
    return { type: 'plane', of: 'plane', axis: a % 2, dimension: b % (width / heads) };
  },
  ({ document }, a, b) => ({ type: 'plane', of: 'inputPlane', axis: a % 2, dimension: b % sizesOf(document).dIn }),
  (_, a) => ({ type: 'every-head', on: a % 2 === 0 }),
  (_, a) => ({ type: 'unfolded', on: a % 2 === 0 }),
  (_, a) => ({ type: 'try-rows', rows: a % 3 === 0 ? null : (a % 8) + 1 }),
  () => ({ type: 'pin' }),
  (_, a, b) => (b % 4 > 0 ? { type: 'pin' } : { type: 'unpin' }),
  ({ document }, a, b) => ({
    type: 'fault', fault: FAULTS[a % FAULTS.length], place: b % document.tokens.length, mystery: b % 2 ? a : null,
  }),
  (_, a) => ({ type: 'guess', guess: a % 2 ? 'scores' : 'weights-row:0' }),
  () => ({ type: 'reveal' }),
  ({ document }, a) => ({ type: 'fit', targets: document.tokens.map((_, i) => document.w_query[0].map((__, j) => a / 3 - i * j)) }),
  ({ document: { w_query, w_key, w_value, w_out } }, a, b) => ({
    type: 'trained', steps: a + 1, points: [{ step: a, loss: b / 7, heldOut: a % 2 ? null : 1 / (b + 1) }],
    best: b % 3 ? null : { w_query, w_key, w_value, w_out, step: a, loss: b / 7 }, weights: { w_query: w_key, w_key: w_query, w_value, w_out },
  }),
  (_, a, b) => ({ type: 'settings', change: { optimizer: /** @type {const} */ (['sgd', 'momentum', 'adam'])[a % 3], learningRate: (b + 1) / 10 } }),
  (_, a, b) => ({ type: 'scales', scales: a % 2 ? null : { figure: a + 1, weight: b + 0.5, score: 0.1 } }),
  ({ document }, a) => ({
    type: 'gradient', cell: document.source === 'trained' && a % 3 ? { tensor: 'w_key', indices: [0, 0] } : null,
  }),
  (_, a, b) => ({ type: 'large', change: { tokens: a + 1, heads: (b % 64) + 1, row: b, column: a * b, head: a, causal: b % 2 === 0, seed: a * b, ends: LARGE_ENDS[a % 3] } }),
  (_, a) => ({ type: 'lesson', step: a % 12 }),
  ({ document }, a, b) => ({
    type: 'notes', change: {
      hints: a % 4, inputs: [b % document.tokens.length], place: a % 2 ? 'softmax' : null, checked: b % 2 === 0,
      card: a % 3 ? 'bias' : null, tried: a % 5 ? ['query', 'value'] : [],
    },
  }),
  ({ document }, a, b) => ({ type: 'ask', kind: kindsHere(document)[a % kindsHere(document).length], seed: b }),
  ({ document, view: { question } }) => {
    const form = question && askOf(document, question.kind, question.seed)?.form;
    return form ? { type: 'predict', texts: textsFor(form) } : { type: 'unask' };
  },
  (_, a) => (a % 3 > 0 ? { type: 'unveil' } : { type: 'unask' }),
  ({ document }, a) => ({ type: 'replay', tokens: a % 2 ? null : (a % document.tokens.length) + 1 }),
];

const choice = fc.tuple(fc.nat({ max: KINDS.length - 1 }), fc.nat({ max: 999 }), fc.nat({ max: 999 }));

/** The state after an action, or before it if it is refused. @param {State} state @param {Action} action */
function after(state, action) {
  const outcome = update(state, action);
  return 'state' in outcome ? outcome.state : state;
}

/** A start, edits, looks, and edits again. */
export const states = fc.tuple(fc.nat({ max: starts.length - 1 }), actions, fc.array(choice, { maxLength: 30 }), actions)
  .map(([start, first, looks, last]) => {
    const edited = first.reduce((state, seed) => after(state, actionOf(state, seed)), starts[start]);
    const looked = looks.reduce((state, [kind, a, b]) => after(state, KINDS[kind](state, a, b)), edited);
    return last.slice(0, 3).reduce((state, seed) => after(state, actionOf(state, seed)), looked);
  });

/** What a reader must say no to with: one problem and nothing else. @param {object} outcome */
export function problemOf(outcome) {
  if (!('problem' in outcome) || Object.keys(outcome).length !== 1) throw new Error(`read: ${JSON.stringify(outcome)}`);
  return /** @type {import('../../web/model/update.js').Message} */ (outcome.problem);
}
