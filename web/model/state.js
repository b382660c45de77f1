/**
 * The state: one JSON value that holds all that a person can change, and nothing that is computed from it.
 * `document` is what undo and links are about; `view` is where one looks. No function, node or pointer lives here.
 * Next to read: update.js (how it changes), history.js (how it is taken back).
 */

/**
 * @typedef {'given' | 'inputs' | 'trained'} Source
 * @typedef {'none' | 'sqrt_head_dim'} Scale
 * @typedef {'inputs' | 'given' | 'w_query' | 'w_key' | 'w_value' | 'w_out'} MatrixName  what can be edited
 *
 * @typedef {object} Doc
 * @property {string} example     id of the start state it came from
 * @property {string[]} tokens    T labels
 * @property {number[][]} inputs  T × d_in
 * @property {number[][] | null} given  T × T as typed, before any mask; null until weights are first given
 * @property {number[][]} w_query d_in × d_out
 * @property {number[][]} w_key   d_in × d_out
 * @property {number[][]} w_value d_in × d_out
 * @property {number[][]} w_out   d_out × d_out
 * @property {Source} source      where the attention weights come from
 * @property {Scale} scale
 * @property {boolean} causal
 * @property {number} heads       as chosen; in force only when trained (see headsInForce)
 * @property {boolean} project    whether W_out is applied (when trained)
 *
 * @typedef {object} View
 * @property {number} row     chosen query row, from 0
 * @property {number} head    head shown large, from 0
 * @property {number} digits  decimals shown, 0 to 6
 *
 * @typedef {{ version: 1, document: Doc, view: View }} State
 *
 * @typedef {object} Drawn  parameters as the module drew them for an example
 * @property {number[][]} w_query
 * @property {number[][]} w_key
 * @property {number[][]} w_value
 */

/** The page's own limits: what a person can still read row by row. The module itself takes far more. */
export const MAX_TOKENS = 32;
export const MAX_DIMENSIONS = 16;
export const MAX_LABEL_LENGTH = 60;

/**
 * The state that an example opens with.
 * @param {import('../content/examples.js').Example} example
 * @param {Drawn} drawn
 * @returns {State}
 */
export function stateOfExample(example, drawn) {
  const { id, tokens, inputs, given, source, scale, causal, heads, project, dOut, row } = example;
  const document = {
    example: id, tokens, inputs, given, ...drawn, w_out: identity(dOut), source, scale, causal, heads, project,
  };
  return { version: 1, document, view: { row, head: 0, digits: 2 } };
}

/** Heads need trainable weights: elsewhere one head is in force, whatever is chosen. @param {Doc} doc */
export function headsInForce(doc) {
  return doc.source === 'trained' ? doc.heads : 1;
}

/** @param {Doc} doc @returns {{ nTokens: number, dIn: number, dOut: number, heads: number, width: number }} */
export function sizesOf(doc) {
  const dIn = doc.inputs[0].length;
  const dOut = doc.w_query[0].length;
  const width = doc.source === 'trained' ? dOut : dIn;
  return { nTokens: doc.tokens.length, dIn, dOut, heads: headsInForce(doc), width };
}

/** The head counts that divide a width, in order. @param {number} width */
export function validHeads(width) {
  return Array.from({ length: width }, (_, i) => i + 1).filter((n) => width % n === 0);
}

/** The n × n identity matrix. @param {number} n @returns {number[][]} */
export function identity(n) {
  return Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => (i === j ? 1 : 0)));
}
