// Paintings of the classroom for scenes.js: presentations, the class bar, locked and hidden parts, the dialogs of class
// links and keys. Read next: scenes.js, classroom.test.js.

import { places } from '../../web/content/keys.js';
import { readyLessons } from '../../web/content/class-lessons.js';
import { LOCKS, MATRICES, OPEN_CLASS, PARTS } from '../../web/model/classroom.js';
import { frameOf } from './frames.js';

/**
 * @typedef {import('../../web/model/state.js').State} State
 * @typedef {import('../../web/model/state.js').View} View
 * @typedef {import('../../web/view/frame.js').Dialog} Dialog
 * @typedef {Parameters<typeof frameOf>[1]} Changes
 */

/** @param {State} state @param {Partial<View>} view @param {Partial<import('../../web/model/classroom.js').Classroom>} [change] @returns {State} */
export const inClass = (state, view, change) =>
  ({ ...state, view: { ...state.view, ...view, classroom: { ...OPEN_CLASS, ...change } } });

const url = 'https://example.org/#class&example=warm-up';
const made = /** @type {const} */ ({ kind: 'class', start: 'example', length: 40, local: false, plans: null, ready: readyLessons.map(({ example, hash }) => ({ example, url: hash })), said: '' });

/** @type {[string, Dialog][]} */
const DIALOGS = [
  ['a class link', { ...made, url, plans: 'teachers.html' }],
  ['a class link of a file', { ...made, url, local: true, start: 'state' }],
  ['a class link that is too long', { ...made, url: null, length: 3000, start: 'state' }],
  ['all keys', { kind: 'keys', places, said: '' }],
];

/** @param {{ toy: State, heads: State }} states @returns {[string, State, Changes?][]} */
export function classroomConditions({ toy, heads }) {
  const question = { kind: 'top-token', seed: 3, predictions: [], skipped: false, revealed: false, anew: false };
  return [
    ['presented', { ...toy, view: { ...toy.view, present: 'figure' } }],
    ['presented, a question', { ...heads, view: { ...heads.view, present: 'figure', question } }],
    ['presented, the plane', { ...heads, view: { ...heads.view, present: 'plane' } }],
    ['presented, an instrument that is not here', { ...toy, view: { ...toy.view, present: 'scores' } }],
    ['presented, rows one by one', inClass(heads, { present: 'figure' }, { rows: 2 })],
    ['presented, blank', inClass(toy, { present: 'figure' }), { ui: { blank: true } }],
    ['a class, no row yet', inClass(toy, {}, { rows: 0, link: 'class&rows=0' })],
    ['a class, two rows and their weights', inClass(heads, {}, { rows: 2, weightRows: true, link: 'class' })],
    ['a class, all rows', inClass(toy, {}, { rows: 3 })],
    ['a class, numbers to ask for', inClass(toy, {}, {
      ask: ['inputs', 'context_vecs'], asked: [{ tensor: 'inputs', indices: [0, 0, 0] }],
    })],
    ['a class, all locked', inClass(heads, { panels: ['scores'] }, { lock: LOCKS })],
    ['a class, given weights locked', inClass(toy, {}, { lock: ['attn_weights'] })],
    ['a class, the choice of example locked and no chapters', inClass(toy, {}, { lock: ['example'], hide: ['chapters'] })],
    ['a class, parts left out', inClass(heads, {}, { hide: [...PARTS, 'plane', 'training'] })],
    ['export in a class that hides', inClass(heads, {}, { hide: ['w_value'] }), { ui: { dialog: { kind: 'export', tensor: 'inputs', said: '' } } }],
    ['a class, no matrix shown', inClass(heads, { panels: ['scores', 'plane', 'routes', 'compare', 'masking', 'flow'] }, { hide: [...MATRICES] })],
    ...DIALOGS.flatMap(([name, dialog]) => [toy, inClass(heads, { question }, { hide: ['w_key'], ask: ['inputs'], rows: 0, weightRows: true })]
      .map((state) => /** @type {[string, State, Changes]} */ ([name, state, { ui: { dialog } }]))),
    ['all keys, silenced', toy, { ui: { dialog: DIALOGS[3][1], shortcuts: false } }],
  ];
}
