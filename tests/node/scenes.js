// Paintings of the page in every condition that it knows: examples, sources, masks, fields being edited, odd rows,
// routes that differ. Together they reach every branch of the view. Read next: view.test.js, content.test.js.

import assert from 'node:assert/strict';
import { examples } from '../../web/content/examples.js';
import { update } from '../../web/model/update.js';
import { page } from '../../web/view/page.js';
import { frameOf, htmlOf, opening, t } from './frames.js';
import { chapterConditions } from './scenes-chapter.js';
import { classroomConditions } from './scenes-classroom.js';
import { comparingConditions } from './scenes-comparing.js';
import { dialogConditions } from './scenes-dialogs.js';
import { largeConditions, largeLive } from './scenes-large.js';
import { lessonConditions } from './scenes-lesson.js';
import { questionConditions, specialQuestions } from './scenes-questions.js';
import { trainingConditions } from './scenes-training.js';
import { lookingConditions } from './scenes-looking.js';

/**
 * @typedef {import('../../web/model/state.js').State} State
 * @typedef {import('../../web/model/update.js').Action} Action
 * @typedef {NonNullable<Parameters<typeof frameOf>[1]>} Changes
 * @typedef {{ name: string, frame: import('../../web/view/frame.js').Frame, template: unknown }} Scene
 */

const [toy, trained] = [await opening('warm-up'), await opening('multi-head')];
const weights = Array.from({ length: 6 }, () => [0.5, 0.1, 0.1, 0.1, 0.1, 0.1]);

/** @param {State} state @param {Action[]} actions @returns {State} */
const after = (state, ...actions) => actions.reduce((last, action) => {
  const outcome = update(last, action);
  assert.ok('state' in outcome, JSON.stringify(outcome));
  return outcome.state;
}, state);

/** @param {number} row @param {number[]} values @returns {Action} */
const given = (row, values) => ({ type: 'edit-row', matrix: 'given', row, values });
const masked = /** @type {Action} */ ({ type: 'causal', on: true });
const unscaled = /** @type {Action} */ ({ type: 'scale', scale: 'none' });
const fewer = /** @type {Action} */ ({ type: 'remove-output' });
const oneHead = /** @type {Action} */ ({ type: 'heads', count: 1 });

/** @param {string} grid @param {number} row @param {number} column @returns {Changes} */
const focus = (grid, row, column) => ({ ui: { focus: { grid, row, column }, cursors: { [grid]: { row, column } } } });

/** @param {string} grid @param {number} row @param {number} column @param {boolean} invalid @returns {Changes} */
const editing = (grid, row, column, invalid) => ({ ui: { editing: { grid, row, column, text: '1,', invalid } } });

const oneRow = /** @type {const} */ ({ verdict: 'one row', tolerance: 1e-6, drawsOn: null });
const differing = { ...oneRow, rows: [{ token: 1, position: 0, term: 1, batched: 3, oneToken: 3.5 }] };

/** @type {[string, State, Changes?][]} */
const CONDITIONS = [
  ['opened', toy],
  ['given, masked', after(toy, masked)],
  ['given, masked, second row', after(toy, masked, { type: 'row', row: 1 })],
  ['given, a row that sums to 2 and one that sums to 0', after(toy, given(0, [1, 1, 0]), given(2, [0.5, -0.5, 0]))],
  ['given, a row of zeros', after(toy, given(2, [0, 0, 0]))],
  ['given, negative weights', after(toy, given(2, [-1, 1, 1]))],
  ['given, tiny and huge numbers', after(toy, given(2, [1e-6, 1, 0]), {
    type: 'edit-row', matrix: 'inputs', row: 0, values: [-1e20, 1e-30],
  })],
  ['from inputs, masked', after(toy, { type: 'source', source: 'inputs', weights }, masked)],
  ['given, taken from the screen', after(await opening('trainable'), { type: 'source', source: 'given', weights })],
  ['inputs without a scale', after(toy, { type: 'source', source: 'inputs', weights }, unscaled)],
  ['trained, no scale, no projection', after(trained, unscaled, { type: 'project', on: false })],
  ['trained, second head, first row', after(trained, { type: 'head', head: 1 }, { type: 'row', row: 0 })],
  ['trained, W_out edited', after(trained, { type: 'edit', matrix: 'w_out', row: 0, column: 0, value: -2 })],
  ['trained, three columns', after(trained, oneHead, fewer)],
  ['trained, unmasked', after(trained, oneHead, { type: 'causal', on: false })],
  ['trained, nine tokens', after(trained, { type: 'add-token' }, { type: 'add-token' }, { type: 'add-token' })],
  ['one token', after(toy, { type: 'remove-token', row: 0 }, { type: 'remove-token', row: 0 })],
  ['six decimals', { ...toy, view: { ...toy.view, digits: 6 } }],
  ['no decimals', { ...trained, view: { ...trained.view, digits: 0 } }],
  ['a weight in focus', toy, focus('attn_weights-0', 2, 0)],
  ['a typed weight in focus', after(toy, masked), focus('attn_weights-0', 1, 0)],
  ['a masked weight in focus', after(toy, masked), focus('attn_weights-0', 0, 2)],
  ['a masked score in focus', trained, focus('attn_scores-1', 0, 5)],
  ['an output in focus', trained, focus('outputs', 5, 3)],
  ['a weight of the second head in focus', trained, focus('attn_weights-1', 5, 0)],
  ['a label in focus', toy, focus('inputs', 0, -1)],
  ['a cell in focus that is gone', toy, focus('queries', 0, 0)],
  ['a number being edited', toy, editing('inputs', 0, 1, false)],
  ['no number being edited', toy, editing('attn_weights-0', 0, 1, true)],
  ['a label being edited', trained, editing('inputs', 2, -1, false)],
  ['a problem', toy, { ui: { notice: { kind: 'problem', text: 'It cannot be.' }, canUndo: true } }],
  ['something said', toy, { ui: { notice: { kind: 'said', text: 'It is done.' }, canRedo: true } }],
  ['routes that differ', toy, {
    computed: { routes: differing, pointing: differing },
  }],
  ['routes that differ by rounding alone', toy, { computed: { routes: differing } }],
];

CONDITIONS.push(...comparingConditions({ toy, causal: await opening('causal'), heads: trained, underflow: await opening('mask-underflow'),
  order: await opening('summation-order'), after }));
CONDITIONS.push(...trainingConditions({ toy, causal: await opening('causal'), after }));

CONDITIONS.push(...await chapterConditions({ after }));
CONDITIONS.push(...await lessonConditions({ after }));

CONDITIONS.push(...dialogConditions({ toy, heads: trained }));
CONDITIONS.push(...largeConditions({ toy, after }));

CONDITIONS.push(...classroomConditions({ toy, heads: trained }));

CONDITIONS.push(...questionConditions({ states: [toy, await opening('simplified'), await opening('causal'), trained], after }));
CONDITIONS.push(...specialQuestions({ toy, heads: trained, after }).map(([name, state]) => /** @type {[string, State, Changes?]} */ (
  name.includes('focus') ? [name, state, focus('context_vecs', 0, 0)] : [name, state])));

CONDITIONS.push(...lookingConditions({
  toy, inputs: await opening('simplified'), trained: await opening('trainable'), heads: trained,
  odd: after(toy, given(2, [1, 1, 0])), after,
}));

for (const { id } of examples) {
  const state = await opening(id);
  CONDITIONS.push([`example ${id}`, state]);
  for (const source of /** @type {const} */ (['inputs', 'trained'])) {
    CONDITIONS.push([`example ${id} with weights ${source}`, after(state, { type: 'source', source, weights })]);
  }
}

/** Every id that the view has asked the message file for. @type {Set<string>} */
export const asked = new Set();

/** @type {Scene[]} */
export const scenes = [];
const noting = (/** @type {string} */ id, /** @type {Record<string, string | number> | undefined} */ args) => {
  asked.add(id);
  return t(id, args);
};
for (const [name, state, changes] of CONDITIONS) {
  const frame = await frameOf(state, { ...changes, t: noting });
  scenes.push({ name, frame, template: page(frame) });
}
// What is painted apart from the page.
const opened = await frameOf(toy);
for (const [name, template] of largeLive(noting)) scenes.push({ name, frame: opened, template });
// Parts of a page are made only when it is painted; then they ask for their messages.
for (const { template } of scenes) htmlOf(template);
