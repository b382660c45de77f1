// The second route and its comparison with the batched one, as plain objects: layer.js's methods of the same names are
// their public face and documentation. All numbers and all judgements are the core's. Read next: src/compare_routes.c.

import { finite } from './numbers.js';
import { readObject } from './options.js';

/**
 * @typedef {import('./handle.js').Handle} Handle
 * @typedef {'agree' | 'one row' | 'some rows' | 'every row'} Verdict
 *
 * @typedef {object} RowDifference
 * @property {number} batch
 * @property {number} token the row of context_vecs that differs
 * @property {number} position the first position of the row that differs
 * @property {number | null} term in that position's sum, the first term (key row) that differs; null where all terms
 *   are equal and the sum itself is at fault
 * @property {number} batched context_vecs at that position
 * @property {number} oneToken the second route's number there
 *
 * @typedef {object} Comparison
 * @property {Verdict} verdict 'some rows' also where all rows draw on the one token whose value is at fault
 * @property {RowDifference[]} rows those that differ
 * @property {number | null} drawsOn with 'some rows': the token that exactly these rows draw on, if there is one
 * @property {number} tolerance
 */

/** @param {Handle} handle @param {unknown} token @param {unknown} batch */
export function contextOneToken(handle, token, batch) {
  const c = handle.exports('contextOneToken');
  const { nTokens, nBatch } = handle.shape;
  const indices = [handle.index('token', token, nTokens), handle.index('batch', batch, nBatch)];
  const [row, sequence] = indices.map(({ value }) => value);
  handle.check(c.attn_context_one_token(handle.pointer, sequence, row), { indices });
  const pointer = c.attn_one_token_context(handle.pointer);
  const [width] = handle.dims(handle.find('context_vecs')).slice(-1);
  return { context: handle.core.floats(pointer, width).slice() };
}

/** @param {Handle} handle @param {number} batch @param {number} token @returns {RowDifference[]} none or one */
function difference(handle, batch, token) {
  const c = handle.core.exports;
  const place = /** @type {const} */ ([handle.pointer, batch, token]);
  const first = c.attn_routes_position(...place);
  if (first < 0) return [];
  const term = c.attn_routes_term(...place);
  return [{
    batch,
    token,
    position: first,
    term: term < 0 ? null : term,
    batched: c.attn_routes_batched(...place),
    oneToken: c.attn_routes_one_token(...place),
  }];
}

/** @param {Handle} handle @param {unknown} options @returns {Comparison} */
export function compareRoutes(handle, options) {
  const c = handle.exports('compareRoutes');
  const { tolerance: given = 1e-6 } = readObject(options, ['tolerance'], 'compareRoutes');
  const tolerance = finite(given, 'tolerance');
  handle.check(c.attn_compare_routes(handle.pointer, tolerance),
    { asked: 'compareRoutes()', what: 'tolerance', range: ', 0 or more', value: tolerance, tensor: 'context_vecs' });
  const { nBatch, nTokens } = handle.shape;
  const rows = Array.from({ length: nBatch * nTokens },
    (_, row) => difference(handle, Math.floor(row / nTokens), row % nTokens)).flat();
  const verdict = /** @type {Verdict} */ (handle.core.text(c.attn_routes_verdict(handle.pointer)));
  const drawsOn = c.attn_routes_draws_on(handle.pointer);
  return { verdict, rows, drawsOn: drawsOn < 0 ? null : drawsOn, tolerance };
}

/** @param {Handle} handle @param {unknown} token @param {unknown} position @param {unknown} batch */
export function routeTerms(handle, token, position, batch) {
  const c = handle.exports('routeTerms');
  const { nBatch, nTokens } = handle.shape;
  const [width] = handle.dims(handle.find('context_vecs')).slice(-1);
  const indices = [
    handle.index('token', token, nTokens), handle.index('position', position, width),
    handle.index('batch', batch, nBatch),
  ];
  const [row, column, sequence] = indices.map(({ value }) => value);
  handle.check(c.attn_route_terms(handle.pointer, sequence, row, column), { asked: 'routeTerms()', indices, tensor: 'context_vecs' });
  const terms = [...Array(nTokens).keys()];
  return {
    batched: terms.map((term) => c.attn_route_term_batched(handle.pointer, term)),
    oneToken: terms.map((term) => c.attn_route_term_one_token(handle.pointer, term)),
  };
}
