/**
 * The names of single numbers, rows and terms, counted from 1 as everywhere on the page. Pure. A place is named as it is
 * shown: a matrix that is shown transposed has its rows and columns swapped. Next to read: inspector.js.
 */

import { html } from 'lit-html';
import { standsIn } from '../model/derive.js';
import { tokenNumber } from './cells.js';

/**
 * @typedef {import('./frame.js').Frame} Frame
 * @typedef {import('../model/state.js').Cell} Cell
 */

/** "Context vectors, row 3, column 1". @param {Frame} frame @param {Cell} cell */
export function placeName(frame, cell) {
  const { derived, t } = frame;
  const { name, row, column, head } = placeOf(frame, cell);
  const matrix = head !== null && derived.heads > 1 ? t('place-head', { name, head: head + 1 }) : name;
  if (row === null) return t('place-entry', { matrix, number: column + 1 });
  return t('place', { matrix, row: row + 1, column: column + 1 });
}

/** "Context vectors 3, 1", for the way back. @param {Frame} frame @param {Cell} cell */
export function placeShort(frame, cell) {
  const { name, row, column } = placeOf(frame, cell);
  return `${name} ${row === null ? '' : `${row + 1}, `}${column + 1}`;
}

/** @param {Frame} frame @param {Cell} cell */
function placeOf({ state, t }, { tensor, indices }) {
  const shown = tensor === 'given_weights' ? tensor : standsIn(tensor, state.document.source === 'trained');
  const name = t(`name-${shown}`);
  const head = tensor.startsWith('attn_') ? indices[1] : null;
  // Sums have one number to a row or column, biases one to a column.
  if (tensor.endsWith('_sums') || indices.length === 1) return { name, head, row: null, column: indices[indices.length - 1] };
  const [row, column] = indices.slice(-2);
  const swapped = state.view.linear && tensor.startsWith('w_');
  return { name, head, row: swapped ? column : row, column: swapped ? row : column };
}

/**
 * What the terms of an operation are counted by: tokens, or dimensions under the names that the grids give them.
 * @param {Frame} frame @param {import('../model/derive.js').Trace} trace @param {Cell} left
 */
export function termLabel({ state }, { operation }, { indices }) {
  const index = indices[operation === 'column_sum' ? 2 : indices.length - 1];
  const dimension = (/** @type {string} */ letter) => html`${letter}<sub>${index + 1}</sub>`;
  if (operation === 'projection' || (operation === 'score' && state.document.source !== 'trained')) return dimension('x');
  if (operation === 'score') return html`${dimension('q')} ${dimension('k')}`;
  if (operation === 'output') return dimension('z');
  return html`<span title=${state.document.tokens[index]}>${tokenNumber(index)}</span>`;
}
