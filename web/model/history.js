/**
 * Undo and redo over whole documents, which share what did not change. Pure: a session goes in, a session comes out.
 * The view (which row is chosen) is not history: going back keeps it, cut to what is there; only where a whole state was
 * put in place of another does its view go along. Next to read: update.js.
 */

import { viewOf } from './update.js';

/**
 * @typedef {import('./state.js').State} State
 * @typedef {import('./update.js').Message} Message
 * @typedef {{ document: import('./state.js').Doc, label: Message, gesture?: number, view?: State['view'] }}
 *   Step  a document, and the change that left it, with its view if that was left too; the changes of one gesture, such as a
 *   drag, are one step
 * @typedef {{ state: State, past: Step[], future: Step[] }} Session
 */

/** How many changes can be taken back. */
export const MAX_STEPS = 500;

/** @param {State} state @returns {Session} */
export function begin(state) {
  return { state, past: [], future: [] };
}

/**
 * Take a new state; with a label it becomes a step that can be undone, without one only the view moved.
 * @param {Session} session @param {State} state @param {Message} [label]
 * @param {number} [gesture]  changes with the same number, one after the other, become one step
 * @param {boolean} [whole]  whether the view is left as well as the document
 * @returns {Session}
 */
export function commit(session, state, label, gesture, whole = false) {
  if (!label) return { ...session, state };
  const last = session.past[session.past.length - 1];
  if (gesture !== undefined && last?.gesture === gesture) return { state, past: session.past, future: [] };
  const step = { ...left(session.state, label, whole), ...(gesture === undefined ? {} : { gesture }) };
  const past = [...session.past, step].slice(-MAX_STEPS);
  return { state, past, future: [] };
}

/** @param {Session} session @returns {Session} */
export function undo(session) {
  const step = session.past[session.past.length - 1];
  if (!step) return session;
  const future = [left(session.state, step.label, 'view' in step), ...session.future];
  return { state: showing(session.state, step), past: session.past.slice(0, -1), future };
}

/** @param {Session} session @returns {Session} */
export function redo(session) {
  const step = session.future[0];
  if (!step) return session;
  const past = [...session.past, left(session.state, step.label, 'view' in step)];
  return { state: showing(session.state, step), past, future: session.future.slice(1) };
}

/** What a change leaves behind. @param {State} state @param {Message} label @param {boolean} whole @returns {Step} */
function left({ document, view }, label, whole) {
  return { document, label, ...(whole ? { view } : {}) };
}

/** @param {State} state @param {Step} step @returns {State} */
function showing(state, { document, view }) {
  return { ...state, document, view: view ?? viewOf(state.view, state.document, document) };
}
