/**
 * Experiments with scores: scaled otherwise, shifted, taken from what are weights already, filled where masked.
 * Next to read: trying.js, experiments.js (which card has which).
 */

import { identity, sizesOf } from '../model/state.js';
import { setupOf } from './setup.js';
import { furthest, using } from './trying.js';

/**
 * @typedef {import('./trying.js').Asked} Asked
 * @typedef {import('./trying.js').Figure} Figure
 * @typedef {import('./trying.js').Setup} Setup
 */

/**
 * A layer whose scores, unscaled, are given: as query matrix of inputs and keys that are the identity.
 * @param {number[][]} scores  one row for each of as many tokens
 * @param {Partial<Setup['options']>} more  what a layer can be told besides its sizes @returns {Setup}
 */
function ofScores(scores, more) {
  const nTokens = scores.length;
  const same = identity(nTokens);
  return {
    options: { scale: 'none', ...more, nTokens, dIn: nTokens, dOut: nTokens },
    tensors: { inputs: same, w_query: scores, w_key: same },
  };
}

/**
 * What scores of the card's own are multiplied by: the weights, and how sharp they become.
 * @param {Asked} asked @returns {Figure[]}
 */
export function scales({ attention, sample, tried: [choice = 'divide'] }) {
  if (!sample) return [];
  const { scores, width, heads } = sample;
  const factors = { divide: 1 / Math.sqrt(width / heads), none: 1, multiply: Math.sqrt(width / heads), width: 1 / Math.sqrt(width) };
  const scale = factors[/** @type {keyof typeof factors} */ (choice)] ?? 1;
  return using(attention, ofScores(scores.map(() => scores), { scale }), (layer) => [
    { id: 'factor', value: scale },
    ...[...layer.get('attn_weights').data.slice(0, scores.length)].map((value, i) => ({ id: `weight-${i + 1}`, value })),
    { id: 'entropy', value: layer.readouts().entropy ?? 0 },
  ]);
}

/**
 * The scores of the head shown, each 5 higher; or its weights, taken as if they were scores: softmax once more.
 * @param {Asked} asked @returns {Figure[]}
 */
export function shifted({ attention, doc, row, head, tried: [choice = 'as-they-are'] }) {
  const { nTokens } = sizesOf(doc);
  const { causal } = doc;
  const { options, tensors } = setupOf(doc);
  const rowOf = (/** @type {Float32Array} */ numbers, /** @type {number} */ from) =>
    numbers.slice((from * nTokens + row) * nTokens, (from * nTokens + row + 1) * nTokens);
  const rowsOf = (/** @type {Float32Array} */ numbers) => Array.from({ length: nTokens }, (_, i) =>
    [...numbers.subarray((head * nTokens + i) * nTokens, (head * nTokens + i + 1) * nTokens)]);
  const before = using(attention, { options, tensors }, (layer) => ({
    scores: layer.get('attn_scores').data, weights: layer.get('attn_weights').data,
  }));
  // Masked scores are masked again, whatever stands there; −∞ is no number that can be set.
  const scores = rowsOf(before.scores).map((numbers) => numbers.map((score) => (score === -Infinity ? 0 : score)));
  const other = ofScores(choice === 'again' ? rowsOf(before.weights) : scores, { causal, biases: choice === 'plus-5' ? ['query'] : [] });
  if (choice === 'plus-5') other.tensors.b_query = Array(nTokens).fill(5);
  return using(attention, other, (layer) => {
    const weights = rowOf(layer.get('attn_weights').data, 0);
    return [
      { id: 'scores', value: furthest(layer, rowOf(layer.get('attn_scores').data, 0), rowOf(before.scores, head)) },
      { id: 'row', value: furthest(layer, weights, rowOf(before.weights, head)) },
      { id: 'largest', value: Math.max(...weights) },
    ];
  });
}

/**
 * What masked scores are filled with: how much of its weight a row then gives to later tokens. To add those weights,
 * they blend rows that are 1 where a token is later: row i, column i of the result is what row i leaks.
 * @param {Asked} asked @returns {Figure[]}
 */
export function filled({ attention, doc, tried: [choice = 'infinity'] }) {
  const { options, tensors } = setupOf(doc);
  const { nTokens, heads } = sizesOf(doc);
  const faults = { infinity: 'none', zero: 'mask_fill_zero', large: 'mask_fill_large' };
  const fault = /** @type {'none'} */ (faults[/** @type {keyof typeof faults} */ (choice)] ?? 'none');
  const { data } = using(attention, { options: { ...options, causal: true, fault }, tensors }, (layer) => layer.get('attn_weights'));
  const later = Array.from({ length: nTokens }, (_, j) => Array.from({ length: nTokens }, (__, i) => (j > i ? 1 : 0)));
  const leaks = Array.from({ length: heads }, (_, head) => using(attention, {
    options: { nTokens, dIn: nTokens, scoreSource: 'given' },
    tensors: { inputs: later, attn_weights: data.slice(head * nTokens * nTokens, (head + 1) * nTokens * nTokens) },
  }, (layer) => layer.get('context_vecs').data.filter((_, i) => i % (nTokens + 1) === 0)));
  const largest = Math.max(...leaks.flatMap((leak) => [...leak]));
  const at = leaks.map((leak) => leak.indexOf(largest)).find((row) => row >= 0) ?? 0;
  return largest === 0 ? [{ id: 'leak', value: 0 }] : [{ id: 'leak', value: largest }, { id: 'where', value: at + 1 }];
}
