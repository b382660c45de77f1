// Paintings of questions of every kind in every condition that they know: asked, predicted, shown, skipped, asked anew,
// not to be asked; over examples whose answers differ, with every instrument open. For scenes.js. Read next: scenes.js.

import { update } from '../../web/model/update.js';
import { KINDS, askOf } from '../../web/model/questions.js';

/**
 * @typedef {import('../../web/model/state.js').State} State
 * @typedef {import('../../web/model/update.js').Action} Action
 * @typedef {[string, State]} Condition
 */

/** Every bug, planted as a seed would. */
const BUGS = [
  'weight_altered', 'term_wrong', 'input_altered', 'softmax_columns', 'mask_off_by_one', 'mask_after_softmax', 'mask_fill_zero',
  'mask_fill_large', 'scale_missing', 'scale_sqrt_d_out', 'query_key_swapped', 'heads_reshaped',
];

/** What somebody might predict, as it is typed or chosen. @param {import('../../web/model/questions.js').Form} form */
export function textsFor(form) {
  switch (form.type) {
    case 'number': return ['0,5'];
    case 'shape': return ['2', '3'];
    case 'words': return [form.words[0]];
    case 'places': return [form.places[0]];
    default: return ['0'];
  }
}

/**
 * @param {{ states: State[], after: (state: State, ...actions: Action[]) => State }} parts
 * @returns {Condition[]}
 */
export function questionConditions({ states, after }) {
  const panels = /** @type {const} */ (['shapes', 'flow', 'plane', 'routes', 'compare', 'masking', 'scores']);
  const all = [...panels.map((panel) => /** @type {Action} */ ({ type: 'panel', panel, open: true })),
    /** @type {Action} */ ({ type: 'pin' }), /** @type {Action} */ ({ type: 'replay', tokens: 2 })];
  const show = /** @type {Action} */ ({ type: 'unveil' });
  return states.flatMap((state) => KINDS.flatMap((kind) => [1, 2, 4].flatMap((seed) => {
    const name = `${kind} ${seed} of ${state.document.example}`;
    const asked = update(state, { type: 'ask', kind, seed });
    if (!('state' in asked)) return [];
    const form = askOf(state.document, kind, seed)?.form ?? { type: 'number' };
    const predict = /** @type {Action} */ ({ type: 'predict', texts: textsFor(form) });
    return /** @type {Condition[]} */ ([
      [`${name}, with all open`, after(asked.state, ...all)],
      [`${name}, predicted`, after(asked.state, predict, predict)],
      [`${name}, shown`, after(asked.state, predict, show)],
      [`${name}, skipped`, after(asked.state, show)],
    ]);
  })));
}

/**
 * What there is but few of: answers of a special kind.
 * @param {{ toy: State, heads: State, after: (state: State, ...actions: Action[]) => State }} parts @returns {Condition[]}
 */
export function specialQuestions({ toy, heads, after }) {
  const ask = (/** @type {string} */ kind, seed = 1) => /** @type {Action} */ ({ type: 'ask', kind, seed });
  const show = /** @type {Action} */ ({ type: 'unveil' });
  const predict = (/** @type {string[]} */ ...texts) => /** @type {Action} */ ({ type: 'predict', texts });
  const masked = /** @type {Action} */ ({ type: 'causal', on: true });
  const equal = [0, 1, 2].map((row) => /** @type {Action} */ ({ type: 'edit-row', matrix: 'given', row, values: [0.5, 0.5, 0] }));
  const gone = after(toy, ask('top-token'));
  return [
    ...BUGS.map((fault) => /** @type {Condition} */ ([`asked where ${fault} is`,
      after(heads, { type: 'fault', fault, place: 1, mystery: 3 }, ask('bug'), predict('scale'), show)])),
    ['asked where a bug is', after(heads, { type: 'fault', fault: 'scale_missing', place: 0, mystery: 3 }, ask('bug'))],
    ['asked, then edited', after(toy, ask('fill-cell'), predict('1'), masked)],
    ['asked what cannot be asked any more', after(gone, { type: 'remove-token', row: 0 }, { type: 'remove-token', row: 0 })],
    ['equal weights, shown', after(toy, ...equal, ask('top-token'), show)],
    ['several numbers predicted, one the closest', after(toy, ask('fill-cell'), predict('1'), predict('2.5'), predict('9'), show)],
    ['the number itself predicted', after(toy, ask('fill-cell', 2), predict('2.5'), show)],
    ['a row alone, shown', after(toy, masked, { type: 'remove-token', row: 2 }, { type: 'remove-token', row: 1 }, ask('only'), show)],
    ['no row changes', after(toy, masked, ...[0, 1, 2].map((row) => /** @type {Action} */ ({
      type: 'edit-row', matrix: 'given', row, values: [1, 0, 0] })), ask('mask-changes'), show)],
    ['a hidden number in focus', after(toy, ask('fill-cell', 2))],
  ];
}
