/**
 * update(state, action): the only way in which a state changes; pure, so it computes no tensor and asks nobody.
 * What cannot be done comes back as a problem (a message id with its arguments) and the state stays as it was.
 * Next to read: resize.js (rows and columns that come and go), history.js.
 */

import { addDimension, addOutputColumn, addToken, removeDimension, removeOutputColumn, removeToken } from './resize.js';
import { classAnew, classRefusal } from './classroom.js';
import { bridged } from './lesson.js';
import { fitView, look } from './look.js';
import { ask, askedAnew } from './asking.js';
import { placed } from './placing.js';
import { afterEdit, train } from './training.js';
import { MAX_LABEL_LENGTH, sizesOf, stateOfExample, validHeads } from './state.js';

/**
 * @typedef {import('./state.js').State} State
 * @typedef {import('./state.js').Doc} Doc
 * @typedef {{ id: string, args?: Record<string, string | number> }} Message  looked up in the message file
 *
 * @typedef {{ type: 'open', example: import('../content/examples.js').Example, drawn: import('./state.js').Drawn }
 *   | { type: 'edit', matrix: import('./state.js').MatrixName, row: number, column: number, value: number }
 *   | { type: 'edit-row', matrix: import('./state.js').MatrixName, row: number, values: number[] }
 *   | { type: 'label', row: number, text: string }
 *   | { type: 'causal', on: boolean }
 *   | { type: 'heads', count: number }
 *   | { type: 'scale', scale: import('./state.js').Scale }
 *   | { type: 'source', source: import('./state.js').Source, weights: number[][] }
 *   | { type: 'project', on: boolean }
 *   | { type: 'add-token' | 'add-dimension' | 'remove-dimension' | 'add-output' | 'remove-output' }
 *   | { type: 'remove-token', row: number }
 *   | { type: 'bridge', before: Doc, how: 'identity' | 'one-head' }
 *   | { type: 'fault', fault: string, place: number, mystery: number | null }
 *   | { type: 'pin' | 'pin-start' }
 *   | { type: 'restore', state: State, label: Message, fromFile?: boolean }
 *   | { type: 'place', matrices: import('./placing.js').Matrices, tokens: string[] | null }
 *   | import('./training.js').TrainingAction
 *   | import('./asking.js').AskingAction
 *   | import('./look.js').Look} Action
 *   'bridge' takes the start of the chapter before, whose numbers are to come out;
 *   'restore' takes a whole state that came from outside and was checked there;
 *   `mystery` of 'fault' is the seed that chose it unseen, null if it was chosen by name;
 *   `weights` of 'source' is what given weights start from, if none were given before
 *
 * @typedef {{ state: State, label?: Message } | { problem: Message }} Outcome
 *   `label` names the change for undo; without one, only the view changed
 */

/** @param {State} state @param {Action} action @returns {Outcome} */
export function update(state, action) {
  const outcome = done(state, action);
  const refusal = 'state' in outcome ? classRefusal(state, outcome.state, action) : null;
  return refusal ? { problem: refusal } : outcome;
}

/** What an action comes to, whoever may do it. @param {State} state @param {Action} action @returns {Outcome} */
function done(state, action) {
  const doc = state.document;
  switch (action.type) {
    case 'open': {
      // The instruments stay open, and what was pinned stays pinned: one compares examples too. So does a card. A reset
      // keeps the step. A large sequence has nothing to do with the document.
      const { panels, pinned, tolerance, large, present, notes: { card, tried } } = state.view;
      const classroom = classAnew(state.view.classroom);
      const opened = stateOfExample(action.example, action.drawn);
      const again = action.example.id === doc.example;
      const lesson = again ? state.view.lesson : opened.view.lesson;
      const notes = { ...opened.view.notes, card, tried };
      const label = again ? { id: 'did-reset' } : { id: 'did-open' };
      return { state: { ...opened, view: { ...opened.view, panels, pinned, tolerance, large, lesson, notes, present, classroom } }, label };
    }
    case 'edit': {
      const row = matrixOf(doc, action.matrix)[action.row].slice();
      row[action.column] = action.value;
      return changed(state, withRow(doc, action.matrix, action.row, row), {
        id: 'did-edit', args: { matrix: action.matrix },
      });
    }
    case 'edit-row':
      return changed(state, withRow(doc, action.matrix, action.row, action.values), {
        id: 'did-edit', args: { matrix: action.matrix },
      });
    case 'label': {
      const text = action.text.trim();
      if (text === '') return { problem: { id: 'problem-label-empty' } };
      const length = [...text].length;
      if (length > MAX_LABEL_LENGTH) {
        return { problem: { id: 'problem-label-long', args: { length, limit: MAX_LABEL_LENGTH } } };
      }
      const tokens = doc.tokens.map((token, i) => (i === action.row ? text : token));
      return changed(state, { ...doc, tokens }, { id: 'did-label' });
    }
    case 'causal':
      return changed(state, { ...doc, causal: action.on }, { id: 'did-causal' });
    case 'heads': {
      const { dOut } = sizesOf(doc);
      if (!validHeads(dOut).includes(action.count)) return { problem: headsProblem(action.count, dOut) };
      return changed(state, { ...doc, heads: action.count }, { id: 'did-heads' });
    }
    case 'scale':
      return changed(state, { ...doc, scale: action.scale }, { id: 'did-scale' });
    case 'source': {
      const given = action.source === 'given' ? doc.given ?? action.weights : doc.given;
      return changed(state, { ...doc, source: action.source, given }, { id: 'did-source' });
    }
    case 'project':
      return changed(state, { ...doc, project: action.on }, { id: 'did-project' });
    case 'bridge':
      return changed(state, bridged(action.before, doc.example, action.how), { id: 'did-bridge' });
    case 'add-token': return resized(state, addToken(doc));
    case 'remove-token': return resized(state, removeToken(doc, action.row));
    case 'add-dimension': return resized(state, addDimension(doc));
    case 'remove-dimension': return resized(state, removeDimension(doc));
    case 'add-output': return resized(state, addOutputColumn(doc));
    case 'remove-output': return resized(state, removeOutputColumn(doc));
    case 'fault': {
      const { fault, place, mystery } = action;
      // A bug planted anew is unseen again, whatever was said of one before.
      const unseen = { ...state, view: { ...state.view, mystery: null } };
      const label = fault === 'none' ? { id: 'did-mend' } : { id: 'did-fault' };
      return changed(unseen, { ...doc, fault, faultPlace: place, mystery }, label);
    }
    case 'task': case 'fit': case 'no-task': case 'sequence': case 'draw': case 'trained':
    case 'to-start': case 'to-best': case 'zero-start':
      return train(state, action) ?? { state };
    case 'pin-start': {
      if (!doc.training) return { state };
      const pinned = { ...doc, ...doc.training.start, training: { ...doc.training, step: 0 } };
      return { state: { ...state, view: { ...state.view, pinned } } };
    }
    case 'ask': case 'unask': case 'predict': case 'unveil': case 'cover':
      return ask(state, action);
    case 'place': {
      const filled = placed(doc, action.matrices, action.tokens);
      return 'problem' in filled ? filled : changed(state, filled, { id: 'did-place' });
    }
    case 'restore':
      return { state: action.state, label: action.label };
    case 'pin':
      return { state: { ...state, view: { ...state.view, pinned: doc } } };
    default: {
      const view = look(state.view, action, doc);
      return { state: view === state.view ? state : { ...state, view } };
    }
  }
}

/**
 * The view, cut to what a document has.
 * @param {import('./state.js').View} view @param {Doc} from @param {Doc} to
 */
export function viewOf(view, from, to) {
  const [was, is] = [sizesOf(from), sizesOf(to)];
  const same = from.source === to.source && from.project === to.project && JSON.stringify(was) === JSON.stringify(is);
  const fitted = fitView(view, { tokens: is.nTokens, heads: is.heads, width: is.width, dIn: is.dIn }, same);
  return { ...fitted, mystery: mysteryOf(view, to), question: askedAnew(view.question) };
}

/**
 * What was said of the bug that a seed chose: nothing yet, if it has only now been planted or come back.
 * @param {import('./state.js').View} view @param {Doc} doc @returns {import('./state.js').Mystery | null}
 */
function mysteryOf({ mystery }, doc) {
  if (doc.mystery === null || mystery?.seed === doc.mystery) return doc.mystery === null ? null : mystery;
  return { seed: doc.mystery, guess: null, revealed: false };
}

/** @param {number} count @param {number} dOut @returns {Message} */
function headsProblem(count, dOut) {
  return { id: 'problem-heads', args: { count, dOut, valid: validHeads(dOut).join(', ') } };
}

/** @param {Doc} doc @param {import('./state.js').MatrixName} name @returns {number[][]} */
function matrixOf(doc, name) {
  const matrix = doc[name];
  if (matrix === null) throw new Error(`${name} is not there to be edited`);
  return matrix;
}

/**
 * @param {Doc} doc @param {import('./state.js').MatrixName} name @param {number} index @param {number[]} row
 * @returns {Doc}
 */
function withRow(doc, name, index, row) {
  return { ...doc, [name]: matrixOf(doc, name).map((old, i) => (i === index ? row : old)) };
}

/** @param {State} state @param {Doc} edited @param {Message} label @returns {Outcome} */
function changed(state, edited, label) {
  const document = afterEdit(state.document, edited);
  return { state: { ...state, document, view: viewOf(state.view, state.document, document) }, label };
}

/** @param {State} state @param {Doc | { problem: Message }} result @returns {Outcome} */
function resized(state, result) {
  return 'problem' in result ? result : changed(state, result, { id: 'did-resize' });
}
