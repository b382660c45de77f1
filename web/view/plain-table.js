/**
 * A matrix that is only read: a table with named rows and columns, in the colours of the grids but with no cursor. Pure.
 * Next to read: grid.js, for matrices that one walks through and edits.
 */

import { html, nothing } from 'lit-html';

/**
 * @typedef {import('./grid.js').Header} Header
 * @typedef {{ text: unknown, kind?: string, name?: string, title?: string }} Entry  name: what is heard instead of the text
 */

/**
 * @param {{ name: string, columns: Header[], rows: Header[], corner?: string, kind?: string,
 *   groups?: { text: string, span: number }[], cell: (row: number, column: number) => Entry,
 *   rowKind?: (row: number) => string }} table
 */
export function plainTable({ name, columns, rows, corner, kind, groups, cell, rowKind }) {
  return html`<div class="scroller" role="group" tabindex="0" aria-label=${name}>
    <table class="matrix plain ${kind ?? ''}" aria-label=${name}>
      <thead>
        ${groups ? html`<tr class="groups"><td></td>${groups.map(({ text, span }) => (text === '' ? html`<td colspan=${span}></td>`
          : html`<th scope="colgroup" colspan=${span}>${text}</th>`))}</tr>` : nothing}
        <tr>${corner ? html`<th scope="col">${corner}</th>` : html`<td></td>`}${columns.map((header) => html`<th scope="col"
          aria-label=${header.name ?? nothing}>${header.content}</th>`)}</tr>
      </thead>
      <tbody>${rows.map((header, row) => html`<tr class=${rowKind?.(row) ?? ''}>
        <th scope="row" aria-label=${header.name ?? nothing}>${header.content}</th>
        ${columns.map((_, column) => {
          const entry = cell(row, column);
          return html`<td class=${entry.kind ?? ''} title=${entry.title ?? nothing}>${entry.name
            ? html`<span class="heard">${entry.name}</span><span aria-hidden="true">${entry.text}</span>` : entry.text}</td>`;
        })}
      </tr>`)}</tbody>
    </table>
  </div>`;
}
