/**
 * Where one looks: the actions that change the view alone, so that no undo is needed to take them back. Pure.
 * Next to read: update.js, which changes documents and comes here for all else.
 */

import { OPEN_CLASS, fitClass, withAsked } from './classroom.js';
import { fitLarge } from './large.js';
import { sizesOf } from './state.js';

/**
 * @typedef {import('./state.js').View} View
 * @typedef {import('./state.js').Cell} Cell
 *
 * @typedef {{ type: 'row', row: number }
 *   | { type: 'head', head: number }
 *   | { type: 'digits', digits: number }
 *   | { type: 'panel', panel: import('./state.js').Panel, open: boolean }
 *   | { type: 'kernels', kernels: import('./state.js').Kernels }
 *   | { type: 'column-sums' | 'linear', on: boolean }
 *   | { type: 'tolerance', tolerance: import('./state.js').Tolerance }
 *   | { type: 'inspect', cell: Cell, row?: number }
 *   | { type: 'follow', cell: Cell }
 *   | { type: 'back' }
 *   | { type: 'step', step: number | null }
 *   | { type: 'plane', of: 'plane' | 'inputPlane', axis: number, dimension: number }
 *   | { type: 'every-head' | 'unfolded', on: boolean }
 *   | { type: 'try-rows', rows: number | null }
 *   | { type: 'unpin' }
 *   | { type: 'guess', guess: string }
 *   | { type: 'reveal' }
 *   | { type: 'replay', tokens: number | null }
 *   | { type: 'settings', change: Partial<import('./state.js').Settings> }
 *   | { type: 'scales', scales: import('./state.js').Scales | null }
 *   | { type: 'gradient', cell: Cell | null }
 *   | { type: 'notes', change: Partial<import('./state.js').Notes> }
 *   | { type: 'lesson', step: number }
 *   | { type: 'classroom', change: Partial<import('./classroom.js').Classroom> | null }
 *   | { type: 'ask-number', cell: Cell }
 *   | { type: 'present', what: View['present'] }
 *   | { type: 'large', change: Partial<import('./large.js').Large> }} Look
 *   'classroom' with null ends what holds for a class.
 *   'inspect' opens a number's arithmetic, and chooses its row if that is a query's; 'follow' goes on to a number that
 *   it was made from, 'back' to the number one came from and in the end to the row's sum. With a number of a head goes
 *   that head shown large: what stands beside the arithmetic is about the same head.
 */

/** @param {View} view @param {Look} action @param {import('./state.js').Doc} doc @returns {View} */
export function look(view, action, doc) {
  switch (action.type) {
    case 'row': return { ...view, row: action.row, trail: [], step: null };
    case 'head': return { ...view, head: action.head, trail: [], step: null };
    case 'digits': return { ...view, digits: Math.min(6, Math.max(0, action.digits)) };
    case 'panel': {
      const others = view.panels.filter((panel) => panel !== action.panel);
      return { ...view, panels: action.open ? [...others, action.panel] : others };
    }
    case 'kernels': return { ...view, kernels: action.kernels };
    case 'column-sums': return { ...view, columnSums: action.on };
    case 'linear': return { ...view, linear: action.on };
    case 'tolerance': return { ...view, tolerance: action.tolerance };
    case 'inspect': return isOpen(view, action.cell, action.row) ? view : opened({ ...view, row: action.row ?? view.row }, [action.cell], doc);
    case 'follow': return opened(view, [...view.trail, action.cell], doc);
    case 'back': return opened(view, view.trail.slice(0, -1), doc);
    case 'step': return { ...view, step: action.step };
    case 'plane': return { ...view, [action.of]: chosenAxis(view[action.of], action.axis, action.dimension) };
    case 'every-head': return { ...view, everyHead: action.on };
    case 'unfolded': return { ...view, unfolded: action.on };
    case 'try-rows': return { ...view, tryRows: action.rows };
    case 'unpin': return { ...view, pinned: null };
    case 'guess': return { ...view, mystery: view.mystery && { ...view.mystery, guess: action.guess } };
    case 'reveal': return {
      ...view, mystery: view.mystery && { ...view.mystery, revealed: true },
      // The same bug may be what a question asks for.
      question: view.question?.kind === 'bug' ? { ...view.question, revealed: true, skipped: view.question.predictions.length === 0 } : view.question,
    };
    case 'replay': return { ...view, replay: action.tokens };
    case 'settings': return { ...view, settings: { ...view.settings, ...action.change } };
    case 'scales': return { ...view, scales: action.scales };
    case 'gradient': return { ...view, gradient: action.cell };
    case 'large': return { ...view, large: fitLarge({ ...view.large, ...action.change }) };
    case 'classroom':
      return { ...view, classroom: action.change && { ...(view.classroom ?? OPEN_CLASS), ...action.change } };
    case 'ask-number': return withAsked(view, action.cell);
    case 'present': return { ...view, present: action.what };
    case 'notes': return { ...view, notes: { ...view.notes, ...action.change } };
    // A question that is open belongs to the step that is left.
    case 'lesson': return { ...view, lesson: { step: action.step, done: false }, question: null };
  }
}

/** Whether it is this number's arithmetic that is open, in this row. @param {View} view @param {Cell} cell @param {number} [row] */
function isOpen({ row: chosen, trail, step }, cell, row = chosen) {
  return row === chosen && step === null && JSON.stringify(trail) === JSON.stringify([cell]);
}

/** A view with the last number of a trail open, in its head. @param {View} view @param {Cell[]} trail @param {import('./state.js').Doc} doc */
function opened(view, trail, doc) {
  const head = trail.length > 0 ? headOf(trail[trail.length - 1], doc) : null;
  return { ...view, head: head ?? view.head, trail, step: null };
}

/** The head that a number belongs to; null if it is of none or of all. @param {Cell} cell @param {import('./state.js').Doc} doc */
function headOf({ tensor, indices }, doc) {
  const { heads, width } = sizesOf(doc);
  if (heads === 1) return null;
  if (tensor.startsWith('attn_')) return indices[1];
  const sideBySide = ['queries', 'keys', 'values', 'context_vecs'].includes(tensor);
  return sideBySide ? Math.floor(indices[2] / (width / heads)) : null;
}

/**
 * A view that fits a document: a chosen row or head that is gone becomes the last one there is, arithmetic of a number
 * that may be gone closes.
 * @param {View} view @param {{ tokens: number, heads: number, width: number, dIn: number }} sizes
 * @param {boolean} sameShape  whether the document kept its sizes and where its weights come from
 * @returns {View}
 */
export function fitView(view, { tokens, heads, width, dIn }, sameShape) {
  return {
    ...view,
    row: Math.min(view.row, tokens - 1),
    head: Math.min(view.head, heads - 1),
    trail: sameShape ? view.trail : [],
    step: sameShape ? view.step : null,
    scales: sameShape ? view.scales : null,
    gradient: sameShape ? view.gradient : null,
    plane: axesWithin(view.plane, width / heads),
    inputPlane: axesWithin(view.inputPlane, dIn),
    replay: view.replay === null ? null : Math.min(view.replay, tokens),
    classroom: fitClass(view.classroom, tokens, sameShape),
    notes: { ...view.notes, inputs: view.notes.inputs.filter((token) => token < tokens) },
  };
}

/**
 * Two axes that are not the same dimension: choosing the other one's swaps them.
 * @param {[number, number]} axes @param {number} axis @param {number} dimension @returns {[number, number]}
 */
function chosenAxis(axes, axis, dimension) {
  const other = axes[1 - axis] === dimension ? axes[axis] : axes[1 - axis];
  return axis === 0 ? [dimension, other] : [other, dimension];
}

/** @param {[number, number]} axes @param {number} count of dimensions @returns {[number, number]} */
function axesWithin(axes, count) {
  return axes.every((axis) => axis < count) ? axes : [0, Math.min(1, count - 1)];
}
