/**
 * A sequence too long to be read row by row: what is asked of it, and the part of its map that is looked at. Pure; its
 * numbers are the module's and never pass through here. Next to read: ../app/large.js, ../view/large.js.
 */

import { parseNumber } from './numbers.js';

/**
 * @typedef {object} Large  what is asked for; rows, columns and heads count from 0
 * @property {number} tokens
 * @property {number} heads
 * @property {number} headDim
 * @property {boolean} causal
 * @property {number} seed   of the numbers
 * @property {number} head   that is shown
 * @property {number} row    of the cell that is looked at
 * @property {number} column
 * @property {number} ends   the colours end at so many times the even share 1/T; 0: at 1
 *
 * @typedef {'tokens' | 'heads' | 'headDim' | 'seed' | 'row' | 'column'} Entry  what is typed into a field
 * @typedef {{ text: string, at: number, high: number }} Wrong  an entry that was not taken, what stands instead, and the
 *   most that the field took then
 *
 * @typedef {{ row: number, column: number, size: number }} Region  the square of cells on the map, from its upper left
 *   corner; need not be whole
 * @typedef {{ row: number, column: number }} Cell
 */

/** @type {Large} */
export const FIRST_LARGE = {
  tokens: 64, heads: 8, headDim: 8, causal: false, seed: 123, head: 0, row: 0, column: 0, ends: 4,
};

/** What the fields take. Whether it fits into memory is the module's to say. */
export const LARGE_LIMITS = {
  tokens: [1, 16384], heads: [1, 64], headDim: [1, 256], seed: [0, 2 ** 32 - 1],
};

/** Sizes worth a click. */
export const LARGE_SIZES = [
  { tokens: 64, heads: 8, headDim: 8 }, { tokens: 256, heads: 8, headDim: 16 }, { tokens: 1024, heads: 4, headDim: 16 },
  { tokens: 2048, heads: 1, headDim: 16 },
];

/** Where the colours may end. */
export const LARGE_ENDS = [0, 4, 16];

/** Rows and columns of the lens, if there are so many. */
export const LENS = 9;

/** The fewest cells that the map is zoomed in to. */
const CLOSEST = 8;

/** Rows and columns are read and written from 1. @param {Entry} entry */
const first = (entry) => (entry === 'row' || entry === 'column' ? 1 : 0);

/** What a field takes, as it is written: the least and the most. @param {Large} large @param {Entry} entry */
export const rangeOf = ({ tokens }, entry) => (entry === 'row' || entry === 'column' ? [1, tokens] : LARGE_LIMITS[entry]);

/** What a field says. @param {Large} large @param {Entry} entry */
export const entryText = (large, entry) => String(large[entry] + first(entry));

/** What an entry stands for; null: nothing that the field takes. @param {Large} large @param {Entry} entry @param {string} text */
export function readEntry(large, entry, text) {
  const [low, high] = rangeOf(large, entry);
  const number = parseNumber(text);
  return number !== null && Number.isInteger(number) && number >= low && number <= high ? number - first(entry) : null;
}

/**
 * The text of an entry that was not taken and is still to be mended: not after the field came to say something else.
 * @param {Partial<Record<Entry, Wrong>>} wrong @param {Large} large @param {Entry} entry @returns {string | null}
 */
export function wrongText(wrong, large, entry) {
  const one = wrong[entry];
  return one && one.at === large[entry] && one.high === rangeOf(large, entry)[1] ? one.text : null;
}

/** What most of a layer's memory goes to: weights, heads × T × T, or matrices, (heads × head_dim)². @param {Large} large */
export const heaviest = ({ tokens, heads, headDim }) => (tokens ** 2 * heads > (heads * headDim) ** 2 ? 'weights' : 'matrices');

/** @param {number} value @param {number} low @param {number} high */
const within = (value, low, high) => Math.min(Math.max(value, low), high);

/** What is looked at, within what there is. @param {Large} large @returns {Large} */
export function fitLarge(large) {
  const last = large.tokens - 1;
  return {
    ...large, head: within(large.head, 0, large.heads - 1), row: within(large.row, 0, last), column: within(large.column, 0, last),
  };
}

/** What has to be computed anew when it changes, as text. @param {Large} large */
export const workOf = ({ tokens, heads, headDim, causal, seed }) => JSON.stringify([tokens, heads, headDim, causal, seed]);

/** The weight at which the colours end. @param {Large} large */
export const topOf = ({ ends, tokens }) => (ends === 0 ? 1 : Math.min(1, ends / tokens));

/** The first row or column of the lens around one. @param {number} place @param {number} tokens */
export const lensStart = (place, tokens) => within(place - (LENS - 1) / 2, 0, Math.max(0, tokens - LENS));

/** All of the map. @param {number} tokens @returns {Region} */
export const wholeMap = (tokens) => ({ row: 0, column: 0, size: tokens });

/** @param {Region} region @param {number} tokens @returns {Region} */
function kept({ row, column, size }, tokens) {
  return { row: within(row, 0, tokens - size), column: within(column, 0, tokens - size), size };
}

/** @param {Region} region @param {number} tokens @param {number} rows @param {number} columns @returns {Region} */
export function moved(region, tokens, rows, columns) {
  return kept({ ...region, row: region.row + rows, column: region.column + columns }, tokens);
}

/**
 * Larger or smaller, about a point that stays where it is.
 * @param {Region} region @param {number} tokens @param {number} factor  below 1: closer
 * @param {number} x  of the point, 0 to 1 from the left @param {number} y  from the top
 * @returns {Region}
 */
export function zoomed(region, tokens, factor, x, y) {
  const size = within(region.size * factor, Math.min(CLOSEST, tokens), tokens);
  const less = region.size - size;
  return kept({ row: region.row + less * y, column: region.column + less * x, size }, tokens);
}

/** Moved as little as lets a cell be seen. @param {Region} region @param {number} tokens @param {Cell} cell @returns {Region} */
export function showing(region, tokens, { row, column }) {
  const { size } = region;
  return kept({
    row: within(region.row, row + 1 - size, row), column: within(region.column, column + 1 - size, column), size,
  }, tokens);
}

/** The cell at a point of the map. @param {Region} region @param {number} tokens @param {number} x @param {number} y @returns {Cell} */
export function cellAt({ row, column, size }, tokens, x, y) {
  return { row: within(Math.floor(row + y * size), 0, tokens - 1), column: within(Math.floor(column + x * size), 0, tokens - 1) };
}

/**
 * Where a step takes the cell that is looked at.
 * @param {readonly [number, number]} way  rows and columns; infinite: to the end of the row
 * @param {boolean} far  as many times as the lens has rows; to the end: of the matrix
 * @param {Cell} cell @param {number} tokens @returns {Cell}
 */
export function stepped([down, right], far, { row, column }, tokens) {
  const times = far ? LENS : 1;
  const rows = far && !Number.isFinite(right) ? right : down * times;
  return { row: within(row + rows, 0, tokens - 1), column: within(column + right * times, 0, tokens - 1) };
}
