/**
 * One number's arithmetic: the operation in words, its terms a line each with the numbers on screen, and whether they
 * come to the number that the matrix holds. Every factor is a button that goes on to how that number came to be. Pure.
 * All numbers are the module's account of itself (derived.computed.trace). Next to read: stepper.js, names.js.
 */

import { html, nothing } from 'lit-html';
import { exact, holds, isHidden, inCell, precise, standsIn, termsAt } from '../model/derive.js';
import { placeName, placeShort, termLabel } from './names.js';
import { stepper } from './stepper.js';

/**
 * @typedef {import('./frame.js').Frame} Frame
 * @typedef {import('../model/derive.js').Trace} Trace
 * @typedef {import('../model/derive.js').Factor} Factor
 */

/** The card of the number in focus; nothing while the row's sum is all that is open. @param {Frame} frame */
export function numberCard(frame) {
  const { state, derived, t } = frame;
  const { trace } = derived.computed;
  if (!trace) return nothing;
  const { trail } = state.view;
  return html`<section class="part number-card" aria-labelledby="number-title">
    <header>
      <h3 id="number-title" tabindex="-1">${placeName(frame, trace)}</h3>
      <button type="button" data-act="back" aria-label=${trail.length > 1 ? t('trail-back-to', {
        place: placeName(frame, trail[trail.length - 2]),
      }) : t('trail-close')}>${trail.length > 1 ? t('trail-back') : '×'}</button>
    </header>
    ${trail.length > 1 ? html`<ol class="trail" aria-label=${t('trail')}>${trail.map((cell, i) => html`<li
      aria-current=${i === trail.length - 1 ? 'step' : nothing}>${placeShort(frame, cell)}</li>`)}</ol>` : nothing}
    ${isHidden(trace) ? html`<p class="veiled">${t('veiled')}</p>` : html`<p>${operation(frame, trace)}</p>
      ${terms(frame, trace)}
      ${result(frame, trace)}
      ${elsewhere(frame, trace)}`}
  </section>`;
}

/** What was done, in words. @param {Frame} frame @param {Trace} trace */
function operation({ state, derived, t }, { tensor, indices, operation: name, scale }) {
  const { tokens } = state.document;
  const [row, column] = indices.slice(-2);
  const parameter = tensor.startsWith('w_');
  return t(`trace-${name}`, {
    row: (name === 'row_sum' || name === 'column_sum' ? column : row) + 1,
    column: column + 1,
    query: tokens[row] ?? '',
    key: tokens[column] ?? '',
    blended: derived.blended,
    masked: derived.masked ? 'yes' : 'no',
    scaled: scale === 1 ? 'no' : 'yes',
    kind: tensor === 'attn_scores' ? 'score' : parameter ? 'parameter' : 'other',
    matrix: name === 'projection' ? t(`name-${projectedBy(tensor)}`) : '',
    linear: state.view.linear ? 'yes' : 'no',
  });
}

/** The weight matrix that makes queries, keys or values. @param {string} tensor */
function projectedBy(tensor) {
  return /** @type {Record<string, string>} */ ({ queries: 'w_query', keys: 'w_key', values: 'w_value' })[tensor];
}

/** What it was made of: one number as it stands, or a sum to step through. @param {Frame} frame @param {Trace} trace */
function terms(frame, trace) {
  if (trace.terms.length === 0) return nothing;
  const [{ left }] = trace.terms;
  if (trace.operation === 'given' || trace.operation === 'same') {
    return html`<p class="copied">${placeName(frame, left)} ${factor(frame, left)}</p>`;
  }
  return html`${stepper(frame, trace.terms.length)} ${termTable(frame, trace)}`;
}

/** The terms, a line each; those not yet added show their factors only. @param {Frame} frame @param {Trace} trace */
function termTable(frame, trace) {
  const { state, derived, t } = frame;
  const { step, digits } = state.view;
  const { operation: name, terms, indices } = trace;
  const added = termsAt(step, terms.length);
  const pairs = terms[0].right !== null;
  const changes = pairs || name === 'softmax';
  return html`<div class="term-scroll"><table class="terms">
    <thead><tr>
      <td></td>
      <th scope="col">${t('term-left', { operation: name })}</th>
      ${pairs ? html`<th scope="col">${t('term-right', { operation: name, blended: derived.blended })}</th>` : nothing}
      ${changes ? html`<th scope="col">${t('term-product', { operation: name })}</th>` : nothing}
      <th scope="col">${t('term-running')}</th>
    </tr></thead>
    <tbody>${terms.map(({ left, right, product, running }, i) => {
      const isNow = step !== null && i === added - 1;
      const isOwn = (name === 'softmax' || name === 'given_masked') && left.indices[3] === indices[3];
      const kind = [i >= added ? 'later' : '', isNow ? 'now' : '', isOwn ? 'own' : ''].filter(Boolean).join(' ');
      return html`<tr class=${kind}>
        <th scope="row">${termLabel(frame, trace, left)}</th>
        <td>${factor(frame, left)}</td>
        ${right ? html`<td><span>×</span> ${factor(frame, right)}</td>` : nothing}
        ${changes ? number(product, digits, i < added) : nothing}
        ${number(running, digits, i < added)}
      </tr>`;
    })}</tbody>
  </table></div>
  <p class="note now-added" aria-live="polite">${step !== null && added > 0 ? nowAdded(frame, trace, added) : nothing}</p>`;
}

/** What the last step added, with all digits. @param {Frame} frame @param {Trace} trace @param {number} added */
function nowAdded({ t }, { terms, operation: name }, added) {
  const { left, right, product, running } = terms[added - 1];
  const factors = right ? `${exact(left.value)} × ${exact(right.value)} = ${precise(product)}`
    : name === 'softmax' ? `exp(${exact(left.value)} − max) = ${precise(product)}` : exact(left.value);
  return t('term-now', { added, count: terms.length, term: factors, running: precise(running) });
}

/** A cell of the table, once its term is added. @param {number} value @param {number} digits @param {boolean} isAdded */
function number(value, digits, isAdded) {
  return html`<td class="number" title=${isAdded ? precise(value) : nothing}>${isAdded ? inCell(value, digits) : nothing}</td>`;
}

/** A number that went into it, as a button that goes there. @param {Frame} frame @param {Factor} factor */
function factor(frame, { tensor, indices, value }) {
  const { state, t } = frame;
  const shown = standsIn(tensor, state.document.source === 'trained');
  const cell = { tensor: tensor === 'given_weights' ? tensor : shown, indices };
  const text = inCell(value, state.view.digits);
  const place = placeName(frame, cell);
  return html`<button type="button" class="factor-of" data-act="follow" data-value=${cellText(cell)}
    title=${t('factor-exact', { place, value: exact(value) })}
    aria-label=${t('factor-name', { text, place, value: exact(value) })}>${text}</button>`;
}

/** A cell as the value of a control; ../app/inspector.js reads it back. @param {import('../model/state.js').Cell} cell */
export function cellText({ tensor, indices }) {
  return `${tensor}:${indices.join(',')}`;
}

/** What comes of the sum, and whether the matrix holds it; not before all terms are added. @param {Frame} frame @param {Trace} trace */
function result(frame, trace) {
  const { state, t } = frame;
  const { digits, step } = state.view;
  const { terms, shown } = trace;
  if (termsAt(step, terms.length) < terms.length) return nothing;
  const same = holds(trace);
  // Where they differ they might still look the same with few digits.
  const text = (/** @type {number} */ value) => same ? inCell(value, digits) : exact(value);
  return html`${ending(frame, trace)}
    <p class="trace-result ${same ? '' : 'differs'}"><strong>= ${text(trace.result)}</strong>${
      t(same ? 'trace-holds' : 'trace-differs', { value: text(shown) })}</p>
    <p class="note">${t('trace-exact', { value: exact(shown), digits })}</p>`;
}

/** What is done after the terms are added: scaling, or division by the sum; the page has no biases. @param {Frame} frame @param {Trace} trace */
function ending(frame, { operation: name, indices, terms, scale, max, total }) {
  const { state, t } = frame;
  const text = (/** @type {number} */ value) => inCell(value, state.view.digits);
  const [largest, divisor] = [max ?? 0, total ?? 0];
  const sum = terms.length > 0 ? terms[terms.length - 1].running : 0;
  const own = terms.find(({ left }) => left.indices[3] === indices[3])?.product ?? 0;
  if (name === 'softmax') {
    return html`<p class="ending" title="max ${exact(largest)}, Σ ${precise(divisor)}">${t('trace-max', { max: text(largest) })}<br>
      ${t('trace-divided', { own: text(own), total: text(divisor) })}</p>`;
  }
  if (name === 'given_masked' && divisor === 0) return html`<p class="ending" title="Σ 0">${t('trace-nothing')}</p>`;
  if (name === 'given_masked') {
    return html`<p class="ending" title="Σ ${precise(divisor)}">${t('trace-divided', { own: text(own), total: text(divisor) })}</p>`;
  }
  if (scale === 1 || terms.length === 0) return nothing;
  return html`<p class="ending" title="${precise(sum)} × ${precise(scale)}">${
    t('trace-scale', { sum: text(sum), scale: text(scale) })}</p>`;
}

/** Numbers that stand in a folded instrument: offer to open it. @param {Frame} frame @param {Trace} trace */
function elsewhere({ state, t }, trace) {
  const { panels } = state.view;
  const trained = state.document.source === 'trained';
  const folded = (/** @type {string} */ tensor) => ['queries', 'keys', 'attn_scores'].includes(standsIn(tensor, trained));
  const used = [trace, ...trace.terms.flatMap(({ left, right }) => right ? [left, right] : [left])];
  if (panels.includes('scores') || !used.some(({ tensor }) => folded(tensor))) return nothing;
  return html`<p class="note elsewhere">${t('trace-elsewhere')}
    <button type="button" data-act="show-panel" data-value="scores">${t('trace-open', { panel: t('panel-scores') })}</button></p>`;
}
