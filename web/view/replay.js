/**
 * The tokens arrive one by one: after each, the rows that can be built of what has arrived, and which earlier rows moved.
 * Pure: the module computed the first tokens alone. Next to read: ../app/runner.js.
 */

import { html, nothing } from 'lit-html';
import { exact, headRows, inCell, rowOf, rowsOf } from '../model/derive.js';
import { dimensions, hiddenCell, shortLabel, tokenLabel, tokenNumber, weightCell } from './cells.js';
import { plainTable } from './plain-table.js';
import { listed } from './verdict.js';

/**
 * @typedef {import('./frame.js').Frame} Frame
 * @typedef {NonNullable<import('../model/derive.js').Computed['replayed']>} Replayed
 */

/** What a row did in this step. */
const STEPS = { new: 'replay-new', moved: 'replay-moved-word', stayed: 'replay-stayed-word', later: 'replay-later' };

/** @param {Frame} frame */
export function replay(frame) {
  const { state, derived, t } = frame;
  const { replayed } = derived.computed;
  const count = state.view.replay;
  const steps = count !== null && replayed !== null;
  // One button starts and goes on, so that it keeps the focus.
  return html`<section class="replay"><h3>${t('replay-title')}</h3>
    <p class="controls">
      <button type="button" data-act="replay" data-value=${(count ?? 0) + 1}
        ?disabled=${count === derived.nTokens}>${t(steps ? 'replay-next' : 'replay-start')}</button>
      ${steps ? html`<button type="button" data-act="replay" data-value=${count - 1} ?disabled=${count === 1}>${t('replay-back')}</button>
        <button type="button" data-act="replay" data-value="">${t('replay-stop')}</button>
        <span class="note">${count === 1 ? t('replay-first') : count === derived.nTokens ? t('replay-last') : nothing}</span>` : nothing}
    </p>
    ${steps ? html`<p role="status">${said(frame, replayed, count)}</p> ${rows(frame, replayed, count)}` : nothing}
  </section>`;
}

/** The earlier rows that the newest token moved, from 0. @param {Replayed} replayed */
function moved({ tensors, before }) {
  if (!before) return [];
  return rowsOf(before.context_vecs).flatMap((row, i) =>
    (rowOf(tensors.context_vecs, i).every((value, column) => Object.is(value, row[column])) ? [] : [i]));
}

/** @param {Frame} frame @param {Replayed} replayed @param {number} count */
function said({ state, derived, t }, replayed, count) {
  const rows = moved(replayed);
  const label = shortLabel(state.document.tokens[count - 1]);
  const chosen = state.view.row < count ? 'here' : 'not-yet';
  const what = count === 1 ? t('replay-alone', { label })
    : rows.length > 0 ? t('replay-moved', { count, label, rows: listed(rows), number: rows.length })
      : t('replay-stayed', { count, label, masked: derived.masked ? 'yes' : 'no' });
  return html`${what} ${chosen === 'not-yet' ? t('replay-not-yet', { row: state.view.row + 1 }) : nothing}`;
}

/** Weights and context vectors of what has arrived; the shown head. @param {Frame} frame @param {Replayed} replayed @param {number} count */
function rows(frame, replayed, count) {
  const { state, derived, t } = frame;
  const { tokens } = state.document;
  const { head, digits } = state.view;
  const weights = headRows(replayed.tensors.attn_weights, head);
  const context = rowsOf(replayed.tensors.context_vecs);
  const first = head * derived.headDim;
  const went = new Set(moved(replayed));
  const columns = [
    ...tokens.map((label, i) => ({ content: tokenNumber(i), name: t('key-column', { number: i + 1, label }) })),
    ...dimensions('z', derived.width).slice(first, first + derived.headDim),
    { content: t('replay-column') },
  ];
  const stateOf = (/** @type {number} */ row) =>
    (row >= count ? 'later' : row === count - 1 ? 'new' : went.has(row) ? 'moved' : 'stayed');
  return plainTable({
    name: t('replay-title'),
    groups: [
      { text: t('name-attn_weights'), span: tokens.length }, { text: t('name-context_vecs'), span: derived.headDim },
      { text: '', span: 1 },
    ],
    columns,
    rows: tokens.map((label, i) => ({ content: tokenLabel(label, i), name: t('row-name', { row: i + 1, label }) })),
    cell: (row, column) => {
      if (column === columns.length - 1) return { text: t(STEPS[stateOf(row)]), kind: `word ${stateOf(row)}` };
      if (row >= count || (column >= count && column < tokens.length)) return { text: '' };
      if (column < tokens.length) return weightCell(frame, weights[row][column], row, column);
      const value = context[row][first + column - tokens.length];
      if (Number.isNaN(value)) return hiddenCell(t);
      return { text: inCell(value, digits), title: exact(value), kind: went.has(row) ? 'differs' : '' };
    },
    rowKind: (row) => (row >= count ? 'absent' : row === state.view.row ? 'chosen' : ''),
  });
}
