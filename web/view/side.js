/**
 * Beside the figure: the chosen row written out, and whether the second route agrees. Pure. Next to read: blend.js.
 */

import { html, nothing } from 'lit-html';
import { isHidden } from '../model/derive.js';
import { writtenSum } from './blend.js';
import { stepOpener, stepper } from './stepper.js';
import { agreed, verdict } from './verdict.js';

/** @typedef {import('./frame.js').Frame} Frame */

/** @param {Frame} frame */
export function rowCard(frame) {
  const { state, t } = frame;
  const { row, step } = state.view;
  const { tokens } = state.document;
  const { trace, rowTraces } = frame.derived.computed;
  const folded = trace || rowTraces.some(isHidden);
  return html`<section class="part row-card" aria-label=${t('inspector-title', { row: row + 1, label: tokens[row] })}>
    <header>
      <h3 id="row-title" class="cut" tabindex="-1" title=${tokens[row]}>${t('inspector-title', { row: row + 1, label: tokens[row] })}</h3>
      <span class="steps">
        ${folded || step !== null ? nothing : stepOpener(frame)}
        <button type="button" data-act="row" data-value=${row - 1} aria-label=${t('previous-row')} ?disabled=${row === 0}>‹</button>
        <button type="button" data-act="row" data-value=${row + 1} aria-label=${t('next-row')}
          ?disabled=${row === tokens.length - 1}>›</button>
      </span>
    </header>
    ${folded || step === null ? nothing : stepper(frame, rowTraces[0].terms.length)}
    ${writtenSum(frame)}
  </section>`;
}

/** @param {Frame} frame */
export function routesCard(frame) {
  const { state, derived, t } = frame;
  const { rows } = derived.computed.routes;
  const agree = rows.length === 0;
  const open = state.view.panels.includes('routes');
  return html`<section class="part routes-card">
    <header>
      <h3>${t(agree ? 'routes-agree' : 'routes-differ')}</h3>
      <span class="badge ${agreed(frame) ? 'good' : 'bad'}">${t('routes-count', {
        agree: derived.nTokens - rows.length, rows: derived.nTokens,
      })}</span>
      ${open ? nothing : html`<button type="button" data-act="show" data-value="routes" aria-label=${t('routes-open')}>${
        t('routes-open-short')}</button>`}
    </header>
    ${agree && agreed(frame) ? nothing : html`<p class="note">${verdict(frame)}</p>`}
  </section>`;
}
