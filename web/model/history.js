/**
 * Undo and redo over whole documents, which share what did not change. Pure: a session goes in, a session comes out.
 * The view (which row is chosen) is not history: going back keeps it, cut to what is there. Next to read: update.js.
 */

import { viewOf } from './update.js';

/**
 * @typedef {import('./state.js').State} State
 * @typedef {import('./update.js').Message} Message
 * @typedef {{ document: import('./state.js').Doc, label: Message, gesture?: number }} Step  a document, and the change
 *   that left it; the changes of one gesture, such as a drag, are one step
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
 * @returns {Session}
 */
export function commit(session, state, label, gesture) {
  if (!label) return { ...session, state };
  const last = session.past[session.past.length - 1];
  if (gesture !== undefined && last?.gesture === gesture) return { state, past: session.past, future: [] };
  const step = { document: session.state.document, label, ...(gesture === undefined ? {} : { gesture }) };
  const past = [...session.past, step].slice(-MAX_STEPS);
  return { state, past, future: [] };
}

/** @param {Session} session @returns {Session} */
export function undo(session) {
  const step = session.past[session.past.length - 1];
  if (!step) return session;
  const future = [{ document: session.state.document, label: step.label }, ...session.future];
  return { state: showing(session.state, step.document), past: session.past.slice(0, -1), future };
}

/** @param {Session} session @returns {Session} */
export function redo(session) {
  const step = session.future[0];
  if (!step) return session;
  const past = [...session.past, { document: session.state.document, label: step.label }];
  return { state: showing(session.state, step.document), past, future: session.future.slice(1) };
}

/** @param {State} state @param {import('./state.js').Doc} document @returns {State} */
function showing(state, document) {
  return { ...state, document, view: viewOf(state.view, state.document, document) };
}
