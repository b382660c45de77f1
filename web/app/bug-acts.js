/**
 * What the controls of the planted bugs and of what belongs to them do. A button that goes away by being pressed hands
 * the focus on, so that the keyboard stays where one works. Next to read: controls.js, which calls them; ../view/bugs.js (the markup).
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

  /** @param {string} panel */
  const opener = (panel) => /** @type {HTMLElement} */ (root.querySelector(`.openers [data-value="${panel}"]`));

  return {
    'plant': (fault) => plant(fault, loop.state().view.row),
    'mend': async () => {
      await plant('none', 0);
      if (document.activeElement === document.body) opener('bugs').focus();
    },
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
    'reveal': async () => {
      await loop.dispatch({ type: 'reveal' });
      /** @type {HTMLElement | null} */ (root.querySelector('.revealed'))?.focus();
    },
    /** Open an instrument from elsewhere on the page, and go there. */
    'show': async (value) => {
      const panel = /** @type {import('../model/state.js').Panel} */ (value);
      await loop.dispatch({ type: 'panel', panel, open: true });
      opener(panel).focus({ preventScroll: true });
      root.querySelector(`#panel-${panel}`)?.scrollIntoView();
    },
    /** Open the example that an instrument brings. */
    'bring': async (example) => {
      await loop.open(example);
      const next = example === 'huge-scores' ? root.querySelector('[data-act="plant"][data-value="mask_fill_large"]') : null;
      const instrument = opener(example === 'summation-order' ? 'routes' : 'masking');
      (next instanceof HTMLElement ? next : instrument).focus({ preventScroll: true });
    },
  };
}
