/**
 * The blend of one row as a short bar in the token colours, beside its context vector; a barred track where the weights
 * are no shares of one whole, nothing where one is hidden. For the eye alone: they stand as numbers in the same line. Pure. Next to read: blend.js.
 */

import { html, nothing, svg } from 'lit-html';
import { headRow, isDrawable, tokenClass } from '../model/derive.js';

/** @param {import('./frame.js').Frame} frame @param {number} row */
export function rowBar({ state, tensors }, row) {
  const weights = headRow(tensors.attn_weights, state.view.head, row);
  if (weights.some(Number.isNaN)) return nothing;
  if (!isDrawable(weights)) return html`<svg class="row-bar no-bar" aria-hidden="true"></svg>`;
  let start = 0;
  return html`<svg class="row-bar" aria-hidden="true">${weights.map((weight, token) => {
    const x = start;
    start += weight;
    const kind = tokenClass(token);
    return weight > 0 ? svg`<rect class=${kind} x="${x * 100}%" width="${weight * 100}%" height="100%"></rect>` : '';
  })}</svg>`;
}
