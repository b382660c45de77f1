/**
 * The top of the page: title, chapters, undo and redo; below them the switches and the example. Pure.
 * A control that cannot be used here says why. Next to read: page.js.
 */

import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { headChoices } from '../model/derive.js';
import { whyButton } from './cards.js';

/** @typedef {import('./frame.js').Frame} Frame */

/** @param {Frame} frame */
export function topBar(frame) {
  const { chapters, state, ui, t } = frame;
  return html`<header class="top">
    <h1>${t('title')}</h1>
    <nav aria-label=${t('chapters')}>
      ${chapters.map(({ id, examples }, chapter) => html`<button type="button" data-act="open" data-value=${id}
        aria-current=${examples.includes(state.document.example) ? 'step' : nothing}><span
          class="number ${chapter ? '' : 'first'}">${chapter}</span> <span class="word">${t(`chapter-${id}`)}</span></button>`)}
    </nav>
    <span class="actions">
      <button type="button" data-act="undo" ?disabled=${!ui.canUndo}><span aria-hidden="true">↶</span> <span class="word">${t('undo')}</span></button>
      <button type="button" data-act="redo" ?disabled=${!ui.canRedo}><span aria-hidden="true">↷</span> <span class="word">${t('redo')}</span></button>
      <button type="button" data-act="reset"><span class="small" aria-hidden="true">↺</span> <span class="word">${t('reset')}</span></button>
      <button type="button" data-act="share" aria-haspopup="dialog">${t('share')}</button>
      <button type="button" data-act="export" aria-haspopup="dialog">${t('export')}</button>
      <button type="button" data-act="open-dialog" aria-haspopup="dialog">${t('open-button')}</button>
    </span>
  </header>`;
}

/** On a narrow screen they are folded behind a button. @param {Frame} frame */
export function switches(frame) {
  const { state, derived, examples, ui, t } = frame;
  const doc = state.document;
  return html`<section class="switches ${ui.settings ? 'open' : ''}" id="switches" aria-label=${t('settings')}>
    <button type="button" class="fold" data-act="settings" aria-expanded=${ui.settings ? 'true' : 'false'}
      aria-controls="switches">${t('settings')} <span aria-hidden="true">${ui.settings ? '▴' : '▾'}</span></button>
    ${toggle('causal', t('causal-mask'), doc.causal)}
    ${headsGroup(frame)}
    ${doc.source === 'given' ? nothing : radioGroup('scale', t('scale'), doc.scale, [
      { value: 'none', text: t('scale-none') },
      { value: 'sqrt_head_dim', text: t('scale-sqrt') },
    ], t('scale-note', { headDim: derived.headDim }))}
    ${radioGroup('source', t('source'), doc.source, [
      { value: 'given', text: t('source-given') },
      { value: 'inputs', text: t('source-inputs') },
      { value: 'trained', text: t('source-trained') },
    ])}
    ${doc.source === 'given' ? nothing : whyButton(frame)}
    <label class="example">${t('example')}
      <select data-act="open">
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
    value: String(count), text: String(count), disabled: trainable ? !divides : count !== 1,
  })), why);
}

/** @param {string} act @param {string} name @param {boolean} on */
export function toggle(act, name, on) {
  return html`<span class="toggle"><span id="name-${act}">${name}</span>
    <button type="button" role="switch" data-act=${act} data-value=${on ? 'off' : 'on'} aria-checked=${on ? 'true' : 'false'}
      aria-labelledby="name-${act}"></button></span>`;
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
