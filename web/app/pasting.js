/**
 * What is pasted into cells: numbers into a matrix, labels into the column of labels, from the cell in focus on. What
 * fits is taken at once, for undo is there; what makes a matrix grow is proposed first. Next to read: opening.js,
 * ../io/pasted.js, ../model/placing.js.
 */

import { readLabels, readPasted } from '../io/pasted.js';
import { labelled, overlaid, placed } from '../model/placing.js';
import { sizesOf } from '../model/state.js';
import { matrixOf, shownFrom } from './grid-keys.js';

/**
 * @typedef {import('../model/update.js').Message} Message
 * @typedef {import('../view/frame.js').Place} Place
 * @typedef {import('./loop.js').Loop} Loop
 */

/** @param {import('../model/state.js').Doc} doc @param {Loop['t']} t */
export function sizesInWords(doc, t) {
  const { nTokens, dIn, dOut } = sizesOf(doc);
  return t('open-sizes', { tokens: nTokens, dIn, dOut });
}

/** @param {Message} problem @param {Loop['t']} t */
export const placeProblem = ({ id, args }, t) => t(id, args?.matrix ? { ...args, matrix: t(`name-${args.matrix}`) } : args);

/**
 * @param {HTMLElement} root
 * @param {Loop} loop
 * @param {ReturnType<typeof import('./grid-keys.js').gridKeys>} grids
 * @param {(action: import('../model/update.js').Action, summary: string) => void} propose  ask whether it is to be done
 */
export function pasting(root, loop, grids, propose) {
  const { t } = loop;

  root.ownerDocument.addEventListener('paste', (event) => {
    // Firefox sends the event to where the selection is, which need not be the cell that has the focus.
    const grid = root.ownerDocument.activeElement?.closest('[data-row]')?.closest('[role=grid]');
    const { focus, editing, dialog } = loop.ui;
    const text = event.clipboardData?.getData('text/plain') ?? '';
    // A field that is open takes one number or label; more than one belongs into the cells.
    if (!grid || !focus || dialog || (editing && !/\S[\t\n].*\S/s.test(text))) return;
    event.preventDefault();
    if (editing) grids.editBar('edit-cancel');
    if (grid.getAttribute('aria-readonly') === 'true') grids.sayComputed(focus);
    else void (focus.column < 0 ? pasteLabels(focus, text) : pasteNumbers(focus, text));
  });

  /** @param {Place} place @param {string} text */
  function pasteNumbers(place, text) {
    const pasted = readPasted(text);
    if ('problem' in pasted) return loop.say('problem', t(pasted.problem.id, pasted.problem.args));
    const labels = pasted.rowLabels || pasted.columnLabels ? 'yes' : 'no';
    return takeNumbers(place, pasted.rows, labels);
  }

  /** @param {Place} place @param {number[][]} pasted @param {'yes' | 'no'} labels  whether they had some that are not taken */
  function takeNumbers({ grid, row, column }, pasted, labels) {
    const name = matrixOf(grid);
    const [r, c] = shownFrom(grid, row, column, loop);
    // Where a matrix is shown transposed, so is what is pasted into it.
    const swapped = loop.state().view.linear && name.startsWith('w_');
    const block = swapped ? pasted[0].map((_, j) => pasted.map((line) => line[j])) : pasted;
    const rows = overlaid(loop.state().document, name, r, c, block);
    if ('problem' in rows) return loop.say('problem', placeProblem(rows.problem, t));
    const done = t('said-pasted', { rows: block.length, columns: block[0].length, labels });
    return take({ matrices: { [name]: rows }, tokens: null }, 'open-grows', done);
  }

  /** Labels from a row on, and the numbers that stood beside them. @param {Place} place @param {string} text */
  function pasteLabels({ grid, row }, text) {
    const pasted = readLabels(text);
    if ('problem' in pasted) return loop.say('problem', t(pasted.problem.id, pasted.problem.args));
    const { labels, rows } = pasted;
    if (labels === null) return takeNumbers({ grid, row, column: 0 }, rows, 'no');
    const placing = labelled(loop.state().document, row, labels, rows);
    if ('problem' in placing) return loop.say('problem', placeProblem(placing.problem, t));
    return take(placing, 'open-grows-labels', t('said-labels', { count: labels.length }));
  }

  /**
   * At once if the sizes stay, else when it is confirmed.
   * @param {{ matrices: import('../model/placing.js').Matrices, tokens: string[] | null }} what
   * @param {'open-grows' | 'open-grows-labels'} grows @param {string} done  what is said then
   */
  async function take(what, grows, done) {
    const { document } = loop.state();
    /** @type {import('../model/update.js').Action} */
    const action = { type: 'place', ...what };
    const doc = placed(document, what.matrices, what.tokens);
    if ('problem' in doc) return loop.say('problem', placeProblem(doc.problem, t));
    if (JSON.stringify(sizesOf(doc)) !== JSON.stringify(sizesOf(document))) return propose(action, t(grows, { sizes: sizesInWords(doc, t) }));
    if (await loop.dispatch(action)) loop.say('said', done);
  }
}
