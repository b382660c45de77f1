/**
 * How numbers are shown: the decimals, and sums of columns beside those of rows. Pure. Next to read: legend.js.
 */

import { html } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { toggle } from './controls.js';

/** @param {import('./frame.js').Frame} frame */
export function displayOptions({ state, t }) {
  const { digits, columnSums } = state.view;
  return html`<p class="display">
    <label>${t('digits')} <select data-act="digits">${[0, 1, 2, 3, 4, 5, 6].map((count) => html`<option value=${count}
      .selected=${live(count === digits)}>${count}</option>`)}</select></label>
    ${toggle('column-sums', t('column-sums'), columnSums)}
  </p>`;
}
