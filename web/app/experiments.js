/**
 * The experiments of the cards: the computation on the screen done otherwise, on layers of its own, and what comes of
 * it in a few figures. The document is not touched, a planted bug is left out; all arithmetic is the module's.
 * Next to read: ../content/cards.js (what can be chosen), ../view/cards.js (how it is shown).
 */

import { AttnError } from '../engine/attention.js';
import { identity, sizesOf } from '../model/state.js';
import { setupOf } from './setup.js';

/**
 * @typedef {import('../engine/attention.js').Attention} Attention
 * @typedef {import('../engine/layer.js').Layer} Layer
 * @typedef {import('../engine/checks/state.js').Setup} Setup
 * @typedef {import('../model/state.js').Doc} Doc
 * @typedef {import('../model/derive.js').Figure} Figure
 * @typedef {{ attention: Attention, doc: Doc, row: number, head: number, tried: string[] }} Asked
 */

/** By the id of the card. @type {Record<string, (asked: Asked) => Figure[]>} */
const EXPERIMENTS = {
  'scale': scales,
  'three-matrices': freed,
  'bias': biased,
  'mask-fill': filled,
  'head-dim': separated,
  'explains': alike,
};

/**
 * The figures of a card's experiment; null if it has none to compute.
 * @param {Attention} attention @param {Doc} doc @param {import('../model/state.js').View} view
 * @returns {import('../model/derive.js').Computed['experiment']} a number too large for float32: 'too large'
 */
export function experimentOf(attention, doc, { notes: { card, tried }, row, head }) {
  if (card === null || !Object.hasOwn(EXPERIMENTS, card)) return null;
  const { nTokens, heads } = sizesOf(doc);
  const asked = { attention, doc, row: Math.min(row, nTokens - 1), head: Math.min(head, heads - 1), tried };
  try {
    return EXPERIMENTS[card](asked);
  } catch (error) {
    if (error instanceof AttnError && error.code === 'tensor_not_finite') return 'too large';
    throw error;
  }
}

/**
 * What a computation gives, read and given back.
 * @template T @param {Attention} attention @param {Setup} setup @param {(layer: Layer) => T} read @returns {T}
 */
function using(attention, setup, read) {
  const layer = attention.createLayer({ kernels: 'plain', ...setup.options });
  try {
    for (const [name, numbers] of Object.entries(setup.tensors)) layer.set(name, numbers);
    return read(layer.forward());
  } finally {
    layer.dispose();
  }
}

/** @param {Layer} layer */
const result = (layer) => ({ weights: layer.get('attn_weights').data, context: layer.get('context_vecs').data });

/** The largest difference in size. @param {Layer} layer @param {Float32Array} left @param {Float32Array} right */
const furthest = (layer, left, right) => Math.max(0, ...layer.difference(left, right).map(Math.abs));

/**
 * How far another computation is from this one.
 * @param {Attention} attention @param {Setup} setup @param {Setup} other @returns {Figure[]}
 */
function moved(attention, setup, other) {
  const before = using(attention, setup, result);
  return using(attention, other, (layer) => {
    const after = result(layer);
    return [
      { id: 'weights', value: furthest(layer, after.weights, before.weights) },
      { id: 'context', value: furthest(layer, after.context, before.context) },
    ];
  });
}

/** What the scores are multiplied by: how sharp the weights become. @param {Asked} asked @returns {Figure[]} */
function scales({ attention, doc, row, head, tried: [choice = 'divide'] }) {
  const { options, tensors } = setupOf(doc);
  const { heads, width, nTokens } = sizesOf(doc);
  const factors = { divide: 1 / Math.sqrt(width / heads), none: 1, multiply: Math.sqrt(width / heads), width: 1 / Math.sqrt(width) };
  const scale = factors[/** @type {keyof typeof factors} */ (choice)] ?? 1;
  return using(attention, { options: { ...options, scale }, tensors }, (layer) => {
    const { data } = layer.get('attn_weights');
    const start = (head * nTokens + row) * nTokens;
    return [
      { id: 'factor', value: scale },
      { id: 'entropy', value: layer.readouts(head).entropy ?? 0 },
      { id: 'largest', value: Math.max(...data.subarray(start, start + nTokens)) },
    ];
  });
}

/**
 * Trainable matrices that are the identity, but for those set free: how far from inputs·inputsᵀ without any.
 * @param {Asked} asked @returns {Figure[]}
 */
function freed({ attention, doc, tried }) {
  const { nTokens, dIn } = sizesOf(doc);
  const { scale, causal } = doc;
  const options = { nTokens, dIn, dOut: dIn, scale, causal };
  const drawing = attention.createLayer(options).init('torch.rand', 123);
  const tensors = Object.fromEntries(['w_query', 'w_key', 'w_value'].map((name) =>
    [name, tried.includes(name) ? drawing.get(name).data : identity(dIn)]));
  drawing.dispose();
  return moved(attention, { options: { ...options, scoreSource: 'inputs' }, tensors: { inputs: doc.inputs } },
    { options, tensors: { inputs: doc.inputs, ...tensors } });
}

/** A bias of 1 in every column of what is chosen. @param {Asked} asked @returns {Figure[]} */
function biased({ attention, doc, tried }) {
  const { options, tensors } = setupOf(doc);
  const names = /** @type {('query' | 'key' | 'value')[]} */ (['query', 'key', 'value'].filter((name) => tried.includes(name)));
  const ones = Array(sizesOf(doc).dOut).fill(1);
  const biases = Object.fromEntries(names.map((name) => [`b_${name}`, ones]));
  return moved(attention, { options, tensors }, { options: { ...options, biases: names }, tensors: { ...tensors, ...biases } });
}

/**
 * What masked scores are filled with: how much of its weight a row then gives to later tokens. To add those weights,
 * they blend rows that are 1 where a token is later: row i, column i of the result is what row i leaks.
 * @param {Asked} asked @returns {Figure[]}
 */
function filled({ attention, doc, tried: [choice = 'infinity'] }) {
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
