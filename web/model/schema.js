/**
 * What a state may be, field by field: unknown JSON goes in, a state that fits together or a problem that names the
 * field comes out. A field that is not known here is refused, for dropping it would lose what it says; a part of the
 * view that is left out is as at first. Must not repair numbers or sizes. Next to read: fields.js, ../io/json.js,
 * ../io/link.js.
 */

import { LOCKS, MATRICES, OPEN_CLASS, PARTS } from './classroom.js';
import {
  columns, count, flag, items, label, list, matrix, notNegative, object, one, orNull, pair, record, text, whole,
} from './fields.js';
import { FIRST_LARGE, LARGE_ENDS, LARGE_LIMITS } from './large.js';
import { FAULTS, MAX_SEED, ROW_STAGES, STAGES } from './mystery.js';
import { UNANSWERED, fitting } from './asking.js';
import { KINDS, MAX_PREDICTIONS, askOf } from './questions.js';
import { attempt, quoted, refuse } from './refusal.js';
import { FIRST_VIEW, MAX_TOKENS, sizesOf, validHeads } from './state.js';
import { SEQUENCES } from './tasks.js';
import { MAX_POINTS } from './training.js';

/**
 * @typedef {import('./state.js').State} State
 * @typedef {import('./state.js').Doc} Doc
 * @typedef {import('./state.js').View} View
 * @typedef {import('./update.js').Message} Message
 * @typedef {{ examples: string[] }} Known  the ids of the examples that the page has
 */

/**
 * @template T
 * @typedef {import('./fields.js').Reader<T>} Reader
 */

/** The version of the states that this page writes. Older ones are brought up to it, newer ones refused. */
export const VERSION = 1;

/** Parts of a document that came later than its version: left out, there is nothing to learn. @type {Partial<Doc>} */
const NOT_TRAINED = { targets: null, training: null };

/** Training for days: a number of steps that nobody takes. */
const MAX_TRAINED = 1e9;

/** No short path has more steps. */
export const MAX_PATH = 12;

/** Longer is no way back from an output to the inputs, even with detours. */
const MAX_TRAIL = 32;

/** Longer than any class link. */
const MAX_CLASS_LINK = 4000;
/** Numbers of all matrices that a class could ask for. */
const MAX_ASKED = 1 << 15;
/** More than any practice has, and than any experiment has to choose from. */
const MAX_HINTS = 9;
const MAX_TRIED = 9;

/** @type {Record<import('./state.js').Panel, true>} */
export const PANELS = {
  shapes: true, flow: true, plane: true, routes: true, bugs: true, checks: true, compare: true, masking: true,
  scores: true, training: true, numbers: true, large: true, chapter: true,
};

/**
 * A whole state.
 * @param {unknown} value  parsed JSON
 * @param {Known} known
 * @returns {{ state: State } | { problem: Message }}
 */
export function readState(value, known) {
  return attempt(() => {
    const parts = object(value, 'state');
    if (parts.version === undefined) refuse({ id: 'problem-state-missing', args: { field: 'version' } });
    if (parts.version !== VERSION) {
      refuse({ id: 'problem-state-version', args: { expected: VERSION, got: quoted(parts.version) } });
    }
    const document = documentReader(known)(parts.document, 'document');
    const readView = record(viewFields(document, known), FIRST_VIEW);
    /** @type {Reader<State>} */
    const read = record({
      version: one([VERSION]), document: () => document, view: (view) => readView(view, 'view'),
    });
    return { state: read(value, 'state') };
  });
}

/** @param {Known} known @returns {Reader<Doc>} */
function documentReader(known) {
  return (value, at) => {
    const parts = object(value, at);
    const nTokens = count(parts.tokens, `${at}.tokens`, MAX_TOKENS);
    const dIn = columns(parts.inputs, `${at}.inputs`);
    const dOut = columns(parts.w_query, `${at}.w_query`);
    /** @type {Reader<Doc>} */
    const read = record({
      example: one(known.examples),
      tokens: list(label, MAX_TOKENS),
      inputs: matrix(nTokens, dIn),
      given: orNull(matrix(nTokens, nTokens)),
      w_query: matrix(dIn, dOut),
      w_key: matrix(dIn, dOut),
      w_value: matrix(dIn, dOut),
      w_out: matrix(dOut, dOut),
      source: one(['given', 'inputs', 'trained']),
      scale: one(['none', 'sqrt_head_dim']),
      causal: flag,
      heads: one(validHeads(dOut)),
      project: flag,
      fault: one(['none', ...FAULTS]),
      faultPlace: whole(0, nTokens - 1),
      mystery: orNull(whole(0, MAX_SEED)),
      targets: orNull(matrix(nTokens, dOut)),
      training: orNull(trainingReader(dIn, dOut)),
    }, NOT_TRAINED);
    const doc = read(value, at);
    const missing = doc.source === 'given' && doc.given === null ? 'given'
      : doc.training?.task === 'fit' && doc.targets === null ? 'targets' : null;
    if (missing) refuse({ id: 'problem-state-missing', args: { field: `${at}.${missing}` } });
    return doc;
  };
}

/** What has been learnt so far. @param {number} dIn @param {number} dOut @returns {Reader<import('./state.js').Training>} */
function trainingReader(dIn, dOut) {
  const weights = {
    w_query: matrix(dIn, dOut), w_key: matrix(dIn, dOut), w_value: matrix(dIn, dOut), w_out: matrix(dOut, dOut),
  };
  const step = whole(0, MAX_TRAINED);
  return record({
    task: one(/** @type {const} */ (['fetch', 'copy', 'fit'])),
    seed: orNull(whole(0, 2 ** 32 - 1)),
    sequence: record({ heldOut: flag, index: whole(0, SEQUENCES - 1) }),
    step,
    start: orNull(record(weights)),
    curve: record({
      stride: whole(1, MAX_TRAINED),
      points: list(record({ step, loss: notNegative, heldOut: orNull(notNegative) }), MAX_POINTS),
    }),
    best: orNull(record({ ...weights, step, loss: notNegative })),
  });
}

/** @param {Doc} doc @param {Known} known @returns {{ [K in keyof View]: Reader<View[K]> }} */
function viewFields(doc, known) {
  const { nTokens, dIn, heads, width } = sizesOf(doc);
  return {
    row: whole(0, nTokens - 1),
    head: whole(0, heads - 1),
    digits: whole(0, 6),
    panels: list(one(/** @type {(keyof typeof PANELS)[]} */ (Object.keys(PANELS))), Object.keys(PANELS).length),
    kernels: one(['plain', 'simd']),
    columnSums: flag,
    linear: flag,
    tolerance: (value, at) => (value === 'displayed' ? value : notNegative(value, at)),
    trail: list(cellOf(doc), MAX_TRAIL),
    step: orNull(whole(0, MAX_TOKENS)),
    plane: pair(whole(0, width / heads - 1)),
    inputPlane: pair(whole(0, dIn - 1)),
    everyHead: flag,
    tryRows: orNull(whole(1, MAX_TOKENS + 2)),
    unfolded: flag,
    pinned: orNull(documentReader(known)),
    mystery: mysteryOf(doc),
    replay: orNull(whole(1, nTokens)),
    settings: record({
      optimizer: one(['sgd', 'momentum', 'adam']), learningRate: notNegative, speed: whole(1, MAX_TRAINED),
      stopLoss: notNegative, stopSteps: whole(0, MAX_TRAINED),
    }, FIRST_VIEW.settings),
    scales: orNull(record({ figure: notNegative, weight: notNegative, score: notNegative })),
    gradient: orNull(cellOf(doc, (tensor) => tensor.startsWith('w_'))),
    large: readLarge,
    classroom: orNull(classroomReader(doc)),
    present: orNull(one(/** @type {('figure' | import('./state.js').Panel)[]} */ (['figure', ...Object.keys(PANELS)]))),
    notes: record({
      hints: whole(0, MAX_HINTS), inputs: list(whole(0, nTokens - 1), nTokens), place: orNull(label), checked: flag,
      card: orNull(label), tried: list(label, MAX_TRIED),
    }, FIRST_VIEW.notes),
    lesson: record({ step: whole(0, MAX_PATH - 1), done: flag }),
    question: orNull(questionOf(doc)),
  };
}

/** A long sequence; what is looked at lies within it. @type {Reader<View['large']>} */
function readLarge(value, at) {
  const sizes = { ...FIRST_LARGE, ...object(value, at) };
  const limit = (/** @type {keyof typeof LARGE_LIMITS} */ name) => whole(LARGE_LIMITS[name][0], LARGE_LIMITS[name][1]);
  const place = whole(0, limit('tokens')(sizes.tokens, `${at}.tokens`) - 1);
  const head = whole(0, limit('heads')(sizes.heads, `${at}.heads`) - 1);
  return record({
    tokens: limit('tokens'), heads: limit('heads'), headDim: limit('headDim'), causal: flag, seed: limit('seed'), head,
    row: place, column: place, ends: one(LARGE_ENDS),
  }, FIRST_LARGE)(value, at);
}

/**
 * A question, and predictions of the form that it asks for.
 * @param {Doc} doc @returns {Reader<import('./questions.js').Question>}
 */
function questionOf(doc) {
  return (value, at) => {
    const parts = object(value, at);
    const asks = askOf(doc, String(parts.kind), Number(parts.seed));
    /** @type {Reader<import('./questions.js').Prediction>} */
    const prediction = (given) => {
      const read = asks ? fitting(asks.form, given, doc.tokens.length) : { problem: { id: 'problem-question-here' } };
      return 'problem' in read ? refuse(read.problem) : read.prediction;
    };
    /** @type {Reader<import('./questions.js').Question>} */
    const read = record({
      kind: one(KINDS), seed: whole(0, MAX_SEED), predictions: list(prediction, MAX_PREDICTIONS),
      skipped: flag, revealed: flag, anew: flag,
    }, /** @type {Partial<import('./questions.js').Question>} */ (UNANSWERED));
    return read(value, at);
  };
}

/** @param {Doc} doc @returns {Reader<import('./classroom.js').Classroom>} */
function classroomReader(doc) {
  const all = [...Object.keys(PANELS), ...PARTS, ...MATRICES];
  return record({
    link: orNull(text(MAX_CLASS_LINK)),
    hide: list(one(all), all.length),
    ask: list(one([...MATRICES]), MATRICES.length),
    asked: list(cellOf(doc), MAX_ASKED),
    lock: list(one(LOCKS), LOCKS.length),
    rows: orNull(whole(0, doc.tokens.length)),
    weightRows: flag,
  }, OPEN_CLASS);
}

/**
 * What was said of a bug that a seed chose: of this document's, or nothing yet.
 * @param {Doc} doc @returns {Reader<View['mystery']>}
 */
function mysteryOf({ mystery: seed, tokens }) {
  if (seed === null) return one([null]);
  const places = [...STAGES, ...ROW_STAGES.flatMap((stage) => tokens.map((_, row) => `${stage}:${row}`))];
  const read = record({ seed: one([seed]), guess: orNull(one(places)), revealed: flag });
  return (value, at) => (value === null ? { seed, guess: null, revealed: false } : read(value, at));
}

/**
 * One number of a tensor that a document has.
 * @param {Doc} doc @param {(tensor: string) => boolean} [of]  which of them
 * @returns {Reader<import('./state.js').Cell>}
 */
function cellOf(doc, of = () => true) {
  const { nTokens, dIn, dOut, heads, width } = sizesOf(doc);
  const [trained, given] = [doc.source === 'trained', doc.source === 'given'];
  const [rows, pairs] = [[1, nTokens, width], [1, heads, nTokens, nTokens]];
  const weights = [dIn, dOut];
  /** @type {Record<string, number[]>} */
  const shapes = {
    inputs: [1, nTokens, dIn], values: rows, context_vecs: rows, attn_weights: pairs,
    attn_row_sums: [1, heads, nTokens], attn_column_sums: [1, heads, nTokens],
    ...(given ? { given_weights: pairs } : { queries: rows, keys: rows, attn_scores: pairs }),
    ...(trained ? { w_query: weights, w_key: weights, w_value: weights } : {}),
    ...(trained && doc.project ? { w_out: [dOut, dOut], outputs: rows } : {}),
  };
  return (value, at) => {
    const tensor = one(Object.keys(shapes).filter(of))(object(value, at).tensor, `${at}.tensor`);
    const shape = shapes[tensor];
    /** @type {Reader<number[]>} */
    const indices = (all, place) => items(all, place, shape.length).map((index, axis) =>
      whole(0, shape[axis] - 1)(index, `${place}[${axis}]`));
    return record({ tensor: () => tensor, indices })(value, at);
  };
}
