/**
 * The mask applied in three ways to the chosen row, side by side, and an input with which the second fails. Pure; the
 * rows are the module's. Next to read: ../app/comparisons.js.
 */

import { html, nothing } from 'lit-html';
import { exact, headRow, inCell, rowOf, rowsOf, signedClass, weightClass } from '../model/derive.js';
import { dimensions, hiddenCell, shortLabel, tokenLabel, tokenNumber } from './cells.js';
import { plainTable } from './plain-table.js';

/** @typedef {import('./frame.js').Frame} Frame */

const WAYS = /** @type {const} */ (['open', 'before', 'renormalised', 'after']);

/** @param {Frame} frame */
export function masking(frame) {
  const { state, derived, t } = frame;
  const { masking: ways } = derived.computed;
  const { row } = state.view;
  const label = state.document.tokens[row];
  if (!ways) return html`<p>${t('masking-needs-scores')}</p>${failing(frame)}`;
  const nothingLeft = rowOf(ways.renormalised.attn_row_sums, state.view.head)[row] === 0;
  return html`<p class="note" title=${label}>${t('masking-about', { row: row + 1, label: shortLabel(label) })}
      ${state.document.fault === 'none' ? nothing : t('masking-no-bug')}</p>
    ${table(frame, ways)}
    ${nothingLeft ? html`<p class="verdict bad">${t('masking-zero', { row: row + 1 })}</p>`
      : html`<p>${t(row === state.document.tokens.length - 1 ? 'masking-last' : 'masking-same')}</p>`}
    ${failing(frame)}`;
}

/** @param {Frame} frame */
function failing({ state, t }) {
  if (state.document.example === 'mask-underflow') return nothing;
  return html`<p class="controls"><button type="button" data-act="bring" data-value="mask-underflow">${t('masking-example')}</button></p>`;
}

/** @param {Frame} frame @param {NonNullable<import('../model/derive.js').Computed['masking']>} ways */
function table(frame, ways) {
  const { state, derived, t } = frame;
  const { tokens } = state.document;
  const { row, head, digits } = state.view;
  const first = head * derived.headDim;
  const lines = WAYS.map((way) => ({
    weights: headRow(ways[way].attn_weights, head, row),
    sum: rowOf(ways[way].attn_row_sums, head)[row],
    context: rowsOf(ways[way].context_vecs)[row].slice(first, first + derived.headDim),
  }));
  return plainTable({
    name: t('masking-table', { row: row + 1, label: tokens[row] }),
    groups: [
      { text: t('masking-weights', { row: row + 1 }), span: tokens.length }, { text: '', span: 1 },
      { text: t('masking-context', { row: row + 1 }), span: derived.headDim },
    ],
    columns: [
      ...tokens.map((label, i) => ({
        content: tokens.length <= 4 ? tokenLabel(label, i) : tokenNumber(i), name: t('key-column', { number: i + 1, label }),
      })),
      { content: t('sum') },
      ...dimensions('z', derived.width).slice(first, first + derived.headDim),
    ],
    rows: WAYS.map((way) => ({ content: t(`masking-${way}`) })),
    cell: (line, column) => {
      const { weights, sum, context } = lines[line];
      if (column < tokens.length) {
        const value = weights[column];
        if (Number.isNaN(value)) return hiddenCell(t);
        if (line > 0 && column > row) return { text: '', kind: 'masked', name: t('masked') };
        return { text: inCell(value, digits), title: exact(value), kind: `${weightClass(value)} ${value === 0 ? 'zero' : ''}` };
      }
      if (column === tokens.length) {
        if (Number.isNaN(sum)) return hiddenCell(t);
        return { text: inCell(sum, digits), title: exact(sum), kind: Math.abs(sum - 1) > 1e-6 ? 'sum odd' : 'sum' };
      }
      const value = context[column - tokens.length - 1];
      if (Number.isNaN(value)) return hiddenCell(t);
      return { text: inCell(value, digits), title: exact(value), kind: signedClass(value, derived.figureLimit) };
    },
    rowKind: (line) => (line === 0 ? 'unmasked' : ''),
    kind: 'ways',
  });
}
