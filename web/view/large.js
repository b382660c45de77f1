/**
 * The instrument for a sequence too long to read row by row: its sizes, how far it is, the map and its buttons. What
 * moves with the map (its axes, the lens, the row) is painted apart, into two places that stay empty here. Pure.
 * Next to read: large-live.js.
 */

import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { LARGE_ENDS, LARGE_SIZES, cut, entryText, exact, figures, heaviest, rangeOf, topOf, weightClass, wrongText } from '../model/derive.js';
import { toggle } from './controls.js';

/**
 * @typedef {import('./frame.js').Frame} Frame
 * @typedef {import('../model/large.js').Entry} Entry
 * @typedef {{ large: import('../model/derive.js').Large, run: Frame['ui']['large'], t: Frame['t'] }} Parts  asked for, and
 *   what is there
 */

/** So much of an entry is quoted. */
const LONGEST = 24;

/** @type {Entry[]} */
const SIZES = ['tokens', 'heads', 'headDim', 'seed'];

/** From the start of the worker to the picture. */
const STEPS = ['starting', 'drawing', 'computing', 'painting'];

/** @param {number} bytes */
const mebibytes = (bytes) => figures(bytes / 2 ** 20, bytes < 2 ** 30 ? 3 : 4);

/** @param {Frame} frame */
export function large(frame) {
  const { state: { view: { large: asked } }, ui: { large: run }, t } = frame;
  const parts = { large: asked, run, t };
  const rests = resting(run);
  return html`<p class="note">${t('large-about')}</p>
    <div class="controls">
      <span role="group" aria-label=${t('large-sizes')} class="large-sizes">${LARGE_SIZES.map((size) => sizeButton(frame, size))}</span>
      ${SIZES.map((entry) => field(parts, entry))}
    </div>
    ${problems(parts, SIZES)}
    ${progress(frame)}
    <div class="columns">
      <section class="large-figure">
        <h3>${t('large-map')}</h3>
        <div class="controls">
          <label>${t('large-head')} <select data-act="large-head" ?disabled=${rests !== nothing} aria-describedby=${rests}>${Array.from({ length: asked.heads }, (_, head) => html`<option value=${head}
            .selected=${live(head === asked.head)}>${head + 1}</option>`)}</select></label>
          <label>${t('large-ends')} <select data-act="large-ends">${LARGE_ENDS.map((ends) => html`<option value=${ends}
            .selected=${live(ends === asked.ends)}>${endText(frame, ends)}</option>`)}</select></label>
          ${toggle('large-causal', t('large-causal'), asked.causal)}
        </div>
        <div class="large-map">
          <div id="large-axes"></div>
          <canvas id="large-map" width="1" height="1" tabindex=${rests === nothing ? 0 : -1} role="application"
            aria-label=${t('large-map-name', { head: asked.head + 1 })} aria-describedby=${rests === nothing ? 'large-how' : rests}></canvas>
          ${rests === nothing ? nothing : html`<p class="large-empty" id=${rests}>${t('large-empty', { status: run?.status ?? 'working' })}</p>`}
        </div>
        ${legend(frame)}
        ${buttons(frame)}
        <p class="note" id="large-how">${t('large-how')}</p>
      </section>
      <section class="large-close" id="large-close"></section>
    </div>`;
}

/** @param {Frame} frame @param {typeof LARGE_SIZES[number]} size */
function sizeButton({ state: { view: { large: asked } }, t }, { tokens, heads, headDim }) {
  const chosen = asked.tokens === tokens && asked.heads === heads && asked.headDim === headDim;
  return html`<button type="button" data-act="large-size" data-value="${tokens} ${heads} ${headDim}"
    aria-pressed=${chosen ? 'true' : 'false'}>${t('large-size', { tokens, heads })}</button>`;
}

/**
 * The id of the sentence that says why controls have nothing to act on; nothing: they have.
 * @param {Parts['run']} run
 */
const resting = (run) => (run?.made ? nothing : 'large-empty');

/**
 * A field for a number, which is taken when one is done. No painting in between touches what is being typed: so it is
 * not live, and ../app/large-entries.js writes it afresh when it has been read. An entry that was not taken stays.
 * @param {Parts} parts @param {Entry} entry @param {boolean} [rests]  there is nothing for it to act on: what
 *   says so has the id "large-rests"
 */
export function field({ large, run, t }, entry, rests = false) {
  const wrong = wrongText(run?.wrong ?? {}, large, entry);
  return html`<label>${t(`large-${entry}`)} <input type="text" inputmode="numeric" autocomplete="off" data-act="large-${entry}"
    .value=${wrong ?? entryText(large, entry)} ?disabled=${rests} aria-invalid=${wrong === null ? nothing : 'true'}
    aria-describedby=${rests ? 'large-rests' : wrong === null ? nothing : `large-wrong-${entry}`}></label>`;
}

/** What was not taken, and what the fields take: beside them. @param {Parts} parts @param {Entry[]} entries */
export function problems({ large, run, t }, entries) {
  return html`<div class="large-wrong" role="alert">${entries.map((entry) => {
    const wrong = wrongText(run?.wrong ?? {}, large, entry);
    if (wrong === null) return nothing;
    const [low, high] = rangeOf(large, entry);
    return html`<p id="large-wrong-${entry}">${t('large-wrong', {
      name: t(`large-${entry}`), low, high, got: cut(wrong.trim(), LONGEST) || t('large-wrong-empty'), now: entryText(large, entry) })}</p>`;
  })}</div>`;
}

/** @param {Frame} frame */
function progress({ state: { view: { large: asked } }, ui: { large: run }, t }) {
  const { status = 'working', step = 1, share = 0, bytes = 0, limit = 0, milliseconds = 0, reason = '', made = null } = run ?? {};
  // What was computed may be another sequence than what is asked for by now.
  const { tokens, heads, headDim } = made ?? asked;
  const sizes = { bytes: mebibytes(bytes), limit: mebibytes(limit), tokens, heads, headDim };
  const working = status === 'working';
  const bad = !working && status !== 'ready' && status !== 'stopped';
  const text = {
    working: () => t(`large-step-${STEPS[step - 1]}`, { step, steps: STEPS.length }),
    ready: () => t('large-ready', { ...sizes, milliseconds: Math.round(milliseconds) }),
    stopped: () => t('large-stopped'),
    refused: () => t('large-refused', { ...sizes, width: heads * headDim, most: heaviest(asked) }),
    'no-memory': () => t('large-no-memory', sizes),
    'no-worker': () => t('large-no-worker', { reason }),
    failed: () => t('large-failed', { reason }),
  }[status]();
  // One button whatever happens, so that the focus stays on it.
  return html`<div class="large-progress ${bad ? 'bad' : ''}">
    ${working ? html`<progress max=${STEPS.length} value=${step - 1 + share} aria-label=${t('large-progress')}></progress>` : nothing}
    <span role="status" id="large-status">${text}</span>
    <button type="button" ?hidden=${status === 'refused'} data-act=${working ? 'large-stop' : 'large-start'}>${t(working ? 'large-stop' : 'large-start')}</button>
  </div>`;
}

/** @param {Frame} frame @param {number} ends */
function endText({ state: { view: { large: asked } }, t }, ends) {
  const top = topOf({ ...asked, ends });
  if (ends === 0) return t('large-ends-one');
  return top === 1 ? t('large-ends-most', { times: ends }) : t('large-ends-share', { times: ends, top: figures(top, 3) });
}

/** @param {Frame} frame */
function legend({ state: { view: { large: asked } }, t }) {
  const top = topOf(asked);
  return html`<div class="legends">
    <span class="legend">${t('legend-weights')} <span class="number">0</span><span class="swatches" aria-hidden="true">${
      Array.from({ length: 11 }, (_, i) => html`<i class="swatch ${weightClass(i / 10)}"></i>`)}</span><span class="number">${
      top === 1 ? '1' : t('large-and-more', { top: figures(top, 3) })}</span></span>
    ${asked.causal ? html`<span class="legend"><i class="swatch masked"></i> ${t('masked')}</span>` : nothing}
    <span>${t('large-share', { tokens: asked.tokens, share: exact(Number((1 / asked.tokens).toPrecision(3))) })}</span>
  </div>`;
}

/** @param {Frame} frame */
function buttons({ ui: { large: run }, t }) {
  const rests = resting(run);
  const disabled = rests !== nothing;
  /** @param {string} value @param {string} sign @param {string} name */
  const move = (value, sign, name) => html`<button type="button" data-act="large-move" data-value=${value} aria-label=${name}
    ?disabled=${disabled} aria-describedby=${rests}>${sign}</button>`;
  return html`<p class="controls large-buttons" role="group" aria-label=${t('large-buttons')}>
    <button type="button" data-act="large-zoom" data-value="in" ?disabled=${disabled} aria-describedby=${rests}>${t('large-closer')}</button>
    <button type="button" data-act="large-zoom" data-value="out" ?disabled=${disabled} aria-describedby=${rests}>${t('large-wider')}</button>
    <button type="button" data-act="large-whole" ?disabled=${disabled} aria-describedby=${rests}>${t('large-whole')}</button>
    ${move('-1 0', '↑', t('large-up'))} ${move('1 0', '↓', t('large-down'))} ${move('0 -1', '←', t('large-left'))} ${move('0 1', '→', t('large-right'))}
  </p>`;
}
