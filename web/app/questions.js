/**
 * What the controls of a question do: ask one, commit what was typed or ticked, show the answer, close it. The focus goes
 * to what comes next, so that one goes through by keyboard alone. Next to read: ../view/question.js (the markup),
 * ../model/asking.js.
 */

import { nextSeed } from '../model/questions.js';

/**
 * @param {HTMLElement} root
 * @param {import('./loop.js').Loop} loop
 * @returns {Record<string, (value: string) => unknown>}
 */
export function questions(root, loop) {
  /** The seed last asked of each kind. @type {Record<string, number>} */
  const last = {};
  /** What had the focus before a question was opened: it goes back there. @type {Element | null} */
  let opener = null;

  /** @param {string} selector */
  const focus = (selector) => /** @type {HTMLElement | null} */ (root.querySelector(selector))?.focus();

  const fields = () => [...root.querySelectorAll('#question .prediction')]
    .map((field) => /** @type {HTMLInputElement | HTMLSelectElement} */ (field));

  /** What was typed, ticked or chosen. */
  function texts() {
    return fields().flatMap((field) => (field instanceof HTMLInputElement && field.type !== 'text' && !field.checked ? [] : [field.value]));
  }

  function clear() {
    for (const field of fields()) {
      if (field instanceof HTMLInputElement && field.type !== 'text') field.checked = false;
      else field.value = '';
    }
  }

  /** @param {string} value a kind, with or without a seed */
  async function ask(value) {
    const [kind, text] = value.split(' ');
    const { document: doc, view } = loop.state();
    const seed = text !== undefined ? Number(text) : (kind in last ? nextSeed(doc, kind, last[kind]) : null) ?? 1;
    if (!root.querySelector('#question')) opener = document.activeElement;
    // The question about a bug needs one: the mystery bug of this seed, unless it is there and unnamed.
    const unseen = doc.mystery === seed && view.mystery !== null && !view.mystery.revealed;
    if (kind === 'bug' && !unseen) {
      await loop.mystery(seed);
      if (loop.state().document.mystery !== seed) return;
    }
    if (!await loop.dispatch({ type: 'ask', kind, seed })) return;
    last[kind] = seed;
    clear();
    focus('#question');
  }

  return {
    'ask': (value) => ask(value),
    'ask-other': () => ask(/** @type {HTMLSelectElement} */ (root.querySelector('#other-kind')).value),
    'unask': async () => {
      await loop.dispatch({ type: 'unask' });
      // Where the strip stands again, its Next is what comes now.
      const back = opener?.isConnected && opener !== document.body ? opener
        : ['#onward', '[data-act="ask"]', '#present-title'].map((one) => root.querySelector(one)).find((one) => one !== null);
      /** @type {HTMLElement | null | undefined} */ (back)?.focus();
    },
    'predict': async () => {
      if (!await loop.dispatch({ type: 'predict', texts: texts() })) {
        fields()[0]?.focus();
        return;
      }
      clear();
      loop.say('said', loop.t('said-predicted'));
      // Who types goes on typing: a class calls out numbers one after the other.
      if (!(document.activeElement instanceof HTMLInputElement)) focus('#question [data-value="show"]');
    },
    'unveil': async () => {
      if (await loop.dispatch({ type: 'unveil' })) focus('#answer');
    },
  };
}
