// Turns what a caller calls "numbers" (nested rows, a flat array, a typed array) into one flat Float32Array of a
// tensor's size, or says what is wrong with it; also checks single numbers. Pure: it sees neither the module nor a
// layer. Read next: layer.js, which writes the result into the layer.

import { AttnError, errorFor, show } from './errors.js';

/**
 * @typedef {ArrayLike<any>} List an array or a typed array
 * @typedef {{ name: string, dims: readonly number[], axes: readonly string[] }} Target the tensor to be filled
 */

const LARGEST = 2 ** 31 - 1;

/** @param {unknown} value @returns {value is List} */
export const isList = (value) => Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));

/** "3×2 (d_in × d_out)". @param {Target} target */
const shape = ({ dims, axes }) => `${dims.join('×')} (${axes.join(' × ')})`;

/**
 * A number that float32 can hold.
 * @param {unknown} value
 * @param {string} what how the sentence names it
 * @returns {number}
 */
export function finite(value, what) {
  if (typeof value !== 'number') throw new AttnError('wrong_type', `${what} must be a number, got ${show(value)}`);
  if (!Number.isFinite(value)) {
    throw errorFor('number_not_finite', { what, value });
  }
  if (!Number.isFinite(Math.fround(value))) {
    throw new AttnError('number_too_large',
      `${what} must fit in float32 (at most 3.4e38 in size), got ${value}`, { what, value });
  }
  return value;
}

/**
 * A whole number that fits in the int32 of the module; whether it is a sensible one is the core's to say.
 * @param {unknown} value
 * @param {string} what
 * @returns {number}
 */
export function integer(value, what) {
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    throw new AttnError('wrong_type', `${what} must be a whole number, got ${show(value)}`, { what, value });
  }
  if (Math.abs(value) > LARGEST) {
    throw new AttnError('number_too_large', `${what} must be at most ${LARGEST}, got ${value}`, { what, value });
  }
  return value;
}

/** A seed that the generator takes. @param {unknown} value @param {string} what */
export function checkSeed(value, what) {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value >= 2 ** 32) {
    throw new AttnError('wrong_type', `${what} must be a whole number from 0 to ${2 ** 32 - 1}, got ${show(value)}`,
      { seed: value });
  }
}

/**
 * The dims of nested rows as their first elements show them. Rows that disagree are an error of their own, since no
 * shape describes them.
 * @param {List} rows
 * @param {Target} asked what the sentence asks for
 * @param {number} depth how deep to look at most
 * @returns {number[]}
 */
function measure(rows, asked, depth) {
  const dims = [];
  let level = [{ list: rows, path: asked.name }];
  while (level.length > 0 && dims.length < depth) {
    const first = level[0];
    const odd = level.find(({ list }) => list.length !== first.list.length);
    if (odd) {
      throw new AttnError('wrong_size',
        `${asked.name} must be ${shape(asked)}; got rows of unequal length: ` +
        `${first.path} holds ${first.list.length}, ${odd.path} holds ${odd.list.length}`, { ...asked });
    }
    dims.push(first.list.length);
    const inner = [];
    for (const { list, path } of level) {
      for (let i = 0; i < list.length; i++) if (isList(list[i])) inner.push({ list: list[i], path: `${path}[${i}]` });
    }
    level = isList(first.list[0]) ? inner : []; // numbers or rows: the first element tells
  }
  return dims;
}

/**
 * Write the numbers of rows into flat memory, in order.
 * @param {List} rows
 * @param {number} depth 1 when the elements of rows are the numbers
 * @param {string} path
 * @param {Float32Array} numbers
 * @param {number} start
 * @returns {number} where the next number goes
 */
function copy(rows, depth, path, numbers, start) {
  let next = start;
  for (let i = 0; i < rows.length; i++) {
    const value = rows[i];
    if (depth === 1) {
      // The path is put into words only when there is something to say.
      if (typeof value !== 'number' || !Number.isFinite(Math.fround(value))) finite(value, `${path}[${i}]`);
      numbers[next++] = value;
    } else if (isList(value)) {
      next = copy(value, depth - 1, `${path}[${i}]`, numbers, next);
    } else {
      throw new AttnError('wrong_type', `${path}[${i}] must be a row of numbers, got ${show(value)}`, { value });
    }
  }
  return next;
}

/**
 * What needs no reading, if whoever takes them looks whether all are finite: so many floats. They are the caller's own, to
 * be copied and not kept.
 * @param {unknown} given @param {number} size
 * @returns {Float32Array | undefined}
 */
export function floatsAsTheyAre(given, size) {
  return given instanceof Float32Array && given.length === size ? given : undefined;
}

/**
 * Read the numbers for a tensor. Leading dimensions of size 1 may be left out; a flat array needs the right count only
 * and is told from rows by its first element. Nothing is written anywhere but into the new array.
 * @param {Target} target
 * @param {unknown} given
 * @returns {Float32Array}
 * @throws {AttnError} wrong_type, wrong_size, number_not_finite, number_too_large
 */
export function readNumbers(target, given) {
  const { name, dims } = target;
  // What is asked for in words: without the leading ones that nobody writes.
  let skip = 0;
  while (skip < dims.length - 1 && dims[skip] === 1) skip++;
  const asked = { name, dims: dims.slice(skip), axes: target.axes.slice(skip) };
  if (!isList(given)) {
    throw new AttnError('wrong_type', `${name} must be ${shape(asked)} numbers, got ${show(given)}`, { ...target });
  }
  const size = dims.reduce((product, dim) => product * dim, 1);
  const flat = given.length === 0 || !isList(given[0]);
  const got = flat ? [given.length] : measure(given, asked, dims.length + 1);
  const left = dims.length - got.length;
  const fits = flat ? given.length === size
    : left >= 0 && left <= skip && got.every((dim, i) => dim === dims[left + i]);
  if (!fits) {
    const came = flat ? `${given.length} number${given.length === 1 ? '' : 's'}` : got.join('×');
    throw new AttnError('wrong_size', `${name} must be ${shape(asked)}, got ${came}`, { ...target, got });
  }
  const numbers = new Float32Array(size);
  copy(given, got.length, name, numbers, 0);
  return numbers;
}
