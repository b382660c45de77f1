// What the axes of each tensor are called, for sentences only, by the options that size them: sizes, order and existence come from the core's
// directory; and from indices to the place of an element and back. Read next: numbers.js, which uses the names, and the
// directory in src/attention.h.

import { AttnError, errorFor, show } from './errors.js';
import { integer } from './numbers.js';

const BY_HEAD = ['nBatch', 'nHeads', 'nTokens', 'nTokens'];
const BY_WIDTH = ['nBatch', 'nTokens', 'width'];
const WEIGHT = ['dIn', 'dOut'];

/** @type {Record<string, readonly string[]>} */
const AXES = {
  inputs: ['nBatch', 'nTokens', 'dIn'],
  w_query: WEIGHT, w_key: WEIGHT, w_value: WEIGHT,
  b_query: ['dOut'], b_key: ['dOut'], b_value: ['dOut'],
  w_out: ['width', 'outputProjection'], b_out: ['outputProjection'],
  given_weights: BY_HEAD, attn_scores: BY_HEAD, attn_weights: BY_HEAD,
  attn_row_sums: ['nBatch', 'nHeads', 'nTokens'], attn_column_sums: ['nBatch', 'nHeads', 'nTokens'],
  queries: BY_WIDTH, keys: BY_WIDTH, values: BY_WIDTH, context_vecs: BY_WIDTH,
  outputs: ['nBatch', 'nTokens', 'outputProjection'],
};

/** A gradient has the axes of what it is the gradient of. @param {string} name */
const axes = (name) => AXES[name.startsWith('d_') ? name.slice(2) : name];

/**
 * @param {string} name a tensor
 * @param {string} width what the width is called now: dOut or dIn
 * @returns {readonly string[]}
 */
export const axesOf = (name, width) => axes(name).map((axis) => (axis === 'width' ? width : axis));

/**
 * The index of an element along every axis, from its flat index.
 * @param {readonly number[]} dims
 * @param {number} element
 */
export function indicesOf(dims, element) {
  const indices = [];
  let rest = element;
  for (let axis = dims.length - 1; axis >= 0; axis--) {
    indices.unshift(rest % dims[axis]);
    rest = Math.floor(rest / dims[axis]);
  }
  return indices;
}

/**
 * The flat index of an element. Leading indices into dimensions of size 1 may be left out.
 * @param {string} method whose caller gave the indices
 * @param {string} name of the tensor
 * @param {readonly number[]} dims
 * @param {unknown} given
 */
export function elementOf(method, name, dims, given) {
  const indices = Array.isArray(given) ? given : [];
  const left = dims.length - indices.length;
  if (!Array.isArray(given) || left < 0 || dims.slice(0, left).some((dim) => dim > 1)) {
    throw new AttnError('wrong_size',
      `${method} needs one index for each dimension of ${name} (${dims.join('×')}), got ` +
      (Array.isArray(given) ? `${indices.length} of them` : show(given)), { name, dims });
  }
  return indices.reduce((element, given, i) => {
    const count = dims[left + i];
    const value = integer(given, `index ${left + i} of ${name}`);
    if (value < 0 || value >= count) {
      throw errorFor('index_out_of_range', { indices: [{ name: `index ${left + i} of ${name}`, value, count }] });
    }
    return element * count + value;
  }, 0);
}

/**
 * Where an element is, in words: "attn_scores[row 2][column 0]"; batch and head are named where there are several.
 * @param {string} name
 * @param {readonly number[]} dims
 * @param {readonly number[]} indices one for every axis
 */
export function position(name, dims, indices) {
  const kinds = axes(name);
  const last = dims.length - 1;
  return name + indices.map((index, axis) => {
    if (kinds[axis] === 'nBatch' || kinds[axis] === 'nHeads') {
      return dims[axis] > 1 ? `[${kinds[axis] === 'nBatch' ? 'batch' : 'head'} ${index}]` : '';
    }
    const isRow = axis < last || name === 'attn_row_sums';
    return `[${isRow ? 'row' : 'column'} ${index}]`;
  }).join('');
}
