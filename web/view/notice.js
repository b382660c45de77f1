/**
 * What the page says in words: the last message, and the exact value of the number in focus. Pure.
 * Next to read: ../app/loop.js, which decides what is said.
 */

import { html, nothing } from 'lit-html';
import { exact } from '../model/derive.js';

/** @typedef {import('./frame.js').Frame} Frame */

/** The live region stays in the page, so that a screen reader hears what is put into it. @param {Frame} frame */
export function notice({ ui, t }) {
  const seen = ui.notice !== null && ui.notice.kind !== 'said';
  return html`<div class="notice ${ui.notice?.kind ?? 'none'}" id="notice" role="status" aria-live="polite">
    ${ui.notice ? html`<span>${ui.notice.text}</span>` : nothing}
    ${ui.notice?.kind === 'restored' ? html`<button type="button" data-act="start-afresh">${t('start-afresh')}</button>
      <button type="button" data-act="dismiss">${t('keep-restored')}</button>`
      : seen ? html`<button type="button" data-act="dismiss">${t('dismiss')}</button>` : nothing}
  </div>`;
}

/** For fingers, whose number pads may have no minus and no Enter. @param {Frame} frame */
export function editBar({ ui, t }) {
  return !ui.editing ? nothing : html`<div class="edit-bar" role="toolbar" aria-label=${t('edit-help')}>
    <button type="button" data-act="edit-sign" aria-label=${t('edit-sign')}>±</button>
    <button type="button" data-act="edit-done">${t('edit-done')}</button>
    <button type="button" data-act="edit-cancel">${t('edit-cancel')}</button>
    <span class="note">${t('edit-help')}</span>
  </div>`;
}

/** Which number is in focus, in words, with all its digits; nothing before any was. @param {Frame} frame */
export function readout(frame) {
  return html`<p class="readout note">${frame.ui.focus ? sentence(frame) : nothing}</p>`;
}

/** @param {Frame} frame */
function sentence({ ui: { focus }, state, tensors, derived, t }) {
  if (!focus || focus.column < 0) return t('read-none');
  const { grid, row, column } = focus;
  const [name, head] = grid.split('-');
  if (name === 'targets') {
    const wanted = state.document.targets?.[row]?.[column];
    return wanted === undefined ? t('read-none') : t('read-entry', { name, row: row + 1, column: column + 1, value: exact(wanted) });
  }
  const tensor = tensors[name];
  if (!tensor) return t('read-none');
  const columns = tensor.shape[tensor.shape.length - 1];
  const perHead = Number(head ?? 0) * (tensor.shape[tensor.shape.length - 2] ?? 0);
  const swapped = state.view.linear && name.startsWith('w_');
  const value = tensor.data[swapped ? column * columns + row : (perHead + row) * columns + column];
  if (value === undefined) return t('read-none');
  const { tokens, given, source } = state.document;
  if (Number.isNaN(value)) return t('read-veiled', { name: swapped ? `${name}.weight` : name, row: row + 1, column: column + 1 });
  if (name !== 'attn_weights') {
    if (!Number.isFinite(value)) return t('masked-why', { query: tokens[row], key: tokens[column] });
    return t('read-entry', { name: swapped ? `${name}.weight` : name, row: row + 1, column: column + 1, value: exact(value) });
  }
  if (derived.masked && column > row && value === 0) return t('masked-why', { query: tokens[row], key: tokens[column] });
  const read = t('read-weight', {
    query: tokens[row], row: row + 1, key: tokens[column], column: column + 1, value: exact(value),
  });
  return derived.masked && source === 'given' && given
    ? `${read}; ${t('read-typed', { value: exact(given[row][column]) })}` : read;
}
