/**
 * What the strip's controls do: go along the chapter's path, open the next chapter, show an instrument, set up a state
 * in which two chapters meet. The focus stays on the strip. Next to read: ../view/lesson.js.
 */

import { bringIntoView } from './controls.js';

/** @param {HTMLElement} root @param {import('./loop.js').Loop} loop */
export function lessonActs(root, loop) {
  /** The step that has come is heard, not only seen; or a part of it. @param {string} [part] */
  const sayStep = (part = '.lesson-text') => {
    const text = root.querySelector(part)?.textContent ?? '';
    loop.say('said', text.replace(/\s+/g, ' ').trim());
  };

  /** Next on the card of a question is gone with it; the one of the strip takes over. */
  const toOnward = () => {
    if (document.activeElement === document.body) /** @type {HTMLElement | null} */ (root.querySelector('#onward'))?.focus();
  };

  return {
    /** @param {string} value the number of a step, from 0 */
    'lesson': async (value) => {
      if (!await loop.dispatch({ type: 'lesson', step: Number(value) })) return;
      sayStep();
      toOnward();
    },
    /** @param {string} value an example */
    'lesson-chapter': async (value) => {
      await loop.open(value);
      sayStep();
      toOnward();
    },
    /** @param {string} value an instrument */
    'lesson-show': async (value) => {
      const panel = /** @type {import('../model/state.js').Panel} */ (value);
      if (panel === 'flow') await loop.dispatch({ type: 'unfolded', on: true });
      if (await loop.dispatch({ type: 'panel', panel, open: true })) bringIntoView(root.querySelector(`#panel-${panel}`));
    },
    'settings': () => {
      loop.ui.settings = !loop.ui.settings;
      loop.paint();
    },
    /** @param {string} value */
    'bridge': async (value) => {
      if (await loop.bridge(value === 'identity' ? 'identity' : 'one-head')) sayStep('.lesson .changed');
    },
  };
}
