/**
 * Autosave: the state of the page, kept in the browser's storage under a name of the page's own. Where there is no
 * storage, or it is full or forbidden, nothing is kept and nothing breaks: an answer says so, and nothing older stays
 * that would pass for the last. What comes back is checked like a file from anyone. When to save is the caller's to say. Next to read: ../io/json.js.
 */

import { jsonToState, stateToJson } from '../io/json.js';

/**
 * @typedef {import('../model/state.js').State} State
 * @typedef {Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>} Store
 */

/**
 * @param {() => Store} storage  asked for each time: in a sandboxed frame already the asking throws
 * @param {string} page  what this page is called among the pages of its site, such as its path
 */
export function createAutosave(storage, page) {
  const key = `attention-rows:${page}`;

  /**
   * What storage answers; `otherwise` where it throws, which is its way to say that it is not there, or full.
   * @template T @param {(store: Store) => T} ask @param {T} otherwise @returns {T}
   */
  function tried(ask, otherwise) {
    try {
      return ask(storage());
    } catch {
      return otherwise;
    }
  }

  return {
    /** @param {State} state @returns {boolean} whether it is kept; if not, nothing is */
    save(state) {
      const text = stateToJson(state);
      const saved = tried((store) => {
        store.setItem(key, text);
        return true;
      }, false);
      if (!saved) this.forget();
      return saved;
    },

    /**
     * What was kept, or null if nothing was. What cannot be read stays where it is until something is saved.
     * @param {import('../model/schema.js').Known} known
     * @returns {ReturnType<typeof jsonToState> | null}
     */
    restore(known) {
      const text = tried((store) => store.getItem(key), null);
      return text === null ? null : jsonToState(text, known);
    },

    /** @returns {boolean} whether nothing is kept any more */
    forget() {
      return tried((store) => {
        store.removeItem(key);
        return true;
      }, false);
    },
  };
}
