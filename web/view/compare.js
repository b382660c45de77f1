/**
 * A state that was pinned against the one on the screen, as heatmaps of the difference; and what the heads do, in
 * figures. Pure; what is subtracted, the module subtracts. Next to read: ../app/comparisons.js.
 */

import { html, nothing } from 'lit-html';
import { apart, brief, exact, headRows, limitOfDifference, rowsOf, signedClass } from '../model/derive.js';
import { dimensions, hiddenCell, tokenLabel, tokenNumber } from './cells.js';
import { signedScale } from './legend.js';
import { plainTable } from './plain-table.js';

/**
 * @typedef {import('./frame.js').Frame} Frame
 * @typedef {import('../model/derive.js').Tensor} Tensor
 * @typedef {import('../model/derive.js').Readouts} Readouts
 * @typedef {NonNullable<import('../model/derive.js').Computed['pinned']>} Pinned
 */

const FIGURES = /** @type {const} */ (['entropy', 'self', 'previous', 'first', 'mean_weight']);

/** @param {Frame} frame */
export function compare(frame) {
  const { derived, t } = frame;
  const { pinned } = derived.computed;
  return html`
    <p class="controls">
      <button type="button" data-act="pin">${t(pinned ? 'pin-again' : 'pin')}</button>
      ${pinned ? html`<button type="button" data-act="unpin">${t('unpin')}</button>` : nothing}
      <span class="note">${pinned ? t('pin-next') : t('pin-about')}</span>
    </p>
    ${pinned ? differences(frame, pinned) : nothing}
    <section><h3>${t('readouts-title')}</h3>${readouts(frame, pinned)}
      <p class="note">${t('readouts-note', { tokens: derived.nTokens, most: brief(Math.log2(derived.nTokens), 2) })}</p></section>`;
}

/** @param {Frame} frame @param {Pinned} pinned */
function differences(frame, pinned) {
  const { state, derived, t } = frame;
  const { head } = state.view;
  const { weights, context } = pinned;
  const pinnedHeads = pinned.tensors.attn_weights.shape[1];
  const other = Math.min(head, pinnedHeads - 1);
  const size = (/** @type {Tensor} */ { shape }) => shape.slice(-2).join(' × ');
  const several = derived.heads > 1 || pinnedHeads > 1;
  return html`<p>${t('pinned-was', { what: settings(frame, state.view.pinned) })}<br>${t('pinned-is', { what: settings(frame, state.document) })}</p>
    <div class="columns">
      <section><h3>${t('difference-of', { name: t('name-attn_weights') })}
        ${several ? html`<span class="of-head">${t('difference-heads', { head: head + 1, other: other + 1 })}</span>` : nothing}</h3>
        ${weights ? heatmap(frame, t('name-attn_weights'), weights, headRows(weights, head), keys(frame))
          : t('difference-none', { now: size(frame.tensors.attn_weights), then: size(pinned.tensors.attn_weights) })}</section>
      <section><h3>${t('difference-of', { name: t('name-context_vecs') })}</h3>
        ${context ? heatmap(frame, t('name-context_vecs'), context, rowsOf(context), dimensions('z', derived.width))
          : t('difference-none', { now: size(frame.tensors.context_vecs), then: size(pinned.tensors.context_vecs) })}</section>
    </div>`;
}

/** @param {Frame} frame */
function keys({ state, t }) {
  return state.document.tokens.map((label, i) => ({ content: tokenNumber(i), name: t('key-column', { number: i + 1, label }) }));
}

/** What a state is set to, in words. @param {Frame} frame @param {import('../model/derive.js').State['document'] | null} doc */
function settings({ t }, doc) {
  if (!doc) return '';
  const parts = [
    t(`example-${doc.example}`), t(`source-${doc.source}`), t(doc.causal ? 'mask-on' : 'mask-off'),
    ...(doc.source === 'trained' ? [t('pinned-heads', { count: doc.heads })] : []),
    ...(doc.training ? [t('pinned-step', { step: String(doc.training.step) })] : []),
    ...(doc.fault === 'none' ? [] : [t('pinned-bug')]),
  ];
  return parts.join(' · ');
}

/** @param {Frame} frame @param {string} name @param {Tensor} all for the scale @param {number[][]} rows @param {import('./grid.js').Header[]} columns */
function heatmap({ state, t }, name, all, rows, columns) {
  const limit = limitOfDifference(all);
  const same = all.data.every((value) => value === 0 || Number.isNaN(value));
  return html`${plainTable({
    name: t('difference-of', { name }),
    columns,
    rows: state.document.tokens.map((label, i) => ({ content: tokenLabel(label, i), name: t('row-name', { row: i + 1, label }) })),
    cell: (row, column) => {
      const value = rows[row][column];
      if (Number.isNaN(value)) return hiddenCell(t);
      return { text: apart(value), title: exact(value), kind: `${signedClass(value, limit)} ${value === 0 ? 'zero' : ''}` };
    },
    rowKind: (row) => (row === state.view.row ? 'chosen' : ''),
    kind: 'figures',
  })}
  ${same ? html`<p class="note">${t('difference-zero')}</p>`
    : html`<p class="legends">${signedScale(t('difference-legend'), limit)}</p>`}`;
}

/** @param {Frame} frame @param {Pinned | null} pinned */
function readouts({ derived, t }, pinned) {
  const now = derived.computed.readouts;
  const lines = [
    ...now.map((figures, head) => ({ name: t('head-columns', { head: head + 1 }), figures })),
    ...(pinned?.readouts ?? []).map((figures, head) => ({ name: t('pinned-head', { head: head + 1 }), figures })),
  ];
  return plainTable({
    name: t('readouts-title'),
    columns: FIGURES.map((figure) => ({ content: t(`readout-${figure}`) })),
    rows: lines.map(({ name }) => ({ content: name })),
    cell: (line, column) => {
      const value = lines[line].figures[FIGURES[column]];
      if (Number.isNaN(value)) return hiddenCell(t);
      return value === null ? { text: '–', title: t('readout-none') } : { text: brief(value, 4), title: exact(value) };
    },
    kind: 'figures words',
  });
}
