/**
 * What a teacher sets up for a class, and what the class does with it: the dialog that makes a class link, rows revealed
 * one by one, numbers asked for, the way back to the class start. While the dialog is open the page shows what the link
 * opens, read back from the link itself; closing it puts back what was there. Next to read: ../io/class-link.js.
 */

import { readyLessons } from '../content/class-lessons.js';
import { classLinkToState, stateToClassLink } from '../io/class-link.js';
import { ask } from '../model/asking.js';
import { OPEN_CLASS } from '../model/classroom.js';
import { MAX_SEED } from '../model/mystery.js';

/**
 * @typedef {import('../model/state.js').State} State
 * @typedef {import('../model/classroom.js').Classroom} Classroom
 * @typedef {'example' | 'state'} Start
 */

/**
 * @param {HTMLElement} root
 * @param {import('./loop.js').Loop} loop
 * @param {import('./dialogs.js').Dialogs} dialogs
 * @param {ReturnType<typeof import('./keeping.js').createKeeping>} keeping
 * @param {import('./starts.js').Starts} starts
 * @returns {Record<string, (value: string) => unknown>}
 */
export function classroom(root, loop, dialogs, keeping, starts) {
  const { t } = loop;
  /** What the dialog sets up: the state as the class is to see it, and how its link starts. @type {{ state: State, start: Start }} */
  let draft = { state: loop.state(), start: 'example' };
  /** Changes of one dialog are one step of undo. */
  let gesture = 0;
  /** @type {'no' | 'shown' | 'kept'} */
  let preview = 'no';
  /** The state that the page shows as a preview. @type {State | null} */
  let previewed = null;
  /** Counts dialogs: what comes late, for one that is closed, is not shown. */
  let opened = 0;

  /** @param {string} url */
  const isLocal = (url) => url.startsWith('file:');

  /** Where the teacher's plans are: beside the page of the site, which bears this name. */
  const plans = () => (/(\/|\/index\.html)$/.test(location.pathname) && !isLocal(location.href) ? 'teachers.html' : null);

  /** The link of the draft, and its dialog; null if the dialog was closed meanwhile. */
  async function linkOfDraft() {
    const mine = opened;
    const start = await starts.opening(draft.state.document.example);
    if (mine !== opened) return null;
    const link = stateToClassLink(draft.state, start, draft.start);
    const [here] = location.href.split('#');
    const url = 'hash' in link ? here + link.hash : null;
    dialogs.show({
      kind: 'class', start: draft.start, url, length: 'hash' in link ? link.hash.length : link.tooLong,
      local: isLocal(location.href), plans: plans(), said: '',
      ready: readyLessons.map(({ example, hash }) => ({ example, url: here + hash })),
    }, closed);
    return link;
  }

  /** Show on the page what the link opens. */
  async function show() {
    const mine = opened;
    const link = await linkOfDraft();
    if (!link || !('hash' in link)) return;
    const read = await classLinkToState(link.hash, starts.known, starts.opening);
    if (mine !== opened) return;
    if ('problem' in read) return loop.say('problem', t(read.problem.id, read.problem.args));
    const before = preview;
    const showing = loop.dispatch({ type: 'restore', state: read.state, label: { id: 'did-class' } }, gesture);
    // At once: the dialog may be closed before its numbers are there.
    const shown = loop.state();
    [preview, previewed] = ['shown', shown];
    if (!await showing && mine === opened && previewed === shown) [preview, previewed] = [before, loop.state()];
  }

  /** Put back what was there; unless something else has come since, which is not the dialog's to undo. */
  function closed() {
    if (preview === 'shown' && loop.state() === previewed) void loop.undo();
    preview = 'no';
    opened += 1;
  }

  /** @param {Partial<State['view']>} view */
  function changeView(view) {
    draft = { ...draft, state: { ...draft.state, view: { ...draft.state.view, ...view } } };
    return show();
  }

  /** @param {Partial<Classroom>} change */
  const changeClass = (change) => changeView({ classroom: { ...classOfDraft(), ...change } });

  /** @param {string} kind of question; '': none @param {number} seed */
  function askClass(kind, seed) {
    const outcome = ask(draft.state, kind === '' ? { type: 'unask' } : { type: 'ask', kind, seed });
    if ('problem' in outcome) return dialogs.say(t(outcome.problem.id, outcome.problem.args));
    draft = { ...draft, state: outcome.state };
    return show();
  }

  const classOfDraft = () => draft.state.view.classroom ?? OPEN_CLASS;

  /** With the word, or without it if it is there. @template {string} T @param {T[]} words @param {T} word */
  const toggled = (words, word) => (words.includes(word) ? words.filter((one) => one !== word) : [...words, word]);

  // A ready lesson opens by its link; where the address has it already, the browser does nothing.
  root.addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest('.ready a') : null;
    if (!(link instanceof HTMLAnchorElement)) return;
    dialogs.close();
    if (link.hash === location.hash) void keeping.openAddress();
  });

  return {
    'class-dialog': async () => {
      draft = { state: loop.state(), start: await isExample(loop.state()) ? 'example' : 'state' };
      gesture = loop.newGesture();
      preview = 'no';
      opened += 1;
      await linkOfDraft();
    },
    'class-start': (value) => {
      draft = { ...draft, start: value === 'state' ? 'state' : 'example' };
      return show();
    },
    'class-row': (value) => changeView({ row: Number(value) - 1 }),
    'class-digits': (value) => changeView({ digits: Number(value) }),
    'class-present': () => changeView({ present: draft.state.view.present === null ? 'figure' : null }),
    'class-shown-rows': (value) => changeClass({ rows: value === 'all' ? null : 0, weightRows: value === 'weights' }),
    'class-question': (kind) => askClass(kind, 1),
    'class-seed': (text) => {
      const { question } = draft.state.view;
      const seed = Number(text);
      if (question && Number.isInteger(seed) && seed >= 0 && seed <= MAX_SEED) return askClass(question.kind, seed);
      return dialogs.say(t('class-seed-unfit', { got: text, limit: MAX_SEED }));
    },
    'class-hide': (value) => changeClass({ hide: toggled(classOfDraft().hide, value) }),
    'class-lock': (value) => changeClass({ lock: toggled(classOfDraft().lock, /** @type {Classroom['lock'][0]} */ (value)) }),
    'class-number': (value) => {
      const [matrix, how] = /** @type {[Classroom['ask'][0], string]} */ (value.split(' '));
      const { hide, ask } = classOfDraft();
      const others = { hide: hide.filter((one) => one !== matrix), ask: ask.filter((one) => one !== matrix) };
      return changeClass({
        hide: how === 'hidden' ? [...others.hide, matrix] : others.hide,
        ask: how === 'asked' ? [...others.ask, matrix] : others.ask,
      });
    },
    'class-stay': async () => {
      if (preview === 'no') await show();
      preview = 'kept';
      dialogs.close();
    },
    'class-leave': async () => {
      preview = 'no';
      dialogs.close();
      await loop.dispatch({ type: 'present', what: null });
      await loop.dispatch({ type: 'classroom', change: null });
    },
    'class-rows': async (value) => {
      const rows = Number(value);
      await loop.dispatch({ type: 'classroom', change: { rows } });
      await loop.dispatch({ type: 'row', row: Math.max(0, rows - 1) });
      loop.say('said', t('present-shown', { rows, count: loop.state().document.tokens.length }));
      // At either end the button that was pressed is gone.
      if (root.ownerDocument.activeElement === root.ownerDocument.body) {
        /** @type {HTMLElement | null} */ (root.querySelector('.class-bar [data-act=class-rows]'))?.focus();
      }
    },
    'class-reset': () => keeping.openClass(loop.state().view.classroom?.link ?? '', 'did-class-start', 'said-class-start'),
  };

  /** Whether a document is that of its example. @param {State} state */
  async function isExample({ document }) {
    return JSON.stringify(document) === JSON.stringify((await starts.opening(document.example)).document);
  }
}
