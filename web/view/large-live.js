/**
 * What moves with the map of a large sequence: which rows and columns it shows, the lens around the cell that is looked
 * at, and that cell's row: its largest weights, its context vector, its checks. Pure. Next to read: ../app/large.js.
 */

import { html, nothing } from 'lit-html';
import { apart, exact, figures, topOf, weightClass } from '../model/derive.js';
import { field, problems } from './large.js';

/**
 * @typedef {import('../model/derive.js').Large} Large
 * @typedef {import('./frame.js').Frame['t']} Translate
 * @typedef {object} Found  about one cell and its row, as the module says; see ../app/large-layer.js
 * @property {number} head
 * @property {number} row
 * @property {number} column
 * @property {number} firstRow
 * @property {number} firstColumn
 * @property {number[][]} weights
 * @property {number} weight
 * @property {number} rowSum
 * @property {number} sumApart
 * @property {{ key: number, weight: number }[]} largest
 * @property {number} rest
 * @property {number[]} context
 * @property {number} apart
 * @property {number} later
 */

/** How far a sum of weights may be from 1, and a context vector from the second route's, in float32. */
const ALLOWED = 1e-5;
/** What part of a cell cannot be seen. */
const SLIVER = 1e-6;
/** A context vector that is longer is folded. */
const SHORT = 16;

/** @param {{ region: import('../model/derive.js').Region, grain: number, shown: boolean, t: Translate }} map */
export function largeAxes({ region: { row, column, size }, grain, shown, t }) {
  if (!shown) return nothing;
  // A cell of which nothing is seen does not count: one moves by parts that no float holds exactly.
  const from = (/** @type {number} */ start) => Math.floor(start + SLIVER) + 1;
  const to = (/** @type {number} */ start) => Math.ceil(start + size - SLIVER);
  return html`<span>${t('large-rows', { from: from(row), to: to(row) })}</span> <span>${t('large-columns', { from: from(column), to: to(column) })}</span>
    <span class="large-grain">${grain > 1 ? t('large-largest', { cells: Math.ceil(grain) + 1 }) : t('large-one', { pixels: Math.floor(1 / grain) })}</span>`;
}

/**
 * @param {object} parts
 * @param {Large} parts.asked         what the fields say
 * @param {Large | null} parts.made   what is on the map; null: nothing
 * @param {Found | null} parts.found
 * @param {import('./frame.js').LargeRun | null} parts.run
 * @param {Translate} parts.t
 */
export function largeClose({ asked, made, found, run, t }) {
  const fields = { large: asked, run, t };
  const large = made && { ...made, row: asked.row, column: asked.column, ends: asked.ends };
  return html`<h3>${t('large-lens')}</h3>
    <p class="controls">${field(fields, 'row', !made)} ${field(fields, 'column', !made)}</p>
    ${made ? problems(fields, ['row', 'column']) : html`<p class="note" id="large-rests">${t('large-rests')}</p>`}
    ${found === null || large === null ? nothing : html`
      <p role="status">${isMasked(large, found.row, found.column) ? t('large-cell-masked', { row: found.row + 1, column: found.column + 1 })
        : t('large-cell', { row: found.row + 1, column: found.column + 1, head: found.head + 1, weight: exact(found.weight) })}</p>
      ${lens(large, found, t)}
      ${rowOf(large, found, t)}`}`;
}

/** @param {Large} large @param {number} row @param {number} column */
const isMasked = ({ causal }, row, column) => causal && column > row;

/** A table of the weights around a cell, each with its row and column. @param {Large} large @param {Found} found @param {Translate} t */
function lens(large, found, t) {
  const { firstRow, firstColumn, weights, row, column } = found;
  return html`<p class="note" id="large-lens-axes">${t('large-lens-axes')}</p>
  <div class="scroller" role="group" tabindex="0" aria-labelledby="large-lens-axes"><table class="matrix plain figures large-lens"
    aria-labelledby="large-lens-axes">
    <thead><tr><td></td>${weights[0].map((_, j) => html`<th scope="col" class=${firstColumn + j === column ? 'lit' : ''}>${firstColumn + j + 1}</th>`)}</tr></thead>
    <tbody>${weights.map((cells, i) => html`<tr class=${firstRow + i === row ? 'chosen' : ''}>
      <th scope="row">${firstRow + i + 1}</th>
      ${cells.map((weight, j) => {
        const [r, c] = [firstRow + i, firstColumn + j];
        const here = r === row && c === column;
        return isMasked(large, r, c)
          ? html`<td class="masked ${here ? 'lit-now' : ''}" data-lens="${r} ${c}" aria-current=${here ? 'true' : nothing}><span class="heard">${t('masked')}</span></td>`
          : html`<td class="${weightClass(weight / topOf(large))} ${here ? 'lit-now' : ''}" data-lens="${r} ${c}"
            aria-current=${here ? 'true' : nothing}>${figures(weight, 2)}</td>`;
      })}</tr>`)}</tbody>
  </table></div>`;
}

/** The row of the cell. @param {Large} large @param {Found} found @param {Translate} t */
function rowOf(large, found, t) {
  const { row, head, largest, rest, rowSum } = found;
  const masked = large.causal ? large.tokens - row - 1 : 0;
  const others = large.tokens - masked - largest.length;
  return html`<h3>${t('large-row-title', { row: row + 1, head: head + 1 })}</h3>
    <div class="large-row">
      <div class="large-list"><h4 id="large-largest">${t('large-largest-weights')}</h4>
        <div class="scroller" role="group" tabindex="0" aria-labelledby="large-largest"><table class="matrix plain figures" aria-labelledby="large-largest">
        <thead><tr><th scope="col">${t('large-key')}</th><th scope="col">${t('large-weight')}</th></tr></thead>
        <tbody>
          ${largest.map(({ key, weight }) => html`<tr><th scope="row">${key + 1}</th><td>${figures(weight, 4)}</td></tr>`)}
          ${others > 0 ? html`<tr><th scope="row">${t('large-others', { others })}</th><td>${figures(rest, 4)}</td></tr>` : nothing}
          ${masked > 0 ? html`<tr><th scope="row">${t('large-masked', { masked })}</th><td class="masked"><span class="heard">${t('large-masked-none')}</span></td></tr>` : nothing}
          <tr class="total"><th scope="row">${t('large-sum')}</th><td>${exact(rowSum)}</td></tr>
        </tbody>
      </table></div></div>
      <div class="large-checks">
        <h4>${t('large-checks')}</h4>
        <ul>
          ${check(t, Math.abs(found.sumApart) <= ALLOWED, t('large-check-sum', { apart: size(found.sumApart) }))}
          ${large.causal ? check(t, found.later === 0, t('large-check-later', { count: found.later, masked })) : nothing}
          ${check(t, found.apart <= ALLOWED, t('large-check-routes', { apart: size(found.apart) }))}
        </ul>
        <h4>${t('large-context')}</h4>
        ${context(found.context, t)}
      </div>
    </div>`;
}

/** How large a difference is. @param {number} difference */
const size = (difference) => apart(Math.abs(difference)).replace(/^\+/, '');

/** @param {Translate} t @param {boolean} passed @param {string} text */
function check(t, passed, text) {
  return html`<li><span class="badge ${passed ? 'good' : 'bad'}">${t(passed ? 'check-passed' : 'check-failed')}</span> ${text}</li>`;
}

/** @param {number[]} numbers @param {Translate} t */
function context(numbers, t) {
  const text = `[${numbers.map((number) => figures(number, 4)).join(', ')}]`;
  return numbers.length <= SHORT ? html`<p class="large-vector">${text}</p>`
    : html`<details><summary>${t('large-context-all', { count: numbers.length })}</summary><p class="large-vector">${text}</p></details>`;
}
