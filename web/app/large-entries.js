/**
 * The fields for numbers of a large sequence: what is typed is taken when one is done, or stays there to be mended, with a
 * sentence beside it. A field that was left never says anything else than what is asked for. It computes nothing.
 * Next to read: large.js, ../model/large.js (what a field takes), ../view/large.js (the sentence).
 */

import { entryText, rangeOf, readEntry, wrongText } from '../model/large.js';

/**
 * @typedef {import('../model/large.js').Entry} Entry
 * @typedef {import('../model/large.js').Large} Large
 * @typedef {Partial<Record<Entry, import('../model/large.js').Wrong>>} Wrongs
 */

/** @type {Entry[]} */
const ENTRIES = ['tokens', 'heads', 'headDim', 'seed', 'row', 'column'];

/**
 * @param {object} parts
 * @param {HTMLElement} parts.root
 * @param {() => Large} parts.asked
 * @param {() => Wrongs} parts.wrong   entries that were not taken
 * @param {(wrong: Wrongs) => void} parts.keep  others are now
 * @param {(entry: Entry, value: number) => unknown} parts.take  rows and columns from 0
 * @returns {Record<string, (text: string) => unknown>}  what the fields do
 */
export function largeEntries({ root, asked, wrong, keep, take }) {
  /** @param {Entry} entry @param {string} text */
  async function typed(entry, text) {
    const value = readEntry(asked(), entry, text);
    if (value === null) return keep({ ...wrong(), [entry]: { text, at: asked()[entry], high: rangeOf(asked(), entry)[1] } });
    if (wrong()[entry]) keep({ ...wrong(), [entry]: undefined });
    await take(entry, value);
    const field = /** @type {HTMLInputElement | null} */ (root.querySelector(`[data-act=large-${entry}]`));
    if (field) field.value = entryText(asked(), entry);
  }

  // The field's own undo changes its text, and not every browser calls that a change.
  root.addEventListener('focusout', ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    const entry = ENTRIES.find((one) => target.dataset.act === `large-${one}`);
    if (entry && target.value !== (wrongText(wrong(), asked(), entry) ?? entryText(asked(), entry))) void typed(entry, target.value);
  });

  return {
    'large-tokens': (text) => typed('tokens', text),
    'large-heads': (text) => typed('heads', text),
    'large-headDim': (text) => typed('headDim', text),
    'large-seed': (text) => typed('seed', text),
    'large-row': (text) => typed('row', text),
    'large-column': (text) => typed('column', text),
  };
}
