/**
 * How the chosen row is blended: a stacked bar in the token colours, and the weighted sum written out with the
 * numbers on screen. Pure. Next to read: figure.js.
 */

import { html, nothing, svg } from 'lit-html';
import { brief, exact, headRow, holds, isHidden, isDrawable, precise, rowsOf, termsAt, tokenClass } from '../model/derive.js';

/** @typedef {import('./frame.js').Frame} Frame */

/**
 * The terms of the chosen row in the shown head, by the module's own account: weight, token, the row that it multiplies.
 * @param {Frame} frame
 */
function termsOf(frame) {
  const { state, derived, tensors } = frame;
  const { row, head } = state.view;
  const weights = headRow(tensors.attn_weights, head, row);
  const block = (/** @type {number[]} */ values) => values.slice(head * derived.headDim, (head + 1) * derived.headDim);
  const values = rowsOf(tensors[derived.blended]);
  const tokens = derived.computed.rowTraces[0].terms.map(({ left }) => left.indices[3]);
  return tokens.map((token) => ({ token, weight: weights[token], value: block(values[token]) }));
}

/** No bar where a number of the row is hidden: its lengths would tell. @param {Frame} frame */
export function blendBar(frame) {
  const { state, derived, t } = frame;
  if (derived.computed.rowTraces.some(isHidden)) return nothing;
  const terms = termsOf(frame);
  const number = state.view.row + 1;
  return html`<section class="blend">
    <h3>${t('blend-title', { row: number })}</h3>
    ${isDrawable(terms.map(({ weight }) => weight)) ? bar(frame, terms) : html`<p class="note">${t('blend-negative')}</p>`}
    ${terms.every(({ weight }) => weight === 0) ? html`<p class="note">${t('blend-none', { row: number })}</p>` : nothing}
  </section>`;
}

/** @param {Frame} frame @param {{ token: number, weight: number }[]} terms */
function bar(frame, terms) {
  const { t, state } = frame;
  const { tokens } = state.document;
  const percent = (/** @type {number} */ share) => brief(share * 100, 0);
  const part = (/** @type {number} */ token, /** @type {number} */ weight) =>
    t('blend-part', { label: tokens[token], percent: percent(weight) });
  const name = t('blend-bar', {
    row: state.view.row + 1, parts: terms.map(({ token, weight }) => part(token, weight)).join(', '),
  });
  let start = 0;
  return html`<svg class="blend-bar" role="img" aria-label=${name}>
    ${terms.filter(({ weight }) => weight > 0).map(({ token, weight }) => {
      const x = start;
      start += weight;
      // A label is shown only where it fits: its length against the segment's, in hundredths of the bar.
      const text = [part(token, weight), `${token + 1}: ${percent(weight)} %`, `${token + 1}`]
        .find((label) => [...label].length * 1.7 < weight * 100);
      return svg`<rect class=${tokenClass(token)} x="${x * 100}%" width="${weight * 100}%" height="100%"></rect>${text
        ? svg`<text class="ink ${tokenClass(token)}" x="${(x + weight / 2) * 100}%" y="50%">${text}</text>` : nothing}`;
    })}
  </svg>`;
}

/**
 * "0.25 × [1, 2] + 0.25 × [3, 4] + 0.5 × [5, 6] = [3.5, 4.5]", a term to a line; the text reads as one sum. While one
 * steps through it, the terms so far and what they come to. Where a bug is planted it need not be what the matrix holds.
 * @param {Frame} frame
 */
export function writtenSum(frame) {
  const { state, derived, t } = frame;
  if (derived.computed.rowTraces.some(isHidden)) return html`<p class="written-sum veiled">${t('veiled')}</p>`;
  const { row, digits } = state.view;
  const terms = termsOf(frame);
  const vector = (/** @type {number[]} */ values) => `[${values.map((value) => brief(value, digits)).join(', ')}]`;
  const exactVector = (/** @type {number[]} */ values) => `[${values.map(exact).join(', ')}]`;
  const masked = state.document.tokens.map((_, i) => i).filter((i) => !terms.some(({ token }) => token === i));
  const { trace, rowTraces } = derived.computed;
  // The stepper is the open number's while there is one.
  const added = trace ? terms.length : termsAt(state.view.step, terms.length);
  const running = rowTraces.map((one) => (added > 0 && added <= one.terms.length ? one.terms[added - 1].running : 0));
  return html`
    <p class="written-sum">${terms.map(({ token, weight, value }, i) => html`<span class="term ${i >= added ? 'later' : ''}"
        title="${exact(weight)} × ${exactVector(value)}"><i class="chip ${tokenClass(token)}"></i>${i > 0 ? '+ ' : ''}${
        brief(weight, digits)} × ${vector(value)}</span> `)}${added === terms.length
        ? sumOf(frame)
        : html`<strong class="term" title="[${running.map(precise).join(', ')}]">${t('so-far', { sum: vector(running) })}</strong>`}</p>
    <p class="aside" aria-live="polite">${added < terms.length
      ? `${t('steps-added', { added, count: terms.length })}, ${t('so-far', { sum: vector(running) })}` : nothing}</p>
    <p class="note">${masked.length > 0
      ? html`${t('term-masked', { count: masked.length, list: masked.map((i) => i + 1).join(', ') })} ` : nothing}${
      t('rounded', { digits })}</p>`;
}

/** What all terms come to, and what the matrix holds where that is another vector. @param {Frame} frame */
function sumOf({ state, derived, t }) {
  const { rowTraces } = derived.computed;
  const same = rowTraces.every(holds);
  // Where they differ they might still look the same with few digits.
  const vector = (/** @type {number[]} */ values) =>
    `[${values.map((value) => (same ? brief(value, state.view.digits) : exact(value))).join(', ')}]`;
  const shown = rowTraces.map((trace) => trace.shown);
  if (same) return html`<strong class="term" title="[${shown.map(exact).join(', ')}]">= ${vector(shown)}</strong>`;
  return html`<strong class="term">= ${vector(rowTraces.map(({ result }) => result))}</strong><span
    class="term differs">${t('trace-differs', { value: vector(shown) })}</span>`;
}
