/**
 * Keys and pointers on the grids, by the WAI-ARIA grid pattern: arrows, Home and End move; Enter, F2, a digit or a
 * second click edit; Enter keeps, Escape leaves, Tab goes out. In a head's small grid Enter or a click opens the number
 * in the large one. What is not a number stays in its field with a sentence.
 * Next to read: ../view/grid.js (the markup), loop.js (what a change does).
 */

import { canAsk, isLocked } from '../model/classroom.js';
import { exact, numberProblem, parseNumber } from '../model/numbers.js';

/**
 * @typedef {import('./loop.js').Loop} Loop
 * @typedef {import('../view/frame.js').Place} Place
 */

/** Grids in which going to a row chooses it: their rows are queries. */
const CHOOSES_ROW = /^(attn_weights|attn_scores|context_vecs|outputs)\b/;

/** @param {HTMLElement} root @param {Loop} loop */
export function gridKeys(root, loop) {
  const { ui } = loop;

  /** @param {Place} place @returns {HTMLElement | null} */
  const cellAt = ({ grid, row, column }) =>
    root.querySelector(`#${CSS.escape(grid)} [data-row="${row}"][data-column="${column}"]`);

  /** The place of the cell in which an event happened. @param {Event} event @returns {Place | null} */
  function placeOf(event) {
    const cell = /** @type {HTMLElement} */ (event.target).closest?.('[data-row][data-column]');
    const grid = cell?.closest('[role=grid]');
    if (!(cell instanceof HTMLElement) || !grid) return null;
    return { grid: grid.id, row: Number(cell.dataset.row), column: Number(cell.dataset.column) };
  }

  /** @param {Place} place */
  const isEditable = (place) => cellAt(place)?.classList.contains('editable') ?? false;

  /** What an editor starts with: the number as typed or drawn, with all its digits; or the label. @param {Place} place */
  function textAt({ grid, row, column }) {
    const { document } = loop.state();
    if (column < 0) return document.tokens[row];
    const matrix = document[matrixOf(grid)];
    if (matrix === null) throw new Error(`${grid} is not there to be edited`);
    const [r, c] = shownFrom(grid, row, column, loop);
    return exact(matrix[r][c]);
  }

  /** @param {Place} place @param {string} [typed] the key that began the edit replaces what stands there */
  function beginEdit(place, typed) {
    ui.editing = { ...place, text: typed ?? textAt(place), invalid: false };
    loop.paint();
    const field = /** @type {HTMLInputElement | null} */ (cellAt(place)?.querySelector('input'));
    field?.focus();
    if (typed === undefined) field?.select();
  }

  /** Take the field's text. Resolves to whether the field is closed. @param {{ refocus: boolean }} how */
  function keepEdit({ refocus }) {
    const { editing } = ui;
    if (!editing) return true;
    const { text } = editing;
    const old = textAt(editing);
    if (text === old) return endEdit(refocus);
    if (editing.column < 0) {
      endEdit(refocus);
      void loop.dispatch({ type: 'label', row: editing.row, text });
      return true;
    }
    const [value, why] = [parseNumber(text), numberProblem(text)];
    if (value === null || why !== null) {
      editing.invalid = true;
      loop.say('problem', loop.t('problem-number', { why: String(why), text, old }));
      return false;
    }
    endEdit(refocus);
    const [row, column] = shownFrom(editing.grid, editing.row, editing.column, loop);
    void loop.dispatch({ type: 'edit', matrix: matrixOf(editing.grid), row, column, value });
    return true;
  }

  /** Close the field. @param {boolean} refocus whether its cell gets the focus back */
  function endEdit(refocus) {
    const { editing } = ui;
    if (!editing) return true;
    if (editing.invalid) ui.notice = null;
    ui.editing = null;
    loop.paint();
    if (refocus) cellAt(editing)?.focus();
    return true;
  }

  /** Close the field because something else is done: what is a number or a label is kept, what is not is dropped. */
  function leave() {
    if (keepEdit({ refocus: false })) return;
    ui.editing = null;
    loop.paint();
  }

  /** Move the cursor if there is such a cell. @param {Place} place */
  function moveTo(place) {
    const cell = cellAt(place);
    if (!cell) return;
    cell.focus();
  }

  root.addEventListener('focusin', (event) => {
    const place = placeOf(event);
    if (!place) return;
    // The cell of an edit that ends gets the focus back: it is painted already.
    if (!isSame(ui.focus, place)) {
      ui.focus = place;
      ui.cursors = { ...ui.cursors, [place.grid]: { row: place.row, column: place.column } };
      loop.paint();
    }
    // Targets are no tensor: there is no arithmetic of theirs to open.
    if (place.grid === 'targets') return;
    // The arithmetic of a number shows its head large, and the head's small grid goes. So only what one does on
    // purpose opens it there: a click or Enter, not Tab on its way through.
    if (isSmall(place, loop)) {
      if (byPointer) void inspectLarge(place);
    } else if (place.column >= 0) {
      void inspect(place);
    }
  });

  /** @param {Place} place */
  function inspect(place) {
    const row = CHOOSES_ROW.test(place.grid) ? place.row : undefined;
    return loop.dispatch({ type: 'inspect', cell: cellOfPlace(place, loop), row });
  }

  /** Whether a number shows "?" and may be asked for. @param {Place} place */
  function canBeAsked(place) {
    return place.column >= 0 && cellAt(place)?.classList.contains('veiled') && canAsk(loop.state(), place.grid.split('-')[0]);
  }

  /** Show a number that was hidden until asked for. @param {Place} place */
  async function askNumber(place) {
    await loop.dispatch({ type: 'ask-number', cell: cellOfPlace(place, loop) });
    cellAt(place)?.focus();
  }

  /** Open a number of a small grid; the focus goes to where it then stands large. @param {Place} place */
  async function inspectLarge(place) {
    if (await inspect(place)) cellAt(place)?.focus();
  }

  root.addEventListener('focusout', (event) => {
    const [from, to] = [event.target, event.relatedTarget];
    const ofField = (/** @type {EventTarget | null} */ one) => one instanceof Element && one.closest('.editor, .edit-bar') !== null;
    // The edit bar's buttons act on the field, and a window that loses the focus keeps it for later.
    if (ui.editing && document.hasFocus() && ofField(from) && !ofField(to)) leave();
  });

  /** Whether the cell under the pointer had the focus before: then a click is a second one. */
  let wasFocused = false;
  /** Whether a pointer is what moves the focus. */
  let byPointer = false;
  root.addEventListener('pointerdown', (event) => {
    const place = placeOf(event);
    wasFocused = place !== null && document.activeElement === cellAt(place);
    byPointer = true;
  });

  root.addEventListener('click', (event) => {
    byPointer = false;
    const place = placeOf(event);
    const header = event.target instanceof Element ? event.target.closest('[data-chooses]') : null;
    if (header) void loop.dispatch({ type: 'row', row: Number(header.getAttribute('data-chooses')) });
    if (!place || ui.editing) return;
    if (canBeAsked(place)) return void askNumber(place);
    if (isSmall(place, loop)) void inspectLarge(place);
    else if (wasFocused && isEditable(place)) beginEdit(place);
    else cellAt(place)?.focus();
  });

  root.addEventListener('input', (event) => {
    if (ui.editing && event.target instanceof HTMLInputElement && event.target.classList.contains('editor')) {
      ui.editing.text = event.target.value;
    }
  });

  root.addEventListener('keydown', (event) => {
    byPointer = false;
    const place = placeOf(event);
    if (!place || event.isComposing) return;
    if (ui.editing) editKey(event);
    else if (!event.ctrlKey && !event.metaKey && !event.altKey) gridKey(event, place);
    else if (event.ctrlKey && (event.key === 'Home' || event.key === 'End')) gridKey(event, place);
  });

  /** @param {KeyboardEvent} event */
  function editKey(event) {
    if (event.key === 'Enter') {
      event.preventDefault();
      keepEdit({ refocus: true });
    } else if (event.key === 'Escape') {
      event.preventDefault();
      endEdit(true);
    } else if (event.key === 'Tab' && !keepEdit({ refocus: true })) {
      event.preventDefault();
    }
  }

  /** @param {KeyboardEvent} event @param {Place} place */
  function gridKey(event, place) {
    const { row, column } = place;
    const cells = [...root.querySelectorAll(`#${CSS.escape(place.grid)} [data-row][data-column]`)];
    const last = /** @type {HTMLElement} */ (cells[cells.length - 1]).dataset;
    const [lastRow, lastColumn] = [Number(last.row), Number(last.column)];
    /** @type {Record<string, [number, number]>} */
    const moves = {
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      Home: [event.ctrlKey ? 0 : row, 0],
      End: [event.ctrlKey ? lastRow : row, lastColumn],
    };
    const to = moves[event.key];
    if (to) {
      event.preventDefault();
      moveTo({ grid: place.grid, row: to[0], column: to[1] });
    } else if ((event.key === 'Enter' || event.key === 'F2') && canBeAsked(place)) {
      void askNumber(place);
    } else if (event.key === 'Enter' && isSmall(place, loop)) {
      void inspectLarge(place);
    } else if (isEditable(place)) {
      const typed = event.key.length === 1 && (column < 0 ? /\S/.test(event.key) : /[-+.,\d\u2212]/.test(event.key));
      if (event.key === 'Enter' || event.key === 'F2' || typed || event.key === 'Delete' || event.key === 'Backspace') {
        event.preventDefault();
        beginEdit(place, typed ? event.key : event.key === 'Enter' || event.key === 'F2' ? undefined : '');
      }
    } else if (/^(Enter|F2|Delete|Backspace|[-+.,\d\u2212])$/.test(event.key)) {
      event.preventDefault();
      sayComputed(place);
    }
  }

  /** Why this number cannot be typed over, and what would move it. @param {Place} place */
  function sayComputed(place) {
    const { source, tokens } = loop.state().document;
    const [tensor] = place.grid.split('-');
    const masked = cellAt(place)?.classList.contains('masked');
    if (cellAt(place)?.classList.contains('veiled')) return loop.say('hint', loop.t('hint-veiled'));
    if (isLocked(loop.state(), tensor)) {
      return loop.say('hint', loop.t('class-matrix-locked', { matrix: loop.t(`name-${tensor}`) }));
    }
    loop.say('hint', masked ? `${loop.t('masked-why', { query: tokens[place.row], key: tokens[place.column] })}.`
      : loop.t('hint-computed', { tensor, matrix: loop.t(`name-${tensor}`), source }));
  }

  return {
    leave,
    sayComputed,
    /** For the edit bar. @param {'edit-sign' | 'edit-done' | 'edit-cancel'} act */
    editBar(act) {
      if (!ui.editing) return;
      if (act === 'edit-done') keepEdit({ refocus: true });
      if (act === 'edit-cancel') endEdit(true);
      if (act !== 'edit-sign') return;
      const { text } = ui.editing;
      ui.editing.text = /^\s*[-\u2212]/.test(text) ? text.replace(/^\s*[-\u2212]/, '') : `\u2212${text}`;
      loop.paint();
      /** @type {HTMLInputElement | null | undefined} */ (cellAt(ui.editing)?.querySelector('input'))?.focus();
    },
  };
}

/** @param {Place | null} one @param {Place} other */
const isSame = (one, other) => one?.grid === other.grid && one.row === other.row && one.column === other.column;

/** Whether a grid is the small one of a head that is not shown large. @param {Place} place @param {Loop} loop */
function isSmall({ grid }, loop) {
  return grid.startsWith('attn_weights-') && grid !== `attn_weights-${loop.state().view.head}`;
}

/**
 * The number of a tensor that stands at a place; one batch is on the page.
 * @param {Place} place @param {Loop} loop @returns {import('../model/state.js').Cell}
 */
export function cellOfPlace({ grid, row, column }, loop) {
  const [tensor, head] = grid.split('-');
  const rank = loop.tensors()[tensor].shape.length;
  const [r, c] = shownFrom(grid, row, column, loop);
  const indices = rank === 2 ? [r, c] : rank === 3 ? [0, r, c] : [0, Number(head), r, c];
  return { tensor, indices };
}

/**
 * The row and column of a matrix that a grid's cell shows: swapped where it shows the matrix transposed.
 * @param {string} grid @param {number} row @param {number} column @param {Loop} loop
 */
export function shownFrom(grid, row, column, loop) {
  return loop.state().view.linear && grid.startsWith('w_') ? [column, row] : [row, column];
}

/** The matrix of the document that a grid edits. @param {string} grid @returns {import('../model/state.js').MatrixName} */
export function matrixOf(grid) {
  return /** @type {import('../model/state.js').MatrixName} */ (grid.startsWith('attn_weights-') ? 'given' : grid);
}
