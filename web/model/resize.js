/**
 * Rows and columns that come and go: every matrix that shares the size changes in the same step, so that a document
 * always fits together. New entries change as little as possible: zeros, and for given weights a row that looks at
 * itself alone. A size that cannot be is a problem in words. Next to read: state.js.
 */

import { MAX_DIMENSIONS, MAX_TOKENS, headsInForce, sizesOf, validHeads } from './state.js';

/**
 * @typedef {import('./state.js').Doc} Doc
 * @typedef {{ problem: import('./update.js').Message }} Problem
 */

/** One more token at the end, a copy of nothing: its inputs are zeros. @param {Doc} doc @returns {Doc | Problem} */
export function addToken(doc) {
  const { nTokens, dIn } = sizesOf(doc);
  if (nTokens === MAX_TOKENS) return { problem: { id: 'problem-tokens-many', args: { limit: MAX_TOKENS } } };
  const given = doc.given && [...doc.given.map((row) => [...row, 0]), [...zeros(nTokens), 1]];
  return { ...doc, tokens: [...doc.tokens, newLabel(doc.tokens)], inputs: [...doc.inputs, zeros(dIn)], given };
}

/** @param {Doc} doc @param {number} row @returns {Doc | Problem} */
export function removeToken(doc, row) {
  if (doc.tokens.length === 1) return { problem: { id: 'problem-tokens-none' } };
  const given = doc.given && without(doc.given, row).map((weights) => without(weights, row));
  // A planted bug stays with its row; if that goes, with the row that takes its place.
  const faultPlace = Math.min(doc.faultPlace > row ? doc.faultPlace - 1 : doc.faultPlace, doc.tokens.length - 2);
  return { ...doc, tokens: without(doc.tokens, row), inputs: without(doc.inputs, row), given, faultPlace };
}

/**
 * One more number per input row, and a row of zeros in every matrix that it meets.
 * @param {Doc} doc @returns {Doc | Problem}
 */
export function addDimension(doc) {
  const { dIn, dOut } = sizesOf(doc);
  if (dIn === MAX_DIMENSIONS) return { problem: { id: 'problem-dimensions-many', args: { limit: MAX_DIMENSIONS } } };
  return { ...doc, inputs: doc.inputs.map((row) => [...row, 0]), ...projections(doc, (w) => [...w, zeros(dOut)]) };
}

/** @param {Doc} doc @returns {Doc | Problem} */
export function removeDimension(doc) {
  if (sizesOf(doc).dIn === 1) return { problem: { id: 'problem-dimensions-none' } };
  return { ...doc, inputs: doc.inputs.map((row) => row.slice(0, -1)), ...projections(doc, (w) => w.slice(0, -1)) };
}

/**
 * One more column of zeros in W_query, W_key and W_value; W_out grows by a row and column of the identity.
 * @param {Doc} doc @returns {Doc | Problem}
 */
export function addOutputColumn(doc) {
  const { dOut } = sizesOf(doc);
  if (dOut === MAX_DIMENSIONS) return { problem: { id: 'problem-outputs-many', args: { limit: MAX_DIMENSIONS } } };
  const w_out = [...doc.w_out.map((row) => [...row, 0]), [...zeros(dOut), 1]];
  return fittingHeads(doc, dOut + 1, { ...doc, w_out, ...projections(doc, (w) => w.map((row) => [...row, 0])) });
}

/** @param {Doc} doc @returns {Doc | Problem} */
export function removeOutputColumn(doc) {
  const { dOut } = sizesOf(doc);
  if (dOut === 1) return { problem: { id: 'problem-outputs-none' } };
  const w_out = doc.w_out.slice(0, -1).map((row) => row.slice(0, -1));
  return fittingHeads(doc, dOut - 1, { ...doc, w_out, ...projections(doc, (w) => w.map((row) => row.slice(0, -1))) });
}

/**
 * d_out may only become what the heads divide; heads that are not in force do not stand in the way.
 * @param {Doc} doc @param {number} dOut @param {Doc} resized @returns {Doc | Problem}
 */
function fittingHeads(doc, dOut, resized) {
  if (dOut % doc.heads === 0) return resized;
  if (headsInForce(doc) === 1) return { ...resized, heads: 1 };
  const valid = validHeads(dOut).join(', ');
  return { problem: { id: 'problem-width-heads', args: { dOut, heads: doc.heads, valid } } };
}

/** @param {Doc} doc @param {(w: number[][]) => number[][]} change */
function projections(doc, change) {
  return { w_query: change(doc.w_query), w_key: change(doc.w_key), w_value: change(doc.w_value) };
}

/** A label that no token has yet: "token 4". @param {string[]} tokens */
function newLabel(tokens) {
  let number = tokens.length + 1;
  while (tokens.includes(`token ${number}`)) number += 1;
  return `token ${number}`;
}

/** @param {number} n @returns {number[]} */
function zeros(n) {
  return new Array(n).fill(0);
}

/** @template T @param {T[]} list @param {number} index @returns {T[]} */
function without(list, index) {
  return list.filter((_, i) => i !== index);
}
