/**
 * The controls of training above the figure, so that one sees what moves: play, steps, where the loss is, why training
 * rests. Pure; there only while the training instrument is open and there is something to train.
 * Next to read: training.js, ../app/trainer.js.
 */

import { html, nothing } from 'lit-html';
import { smallerRate } from '../model/derive.js';
import { short, smallCurve } from './loss-curve.js';

/** @typedef {import('./frame.js').Frame} Frame */

/** @param {Frame} frame */
export function trainBar(frame) {
  const { state, derived, ui, t } = frame;
  const { training } = state.document;
  const { lesson } = derived.computed;
  if (!training || !lesson || !state.view.panels.includes('training')) return nothing;
  const refused = state.document.fault === 'none' ? null : t('train-why-bug');
  const button = (/** @type {string} */ act, /** @type {unknown} */ text, /** @type {string} */ value, off = refused !== null) =>
    html`<button type="button" data-act=${act} data-value=${value} aria-disabled=${off ? 'true' : 'false'}>${text}</button>`;
  return html`<section class="train-bar" aria-label=${t('train-controls')}>
    <div class="controls">
      ${button('train-play', html`<span aria-hidden="true">${ui.playing ? '❚❚' : '▶'}</span> ${t(ui.playing ? 'train-pause' : 'train-play')}`, '')}
      ${button('train-steps', t('train-step'), '1')}
      ${button('train-steps', t('train-ten-steps'), '10')}
      ${button('train-start', t('train-start'), '', training.start === null)}
    </div>
    <dl class="train-figures">
      ${figure(t('curve-step'), String(training.step))}
      ${figure(t('curve-loss'), lesson.loss === null ? '–' : short(lesson.loss))}
      ${lesson.heldOut === null ? nothing : figure(t('curve-held-out'), short(lesson.heldOut))}
      ${typeof ui.floor === 'number' ? figure(t('train-floor'), short(ui.floor)) : nothing}
    </dl>
    ${smallCurve(frame)}
    ${refused ? html`<p class="train-news">${refused} <button type="button" data-act="mend">${t('bug-mend')}</button></p>` : nothing}
    ${stopped(frame)}
    ${risen(frame)}
  </section>`;
}

/** @param {string} name @param {string} value */
function figure(name, value) {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

/** Why training stopped by itself, and what can be done about it. @param {Frame} frame */
function stopped({ state, derived, ui, t }) {
  const { training } = state.document;
  const { loss } = derived.computed.lesson ?? { loss: null };
  if (!ui.stopped || !training) return nothing;
  const { why, rate, steps } = ui.stopped;
  const smaller = smallerRate(rate);
  const bad = why === 'diverged' || why === 'gradient';
  return html`<p class="train-news ${bad ? 'bad' : ''}">
    ${t(`stopped-${why}`, { step: String(training.step), loss: loss === null ? '–' : short(loss), rate: String(rate) })}
    ${bad && steps > 0 ? html`<button type="button" data-act="undo" ?disabled=${!ui.canUndo}>${t('train-undo')}</button>` : nothing}
    ${why === 'diverged' && smaller < rate ? html`<button type="button" data-act="train-rate" data-value=${smaller}>${
      t('train-smaller', { rate: String(smaller) })}</button>` : nothing}</p>`;
}

/** A loss that is well above the best one so far: the best state is still there. @param {Frame} frame */
function risen({ state, derived, ui, t }) {
  const { training } = state.document;
  const { lesson } = derived.computed;
  if (!training?.best || ui.playing || !lesson || (lesson.loss !== null && lesson.loss <= training.best.loss * 1.02)) return nothing;
  const { step, loss } = training.best;
  return html`<p class="train-news">${t('train-best', { step: String(step), loss: short(loss) })}
    <button type="button" data-act="train-best">${t('train-to-best', { step: String(step) })}</button></p>`;
}
