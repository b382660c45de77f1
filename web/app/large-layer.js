/**
 * The layer of a large sequence: makes it, says how far it is, paints it and answers about one cell and its row. Runs in
 * the worker and in tests; knows no page and no worker. Next to read: large-worker.js, ../engine/layer.js.
 */

import { LENS, lensStart } from '../model/large.js';

/**
 * @typedef {import('../model/large.js').Large} Large
 * @typedef {import('../model/large.js').Cell} Cell
 * @typedef {'drawing' | 'computing' | 'painting'} Phase
 * @typedef {(phase: Phase, share: number) => void} Tell  how much of the phase is done, from 0 to 1
 * @typedef {Pick<import('../engine/picture.js').PictureOptions, 'width' | 'height' | 'row' | 'rows' | 'column' | 'columns'
 *   | 'top' | 'colours' | 'head'>} Picture
 *
 * @typedef {object} Found  about one cell and its row, all of it from the module
 * @property {number} head
 * @property {number} row
 * @property {number} column
 * @property {number} firstRow      of the lens
 * @property {number} firstColumn
 * @property {number[][]} weights   of the lens
 * @property {number} weight        of the cell itself
 * @property {number} rowSum
 * @property {number} sumApart      how far that is from 1
 * @property {{ key: number, weight: number }[]} largest  weights of the row
 * @property {number} rest          the sum of its others
 * @property {number[]} context     the row's context vector, of this head
 * @property {number} apart         the largest difference from the second route, in size
 * @property {number} later         how many weights on later tokens are not 0
 */

/** How many of the row's weights are listed. */
const LISTED = 8;

/** Weights are drawn so wide that scores differ as much as they do in use, whatever the width: by about 1.8. @param {number} width */
const boundFor = (width) => 4 / Math.sqrt(width);

/** In the words of the engine. @param {Pick<Large, 'tokens' | 'heads' | 'headDim' | 'causal'>} large */
export const layerOptions = ({ tokens, heads, headDim, causal }) =>
  ({ nTokens: tokens, dIn: heads * headDim, nHeads: heads, causal, keepGradients: false });

/** @param {import('../engine/attention.js').Attention} attention */
export function createLargeLayer(attention) {
  /** @type {import('../engine/layer.js').Layer | null} */
  let layer = null;
  let made = '';
  let masked = false;

  /** The layer that was made. */
  function ready() {
    if (layer === null) throw new Error('no large layer was made yet');
    return layer;
  }

  /**
   * The rows of [1, T, width] that a head has, and of [1, H, T, T], without a copy of the rest.
   * @param {'context_vecs' | 'attn_weights' | 'attn_row_sums'} name @param {number} start @param {number} length
   */
  const some = (name, start, length) => ready().view(name).slice(start, start + length);

  return {
    /**
     * Compute a sequence: numbers are drawn anew unless they are the same ones.
     * @param {Large} large @param {Tell} tell
     */
    make(large, tell) {
      const { tokens, heads, headDim, causal, seed } = large;
      const [width, numbers] = [heads * headDim, JSON.stringify([tokens, heads, headDim, seed])];
      if (layer === null || numbers !== made) {
        tell('drawing', 0);
        layer?.dispose();
        layer = null;
        const inputs = attention.random(seed, tokens * width);
        layer = attention.createLayer(layerOptions(large));
        layer.set('inputs', inputs).init('uniform', seed, boundFor(width));
        made = numbers;
      }
      tell('computing', 0);
      for (const share of layer.configure({ causal }).forwardParts()) tell('computing', share);
      masked = causal;
      tell('painting', 0);
    },

    /** @param {Picture} picture @returns {Uint8ClampedArray} */
    paint: (picture) => ready().paint(picture),

    /** @param {Cell & { head: number }} cell @returns {Found} */
    look({ head, row, column }) {
      const [, heads, tokens] = ready().shapes().attn_weights;
      const [, , width] = ready().shapes().context_vecs;
      const [firstRow, firstColumn] = [lensStart(row, tokens), lensStart(column, tokens)];
      const [count, headDim] = [Math.min(LENS, tokens), width / heads];
      const rowAt = (/** @type {number} */ i) => (head * tokens + i) * tokens;
      const batched = some('context_vecs', row * width, width);
      const sum = some('attn_row_sums', head * tokens + row, 1);
      const { context: oneToken } = ready().contextOneToken(row);
      return {
        head, row, column, firstRow, firstColumn,
        weights: Array.from({ length: count }, (_, i) => Array.from(some('attn_weights', rowAt(firstRow + i) + firstColumn, count))),
        weight: some('attn_weights', rowAt(row) + column, 1)[0],
        rowSum: sum[0], sumApart: ready().difference(sum, Float32Array.of(1))[0],
        ...ready().largestWeights(row, Math.min(LISTED, masked ? row + 1 : tokens), head),
        context: Array.from(batched.subarray(head * headDim, (head + 1) * headDim)),
        apart: ready().difference(batched, oneToken).reduce((most, one) => Math.max(most, Math.abs(one)), 0),
        later: some('attn_weights', rowAt(row) + row + 1, tokens - row - 1).filter((weight) => weight !== 0).length,
      };
    },
  };
}
