/**
 * What the Open dialog shows: a field for a file and one for pasted text; then what they hold, and where it would go.
 * Pure. Next to read: dialog.js, ../app/opening.js.
 */

import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';

/** @typedef {Extract<import('./frame.js').Dialog, { kind: 'open' }>} Opening */

/** Rows that are shown at once, and from how many on they are searched. A model may hold hundreds. */
const MOST_SHOWN = 50;
const SEARCHED_FROM = 8;

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
    ${dialog.arrays.length > 0 ? choices(t, dialog) : nothing}
    <p class="open-summary">${dialog.summary}</p>
    <p class="controls"><button type="button" data-act="open-confirm" ?disabled=${!dialog.ready}>${t('open-confirm')}</button>
      <button type="button" data-act="open-dialog">${t('open-other')}</button></p></section>`;
}

/** @param {import('./frame.js').Frame['t']} t @param {Opening} dialog */
function choices(t, { arrays, find }) {
  const wanted = find.trim().toLowerCase();
  const matching = arrays.map((array, index) => ({ ...array, index }))
    .filter(({ name, stays }) => stays || name.toLowerCase().includes(wanted));
  const shown = matching.filter(({ stays }, i) => stays || i < MOST_SHOWN);
  const fit = arrays.filter(({ why }) => why === '').length;
  return html`${arrays.length > SEARCHED_FROM ? html`<p><label>${t('open-find')} <input class="field" type="search"
      data-act="open-find" autocomplete="off" spellcheck="false" .value=${live(find)}></label></p>
      <p class="note" aria-live="polite">${t('open-listed', { count: arrays.length, fit })}
        ${shown.length < arrays.length ? t('open-shown', { shown: shown.length }) : nothing}</p>` : nothing}
    <div class="scroller arrays" tabindex="0" role="region" aria-label=${t('open-arrays')}><table class="choices">
      <thead><tr>${['open-array', 'open-size', 'open-goes', 'open-turned'].map((id) => html`<th scope="col">${t(id)}</th>`)}</tr></thead>
      <tbody>${shown.map((array) => html`<tr><th scope="row"><bdi>${broken(array.name || t('open-unnamed'))}</bdi></th><td class="extent">${array.shape}</td>
        ${array.why === '' ? places(t, array) : html`<td colspan="2" class="why">${array.why}</td>`}</tr>`)}</tbody></table></div>`;
}

/** Where an array goes. @param {import('./frame.js').Frame['t']} t @param {Opening['arrays'][number] & { index: number }} array */
function places(t, { name, place, transpose, index }) {
  const called = name || t('open-unnamed');
  return html`<td><select data-act="open-place" aria-label=${t('open-place', { name: called })}>
      <option value=${`${index} `} .selected=${live(place === '')}>${t('open-nowhere')}</option>
      ${PLACES.map((to) => html`<option value="${index} ${to}" .selected=${live(to === place)}>${t(`name-${to}`)}</option>`)}</select></td>
    <td><label><input type="checkbox" data-act="open-transpose" value=${index} .checked=${live(transpose)}
      aria-label=${t('open-transpose', { name: called })}> ${t('open-turn')}</label></td>`;
}

/** Names of arrays are long and have no spaces: they may go on in a new line after a point or a dash. @param {string} name */
function broken(name) {
  return name.split(/(?<=[._/-])/).map((part) => html`${part}<wbr>`);
}
