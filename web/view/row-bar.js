/**
 * The blend of one row as a short bar in the token colours, beside its context vector. For the eye alone: the weights
 * stand as numbers in the same line, and the legend says once what the bars are. Pure. Next to read: blend.js.
 */

import { html, svg } from 'lit-html';
import { headRows, tokenClass } from '../model/derive.js';

/** @param {import('./frame.js').Frame} frame @param {number} row */
export function rowBar({ state, tensors }, row) {
  const weights = headRows(tensors.attn_weights, state.view.head)[row];
  let start = 0;
  // What is masked has weight 0 and no part in the bar; what is less than 0 cannot be drawn, nor what goes beyond 1.
  return html`<svg class="row-bar" aria-hidden="true">${weights.map((weight, token) => {
    const [x, length] = [start, Math.min(1 - start, Math.max(0, weight))];
    start += length;
    const kind = tokenClass(token);
    return length > 0 ? svg`<rect class=${kind} x="${x * 100}%" width="${length * 100}%" height="100%"></rect>` : '';
  })}</svg>`;
}
