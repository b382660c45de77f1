/**
 * The chapters in teaching order, and the short path through each: data only. A new chapter is an entry here, its
 * examples, and its sentences in en-lesson.ftl: lesson-<chapter>-<step>. Imports nothing.
 * Next to read: ../model/lesson.js, which says when a step is done; ../view/lesson.js, which shows it.
 */

/**
 * @typedef {object} Chapter
 * @property {string} id         of its first example, and of its name in the message file: chapter-<id>
 * @property {string[]} examples starts of it: its own numbers, then the toy's, by id
 * @property {string[]} fresh    stations of the flow diagram that are new in it; in the first all are
 * @property {Step[]} steps
 *
 * @typedef {object} Step
 * @property {string} id
 * @property {Done} [done]     what has the step done; without it there is only something to read
 * @property {'shapes' | 'flow'} [show]  an instrument to look at
 * @property {string} [ask]    the kind of question that it asks; each chapter has one step with it
 * @property {boolean} [changed]  whether it says what is other than at the start of the chapter before
 * @property {'identity' | 'one-head' | 'toy'} [bridge]  a setting in which this chapter meets the one before
 *
 * @typedef {{ path: string, is?: number | boolean | string }} Done  a part of the state: it is that, or a list with that
 *   in it; or, if nothing is said, it has changed while the step was open
 */

/** A question was asked, and its answer shown. @type {Done} */
const answered = { path: 'view.question.revealed', is: true };

/** @type {Chapter[]} */
export const chapters = [
  {
    id: 'warm-up', examples: ['warm-up'], fresh: [],
    steps: [
      { id: 'row', done: { path: 'view.row', is: 1 } },
      { id: 'weight', done: { path: 'document.given' } },
      { id: 'product', show: 'shapes', done: { path: 'view.panels', is: 'shapes' } },
      { id: 'predict', ask: 'only', done: answered },
      { id: 'takeaway' },
    ],
  },
  {
    id: 'simplified', examples: ['simplified', 'simplified-toy'], fresh: ['scores', 'softmax'],
    steps: [
      { id: 'scores', show: 'flow', changed: true, bridge: 'toy' },
      { id: 'input', done: { path: 'document.inputs' } },
      { id: 'predict', ask: 'top-token', done: answered },
      { id: 'takeaway' },
    ],
  },
  {
    id: 'trainable', examples: ['trainable', 'trainable-toy'],
    fresh: ['matrices', 'w_query', 'w_key', 'w_value', 'queries', 'keys', 'values'],
    steps: [
      { id: 'matrices', show: 'flow', changed: true },
      { id: 'query', done: { path: 'document.w_query' } },
      { id: 'bridge', changed: true, bridge: 'identity', done: { path: 'document.scale', is: 'none' } },
      { id: 'predict', ask: 'contributes', done: answered },
      { id: 'takeaway' },
    ],
  },
  {
    id: 'causal', examples: ['causal', 'causal-toy'], fresh: ['mask'],
    steps: [
      { id: 'mask', show: 'flow', changed: true },
      { id: 'last', done: { path: 'document.inputs' } },
      { id: 'predict', ask: 'mask-changes', done: answered },
      { id: 'takeaway' },
    ],
  },
  {
    id: 'multi-head', examples: ['multi-head', 'multi-head-toy'], fresh: ['softmax', 'context', 'w_out', 'outputs'],
    steps: [
      { id: 'heads', show: 'flow', changed: true },
      { id: 'second', done: { path: 'view.head', is: 1 } },
      { id: 'bridge', changed: true, bridge: 'one-head', done: { path: 'document.heads', is: 1 } },
      { id: 'predict', ask: 'shape', done: answered },
      { id: 'pipeline' },
    ],
  },
];
