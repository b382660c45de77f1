/**
 * The whole page as a pure function of one frame. What is open depends on where the weights come from.
 * Next to read: frame.js (what a frame is), controls.js, figure.js, side.js.
 */

import { html, nothing } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import { HIDDEN, exact, isLeftOut, veiled } from '../model/derive.js';
import { blendBar } from './blend.js';
import { bugBanner } from './bugs.js';
import { classBar } from './classroom.js';
import { switches, topBar } from './controls.js';
import { figure } from './figure.js';
import { dialog } from './dialog.js';
import { allHeads, outputs } from './heads.js';
import { numberCard } from './inspector.js';
import { lesson } from './lesson.js';
import { legends } from './legend.js';
import { matrices } from './matrices.js';
import { editBar, notice, readout } from './notice.js';
import { panels } from './panels.js';
import { presentation } from './present.js';
import { trainBar } from './train-bar.js';
import { routesCard, rowCard } from './side.js';

/** @typedef {import('./frame.js').Frame} Frame */

/**
 * The parts that must stay the same elements, whatever is shown, are the notice and the dialog.
 * @param {Frame} frame
 * @param {Frame} [rest]  what is still shown where an edit is not looked for first: the frame before it
 */
export function page(frame, rest = frame) {
  const presenting = frame.state.view.present !== null;
  return html`
    ${presenting ? nothing : guard([rest], () => above(rest))}
    ${notice(frame)}
    ${presenting ? presentation(frame) : workplace(frame, rest)}
    ${dialog(frame)}`;
}

/** @param {Frame} frame */
function above(frame) {
  return html`${topBar(frame)} ${isLeftOut(frame.state, 'switches') ? nothing : switches(frame)}
    ${isLeftOut(frame.state, 'lesson') && !frame.state.view.question ? nothing : lesson(frame)}`;
}

/** @param {Frame} frame @param {Frame} rest */
function workplace(frame, rest) {
  const { state, derived } = frame;
  // A wide figure takes the whole line; else the chosen row is written out beside it. Long numbers make it wide.
  const wide = state.document.source === 'trained' || derived.nTokens > 8 || derived.width > 4 || state.view.digits > 3;
  // Where both do not fit beside the figure, the number that is open comes first.
  const cards = wide || derived.nTokens > 4 ? [numberCard, rowCard] : [rowCard, numberCard];
  return html`
    ${classBar(frame)}
    ${bugBanner(frame)}
    <main class="layout digits-${state.view.digits} ${state.document.source} ${wide ? 'wide' : ''}">
      ${matrices(frame)}
      <section class="card heart">
        ${headline(frame)}
        <div class="figure">${figure(frame, rest)} ${legends(frame)}</div>
        <div class="explain">
          ${isLeftOut(state, 'blend') ? nothing : blendBar(frame)}
          ${oddRows(frame)}
          ${guard([rest], () => allHeads(rest))}
          ${readout(frame)}
        </div>
        <div class="side">${isLeftOut(state, 'arithmetic') ? nothing : cards.map((card) => card(frame))}
          ${isLeftOut(state, 'verdict') ? nothing : guard([rest], () => routesCard(rest))}</div>
        <div class="below">${guard([rest], () => outputs(rest))}</div>
        <p class="note origin">${frame.t(`origin-${state.document.example}`)}</p>
      </section>
      ${guard([rest], () => panels(rest))}
      ${editBar(frame)}
    </main>`;
}

/** The one sentence, the one line of code, and the shapes with the inner size cancelled. @param {Frame} frame */
function headline(frame) {
  const { derived, t } = frame;
  const [rows, columns] = [derived.nTokens, derived.headDim];
  const hidden = veiled(derived.veils, 'shape of context_vecs');
  return html`<header class="headline">
    <h2>${t(`headline-${derived.blended}`, { masked: derived.masked ? 'yes' : 'no' })}</h2>
    <p class="product" role="img" aria-label=${hidden ? t('veiled') : t('shape-name', { rows, inner: rows, columns })}>${hidden ? html`(${HIDDEN}) (${HIDDEN}) = (${HIDDEN})`
        : html`(${rows}×<b>${rows}</b>) (<b>${rows}</b>×${columns}) = (${rows}×${columns})`}${derived.heads > 1 ? html` <small>${t('shape-head')}</small>` : nothing}</p>
    <p class="axes"><code>attn_weights @ ${derived.blended} = context_vecs</code> · <span>${t('axes-rows')}</span>
      · <span>${t('axes-columns')}</span>${derived.heads > 1 ? html` · <span>${t('sizes-heads', {
        width: derived.width, heads: derived.heads, headDim: derived.headDim,
      })}</span>` : nothing}</p>
    ${trainBar(frame)}
  </header>`;
}

/** Given rows that do not sum to 1 say so and offer to be divided by their sum. @param {Frame} frame */
function oddRows(frame) {
  const { derived, t } = frame;
  if (derived.oddRows.length === 0) return nothing;
  return html`<ul class="odd-rows">${derived.oddRows.map(({ row, sum, canNormalise }) => html`<li>
    ${t('odd-row', { row: row + 1, sum: exact(sum) })}
    ${canNormalise ? html`<button type="button" data-act="normalise" data-value=${row}>${t('normalise', { row: row + 1 })}</button>`
      : t('odd-row-zero')}</li>`)}</ul>`;
}
