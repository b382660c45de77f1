/**
 * The top of the page: title, chapters, undo and redo; below them the switches and the example. Pure.
 * A control that cannot be used here says why. Next to read: page.js.
 */

import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { headChoices, isLeftOut, isLocked } from '../model/derive.js';
import { whyButton } from './cards.js';

/** @typedef {import('./frame.js').Frame} Frame */

/** @param {Frame} frame */
export function topBar(frame) {
  const { chapters, state, ui, t } = frame;
  return html`<header class="top">
    <h1>${t('title')}</h1>
    ${isLeftOut(state, 'chapters') ? html`<span class="no-chapters"></span>` : html`<nav aria-label=${t('chapters')}>
      ${chapters.map(({ id, examples }, chapter) => html`<button type="button" data-act="open" data-value=${id}
        aria-current=${examples.includes(state.document.example) ? 'step' : nothing}
        ?disabled=${isLocked(state, 'example') && !examples.includes(state.document.example)}><span
          class="number ${chapter ? '' : 'first'}">${chapter}</span> <span class="word">${t(`chapter-${id}`)}</span></button>`)}
      ${isLocked(state, 'example') ? html`<small class="note">${t('class-locked')}</small>` : nothing}
    </nav>`}
    <span class="actions">
      <button type="button" data-act="undo" ?disabled=${!ui.canUndo}><span aria-hidden="true">↶</span> <span class="word">${t('undo')}</span></button>
      <button type="button" data-act="redo" ?disabled=${!ui.canRedo}><span aria-hidden="true">↷</span> <span class="word">${t('redo')}</span></button>
      <button type="button" data-act="reset" ?disabled=${isLocked(state, 'example')}><span class="small" aria-hidden="true">↺</span> <span class="word">${t('reset')}</span></button>
      <button type="button" data-act="share" aria-haspopup="dialog">${t('share')}</button>
      ${isLeftOut(state, 'files') ? nothing : html`<button type="button" data-act="export" aria-haspopup="dialog">${t('export')}</button>
        <button type="button" data-act="open-dialog" aria-haspopup="dialog">${t('open-button')}</button>`}
    </span>
    <button type="button" class="present" data-act="present" aria-keyshortcuts="P">${t('present')}</button>
  </header>`;
}

/** On a narrow screen they are folded behind a button. @param {Frame} frame */
export function switches(frame) {
  const { state, derived, examples, ui, t } = frame;
  const doc = state.document;
  const locked = isLocked(state, 'switches');
  return html`<section class="switches ${ui.settings ? 'open' : ''}" id="switches" aria-label=${t('settings')}>
    <button type="button" class="fold" data-act="settings" aria-expanded=${ui.settings ? 'true' : 'false'}
      aria-controls="switches">${t('settings')} <span aria-hidden="true">${ui.settings ? '▴' : '▾'}</span></button>
    ${locked ? html`<small class="note" id="switches-locked">${t('class-locked')}:</small>` : nothing}
    ${toggle('causal', t('causal-mask'), doc.causal, locked)}
    ${headsGroup(frame)}
    ${doc.source === 'given' ? nothing : radioGroup('scale', t('scale'), doc.scale, [
      { value: 'none', text: t('scale-none'), disabled: locked },
      { value: 'sqrt_head_dim', text: t('scale-sqrt'), disabled: locked },
    ], t('scale-note', { headDim: derived.headDim }))}
    ${radioGroup('source', t('source'), doc.source, [
      { value: 'given', text: t('source-given'), disabled: locked },
      { value: 'inputs', text: t('source-inputs'), disabled: locked },
      { value: 'trained', text: t('source-trained'), disabled: locked },
    ])}
    ${doc.source === 'given' ? nothing : whyButton(frame)}
    <label class="example">${t('example')}${isLocked(state, 'example') ? html` <small class="note ${isLeftOut(state, 'chapters') ? '' : 'heard'}">(${t('class-locked')})</small>` : nothing}
      <select data-act="open" ?disabled=${isLocked(state, 'example')}>
        ${examples.filter(({ id, chapter }) => chapter !== null || id === doc.example).map(({ id }) => html`<option value=${id} .selected=${live(id === doc.example)}>${t(`example-${id}`)}</option>`)}
      </select>
    </label>
  </section>`;
}

/** @param {Frame} frame */
function headsGroup(frame) {
  const { state, derived, t } = frame;
  const trainable = state.document.source === 'trained';
  const choices = headChoices(derived.dOut);
  const blocked = choices.filter(({ divides }) => !divides).map(({ count }) => count);
  const why = !trainable ? t('heads-why-trainable')
    : blocked.length > 0 ? t('heads-why-divide', { count: blocked.length, list: blocked.join(', '), dOut: derived.dOut }) : '';
  return radioGroup('heads', t('heads'), String(derived.heads), choices.map(({ count, divides }) => ({
    value: String(count), text: String(count),
    disabled: isLocked(state, 'switches') || (trainable ? !divides : count !== 1),
  })), why);
}

/** @param {string} act @param {string} name @param {boolean} on @param {boolean} [locked] for this class: what says so has the id "switches-locked" */
export function toggle(act, name, on, locked = false) {
  return html`<span class="toggle"><span id="name-${act}">${name}</span>
    <button type="button" role="switch" data-act=${act} data-value=${on ? 'off' : 'on'} aria-checked=${on ? 'true' : 'false'}
      aria-labelledby="name-${act}" ?disabled=${locked} aria-describedby=${locked ? 'switches-locked' : nothing}></button></span>`;
}

/**
 * @param {string} act @param {string} name @param {string} chosen
 * @param {{ value: string, text: string, disabled?: boolean }[]} choices
 * @param {string} [note] why some cannot be chosen, or what the choice means here
 */
export function radioGroup(act, name, chosen, choices, note) {
  return html`<span class="radio-group of-${act}" role="radiogroup" aria-label=${name} aria-describedby=${note ? `note-${act}` : nothing}>
    <span aria-hidden="true">${name}</span>
    <span class="segments">${choices.map(({ value, text, disabled }) => html`<label><input type="radio" name=${act}
      data-act=${act} value=${value} .checked=${live(value === chosen)} ?disabled=${disabled ?? false}><span>${text}</span></label>`)}
    </span>
    ${note ? html`<small id="note-${act}">${note}</small>` : nothing}
  </span>`;
}
