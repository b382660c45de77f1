/**
 * Both routes in full: how far apart each number is, the verdict in words, and the chosen row's terms by either route.
 * Pure; all numbers are the module's. Next to read: verdict.js, replay.js, ../app/comparisons.js.
 */

import { html, nothing } from 'lit-html';
import { apart, exact, rowOf, rowsOf } from '../model/derive.js';
import { dimensions, hiddenCell, tokenLabel, tokenNumber } from './cells.js';
import { radioGroup } from './controls.js';
import { plainTable } from './plain-table.js';
import { replay } from './replay.js';
import { agreed, verdict } from './verdict.js';

/** @typedef {import('./frame.js').Frame} Frame */

/** @param {Frame} frame */
export function routesInstrument(frame) {
  const { state, derived, t } = frame;
  const { both, routes } = derived.computed;
  if (!both) return nothing;
  const { tolerance, digits, row } = state.view;
  const chosen = tolerance === 'displayed' ? 'displayed' : String(tolerance);
  const elsewhere = routes.rows.length > 0 && !routes.rows.some(({ token }) => token === row);
  return html`
    <p class="note">${t('routes-about')}</p>
    <p class="controls">${radioGroup('tolerance', t('tolerance'), chosen, [
      { value: '0.000001', text: t('tolerance-usual') },
      { value: 'displayed', text: t('tolerance-displayed') },
      { value: '0', text: t('tolerance-exact') },
    ], t(`tolerance-${chosen === '0' ? 'exact' : chosen === 'displayed' ? 'displayed' : 'usual'}-note`, { digits }))}</p>
    <p class="verdict ${agreed(frame) ? 'good' : 'bad'}">${verdict(frame)}
      ${elsewhere ? html`<button type="button" data-act="row" data-value=${routes.rows[0].token}>${t('look-at-row', {
        row: routes.rows[0].token + 1,
      })}</button>` : nothing}</p>
    ${chosen === '0' && state.document.example !== 'summation-order' ? html`<p class="controls"><button type="button"
      data-act="bring" data-value="summation-order">${t('order-example')}</button></p>` : nothing}
    <div class="columns">
      <section><h3>${t('routes-differences')}</h3>${differences(frame, both.difference)}</section>
      <section><h3>${t('routes-chosen', { row: row + 1 })}</h3>${vectors(frame, both)}</section>
      <section><h3>${t('routes-terms', { row: row + 1, position: derived.computed.terms.position + 1 })}</h3>${terms(frame)}</section>
    </div>
    ${replay(frame)}`;
}

/** Where a row differs first. @param {Frame} frame @param {number} row */
function firstOf({ derived }, row) {
  return derived.computed.routes.rows.find(({ token }) => token === row) ?? null;
}

/** @param {Frame} frame @param {import('../model/derive.js').Tensor} difference */
function differences(frame, difference) {
  const { state, derived, t } = frame;
  const rows = rowsOf(difference);
  return plainTable({
    name: t('routes-differences'),
    columns: dimensions('z', derived.width),
    rows: state.document.tokens.map((label, i) => ({ content: tokenLabel(label, i), name: t('row-name', { row: i + 1, label }) })),
    cell: (row, column) => {
      if (Number.isNaN(rows[row][column])) return hiddenCell(t);
      const first = firstOf(frame, row);
      const kind = !first || rows[row][column] === 0 ? '' : column === first.position ? 'differs first' : 'differs';
      return { text: apart(rows[row][column]), kind, title: exact(rows[row][column]) };
    },
    rowKind: (row) => (row === state.view.row ? 'chosen' : ''),
    kind: 'figures',
  });
}

/** @param {Frame} frame @param {NonNullable<import('../model/derive.js').Computed['both']>} both */
function vectors(frame, both) {
  const { state, derived, tensors, t } = frame;
  const { row } = state.view;
  const lines = [rowOf(tensors.context_vecs, row), rowOf(both.oneToken, row), rowOf(both.difference, row)];
  const first = firstOf(frame, row);
  return plainTable({
    name: t('routes-chosen', { row: row + 1 }),
    columns: dimensions('z', derived.width),
    rows: ['batched', 'one-token', 'difference'].map((line) => ({ content: t(`route-${line}`) })),
    cell: (line, column) => (Number.isNaN(lines[line][column]) ? hiddenCell(t) : {
      text: line === 2 ? apart(lines[2][column]) : exact(lines[line][column]),
      kind: first && column === first.position ? 'differs first' : '',
    }),
    kind: 'figures',
  });
}

/** The products that each route adds up at the open position. @param {Frame} frame */
function terms(frame) {
  const { state, tensors, derived, t } = frame;
  const { row, position, batched, oneToken } = derived.computed.terms;
  const first = firstOf(frame, row);
  const { tokens } = state.document;
  const both = /** @type {NonNullable<import('../model/derive.js').Computed['both']>} */ (derived.computed.both);
  const sums = [tensors.context_vecs, both.oneToken].map((tensor) => rowOf(tensor, row)[position]);
  return plainTable({
    name: t('routes-terms', { row: row + 1, position: position + 1 }),
    corner: t('term'),
    columns: ['batched', 'one-token'].map((line) => ({ content: t(`route-${line}`) })),
    rows: [
      ...tokens.map((label, i) => ({ content: tokenNumber(i), name: t('term-name', { token: i + 1, label }) })),
      { content: t('sum') },
    ],
    cell: (term, column) => {
      const value = term === tokens.length ? sums[column] : [batched, oneToken][column][term];
      if (Number.isNaN(value)) return hiddenCell(t);
      return { text: exact(value), kind: first && first.term === term ? 'differs first' : '' };
    },
    rowKind: (term) => (term === tokens.length ? 'total' : ''),
    kind: 'figures',
  });
}
