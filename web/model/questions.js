/**
 * Questions to predict before one sees: a kind and a seed, asked of the document as it stands. What is asked about is
 * drawn from the seed and never stored; neither is the answer, which comes from the module's tensors and only once it is
 * to be shown. Pure. A new kind is a file in questions/, a line here and its messages.
 * Next to read: questions/fill-cell.js (a kind), asking.js (how a question goes on), ../view/question.js.
 */

import { bug } from './questions/bug.js';
import { contributes } from './questions/contributes.js';
import { fillCell } from './questions/fill-cell.js';
import { maskChanges } from './questions/mask-changes.js';
import { only } from './questions/only.js';
import { shape } from './questions/shape.js';
import { topToken } from './questions/top-token.js';
import { MAX_SEED, generator } from './mystery.js';

/**
 * @typedef {import('./state.js').State} State
 * @typedef {import('./state.js').Doc} Doc
 * @typedef {import('./state.js').Cell} Cell
 * @typedef {import('./derive.js').Computed} Computed
 * @typedef {import('./veil.js').Veil} Veil
 *
 * @typedef {number | number[] | string} Prediction  a number; tokens or rows from 0, or the sizes of a shape; a word
 * @typedef {{ type: 'number' | 'shape' }
 *   | { type: 'tokens' | 'rows', several: boolean }
 *   | { type: 'words', words: string[] }
 *   | { type: 'places', places: string[] }} Form  how one answers: tokens are chosen of all, words are messages 'answer-…'
 *
 * @typedef {object} Asked  what a kind asks of a document
 * @property {Form} form
 * @property {Record<string, string | number>} words  the arguments of its message 'ask-…'
 * @property {Veil[]} hides
 * @property {number | null} row    to be chosen, so that one looks there
 * @property {number | null} head
 * @property {import('./state.js').Panel[]} panels  where what is asked about stands, if not on the figure
 * @property {Cell | null} shows    the number whose arithmetic tells why
 * @property {Cell[]} traces        numbers whose arithmetic the answer is read from
 * @property {Doc | null} beside    a document to be computed as well
 * @property {(computed: Known) => Answer} answer
 *
 * @typedef {object} Known  what an answer may be read from
 * @property {import('./derive.js').Tensors} tensors
 * @property {import('./derive.js').Trace[]} traces  of the numbers asked for
 * @property {Float32Array | null} apart  the attention weights less those of the document beside
 * @typedef {{ right: Prediction, words: Record<string, string | number> }} Answer  words: further arguments of its message 'why-…'
 *
 * @typedef {object} Kind
 * @property {string} id
 * @property {(doc: Doc) => boolean} here  whether it can be asked of a document
 * @property {boolean} [brings]  whether each seed brings what it asks about into the document
 * @property {(doc: Doc, random: () => number) => Asked} ask
 *
 * @typedef {{ kind: string, seed: number, predictions: Prediction[], skipped: boolean, revealed: boolean, anew: boolean }} Question
 *   as it is kept in the state; anew: whether a change of the document has asked it again
 */

/** In the order in which they are offered. @type {Kind[]} */
const kinds = [contributes, only, topToken, fillCell, shape, maskChanges, bug];

/** The kinds that there are. */
export const KINDS = kinds.map(({ id }) => id);

/** After so many seeds that all ask the same there is nothing else to ask. */
const TRIES = 40;

/** So many predictions are kept: a class and more. */
export const MAX_PREDICTIONS = 40;

/** The kinds that can be asked of a document. @param {Doc} doc */
export function kindsHere(doc) {
  return kinds.filter(({ here, brings }) => brings || here(doc)).map(({ id }) => id);
}

/** The kinds that can be asked of a document as it is, by a class link too: a bug is planted on the page. @param {Doc} doc */
export function askableKinds(doc) {
  return kinds.filter(({ here }) => here(doc)).map(({ id }) => id);
}

/**
 * What is asked now; null: nothing, or nothing that this document could be asked.
 * @param {Pick<State, 'document' | 'view'>} state @returns {(Question & Asked) | null}
 */
export function asked({ document, view: { question } }) {
  const asks = question && askOf(document, question.kind, question.seed);
  return asks && question ? { ...question, ...asks } : null;
}

/** @param {Doc} doc @param {string} id @param {number} seed @returns {Asked | null} */
export function askOf(doc, id, seed) {
  const kind = kinds.find((candidate) => candidate.id === id);
  return kind?.here(doc) ? kind.ask(doc, generator(seed)) : null;
}

/**
 * The next seed that asks something else; null if all ask the same, as of a document that has but one such question.
 * @param {Doc} doc @param {string} id @param {number} seed  the last one
 */
export function nextSeed(doc, id, seed) {
  const first = seed >= MAX_SEED ? 1 : seed + 1;
  if (kinds.find((kind) => kind.id === id)?.brings) return first;
  const words = (/** @type {number} */ of) => JSON.stringify(askOf(doc, id, of)?.words);
  const differs = [...Array(TRIES).keys()].map((i) => first + i).find((next) => next <= MAX_SEED && words(next) !== words(seed));
  return differs ?? null;
}
