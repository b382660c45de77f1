/**
 * What changed and what did not: the numbers on the screen against the start of the chapter before, as a sentence for
 * the strip and as a table. Pure; it counts and picks, what is subtracted the module subtracts.
 * Next to read: ../app/changes.js; lesson.js.
 */

import { html, nothing } from 'lit-html';
import { chapterOf, figures } from '../model/derive.js';

/**
 * @typedef {import('./frame.js').Frame} Frame
 * @typedef {import('../model/derive.js').Changed} Changed
 * @typedef {import('../model/derive.js').Tensor} Tensor
 *
 * @typedef {object} Row  one matrix
 * @property {string} tensor
 * @property {string} now     its size
 * @property {string | null} before  its size then; null: it is new
 * @property {{ count: number, same: number, largest: number } | null} numbers  null: the sizes do not agree
 */

const TENSORS = ['inputs', 'w_query', 'w_key', 'w_value', 'w_out', 'values', 'attn_weights', 'context_vecs'];

/** In one or two sentences; nothing where there is no chapter before. @param {Frame} frame */
export function changedLine(frame) {
  const { state, derived, t } = frame;
  const { changed } = derived.computed;
  if (!changed) return nothing;
  const rows = merged(rowsOf(frame, changed));
  const isSame = (/** @type {Row} */ { numbers }) => numbers !== null && numbers.same === numbers.count;
  const masked = changed.fromMask !== null;
  // What the mask did to the weights is said in its own sentence.
  const other = rows.filter((row) => !isSame(row) && !(masked && row.tensor === 'attn_weights'));
  const list = (/** @type {Row[]} */ some) => some.map((row) => inWords(frame, row)).join(', ');
  const same = rows.filter(isSame);
  const fresh = rowsOf(frame, changed).filter(({ tensor, before }) => before === null && tensor.startsWith('w_'));
  return html`<p class="note changed">
    ${fresh.length > 0 ? t('changed-fresh', { list: fresh.map(({ tensor, now }) => t('changed-matrix', { tensor, now })).join(', ') }) : nothing}
    ${same.length > 0 ? html`<span class="same">${t('changed-same', { chapter: chapterName(frame, changed.example), list: list(same) })}</span>` : nothing}
    ${other.length > 0 ? t('changed-other', { list: list(other) }) : masked ? nothing : t('changed-all')}
    ${masked ? maskSentence(frame, changed) : nothing}
  </p>`;
}

/** As a table, matrix by matrix; nothing where there is no chapter before. @param {Frame} frame */
export function changedTable(frame) {
  const { derived, t } = frame;
  const { changed } = derived.computed;
  if (!changed) return nothing;
  return html`<section class="changes">
    <h3>${t('changed-title')}</h3>
    <p class="note">${t('changed-against', { chapter: chapterName(frame, changed.example) })}</p>
    <div class="scroller" tabindex="0" role="region" aria-label=${t('changed-title')}><table class="change-list">
      <thead><tr>${['what', 'size-before', 'size-now', 'same-numbers', 'largest'].map((id) =>
        html`<th scope="col">${t(`changed-${id}`)}</th>`)}</tr></thead>
      <tbody>${rowsOf(frame, changed).map(({ tensor, before, now, numbers }) => html`<tr>
        <th scope="row">${t(`name-${tensor}`)}</th>
        <td>${before ?? t('changed-new')}</td>
        <td>${now}</td>
        <td>${numbers ? `${numbers.same} / ${numbers.count}` : t('changed-none')}</td>
        <td>${numbers ? figures(numbers.largest, 2) : t('changed-none')}</td>
      </tr>`)}</tbody>
    </table></div>
    ${changed.fromMask ? html`<p>${maskSentence(frame, changed)}</p>` : nothing}
  </section>`;
}

/** @param {Frame} frame @param {string} example that a chapter opens with */
function chapterName({ chapters, t }, example) {
  return t(`chapter-${chapters[chapterOf(chapters, example)].id}`);
}

/** @param {Frame} frame @param {Changed} changed @returns {Row[]} */
function rowsOf({ tensors }, { before, differences }) {
  // Without trainable matrices the values are the inputs: there is nothing to say of them.
  const shown = TENSORS.filter((tensor) => tensors[tensor] && (tensor !== 'values' || (tensors.w_value && before.w_value)));
  return shown.map((tensor) => {
    const difference = differences[tensor];
    return {
      tensor,
      now: sizeOf(tensors[tensor]),
      before: before[tensor] ? sizeOf(before[tensor]) : null,
      numbers: difference ? {
        count: difference.data.length,
        same: difference.data.filter((value) => value === 0).length,
        largest: largestOf(difference.data),
      } : null,
    };
  });
}

/** The weight matrices as one, if all their numbers are as before; those that are new, left out. @param {Row[]} rows @returns {Row[]} */
function merged(rows) {
  const kept = rows.filter(({ tensor, before }) => before !== null && tensor !== 'values');
  const matrices = kept.filter(({ tensor }) => tensor.startsWith('w_'));
  if (matrices.length < 2 || matrices.some(({ numbers }) => numbers?.largest !== 0)) return kept;
  const count = matrices.reduce((sum, { numbers }) => sum + (numbers?.count ?? 0), 0);
  const one = { ...matrices[0], tensor: 'matrices', numbers: { count, same: count, largest: 0 } };
  return kept.flatMap((row) => (row === matrices[0] ? [one] : matrices.includes(row) ? [] : [row]));
}

/** @param {Frame} frame @param {Row} row */
function inWords({ t }, { tensor, before, now, numbers }) {
  const name = tensor === 'matrices' ? t('changed-matrices') : t(`name-${tensor}`);
  if (!numbers) return t('changed-size', { name, before: before ?? '', now });
  const { count, same, largest } = numbers;
  return same === count ? t('changed-count', { name, same, count })
    : t('changed-differ', { name, differ: count - same, count, largest: figures(largest, 2) });
}

/**
 * How many weights became 0, and how far the rest is from the old weights divided by what is left of their row.
 * @param {Frame} frame @param {Changed} changed
 */
function maskSentence({ tensors, derived, t }, { before, differences, fromMask }) {
  const now = tensors.attn_weights.data;
  const last = differences.attn_weights.data.slice(-derived.nTokens);
  return t('changed-mask', {
    zeros: now.filter((weight, i) => weight === 0 && before.attn_weights.data[i] !== 0).length,
    largest: figures(largestOf(/** @type {Tensor} */ (fromMask).data), 2),
    last: figures(largestOf(last), 2),
  });
}

/** The largest in size. @param {Float32Array} numbers */
function largestOf(numbers) {
  return numbers.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
}

/** "6 × 3"; of several heads "2 × 6 × 6". @param {Tensor} tensor */
function sizeOf({ shape }) {
  return shape.filter((size, axis) => axis >= shape.length - 2 || size > 1).join(' × ');
}
