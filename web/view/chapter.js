/**
 * The instrument "Chapter", what stands under "More": formulas with their code, the code strip, what changed,
 * practice, common mistakes with what to do instead, takeaways, and the cards. What stands in it is data
 * (../content/notes.js). Pure.
 * Next to read: formula.js, code-strip.js, practice.js, cards.js.
 */

import { html } from 'lit-html';
import { chapterOf } from '../model/derive.js';
import { cardSection } from './cards.js';
import { changedTable } from './changed.js';
import { codeStrip } from './code-strip.js';
import { doButton } from './does.js';
import { formulaList } from './formula.js';
import { practice } from './practice.js';

/** @typedef {import('./frame.js').Frame} Frame */

/** @param {Frame} frame */
export function chapter(frame) {
  const { t } = frame;
  const notes = notesOf(frame);
  return html`
    <p class="chapter-name">${t(`chapter-${notes.id}`)} <span class="note">${t('convention')}</span></p>
    <div class="chapter-columns">
      <section><h3>${t('formulas-title')}</h3>${formulaList(frame, notes.formulas)}</section>
      <section><h3>${t('code-title')}</h3>${codeStrip(frame)}</section>
      ${changedTable(frame)}
      ${practice(frame)}
      <section><h3>${t('mistakes-title')}</h3>
        <ul class="mistakes">${notes.mistakes.map(({ id, instead }) => html`<li>
          <p><q>${t(`mistake-${id}`)}</q> ${t(`mistake-${id}-so`)}</p> ${doButton(frame, instead)}</li>`)}</ul></section>
      <section><h3>${t('takeaways-title')}</h3>
        <ul class="takeaways">${notes.takeaways.map((id) => html`<li>${t(`takeaway-${id}`)}</li>`)}</ul></section>
    </div>
    ${cardSection(frame, notes.cards)}`;
}

/**
 * The notes of the chapter that is open; of an example that belongs to no chapter, those of the chapter that computes
 * as it does.
 * @param {Frame} frame
 */
function notesOf({ state, derived, chapters, content }) {
  const { example, source } = state.document;
  const chapter = chapters[chapterOf(chapters, example)];
  const alike = source === 'given' ? 'warm-up' : source === 'inputs' ? 'simplified'
    : derived.heads > 1 ? 'multi-head' : derived.masked ? 'causal' : 'trainable';
  const found = content.notes.find(({ id }) => id === (chapter?.id ?? alike));
  if (!found) throw new Error(`no notes for the example "${example}"`);
  return found;
}
