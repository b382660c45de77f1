// Reads the known answers of tests/vectors and makes layers for them and for the tests' own shapes. Computes nothing:
// an expected number never comes from here. Read next: vectors.test.js.

import { readFileSync } from 'node:fs';
import { loadAttention } from '../../web/engine/node.js';

/**
 * @typedef {{ shape: number[], data: number[] }} Tensor
 * @typedef {import('../../web/engine/attention.js').LayerOptions} LayerOptions
 */

export const attention = await loadAttention();

/** The six three-dimensional tokens "Your journey starts with one step". */
export const SIX_TOKENS = [
  [0.43, 0.15, 0.89], [0.55, 0.87, 0.66], [0.57, 0.85, 0.64], [0.22, 0.58, 0.33], [0.77, 0.25, 0.1], [0.05, 0.8, 0.55],
];

/** @type {Record<string, string>} */
const NAMES = {
  Wq: 'w_query', Wk: 'w_key', Wv: 'w_value', Wo: 'w_out', bq: 'b_query', bk: 'b_key', bv: 'b_value', bo: 'b_out',
};

/** The code name of a parameter that a case calls Wq, bq, … @param {string} name */
export const parameterName = (name) => NAMES[name];

/** @param {string} file @returns {any[]} */
export function readCases(file) {
  return JSON.parse(readFileSync(new URL(`../vectors/${file}`, import.meta.url), 'utf8'));
}

/** A case's numbers as float32, the type that they were computed in. @param {Tensor} tensor */
export const floats = (tensor) => Float32Array.from(tensor.data, Number);

/** The expected numbers, exactly as published. @param {Tensor} tensor */
export const expected = (tensor) => Float64Array.from(tensor.data, Number);

/**
 * @param {ArrayLike<number>} flat row-major
 * @param {number} width
 * @param {number} row
 */
export const rowOf = (flat, width, row) => Array.from(flat).slice(row * width, (row + 1) * width);

/**
 * @param {ArrayLike<number>} flat
 * @param {number} rows
 * @param {number} columns
 */
export function transpose(flat, rows, columns) {
  return Float64Array.from({ length: rows * columns }, (_, i) => flat[(i % rows) * columns + Math.floor(i / rows)]);
}

/**
 * A layer that holds a case's inputs and parameters, not yet computed.
 * @param {Tensor} inputs [T, d_in] or [B, T, d_in]
 * @param {Record<string, Tensor>} parameters by the case's names: Wq, bq, …
 * @param {Partial<LayerOptions>} options what the sizes of the tensors do not tell
 */
export function layerOf(inputs, parameters, options) {
  const [nBatch, nTokens, dIn] = inputs.shape.length === 3 ? inputs.shape : [1, ...inputs.shape];
  /** @type {LayerOptions} */
  const asked = { nBatch, nTokens, dIn, ...options };
  if (parameters.Wq) asked.dOut = parameters.Wq.shape[1];
  if (parameters.Wo) asked.outputProjection = parameters.Wo.shape[1];
  asked.biases = /** @type {const} */ (['query', 'key', 'value', 'out'])
    .filter((bias) => `b${bias === 'out' ? 'o' : bias[0]}` in parameters);
  const layer = attention.createLayer(asked);
  layer.set('inputs', floats(inputs));
  for (const [name, tensor] of Object.entries(parameters)) layer.set(parameterName(name), floats(tensor));
  return layer;
}

/**
 * Why a case of pytorch_gradients.json is left out: a layer cannot express it.
 * @type {Record<string, (c: any) => boolean>}
 */
export const TORCH_LEFT_OUT = {
  'weights that are not square': (c) => c.op === 'context' && c.tensors.A.shape[1] !== c.tensors.A.shape[2],
  'grouped queries': (c) => 'kv_heads' in c.params,
  softcap: (c) => 'softcap' in c.params,
  'a window': (c) => 'window_left' in c.params,
  RoPE: (c) => 'rope' in c.params,
  ALiBi: (c) => 'alibi' in c.params,
};

/** A layer that holds a case of pytorch_gradients.json, computed. @param {any} c */
export function torchLayer(c) {
  const { X, A, ...parameters } = c.tensors;
  const { num_heads: nHeads = 1, scale = 'none', causal = false } = c.params;
  const scoreSource = { context: 'given', simple: 'inputs', attention: 'trained' }[/** @type {string} */ (c.op)];
  const layer = layerOf(X, parameters, { scoreSource: /** @type {any} */ (scoreSource), scale, causal, nHeads });
  if (A) layer.set('attn_weights', floats(A));
  return layer.forward();
}

/** Numbers that differ from each other and repeat from run to run. @param {number} n @param {number} [seed] */
export function distinct(n, seed = 1) {
  return Float32Array.from({ length: n }, (_, i) => Math.sin(seed * 12.9898 + i * 78.233) * 1.5);
}

/**
 * Fill every tensor that the layer takes with distinct numbers.
 * @param {import('../../web/engine/layer.js').Layer} layer
 * @param {number} [seed]
 */
export function fill(layer, seed = 1) {
  let next = seed;
  for (const [name, dims] of Object.entries(layer.shapes())) {
    if (name === 'inputs' || /^[wb]_/.test(name) || name === 'given_weights') {
      const size = dims.reduce((product, dim) => product * dim, 1);
      const numbers = distinct(size, next++);
      layer.set(name, name === 'given_weights' ? numbers.map((x) => x * x + 0.1) : numbers);
    }
  }
  return layer;
}
