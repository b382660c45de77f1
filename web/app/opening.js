/**
 * What comes in: files that are chosen or dropped, text that is given to the dialog. It shows the sizes and where each
 * matrix would go; nothing is replaced before that is confirmed. Files are read in parts, as needed. Next to read:
 * pasting.js (what is pasted into cells), offered.js, ../io/opened.js, ../model/placing.js, ../view/open.js.
 */

import { matrixOf as rowsOfStored, misfit } from '../io/arrays.js';
import { jsonToState } from '../io/json.js';
import { readFile, readText } from '../io/opened.js';
import { isLeftOut } from '../model/classroom.js';
import { placed } from '../model/placing.js';
import { update } from '../model/update.js';
import { LIMIT, offered } from './offered.js';
import { pasting, placeProblem, sizesInWords } from './pasting.js';

/**
 * @typedef {import('../model/update.js').Action} Action
 * @typedef {import('../model/state.js').MatrixName} MatrixName
 * @typedef {import('../io/arrays.js').Stored} Stored
 * @typedef {Extract<import('../view/frame.js').Dialog, { kind: 'open' }>} Opening
 */

/** @type {Opening} */
const EMPTY = { kind: 'open', name: null, arrays: [], find: '', summary: '', ready: false, said: '' };

/**
 * @param {HTMLElement} root
 * @param {import('./loop.js').Loop} loop
 * @param {import('./dialogs.js').Dialogs} dialogs
 * @param {ReturnType<typeof import('./grid-keys.js').gridKeys>} grids
 * @param {import('../model/schema.js').Known} known
 * @returns {Record<string, (value: string) => unknown>}
 */
export function opening(root, loop, dialogs, grids, known) {
  const { t } = loop;
  /** @type {Stored[]} */
  let arrays = [];
  /** @type {string[] | null} */
  let labels = null;
  /** What is done when it is confirmed. @type {Action | null} */
  let pending = null;
  /** What is being read for the dialog; what comes late, for an older choice, is not shown. @type {Promise<void>} */
  let reading = Promise.resolve();
  let choices = 0;

  /** @param {import('../model/update.js').Message} problem */
  const words = ({ id, args }) => t(id, args);

  /** Show what a file or a text holds. @param {string} name @param {import('../io/opened.js').OpenedFile} opened */
  function preview(name, opened) {
    pending = null;
    choices += 1;
    if ('problem' in opened) return dialogs.show({ ...EMPTY, said: words(opened.problem) });
    if ('state' in opened) {
      const read = jsonToState(opened.state, known);
      if ('problem' in read) return dialogs.show({ ...EMPTY, said: words(read.problem) });
      /** @type {Action} */
      const action = { type: 'restore', state: read.state, label: { id: 'did-file' }, fromFile: true };
      const outcome = update(loop.state(), action);
      if ('problem' in outcome) return dialogs.show({ ...EMPTY, said: words(outcome.problem) });
      pending = action;
      return dialogs.show({ ...EMPTY, name, ready: true, summary: t('open-state', { sizes: sizesInWords(read.state.document, t) }) });
    }
    const { stored, rows } = offered(opened, t);
    [arrays, labels] = [stored, opened.labels];
    if (stored.length > 0) return choose({ ...EMPTY, name, arrays: rows });
    const only = rows.length === 1 && opened.arrays.length === 1 ? misfit(opened.arrays[0].shape, LIMIT) : null;
    return dialogs.show({ ...EMPTY, name, arrays: rows, summary: only ? words(only.problem) : t('open-none-fits') });
  }

  /** See what the choice comes to. @param {Opening} dialog */
  function choose(dialog) {
    pending = null;
    const choice = (choices += 1);
    dialogs.show(dialog);
    reading = guarded(async () => {
      const { summary, action } = await outcomeOf(dialog.arrays);
      if (choice !== choices) return;
      pending = action;
      const { dialog: now } = loop.ui;
      if (now?.kind === 'open') dialogs.show({ ...now, summary, ready: action !== null });
    });
    return reading;
  }

  /** @param {Opening['arrays']} rows @returns {Promise<{ summary: string, action: Action | null }>} */
  async function outcomeOf(rows) {
    const no = (/** @type {string} */ summary) => ({ summary, action: null });
    /** @type {import('../model/placing.js').Matrices} */
    const matrices = {};
    for (const [i, { place, transpose }] of rows.entries()) {
      if (place === '') continue;
      const to = /** @type {MatrixName} */ (place);
      if (to in matrices) return no(t('open-twice', { matrix: t(`name-${to}`) }));
      const read = await rowsOfStored(arrays[i], { ...LIMIT, transpose });
      if ('problem' in read) return no(words(read.problem));
      matrices[to] = read.rows;
    }
    if (Object.keys(matrices).length === 0) return no(t('open-choose'));
    const tokens = labels && 'inputs' in matrices ? labels.map((label) => [...label.trim()].slice(0, 60).join('') || '·') : null;
    const doc = placed(loop.state().document, matrices, tokens);
    if ('problem' in doc) return no(placeProblem(doc.problem, t));
    return { summary: t('open-result', { sizes: sizesInWords(doc, t) }), action: { type: 'place', matrices, tokens } };
  }

  /** Do what reads a file, which may no longer be there. @param {() => Promise<void>} work */
  async function guarded(work) {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      dialogs.show({ ...EMPTY, said: t('problem-file-gone') });
    }
  }

  /** @param {File} file */
  function openFile(file) {
    if (isLeftOut(loop.state(), 'files')) return loop.say('problem', t('problem-files-left-out'));
    const choice = (choices += 1);
    dialogs.show({ ...EMPTY, said: t('open-reading', { name: file.name }) });
    return guarded(async () => {
      const read = async (/** @type {number} */ from, /** @type {number} */ to) => new Uint8Array(await file.slice(from, to).arrayBuffer());
      const opened = await readFile(file.name, { size: file.size, read });
      if (choice === choices && loop.ui.dialog) await preview(file.name, opened);
    });
  }

  root.ownerDocument.addEventListener('dragover', (event) => event.preventDefault());
  root.ownerDocument.addEventListener('drop', (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) void openFile(file);
  });

  pasting(root, loop, grids, (action, summary) => {
    choices += 1;
    pending = action;
    dialogs.show({ ...EMPTY, name: t('open-pasted'), ready: true, summary });
  });

  /** @param {number} index @param {Partial<Opening['arrays'][number]>} change */
  function changeArray(index, change) {
    const { dialog } = loop.ui;
    if (dialog?.kind !== 'open') return;
    choose({ ...dialog, arrays: dialog.arrays.map((array, i) => (i === index ? { ...array, ...change, stays: true } : array)) });
  }

  return {
    'open-dialog': () => {
      choices += 1;
      dialogs.show(EMPTY);
    },
    'open-file': async () => {
      const field = /** @type {HTMLInputElement} */ (root.querySelector('#open-file'));
      if (field.files?.[0]) await openFile(field.files[0]);
    },
    'open-text': () => preview(t('open-pasted'), readText(/** @type {HTMLTextAreaElement} */ (root.querySelector('#open-text')).value)),
    'open-find': (find) => {
      const { dialog } = loop.ui;
      if (dialog?.kind !== 'open') return;
      dialogs.show({ ...dialog, find, arrays: dialog.arrays.map((array) => ({ ...array, stays: array.place !== '' })) });
    },
    'open-place': (value) => {
      const [index, place = ''] = value.split(' ');
      changeArray(Number(index), { place });
    },
    'open-transpose': (index) => {
      const { dialog } = loop.ui;
      if (dialog?.kind === 'open') changeArray(Number(index), { transpose: !dialog.arrays[Number(index)].transpose });
    },
    'open-confirm': async () => {
      await reading;
      const action = pending;
      dialogs.close();
      if (action && await loop.dispatch(action)) loop.say('said', t('said-opened'));
    },
  };
}
