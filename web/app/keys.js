/**
 * The keys that work anywhere: ? lists all keys, P presents. And the switch that silences keys of one character, so
 * that speech input cannot press them by mistake. Next to read: ../content/keys.js (all keys), ../view/keys.js.
 */

import { places } from '../content/keys.js';

/**
 * @param {HTMLElement} root
 * @param {import('./loop.js').Loop} loop
 * @param {import('./dialogs.js').Dialogs} dialogs
 * @param {() => unknown} present
 * @returns {Record<string, (value: string) => unknown>}
 */
export function keys(root, loop, dialogs, present) {
  const { ui } = loop;
  const list = () => dialogs.show({ kind: 'keys', places, said: '' });

  /** @param {EventTarget | null} target */
  const isTyping = (target) => target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
    || target instanceof HTMLSelectElement;

  root.ownerDocument.addEventListener('keydown', (event) => {
    const { key, target } = event;
    const command = (event.ctrlKey || event.altKey || event.metaKey) && !event.getModifierState('AltGraph');
    const inGrid = target instanceof Element && target.closest('[role=grid]') !== null;
    if (command || !/^\S$/.test(key) || isTyping(target) || inGrid || ui.dialog || ui.shortcuts) return;
    event.stopImmediatePropagation();
  }, { capture: true });

  root.ownerDocument.addEventListener('keydown', (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.defaultPrevented || isTyping(target) || ui.dialog || !ui.shortcuts) return;
    if (key === '?') {
      event.preventDefault();
      list();
    } else if (key === 'p' && !event.altKey && loop.state().view.present === null) {
      event.preventDefault();
      void present();
    }
  });

  return {
    'keys': () => list(),
    'shortcuts': (value) => {
      ui.shortcuts = value === 'on';
      loop.paint();
    },
  };
}
