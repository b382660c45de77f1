/**
 * The card of a question that is open: what is asked, a way to predict, and then predictions and answer side by side.
 * It knows forms, not kinds. Pure; nothing while no question is open. What is hidden meanwhile: ../model/veil.js.
 * Next to read: ../model/questions.js, ../app/questions.js.
 */

import { html, nothing } from 'lit-html';
import { apartInWords, brief, inCell, kindsHere, nextSeed, sideBySide } from '../model/derive.js';
import { placeName } from './bugs.js';
import { tokenLabel } from './cells.js';
import { cellText } from './inspector.js';
import { listed } from './verdict.js';

/**
 * @typedef {import('./frame.js').Frame} Frame
 * @typedef {NonNullable<import('../model/derive.js').Derived['question']>} Question
 * @typedef {import('../model/questions.js').Prediction} Prediction
 */

/** @param {Frame} frame @param {unknown} [way]  where the guide goes on, once the answer is shown: lesson.js */
export function questionCard(frame, way = nothing) {
  const { state, derived, t } = frame;
  const { question } = derived;
  if (!state.view.question) return nothing;
  const next = question?.revealed ? nextSeed(state.document, question.kind, question.seed) : null;
  return html`<section class="question" id="question" tabindex="-1" aria-labelledby="question-title question-asks">
    <header>
      <h2 id="question-title">${t('question-title')}</h2>
      ${question ? html`<p class="asks" id="question-asks">${t(`ask-${question.kind}`, question.words)}</p>`
        : html`<p class="asks" id="question-asks">${t('question-not-here')}</p>`}
      <button type="button" class="close" data-act="unask" aria-label=${t('question-close')}>×</button>
    </header>
    <p class="anew note" aria-live="polite">${question?.anew ? t('question-anew') : nothing}</p>
    ${!question ? nothing : question.revealed ? revealed(frame, question) : open(frame, question)}
    <p class="more">${way} ${question?.revealed && question.shows ? html`<button type="button" data-act="inspect"
      data-value=${cellText(question.shows)}>${t('question-arithmetic')}</button>` : nothing} ${next === null ? nothing : html`<button type="button" data-act="ask"
      data-value="${question?.kind} ${next}">${t('question-another')}</button>`}
      ${others(frame, state.view.question.kind)}</p>
  </section>`;
}

/** Before the answer is shown. @param {Frame} frame @param {Question} question */
function open(frame, question) {
  const { t } = frame;
  const { predictions } = question;
  const none = predictions.length === 0;
  return html`
    <div class="predict">${form(frame, question)}
      <button type="button" data-act="predict">${t(none ? 'predict' : 'predict-more')}</button>
      <button type="button" data-act="unveil" data-value="show" aria-disabled=${none ? 'true' : 'false'}
        aria-describedby="why-unveil">${t('question-reveal')}</button>
      ${none ? html`<button type="button" data-act="unveil" data-value="skip">${t('question-skip')}</button>` : nothing}</div>
    <p class="note" id="why-unveil">${none ? t('question-first') : t('question-so-far', {
      list: predictions.map((one) => inWords(frame, question, one)).join(' · '),
    })}</p>`;
}

/** How one answers. What is typed or ticked is read when it is committed. @param {Frame} frame @param {Question} question */
function form(frame, { form: asks, kind, seed }) {
  const { state, t } = frame;
  const { tokens } = state.document;
  const id = `predict-${kind}-${seed}`;
  const field = (/** @type {string} */ name, /** @type {string} */ mode) => html`<label>${name} <input class="prediction" type="text"
    inputmode=${mode} autocomplete="off" data-enter="predict" aria-describedby="question-asks"></label>`;
  const tick = (/** @type {string} */ type, /** @type {string | number} */ value, /** @type {unknown} */ content) =>
    html`<label class="choice"><input class="prediction" type=${type} name=${id} value=${value}>${content}</label>`;
  const group = (/** @type {unknown} */ choices) =>
    html`<div class="choices" role="group" aria-labelledby="question-asks">${choices}</div>`;
  switch (asks.type) {
    case 'number': return field(t('predict-number'), 'decimal');
    case 'shape': return html`${field(t('predict-rows'), 'numeric')} ${field(t('predict-columns'), 'numeric')}`;
    case 'tokens': return group(tokens.map((label, i) => tick(asks.several ? 'checkbox' : 'radio', i, tokenLabel(label, i))));
    case 'rows': return group(tokens.map((_, i) => tick('checkbox', i, t('predict-row', { row: i + 1 }))));
    case 'words': return group(asks.words.map((word) => tick('radio', word, t(`answer-${word}`))));
    case 'places': return html`<label>${t('mystery-where')} <select class="prediction">
      <option value="">${t('mystery-choose')}</option>${asks.places.map((place) =>
        html`<option value=${place}>${placeName(frame, place)}</option>`)}</select></label>`;
  }
}

/** Predictions and answer side by side, and why. @param {Frame} frame @param {Question} question */
function revealed(frame, question) {
  const { state, derived, t } = frame;
  const { answer } = derived.computed;
  if (!answer) return nothing;
  const { digits } = state.view;
  const { each, closest } = sideBySide(question.form, question.predictions, answer.right, digits);
  const words = (/** @type {Prediction} */ one) => inWords(frame, question, one);
  const shown = typeof answer.right === 'number' ? inCell(answer.right, digits) : words(answer.right);
  const why = Object.entries(answer.words).map(([name, value]) => [name, name === 'weight' ? inCell(Number(value), digits) : value]);
  return html`<dl class="answered">
      ${each.map(({ prediction, apart }) => html`<div><dt>${t('predicted')}</dt><dd>${words(prediction)}${apart === null ? nothing
        : html` <small>${apart === 0 ? t('predicted-same') : t('predicted-apart', { apart: apartInWords(apart, digits) })}</small>`}</dd></div>`)}
      ${question.skipped ? html`<div><dt>${t('predicted')}</dt><dd>${t('question-skipped')}</dd></div>` : nothing}
      <div class="right"><dt>${t('answer')}</dt><dd tabindex="-1" id="answer">${shown}</dd></div>
    </dl>
    ${closest.length > 0 ? html`<p>${t('predicted-closest', { list: [...new Set(closest.map((i) => words(each[i].prediction)))].join(' · ') })}</p>` : nothing}
    <p class="why">${t(`why-${question.kind}`, { ...question.words, ...Object.fromEntries(why) })}</p>`;
}

/** A prediction or an answer, as one says it. @param {Frame} frame @param {Question} question @param {Prediction} one @returns {string} */
function inWords(frame, { form: { type } }, one) {
  const { t } = frame;
  if (typeof one === 'number') return brief(one, 6);
  if (typeof one === 'string') return type === 'places' ? placeName(frame, one) : t(`answer-${one}`);
  if (type === 'shape') return one.map(String).join(' × ');
  return t(type === 'rows' ? 'answer-rows' : 'answer-tokens', { list: listed(one), count: one.length });
}

/** The other kinds of question that can be asked here. @param {Frame} frame @param {string} now */
function others({ state, t }, now) {
  const kinds = kindsHere(state.document).filter((kind) => kind !== now);
  return html`<label>${t('question-others')} <select id="other-kind">${
    kinds.map((kind) => html`<option value=${kind}>${t(`kind-${kind}`)}</option>`)}</select></label>
    <button type="button" data-act="ask-other">${t('question-ask')}</button>`;
}
