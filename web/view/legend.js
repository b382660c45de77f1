/**
 * What the colours mean: one scale for weights, fixed to 0 … 1; one for signed numbers, symmetric about 0. Pure.
 * Next to read: ../model/derive.js, which chooses the classes.
 */

import { html, nothing } from 'lit-html';
import { figures, headRows, isOutOfRange, signedClass, tokenClass, weightClass } from '../model/derive.js';

/** @typedef {import('./frame.js').Frame} Frame */

/** @param {Frame} frame */
export function legends(frame) {
  const { derived, state, tensors, t } = frame;
  const trained = state.document.source === 'trained';
  const marked = headRows(tensors.attn_weights, state.view.head).flat().some(isOutOfRange);
  return html`<div class="legends">
    ${scale(t('legend-weights'), '0', '1', steps(0, 1).map(weightClass))}
    ${signedScale(t(`legend-${derived.blended}`), derived.figureLimit)}
    ${trained && tensors.w_query ? signedScale(t('legend-parameters'), derived.weightLimit) : nothing}
    <span class="legend"><span class="swatches" aria-hidden="true">${[0, 1, 2].map((token) => html`<i
      class="swatch ${tokenClass(token)}"></i>`)}</span> ${t('legend-row-bars')}</span>
    ${marked ? html`<span class="legend"><i class="swatch out-of-range" aria-hidden="true"></i> ${t('legend-out-of-range')}</span>` : nothing}
    ${derived.masked ? html`<span class="legend"><i class="swatch masked"></i> ${t('masked')}</span>` : nothing}
  </div>`;
}

/** @param {string} name @param {number} limit */
export function signedScale(name, limit) {
  const end = figures(limit, 7);
  return scale(name, `\u2212${end}`, end, steps(-limit, limit).map((value) => signedClass(value, limit)));
}

/** @param {string} name @param {string} from @param {string} to @param {string[]} classes */
function scale(name, from, to, classes) {
  return html`<span class="legend">${name} <span class="number">${from}</span><span class="swatches" aria-hidden="true">${
    classes.map((kind) => html`<i class="swatch ${kind}"></i>`)}</span><span class="number">${to}</span></span>`;
}

/** Eleven values from one end to the other. @param {number} from @param {number} to */
function steps(from, to) {
  return Array.from({ length: 11 }, (_, i) => from + ((to - from) * i) / 10);
}
