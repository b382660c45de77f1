// A picture of attention weights and the largest of a row, as plain values: layer.js's methods are their public face
// and documentation. Which cells a pixel shows, and all sums, are the core's. Read next: src/paint.c, src/readouts.c.

import { AttnError, errorFor, show } from './errors.js';
import { finite, integer } from './numbers.js';
import { readObject } from './options.js';

/**
 * @typedef {import('./handle.js').Handle} Handle
 *
 * @typedef {object} PictureOptions
 * @property {number} width   pixels
 * @property {number} height  pixels
 * @property {number} row     where the picture begins, in rows from 0; may lie within a row or outside of the matrix
 * @property {number} rows    how many it shows, more than 0; need not be whole
 * @property {number} column  likewise
 * @property {number} columns likewise
 * @property {number} top     the weight, above 0, at which the colours end; larger ones look like it
 * @property {Uint32Array} colours  258 of four bytes, red, green, blue and opacity in the order of memory: one for 0, 255
 *   from just above 0 to the top, then ground and line of the hatching of masked cells
 * @property {number} [head]
 * @property {number} [batch]
 *
 * @typedef {{ largest: { key: number, weight: number }[], rest: number }} LargestWeights
 */

const COLOURS = 258;
const MOST_PIXELS = 2 ** 25;
const NUMBERS = /** @type {const} */ (['row', 'column', 'rows', 'columns', 'top']);

/** @param {Handle} handle @param {unknown} options @returns {Uint8ClampedArray} */
export function paint(handle, options) {
  const c = handle.exports('paint');
  const asked = readObject(options, ['width', 'height', ...NUMBERS, 'colours', 'head', 'batch'], 'paint');
  const { width, height, head = 0, batch = 0, colours } = asked;
  const [across, down] = [integer(width, "paint's width"), integer(height, "paint's height")];
  if (across < 1 || down < 1) throw errorFor('size_not_positive', { sizes: { width: across, height: down } });
  if (across * down > MOST_PIXELS) {
    throw new AttnError('too_large', `paint's picture may have at most ${MOST_PIXELS} pixels, got ${across} × ${down}`, { width, height });
  }
  const [row, column, rows, columns, top] = NUMBERS.map((name) => finite(asked[name], `paint's ${name}`));
  const flat = [rows, columns, top].findIndex((size) => size <= 0);
  if (flat >= 0) {
    const name = NUMBERS[2 + flat];
    throw errorFor('number_not_finite', { what: `paint's ${name}`, range: ', above 0', value: asked[name] });
  }
  if (!(colours instanceof Uint32Array) || colours.length !== COLOURS) {
    throw new AttnError('wrong_size', `paint's colours must be a Uint32Array of ${COLOURS}, got ` +
      (colours instanceof Uint32Array ? `one of ${colours.length}` : show(colours)), { colours });
  }
  const { nHeads, nBatch } = handle.shape;
  const indices = [handle.index('head', head, nHeads), handle.index('batch', batch, nBatch)];
  const [which, sequence] = indices.map(({ value }) => value);
  handle.core.integers(c.attn_paint_colours(handle.pointer), COLOURS).set(colours);
  const [room, rowStep, columnStep] = [c.attn_paint_room(), rows / down, columns / across];
  const pixels = new Int32Array(across * down);
  for (let y = 0; y < down; y++) {
    for (let x = 0; x < across; x += room) {
      const count = Math.min(room, across - x);
      handle.check(c.attn_paint_line(handle.pointer, sequence, which, row + y * rowStep, rowStep,
        column + x * columnStep, columnStep, top, count, x + y), { asked: 'paint()', indices, tensor: 'attn_weights' });
      pixels.set(handle.core.integers(c.attn_paint_pixels(handle.pointer), count), y * across + x);
    }
  }
  return new Uint8ClampedArray(pixels.buffer);
}

/**
 * @param {Handle} handle @param {unknown} row @param {unknown} count @param {unknown} head @param {unknown} batch
 * @returns {LargestWeights}
 */
export function largestWeights(handle, row, count, head, batch) {
  const c = handle.exports('largestWeights');
  const { nHeads, nBatch, nTokens } = handle.shape;
  const room = Math.min(c.attn_largest_room(), nTokens);
  const some = integer(count, "largestWeights' count");
  if (some < 1 || some > room) {
    throw new AttnError('index_out_of_range', `largestWeights' count must be from 1 to ${room}, got ${some}`, { count });
  }
  const indices = [handle.index('row', row, nTokens), handle.index('head', head, nHeads), handle.index('batch', batch, nBatch)];
  const [query, which, sequence] = indices.map(({ value }) => value);
  handle.check(c.attn_largest_weights(handle.pointer, sequence, which, query, some),
    { asked: 'largestWeights()', indices, tensor: 'attn_weights' });
  const weights = handle.view(handle.find('attn_weights'), nBatch * nHeads * nTokens * nTokens);
  const start = ((sequence * nHeads + which) * nTokens + query) * nTokens;
  const keys = Array.from({ length: some }, (_, place) => c.attn_largest_key(handle.pointer, place));
  return {
    largest: keys.map((key) => ({ key, weight: weights[start + key] })),
    rest: c.attn_largest_rest(handle.pointer),
  };
}
