// What the axes of each tensor are called, for sentences only: sizes, order and existence come from the core's
// directory. Read next: numbers.js, which uses the names, and the directory in src/attention.h.

const BY_HEAD = ['n_batch', 'n_heads', 'n_tokens', 'n_tokens'];
const BY_WIDTH = ['n_batch', 'n_tokens', 'width'];
const WEIGHT = ['d_in', 'd_out'];

/** @type {Record<string, readonly string[]>} */
const AXES = {
  inputs: ['n_batch', 'n_tokens', 'd_in'],
  w_query: WEIGHT, w_key: WEIGHT, w_value: WEIGHT,
  b_query: ['d_out'], b_key: ['d_out'], b_value: ['d_out'],
  w_out: ['width', 'out_width'], b_out: ['out_width'],
  given_weights: BY_HEAD, attn_scores: BY_HEAD, attn_weights: BY_HEAD,
  attn_row_sums: ['n_batch', 'n_heads', 'n_tokens'], attn_column_sums: ['n_batch', 'n_heads', 'n_tokens'],
  queries: BY_WIDTH, keys: BY_WIDTH, values: BY_WIDTH, context_vecs: BY_WIDTH,
  outputs: ['n_batch', 'n_tokens', 'out_width'],
};

/** A gradient has the axes of what it is the gradient of. @param {string} name */
const axes = (name) => AXES[name.replace(/^d_/, '')];

/**
 * @param {string} name a tensor
 * @param {string} width what the width is called now: d_out or d_in
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
 * Where an element is, in words: "attn_scores[row 2][column 0]"; batch and head are named where there are several.
 * @param {string} name
 * @param {readonly number[]} dims
 * @param {readonly number[]} indices one for every axis
 */
export function position(name, dims, indices) {
  const kinds = axes(name);
  const last = dims.length - 1;
  return name + indices.map((index, axis) => {
    if (kinds[axis] === 'n_batch' || kinds[axis] === 'n_heads') {
      return dims[axis] > 1 ? `[${kinds[axis] === 'n_batch' ? 'batch' : 'head'} ${index}]` : '';
    }
    const isRow = axis < last || name === 'attn_row_sums';
    return `[${isRow ? 'row' : 'column'} ${index}]`;
  }).join('');
}
