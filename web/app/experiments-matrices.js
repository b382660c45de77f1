/**
 * Experiments with the trainable matrices: set free from the identity, given biases, turned, kept while an input moves,
 * and W_out. Next to read: trying.js, experiments.js (which card has which).
 */

import { AttnError } from '../engine/attention.js';
import { identity, sizesOf } from '../model/state.js';
import { setupOf } from './setup.js';
import { furthest, moved, result, using } from './trying.js';

/**
 * @typedef {import('./trying.js').Asked} Asked
 * @typedef {import('./trying.js').Figure} Figure
 * @typedef {import('./trying.js').Layer} Layer
 * @typedef {import('./trying.js').Setup} Setup
 */

/**
 * Trainable matrices that are the identity, but for those set free: how far from inputs·inputsᵀ without any.
 * @param {Asked} asked @returns {Figure[]}
 */
export function freed({ attention, doc, tried }) {
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
export function biased({ attention, doc, tried }) {
  const { options, tensors } = setupOf(doc);
  const names = /** @type {('query' | 'key' | 'value')[]} */ (['query', 'key', 'value'].filter((name) => tried.includes(name)));
  const ones = Array(sizesOf(doc).dOut).fill(1);
  const biases = Object.fromEntries(names.map((name) => [`b_${name}`, ones]));
  return moved(attention, { options, tensors }, { options: { ...options, biases: names }, tensors: { ...tensors, ...biases } });
}

/**
 * W @ x in place of x @ W, for W_query as it is, or cut to a square, with as many columns of the inputs.
 * @param {Asked} asked @returns {Figure[] | 'does not fit'}
 */
export function turned({ attention, doc, row, tried: [choice = 'rows'] }) {
  const { nTokens, dIn, dOut } = sizesOf(doc);
  const side = Math.min(dIn, dOut);
  const square = choice === 'square';
  const cut = (/** @type {number[][]} */ matrix, /** @type {number} */ rows) => matrix.slice(0, rows).map((numbers) => numbers.slice(0, side));
  const [inputs, right] = square ? [cut(doc.inputs, nTokens), cut(doc.w_query, side)] : [doc.inputs, doc.w_query];
  const options = { nTokens, dIn: inputs[0].length, dOut: right[0].length };
  // W @ x of a row x is x @ the transpose of W.
  const other = choice === 'rows' ? right : right[0].map((_, column) => right.map((numbers) => numbers[column]));
  const width = options.dOut;
  const query = (/** @type {Layer} */ layer) => layer.get('queries').data.slice(row * width, (row + 1) * width);
  const before = using(attention, { options, tensors: { inputs, w_query: right } }, query);
  try {
    return using(attention, { options, tensors: { inputs, w_query: other } },
      (layer) => [{ id: 'query', value: furthest(layer, query(layer), before) }]);
  } catch (error) {
    if (error instanceof AttnError && error.code === 'wrong_size') return 'does not fit';
    throw error;
  }
}

/** Of one step, so that it can be seen. */
const LEARNING_RATE = 1;

/** The number that an edited input is made of: unlike those of the examples, so that weights move. */
const EDITED = 3;

/**
 * What moves: with another input in the chosen row, or with a step of training towards results of 0; and what comes of
 * keeping the weights as if they were learnt.
 * @param {Asked} asked @returns {Figure[]}
 */
export function learnt({ attention, doc, row, tried: [choice = 'input'] }) {
  const { nTokens, dIn, heads, width } = sizesOf(doc);
  const { options, tensors } = setupOf(doc);
  const names = Object.keys(tensors).filter((name) => name.startsWith('w_'));
  const of = (/** @type {Layer} */ layer) => ({
    weights: layer.get('attn_weights').data, values: layer.get('values').data, context: layer.get('context_vecs').data,
    matrices: names.map((name) => layer.get(name).data),
  });
  const before = using(attention, { options, tensors }, of);
  const other = doc.inputs.map((input, i) => (i === row ? Array(dIn).fill(EDITED) : input));
  const step = (/** @type {Layer} */ layer) => {
    const targets = before.context.map(() => 0);
    layer.trainStep({ targets, learningRate: LEARNING_RATE });
    return layer;
  };
  return using(attention, { options, tensors: choice === 'step' ? tensors : { ...tensors, inputs: other } }, (layer) => {
    const after = of(choice === 'step' ? step(layer) : layer);
    const matrices = { id: 'matrices', value: Math.max(...names.map((_, i) => furthest(layer, after.matrices[i], before.matrices[i]))) };
    if (choice !== 'kept') return [matrices, { id: 'weights', value: furthest(layer, after.weights, before.weights) }];
    const stale = using(attention, {
      options: { nTokens, dIn: width, nHeads: heads, scoreSource: 'given' },
      tensors: { inputs: after.values, attn_weights: before.weights },
    }, result);
    return [matrices, { id: 'weights', value: furthest(layer, stale.weights, before.weights) },
      { id: 'stale', value: furthest(layer, stale.context, after.context) }];
  });
}

/**
 * W_out as the identity; with one number more, from the last column of context vectors to the first of the outputs; and
 * that number lost, where each head is multiplied by its own rows and columns alone.
 * @param {Asked} asked @returns {Figure[]}
 */
export function mixed({ attention, doc, tried: [choice = 'identity'] }) {
  const { dOut, heads } = sizesOf(doc);
  const headDim = dOut / heads;
  const headOf = (/** @type {number} */ column) => Math.floor(column / headDim);
  const free = identity(dOut).map((row, i) => row.map((value, j) => (i === dOut - 1 && j === 0 ? 1 : value)));
  const matrices = {
    identity: identity(dOut), free,
    alone: free.map((row, i) => row.map((value, j) => (headOf(i) === headOf(j) ? value : 0))),
  };
  const { options, tensors } = setupOf(doc);
  const plain = using(attention, { options, tensors }, result).context;
  const outputs = (/** @type {keyof typeof matrices} */ way) => using(attention,
    { options: { ...options, outputProjection: true }, tensors: { ...tensors, w_out: matrices[way] } },
    (layer) => ({ context: layer.get('context_vecs').data, outputs: layer.get('outputs').data }));
  const way = /** @type {keyof typeof matrices} */ (Object.hasOwn(matrices, choice) ? choice : 'identity');
  const [found, right] = [outputs(way), outputs('free').outputs];
  return using(attention, { options, tensors }, (layer) => [
    { id: 'context', value: furthest(layer, found.context, plain) },
    { id: 'outputs', value: furthest(layer, found.outputs, plain) },
    ...(way === 'alone' ? [{ id: 'astray', value: furthest(layer, found.outputs, right) }] : []),
  ]);
}
