/**
 * The experiments of the cards: the computation on the screen done otherwise, on layers of its own, and what comes of
 * it in a few figures. The document is not touched, a planted bug is left out; all arithmetic is the module's.
 * Next to read: ../content/cards.js (what can be chosen), ../view/cards.js (how it is shown), trying.js.
 */

import { cards } from '../content/cards.js';
import { AttnError } from '../engine/attention.js';
import { identity, sizesOf } from '../model/state.js';
import { biased, freed, learnt, mixed, turned } from './experiments-matrices.js';
import { filled, scales, shifted } from './experiments-scores.js';
import { setupOf } from './setup.js';
import { furthest, moved, using } from './trying.js';

/**
 * @typedef {import('../engine/attention.js').Attention} Attention
 * @typedef {import('../engine/checks/state.js').Setup} Setup
 * @typedef {import('../model/state.js').Doc} Doc
 * @typedef {import('../model/derive.js').Figure} Figure
 * @typedef {import('./trying.js').Asked} Asked
 */

/** By the id of the card. @type {Record<string, (asked: Asked) => Figure[] | 'does not fit'>} */
const EXPERIMENTS = {
  'scores-or-weights': shifted,
  'scale': scales,
  'orientation': turned,
  'three-matrices': freed,
  'bias': biased,
  'learnt': learnt,
  'mask-fill': filled,
  'head-dim': separated,
  'projection': mixed,
  'explains': alike,
};

/** What a layer throws where a number would leave float32. */
const TOO_LARGE = ['tensor_not_finite', 'diverged'];

/**
 * The figures of a card's experiment; null if it has none to compute.
 * @param {Attention} attention @param {Doc} doc @param {import('../model/state.js').View} view
 * @returns {import('../model/derive.js').Computed['experiment']}  a number too large for float32: 'too large'; sizes that
 *   cannot be multiplied: 'does not fit'; null too where the card has nothing to work on
 */
export function experimentOf(attention, doc, { notes: { card, tried }, row, head }) {
  if (card === null || !Object.hasOwn(EXPERIMENTS, card)) return null;
  const { nTokens, heads } = sizesOf(doc);
  const { needs, sample } = cards.find(({ id }) => id === card) ?? {};
  if ((needs === 'scores' && doc.source === 'given') || (needs === 'trained' && doc.source !== 'trained')) return null;
  const asked = { attention, doc, row: Math.min(row, nTokens - 1), head: Math.min(head, heads - 1), tried, sample };
  try {
    return EXPERIMENTS[card](asked);
  } catch (error) {
    if (error instanceof AttnError && TOO_LARGE.includes(error.code)) return 'too large';
    throw error;
  }
}

/**
 * Heads as columns of one split matrix; each as a layer with its own columns; or each as wide as d_out.
 * @param {Asked} asked @returns {Figure[]}
 */
function separated({ attention, doc, tried: [choice = 'split'] }) {
  const { options, tensors } = setupOf(doc);
  const { nTokens, dIn, dOut, heads } = sizesOf(doc);
  const headDim = choice === 'wide' ? dOut : dOut / heads;
  const sizes = [{ id: 'width', value: headDim }, { id: 'columns', value: headDim * heads }];
  if (choice !== 'separate') return sizes;
  return using(attention, { options, tensors }, (layer) => {
    const { data } = layer.get('context_vecs');
    const beside = new Float32Array(data.length);
    for (let head = 0; head < heads; head++) {
      const columns = (/** @type {number[][]} */ matrix) => matrix.map((row) => row.slice(head * headDim, (head + 1) * headDim));
      const own = using(attention, {
        options: { nTokens, dIn, dOut: headDim, scale: doc.scale, causal: doc.causal },
        tensors: { inputs: doc.inputs, w_query: columns(doc.w_query), w_key: columns(doc.w_key), w_value: columns(doc.w_value) },
      }, (one) => one.get('context_vecs').data);
      for (let token = 0; token < nTokens; token++) {
        beside.set(own.subarray(token * headDim, (token + 1) * headDim), token * dOut + head * headDim);
      }
    }
    return [...sizes, { id: 'apart', value: furthest(layer, beside, data) }];
  });
}

/**
 * All weight on token 1, then all weight on token 2: how far apart the weights and the context vectors are, with the
 * inputs as they are, or with token 2 given the input of token 1.
 * @param {Asked} asked @returns {Figure[]}
 */
function alike({ attention, doc, tried: [choice = 'as-they-are'] }) {
  const { nTokens, width } = sizesOf(doc);
  if (nTokens < 2) return [];
  const inputs = choice === 'alike' ? doc.inputs.map((row, i) => (i === 1 ? doc.inputs[0] : row)) : doc.inputs;
  const { options, tensors } = setupOf({ ...doc, inputs });
  const { data } = using(attention, { options, tensors }, (layer) => layer.get('values'));
  const on = (/** @type {number} */ token) => ({
    options: /** @type {Setup['options']} */ ({ nTokens, dIn: width, scoreSource: 'given' }),
    tensors: { inputs: data, attn_weights: Array.from({ length: nTokens }, () => identity(nTokens)[token]) },
  });
  return moved(attention, on(0), on(1));
}
