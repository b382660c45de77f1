// Reads the known answers of tests/vectors and makes layers for them and for the tests' own shapes. Computes nothing:
// an expected number never comes from here. Read next: vectors.test.js, ../../web/engine/checks/cases.js.

import { readFileSync } from 'node:fs';
import { layerOf as layerFor } from '../../web/engine/checks/cases.js';
import { torch, torchLayer as torchLayerFor } from '../../web/engine/checks/torch.js';
import { loadAttention } from '../../web/engine/node.js';

export { expected, floats, parameterName, rowOf, transpose } from '../../web/engine/checks/cases.js';

/** @typedef {import('../../web/engine/attention.js').LayerOptions} LayerOptions */

export const attention = await loadAttention();

/** The six three-dimensional tokens "Your journey starts with one step". */
export const SIX_TOKENS = [
  [0.43, 0.15, 0.89], [0.55, 0.87, 0.66], [0.57, 0.85, 0.64], [0.22, 0.58, 0.33], [0.77, 0.25, 0.1], [0.05, 0.8, 0.55],
];

/** @param {string} file @returns {any[]} */
export function readCases(file) {
  return JSON.parse(readFileSync(new URL(`../vectors/${file}`, import.meta.url), 'utf8'));
}

/**
 * A layer that holds a case's inputs and parameters, not yet computed.
 * @param {import('../../web/engine/checks/cases.js').Tensor} inputs
 * @param {Record<string, import('../../web/engine/checks/cases.js').Tensor>} parameters
 * @param {Partial<LayerOptions>} options
 */
export const layerOf = (inputs, parameters, options) => layerFor(attention, inputs, parameters, options);

/** Why a case of pytorch_gradients.json is left out: a layer cannot express it. */
export const TORCH_LEFT_OUT = torch.leftOut;

/** A layer that holds a case of pytorch_gradients.json, computed. @param {any} c */
export const torchLayer = (c) => torchLayerFor(attention, c);

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
