/**
 * What is to be learnt: which task, in words, with one sequence of it solved: where each token's target comes from, and
 * what comes out now. Pure. Next to read: training.js, ../model/tasks.js.
 */

import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { exact, inCell, rowsOf } from '../model/derive.js';
import { dimensions, hiddenCell, signedCell, tokenLabel, tokenNumber } from './cells.js';
import { gridTable } from './grid.js';
import { plainTable } from './plain-table.js';

/**
 * @typedef {import('./frame.js').Frame} Frame
 * @typedef {import('../model/derive.js').Lesson} Lesson
 */

const TASKS = ['fetch', 'copy', 'fit', 'none'];

/** Buttons and not radio buttons, whose arrow keys would open one document after the other. @param {Frame} frame */
export function taskChooser({ state, t }) {
  const { training, source } = state.document;
  const chosen = training?.task ?? 'none';
  return html`<p class="controls"><span class="segments" role="group" aria-label=${t('task')}>${TASKS.map((task) => {
    const off = task === 'fit' && source !== 'trained';
    return html`<button type="button" data-act="train-task" data-value=${task} aria-pressed=${task === chosen ? 'true' : 'false'}
      aria-disabled=${off ? 'true' : 'false'} aria-describedby=${off ? 'why-fit' : nothing}>${t(`task-${task}`)}</button>`;
  })}</span>
  ${source === 'trained' ? nothing : html`<small class="note" id="why-fit">${t('task-why-fit')}</small>`}</p>`;
}

/** @param {Frame} frame @param {Lesson} lesson */
export function taskInWords(frame, lesson) {
  const { state, t } = frame;
  const { id } = lesson.task;
  const masked = state.document.causal ? 'yes' : 'no';
  return html`<p>${t(`task-${id}-about`, { sequences: lesson.sequences })}</p>
    ${id === 'copy' ? html`<p>${t('task-copy-positions')}</p>` : nothing}
    ${id === 'fit' ? html`<p class="note">${t('task-fit-note')}</p>` : html`<p class="note">${t('task-floor', { masked })}</p>`}
    ${id === 'fit' ? targetsGrid(frame) : solved(frame, lesson)}`;
}

/** The rows that are wanted, to be edited. @param {Frame} frame */
function targetsGrid(frame) {
  const { state, derived, t } = frame;
  const { targets, tokens } = state.document;
  if (!targets) return nothing;
  return html`<section><h3>${t('name-targets')}</h3>${gridTable(frame, {
    id: 'targets',
    name: t('name-targets'),
    columns: dimensions('z', targets[0].length),
    rows: tokens.map((label, i) => ({ content: tokenLabel(label, i), name: label })),
    cell: (row, column) => signedCell(frame, targets[row][column], derived.figureLimit),
    editable: true,
  })}</section>`;
}

/** The sequence on the screen, solved. @param {Frame} frame @param {Lesson} lesson */
function solved(frame, { task, edited }) {
  const { state, tensors, t } = frame;
  const { tokens, training } = state.document;
  const { digits } = state.view;
  if (!training) return nothing;
  const { heldOut, index } = training.sequence;
  const wanted = task.targets[index];
  const now = rowsOf(tensors.outputs ?? tensors.context_vecs);
  const payload = wanted[0].map((_, i) => t(`feature-payload-${i + 1}`));
  const text = (/** @type {number} */ value) => (Number.isNaN(value) ? hiddenCell(t) : { text: inCell(value, digits), title: exact(value) });
  return html`<section><h3>${t('solved-title', { index: index + 1, heldOut: heldOut ? 'yes' : 'no' })}</h3>
    <p class="controls">${sequenceChooser(frame, task.inputs.length)}
      ${edited ? html`<span class="note">${t('sequence-edited')}</span>` : nothing}</p>
    ${plainTable({
      name: t('solved-name'), kind: 'figures', corner: t('solved-token'),
      groups: [{ text: '', span: 1 }, { text: t('solved-wanted'), span: payload.length }, { text: t('solved-now'), span: payload.length }],
      columns: [{ content: t('solved-source') }, ...payload.map((content) => ({ content })), ...payload.map((content) => ({ content }))],
      rows: tokens.slice(0, wanted.length).map((label, i) => ({ content: tokenLabel(label, i), name: label })),
      cell: (row, column) => {
        const source = task.sources[row];
        if (column === 0) return sourceOf(frame, source);
        if (column > payload.length) return text(now[row][column - 1 - payload.length]);
        return source === null ? { text: '–' } : text(wanted[row][column - 1]);
      },
      rowKind: (row) => (row === state.view.row ? 'chosen' : ''),
    })}</section>`;
}

/** @param {Frame} frame @param {number | null} source */
function sourceOf({ state, t }, source) {
  if (source === null) return { text: t('solved-none'), kind: 'word' };
  return { text: tokenNumber(source), title: state.document.tokens[source], kind: 'word' };
}

/** Which sequence is on the screen. @param {Frame} frame @param {number} count */
function sequenceChooser({ state, t }, count) {
  const shown = state.document.training?.sequence;
  const group = (/** @type {boolean} */ heldOut) => html`<optgroup label=${t(heldOut ? 'sequences-held-out' : 'sequences-learnt')}>
    ${Array.from({ length: count }, (_, i) => html`<option value="${heldOut ? 1 : 0} ${i}"
      .selected=${live(shown?.heldOut === heldOut && shown.index === i)}>${t(heldOut ? 'sequence-held-out' : 'sequence', { index: i + 1 })}</option>`)}
  </optgroup>`;
  return html`<label>${t('sequence-shown')} <select data-act="train-sequence">${group(false)} ${group(true)}</select></label>`;
}
