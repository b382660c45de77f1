/**
 * A state as a JSON file and back, equal in every field and every bit: JSON.stringify alone would lose the sign of −0.
 * Matrices stand one row a line, so that a person can read and edit them. Must not read what it is not sure of.
 * Next to read: ../model/schema.js, which says what a state may be.
 */

import { attempt, cut, quoted, refuse } from '../model/refusal.js';
import { VERSION, readState } from '../model/schema.js';

/**
 * @typedef {import('../model/state.js').State} State
 * @typedef {import('../model/update.js').Message} Message
 */

/** What a file says of itself, so that another program's JSON is told from ours. */
export const FORMAT = 'attention-rows state';

/** Longer than any state of this page: a file beyond it is refused before it is parsed. */
export const MAX_TEXT = 1_000_000;

/** @param {State} state @returns {string} */
export function stateToJson(state) {
  return `${written({ format: FORMAT, ...state }, '')}\n`;
}

/**
 * @param {string} text
 * @param {import('../model/schema.js').Known} known
 * @returns {{ state: State } | { problem: Message }}
 */
export function jsonToState(text, known) {
  return attempt(() => {
    if (text.length > MAX_TEXT) {
      refuse({ id: 'problem-json-long', args: { limit: MAX_TEXT / 1e6, got: Math.ceil(text.length / 1e6) } });
    }
    const value = parsed(text.replace(/^\uFEFF/, ''));
    if (typeof value !== 'object' || value === null || !('format' in value) || value.format !== FORMAT) {
      const got = typeof value === 'object' && value !== null && 'format' in value ? value.format : value;
      refuse({ id: 'problem-json-foreign', args: { expected: FORMAT, got: quoted(got) } });
    }
    const { format, ...state } = /** @type {Record<string, unknown>} */ (value);
    if (typeof state.version === 'number' && state.version > VERSION) {
      refuse({ id: 'problem-json-newer', args: { expected: VERSION, got: state.version } });
    }
    return readState(state, known);
  });
}

/** @param {string} text @returns {unknown} */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return refuse({ id: 'problem-json-syntax', args: { got: quoted(cut(text.trim(), 20)), length: text.length } });
  }
}

/** @param {unknown} value @param {string} indent @returns {string} */
function written(value, indent) {
  const inner = `${indent}  `;
  const lines = (/** @type {string[]} */ all) => all.map((line) => `\n${inner}${line}`).join(',');
  if (Array.isArray(value)) {
    const flat = value.every((item) => typeof item !== 'object' || item === null);
    if (flat) return `[${value.map((item) => written(item, inner)).join(', ')}]`;
    return `[${lines(value.map((item) => written(item, inner)))}\n${indent}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}: ${written(field, inner)}`);
    return `{${lines(fields)}\n${indent}}`;
  }
  return Object.is(value, -0) ? '-0' : JSON.stringify(value);
}
