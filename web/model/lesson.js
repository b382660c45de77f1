/**
 * The way through the chapters: which chapter and step a state is at, when what a step asks for is done, and the
 * settings in which a chapter gives the numbers of the one before. Pure; knows no chapter by name.
 * Next to read: ../content/chapters.js (what there is to do), ../view/lesson.js.
 */

import { identity } from './state.js';

/**
 * @typedef {import('./state.js').State} State
 * @typedef {import('./state.js').Doc} Doc
 * @typedef {{ path: string, is?: number | boolean | string }} Done
 * @typedef {{ id: string, done?: Done }} Step
 * @typedef {{ id: string, examples: string[], steps: Step[] }} Chapter
 */

/** The number of a document's chapter, from 0; −1 if it is beside them. @param {Pick<Chapter, 'examples'>[]} chapters @param {string} example */
export function chapterOf(chapters, example) {
  return chapters.findIndex(({ examples }) => examples.includes(example));
}

/** The number of a chapter's step that is on the screen, from 0. @param {Pick<Chapter, 'steps'>} chapter @param {State} state */
export function stepOf({ steps }, { view }) {
  return Math.min(view.lesson.step, steps.length - 1);
}

/**
 * The example that the chapter before opens with: of the same tokens, where it has one.
 * @param {Pick<Chapter, 'examples'>[]} chapters @param {string} example @returns {string | null}  null: there is none before
 */
export function exampleBefore(chapters, example) {
  const at = chapterOf(chapters, example);
  if (at < 1) return null;
  const { examples } = chapters[at - 1];
  return examples[chapters[at].examples.indexOf(example)] ?? examples[0];
}

/**
 * A state after a change, with its step marked as done if the change has done it. What was done stays so.
 * @param {State} before @param {State} after @param {Chapter[]} chapters @returns {State}
 */
export function noted(before, after, chapters) {
  const { example } = after.document;
  const chapter = chapters[chapterOf(chapters, example)];
  const done = chapter?.steps[stepOf(chapter, after)].done;
  if (!done || after.view.lesson.done) return after;
  const is = partOf(after, done.path);
  const sameStep = example === before.document.example && before.view.lesson.step === after.view.lesson.step;
  const met = done.is === undefined ? sameStep && JSON.stringify(is) !== JSON.stringify(partOf(before, done.path))
    : Array.isArray(is) ? is.includes(done.is) : is === done.is;
  return met ? { ...after, view: { ...after.view, lesson: { ...after.view.lesson, done: true } } } : after;
}

/** Undefined where there is no such part. @param {object} value @param {string} path  names with points between @returns {unknown} */
function partOf(value, path) {
  return path.split('.').reduce((part, name) => /** @type {Record<string, any> | null} */ (part)?.[name], value);
}

/**
 * A document in which a chapter gives the numbers of the one before: all is as there, mask, scale and number of heads too.
 * 'identity': weights become trainable, but change nothing: W_query = W_key = W_value = I, so d_out = d_in.
 * 'one-head': the output projection is added, with W_out = I.
 * @param {Doc} before  the start of the chapter before @param {string} example  that stays open @param {'identity' | 'one-head'} how
 * @returns {Doc}
 */
export function bridged(before, example, how) {
  if (how === 'one-head') return { ...before, example, project: true, w_out: identity(before.w_query[0].length) };
  const same = identity(before.inputs[0].length);
  return { ...before, example, source: 'trained', w_query: same, w_key: same, w_value: same, w_out: same };
}
