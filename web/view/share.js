/**
 * What the Share dialog shows: the link, and for short ones its QR code. Pure. Next to read: dialog.js.
 */

import { html, nothing } from 'lit-html';

/** Light squares that a QR code must have around it. */
const QUIET = 4;

/**
 * @param {import('./frame.js').Frame} frame
 * @param {Extract<import('./frame.js').Dialog, { kind: 'share' }>} dialog
 */
export function share({ t }, { url, length, limit, qr, local }) {
  if (url === null) {
    return html`<p>${t('share-long', { length, limit })}</p>
      <p class="controls"><button type="button" data-act="export">${t('share-file')}</button>
      <button type="button" data-act="class-dialog">${t('class-make')}</button></p>`;
  }
  return html`<p>${t('share-what', { length })}</p>
    <p class="controls"><label class="link">${t('share-link')} <input type="text" class="field" readonly .value=${url}></label>
      <button type="button" data-act="copy-link" data-value=${url}>${t('share-copy')}</button></p>
    <p class="controls"><button type="button" data-act="class-dialog">${t('class-make')}</button></p>
    ${local ? html`<p class="note">${t('share-local')}</p>` : nothing}
    ${qr ? picture(t, qr) : local ? nothing : html`<p class="note">${t('share-no-qr')}</p>`}`;
}

/** @param {import('./frame.js').Frame['t']} t @param {{ size: number, path: string }} qr */
function picture(t, { size, path }) {
  const side = size + 2 * QUIET;
  return html`<svg class="qr" role="img" aria-label=${t('share-qr')} viewBox="${-QUIET} ${-QUIET} ${side} ${side}"
    shape-rendering="crispEdges"><rect x=${-QUIET} y=${-QUIET} width=${side} height=${side}></rect><path d=${path}></path></svg>`;
}
