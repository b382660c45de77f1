/**
 * What is shown to a class: the figure or one instrument, large, and nothing else but a bar of presenter's buttons with
 * their keys. Blank, the screen is dark and nothing of the page is in it. Pure. Next to read: page.js,
 * ../app/present.js (keys, size of the type).
 */

import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { isLeftOut } from '../model/derive.js';
import { writtenSum } from './blend.js';
import { toggle } from './controls.js';
import { figure } from './figure.js';
import { numberCard } from './inspector.js';
import { legends } from './legend.js';
import { lessonSentence } from './lesson.js';
import { instrumentOf, instrumentsHere } from './panels.js';
import { questionCard } from './question.js';

/** @typedef {import('./frame.js').Frame} Frame */

/** @param {Frame} frame */
export function presentation(frame) {
  const { state, derived, ui, t } = frame;
  if (ui.blank) {
    return html`<main class="blanked"><button type="button" id="present-title" data-act="blank">${
      t('present-unblank')} <kbd>B</kbd></button></main>`;
  }
  const what = state.view.present;
  const headline = what === 'figure' || what === null
    ? t(`headline-${derived.blended}`, { masked: derived.masked ? 'yes' : 'no' }) : t(`panel-${what}`);
  return html`<main class="presentation digits-${state.view.digits} ${state.document.source}" aria-label=${t('present-title')}>
    <h1 class="heard">${t('title')}</h1>
    <h2 id="present-title" tabindex="-1">${headline}</h2>
    ${state.view.question ? questionCard(frame) : lessonSentence(frame)}
    <div class="shown ${what} ${what === 'figure' ? '' : 'instrument'}">${what === 'figure' || what === null ? html`
      <div class="figure">${figure(frame)} ${legends(frame)}</div>
      ${isLeftOut(state, 'arithmetic') ? nothing : html`<div class="present-sum">${derived.computed.trace ? numberCard(frame) : writtenSum(frame)}</div>`}`
      : instrumentOf(frame, what)}</div>
    ${bar(frame)}
  </main>`;
}

/** @param {Frame} frame */
function bar(frame) {
  const { state, t } = frame;
  const { present, row, classroom } = state.view;
  const count = state.document.tokens.length;
  const rows = classroom?.rows ?? null;
  return html`<div class="present-bar" role="group" aria-label=${t('present-keys')}>
    <label>${t('present-what')} <select data-act="present-what">
      <option value="figure" .selected=${live(present === 'figure')}>${t('present-figure')}</option>
      ${instrumentsHere(frame).map((panel) => html`<option value=${panel} .selected=${live(present === panel)}>${t(`panel-${panel}`)}</option>`)}
    </select></label>
    ${button('present-back', t('present-back'), '←')}
    ${button('present-next', t('present-next'), '→')}
    ${button('present-row', t('present-row-up'), '↑', { value: '-1', disabled: row === 0 })}
    ${button('present-row', t('present-row-down'), '↓', { value: '1', disabled: row === count - 1 })}
    ${toggle('one-by-one', t('present-one-by-one'), rows !== null)}
    ${rows === null ? nothing : html`<span class="rows-shown">${t('present-shown', { rows, count })}</span>`}
    ${button('blank', t('present-blank'), 'B')}
    ${button('present-leave', t('present-leave'), 'Esc')}
  </div>`;
}

/** @param {string} act @param {string} text @param {string} key @param {{ value?: string, disabled?: boolean }} [how] */
function button(act, text, key, { value = '', disabled = false } = {}) {
  return html`<button type="button" data-act=${act} data-value=${value} ?disabled=${disabled}>${text} <kbd>${key}</kbd></button>`;
}
