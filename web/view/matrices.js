/**
 * The matrices beside the figure when there are trainable weights: inputs, W_query, W_key, W_value, W_out, all
 * editable; and, folded, what the scores are made of. Pure. Next to read: grid.js.
 */

import { html, nothing } from 'lit-html';
import { headRows, isLocked, rowsOf } from '../model/derive.js';
import { nearby } from './cards.js';
import { toggle } from './controls.js';
import { dimensions, maskedCell, signedCell, sizeClass, tokenLabel, tokenNumber } from './cells.js';
import { inputSizes, inputsGrid, shapeOf } from './figure.js';
import { gridTable } from './grid.js';

/** @typedef {import('./frame.js').Frame} Frame */

/** @param {Frame} frame */
export function matrices(frame) {
  const { state, tensors, t } = frame;
  if (state.document.source !== 'trained') return nothing;
  return html`<div class="matrices">
    <section class="card">
      <header><h2>${t('name-inputs')}</h2><span><code>inputs</code> ${shapeOf(frame, 'inputs')}</span></header>
      <div class="scroll">${gridTable(frame, inputsGrid(frame, false))}</div>
      ${inputSizes(frame)}
    </section>
    <section class="card">
      <header><h2>${t('parameters-title')}</h2></header>
      <div class="parameters">
        ${parameter(frame, 'w_query', 'q')} ${parameter(frame, 'w_key', 'k')} ${parameter(frame, 'w_value', 'v')}
        ${tensors.w_out ? parameter(frame, 'w_out', 'o') : nothing}
      </div>
      <p class="sizes">
        ${toggle('project', t('project'), state.document.project, isLocked(state, 'switches'))}
        ${isLocked(state, 'switches') ? html`<small class="note">${t('class-locked')}</small>` : nothing}
        <button type="button" data-act="add-output" aria-label=${t('add-output-name')}>${t('add-output')}</button>
        <button type="button" data-act="remove-output" aria-label=${t('remove-output-name')}>${t('remove-output')}</button>
      </p>
      <p class="note">${t(state.view.linear ? 'parameters-note-linear' : 'parameters-note')}</p>
      ${nearby(frame, 'parameters')}
    </section>
  </div>`;
}

/**
 * One weight matrix, editable: as it multiplies from the right, or transposed, as nn.Linear keeps it.
 * @param {Frame} frame @param {'w_query' | 'w_key' | 'w_value' | 'w_out'} name @param {string} letter
 */
function parameter(frame, name, letter) {
  const { state, derived, tensors, t } = frame;
  const { linear } = state.view;
  const rows = rowsOf(tensors[name]);
  const sides = [dimensions(name === 'w_out' ? 'z' : 'x', rows.length), dimensions(letter, rows[0].length)];
  const [down, across] = linear ? sides.reverse() : sides;
  return html`<section class="parameter">
    <header><h3>${t(`name-${name}`)}</h3> <span><code>${name}${linear ? '.weight' : ''}</code>
      <span class="shape">${down.length} × ${across.length}</span></span></header>
    <div class="scroll">${gridTable(frame, {
      id: name,
      name: t(`name-${name}`),
      columns: across,
      rows: down,
      cell: (row, column) => signedCell(frame, linear ? rows[column][row] : rows[row][column], derived.weightLimit),
      editable: true,
      tensor: { name, transposed: linear },
    })}</div>
  </section>`;
}

/** Queries, keys and scores, folded away until asked for. @param {Frame} frame */
export function scores(frame) {
  const { state, derived, tensors, t } = frame;
  const { source, scale } = state.document;
  if (source === 'given') return nothing;
  const scaled = scale === 'none' ? '' : t('scores-scaled', { headDim: derived.headDim });
  return html`<p><code>${t(`scores-${source}`, { scaled })}</code></p>
    <div class="rows ${sizeClass(derived.nTokens)}">
      ${source === 'trained' ? html`${projected(frame, 'queries', 'q')} ${projected(frame, 'keys', 'k')}` : nothing}
      ${Array.from({ length: derived.heads }, (_, head) => scoresGrid(frame, head))}
    </div>`;
}

/** @param {Frame} frame @param {'queries' | 'keys'} name @param {string} letter */
function projected(frame, name, letter) {
  const { state, derived, tensors, t } = frame;
  const rows = rowsOf(tensors[name]);
  return html`<section class="panel">
    <h3>${t(`name-${name}`)} <code>${name}</code> ${shapeOf(frame, name)}</h3>
    ${gridTable(frame, {
      id: name,
      name: t(`name-${name}`),
      tensor: { name },
      columns: dimensions(letter, derived.width),
      rows: state.document.tokens.map((label, i) => ({ content: tokenLabel(label, i), name: label })),
      cell: (row, column) => signedCell(frame, rows[row][column], derived.scoreLimit),
    })}
  </section>`;
}

/** @param {Frame} frame @param {number} head */
function scoresGrid(frame, head) {
  const { state, derived, tensors, t } = frame;
  const { tokens } = state.document;
  const rows = headRows(tensors.attn_scores, head);
  const name = derived.heads > 1 ? t('name-attn_scores-head', { head: head + 1 }) : t('name-attn_scores');
  return html`<section class="panel">
    <h3>${name} <code>attn_scores</code> ${shapeOf(frame, 'attn_scores')}</h3>
    ${gridTable(frame, {
      id: `attn_scores-${head}`,
      name,
      columns: tokens.map((label, i) => ({ content: tokenNumber(i), name: t('key-column', { number: i + 1, label }) })),
      rows: tokens.map((label, i) => ({ content: tokenLabel(label, i), name: t('query-row', { number: i + 1, label }) })),
      cell: (row, column) => rows[row][column] === -Infinity
        ? maskedCell(t, tokens[row], tokens[column]) : signedCell(frame, rows[row][column], derived.scoreLimit),
      chosen: state.view.row,
      tensor: { name: 'attn_scores', head },
    })}
  </section>`;
}
