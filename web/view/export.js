/**
 * What the Export dialog offers: the whole state, the figure, one matrix, a worksheet. Pure.
 * Next to read: dialog.js, ../app/exports.js.
 */

import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { classVeils } from '../model/derive.js';

/** @typedef {import('./frame.js').Frame} Frame */

/** Sums are no matrices of their own: they stand beside the weights. */
const MATRICES = ['inputs', 'w_query', 'w_key', 'w_value', 'w_out', 'queries', 'keys', 'values', 'attn_scores', 'given_weights',
  'attn_weights', 'context_vecs', 'outputs'];

/** @param {Frame} frame @param {Extract<import('./frame.js').Dialog, { kind: 'export' }>} dialog */
export function exportDialog(frame, dialog) {
  const { t } = frame;
  const chosen = exported(frame, dialog.tensor);
  return html`<section><h3>${t('export-state')}</h3>
      <p class="controls">${['json', 'npz', 'pytorch', 'numpy'].map((kind) => save(t, kind))}</p>
      <p class="note">${t('export-state-note')}</p>
      ${frame.state.document.fault === 'none' ? nothing : html`<p class="note">${t('export-bug-note')}</p>`}
      ${classVeils(frame.state).length > 0 ? html`<p class="note">${t('export-class-note')}</p>` : nothing}</section>
    <section><h3>${t('export-figure')}</h3>
      <p class="controls">${['svg', 'png'].map((kind) => save(t, kind))}</p></section>
    <section><h3>${t('export-matrix')}</h3>
      <p><label>${t('export-which')} <select data-act="export-tensor">
        ${choices(frame).map(({ value, text }) => html`<option value=${value} .selected=${live(value === chosen)}>${text}</option>`)}
      </select></label></p>
      <p class="controls">${['tsv', 'numpy', 'torch'].map((kind) => html`<button type="button" data-act="copy-as"
        data-value=${kind}>${t(`copy-${kind}`)}</button>`)} ${['csv', 'tsv', 'npy'].map((kind) => save(t, kind))}</p></section>
    <section><h3>${t('export-worksheet')}</h3>
      <p class="controls">${['worksheet', 'answers'].map((kind) => save(t, kind))}</p>
      <p class="note">${t('export-worksheet-note', { row: frame.state.view.row + 1 })}</p></section>`;
}

/** @param {Frame['t']} t @param {string} kind */
function save(t, kind) {
  return html`<button type="button" data-act="save" data-value=${kind}>${t(`save-${kind}`)}</button>`;
}

/**
 * The matrix that is chosen, or the attention weights where it is no longer there.
 * @param {Pick<Frame, 'tensors' | 'derived' | 't'>} frame @param {string} tensor
 */
export function exported(frame, tensor) {
  return choices(frame).some(({ value }) => value === tensor) ? tensor : 'attn_weights-0';
}

/** The matrices that there are now, each head by itself. @param {Pick<Frame, 'tensors' | 'derived' | 't'>} frame */
function choices({ tensors, derived, t }) {
  return MATRICES.filter((name) => name in tensors).flatMap((name) => {
    const perHead = tensors[name].shape.length === 4;
    return Array.from({ length: perHead ? derived.heads : 1 }, (_, head) => ({
      value: perHead ? `${name}-${head}` : name,
      text: perHead && derived.heads > 1 ? t(`name-${name}-head`, { head: head + 1 }) : t(`name-${name}`),
    }));
  });
}
