/**
 * Buttons that add the terms of a sum one at a time: none, one fewer, one more, all. Pure. One stepper is on the page at
 * a time: of the number whose arithmetic is open, else of the chosen row, where it is folded until it is used. The keys
 * [ ] { } press its buttons (../app/inspector.js). Next to read: inspector.js.
 */

import { html } from 'lit-html';
import { termsAt } from '../model/derive.js';

/** @param {import('./frame.js').Frame} frame @param {number} count how many terms there are */
export function stepper({ state, t }, count) {
  const { step } = state.view;
  const added = termsAt(step, count);
  const first = added === 0;
  const last = added === count;
  return html`<div class="stepper" role="group" aria-label=${t('steps')}>
    ${button('0', '|◀', '{', t('step-none'), first)}
    ${button(String(Math.max(0, added - 1)), '◀', '[', t('step-back'), first)}
    <span class="steps-added">${t('steps-added', { added, count })}</span>
    ${button(String(Math.min(count, added + 1)), '▶', ']', t('step-on'), last)}
    ${button('all', '▶|', '}', t('step-all'), step === null)}
  </div>`;
}

/** The one button of a stepper that is folded: it begins with no term. @param {import('./frame.js').Frame} frame */
export function stepOpener({ t }) {
  return html`<button type="button" class="stepper" data-act="step" data-value="0" data-key="[ {" aria-label=${t('steps')}
    title="${t('steps')}: [ {" aria-keyshortcuts="[ {">${t('steps-open')}</button>`;
}

/**
 * One that has nothing to do stays where it is, so that the focus does, and the count beside it says why.
 * @param {string} value @param {string} sign @param {string} key @param {string} name @param {boolean} idle
 */
function button(value, sign, key, name, idle) {
  return html`<button type="button" data-act="step" data-value=${value} data-key=${key} aria-label=${name} title="${name}: ${key}"
    aria-keyshortcuts=${key} aria-disabled=${idle ? 'true' : 'false'}>${sign}</button>`;
}
