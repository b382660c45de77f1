/**
 * What the controls of the planted bugs do. Next to read: controls.js, which calls them; ../view/bugs.js (the markup).
 */

import { MAX_SEED } from '../model/mystery.js';

/**
 * @param {HTMLElement} root
 * @param {import('./loop.js').Loop} loop
 * @returns {Record<string, (value: string) => unknown>}
 */
export function bugActs(root, loop) {
  /** @param {string} fault @param {number} place */
  async function plant(fault, place) {
    if (!await loop.dispatch({ type: 'fault', fault, place, mystery: null })) return;
    loop.say('said', fault === 'none' ? loop.t('said-mended') : loop.t('said-planted', { name: loop.t(`bug-${fault}`) }));
  }

  return {
    'plant': (fault) => plant(fault, loop.state().view.row),
    'mend': () => plant('none', 0),
    /** The row or token of a bug that is planted, else of the one to be planted: the chosen row. */
    'place': async (value) => {
      const { document, view } = loop.state();
      if (document.fault !== 'none' && !view.mystery) await plant(document.fault, Number(value));
      return loop.dispatch({ type: 'row', row: Number(value) });
    },
    'mystery': () => {
      const field = /** @type {HTMLInputElement} */ (root.querySelector('#mystery-seed'));
      const text = field.value.trim();
      if (/^\d+$/.test(text) && Number(text) <= MAX_SEED) return loop.mystery(Number(text));
      field.focus();
      return loop.say('problem', loop.t('problem-seed', { text, limit: String(MAX_SEED) }));
    },
    'guess': (value) => value !== '' && loop.dispatch({ type: 'guess', guess: value }),
    'reveal': () => loop.dispatch({ type: 'reveal' }),
  };
}
