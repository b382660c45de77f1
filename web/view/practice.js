/**
 * The practice: which inputs contribute to the context vector of token 3, and where the trainable matrices enter.
 * Hints come one at a time; the answer is the reader's, and is held against the numbers on the screen. Pure.
 * Next to read: chapter.js, ../app/notes.js.
 */

import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { doButton } from './does.js';
import { tokenLabel } from './cells.js';
import { listed } from './verdict.js';

/** @typedef {import('./frame.js').Frame} Frame */

const HINTS = ['sum', 'before', 'follow'];
const PLACES = ['projection', 'scores', 'softmax', 'sum', 'nowhere'];

/** Token 3, or the last there is. @param {Frame} frame */
const traced = ({ derived }) => Math.min(2, derived.nTokens - 1);

/** @param {Frame} frame */
export function practice(frame) {
  const { state, t } = frame;
  const { tokens } = state.document;
  const { hints, inputs, place, checked } = state.view.notes;
  const number = traced(frame) + 1;
  const shown = HINTS.slice(0, hints);
  return html`<section class="practice">
    <h3>${t('practice-title')}</h3>
    <p>${t('practice-task', { number })}</p>
    <fieldset><legend>${t('practice-inputs', { number })}</legend>
      ${tokens.map((label, i) => html`<label><input type="checkbox" data-act="practice-input" value=${i}
        .checked=${live(inputs.includes(i))}> ${tokenLabel(label, i)}</label>`)}</fieldset>
    <p><label>${t('practice-place')} <select data-act="practice-place">
      <option value="" .selected=${live(place === null)}>${t('practice-choose')}</option>
      ${PLACES.map((id) => html`<option value=${id} .selected=${live(id === place)}>${t(`practice-at-${id}`)}</option>`)}
    </select></label></p>
    <p class="controls">
      <button type="button" data-act="practice-check">${t('practice-check')}</button>
      ${doButton(frame, { act: 'inspect', value: `context_vecs:0,${number - 1},{column}`, say: 'trace-3' })}
      <button type="button" data-act="hint" aria-disabled=${shown.length === HINTS.length ? 'true' : 'false'}>${
        t('practice-hint', { given: shown.length, count: HINTS.length })}</button>
      ${shown.length === HINTS.length ? html`<small class="note">${t('practice-no-more')}</small>` : nothing}
    </p>
    ${shown.length > 0 ? html`<ol class="hints">${shown.map((id) => html`<li tabindex="-1">${t(`hint-${id}`)}</li>`)}</ol>` : nothing}
    ${checked ? answer(frame) : nothing}
  </section>`;
}

/** What was said beside what is so, for the numbers on the screen. @param {Frame} frame */
function answer(frame) {
  const { state, derived, t } = frame;
  if (derived.veils.length > 0) return html`<p class="practice-answer veiled" tabindex="-1">${t('veiled')}</p>`;
  const { inputs, place } = state.view.notes;
  const row = traced(frame);
  const all = state.document.tokens.map((_, i) => i);
  const allowed = all.filter((i) => !derived.masked || i <= row);
  const left = all.filter((i) => !allowed.includes(i));
  const trained = state.document.source === 'trained';
  const where = trained ? 'projection' : 'nowhere';
  return html`<dl class="practice-answer" tabindex="-1">
    <dt>${t('practice-inputs', { number: row + 1 })}</dt>
    <dd>${inputs.length > 0 ? t('practice-said', { what: listed(inputs) }) : t('practice-said-none')}
      ${t('practice-so', { what: listed(allowed) })}
      ${left.length > 0 ? t('practice-masked', { count: left.length, what: listed(left) }) : t('practice-zero')}</dd>
    <dt>${t('practice-place')}</dt>
    <dd>${place === null ? t('practice-said-none') : t('practice-said', { what: t(`practice-at-${place}`) })}
      ${t('practice-so', { what: t(`practice-at-${where}`) })}
      ${trained && state.document.project ? t('practice-w-out') : nothing}</dd>
  </dl>`;
}
