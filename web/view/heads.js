/**
 * All heads at once: a small multiple for each, on the same scale; how they stand side by side; the outputs. Pure.
 * Next to read: figure.js.
 */

import { html, nothing } from 'lit-html';
import { isIdentity, rowsOf, veiled } from '../model/derive.js';
import { nearby } from './cards.js';
import { dimensions, signedCell, tokenLabel, tokenNumber } from './cells.js';
import { shapeOf, weightsGrid } from './figure.js';
import { gridTable } from './grid.js';

/** @typedef {import('./frame.js').Frame} Frame */

/** @param {Frame} frame */
export function allHeads(frame) {
  const { derived, state, t } = frame;
  if (derived.heads === 1) return nothing;
  const heads = Array.from({ length: derived.heads }, (_, head) => head);
  return html`<section class="heads" aria-label=${t('heads-title')}>
    <div class="minis">${heads.map((head) => html`
      <div class="mini ${head === state.view.head ? 'current' : ''}">
        <button type="button" data-act="head" data-value=${head} aria-pressed=${head === state.view.head ? 'true' : 'false'}>
          ${t('show-head', { head: head + 1 })}</button>
        ${head === state.view.head ? picture(frame, head) : gridTable(frame, miniGrid(frame, head))}
      </div>`)}
    </div>
    <p class="note">${veiled(derived.veils, 'shape of context_vecs') ? nothing : t('sizes-concat', {
      list: heads.map((head) => t('head-columns', { head: head + 1 })).join(' | '), rows: derived.nTokens, width: derived.width,
    })}</p>
    ${nearby(frame, 'heads')}
  </section>`;
}

/** @param {Frame} frame @param {number} head @returns {import('./grid.js').Grid} */
function miniGrid(frame, head) {
  const grid = weightsGrid(frame, head, 'small');
  const rows = grid.rows.map((header, i) => ({ ...header, content: tokenNumber(i) }));
  return { ...grid, rows, groups: undefined, kind: 'weights small', editable: false };
}

/** The same picture for the head that already stands large as a grid: for the eye only. @param {Frame} frame @param {number} head */
function picture(frame, head) {
  const { cell, columns, rows } = miniGrid(frame, head);
  return html`<table class="matrix weights small" aria-hidden="true">
    <thead><tr><td></td>${columns.map(({ content }) => html`<th>${content}</th>`)}</tr></thead>
    <tbody>${rows.map(({ content }, row) => html`<tr class=${row === frame.state.view.row ? 'chosen' : ''}><th>${content}</th>
      ${columns.map((_, column) => {
        const { kind, text } = cell(row, column);
        return html`<td class=${kind}>${text}</td>`;
      })}</tr>`)}</tbody>
  </table>`;
}

/** What W_out makes of the context rows. @param {Frame} frame */
export function outputs(frame) {
  const { derived, state, tensors, t } = frame;
  if (!tensors.outputs) return nothing;
  const rows = rowsOf(tensors.outputs);
  return html`<section class="outputs">
    <h3>${t('name-outputs')} <code>${t('outputs-title')}</code> ${shapeOf(frame, 'outputs')}</h3>
    ${gridTable(frame, {
      id: 'outputs',
      name: t('name-outputs'),
      columns: dimensions('o', tensors.outputs.shape[2]),
      rows: state.document.tokens.map((label, i) => ({ content: tokenLabel(label, i), name: label })),
      cell: (row, column) => signedCell(frame, rows[row][column], derived.figureLimit),
      chosen: state.view.row,
      tensor: { name: 'outputs' },
    })}
    ${isIdentity(state.document) ? html`<p class="note">${t('outputs-identity')}</p>` : nothing}
  </section>`;
}
