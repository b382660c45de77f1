// What the tests of the page's pure parts start from: the state of every example, the frame that is painted of a state,
// and a template as text. Needs no browser; computes no number. Read next: model-update.test.js, content.test.js.

import { readFileSync } from 'node:fs';
import { createBatches } from '../../web/app/batches.js';
import { createRunner } from '../../web/app/runner.js';
import { messages } from '../../web/app/messages.js';
import { formulasInMathml } from '../../tools/formulas.mjs';
import { cards } from '../../web/content/cards.js';
import { chapters } from '../../web/content/chapters.js';
import { examples } from '../../web/content/examples.js';
import { notes } from '../../web/content/notes.js';
import { taskStarts } from '../../web/content/tasks.js';
import { derive, shownOf } from '../../web/model/derive.js';
import { stateOfExample } from '../../web/model/state.js';
import { attention } from './cases.js';

/**
 * @typedef {import('../../web/model/state.js').State} State
 * @typedef {import('../../web/view/frame.js').Frame} Frame
 * @typedef {import('../../web/view/frame.js').Ui} Ui
 */

export const batches = createBatches(attention);
export const runner = createRunner(attention, batches);

/** What the list of examples holds: the tasks as well. */
const listed = [...examples, ...taskStarts.map(({ id }) => ({ id, chapter: null }))];

/** What is taught, with formulas as the build makes them. */
export const content = { notes, cards, formulas: formulasInMathml() };

/** The text of the message file. */
export const english = [
  'en.ftl', 'en-checks.ftl', 'en-inspector.ftl', 'en-training.ftl', 'en-io.ftl', 'en-files.ftl', 'en-lesson.ftl', 'en-chapter.ftl',
  'en-cards.ftl', 'en-questions.ftl', 'en-classroom.ftl', 'en-large.ftl',
]
  .map((name) => readFileSync(new URL(`../../web/content/${name}`, import.meta.url), 'utf8')).join('\n');

export const t = messages(english, 'en');

/** Freeze a value to its depths, so that whoever writes into it throws. @template T @param {T} value @returns {T} */
export function frozen(value) {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}

/** An example with the parameters that the module draws for it. @param {string} id */
export async function drawn(id) {
  const example = examples.find((candidate) => candidate.id === id);
  if (!example) throw new Error(`no example "${id}"`);
  return frozen({ example, drawn: await runner.draw(example) });
}

/** The state that an example opens with, frozen. @param {string} id @returns {Promise<State>} */
export async function opening(id) {
  const parts = await drawn(id);
  return frozen(stateOfExample(parts.example, parts.drawn));
}

/**
 * All that one painting of a state depends on.
 * @param {State} state
 * @param {{ ui?: Partial<Ui>, computed?: Partial<import('../../web/model/derive.js').Computed>, t?: Frame['t'] }} [changes]
 * @returns {Promise<Frame>}
 */
export async function frameOf(state, changes = {}) {
  const computed = shownOf(state, { ...await runner.run(state), ...changes.computed });
  const ui = {
    cursors: {}, focus: null, editing: null, notice: null, canUndo: false, canRedo: false, held: null, dialog: null, checks: null,
    playing: false, stopped: null, floor: null, large: null, settings: false, blank: false, shortcuts: true,
    ...changes.ui,
  };
  return {
    state, tensors: computed.tensors, derived: derive(state, computed), ui, examples: listed, chapters, content, t: changes.t ?? t,
  };
}

/**
 * A lit-html template as HTML, near enough to be read by a test: attributes quoted, nothing escaped.
 * @param {any} value @returns {string}
 */
export function htmlOf(value) {
  if (value === null || value === undefined || typeof value === 'symbol') return '';
  if (Array.isArray(value)) return value.map(htmlOf).join('');
  if (typeof value !== 'object') return String(value);
  if ('_$litDirective$' in value) {
    const last = value.values[value.values.length - 1];
    return htmlOf(typeof last === 'function' ? last() : last);
  }
  return value.strings.reduce((/** @type {string} */ html, /** @type {string} */ string, /** @type {number} */ i) => {
    const before = value.values[i - 1];
    return html + (html.endsWith('=') ? `"${htmlOf(before)}"` : htmlOf(before)) + string;
  });
}

/** The words of a template: no tags, spaces as a reader sees them. @param {any} template */
export const textOf = (template) => htmlOf(template).replace(/<[^>]*>/g, '').replace(/\s+/g, ' ').trim();
