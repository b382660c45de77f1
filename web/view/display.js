/**
 * The instrument of how numbers are shown: decimals, sums of columns beside those of rows, weight matrices as PyTorch
 * keeps them. Pure. Next to read: legend.js.
 */

import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { apart } from '../model/derive.js';
import { radioGroup, toggle } from './controls.js';

/** @param {import('./frame.js').Frame} frame */
export function display({ state, derived, t }) {
  const { kernelsApart } = derived.computed;
  const { kernels, digits, columnSums, linear } = state.view;
  return html`<p class="display">
    <span class="digits" role="group" aria-label=${t('digits')}>${t('digits')}
      ${stepTo(digits - 1, '−', t('digits-fewer'), digits === 0)}
      <output>${digits}</output>
      ${stepTo(digits + 1, '+', t('digits-more'), digits === 6)}</span>
    <label><input type="checkbox" data-act="column-sums" value=${columnSums ? 'off' : 'on'} .checked=${live(columnSums)}>
      ${t('column-sums')}</label>
    ${state.document.source === 'trained' ? toggle('linear', t('linear'), linear) : nothing}
    ${radioGroup('kernels', t('kernels'), kernels, [
      { value: 'plain', text: t('kernels-plain') },
      { value: 'simd', text: t('kernels-simd') },
    ], kernelsApart === null ? t('kernels-are')
      : `${t('kernels-are')} ${t('kernels-apart', { apart: apart(kernelsApart).replace(/^\+/, '') })}`)}
  </p>`;
}

/** @param {number} digits @param {string} sign @param {string} name @param {boolean} atEnd */
function stepTo(digits, sign, name, atEnd) {
  return html`<button type="button" data-act="digits" data-value=${digits} aria-label="${sign}: ${name}"
    aria-disabled=${atEnd ? 'true' : 'false'}>${sign}</button>`;
}
