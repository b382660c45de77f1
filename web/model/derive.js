/**
 * What the view shows of a state and its tensors: selections, sizes, scales of colour, words for shapes. It computes
 * no tensor: whatever is a sum or a product comes from the module. The only file of model/ that view/ imports.
 * Next to read: ../view/page.js.
 */

import { behindVeil } from './hiding.js';
import { asked } from './questions.js';
import { identity, sizesOf, validHeads } from './state.js';
import { lightsOf } from './traces.js';
import { veil } from './veil.js';

export { apartInWords, sideBySide } from './asking.js';
export { LOCKS, PARTS, canAsk, classVeils, isLeftOut, isLocked, matricesOf, wouldBreakLock } from './classroom.js';
export { isHidden } from './hiding.js';
export { bridged, chapterOf, stepOf } from './lesson.js';
export { HIDDEN, apart, brief, exact, figures, inCell, precise } from './numbers.js';
export { MAX_SEED, ROW_STAGES, STAGES, placeOf } from './mystery.js';
export { cut } from './refusal.js';
export { LARGE_ENDS, LARGE_SIZES, entryText, heaviest, rangeOf, topOf, wrongText } from './large.js';
export { validHeads } from './state.js';
export { FEATURES } from './tasks.js';
export { askableKinds, kindsHere, nextSeed } from './questions.js';
export { MOMENTUM, RATES, obstacleOf, smallerRate } from './training.js';
export { holds, placeKey, standsIn, termsAt } from './traces.js';
export { veiled } from './veil.js';

/**
 * @typedef {import('./state.js').State} State
 * @typedef {import('./state.js').Mystery} Mystery
 * @typedef {import('./large.js').Large} Large
 * @typedef {import('./large.js').Region} Region
 * @typedef {import('./classroom.js').Classroom} Classroom
 * @typedef {{ shape: number[], data: Float32Array }} Tensor
 * @typedef {Record<string, Tensor>} Tensors  by the names of the C interface
 *
 * @typedef {object} Routes  what the second route says of the batched one
 * @property {'agree' | 'one row' | 'some rows' | 'every row'} verdict
 * @property {{ token: number, position: number, term: number | null, batched: number, oneToken: number }[]} rows
 * @property {number} tolerance
 * @property {number | null} drawsOn  the token such that exactly the rows that draw on it differ
 *
 * @typedef {{ tensor: string, indices: number[], value: number }} Factor
 * @typedef {object} Trace  how one number came to be
 * @property {string} tensor
 * @property {number[]} indices
 * @property {string} operation
 * @property {{ left: Factor, right: Factor | null, product: number, running: number }[]} terms
 * @property {number} scale
 * @property {Factor | null} bias
 * @property {number | null} max    of a softmax
 * @property {number | null} total  likewise
 * @property {number} result
 * @property {number} shown
 * @typedef {Record<'entropy' | 'self' | 'previous' | 'first' | 'mean_weight', number | null>} Readouts  of one head
 * @typedef {Record<'attn_weights' | 'attn_row_sums' | 'context_vecs', Tensor>} Masked
 *
 * @typedef {object} Computed  all that the module was asked for a state
 * @property {Tensors} tensors
 * @property {Routes} routes  by the reader's tolerance
 * @property {Routes} pointing  to 10⁻⁶, whatever the reader's tolerance: it says where to look
 * @property {{ row: number, position: number, batched: number[], oneToken: number[] }} terms  of the chosen row's sum
 * @property {Trace | null} trace  of the number whose arithmetic is open
 * @property {Trace[]} rowTraces  of the numbers of the chosen row in the shown head
 * @property {Readouts[]} readouts by head
 * @property {{ name: string, missing: string | null, hasPlace: boolean }[]} faults  the bugs, what each misses to show
 *   here, and whether it is about one row or token
 * @property {{ tensors: Tensors, readouts: Readouts[], weights: Tensor | null, context: Tensor | null } | null} pinned
 *   of the state kept to compare with; how far weights and context vectors are from it, where shapes agree
 * @property {{ tensors: Tensors, before: Tensors | null } | null} replayed  of the first tokens alone, and of one less
 * @property {{ oneToken: Tensor, difference: Tensor } | null} both  context vectors by the second route, batched less these
 * @property {Record<'open' | 'before' | 'renormalised' | 'after', Masked> | null} masking  ways to mask; open: no mask
 * @property {Changed | null} changed  what is other than at the start of the chapter before, where there is one
 * @property {import('./questions.js').Answer | null} answer  to the question that is open, once it is to be shown
 * @property {Figure[] | 'too large' | 'does not fit' | null} experiment  of the card that is open
 * @property {number | null} kernelsApart  the largest difference in context vectors that the other kernels make
 * @property {Lesson | null} lesson  what training is about, while there is something to learn
 *
 * @typedef {{ id: string, value: number }} Figure  what an experiment gives; its name is figure-<id>
 *
 * @typedef {object} Changed
 * @property {string} example  that the chapter before opens with
 * @property {import('./state.js').Doc} start  its document
 * @property {Tensors} before  of that start
 * @property {Record<string, Tensor>} differences  what is on the screen less that, by tensor, where shapes agree
 * @property {Tensor | null} fromMask  attention weights less those before, masked and each row divided by what is left of
 *   it; null unless the mask is on now and was not before
 *
 * @typedef {object} Lesson
 * @property {import('./tasks.js').Task} task  of the sequence set that is on the screen
 * @property {number} sequences  in the batch
 * @property {number | null} loss  of the weights on the screen; null: it is no finite number
 * @property {number | null} heldOut  likewise, of sequences that are not learnt from; null also where there are none
 * @property {Record<string, number> | null} gradients  the largest entry in size of each parameter's gradient
 * @property {{ analytic: number, numerical: number, difference: number } | null} check  of the weight that is looked at
 * @property {boolean} edited  whether the inputs on the screen are none of the task's sequences
 *
 * @typedef {object} Derived
 * @property {number} nTokens
 * @property {number} dIn
 * @property {number} dOut
 * @property {number} heads       in force
 * @property {number} width       columns of the context vectors: heads × headDim
 * @property {number} headDim
 * @property {boolean} masked     whether the causal mask is on
 * @property {'inputs' | 'values'} blended  the matrix whose rows are blended
 * @property {number} figureLimit colours of inputs, values, context vectors, outputs run from −limit to +limit
 * @property {number} weightLimit colours of the parameter matrices, likewise
 * @property {number} scoreLimit  colours of the scores, likewise
 * @property {boolean} saturated  whether every row gives all its weight to one token, by softmax
 * @property {{ row: number, sum: number, canNormalise: boolean }[]} oddRows  given rows that do not sum to 1
 * @property {Map<string, import('./traces.js').Light>} lit  what the open arithmetic is about, by tensor and element
 * @property {import('./veil.js').Veil[]} veils  what is hidden: it was taken out of the tensors and of `computed`
 * @property {(import('./questions.js').Question & import('./questions.js').Asked) | null} question  that is open
 * @property {Omit<Computed, 'tensors'>} computed
 */

/** What of all that was computed may be shown now. @param {State} state @param {Computed} all @returns {Computed} */
export function shownOf(state, all) {
  return behindVeil(all, veil(state), state.document.source === 'trained');
}

/** @param {State} state @param {Computed} all  as shownOf gives it @returns {Derived} */
export function derive(state, all) {
  const { tensors, ...computed } = all;
  const doc = state.document;
  const sizes = sizesOf(doc);
  const { scales } = state.view;
  const trained = doc.source === 'trained';
  const { trace, rowTraces } = computed;
  // A row that is not stepped through lights nothing: then its terms are simply all there is.
  const open = trace ? [trace] : state.view.step === null ? [] : rowTraces;
  const parameters = trained ? [tensors.w_query, tensors.w_key, tensors.w_value, tensors.w_out] : [];
  return {
    ...sizes,
    headDim: sizes.width / sizes.heads,
    masked: doc.causal,
    blended: trained ? 'values' : 'inputs',
    figureLimit: scales?.figure ?? limitOf([tensors.inputs, tensors.values, tensors.context_vecs, tensors.outputs]),
    weightLimit: scales?.weight ?? limitOf(parameters),
    scoreLimit: scales?.score ?? limitOf([tensors.queries, tensors.keys, tensors.attn_scores]),
    saturated: doc.source !== 'given' && sizes.nTokens > 1 && computed.readouts.every(({ entropy }) => entropy === 0),
    oddRows: doc.source === 'given' ? oddRowsOf(tensors) : [],
    lit: lightsOf(open, state.view.step, trained, tensors),
    veils: veil(state),
    question: asked(state),
    computed,
  };
}

/**
 * One row of a tensor [.., rows, columns], counted over all leading sizes; a copy.
 * @param {Tensor} tensor @param {number} row
 */
export function rowOf(tensor, row) {
  const columns = tensor.shape[tensor.shape.length - 1];
  return Array.from(tensor.data.subarray(row * columns, (row + 1) * columns));
}

/** A tensor [.., rows, columns] of one batch as rows. @param {Tensor} tensor @returns {number[][]} */
export function rowsOf(tensor) {
  const rows = tensor.data.length / tensor.shape[tensor.shape.length - 1];
  return Array.from({ length: rows }, (_, i) => rowOf(tensor, i));
}

/**
 * The rows of one head of a [1, H, T, columns] tensor.
 * @param {Tensor} tensor @param {number} head @returns {number[][]}
 */
export function headRows(tensor, head) {
  const count = tensor.shape[2];
  return Array.from({ length: count }, (_, i) => rowOf(tensor, head * count + i));
}

/** One row of one head of such a tensor. @param {Tensor} tensor @param {number} head @param {number} row @returns {number[]} */
export function headRow(tensor, head, row) {
  return rowOf(tensor, head * tensor.shape[2] + row);
}

/**
 * The head counts to offer: 1, 2, 4 and every divisor of d_out, each with whether it divides.
 * @param {number} dOut @returns {{ count: number, divides: boolean }[]}
 */
export function headChoices(dOut) {
  const valid = validHeads(dOut);
  const counts = [...new Set([1, 2, 4, ...valid])].sort((a, b) => a - b);
  return counts.map((count) => ({ count, divides: valid.includes(count) }));
}

/** The colour class of an attention weight: w0 … w100, the scale fixed to 0 … 1; veiled if it is hidden. @param {number} weight */
export function weightClass(weight) {
  const step = Math.round(Math.min(1, Math.max(0, weight)) * 100);
  return Number.isNaN(weight) ? 'veiled' : `w${weight > 0 && step === 0 ? 1 : step}`;
}

/** Whether an attention weight lies outside of 0 … 1, where no colour and no bar can show it. @param {number} weight */
export function isOutOfRange(weight) {
  return weight < 0 || weight > 1.000001;
}

/**
 * Whether a row of weights can be drawn as one bar: shares that are none less than 0 and add to no more than 1.
 * @param {number[]} weights
 */
export function isDrawable(weights) {
  return weights.every((weight) => weight >= 0) && weights.reduce((end, weight) => end + weight, 0) < 1.0001;
}

/**
 * The colour class of a signed number: s0 … s50 … s100, symmetric about 0; veiled if it is hidden.
 * @param {number} value @param {number} limit
 */
export function signedClass(value, limit) {
  const step = Math.round(Math.min(1, Math.abs(value) / limit) * 50);
  return Number.isNaN(value) ? 'veiled' : `s${value < 0 ? 50 - step : 50 + step}`;
}

/** Whether a number that is not zero would be printed as zero. @param {number} value @param {number} digits */
export function isTiny(value, digits) {
  return value !== 0 && Math.abs(value) < 10 ** -digits && Number(value.toFixed(digits)) === 0;
}

/** Whether W_out still changes nothing. @param {import('./state.js').Doc} doc */
export function isIdentity(doc) {
  const same = identity(doc.w_out.length);
  return doc.w_out.every((row, i) => row.every((value, j) => value === same[i][j]));
}

/**
 * The colour class of token t, from 0; more tokens than colours begin again, always beside their number.
 * @param {number} t
 */
export function tokenClass(t) {
  return `t${t % 8}`;
}

/** The largest entry in size, for a scale of colours symmetric about 0. @param {Tensor | null} tensor */
export function limitOfDifference(tensor) {
  return limitOf(tensor ? [tensor] : []);
}

/**
 * A round number that is at least as large as all entries, so that colours seldom jump while one edits.
 * @param {(Tensor | undefined)[]} tensors
 */
function limitOf(tensors) {
  let largest = 0;
  for (const tensor of tensors) {
    for (const value of tensor ? tensor.data : []) {
      if (Number.isFinite(value) && Math.abs(value) > largest) largest = Math.abs(value);
    }
  }
  if (largest === 0) return 1;
  const power = 10 ** Math.floor(Math.log10(largest));
  const step = [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((s) => s * power >= largest * 0.999999);
  return Number(((step ?? 10) * power).toPrecision(3));
}

/**
 * Given rows whose sum, as computed by the module, is not 1, beyond what rounding of their weights explains.
 * @param {Tensors} tensors
 */
function oddRowsOf({ attn_row_sums: sums, attn_weights: weights }) {
  return Array.from(sums.data)
    .map((sum, row) => ({ row, sum, canNormalise: sum !== 0 }))
    .filter(({ sum, row }) => Math.abs(sum - 1) > 1e-6 * Math.max(1, ...rowOf(weights, row).map(Math.abs)));
}
