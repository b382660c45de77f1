// Paintings of every step of every chapter's short path, done and not, with its own numbers and with the toy's, in the
// settings where two chapters meet, and beside the chapters: for scenes.js. Read next: scenes.js, lesson.test.js.

import { chapters } from '../../web/content/chapters.js';
import { frameOf, opening, runner } from './frames.js';

/**
 * @typedef {import('../../web/model/state.js').State} State
 * @typedef {import('../../web/model/update.js').Action} Action
 * @typedef {[string, State, Parameters<typeof frameOf>[1]?]} Condition
 */

/** A state at a step, done or not. @param {State} state @param {number} step @param {boolean} [done] @returns {State} */
export const atStep = (state, step, done = false) => ({ ...state, view: { ...state.view, lesson: { step, done } } });

/** @param {{ after: (state: State, ...actions: Action[]) => State }} parts @returns {Promise<Condition[]>} */
export async function lessonConditions({ after }) {
  /** @type {Condition[]} */
  const conditions = [];
  for (const { id, examples, steps } of chapters) {
    for (const example of examples) {
      const state = await opening(example);
      steps.forEach(({ id: step }, i) => conditions.push([`${id}, step ${step}, ${example}`, atStep(state, i)]));
      steps.forEach(({ id: step, done }, i) => done && conditions.push([`${id}, step ${step} done, ${example}`, atStep(state, i, true)]));
      conditions.push([`under More, ${example}`, after(state, { type: 'panel', panel: 'chapter', open: true })]);
    }
  }
  for (const [example, how] of /** @type {const} */ ([['trainable', 'identity'], ['multi-head', 'one-head']])) {
    const before = await runner.before(example);
    if (!before) throw new Error(`nothing before ${example}`);
    conditions.push([`bridge ${how}`, atStep(after(await opening(example), { type: 'bridge', before, how }), 2)]);
  }
  const causal = await opening('causal');
  return [
    ...conditions,
    ['settings unfolded', causal, { ui: { settings: true } }],
    ['a step that no chapter has', atStep(causal, 11)],
    ['a token added after the chapter before', after(causal, { type: 'add-token' })],
  ];
}
