/**
 * The heart of the page: attention weights, the rows that they blend, and the context rows, on the same row lines.
 * Pure. Rows align because all three tables share one header height and one cell height (../styles/grid.css).
 * Next to read: grid.js, cells.js; blend.js for what stands below.
 */

import { html, nothing, svg } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import { HIDDEN, exact, headRow, headRows, inCell, isLocked, isOutOfRange, placeKey, rowOf, rowsOf, tokenClass, veiled } from '../model/derive.js';
import { dimensions, signedCell, sizeClass, tokenLabel, tokenNumber, weightCell, weightKind } from './cells.js';
import { gridTable } from './grid.js';
import { rowBar } from './row-bar.js';
import { cellText } from './inspector.js';
import { placeName } from './names.js';

/** @typedef {import('./frame.js').Frame} Frame */

/** @param {Frame} frame @param {Frame} [rest]  what is still shown where an edit is not looked for first */
export function figure(frame, rest = frame) {
  const { state, derived, t } = frame;
  const size = sizeClass(derived.nTokens);
  return html`
    <div class="rows-region" role="group" aria-label=${t('row-region')}>
      <div class="rows ${size}">
        <section class="panel">
          <h3>${t('name-attn_weights')} <code>attn_weights</code> ${shapeOf(frame, 'attn_weights')}</h3>
          <div class="side-by-side">${gridTable(frame, {
            ...weightsGrid(frame, state.view.head, size), foot: columnSums(frame),
          })} ${rowSums(frame)}</div>
        </section>
        <span class="operator" aria-hidden="true">·</span>
        <section class="panel">
          <h3>${t(`name-${derived.blended}`)} <code>${derived.blended}</code> ${shapeOf(frame, derived.blended)}</h3>
          ${gridTable(frame, blendedGrid(frame))}
          ${derived.blended === 'inputs' && state.view.present === null ? inputSizes(frame) : nothing}
        </section>
        <span class="operator" aria-hidden="true">=</span>
        <section class="panel">
          <h3>${t('name-context_vecs')} <code>context_vecs</code> ${shapeOf(frame, 'context_vecs')}</h3>
          ${gridTable(frame, contextGrid(frame, rest))}
        </section>
      </div>
    </div>`;
}

/**
 * The attention weights of one head; given weights are edited here, as typed.
 * @param {Frame} frame @param {number} head @param {string} size @returns {import('./grid.js').Grid}
 */
export function weightsGrid(frame, head, size) {
  const { state, derived, tensors, t } = frame;
  const { tokens } = state.document;
  const weights = headRows(tensors.attn_weights, head);
  const several = derived.heads > 1;
  return {
    id: `attn_weights-${head}`,
    name: several ? t('name-attn_weights-head', { head: head + 1 }) : t('name-attn_weights'),
    columns: tokens.map((label, i) => ({
      content: size === 'large' ? tokenLabel(label, i) : tokenNumber(i),
      name: t('key-column', { number: i + 1, label }),
      lit: isLit(frame, head, i),
    })),
    rows: tokens.map((label, i) => ({ content: tokenLabel(label, i), name: t('query-row', { number: i + 1, label }) })),
    groups: several ? [{ text: t('head-columns', { head: head + 1 }), span: tokens.length, kind: 'current' }] : undefined,
    cell: (row, column) => weightCell(frame, weights[row][column], row, column),
    editable: state.document.source === 'given',
    chosen: state.view.row,
    kind: 'weights',
    tensor: { name: 'attn_weights', head },
  };
}

/** The sum of every row of weights, beside it; not a part of the matrix, so a table of its own. @param {Frame} frame */
function rowSums(frame) {
  const { state, derived, tensors, t } = frame;
  const sums = rowOf(tensors.attn_row_sums, state.view.head);
  const odd = new Set(derived.oddRows.map(({ row }) => row));
  return html`<table class="matrix sums" aria-label=${t('sum')}>
    <thead>
      ${derived.heads > 1 ? html`<tr class="groups"><td></td></tr>` : nothing}
      <tr><th scope="col">${t('sum')}</th></tr>
    </thead>
    <tbody>${sums.map((_, row) => html`<tr><td class=${odd.has(row) ? 'odd' : ''}>${
      sumOf(frame, 'attn_row_sums', row, row === state.view.row)}</td></tr>`)}</tbody>
  </table>`;
}

/** The sum of every column of weights, below it, when asked for. @param {Frame} frame @returns {import('./grid.js').Grid['foot']} */
function columnSums(frame) {
  const { state, ui, t } = frame;
  if (!state.view.columnSums) return undefined;
  const reached = ui.cursors[`attn_weights-${state.view.head}`]?.column ?? 0;
  return { name: t('sum'), cells: state.document.tokens.map((_, column) => sumOf(frame, 'attn_column_sums', column, column === reached)) };
}

/**
 * One sum, as a button that opens its arithmetic; of a line of them, Tab reaches that of the chosen row or column.
 * @param {Frame} frame @param {'attn_row_sums' | 'attn_column_sums'} tensor @param {number} index @param {boolean} reached
 */
function sumOf(frame, tensor, index, reached) {
  const { state, derived, tensors, t } = frame;
  const { head, digits } = state.view;
  const value = rowOf(tensors[tensor], head)[index];
  const cell = { tensor, indices: [0, head, index] };
  const lit = derived.lit.get(placeKey(tensor, head * derived.nTokens + index));
  const text = inCell(value, digits);
  if (Number.isNaN(value)) return hiddenSum(t);
  return html`<button type="button" class="sum-of ${lit ? `lit-${lit}` : ''}" data-act="inspect" data-value=${cellText(cell)}
    tabindex=${reached ? 0 : -1} title=${exact(value)}
    aria-label=${t('factor-name', { text, place: placeName(frame, cell), value: exact(value) })}>${text}</button>`;
}

/** A sum that would tell a number that is hidden. @param {Frame['t']} t */
function hiddenSum(t) {
  return html`<span class="veiled"><span class="heard">${t('veiled')}</span><span aria-hidden="true">${HIDDEN}</span></span>`;
}

/** What the weights blend: the inputs, editable, or the values. @param {Frame} frame @returns {import('./grid.js').Grid} */
function blendedGrid(frame) {
  const { derived } = frame;
  return derived.blended === 'inputs' ? inputsGrid(frame, true) : {
    ...widthGrid(frame, 'values', 'v'),
    rows: frame.state.document.tokens.map((label, i) => ({
      content: weighted(frame, i, derived.width > 3 ? tokenNumber(i) : tokenLabel(label, i)), name: label,
      lit: isLit(frame, frame.state.view.head, i),
    })),
    kind: 'values',
  };
}

/** The inputs with their labels, both editable. @param {Frame} frame @param {boolean} inFigure @returns {import('./grid.js').Grid} */
export function inputsGrid(frame, inFigure) {
  const { state, derived, tensors, t } = frame;
  const rows = rowsOf(tensors.inputs);
  return {
    id: 'inputs',
    name: t('name-inputs'),
    columns: named(frame),
    rows: state.document.tokens.map((label, i) => ({
      content: inFigure ? weighted(frame, i, tokenLabel(label, i)) : tokenLabel(label, i),
      lit: inFigure && isLit(frame, state.view.head, i),
    })),
    cell: (row, column) => signedCell(frame, rows[row][column], derived.figureLimit),
    editable: true,
    editableLabels: true,
    tensor: { name: 'inputs' },
    kind: inFigure ? 'values' : rows[0].length > 4 ? 'dense' : '',
  };
}

/** The columns of the inputs: dimensions, or what a task's features mean. @param {Frame} frame */
function named({ derived, t }) {
  const columns = dimensions('x', derived.dIn);
  const features = derived.computed.lesson?.task.features ?? [];
  if (features.length !== columns.length) return columns;
  return columns.map(({ name }, i) => {
    const feature = t(`feature-${features[i]}`);
    return { content: feature, name: `${name} ${feature}` };
  });
}

/** @param {Frame} frame @param {Frame} rest @returns {import('./grid.js').Grid} */
function contextGrid(frame, rest) {
  return {
    ...widthGrid(frame, 'context_vecs', 'z'),
    rows: frame.state.document.tokens.map((label, i) => ({
      content: html`${tokenNumber(i)}${guard([rest], () => rowBar(rest, i))}`, name: label,
    })),
    chosen: frame.state.view.row,
    kind: 'context',
  };
}

/**
 * A tensor [T, width] in which every head has its block of columns; the shown head's block is marked.
 * @param {Frame} frame @param {'values' | 'context_vecs'} tensor @param {string} letter
 */
function widthGrid(frame, tensor, letter) {
  const { state, derived, tensors, t } = frame;
  const rows = rowsOf(tensors[tensor]);
  const shown = state.view.head;
  const headOf = (/** @type {number} */ column) => Math.floor(column / derived.headDim);
  return {
    id: tensor,
    name: t(`name-${tensor}`),
    tensor: { name: tensor },
    columns: dimensions(letter, derived.width),
    groups: derived.heads > 1 ? Array.from({ length: derived.heads }, (_, head) => ({
      text: t('head-columns', { head: head + 1 }), span: derived.headDim, kind: head === shown ? 'current' : '',
    })) : undefined,
    cell: (/** @type {number} */ row, /** @type {number} */ column) => {
      const cell = signedCell(frame, rows[row][column], derived.figureLimit);
      return headOf(column) === shown ? cell : { ...cell, kind: `${cell.kind} other-head` };
    },
  };
}

/**
 * The header of a row that is blended: a bar as long as the weight that the chosen row gives it, and the weight itself;
 * a barred track where no bar could be true.
 * @param {Frame} frame @param {number} key @param {unknown} label
 */
function weighted(frame, key, label) {
  const { state, derived, tensors, t } = frame;
  const { row, head, digits } = state.view;
  const weight = headRow(tensors.attn_weights, head, row)[key];
  if (derived.masked && key > row && weight === 0) {
    return html`${label}<span class="factor masked" title=${t('masked')}></span>`;
  }
  if (Number.isNaN(weight)) return html`${label}<span class="factor"><span>${HIDDEN} ×</span></span>`;
  const noBar = isOutOfRange(weight);
  return html`${label}<span class="factor ${weightKind(weight, digits)}"><span>${inCell(weight, digits)} ×</span>
    <svg class="weight-bar ${noBar ? 'no-bar' : ''}" aria-hidden="true">${noBar ? nothing : svg`<rect class="track" width="100%"
      height="100%"></rect><rect class=${tokenClass(key)} width="${Math.min(1, weight) * 100}%" height="100%"></rect>`}</svg></span>`;
}

/** Whether the weight in focus is about this key. @param {Frame} frame @param {number} head @param {number} key */
function isLit({ ui: { focus } }, head, key) {
  return focus !== null && focus.grid === `attn_weights-${head}` && focus.column === key;
}

/** Buttons that change how many tokens and dimensions there are. @param {Frame} frame */
export function inputSizes(frame) {
  const { state, t } = frame;
  const { row } = state.view;
  const number = row + 1;
  const locked = isLocked(state, 'inputs');
  return html`<p class="sizes">
    <button type="button" data-act="add-token" ?disabled=${locked} aria-label=${t('add-token-name')}>${t('add-token')}</button>
    <button type="button" data-act="remove-token" ?disabled=${locked} data-value=${row}
      aria-label=${t('remove-token-name', { number, label: state.document.tokens[row] })}>${t('remove-token', { number })}</button>
    <button type="button" data-act="add-dimension" ?disabled=${locked} aria-label=${t('add-dimension-name')}>${t('add-dimension')}</button>
    <button type="button" data-act="remove-dimension" ?disabled=${locked} aria-label=${t('remove-dimension-name')}>${t('remove-dimension')}</button>
  </p>`;
}

/** The size of a tensor's rows and columns, as on every matrix; hidden while it is asked for. @param {Frame} frame @param {string} name */
export function shapeOf({ tensors, derived }, name) {
  const hidden = veiled(derived.veils, `shape of ${name}`);
  return html`<span class="shape">${hidden ? HIDDEN : tensors[name].shape.slice(-2).join(' × ')}</span>`;
}
