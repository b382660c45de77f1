/**
 * Beside the figure: the chosen row written out, and whether the second route agrees. Pure. Next to read: blend.js.
 */

import { html, nothing } from 'lit-html';
import { writtenSum } from './blend.js';
import { stepper } from './stepper.js';

/** @typedef {import('./frame.js').Frame} Frame */

/** @param {Frame} frame */
export function rowCard(frame) {
  const { state, t } = frame;
  const { row } = state.view;
  const { tokens } = state.document;
  return html`<section class="part row-card" aria-label=${t('inspector-title', { row: row + 1, label: tokens[row] })}>
    <header>
      <h3 id="row-title" tabindex="-1">${t('inspector-title', { row: row + 1, label: tokens[row] })}</h3>
      <span class="steps">
        <button type="button" data-act="row" data-value=${row - 1} aria-label=${t('previous-row')} ?disabled=${row === 0}>‹</button>
        <button type="button" data-act="row" data-value=${row + 1} aria-label=${t('next-row')}
          ?disabled=${row === tokens.length - 1}>›</button>
      </span>
    </header>
    ${frame.derived.computed.trace ? nothing : stepper(frame, frame.derived.computed.rowTraces[0].terms.length)}
    ${writtenSum(frame)}
  </section>`;
}

/** @param {Frame} frame */
export function routesCard(frame) {
  const { derived, t } = frame;
  const { verdict, rows } = derived.computed.routes;
  const agree = verdict === 'agree';
  return html`<section class="part routes-card">
    <header>
      <h3>${t(agree ? 'routes-agree' : 'routes-differ')}</h3>
      <span class="badge ${agree ? 'good' : 'bad'}">${t('routes-count', {
        agree: derived.nTokens - rows.length, rows: derived.nTokens,
      })}</span>
    </header>
    <p class="note">${t('routes-about')}</p>
    ${agree ? nothing : html`<p>${t('routes-where', { row: rows[0].token + 1, position: rows[0].position + 1 })}</p>`}
  </section>`;
}
