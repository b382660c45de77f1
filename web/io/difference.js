/**
 * One JSON value as its difference from another, with the numbers of matrices taken out, to be packed apart: what is
 * equal is left out, a matrix with few changed cells names only these. Equal means to the bit, the sign of 0 too.
 * Must not know what the values mean. Next to read: link.js, packing.js.
 */

import { refuse } from '../model/refusal.js';

/**
 * @typedef {any} Json
 * @typedef {{ [name: string]: Json }} Fields
 */

/** A matrix as a whole: its rows and columns. The numbers are taken in reading order. */
const WHOLE = '#';
/** A matrix by its changed cells: their places, counted in reading order. */
const CELLS = '~';

/** Deeper than any state: what goes on further is none. */
const DEEPEST = 12;

/**
 * @param {Json} value @param {Json} base  undefined: nothing to differ from
 * @param {number[]} numbers  takes the numbers of matrices
 * @returns {Json}  undefined if there is no difference
 */
export function differenceOf(value, base, numbers) {
  if (isMatrix(value)) return matrixDifference(value, base, numbers);
  if (Array.isArray(value)) {
    return same(value, base) ? undefined : value.map((item) => differenceOf(item, undefined, numbers));
  }
  if (!isFields(value)) return Object.is(value, base) ? undefined : value;
  /** @type {Fields} */
  const from = isFields(base) ? base : {};
  const fields = Object.entries(value)
    .map(([name, field]) => [name, differenceOf(field, from[name], numbers)])
    .filter(([, field]) => field !== undefined);
  return isFields(base) && fields.length === 0 ? undefined : Object.fromEntries(fields);
}

/**
 * The value whose difference from a base this is. Refuses a difference that no state has.
 * @param {Json} difference  as differenceOf gave it, through JSON
 * @param {Json} base @param {() => number} next  the numbers in turn; refuses when there are no more
 * @param {number} [depth]
 * @returns {Json}
 */
export function withDifference(difference, base, next, depth = 0) {
  if (difference === undefined) return base;
  if (depth > DEEPEST) refuse({ id: 'problem-link-damaged' });
  if (Array.isArray(difference)) return difference.map((item) => withDifference(item, undefined, next, depth + 1));
  if (!isFields(difference)) return difference;
  if (WHOLE in difference) return wholeMatrix(difference[WHOLE], next);
  if (CELLS in difference) return changedMatrix(difference[CELLS], base, next);
  /** @type {Fields} */
  const from = isFields(base) ? base : {};
  const fields = Object.entries(difference).map(([name, field]) => [
    name, withDifference(field, Object.hasOwn(from, name) ? from[name] : undefined, next, depth + 1),
  ]);
  return { ...from, ...Object.fromEntries(fields) };
}

/** @param {number[][]} matrix @param {Json} base @param {number[]} numbers */
function matrixDifference(matrix, base, numbers) {
  const flat = matrix.flat();
  const [rows, columns] = [matrix.length, matrix[0].length];
  const before = isMatrix(base) && base.length === rows && base[0].length === columns ? base.flat() : null;
  const places = before && flat.map((_, place) => place).filter((place) => !Object.is(flat[place], before[place]));
  if (places?.length === 0) return undefined;
  if (!places || places.length > flat.length / 2) {
    numbers.push(...flat);
    return { [WHOLE]: [rows, columns] };
  }
  numbers.push(...places.map((place) => flat[place]));
  return { [CELLS]: places };
}

/** @param {Json} size @param {() => number} next */
function wholeMatrix(size, next) {
  const [rows, columns] = Array.isArray(size) ? size : [];
  if (!Number.isInteger(rows) || !Number.isInteger(columns)) refuse({ id: 'problem-link-damaged' });
  // A size may lie; but `next` refuses as soon as the numbers are used up, and an empty row stops here.
  if (rows < 1 || columns < 1) refuse({ id: 'problem-link-damaged' });
  const matrix = [];
  for (let i = 0; i < rows; i++) {
    const row = [];
    for (let j = 0; j < columns; j++) row.push(next());
    matrix.push(row);
  }
  return matrix;
}

/** @param {Json} places @param {Json} base @param {() => number} next */
function changedMatrix(places, base, next) {
  if (!isMatrix(base) || !Array.isArray(places)) return refuse({ id: 'problem-link-damaged' });
  const matrix = base.map((row) => row.slice());
  const columns = matrix[0].length;
  for (const place of places) {
    const row = matrix[Math.floor(place / columns)];
    if (!Number.isInteger(place) || !row) refuse({ id: 'problem-link-damaged' });
    row[place % columns] = next();
  }
  return matrix;
}

/** @param {Json} value @returns {value is Fields} */
function isFields(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @param {Json} value @returns {value is number[][]} */
function isMatrix(value) {
  return Array.isArray(value) && value.length > 0 && value.every((row) => Array.isArray(row) && row.length > 0
    && row.length === value[0].length && row.every((cell) => typeof cell === 'number'));
}

/** @param {Json} a @param {Json} b */
function same(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}
