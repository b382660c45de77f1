/**
 * The state: one JSON value that holds all that a person can change, and nothing that is computed from it.
 * `document` is what undo and links are about; `view` is where one looks. No function, node or pointer lives here.
 * Next to read: update.js (how it changes), history.js (how it is taken back).
 */

import { FIRST_LARGE } from './large.js';

/**
 * @typedef {'given' | 'inputs' | 'trained'} Source
 * @typedef {'none' | 'sqrt_head_dim'} Scale
 * @typedef {'inputs' | 'given' | 'w_query' | 'w_key' | 'w_value' | 'w_out' | 'targets'} MatrixName  what can be edited
 *
 * @typedef {object} Doc
 * @property {string} example     id of the start state it came from
 * @property {string[]} tokens    T labels
 * @property {number[][]} inputs  T × d_in
 * @property {number[][] | null} given  T × T as typed, before any mask; null until weights are first given
 * @property {number[][]} w_query d_in × d_out
 * @property {number[][]} w_key   d_in × d_out
 * @property {number[][]} w_value d_in × d_out
 * @property {number[][]} w_out   d_out × d_out
 * @property {Source} source      where the attention weights come from
 * @property {Scale} scale
 * @property {boolean} causal
 * @property {number} heads       as chosen; in force only when trained (see headsInForce)
 * @property {boolean} project    whether W_out is applied (when trained)
 * @property {string} fault       the bug planted in the batched route: 'none' or a name that the module gives
 * @property {number} faultPlace  the row or token that it is about, from 0
 * @property {number | null} mystery  the seed that chose the bug unseen; null if it was chosen by name
 * @property {number[][] | null} targets  T × width, the rows that are wanted; null unless the task is to fit them
 * @property {Training | null} training  null: nothing is to be learnt
 *
 * @typedef {Pick<Doc, 'w_query' | 'w_key' | 'w_value' | 'w_out'>} Weights
 * @typedef {Weights & { step: number, loss: number }} Best
 * @typedef {{ step: number, loss: number, heldOut: number | null }} Point  losses of the weights that a step begins with
 * @typedef {{ stride: number, points: Point[] }} Curve  points at multiples of the stride
 *
 * @typedef {object} Training  what has been learnt so far
 * @property {import('./tasks.js').TaskId} task
 * @property {number | null} seed  that drew the weights of step 0; null: they were those on the screen
 * @property {{ heldOut: boolean, index: number }} sequence  of the batch, or of those held out, that is on the screen
 * @property {number} step  how many steps were taken
 * @property {Weights | null} start  the weights of step 0; null at step 0
 * @property {Curve} curve
 * @property {Best | null} best
 *
 * @typedef {object} View
 * @property {number} row     chosen query row, from 0
 * @property {number} head    head shown large, from 0
 * @property {number} digits  decimals shown, 0 to 6
 * @property {Panel[]} panels the instruments that are open
 * @property {Kernels} kernels  which of the module's kernels compute the figure
 * @property {boolean} columnSums  whether columns of weights show their sums too
 * @property {boolean} linear      whether weight matrices show as nn.Linear.weight: transposed
 * @property {Tolerance} tolerance of the two-route check
 * @property {Cell[]} trail   the number whose arithmetic is open, and before it those one came from; empty: the row's sum
 * @property {number | null} step  how many terms of it have been added; null: all
 * @property {[number, number]} plane  the two dimensions in which the blended rows are shown, within a head
 * @property {[number, number]} inputPlane  likewise for the inputs, where they are not what is blended
 * @property {boolean} everyHead  whether shapes are written for all heads at once
 * @property {number | null} tryRows  a number of rows that a matrix does not have, to see that shapes would not fit
 * @property {boolean} unfolded  whether the flow diagram shows its branches
 * @property {Doc | null} pinned  a state kept to compare with
 * @property {Mystery | null} mystery  while a bug is planted that a seed chose
 * @property {number | null} replay  how many tokens have arrived, when they arrive one by one
 * @property {Settings} settings  how steps of training are taken
 * @property {Scales | null} scales  limits of the colours, kept while training; null: they follow the numbers
 * @property {Cell | null} gradient  the weight whose gradient is shown
 * @property {import('./large.js').Large} large  a long sequence of its own, apart from the document
 * @property {import('./classroom.js').Classroom | null} classroom  what a class sees and may change; null: all
 * @property {'figure' | Panel | null} present  what is shown large, and alone; null: the whole page
 * @property {Notes} notes  what is open of a chapter's notes
 * @property {{ step: number, done: boolean }} lesson  the step of the chapter's short path, from 0; whether what it asks
 *   for was done
 * @property {import('./questions.js').Question | null} question  a question that is open; never its answer
 *
 * @typedef {object} Settings
 * @property {'sgd' | 'momentum' | 'adam'} optimizer
 * @property {number} learningRate
 * @property {number} speed      steps to a frame
 * @property {number} stopLoss   training pauses when the loss falls below it; 0: never
 * @property {number} stopSteps  and after so many steps
 * @typedef {{ figure: number, weight: number, score: number }} Scales
 *
 * @typedef {object} Notes
 * @property {number} hints  how many hints of the practice have been asked for
 * @property {number[]} inputs  the tokens, from 0, that are said to contribute to the row that is traced
 * @property {string | null} place  where the trainable matrices are said to enter
 * @property {boolean} checked  whether that is held against the numbers on the screen
 * @property {string | null} card  the card that is open, by its id in the content
 * @property {string[]} tried  what of the card's experiment is chosen
 *
 * @typedef {'plain' | 'simd'} Kernels  the specification, or the fast ones
 * @typedef {{ tensor: string, indices: number[] }} Cell  one number of a tensor, indices from 0
 * @typedef {'shapes' | 'flow' | 'plane' | 'routes' | 'bugs' | 'checks' | 'compare' | 'masking' | 'scores' | 'numbers'
 *   | 'training' | 'large' | 'chapter'} Panel
 * @typedef {'displayed' | number} Tolerance  half a unit of the last digit shown, or relative to the terms
 * @typedef {{ seed: number, guess: string | null, revealed: boolean }} Mystery  where it was said to be, and whether it
 *   has been named
 *
 * @typedef {{ version: 1, document: Doc, view: View }} State
 *
 * @typedef {object} Drawn  parameters as the module drew them for an example
 * @property {number[][]} w_query
 * @property {number[][]} w_key
 * @property {number[][]} w_value
 */

/** The page's own limits: what a person can still read row by row. The module itself takes far more. */
export const MAX_TOKENS = 32;
export const MAX_DIMENSIONS = 16;
export const MAX_LABEL_LENGTH = 60;

/** Where one looks at first; a state that leaves a part of it out means this. @type {View} */
export const FIRST_VIEW = {
  row: 0, head: 0, digits: 2, panels: [], kernels: 'plain', columnSums: false, linear: false, tolerance: 1e-6, trail: [], step: null,
  plane: [0, 1], inputPlane: [0, 1], everyHead: false, tryRows: null, unfolded: false, pinned: null, mystery: null, replay: null,
  settings: { optimizer: 'sgd', learningRate: 1, speed: 1, stopLoss: 0.001, stopSteps: 3000 }, scales: null, gradient: null,
  large: FIRST_LARGE,
  classroom: null, present: null,
  notes: { hints: 0, inputs: [], place: null, checked: false, card: null, tried: [] },
  lesson: { step: 0, done: false },
  question: null,
};

/**
 * The state that an example opens with.
 * @param {import('../content/examples.js').Example} example
 * @param {Drawn} drawn
 * @returns {State}
 */
export function stateOfExample(example, drawn) {
  const { id, tokens, inputs, given, source, scale, causal, heads, project, dOut, row } = example;
  const document = {
    example: id, tokens, inputs, given, ...drawn, w_out: identity(dOut), source, scale, causal, heads, project,
    fault: 'none', faultPlace: 0, mystery: null, targets: null, training: null,
  };
  return { version: 1, document, view: { ...FIRST_VIEW, row } };
}

/** Heads need trainable weights: elsewhere one head is in force, whatever is chosen. @param {Doc} doc */
export function headsInForce(doc) {
  return doc.source === 'trained' ? doc.heads : 1;
}

/** @param {Doc} doc @returns {{ nTokens: number, dIn: number, dOut: number, heads: number, width: number }} */
export function sizesOf(doc) {
  const dIn = doc.inputs[0].length;
  const dOut = doc.w_query[0].length;
  const width = doc.source === 'trained' ? dOut : dIn;
  return { nTokens: doc.tokens.length, dIn, dOut, heads: headsInForce(doc), width };
}

/** The head counts that divide a width, in order. @param {number} width */
export function validHeads(width) {
  return Array.from({ length: width }, (_, i) => i + 1).filter((n) => width % n === 0);
}

/** The n × n identity matrix. @param {number} n @returns {number[][]} */
export function identity(n) {
  return Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => (i === j ? 1 : 0)));
}
