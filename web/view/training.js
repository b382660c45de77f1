/**
 * The training instrument: what is to be learnt, how steps are taken, how the loss went, gradients, and what to try.
 * Pure. What one presses while it runs stands above the figure: train-bar.js. Next to read: task.js, loss-curve.js.
 */

import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { MOMENTUM, RATES, apart, brief, exact, obstacleOf } from '../model/derive.js';
import { curveTable, lossCurve, short } from './loss-curve.js';
import { taskChooser, taskInWords } from './task.js';

/**
 * @typedef {import('./frame.js').Frame} Frame
 * @typedef {import('../model/derive.js').Lesson} Lesson
 */

const SPEEDS = [1, 5, 25, 100];
const STOP_LOSSES = [0.01, 0.001, 0.0001, 0];
const STOP_STEPS = [100, 500, 1000, 3000, 10000];
const SEEDS = [123, 1, 2, 3, 4, 5, 6];

/** @param {Frame} frame */
export function training(frame) {
  const { state, derived, t } = frame;
  const { lesson } = derived.computed;
  const obstacle = obstacleOf(state.document);
  return html`
    ${taskChooser(frame)}
    ${obstacle === null ? nothing : html`<p class="train-why">${t(`train-why-${obstacle}`)}
      ${obstacle === 'bug' ? html`<button type="button" data-act="mend">${t('bug-mend')}</button>` : nothing}
      ${obstacle === 'shape' ? html`<button type="button" data-act="reset">${t('train-open-again')}</button>` : nothing}</p>`}
    ${lesson ? html`<div class="columns">
      <section class="lesson">${taskInWords(frame, lesson)} ${settings(frame)}</section>
      <section class="progress">${lossCurve(frame)} ${curveTable(frame)} ${gradients(frame, lesson)} ${experiments(frame)}</section>
    </div>` : nothing}`;
}

/**
 * @template {string | number} V
 * @param {string} act @param {string} name @param {V} chosen @param {readonly { value: V, text: string }[]} choices
 */
function list(act, name, chosen, choices) {
  return html`<label>${name} <select data-act=${act}>${choices.map(({ value, text }) => html`<option value=${value}
    .selected=${live(value === chosen)}>${text}</option>`)}</select></label>`;
}

/** @param {readonly number[]} values @param {number} chosen also if it is none of these */
const numbersWith = (values, chosen) => (values.includes(chosen) ? values : [...values, chosen])
  .map((value) => ({ value, text: brief(value, 6) }));

/** How steps are taken. @param {Frame} frame */
function settings({ state, t }) {
  const { settings: { optimizer, learningRate, speed, stopLoss, stopSteps }, scales } = state.view;
  const { training: now } = state.document;
  return html`<section><h3>${t('train-settings')}</h3>
    <p class="controls">
      ${list('train-optimizer', t('train-optimizer'), optimizer, /** @type {const} */ (['sgd', 'momentum', 'adam']).map((value) =>
        ({ value, text: t(`optimizer-${value}`, { kept: MOMENTUM }) })))}
      ${list('train-rate', t('train-rate'), learningRate, numbersWith(RATES, learningRate))}
      ${list('train-speed', t('train-speed'), speed, numbersWith(SPEEDS, speed))}
      ${list('train-stop-loss', t('train-stop-loss'), stopLoss, STOP_LOSSES.map((value) =>
        ({ value, text: value === 0 ? t('train-never') : brief(value, 6) })))}
      ${list('train-stop-steps', t('train-stop-steps'), stopSteps, numbersWith(STOP_STEPS, stopSteps))}
      ${now?.seed === null || now?.seed === undefined ? nothing
        : list('train-seed', t('train-seed'), now.seed, numbersWith(SEEDS, now.seed))}
    </p>
    ${optimizer === 'sgd' ? nothing : html`<p class="note">${t('train-memory')}</p>`}
    ${scales ? html`<p class="controls"><span class="note">${t('train-scales', { weight: brief(scales.weight, 3) })}</span>
      <button type="button" data-act="train-scales">${t('train-scale-now')}</button></p>` : nothing}
    <p class="note still-note">${t('train-still')}</p></section>`;
}

/** Gradients: how large they are, why some are zero, and one of them checked. @param {Frame} frame @param {Lesson} lesson */
function gradients(frame, { gradients: sizes, check }) {
  const { state, ui, t } = frame;
  const { gradient: cell } = state.view;
  const [name, row, column] = [ui.focus?.grid ?? '', ui.focus?.row ?? 0, ui.focus?.column ?? 0];
  const isWeight = sizes !== null && name in sizes && column >= 0;
  const [r, c] = state.view.linear ? [column, row] : [row, column];
  const place = (/** @type {number} */ i, /** @type {number} */ j, /** @type {string} */ matrix) =>
    ({ matrix: t(`name-${matrix}`), row: i + 1, column: j + 1 });
  return html`<section><h3>${t('gradients-title')}</h3>
    ${sizes ? html`<p>${t('gradients-largest', { list: Object.entries(sizes).map(([matrix, size]) => `${matrix} ${short(size)}`).join(', ') })}</p>` : nothing}
    ${zeroReason(frame, sizes)}
    <p class="controls"><button type="button" data-act="train-gradient" data-value="${name} ${r} ${c}"
      aria-disabled=${isWeight ? 'false' : 'true'} aria-describedby="gradient-how">${isWeight
        ? t('gradient-of', place(r, c, name)) : t('gradient-of-none')}</button>
      <small class="note" id="gradient-how">${t('gradient-how')}</small></p>
    ${cell && check ? html`<p class="gradient-check">${t('gradient-check', {
      ...place(cell.indices[0], cell.indices[1], cell.tensor), analytic: exact(Number(check.analytic.toPrecision(6))),
      numerical: exact(Number(check.numerical.toPrecision(6))), difference: apart(check.difference),
    })} <button type="button" data-act="train-gradient" data-value="">${t('gradient-close')}</button></p>` : nothing}
  </section>`;
}

/**
 * Why W_query and W_key do not move, if they do not: their gradients are exactly 0.
 * @param {Frame} frame @param {Lesson['gradients']} sizes
 */
function zeroReason({ state, derived, t }, sizes) {
  const { w_query, w_key } = state.document;
  const zero = [w_query, w_key].every((rows) => rows.every((row) => row.every((value) => value === 0)));
  const still = sizes !== null && sizes.w_query === 0 && sizes.w_key === 0;
  const why = still && derived.computed.lesson?.task.inputs[0].length === 1 ? 'one-token'
    : still && zero ? 'zero' : derived.saturated || still ? 'saturated' : null;
  return why ? html`<p class="train-why">${t(`gradient-why-${why}`)}</p>` : nothing;
}

/** What is worth a try. @param {Frame} frame */
function experiments({ state, t }) {
  return html`<section><h3>${t('train-try')}</h3><p class="controls">
    <button type="button" data-act="train-compare" aria-disabled=${state.document.training?.start ? 'false' : 'true'}
      aria-describedby="compare-how">${t('train-compare')}</button>
    <button type="button" data-act="train-zero">${t('train-zero')}</button>
    <small class="note" id="compare-how">${t('train-compare-how')}</small></p></section>`;
}
