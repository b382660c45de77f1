/**
 * What the controls of a chapter's notes do: open a card, ask for a hint, try an experiment, answer the practice. The
 * focus goes with the eye. Next to read: ../view/chapter.js, ../view/cards.js (the markup).
 */

import { identity } from '../model/state.js';

/**
 * @param {HTMLElement} root
 * @param {import('./loop.js').Loop} loop
 * @returns {Record<string, (value: string) => unknown>}
 */
export function noteActs(root, loop) {
  const notes = () => loop.state().view.notes;

  /** @param {Partial<import('../model/state.js').Notes>} change */
  const note = (change) => loop.dispatch({ type: 'notes', change });

  /** @param {string} selector */
  function goTo(selector) {
    const target = root.querySelector(selector);
    if (!(target instanceof HTMLElement)) return;
    target.focus({ preventScroll: true });
    target.scrollIntoView({ block: 'start' });
  }

  return {
    /** Open a card, wherever it is asked for; '' goes to the list of them. */
    'card': async (id) => {
      await note(id === '' ? { card: null, tried: [] } : { card: id, tried: [] });
      await loop.dispatch({ type: 'panel', panel: 'chapter', open: true });
      goTo(id === '' ? '#cards-title' : `#card-${CSS.escape(id)}`);
    },
    'card-close': async (id) => {
      await note({ card: null, tried: [] });
      goTo(`.card-list [data-value="${CSS.escape(id)}"]`);
    },
    /** The example that the open card needs: the card stays open. */
    'card-example': async (example) => {
      await loop.open(example);
      goTo('.card-list h4');
    },
    /** What of an experiment is chosen from now on, with commas between. */
    'try': (chosen) => note({ tried: chosen === '' ? [] : chosen.split(',') }),
    'hint': async () => {
      await note({ hints: notes().hints + 1 });
      goTo('.hints li:last-child');
    },
    'practice-input': (value) => {
      const [token, { inputs }] = [Number(value), notes()];
      const others = inputs.filter((input) => input !== token);
      return note({ inputs: others.length < inputs.length ? others : [...inputs, token].sort((a, b) => a - b), checked: false });
    },
    'practice-place': (place) => note({ place: place === '' ? null : place, checked: false }),
    'practice-check': async () => {
      await note({ checked: true });
      goTo('.practice-answer');
    },
    /** Token 2 gets the input of token 1. */
    'alike': async () => {
      const { inputs } = loop.state().document;
      if (await loop.dispatch({ type: 'edit-row', matrix: 'inputs', row: 1, values: [...inputs[0]] })) {
        loop.say('said', loop.t('said-alike'));
      }
    },
    /** Query, key and value weights become the identity. */
    'identities': async () => {
      const { inputs } = loop.state().document;
      const same = identity(inputs[0].length);
      const done = await loop.dispatch({ type: 'place', matrices: { w_query: same, w_key: same, w_value: same }, tokens: null });
      if (done) loop.say('said', loop.t('said-identities'));
    },
  };
}
