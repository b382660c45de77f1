/**
 * A document in the words of the engine: the options of its layer and the tensors to set. Computes nothing.
 * Next to read: runner.js, checks.js.
 */

import { sizesOf } from '../model/state.js';

/**
 * @typedef {import('../model/state.js').Doc} Doc
 * @typedef {import('../engine/checks/state.js').Setup} Setup
 */

/** The bug planted in a document, as the options of a layer. @param {Doc} doc */
export function faultOf({ fault, faultPlace }) {
  return { fault: /** @type {import('../engine/options.js').FaultName} */ (fault), faultPlace };
}

/**
 * All that a document's computation starts from, without the bug. Its numbers are read one by one and held against their
 * arithmetic: so by the plain kernels, which round but once, unless the others are asked for.
 * @param {Doc} doc @param {import('../model/state.js').Kernels} [kernels] @returns {Setup}
 */
export function setupOf(doc, kernels = 'plain') {
  const { nTokens, dIn, dOut, heads } = sizesOf(doc);
  const trained = doc.source === 'trained';
  const outputProjection = trained && doc.project;
  const { source: scoreSource, scale, causal } = doc;
  /** @type {Setup['tensors']} */
  const tensors = { inputs: doc.inputs };
  if (doc.source === 'given') tensors.attn_weights = doc.given;
  if (trained) Object.assign(tensors, { w_query: doc.w_query, w_key: doc.w_key, w_value: doc.w_value });
  if (outputProjection) tensors.w_out = doc.w_out;
  const settings = /** @type {const} */ ({ scoreSource, scale, causal, kernels });
  return { options: { nTokens, dIn, dOut, nHeads: heads, outputProjection, ...settings }, tensors };
}

/** A document as it was when only its first tokens had arrived. @param {Doc} doc @param {number} count @returns {Doc} */
export function firstTokens(doc, count) {
  return {
    ...doc,
    tokens: doc.tokens.slice(0, count),
    inputs: doc.inputs.slice(0, count),
    given: doc.given && doc.given.slice(0, count).map((row) => row.slice(0, count)),
    // A bug in a row that has not arrived is not there yet.
    ...(doc.faultPlace < count ? {} : { fault: 'none', faultPlace: 0 }),
  };
}
