/**
 * One matrix as an accessible grid (WAI-ARIA grid pattern): a table whose cells one walks by arrow keys and edits in
 * place. Pure: a description in, a template out. What keys and pointers do stands in ../app/grid-keys.js.
 * Next to read: figure.js, which lays grids on common row lines.
 */

import { html, nothing } from 'lit-html';
import { canAsk, isLocked, placeKey } from '../model/derive.js';
import { longClass } from './cells.js';

/**
 * @typedef {object} Cell
 * @property {string} text       as printed; empty for a masked cell
 * @property {string} kind       classes: colour, zero, tiny, masked
 * @property {string} [name]     accessible name where the text does not say enough
 * @property {boolean} [locked]  cannot be edited though its grid can
 *
 * @typedef {object} Header
 * @property {unknown} content   template or text
 * @property {string} [name]     accessible name
 * @property {boolean} [lit]     belongs to the number in focus
 *
 * @typedef {object} Grid
 * @property {string} id
 * @property {string} name       accessible name
 * @property {Header[]} columns
 * @property {Header[]} rows
 * @property {{ text: string, span: number, kind?: string }[]} [groups]  a line above the column headers
 * @property {(row: number, column: number) => Cell} cell
 * @property {boolean} [editable]
 * @property {boolean} [editableLabels]  row headers are reached as column −1 and edited as text
 * @property {number} [chosen]   row that is outlined
 * @property {{ name: string, cells: unknown[] }} [foot]  a line below, which is no row of the matrix
 * @property {string} [kind]     classes of the table
 * @property {{ name: string, head?: number, transposed?: boolean }} [tensor]  whose numbers these are: what the open
 *   arithmetic uses is lit here
 */

/** @param {import('./frame.js').Frame} frame @param {Grid} described  what a class may not change is shown to be locked */
export function gridTable(frame, described) {
  const { ui, state, t } = frame;
  const locked = (described.editable ?? false) && described.tensor !== undefined && isLocked(state, described.tensor.name);
  const grid = locked ? { ...described, editable: false, editableLabels: false } : described;
  const first = { row: 0, column: 0 };
  const at = ui.cursors[grid.id] ?? first;
  const cursor = at.row < grid.rows.length && at.column < grid.columns.length ? at : first;
  return html`
    <table role="grid" id=${grid.id} aria-label=${grid.name} class="matrix ${grid.kind ?? ''}"
      aria-readonly=${grid.editable ? 'false' : 'true'}>
      ${locked ? html`<caption>${t('class-locked')}</caption>` : nothing}
      <thead>
        ${grid.groups ? html`<tr role="row" class="groups">
          <td role="none"></td>
          ${grid.groups.map((group) => html`<th role="columnheader" scope="colgroup" colspan=${group.span}
            class=${group.kind ?? ''}>${group.text}</th>`)}
        </tr>` : nothing}
        <tr role="row">
          <td role="none"></td>
          ${grid.columns.map((header) => html`<th role="columnheader" scope="col"
            class=${header.lit ? 'lit' : ''} aria-label=${header.name ?? nothing}>${header.content}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${grid.rows.map((header, row) => html`<tr role="row" class=${row === grid.chosen ? 'chosen' : ''}>
          ${rowHeader(frame, grid, header, row, cursor)}
          ${grid.columns.map((_, column) => gridCell(frame, grid, row, column, cursor))}
        </tr>`)}
      </tbody>
      ${grid.foot ? html`<tfoot><tr role="row">
        <th role="rowheader" scope="row">${grid.foot.name}</th>
        ${grid.foot.cells.map((cell) => html`<td role="gridcell">${cell}</td>`)}
      </tr></tfoot>` : nothing}
    </table>`;
}

/**
 * @param {import('./frame.js').Frame} frame @param {Grid} grid @param {Header} header @param {number} row
 * @param {{ row: number, column: number }} cursor
 */
function rowHeader(frame, grid, header, row, cursor) {
  if (!grid.editableLabels) {
    return html`<th role="rowheader" scope="row" class=${header.lit ? 'lit' : ''} aria-label=${header.name ?? nothing}
      data-chooses=${grid.chosen === undefined ? nothing : row}>${header.content}</th>`;
  }
  return html`<th role="rowheader" scope="row" data-row=${row} data-column="-1" class="editable${header.lit ? ' lit' : ''}"
    tabindex=${isAt(cursor, row, -1) ? 0 : -1} aria-readonly="false">
    ${isEditing(frame, grid.id, row, -1) ? editor(frame, frame.t('token-label', { number: row + 1 }), 'text') : header.content}
  </th>`;
}

/**
 * @param {import('./frame.js').Frame} frame @param {Grid} grid @param {number} row @param {number} column
 * @param {{ row: number, column: number }} cursor
 */
function gridCell(frame, grid, row, column, cursor) {
  const cell = grid.cell(row, column);
  const editable = grid.editable && !cell.locked;
  const editing = isEditing(frame, grid.id, row, column);
  const kind = [cell.kind, editable ? 'editable' : '', litAt(frame, grid, row, column),
    longClass(cell.text, frame.state.view.digits)].filter(Boolean).join(' ');
  return html`<td role="gridcell" data-row=${row} data-column=${column} class=${kind}
    tabindex=${isAt(cursor, row, column) ? 0 : -1} aria-label=${editing ? nothing : nameOf(frame, grid, cell) ?? nothing}
    aria-readonly=${grid.editable ? String(!editable) : nothing}>${editing
      ? editor(frame, frame.t('cell-entry', { matrix: grid.name, row: row + 1, column: column + 1 }), 'decimal')
      : cell.text}</td>`;
}

/** The accessible name of a cell; a hidden number that may be asked for says how. @param {import('./frame.js').Frame} frame @param {Grid} grid @param {Cell} cell */
function nameOf({ state, t }, { tensor }, { kind, name }) {
  return kind === 'veiled' && tensor && canAsk(state, tensor.name) ? t('class-ask-cell') : name;
}

/**
 * What this number is to the open arithmetic: "lit-added", "lit-now", "lit-open" or nothing.
 * @param {import('./frame.js').Frame} frame @param {Grid} grid @param {number} row @param {number} column
 */
function litAt({ derived }, { tensor, rows, columns }, row, column) {
  if (!tensor || derived.lit.size === 0) return '';
  const element = tensor.transposed ? column * rows.length + row
    : ((tensor.head ?? 0) * rows.length + row) * columns.length + column;
  const lit = derived.lit.get(placeKey(tensor.name, element));
  return lit ? `lit-${lit}` : '';
}

/**
 * The field that stands in a cell while it is edited. Its text is the page's, so that nothing typed is lost.
 * @param {import('./frame.js').Frame} frame @param {string} name @param {'text' | 'decimal'} mode
 */
function editor(frame, name, mode) {
  const editing = /** @type {import('./frame.js').Editing} */ (frame.ui.editing);
  return html`<input class="editor" type="text" inputmode=${mode} autocomplete="off" spellcheck="false"
    aria-label=${name} aria-invalid=${editing.invalid ? 'true' : 'false'}
    aria-describedby=${editing.invalid ? 'notice' : nothing} .value=${editing.text}>`;
}

/** @param {{ row: number, column: number }} cursor @param {number} row @param {number} column */
function isAt(cursor, row, column) {
  return cursor.row === row && cursor.column === column;
}

/** @param {import('./frame.js').Frame} frame @param {string} grid @param {number} row @param {number} column */
function isEditing({ ui: { editing } }, grid, row, column) {
  return editing !== null && editing.grid === grid && editing.row === row && editing.column === column;
}
