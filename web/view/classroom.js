/**
 * What a class meets: the bar that reveals rows and leads back to the class start. And the dialog in which a teacher
 * sets up a class link, while the page behind it shows what the link opens. Pure.
 * Next to read: ../app/classroom.js, ../io/class-link.js.
 */

import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { LOCKS, PARTS, askableKinds, matricesOf } from '../model/derive.js';
import { allInstruments } from './panels.js';

/**
 * @typedef {import('./frame.js').Frame} Frame
 * @typedef {Extract<import('./frame.js').Dialog, { kind: 'class' }>} ClassDialog
 */

/** @param {Frame} frame */
export function classBar({ state, t }) {
  const { classroom } = state.view;
  if (!classroom) return nothing;
  return html`<section class="class-bar" aria-label=${t('class-bar')}>
    <b>${t('class-bar')}</b>
    ${classroom.rows === null ? nothing : rowsSteps(t, classroom.rows, state.document.tokens.length)}
    ${classroom.ask.length > 0 ? html`<span>${t('class-ask')}</span>` : nothing}
    ${classroom.link === null ? nothing : html`<button type="button" class="class-reset" data-act="class-reset">${t('class-reset')}</button>`}
  </section>`;
}

/** @param {Frame['t']} t @param {number} rows @param {number} count */
function rowsSteps(t, rows, count) {
  return html`
    ${rows === 0 ? nothing : html`<button type="button" data-act="class-rows" data-value=${rows - 1}>${t('class-back', { row: rows })}</button>`}
    ${rows === count ? html`<span>${t('class-all-shown')}</span>`
      : html`<button type="button" data-act="class-rows" data-value=${rows + 1}>${t('class-next', { row: rows + 1 })}</button>`}`;
}

/** @param {Frame} frame @param {ClassDialog} dialog */
export function classDialog(frame, dialog) {
  const { state, t } = frame;
  const { classroom, present, question, row, digits } = state.view;
  const rows = classroom === null || classroom.rows === null ? 'all' : classroom.weightRows ? 'weights' : 'one';
  return html`<p class="note">${t('class-what')}</p>
    <section>${dialog.url === null ? html`<p role="alert">${t('class-long-link', { length: dialog.length })}</p>` : html`
      <p class="controls"><label class="link">${t('class-link')} <input type="text" class="field" readonly .value=${dialog.url}></label>
        <button type="button" data-act="copy-link" data-value=${dialog.url}>${t('class-copy')}</button></p>`}
      ${dialog.local ? html`<p class="note">${t('share-local')}</p>` : nothing}
      <p class="controls"><button type="button" data-act="class-stay">${t('class-stay')}</button>
        <button type="button" data-act="class-leave">${t('class-leave')}</button></p></section>
    <section class="class-options">
      ${chosen('class-start', t('class-start'), dialog.start, [
        { value: 'example', text: t('class-start-example', { name: t(`example-${state.document.example}`) }) },
        { value: 'state', text: t('class-start-state') },
      ])}
      ${chosen('class-row', t('class-row'), String(row + 1), state.document.tokens.map((_, i) => ({ value: String(i + 1), text: String(i + 1) })))}
      ${chosen('class-digits', t('class-digits'), String(digits), [0, 1, 2, 3, 4, 5, 6].map((i) => ({ value: String(i), text: String(i) })))}
      ${chosen('class-shown-rows', t('class-rows-title'), rows, ['all', 'one', 'weights'].map((value) => ({ value, text: t(`class-rows-${value}`) })))}
      ${chosen('class-question', t('class-question-kind'), question?.kind ?? '', [
        { value: '', text: t('class-question-none') }, ...askableKinds(state.document).map((kind) => ({ value: kind, text: t(`kind-${kind}`) })),
      ])}
      ${question ? html`<label>${t('class-seed')} <input class="field seed" type="text" inputmode="numeric" data-act="class-seed"
        .value=${String(question.seed)}></label>` : nothing}
      <label class="check"><input type="checkbox" data-act="class-present" .checked=${live(present !== null)}> ${t('class-present')}</label>
    </section>
    ${checks('class-hide', t('class-hide-instruments'), allInstruments.map((panel) => ({ value: panel, text: t(`panel-${panel}`) })), classroom?.hide ?? [])}
    ${checks('class-hide', t('class-hide-parts'), PARTS.map((part) => ({ value: part, text: t(`part-${part}`) })), classroom?.hide ?? [])}
    <details><summary>${t('class-numbers')}</summary><p class="note">${t('class-numbers-what')}</p><p class="class-options">${matricesOf(state.document).map((matrix) =>
      chosen('class-number', t(`name-${matrix}`), `${matrix} ${numbersOf(classroom, matrix)}`,
        ['shown', 'asked', 'hidden'].map((how) => ({ value: `${matrix} ${how}`, text: t(`class-${how}`) }))))}</p></details>
    ${checks('class-lock', t('class-lock'), LOCKS.filter((lock) => !isInstrument(lock)).map((lock) => ({
      value: lock, text: lock === 'switches' || lock === 'example' ? t(`lock-${lock}`) : t(`name-${lock}`),
    })), classroom?.lock ?? [])}
    ${checks('class-lock', t('class-lock-instruments'), LOCKS.filter(isInstrument).map((panel) => ({ value: panel, text: t(`panel-${panel}`) })), classroom?.lock ?? [])}
    <section><h3>${t('class-ready')}</h3><ul class="ready">${dialog.ready.map(({ example, url }) =>
      html`<li><a href=${url}>${t(`example-${example}`)}</a></li>`)}</ul>
      ${dialog.plans ? html`<p><a href=${dialog.plans}>${t('class-plans')}</a></p>` : nothing}</section>`;
}

/** @param {string} name */
const isInstrument = (name) => allInstruments.some((panel) => panel === name);

/** @param {import('../model/derive.js').Classroom | null} classroom @param {string} matrix */
function numbersOf(classroom, matrix) {
  if (classroom?.hide.includes(matrix)) return 'hidden';
  return /** @type {string[]} */ (classroom?.ask ?? []).includes(matrix) ? 'asked' : 'shown';
}

/** @param {string} act @param {string} name @param {string} value @param {{ value: string, text: string }[]} choices */
function chosen(act, name, value, choices) {
  return html`<label>${name} <select data-act=${act}>${choices.map((choice) => html`<option value=${choice.value}
    .selected=${live(choice.value === value)}>${choice.text}</option>`)}</select></label>`;
}

/** @param {string} act @param {string} name @param {{ value: string, text: string }[]} choices @param {string[]} on */
function checks(act, name, choices, on) {
  return html`<fieldset><legend>${name}</legend>${choices.map(({ value, text }) => html`<label class="check"><input type="checkbox"
    data-act=${act} value=${value} .checked=${live(on.includes(value))}> ${text}</label>`)}</fieldset>`;
}
