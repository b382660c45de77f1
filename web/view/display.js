/**
 * How numbers are shown: the decimals, and sums of columns beside those of rows. Pure. Next to read: legend.js.
 */

import { html } from 'lit-html';
import { live } from 'lit-html/directives/live.js';

/** @param {import('./frame.js').Frame} frame */
export function displayOptions({ state, t }) {
  const { digits, columnSums } = state.view;
  return html`<p class="display">
    <span class="digits" role="group" aria-label=${t('digits')}>${t('digits')}
      ${stepTo(digits - 1, '−', t('digits-fewer'), digits === 0)}
      <output>${digits}</output>
      ${stepTo(digits + 1, '+', t('digits-more'), digits === 6)}</span>
    <label><input type="checkbox" data-act="column-sums" value=${columnSums ? 'off' : 'on'} .checked=${live(columnSums)}>
      ${t('column-sums')}</label>
  </p>`;
}

/** @param {number} digits @param {string} sign @param {string} name @param {boolean} atEnd */
function stepTo(digits, sign, name, atEnd) {
  return html`<button type="button" data-act="digits" data-value=${digits} aria-label="${sign}: ${name}"
    aria-disabled=${atEnd ? 'true' : 'false'}>${sign}</button>`;
}
