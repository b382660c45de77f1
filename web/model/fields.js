/**
 * What the fields of a state are made of: readers that take unknown JSON, give the value back or refuse it with the
 * name of the field, what was expected and what came. They know no field by name. Next to read: schema.js, refusal.js.
 */

import { quoted, refuse } from './refusal.js';
import { MAX_DIMENSIONS, MAX_LABEL_LENGTH } from './state.js';

/**
 * @template T
 * @typedef {(value: unknown, at: string) => T} Reader  `at` is the field's name in sentences
 */

/** @param {unknown} value @param {string} at @param {'object' | 'list' | 'text' | 'flag'} kind @returns {never} */
function refuseKind(value, at, kind) {
  if (value === undefined) refuse({ id: 'problem-state-missing', args: { field: at } });
  return refuse({ id: 'problem-state-kind', args: { field: at, kind, got: quoted(value) } });
}

/** @param {unknown} value @param {string} at @returns {Record<string, unknown>} */
export function object(value, at) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuseKind(value, at, 'object');
  return /** @type {Record<string, unknown>} */ (value);
}

/**
 * An object with these fields and no other.
 * @template {object} T
 * @param {{ [K in keyof T]: Reader<T[K]> }} fields
 * @param {Partial<T>} [defaults]  what a field is that is left out; without a default it must be there
 * @returns {Reader<T>}
 */
export function record(fields, defaults = {}) {
  return (value, at) => {
    const parts = object(value, at);
    const strange = Object.keys(parts).find((key) => !Object.hasOwn(fields, key));
    if (strange !== undefined) refuse({ id: 'problem-state-unknown', args: { field: at, got: quoted(strange) } });
    const names = /** @type {(keyof T & string)[]} */ (Object.keys(fields));
    const read = names.map((name) => [
      name, fields[name](Object.hasOwn(parts, name) ? parts[name] : defaults[name], `${at}.${name}`),
    ]);
    return /** @type {T} */ (Object.fromEntries(read));
  };
}

/** @param {unknown} value @param {string} at @param {number} length  exactly so many @returns {unknown[]} */
export function items(value, at, length) {
  if (!Array.isArray(value)) return refuseKind(value, at, 'list');
  if (value.length !== length) {
    refuse({ id: 'problem-state-length', args: { field: at, expected: length, got: value.length } });
  }
  return value;
}

/** How long a list is, from 1 to a limit. @param {unknown} value @param {string} at @param {number} limit */
export function count(value, at, limit) {
  if (!Array.isArray(value)) return refuseKind(value, at, 'list');
  if (value.length < 1 || value.length > limit) {
    refuse({ id: 'problem-state-count', args: { field: at, low: 1, limit, got: value.length } });
  }
  return value.length;
}

/** How many columns a matrix has, by its first row. @param {unknown} value @param {string} at */
export function columns(value, at) {
  if (!Array.isArray(value)) return refuseKind(value, at, 'list');
  return count(value[0], `${at}[0]`, MAX_DIMENSIONS);
}

/** @template T @param {Reader<T>} read @param {number} limit @returns {Reader<T[]>} */
export function list(read, limit) {
  return (value, at) => {
    if (!Array.isArray(value)) return refuseKind(value, at, 'list');
    if (value.length > limit) {
      refuse({ id: 'problem-state-count', args: { field: at, low: 0, limit, got: value.length } });
    }
    return value.map((item, i) => read(item, `${at}[${i}]`));
  };
}

/** @param {Reader<number>} read @returns {Reader<[number, number]>} */
export function pair(read) {
  return (value, at) => {
    const [first, second] = items(value, at, 2);
    return [read(first, `${at}[0]`), read(second, `${at}[1]`)];
  };
}

/** @param {number} rows @param {number} width @returns {Reader<number[][]>} */
export function matrix(rows, width) {
  return (value, at) => items(value, at, rows).map((row, i) =>
    items(row, `${at}[${i}]`, width).map((number, j) => finite(number, `${at}[${i}][${j}]`)));
}

/** @template T @param {Reader<T>} read @returns {Reader<T | null>} */
export function orNull(read) {
  return (value, at) => (value === null ? null : read(value, at));
}

/** @template {string | number | null} T @param {readonly T[]} choices @returns {Reader<T>} */
export function one(choices) {
  return (value, at) => {
    if (value === undefined) refuse({ id: 'problem-state-missing', args: { field: at } });
    const chosen = choices.find((choice) => choice === value);
    if (chosen === undefined) {
      const args = { field: at, choices: choices.map(String).join(', '), got: quoted(value) };
      return refuse({ id: 'problem-state-choice', args });
    }
    return chosen;
  };
}

/** @type {Reader<boolean>} */
export function flag(value, at) {
  return typeof value === 'boolean' ? value : refuseKind(value, at, 'flag');
}

/** @type {Reader<string>} */
export function label(value, at) {
  if (typeof value !== 'string') return refuseKind(value, at, 'text');
  const text = value.trim();
  const length = [...text].length;
  if (length < 1 || length > MAX_LABEL_LENGTH) {
    refuse({ id: 'problem-state-label', args: { field: at, limit: MAX_LABEL_LENGTH, got: length } });
  }
  return text;
}

/** Any text up to a length, as it is. @param {number} limit @returns {Reader<string>} */
export function text(limit) {
  return (value, at) => {
    if (typeof value !== 'string') return refuseKind(value, at, 'text');
    if (value.length <= limit) return value;
    return refuse({ id: 'problem-state-label', args: { field: at, limit, got: value.length } });
  };
}

/** A number that float32 holds; kept as the double that it is. @type {Reader<number>} */
export function finite(value, at) {
  if (value === undefined) refuse({ id: 'problem-state-missing', args: { field: at } });
  if (typeof value === 'number' && Number.isFinite(Math.fround(value))) return value;
  return refuse({ id: 'problem-state-number', args: { field: at, got: quoted(value) } });
}

/** @type {Reader<number>} */
export function notNegative(value, at) {
  const number = finite(value, at);
  return number >= 0 ? number : refuse({ id: 'problem-state-negative', args: { field: at, got: quoted(value) } });
}

/** @param {number} low @param {number} high @returns {Reader<number>} */
export function whole(low, high) {
  return (value, at) => {
    if (value === undefined) refuse({ id: 'problem-state-missing', args: { field: at } });
    if (typeof value === 'number' && Number.isInteger(value) && value >= low && value <= high) return value;
    return refuse({ id: 'problem-state-whole', args: { field: at, low, high, got: quoted(value) } });
  };
}
