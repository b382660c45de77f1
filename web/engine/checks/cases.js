// Layers for the known answers of tests/vectors, and their numbers as arrays. Computes nothing: an expected number
// never comes from here. Uses the public interface of a layer alone. Read next: answers.js.

/**
 * @typedef {import('../attention.js').Attention} Attention
 * @typedef {import('../attention.js').LayerOptions} LayerOptions
 * @typedef {import('../layer.js').Layer} Layer
 * @typedef {import('./compare.js').Comparison} Comparison
 * @typedef {{ shape: number[], data: (number | string)[] }} Tensor as in the files: "Infinity" and "NaN" are strings
 *
 * @typedef {object} KnownAnswers how the cases of one file are run
 * @property {'book' | 'published' | 'torch'} source whose answers they are
 * @property {number} run how many cases no rule leaves out
 * @property {Record<string, (c: any) => boolean>} leftOut why a case is not run, and whether that holds for a case
 * @property {(attention: Attention, c: any) => Comparison[]} check
 */

/** @type {Record<string, string>} */
const NAMES = {
  Wq: 'w_query', Wk: 'w_key', Wv: 'w_value', Wo: 'w_out', bq: 'b_query', bk: 'b_key', bv: 'b_value', bo: 'b_out',
};

/** The code name of a parameter that a case calls Wq, bq, … @param {string} name */
export const parameterName = (name) => NAMES[name];

/** A case's numbers as float32, the type that they were computed in. @param {Tensor} tensor */
export const floats = (tensor) => Float32Array.from(tensor.data, Number);

/** The expected numbers, exactly as published. @param {Tensor} tensor */
export const expected = (tensor) => Float64Array.from(tensor.data, Number);

/** @param {ArrayLike<number>} flat row-major @param {number} width @param {number} row */
export const rowOf = (flat, width, row) => Array.from(flat).slice(row * width, (row + 1) * width);

/** @param {ArrayLike<number>} flat @param {number} rows @param {number} columns */
export function transpose(flat, rows, columns) {
  return Float64Array.from({ length: rows * columns }, (_, i) => flat[(i % rows) * columns + Math.floor(i / rows)]);
}

/**
 * A layer that holds a case's inputs and parameters, not yet computed.
 * @param {Attention} attention
 * @param {Tensor} inputs [T, d_in] or [B, T, d_in]
 * @param {Record<string, Tensor>} parameters by the case's names: Wq, bq, …
 * @param {Partial<LayerOptions>} options what the sizes of the tensors do not tell
 */
export function layerOf(attention, inputs, parameters, options) {
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
 * Whether every row agrees with the second route, as a comparison.
 * @param {Layer} layer
 * @returns {Comparison}
 */
export function routesAgree(layer) {
  const { verdict, rows } = layer.compareRoutes();
  const gaps = rows.map(({ batched, oneToken }) => Math.abs(batched - oneToken));
  return { what: 'both routes', apart: Math.max(0, ...gaps), problem: verdict === 'agree' ? null : `the routes say "${verdict}"` };
}
