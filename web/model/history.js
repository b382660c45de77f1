/**
 * Undo and redo over whole documents, which share what did not change. Pure: a session goes in, a session comes out.
 * The view (which row is chosen) is not history: going back keeps it, cut to what is there; only where a whole state was
 * put in place of another does its view go along. Changes of one gesture, or of one cell, are one step. What is kept is
 * bounded, in steps and in numbers. Next to read: update.js.
 */

import { viewOf } from './update.js';

/**
 * @typedef {import('./state.js').State} State
 * @typedef {import('./update.js').Message} Message
 * @typedef {number | string} Gesture  what makes changes, one after the other, one step
 * @typedef {{ document: import('./state.js').Doc, label: Message, size: number, gesture?: Gesture, view?: State['view'] }}
 *   Step  a document, and the change that left it, with its view if that was left too; size: how many values it holds
 *   that the step before it does not
 * @typedef {{ state: State, past: Step[], future: Step[] }} Session
 */

/** How many changes can be taken back. */
export const MAX_STEPS = 500;

/** And how many values their documents may hold in all; the last change can always be taken back. About 20 MB. */
export const MAX_VALUES = 1_000_000;

/** @param {State} state @returns {Session} */
export function begin(state) {
  return { state, past: [], future: [] };
}

/**
 * Which changes go together although each comes by itself: those of one cell, or of one label. Undo then leads to what
 * stood there before one began to try numbers in it.
 * @param {import('./update.js').Action} action @returns {Gesture | undefined}
 */
export function gestureOf(action) {
  if (action.type === 'edit') return `${action.matrix} ${action.row} ${action.column}`;
  return action.type === 'label' ? `label ${action.row}` : undefined;
}

/**
 * Take a new state; with a label it becomes a step that can be undone, without one only the view moved.
 * @param {Session} session @param {State} state @param {Message} [label]
 * @param {Gesture} [gesture]  changes with the same one, one after the other, become one step
 * @param {boolean} [whole]  whether the view is left as well as the document
 * @returns {Session}
 */
export function commit(session, state, label, gesture, whole = false) {
  if (!label) return { ...session, state };
  const last = session.past[session.past.length - 1];
  if (gesture !== undefined && last?.gesture === gesture) return { state, past: session.past, future: [] };
  return { state, past: bounded(stepped(session, label, whole, gesture)), future: [] };
}

/** @param {Session} session @returns {Session} */
export function undo(session) {
  const step = session.past[session.past.length - 1];
  if (!step) return session;
  const future = [{ ...step, ...left(session.state, step.label, 'view' in step) }, ...session.future];
  return { state: showing(session.state, step), past: ended(session.past.slice(0, -1)), future };
}

/** @param {Session} session @returns {Session} */
export function redo(session) {
  const step = session.future[0];
  if (!step) return session;
  const past = stepped(session, step.label, 'view' in step);
  return { state: showing(session.state, step), past, future: session.future.slice(1) };
}

/**
 * The past with one step more: the document of now, and the change that leaves it.
 * @param {Session} session @param {Message} label @param {boolean} whole @param {Gesture} [gesture] @returns {Step[]}
 */
function stepped({ past, state }, label, whole, gesture) {
  const size = valuesOf(state.document, objectsOf(past[past.length - 1]?.document));
  return [...past, { ...left(state, label, whole), size, ...(gesture === undefined ? {} : { gesture }) }];
}

/** Whoever goes back has looked: the next change is a step of its own. @param {Step[]} past @returns {Step[]} */
function ended(past) {
  const last = past[past.length - 1];
  if (last?.gesture === undefined) return past;
  const { gesture, ...step } = last;
  return [...past.slice(0, -1), step];
}

/** Without the oldest steps, where they are too many or too large. @param {Step[]} past @returns {Step[]} */
function bounded(past) {
  const kept = past.slice(-MAX_STEPS);
  let values = kept.reduce((sum, { size }) => sum + size, 0);
  while (values > MAX_VALUES && kept.length > 1) values -= /** @type {Step} */ (kept.shift()).size;
  return kept;
}

/** All lists and records within a value. @param {unknown} value @param {Set<unknown>} [found] */
function objectsOf(value, found = new Set()) {
  if (typeof value !== 'object' || value === null || found.has(value)) return found;
  found.add(value);
  for (const part of Object.values(value)) objectsOf(part, found);
  return found;
}

/** How many numbers, texts and flags a value holds, but for what is shared. @param {unknown} value @param {Set<unknown>} shared
 * @returns {number} */
function valuesOf(value, shared) {
  if (typeof value !== 'object' || value === null) return 1;
  if (shared.has(value)) return 0;
  return Object.values(value).reduce((sum, part) => sum + valuesOf(part, shared), 0);
}

/**
 * What a change leaves behind.
 * @param {State} state @param {Message} label @param {boolean} whole @returns {Omit<Step, 'size'>}
 */
function left({ document, view }, label, whole) {
  return { document, label, ...(whole ? { view } : {}) };
}

/** @param {State} state @param {Step} step @returns {State} */
function showing(state, { document, view }) {
  return { ...state, document, view: view ?? viewOf(state.view, state.document, document) };
}
