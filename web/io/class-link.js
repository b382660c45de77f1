/**
 * A class link: what a teacher sets up for a class, as words in an address that one can read and change by hand,
 *   #class&example=causal&row=3&hide=plane,training&lock=inputs&rows=0
 * and back. It starts from an example, or from a whole state packed as in link.js (state=rows1.…). What is unknown, does
 * not fit, contradicts what is hidden or is there twice is named and left out, the rest is applied. Next to read: ../model/classroom.js, link.js.
 */

import { LOCKS, MATRICES, OPEN_CLASS, PARTS, contradictions, matricesOf, withoutContradictions } from '../model/classroom.js';
import { ask } from '../model/asking.js';
import { MAX_SEED } from '../model/mystery.js';
import { KINDS, askableKinds } from '../model/questions.js';
import { attempt, quoted, refuse } from '../model/refusal.js';
import { MAX_PATH, PANELS, VERSION, readState } from '../model/schema.js';
import { sizesOf } from '../model/state.js';
import { MAX_LINK, linkToState, stateToLink } from './link.js';

/**
 * @typedef {import('../model/state.js').State} State
 * @typedef {import('../model/state.js').View} View
 * @typedef {import('../model/classroom.js').Classroom} Classroom
 * @typedef {import('../model/update.js').Message} Message
 * @typedef {import('../model/schema.js').Known} Known
 *
 * @typedef {object} Option
 * @property {(text: string, state: State) => { view: View, refused: Message[] }} read
 * @property {(view: View, opened: View) => string | null} write  '' for a word that stands alone; null: left out
 * @property {boolean} [list]  what is said more than once is added up
 */

const PATTERN = /^#?class(?:&|$)/;

/** Whether an address is a class link at all. @param {string} hash */
export const isClassLink = (hash) => PATTERN.test(hash);

/**
 * Every option but the start, in the order in which they are written. Rows and a question are read first: the last row
 * that is shown is chosen, or the one that is asked about, which the others may change.
 * @type {Record<string, Option>}
 */
export const OPTIONS = {
  question: {
    read(text, state) {
      const [, kind = '', seed = '1'] = /^([a-z-]+)(?::(\d{1,9}))?$/.exec(text) ?? [];
      const outcome = KINDS.includes(kind) && Number(seed) <= MAX_SEED ? ask(state, { type: 'ask', kind, seed: Number(seed) }) : null;
      if (outcome && 'state' in outcome) return { view: outcome.state.view, refused: [] };
      return { view: state.view, refused: [{ id: 'class-question', args: { got: quoted(text), known: askableKinds(state.document).join(', '), limit: MAX_SEED } }] };
    },
    write: ({ question }) => question && `${question.kind}:${question.seed}`,
  },
  row: counted('row', 1, ({ document }) => document.tokens.length),
  head: counted('head', 1, ({ document }) => sizesOf(document).heads),
  digits: counted('digits', 0, () => 7),
  open: {
    ...listed('open', Object.keys(PANELS), (view, panels) => ({ ...view, panels: /** @type {View['panels']} */ (panels) })),
    write: ({ panels }, opened) => (panels.join() === opened.panels.join() ? null : panels.join()),
  },
  step: {
    read(text, { view }) {
      const step = /^\d{1,2}$/.test(text) ? Number(text) : 0;
      if (step < 1 || step > MAX_PATH) return { view, refused: [{ id: 'class-number', args: { option: 'step', low: 1, high: MAX_PATH, got: quoted(text) } }] };
      return { view: { ...view, lesson: { step: step - 1, done: false } }, refused: [] };
    },
    write: ({ lesson }, opened) => (lesson.step === opened.lesson.step ? null : String(lesson.step + 1)),
  },
  hide: ofClass('hide', [...Object.keys(PANELS), ...PARTS, ...MATRICES]),
  ask: ofClass('ask', [...MATRICES]),
  lock: ofClass('lock', LOCKS),
  rows: {
    read(text, { document, view }) {
      const [, count = '', more] = /^(\d{1,3})(:weights)?$/.exec(text) ?? [];
      const limit = document.tokens.length;
      const fits = count !== '' && Number(count) <= limit;
      if (!fits) return { view, refused: [{ id: 'class-rows', args: { limit, got: quoted(text) } }] };
      const row = Number(count) > 0 ? Number(count) - 1 : view.row;
      return { view: { ...inClass(view, { rows: Number(count), weightRows: more !== undefined }), row }, refused: [] };
    },
    write: ({ classroom }) => (classroom && classroom.rows !== null
      ? `${classroom.rows}${classroom.weightRows ? ':weights' : ''}` : null),
  },
  present: {
    read(text, { view }) {
      const shown = ['figure', ...Object.keys(PANELS)];
      const what = text === '' ? 'figure' : text;
      if (!shown.includes(what)) return { view, refused: [unfit('present', text, shown)] };
      return { view: { ...view, present: /** @type {View['present']} */ (what) }, refused: [] };
    },
    write: ({ present }) => (present === 'figure' ? '' : present),
  },
};

/** The options that choose a row, which others may change. */
const FIRST = ['rows', 'question'];

/**
 * @param {State} state   as the class is to see it; what it has asked for or revealed since is left out
 * @param {State} opened  the state that its example opens with
 * @param {'example' | 'state'} how  it starts: from the example as it opens, or from the numbers and view of this state
 * @returns {{ hash: string } | { tooLong: number }}  with "#"; or how many characters it would have
 */
export function stateToClassLink(state, opened, how) {
  const plain = { ...state, view: { ...state.view, classroom: null, present: null, question: null } };
  const packed = how === 'state' ? stateToLink(plain, opened) : null;
  if (packed && 'tooLong' in packed) return packed;
  const first = packed ? `state=${packed.hash.slice(1)}` : `example=${state.document.example}`;
  const start = packed ? plain : opened;
  const view = withoutContradictions(state.document, state.view);
  const from = FIRST.reduce((before, name) => {
    const text = OPTIONS[name].write(view, before);
    return text === null ? before : OPTIONS[name].read(text, { ...start, view: before }).view;
  }, start.view);
  const written = Object.entries(OPTIONS).flatMap(([name, { write }]) => {
    const text = write(view, from);
    return text === null ? [] : [text === '' ? name : `${name}=${text}`];
  });
  const hash = ['#class', first, ...written].join('&');
  return hash.length > MAX_LINK ? { tooLong: hash.length } : { hash };
}

/**
 * The state that a class link opens, and what of the link was left out.
 * @param {string} hash  with or without "#"
 * @param {Known} known
 * @param {import('./link.js').Opening} opening
 * @returns {Promise<{ state: State, refused: Message[] } | { problem: Message }>}  a problem: nothing of it can be opened
 */
export async function classLinkToState(hash, known, opening) {
  const read = attempt(() => partsOf(hash));
  if ('problem' in read) return read;
  const { parts, repeated } = firstOfEach(read.parts);
  const { state, refused } = await startOf(parts, known, opening);
  const options = parts.filter(({ name }) => !STARTS.includes(name));
  const first = FIRST.flatMap((name) => options.filter((one) => one.name === name));
  const { view, refused: more } = [...first, ...options.filter((one) => !first.includes(one))]
    .reduce((last, { name, text }) => {
      const option = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : null;
      if (!option) return { ...last, refused: [...last.refused, unknown(name)] };
      const next = option.read(text, { ...state, view: last.view });
      return { view: next.view, refused: [...last.refused, ...next.refused] };
    }, { view: inClass(state.view, { link: hash.replace(/^#/, '') }), refused: [...repeated, ...refused] });
  const unmet = contradictions(state.document, view).filter(({ option }) => options.some(({ name }) => name === option))
    .map(({ option, word, why }) => unmetBy(state.document, option, word, why));
  const checked = readState({ version: VERSION, document: state.document, view: withoutContradictions(state.document, view) }, known);
  return 'problem' in checked ? checked : { state: checked.state, refused: [...more, ...unmet] };
}

/**
 * Of each option, and of the starts, the first holds; lists are added up.
 * @typedef {{ name: string, text: string }} Part
 * @param {Part[]} parts @returns {{ parts: Part[], repeated: Message[] }}
 */
function firstOfEach(parts) {
  const kind = (/** @type {Part} */ { name }) => (STARTS.includes(name) ? STARTS[0] : name);
  const alike = (/** @type {Part} */ part) => parts.filter((other) => kind(other) === kind(part));
  const isList = (/** @type {Part} */ { name }) => Object.hasOwn(OPTIONS, name) && OPTIONS[name].list === true;
  const whole = (/** @type {Part} */ { name, text }) => quoted(text === '' ? name : `${name}=${text}`);
  const later = parts.filter((part) => alike(part)[0] !== part);
  return {
    parts: parts.filter((part) => !later.includes(part))
      .map((part) => (isList(part) ? { ...part, text: alike(part).map(({ text }) => text).join() } : part)),
    repeated: later.filter((part) => !isList(part))
      .map((part) => ({ id: 'class-twice', args: { got: whole(part), first: whole(alike(part)[0]) } })),
  };
}

/** What a link may start from. */
const STARTS = ['example', 'state'];

/** @param {string} hash @returns {{ parts: { name: string, text: string }[] }} */
function partsOf(hash) {
  if (hash.length > MAX_LINK) refuse({ id: 'class-long', args: { limit: MAX_LINK, got: hash.length } });
  const parts = hash.replace(PATTERN, '').split('&').filter((part) => part !== '').map((part) => {
    const [name, ...rest] = part.split('=');
    return { name: decoded(name), text: decoded(rest.join('=')) };
  });
  return { parts };
}

/** Mail and chat may write a comma as %2C; what is no such writing stays as it is. @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Where the class begins; in place of a start that cannot be opened, the first example.
 * @param {{ name: string, text: string }[]} parts @param {Known} known @param {import('./link.js').Opening} opening
 * @returns {Promise<{ state: State, refused: Message[] }>}
 */
async function startOf(parts, known, opening) {
  const start = parts.find(({ name }) => STARTS.includes(name));
  const first = known.examples[0];
  if (!start) return { state: await opening(first), refused: [] };
  if (start.name === 'example') {
    if (known.examples.includes(start.text)) return { state: await opening(start.text), refused: [] };
    return { state: await opening(first), refused: [unfit('example', start.text, known.examples)] };
  }
  const read = await linkToState(start.text, known, opening);
  if ('state' in read) return { state: read.state, refused: [] };
  return { state: await opening(first), refused: [{ id: 'class-state' }, read.problem] };
}

/** @param {View} view @param {Partial<Classroom>} change @returns {View} */
function inClass(view, change) {
  return { ...view, classroom: { ...(view.classroom ?? OPEN_CLASS), ...change } };
}

/**
 * A number of the view; in the link it counts from `low`.
 * @param {'row' | 'head' | 'digits'} name @param {number} low @param {(state: State) => number} count @returns {Option}
 */
function counted(name, low, count) {
  return {
    read(text, state) {
      const high = low + count(state) - 1;
      const number = /^\d{1,4}$/.test(text) ? Number(text) : -1;
      if (number < low || number > high) {
        return { view: state.view, refused: [{ id: 'class-number', args: { option: name, low, high, got: quoted(text) } }] };
      }
      return { view: { ...state.view, [name]: number - low }, refused: [] };
    },
    write: (view, opened) => (view[name] === opened[name] ? null : String(view[name] + low)),
  };
}

/**
 * A list of words, of which those that are not known are named and left out.
 * @param {string} name @param {string[]} all @param {(view: View, words: string[]) => View} take
 * @returns {Pick<Option, 'read' | 'list'>}
 */
function listed(name, all, take) {
  return {
    list: true,
    read(text, { view }) {
      const said = text.split(',').filter((word) => word !== '');
      const words = [...new Set(said)];
      const again = [...new Set(said.filter((word, i) => said.indexOf(word) !== i))];
      const refused = [...words.filter((word) => !all.includes(word)).map((word) => unfit(name, word, all)),
        ...again.map((word) => ({ id: 'class-again', args: { option: name, got: quoted(word) } }))];
      return { view: take(view, words.filter((word) => all.includes(word))), refused };
    },
  };
}

/** A list of the classroom. @param {'hide' | 'ask' | 'lock'} name @param {string[]} all @returns {Option} */
function ofClass(name, all) {
  return {
    ...listed(name, all, (view, words) => inClass(view, { [name]: words })),
    write: ({ classroom }) => (classroom && classroom[name].length > 0 ? classroom[name].join() : null),
  };
}

/** @param {string} name @returns {Message} */
const unknown = (name) => ({ id: 'class-unknown', args: { got: quoted(name), known: [...STARTS, ...Object.keys(OPTIONS)].join(', ') } });

/** @param {State['document']} doc @param {string} option @param {string} word @param {'absent' | 'hidden'} why @returns {Message} */
function unmetBy(doc, option, word, why) {
  if (why === 'hidden') return { id: 'class-hides', args: { option, got: quoted(word) } };
  return { id: 'class-absent', args: { option, got: quoted(word), known: matricesOf(doc).join(', ') } };
}

/** @param {string} option @param {string} got @param {string[]} all @returns {Message} */
const unfit = (option, got, all) => ({ id: 'class-word', args: { option, got: quoted(got), known: all.join(', ') } });
