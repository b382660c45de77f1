/**
 * Buttons that do something elsewhere on the page, as the content names them: to trace a number, to show an
 * instrument, to plant a bug, to switch something. One that cannot work here says why. Pure.
 * Next to read: cards.js, chapter.js.
 */

import { html, nothing } from 'lit-html';

/**
 * @typedef {import('./frame.js').Frame} Frame
 * @typedef {import('../content/cards.js').Do} Do
 */

/** @param {Frame} frame @param {Do} does */
export function doButton(frame, does) {
  const { act, value = '', say = act } = does;
  if (act === 'plant') return plantButton(frame, value);
  const on = switched(frame)[act];
  if (on !== undefined) {
    return html`<button type="button" data-act=${act} data-value=${on ? 'off' : 'on'} aria-pressed=${on ? 'true' : 'false'}>${
      frame.t(`do-${say}`)}</button>`;
  }
  return html`<button type="button" data-act=${act} data-value=${act === 'inspect' ? cellHere(frame, value) : value}>${
    frame.t(`do-${say}`)}</button>`;
}

/** What can be switched on and off, and whether it is on. @param {Frame} frame @returns {Record<string, boolean>} */
function switched({ state: { document: doc, view } }) {
  return { 'causal': doc.causal, 'project': doc.project, 'linear': view.linear, 'column-sums': view.columnSums };
}

/** @param {Frame} frame @param {string} fault */
function plantButton({ state, derived, t }, fault) {
  const here = state.document.fault === fault && !(state.view.mystery && !state.view.mystery.revealed);
  const missing = derived.computed.faults.find(({ name }) => name === fault)?.missing ?? null;
  return html`<span class="do"><button type="button" data-act=${here ? 'mend' : 'plant'} data-value=${fault} ?disabled=${!here && missing !== null}
    aria-describedby=${missing ? `card-why-${fault}` : nothing}>${t(here ? 'do-mend' : 'do-plant', { name: t(`bug-${fault}`) })}</button>
    ${missing ? html`<small id="card-why-${fault}">${t('bug-needs', { why: t(`missing-${missing}`) })}</small>` : nothing}</span>`;
}

/** A number that is there: what is chosen filled in, and nothing beyond the last row or column. @param {Frame} frame @param {string} value */
function cellHere({ state, derived, tensors }, value) {
  const { row, head } = state.view;
  const filled = value.replace('{row}', String(row)).replace('{head}', String(head))
    .replace('{column}', String(head * derived.headDim));
  const [tensor, indices] = filled.split(':');
  const { shape } = tensors[tensor];
  return `${tensor}:${indices.split(',').map((index, axis) => Math.min(Number(index), shape[axis] - 1)).join(',')}`;
}
