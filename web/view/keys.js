/**
 * The list of all keys, from data: a table for each place in which keys have a meaning. Pure.
 * Next to read: ../content/keys.js, ../app/keys.js.
 */

import { html, nothing } from 'lit-html';
import { toggle } from './controls.js';

/**
 * @param {import('./frame.js').Frame} frame
 * @param {Extract<import('./frame.js').Dialog, { kind: 'keys' }>} dialog
 */
export function keysDialog({ ui, t }, { places }) {
  return html`<p>${toggle('shortcuts', t('keys-single'), ui.shortcuts)}</p><p class="note">${t('keys-single-note')}</p>
    ${places.map(({ place, entries }) => html`<section><h3>${t(`keys-in-${place}`)}</h3><table class="choices keys">
      <thead class="heard"><tr><th scope="col">${t('keys-key')}</th><th scope="col">${t('keys-does')}</th></tr></thead>
      <tbody>${entries.map(({ id, keys }) => html`<tr><th scope="row">${keys.map((key, i) => html`${
        i > 0 ? html` ${t('keys-or')} ` : nothing}<kbd>${shown(t, key)}</kbd>`)}</th><td>${t(`keys-${id}`)}</td></tr>`)}</tbody>
    </table></section>`)}`;
}

/** A key as it is written on a keyboard. @param {import('./frame.js').Frame['t']} t @param {string} key */
function shown(t, key) {
  const [last, ...before] = key === '+' ? [key] : key.split('+').reverse();
  const name = NAMED.includes(last) ? t(`key-${last === ' ' ? 'Space' : last}`) : last.length === 1 ? last.toUpperCase() : last;
  return [...before.reverse(), name].join(' + ');
}

/** Keys with another name on the keyboard than in the code. */
const NAMED = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', ' ', 'Escape', 'Delete', 'PageUp', 'PageDown', 'number', 'letter'];
