// Paintings of the instrument "Chapter": every chapter's notes, every card with every choice of its experiment, the
// practice answered rightly, wrongly and not at all. For scenes.js. Read next: scenes.js, chapter.test.js.

import { cards } from '../../web/content/cards.js';
import { notes } from '../../web/content/notes.js';
import { frameOf, opening } from './frames.js';

/**
 * @typedef {import('../../web/model/state.js').State} State
 * @typedef {import('../../web/model/update.js').Action} Action
 * @typedef {[string, State, Parameters<typeof frameOf>[1]?]} Condition
 */

const PLACES = ['projection', 'scores', 'softmax', 'sum', 'nowhere'];

/** @param {{ after: (state: State, ...actions: Action[]) => State }} parts @returns {Promise<Condition[]>} */
export async function chapterConditions({ after }) {
  const open = /** @type {Action} */ ({ type: 'panel', panel: 'chapter', open: true });
  /** @param {State} state @param {Partial<import('../../web/model/state.js').Notes>} change @param {Action[]} more */
  const noted = (state, change, ...more) => after(state, ...more, open, { type: 'notes', change });
  const states = Object.fromEntries(await Promise.all(notes.map(async ({ id }) => [id, await opening(id)])));
  const [toy, inputs, causal, heads] = ['warm-up', 'simplified', 'causal', 'multi-head'].map((id) => states[id]);
  return [
    ...notes.map(({ id }) => /** @type {Condition} */ ([`notes of ${id}`, noted(states[id], { hints: 3 })])),
    ...cards.flatMap(({ id, experiment }) => [[], ...(experiment?.choices ?? []).map((choice) => [choice])].map((tried) =>
      /** @type {Condition} */ ([`card ${id} ${tried}`, noted(heads, { card: id, tried })]))),
    ...cards.map(({ id }) => /** @type {Condition} */ ([`card ${id}, warm-up`, noted(toy, { card: id })])),
    ...PLACES.map((place) => /** @type {Condition} */ ([`practice answered ${place}`,
      noted(place === 'nowhere' ? toy : heads, { inputs: [0, 4], place, checked: true, hints: 1 })])),
    ['practice not answered', noted(causal, { checked: true }, { type: 'row', row: 0 })],
    ['practice, one token masked', noted(toy, { checked: true, inputs: [0, 1] }, { type: 'remove-token', row: 2 })],
    ['practice, last input masked', noted(causal, { checked: true }, { type: 'remove-token', row: 5 }, { type: 'remove-token', row: 4 })],
    ['notes with large numbers', noted(after(toy, { type: 'edit', matrix: 'inputs', row: 0, column: 0, value: -1e6 }), {})],
    ['notes of an example of no chapter', noted(await opening('huge-scores'), {})],
    ['notes of an example of no chapter, from inputs', noted(await opening('mask-underflow'), {})],
    ['notes of a scaled product of inputs', noted(inputs, {}, { type: 'scale', scale: 'sqrt_head_dim' })],
    ['an experiment whose numbers are too large', noted(heads, { card: 'bias', tried: ['query'] }), { computed: { experiment: 'too large' } }],
    ['a card whose bug is planted', noted(heads, { card: 'reshape' }, { type: 'fault', fault: 'heads_reshaped', place: 0, mystery: null })],
    ['a card whose bug is hidden', noted(heads, { card: 'reshape' }, { type: 'fault', fault: 'heads_reshaped', place: 0, mystery: 4 })],
    ['a card of one token', noted(after(toy, { type: 'remove-token', row: 0 }, { type: 'remove-token', row: 0 }), { card: 'explains' })],
    ['a card that is not there', noted(toy, { card: 'unknown', tried: ['unknown'] })],
  ];
}
