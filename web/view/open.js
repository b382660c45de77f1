/**
 * What the Open dialog shows: a field for a file and one for pasted text; then what they hold, and where it would go.
 * Pure. Next to read: dialog.js, ../app/opening.js.
 */

import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';

/** @typedef {Extract<import('./frame.js').Dialog, { kind: 'open' }>} Opening */

const PLACES = ['inputs', 'w_query', 'w_key', 'w_value', 'w_out', 'given'];

/** @param {import('./frame.js').Frame} frame @param {Opening} dialog */
export function openDialog({ t }, dialog) {
  if (dialog.name === null) {
    return html`<section><label>${t('open-which')} <input class="field" type="file" id="open-file" data-act="open-file"
        accept=".json,.csv,.tsv,.txt,.npy,.npz,.safetensors"></label>
        <p class="note">${t('open-kinds')}</p></section>
      <section><label for="open-text">${t('open-text')}</label><textarea class="field" id="open-text" spellcheck="false"></textarea>
        <p class="controls"><button type="button" data-act="open-text">${t('open-read')}</button></p></section>`;
  }
  return html`<section><p><bdi>${dialog.name}</bdi></p>
    ${dialog.arrays.length > 0 ? table(t, dialog.arrays) : nothing}
    <p class="open-summary">${dialog.summary}</p>
    <p class="controls"><button type="button" data-act="open-confirm" ?disabled=${!dialog.ready}>${t('open-confirm')}</button>
      <button type="button" data-act="open-dialog">${t('open-other')}</button></p></section>`;
}

/** @param {import('./frame.js').Frame['t']} t @param {Opening['arrays']} arrays */
function table(t, arrays) {
  return html`<div class="scroller" tabindex="0" role="region" aria-label=${t('open-arrays')}><table class="choices">
    <thead><tr>${['open-array', 'open-size', 'open-goes', 'open-turned'].map((id) => html`<th scope="col">${t(id)}</th>`)}</tr></thead>
    <tbody>${arrays.map(({ name, shape, place, transpose }, i) => html`<tr>
      <th scope="row"><bdi>${name || t('open-unnamed')}</bdi></th><td>${shape}</td>
      <td><select data-act="open-place" aria-label=${t('open-place', { name: name || t('open-unnamed') })}>
        <option value=${`${i} `} .selected=${live(place === '')}>${t('open-nowhere')}</option>
        ${PLACES.map((to) => html`<option value="${i} ${to}" .selected=${live(to === place)}>${t(`name-${to}`)}</option>`)}</select></td>
      <td><input type="checkbox" data-act="open-transpose" value=${i} .checked=${live(transpose)}
        aria-label=${t('open-transpose', { name: name || t('open-unnamed') })}></td>
    </tr>`)}</tbody></table></div>`;
}
