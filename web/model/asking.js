/**
 * How a question goes on: asked, predicted, skipped or shown, closed; what a change of the document does to it; and
 * predictions held against the answer, side by side, with no mark for either. Pure. Next to read: questions.js.
 */

import { brief, inCell, parseNumber } from './numbers.js';
import { MAX_PREDICTIONS, askOf, asked } from './questions.js';
import { quoted } from './refusal.js';
import { MAX_TOKENS } from './state.js';

/**
 * @typedef {import('./state.js').State} State
 * @typedef {import('./state.js').View} View
 * @typedef {import('./questions.js').Question} Question
 * @typedef {import('./questions.js').Prediction} Prediction
 * @typedef {import('./questions.js').Form} Form
 * @typedef {import('./update.js').Outcome} Outcome
 * @typedef {import('./update.js').Message} Message
 *
 * @typedef {{ type: 'ask', kind: string, seed: number }
 *   | { type: 'unask' }
 *   | { type: 'predict', texts: string[] }
 *   | { type: 'unveil' | 'cover' }} AskingAction  'predict' as one has typed or chosen it; 'unveil' without a prediction
 *   skips; 'cover' hides the answer again and keeps what was predicted
 */

/** The parts of a question that come with its being asked. @type {Pick<Question, 'predictions' | 'skipped' | 'revealed' | 'anew'>} */
export const UNANSWERED = { predictions: [], skipped: false, revealed: false, anew: false };

/** @param {State} state @param {AskingAction} action @returns {Outcome} */
export function ask(state, action) {
  const { document: doc, view } = state;
  const { question } = view;
  const now = (/** @type {Partial<View>} */ change) => ({ state: { ...state, view: { ...view, ...change } } });
  switch (action.type) {
    case 'ask': {
      const asks = askOf(doc, action.kind, action.seed);
      if (!asks) return { problem: { id: 'problem-question-here' } };
      const panels = [...view.panels, ...asks.panels.filter((panel) => !view.panels.includes(panel))];
      return now({
        question: { kind: action.kind, seed: action.seed, ...UNANSWERED },
        row: asks.row ?? view.row, head: asks.head ?? view.head, trail: [], step: null, panels,
      });
    }
    case 'unask': return now({ question: null });
    case 'predict': {
      const asks = asked(state);
      if (!question || !asks || question.revealed) return { state };
      const read = predictionOf(asks.form, action.texts, doc.tokens.length);
      if ('problem' in read) return read;
      if (question.predictions.length >= MAX_PREDICTIONS) return { problem: { id: 'problem-predictions', args: { limit: MAX_PREDICTIONS } } };
      return now({ question: { ...question, predictions: [...question.predictions, read.prediction] } });
    }
    case 'unveil': {
      if (!question) return { state };
      const skipped = question.predictions.length === 0;
      const [last] = question.predictions.slice(-1);
      const mystery = question.kind === 'bug' && view.mystery
        ? { ...view.mystery, guess: typeof last === 'string' ? last : view.mystery.guess, revealed: true } : view.mystery;
      return now({ question: { ...question, skipped, revealed: true }, mystery });
    }
    case 'cover': {
      if (!question) return { state };
      const mystery = question.kind === 'bug' && view.mystery ? { ...view.mystery, revealed: false } : view.mystery;
      return now({ question: { ...question, skipped: false, revealed: false }, mystery });
    }
  }
}

/**
 * After a change of the document: what is still open is asked anew of the new numbers, what was answered is done with.
 * @param {Question | null} question @returns {Question | null}
 */
export function askedAnew(question) {
  return question === null || question.revealed ? null : { ...question, ...UNANSWERED, anew: true };
}

/**
 * What was typed or chosen, as a prediction of the form that is asked for.
 * @param {Form} form @param {string[]} texts @param {number} nTokens
 * @returns {{ prediction: Prediction } | { problem: Message }}
 */
export function predictionOf(form, texts, nTokens) {
  switch (form.type) {
    case 'number': return fitting(form, parseNumber(texts[0]) ?? texts[0], nTokens);
    case 'shape': return fitting(form, texts.map((text) => parseNumber(text) ?? text), nTokens);
    case 'tokens': case 'rows': return fitting(form, texts.map(Number), nTokens);
    default: return fitting(form, texts[0], nTokens);
  }
}

/**
 * Whether a value, also one from outside, is a prediction of a form.
 * @param {Form} form @param {unknown} value @param {number} nTokens
 * @returns {{ prediction: Prediction } | { problem: Message }}
 */
export function fitting(form, value, nTokens) {
  const refused = (/** @type {string} */ what) => ({ problem: { id: 'problem-prediction', args: { what, most: MAX_TOKENS, got: quoted(value) } } });
  const wholes = (/** @type {number} */ low, /** @type {number} */ high) => Array.isArray(value)
    && value.every((one) => Number.isInteger(one) && one >= low && one <= high);
  switch (form.type) {
    case 'number': return typeof value === 'number' && Number.isFinite(Math.fround(value)) ? { prediction: value } : refused('number');
    case 'shape': {
      const sizes = /** @type {number[]} */ (value);
      return wholes(1, MAX_TOKENS) && sizes.length === 2 ? { prediction: sizes } : refused('shape');
    }
    case 'tokens': case 'rows': {
      const chosen = /** @type {number[]} */ (value);
      const fits = wholes(0, nTokens - 1) && new Set(chosen).size === chosen.length && (form.several || chosen.length === 1);
      // That no row changes is an answer; that no input contributes is none.
      return fits && (chosen.length > 0 || form.type === 'rows') ? { prediction: chosen } : refused(form.type);
    }
    case 'words': case 'places': {
      const all = form.type === 'words' ? form.words : form.places;
      return typeof value === 'string' && all.includes(value) ? { prediction: value } : refused('choice');
    }
  }
}

/**
 * Predictions beside the answer: how far each is from the number as it is shown, or how many choices set it apart; and
 * which were closest, where there are several that are not all as close.
 * @param {Form} form @param {Prediction[]} predictions @param {Prediction} right @param {number} digits shown
 * @returns {{ each: { prediction: Prediction, far: number, apart: number | null }[], closest: number[] }}  apart: signed,
 *   of numbers; closest: indices
 */
export function sideBySide(form, predictions, right, digits) {
  const each = predictions.map((prediction) => {
    if (typeof prediction === 'number' && typeof right === 'number') {
      const shown = parseNumber(inCell(right, digits)) ?? right;
      // Twelve figures: what is left of binary fractions is no difference.
      const apart = Number((prediction - shown).toPrecision(12));
      const clean = Math.abs(apart) < 1e-12 * Math.abs(shown) ? 0 : apart;
      return { prediction, far: Math.abs(clean), apart: clean };
    }
    return { prediction, far: choicesApart(form, prediction, right), apart: null };
  });
  const least = Math.min(...each.map(({ far }) => far));
  const closest = each.flatMap(({ far }, i) => (far === least ? [i] : []));
  return { each, closest: closest.length < each.length ? closest : [] };
}

/** How many choices are in one of two and not in the other; of shapes, how many sizes differ. @param {Form} form @param {Prediction} one @param {Prediction} other */
function choicesApart(form, one, other) {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other ? 0 : 1;
  if (form.type === 'shape') return one.filter((size, i) => size !== other[i]).length;
  const lacking = (/** @type {number[]} */ from, /** @type {number[]} */ those) => those.filter((item) => !from.includes(item)).length;
  return lacking(one, other) + lacking(other, one);
}

/** A difference of numbers in words that carry its sign. @param {number} apart @param {number} digits */
export function apartInWords(apart, digits) {
  return `${apart > 0 ? '+' : ''}${brief(apart, Math.max(digits, 6))}`;
}
