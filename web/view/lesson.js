/**
 * The strip above the figure: one step of the chapter's short path, and the way back and on; while a question is open,
 * that question. Pure. What there is to do is content. Next to read: ../content/chapters.js, changed.js; ../model/lesson.js for when a step is done.
 */

import { html, nothing } from 'lit-html';
import { bridged, chapterOf, isLeftOut, isLocked, stepOf, wouldBreakLock } from '../model/derive.js';
import { changedLine } from './changed.js';
import { questionCard } from './question.js';

/**
 * @typedef {import('./frame.js').Frame} Frame
 * @typedef {import('../content/chapters.js').Chapter} Chapter
 * @typedef {import('../content/chapters.js').Step} Step
 */

/** @param {Frame} frame */
export function lesson(frame) {
  const { state, chapters, t } = frame;
  const chapter = chapters[chapterOf(chapters, state.document.example)];
  if (state.view.question) return questionCard(frame, chapter ? wayOn(frame, chapter) : nothing);
  if (!chapter) return html`<section class="lesson" aria-label=${t('chapters')}><p class="guide">${t('lesson-beside')}</p></section>`;
  const at = stepOf(chapter, state);
  const step = chapter.steps[at];
  const { done } = state.view.lesson;
  const count = countOf(chapter, at);
  const barred = isBarred(frame, step, at === chapter.steps.length - 1);
  return html`<section class="lesson" aria-label=${t('lesson-name', { chapter: t(`chapter-${chapter.id}`), ...count })}>
    <div class="lesson-text">
      <p class="guide">${t(`lesson-${chapter.id}-${step.id}`, facts(frame))}</p>
      ${step.changed ? changedLine(frame) : nothing}
    </div>
    <div class="lesson-way">
      ${counted(frame, chapter, at)}
      ${barred ? html`<small class="note" id="lesson-locked">${t('class-locked')}:</small>` : nothing}
      ${bridge(frame, chapter, step, barred)}
      ${step.show && !isLeftOut(state, step.show) ? html`<button type="button" data-act="lesson-show" data-value=${step.show}
        ?disabled=${isLocked(state, step.show)} aria-describedby=${barred ? 'lesson-locked' : nothing}>${t(`lesson-show-${step.show}`)}</button>` : nothing}
      <button type="button" class=${step.ask && !done ? 'primary' : ''} data-act="ask"
        data-value=${step.ask ?? chapter.steps.find(({ ask }) => ask)?.ask}>${t('lesson-ask')}</button>
      ${isLeftOut(state, 'chapter') ? nothing : html`<button type="button" data-act="show-panel" data-value="chapter">${t('lesson-more')}</button>`}
      <button type="button" data-act="lesson" data-value=${at - 1} aria-disabled=${at === 0 ? 'true' : 'false'}>${t('lesson-back')}</button>
      ${onward(frame, chapter, at, done || !step.done || barred)}
    </div>
  </section>`;
}

/** Once the answer stands there, the guide goes on: from its own question to the next step, from another one back to the
 * step. @param {Frame} frame @param {Chapter} chapter */
function wayOn(frame, chapter) {
  const { state, t } = frame;
  if (!state.view.question?.revealed || isLeftOut(state, 'lesson')) return nothing;
  const at = stepOf(chapter, state);
  if (chapter.steps[at].ask && state.view.lesson.done) return html`${counted(frame, chapter, at)} ${onward(frame, chapter, at, true)}`;
  return html`<button type="button" class="primary" data-act="unask">${t('question-guide')}</button>`;
}

/** Where one is on the path, and whether the step is done. @param {Frame} frame @param {Chapter} chapter @param {number} at */
function counted({ state, t }, chapter, at) {
  return html`<span class="lesson-count">${state.view.lesson.done ? html`<span class="badge good">✓ ${t('lesson-done')}</span>` : nothing}
    ${t('lesson-count', countOf(chapter, at))}</span>`;
}

/** @param {Chapter} chapter @param {number} at */
const countOf = ({ steps }, at) => ({ step: at + 1, steps: steps.length });

/** The sentence of the step alone, for a presentation; nothing beside the chapters. @param {Frame} frame */
export function lessonSentence(frame) {
  const { state, chapters, t } = frame;
  const chapter = chapters[chapterOf(chapters, state.document.example)];
  if (!chapter || isLeftOut(state, 'lesson')) return nothing;
  return html`<p class="guide">${t(`lesson-${chapter.id}-${chapter.steps[stepOf(chapter, state)].id}`, facts(frame))}</p>`;
}

/** To the next step; from the last one to the next chapter, from the last chapter to the first. @param {Frame} frame @param {Chapter} chapter @param {number} at @param {boolean} ready */
function onward({ state, chapters, t }, chapter, at, ready) {
  const next = chapters[(chapters.indexOf(chapter) + 1) % chapters.length];
  const isLast = at === chapter.steps.length - 1;
  // Who took the toy along keeps it.
  const example = next.examples[chapter.examples.indexOf(state.document.example)] ?? next.examples[0];
  const name = t(`chapter-${next.id}`);
  const text = !isLast ? t('lesson-next') : t(next === chapters[0] ? 'lesson-again' : 'lesson-next-chapter', { chapter: name });
  return html`<button type="button" id="onward" class=${ready ? 'primary' : ''} data-act=${isLast ? 'lesson-chapter' : 'lesson'}
    data-value=${isLast ? example : at + 1} ?disabled=${isLast && isLocked(state, 'example')}
    aria-describedby=${isLast && isLocked(state, 'example') ? 'lesson-locked' : nothing}>${text}</button>`;
}

/** A setting in which the chapter meets the one before. @param {Frame} frame @param {Chapter} chapter @param {Step} step @param {boolean} barred */
function bridge({ state, t }, { examples }, step, barred) {
  if (!step.bridge) return nothing;
  const [act, value, text] = step.bridge !== 'toy' ? ['bridge', step.bridge, `bridge-${step.bridge}`]
    : state.document.example === examples[1] ? ['open', examples[0], 'bridge-own'] : ['open', examples[1], 'bridge-toy'];
  return html`<button type="button" data-act=${act} data-value=${value} ?disabled=${barred}
    aria-describedby=${barred ? 'lesson-locked' : nothing}>${t(text)}</button>`;
}

/** Whether a lock refuses what a step offers, or the chapter after the last step: a class cannot do it. @param {Frame} frame @param {Step} step @param {boolean} isLast */
function isBarred({ state, derived }, step, isLast) {
  const { changed } = derived.computed;
  if (step.show && isLocked(state, step.show)) return true;
  if (isLast || step.bridge === 'toy') return isLocked(state, 'example');
  return step.bridge !== undefined && changed !== null && wouldBreakLock(state, bridged(changed.start, state.document.example, step.bridge));
}

/** What a sentence may name: where one looks, and the sizes on the screen. @param {Frame} frame */
function facts({ state, derived }) {
  const { nTokens, heads, headDim, width } = derived;
  return { row: state.view.row + 1, tokens: nTokens, heads, headDim, width };
}
