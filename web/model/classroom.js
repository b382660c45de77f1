/**
 * What a class sees and may change: parts of the page that are not shown, numbers that wait to be asked for, rows that
 * come one by one, and what is locked. Pure. A lock is no secret: it keeps a class together, it hides nothing from
 * someone who looks into the link. Next to read: ../io/class-link.js, veil.js, update.js (where locks hold).
 */

import { sizesOf } from './state.js';

/**
 * @typedef {import('./state.js').State} State
 * @typedef {import('./state.js').Doc} Doc
 * @typedef {import('./state.js').View} View
 * @typedef {import('./state.js').Cell} Cell
 * @typedef {import('./update.js').Message} Message
 *
 * @typedef {object} Classroom
 * @property {string | null} link  the class link that opened it, without "#"; null: it was set up on this page
 * @property {string[]} hide    instruments and parts that are not shown, matrices whose numbers are not
 * @property {Matrix[]} ask     matrices whose numbers show "?" until they are asked for, one by one
 * @property {Cell[]} asked     the numbers that were asked for
 * @property {Lock[]} lock      what cannot be changed; an instrument: it stays open or folded, and what it plants or trains
 * @property {number | null} rows  of the result that are shown, from the first; null: all
 * @property {boolean} weightRows  whether rows of weights come with them
 *
 * @typedef {typeof MATRICES[number]} Matrix
 * @typedef {keyof typeof LOCKED} Lock
 */

/** Parts of the page that can be left out, besides the instruments. */
export const PARTS = /** @type {const} */ (['chapters', 'switches', 'lesson', 'blend', 'arithmetic', 'verdict', 'files']);

/** Matrices whose numbers can be hidden. */
export const MATRICES = /** @type {const} */ ([
  'inputs', 'w_query', 'w_key', 'w_value', 'w_out', 'queries', 'keys', 'values', 'attn_scores', 'attn_weights',
  'context_vecs', 'outputs',
]);

/**
 * The matrices that a document has, of those whose numbers can be hidden.
 * @param {Doc} doc @returns {Matrix[]}
 */
export function matricesOf({ source, project }) {
  const always = ['inputs', 'attn_weights', 'context_vecs'];
  // Without trainable matrices, queries, keys and values are the inputs themselves.
  const trained = ['w_query', 'w_key', 'w_value', 'queries', 'keys', 'values', ...(project ? ['w_out', 'outputs'] : [])];
  const all = [...always, ...(source === 'given' ? [] : ['attn_scores']), ...(source === 'trained' ? trained : [])];
  return MATRICES.filter((matrix) => all.includes(matrix));
}

/**
 * What a class is told that it cannot be: by option, each word with the reason. Hiding goes before all else.
 * @param {Doc} doc @param {View} view
 * @returns {{ option: 'hide' | 'ask' | 'open' | 'present', word: string, why: 'absent' | 'hidden' }[]}
 */
export function contradictions(doc, { classroom, panels, present }) {
  const { hide, ask } = classroom ?? OPEN_CLASS;
  const here = matricesOf(doc);
  const absent = (/** @type {string} */ what) => MATRICES.some((matrix) => matrix === what) && !here.some((matrix) => matrix === what);
  /** @type {{ option: 'ask' | 'open' | 'present', word: string }[]} */
  const shown = [
    ...ask.filter((word) => !absent(word)).map((word) => /** @type {const} */ ({ option: 'ask', word })),
    ...panels.map((word) => /** @type {const} */ ({ option: 'open', word })),
    ...(present === null ? [] : [/** @type {const} */ ({ option: 'present', word: present })]),
  ];
  return [
    ...hide.filter(absent).map((word) => /** @type {const} */ ({ option: 'hide', word, why: 'absent' })),
    ...ask.filter(absent).map((word) => /** @type {const} */ ({ option: 'ask', word, why: 'absent' })),
    ...shown.filter(({ word }) => hide.includes(word)).map((one) => /** @type {const} */ ({ ...one, why: 'hidden' })),
  ];
}

/** A view without its contradictions. @param {Doc} doc @param {View} view @returns {View} */
export function withoutContradictions(doc, view) {
  const found = contradictions(doc, view);
  if (found.length === 0) return view;
  const { classroom, panels, present } = view;
  /** @template {string} T @param {'hide' | 'ask' | 'open' | 'present'} option @param {T[]} words */
  const kept = (option, words) => words.filter((word) => !found.some((one) => one.option === option && one.word === word));
  return {
    ...view, panels: kept('open', panels), present: present && kept('present', [present]).length > 0 ? present : null,
    classroom: classroom && { ...classroom, hide: kept('hide', classroom.hide), ask: kept('ask', classroom.ask) },
  };
}

/**
 * The parts of a document that each lock holds. The example's is none: it is about opening another; most instruments
 * change none.
 * @type {Record<'inputs' | 'attn_weights' | 'w_query' | 'w_key' | 'w_value' | 'w_out' | 'switches' | 'example'
 *   | import('./state.js').Panel, (keyof Doc)[]>}
 */
const LOCKED = {
  inputs: ['tokens', 'inputs'], attn_weights: ['given'],
  w_query: ['w_query'], w_key: ['w_key'], w_value: ['w_value'], w_out: ['w_out'],
  switches: ['source', 'scale', 'causal', 'heads', 'project'], example: [],
  bugs: ['fault', 'faultPlace', 'mystery'], training: ['training', 'targets'], chapter: [], shapes: [], flow: [], plane: [],
  routes: [], checks: [], compare: [], masking: [], scores: [], numbers: [], large: [],
};

export const LOCKS = /** @type {Lock[]} */ (Object.keys(LOCKED));

/** A class that sees and may do everything. @type {Classroom} */
export const OPEN_CLASS = { link: null, hide: [], ask: [], asked: [], lock: [], rows: null, weightRows: false };

/** Actions that open other numbers as a whole. */
const OPENS = ['open', 'task'];

/** @param {State} state @param {string} what an instrument, a part or a matrix */
export function isLeftOut({ view: { classroom } }, what) {
  return classroom !== null && classroom.hide.includes(what);
}

/** @param {State} state @param {string} what one of LOCKS; anything else is not locked */
export function isLocked({ view: { classroom } }, what) {
  return classroom !== null && /** @type {string[]} */ (classroom.lock).includes(what);
}

/** Whether the hidden numbers of a matrix may be asked for. @param {State} state @param {string} tensor */
export function canAsk({ view: { classroom } }, tensor) {
  return classroom !== null && /** @type {string[]} */ (classroom.ask).includes(tensor) && !classroom.hide.includes(tensor);
}

/**
 * Why a class may not do this; null if it may. A state that a link brings has its own class; one out of a file is no way
 * round the locks of this.
 * @param {State} before @param {State} after  as the action would make it
 * @param {import('./update.js').Action} action @returns {Message | null}
 */
export function classRefusal(before, after, action) {
  const { classroom } = before.view;
  if (classroom === null) return null;
  if (action.type === 'restore') return action.fromFile && classroom.lock.length > 0 ? { id: 'problem-file-locked' } : null;
  if (action.type === 'panel' && action.open && classroom.hide.includes(action.panel)) {
    return { id: 'problem-hidden', args: { what: action.panel } };
  }
  if (action.type === 'panel') return classroom.lock.includes(action.panel) ? locked(action.panel) : null;
  const opens = OPENS.includes(action.type);
  const broken = classroom.lock.find((lock) => (opens ? lock === 'example'
    : LOCKED[lock].some((part) => differs(before.document, after.document, part))));
  return broken ? locked(broken) : null;
}

/** Whether a lock holds something that another document would change. @param {State} state @param {Doc} other */
export function wouldBreakLock({ document: doc, view: { classroom } }, other) {
  return classroom !== null && classroom.lock.some((lock) => LOCKED[lock].some((part) => differs(doc, other, part)));
}

/** @param {Lock} what @returns {Message} */
const locked = (what) => ({ id: 'problem-locked', args: { what } });

/** Weights that nobody has given yet may be taken from the screen. @param {Doc} before @param {Doc} after @param {keyof Doc} part */
function differs(before, after, part) {
  if (before[part] === after[part] || (part === 'given' && before.given === null)) return false;
  return JSON.stringify(before[part]) !== JSON.stringify(after[part]);
}

/** The class when other numbers are opened: its rules stay, what was revealed begins anew. @param {Classroom | null} classroom */
export function classAnew(classroom) {
  return classroom && { ...classroom, asked: [], rows: classroom.rows === null ? null : 0 };
}

/**
 * A class cut to what a document has.
 * @param {Classroom | null} classroom @param {number} tokens @param {boolean} sameShape @returns {Classroom | null}
 */
export function fitClass(classroom, tokens, sameShape) {
  if (!classroom) return classroom;
  const rows = classroom.rows === null ? null : Math.min(classroom.rows, tokens);
  return { ...classroom, rows, asked: sameShape ? classroom.asked : [] };
}

/**
 * The numbers that a class does not see now, for veil.js.
 * @param {State} state @returns {{ tensor: string, head: number | null, row: number | null, column: number | null }[]}
 */
export function classVeils({ document: doc, view: { classroom } }) {
  if (classroom === null) return [];
  const { hide, ask } = classroom;
  // Outputs would tell the context vectors, from which they come by a matrix that may be the identity.
  const telling = (hide.includes('context_vecs') || ask.includes('context_vecs')) && !ask.includes('outputs') ? ['outputs'] : [];
  const whole = [...hide.filter((what) => /** @type {readonly string[]} */ (MATRICES).includes(what)), ...telling]
    .map((tensor) => ({ tensor, head: null, row: null, column: null }));
  const resulting = ['context_vecs', 'outputs', ...(classroom.weightRows ? ['attn_weights'] : [])];
  const later = classroom.rows === null ? []
    : doc.tokens.flatMap((_, row) => (row < Number(classroom.rows) ? []
      : resulting.map((tensor) => ({ tensor, head: null, row, column: null }))));
  const asked = new Set(classroom.asked.map(({ tensor, indices }) => `${tensor}:${indices.join()}`));
  const waiting = ask.flatMap((tensor) => placesOf(doc, tensor)
    .filter(({ indices }) => !asked.has(`${tensor}:${indices.join()}`))
    .map(({ head, row, column }) => ({ tensor, head, row, column })));
  return [...whole, ...later, ...waiting];
}

/**
 * Every number of a tensor: where it stands, and its indices as those of a cell.
 * @param {Doc} doc @param {Matrix} tensor @returns {{ head: number | null, row: number, column: number, indices: number[] }[]}
 */
function placesOf(doc, tensor) {
  const { nTokens, dIn, dOut, heads, width } = sizesOf(doc);
  const pairs = tensor.startsWith('attn_');
  const weights = tensor.startsWith('w_');
  const rows = tensor === 'w_out' ? dOut : weights ? dIn : nTokens;
  const columns = pairs ? nTokens : weights ? dOut : tensor === 'inputs' ? dIn : width;
  const [headList, before] = pairs ? [range(heads), [0]] : [[null], weights ? [] : [0]];
  return headList.flatMap((head) => range(rows).flatMap((row) => range(columns).map((column) => ({
    head, row, column, indices: [...before, ...(head === null ? [] : [head]), row, column],
  }))));
}

/** @param {number} count */
const range = (count) => Array.from({ length: count }, (_, i) => i);

/**
 * A view in which a number has been asked for.
 * @param {View} view @param {Cell} cell @returns {View}
 */
export function withAsked(view, cell) {
  const { classroom } = view;
  if (!classroom || !/** @type {string[]} */ (classroom.ask).includes(cell.tensor)) return view;
  return { ...view, classroom: { ...classroom, asked: [...classroom.asked, cell] } };
}
