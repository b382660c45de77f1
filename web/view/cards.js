/**
 * The cards of what is easily confused: the list of all, the one that is open with its experiment, and the small
 * buttons that offer cards where the confusion arises. What is on a card is data (../content/cards.js). Pure.
 * Next to read: does.js, ../app/experiments.js (the figures).
 */

import { html, nothing } from 'lit-html';
import { figures, tokenClass } from '../model/derive.js';
import { doButton } from './does.js';

/**
 * @typedef {import('./frame.js').Frame} Frame
 * @typedef {import('../content/cards.js').Card} Card
 * @typedef {import('../content/cards.js').Experiment} Experiment
 */

/**
 * "Easily confused", beside what a card is about: nothing if no card is.
 * @param {Frame} frame @param {Card['near'][number]} place
 */
export function nearby({ content, t }, place) {
  const cards = content.cards.filter(({ near }) => near.includes(place));
  if (cards.length === 0) return nothing;
  return html`<p class="nearby"><span>${t('cards-near')}</span> ${cards.map(({ id }) => html`<button type="button" data-act="card"
    data-value=${id}>${t(`card-${id}`)}</button>`)}</p>`;
}

/** Where there is room for one button only: it leads to the list. @param {Frame} frame */
export function whyButton({ t }) {
  return html`<button type="button" class="why-button" data-act="card" data-value="" aria-label=${t('cards-why-name')}>${t('cards-why')}</button>`;
}

/** All cards, those of the chapter first. @param {Frame} frame @param {string[]} first */
export function cardSection(frame, first) {
  const { content, t } = frame;
  const ours = first.flatMap((id) => content.cards.find((card) => card.id === id) ?? []);
  const others = content.cards.filter((card) => !ours.includes(card));
  return html`<section class="cards">
    <h3 id="cards-title" tabindex="-1">${t('cards-title')}</h3>
    <p class="note">${t('cards-about')}</p>
    <ul class="card-list">${[...ours, ...others].map((card) => item(frame, card))}</ul>
  </section>`;
}

/** @param {Frame} frame @param {Card} card */
function item(frame, card) {
  const { state, t } = frame;
  const { id } = card;
  const open = state.view.notes.card === id;
  return html`<li class=${open ? 'open' : ''}>
    ${open ? html`<header><h4 id="card-${id}" tabindex="-1">${t(`card-${id}`)}</h4>
      <button type="button" data-act="card-close" data-value=${id}>${t('card-close')}</button></header>${opened(frame, card)}`
      : html`<button type="button" data-act="card" data-value=${id} aria-expanded="false">${t(`card-${id}`)}</button>`}
  </li>`;
}

/** @param {Frame} frame @param {Card} card */
function opened(frame, card) {
  const { t } = frame;
  const { id, does, experiment, example } = card;
  const lacks = missing(frame, card);
  return html`<dl><dt>${t('card-thought')}</dt><dd>${t(`card-${id}-think`)}</dd>
      <dt>${t('card-is-so')}</dt><dd>${t(`card-${id}-so`)}</dd></dl>
    ${lacks ? html`<p class="controls"><span>${t(`card-needs-${lacks}`)}</span>
      <button type="button" data-act="card-example" data-value=${example}>${t('card-open', { name: t(`chapter-${example}`) })}</button></p>`
      : html`${experiment ? trial(frame, card, experiment) : nothing}
        <p class="do-title">${t('card-do')} ${t(`card-${id}-watch`)}</p>
        <p class="controls">${does.map((one) => doButton(frame, one))}</p>`}`;
}

/** What the document lacks for a card. @param {Frame} frame @param {Card} card */
function missing({ state, derived }, { needs }) {
  if (!needs) return null;
  const { source } = state.document;
  const here = { scores: source !== 'given', trained: source === 'trained', heads: derived.heads > 1, tokens: derived.nTokens > 1 };
  return here[needs] ? null : needs;
}

/** What ought to be 0. */
const WRONG = ['leak', 'stale', 'astray'];

/** An experiment: what is chosen, and what comes of it. @param {Frame} frame @param {Card} card @param {Experiment} experiment */
function trial(frame, { id, numbers, sample }, { choices, several }) {
  const { state, derived, t } = frame;
  const known = choices.filter((choice) => state.view.notes.tried.includes(choice));
  const tried = several || known.length > 0 ? known : [choices[0]];
  const { experiment } = derived.computed;
  const title = t(`try-${id}`, sample && {
    scores: sample.scores.join(', '), width: sample.width, heads: sample.heads, headDim: sample.width / sample.heads,
  });
  return html`<div class="trial" role="group" aria-label=${title}>
    <p><span>${title}</span> ${choices.map((choice) => {
      const on = tried.includes(choice);
      const next = several ? choices.filter((other) => tried.includes(other) !== (other === choice)) : [choice];
      return html`<button type="button" data-act="try" data-value=${next.join(',')} aria-pressed=${on ? 'true' : 'false'}>${
        t(`try-${id}-${choice}`)}</button>`;
    })}</p>
    ${numbers ? twoHeads(frame, numbers, tried[0]) : nothing}
    <div role="status">${experiment === 'too large' ? html`<p>${t('try-too-large')}</p>`
      : experiment === 'does not fit' ? html`<p class="unfit">${t('try-does-not-fit', { rows: derived.dIn, columns: derived.dOut })}</p>`
      : experiment ? html`<dl class="figures">${
      experiment.map((figure) => html`<div class=${WRONG.includes(figure.id) && figure.value > 0 ? 'bad' : ''}><dt>${t(`figure-${figure.id}`)}</dt><dd>${
        figures(figure.value, 4)}</dd></div>`)}</dl>` : nothing}</div>
  </div>`;
}

/**
 * A matrix split into two heads, by columns or by plain counting, each number in the colour of its token.
 * @param {Frame} frame @param {number[][]} numbers @param {string} way
 */
function twoHeads({ t }, numbers, way) {
  const half = numbers[0].length / 2;
  const all = numbers.flatMap((row, token) => row.map((value) => ({ value, token })));
  const heads = [0, 1].map((head) => numbers.map((_, row) => Array.from({ length: half }, (__, column) => (way === 'columns'
    ? all[row * half * 2 + head * half + column] : all[(head * numbers.length + row) * half + column]))));
  return html`<div class="two-heads">${[{ name: 'Q', rows: numbers.map((row, token) => row.map((value) => ({ value, token }))) },
    ...heads.map((rows, head) => ({ name: t('head-columns', { head: head + 1 }), rows }))].map(({ name, rows }) => html`<table aria-label=${name}>
      <caption>${name}</caption>
      <tbody>${rows.map((row, i) => html`<tr><th scope="row">${t('reshape-row', { row: i + 1 })}</th>${row.map(({ value, token }) => html`<td
        class=${token === i ? '' : 'stray'}><i class="chip ${tokenClass(token)}"></i>${value}<small>${t('reshape-token', { token: token + 1 })}</small></td>`)}</tr>`)}</tbody>
    </table>`)}</div>`;
}
