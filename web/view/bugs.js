/**
 * Bugs planted on purpose: the banner while one is planted, the list of all with what each needs to show, and the
 * mystery bug that a seed chooses. Pure. Next to read: ../app/bug-acts.js, ../model/mystery.js.
 */

import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { MAX_SEED, ROW_STAGES, STAGES, placeOf } from '../model/derive.js';
import { listed } from './verdict.js';

/**
 * @typedef {import('./frame.js').Frame} Frame
 * @typedef {import('../model/derive.js').Computed['faults'][number]} Fault
 */

/** Says at the top of the page that its numbers are wrong on purpose. @param {Frame} frame */
export function bugBanner(frame) {
  const { state, t } = frame;
  const { document: doc, view } = state;
  if (doc.fault === 'none') return nothing;
  const unseen = view.mystery && !view.mystery.revealed;
  const missing = unseen ? null : planted(frame)?.missing;
  return html`<section class="bug-banner" aria-label=${t('bug-banner')}>
    <p><strong>${unseen ? t('bug-banner-mystery', { seed: String(view.mystery?.seed) })
      : t('bug-banner-named', { name: nameOf(frame, doc.fault) })}</strong>
      ${missing ? t('bug-banner-hidden', { why: t(`missing-${missing}`) }) : t('bug-banner-note')}</p>
    <span class="controls">
      ${view.panels.includes('bugs') ? nothing
        : html`<button type="button" data-act="show" data-value="bugs">${t('panel-bugs')}</button>`}
      <button type="button" data-act="mend">${t('bug-mend')}</button>
    </span>
  </section>`;
}

/** @param {Frame} frame */
export function bugs(frame) {
  const { derived, t } = frame;
  const { faults } = derived.computed;
  return html`
    <p class="note">${t('bugs-about')}</p>
    ${mystery(frame)}
    <p class="controls">${placeChooser(frame)}</p>
    <ul class="bug-list">${faults.map((fault) => item(frame, fault))}</ul>`;
}

/** The bug that is planted and known by name. @param {Frame} frame @returns {Fault | undefined} */
function planted({ state, derived }) {
  return derived.computed.faults.find(({ name }) => name === state.document.fault);
}

/** Its name, with the row or token that it is about. @param {Frame} frame @param {string} fault */
function nameOf({ state, derived, t }, fault) {
  const place = derived.computed.faults.find(({ name }) => name === fault)?.hasPlace;
  return place ? t('bug-at', { name: t(`bug-${fault}`), place: state.document.faultPlace + 1 }) : t(`bug-${fault}`);
}

/** Which row or token the bugs that are about one are planted in. @param {Frame} frame */
function placeChooser(frame) {
  const { state, t } = frame;
  const { document: doc, view } = state;
  const at = planted(frame)?.hasPlace && !view.mystery ? doc.faultPlace : view.row;
  return html`<label>${t('bug-place')}
    <select data-act="place">${doc.tokens.map((label, i) => html`<option value=${i}
      .selected=${live(i === at)}>${i + 1} ${label}</option>`)}</select></label>`;
}

/** @param {Frame} frame @param {Fault} fault */
function item(frame, { name, missing, hasPlace }) {
  const { state, t } = frame;
  const here = state.document.fault === name && !(state.view.mystery && !state.view.mystery.revealed);
  const id = `bug-${name}`;
  return html`<li class=${here ? 'planted' : ''}>
    <div><h3 id=${id}>${t(id)}</h3>
      <p>${t(`${id}-about`)}</p>
      ${missing ? html`<p class="why" id="why-${name}">${t('bug-needs', { why: t(`missing-${missing}`) })}</p>` : nothing}
      ${name === 'mask_fill_large' && missing ? html`<p><button type="button" data-act="bring"
        data-value="huge-scores">${t('bug-example')}</button></p>` : nothing}</div>
    <button type="button" data-act=${here ? 'mend' : 'plant'} data-value=${name} ?disabled=${!here && missing !== null}
      aria-describedby=${missing ? `${id} why-${name}` : id}>${here ? t('bug-mend')
        : hasPlace ? t('bug-plant-at', { place: state.view.row + 1 }) : t('bug-plant')}</button>
  </li>`;
}

/** @param {Frame} frame */
function mystery(frame) {
  const { state, t } = frame;
  const { mystery: hidden } = state.view;
  return html`<section class="mystery">
    <h3>${t('mystery-title')}</h3>
    <p class="note">${t('mystery-about')}</p>
    <p class="controls"><label>${t('mystery-seed')} <input id="mystery-seed" type="text" inputmode="numeric" data-enter="mystery"
        autocomplete="off" value=${hidden?.seed ?? 1} aria-describedby="mystery-range"></label>
      <button type="button" data-act="mystery">${t('mystery-plant')}</button>
      <small id="mystery-range" class="note">${t('mystery-range', { limit: String(MAX_SEED) })}</small></p>
    ${hidden ? guess(frame, hidden) : nothing}
  </section>`;
}

/** One says where it is; only then is it named. @param {Frame} frame @param {import('../model/derive.js').Mystery} hidden */
function guess(frame, { guess: said, revealed }) {
  const { state, t } = frame;
  const { document: doc } = state;
  const option = (/** @type {string} */ place) => html`<option value=${place}
    .selected=${live(place === said)}>${placeName(frame, place)}</option>`;
  if (revealed) {
    return html`<p class="revealed" tabindex="-1">${t('mystery-said', { place: said ? placeName(frame, said) : '' })}
      ${t('mystery-is', { name: nameOf(frame, doc.fault), place: placeName(frame, placeOf(doc.fault, doc.faultPlace)) })}
      ${t(`bug-${doc.fault}-about`)}</p>`;
  }
  return html`<p class="controls">
    <label>${t('mystery-where')} <select data-act="guess">
      <option value="" .selected=${live(said === null)}>${t('mystery-choose')}</option>
      <optgroup label=${t('mystery-stages')}>${STAGES.map(option)}</optgroup>
      ${ROW_STAGES.map((stage) => html`<optgroup label=${t(`place-${stage}s`)}>${doc.tokens.map((_, row) =>
        option(`${stage}:${row}`))}</optgroup>`)}
    </select></label>
    <button type="button" data-act="reveal" ?disabled=${said === null} aria-describedby="why-reveal">${t('mystery-reveal')}</button>
    <small class="note" id="why-reveal">${said === null ? t('mystery-first') : t('mystery-change')}</small></p>`;
}

/** Where a bug may be. @param {Frame} frame @param {string} place "mask" or "weights-row:2" */
export function placeName({ t }, place) {
  const [stage, row] = place.split(':');
  return row === undefined ? t(`place-${stage}`) : t(`place-${stage}`, { row: listed([Number(row)]) });
}
