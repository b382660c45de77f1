/**
 * The loop: an action changes the state, the runner computes its tensors, the frame is painted. A change whose numbers
 * cannot be computed is not made: the last good state stays, and a sentence says why. A newer change makes an older
 * answer void. Next to read: ../model/update.js, runner.js, ../view/page.js.
 */

import { render } from 'lit-html';
import { AttnError } from '../engine/attention.js';
import { chapters } from '../content/chapters.js';
import { begin, commit, gestureOf, redo, undo } from '../model/history.js';
import { FIRST_SEED, taskStarts } from '../content/tasks.js';
import { derive, shownOf } from '../model/derive.js';
import { noted } from '../model/lesson.js';
import { candidates } from '../model/mystery.js';
import { stateOfExample } from '../model/state.js';
import { update } from '../model/update.js';
import { page } from '../view/page.js';

/**
 * @typedef {import('../model/update.js').Action} Action
 * @typedef {import('../model/history.js').Session} Session
 * @typedef {import('../view/frame.js').Ui} Ui
 * @typedef {import('../view/frame.js').Frame} Frame
 * @typedef {import('../content/examples.js').Example} Example
 * @typedef {ReturnType<typeof import('./runner.js').createRunner>} Runner
 * @typedef {ReturnType<typeof import('./checks.js').createChecks>} Checks
 * @typedef {import('./batches.js').Batches} Batches
 * @typedef {ReturnType<typeof import('./messages.js').messages>} Translate
 */

/** How long a frame of the screen is. */
const FRAME_MS = 1000 / 60;

/**
 * Open the first example and paint.
 * @param {{ root: HTMLElement, runner: Runner, checks: Checks, batches: Batches, t: Translate, examples: Example[],
 *   content: import('../view/frame.js').Content }} parts
 */
export async function startLoop({ root, runner, checks, batches, t, examples, content }) {
  /** @type {Ui} */
  const ui = { cursors: {}, focus: null, editing: null, notice: null, held: null, dialog: null, canUndo: false, canRedo: false, checks: null,
    playing: false, stopped: null, floor: null, large: null, settings: false, blank: false, shortcuts: true };
  const first = examples[0];

  /** What is on the screen, and what has been asked for since. */
  let shown = begin(stateOfExample(first, await runner.draw(first)));
  let wanted = shown;
  let computed = await runner.run(shown.state);
  let seen = shownOf(shown.state, computed);
  let derived = derive(shown.state, seen);
  let gestures = 0;
  /** That a step is done, if nothing was changed since this was said. @type {import('../view/frame.js').Notice | null} */
  let justDone = null;
  /** The state in which it was said what undo would put away. @type {import('../model/state.js').State | null} */
  let warned = null;
  /** @type {() => void} */
  let follower = () => {};
  const listed = [...examples, ...taskStarts.map(({ id }) => ({ id, chapter: null }))];
  /** @type {'no' | 'now' | 'again'} */
  let painting = 'no';
  /** The frame that is wholly on the screen. @type {Frame | undefined} */
  let whole;
  paint();

  /** Paint. What asks for it while the page is changing, as a focus that goes with its element does, gets it once, after. */
  function paint() {
    paintParts(false);
  }

  /**
   * Paint what an edit shows in first, and the rest one frame of the screen later: the first comes sooner so. A page
   * that is hidden has no frames.
   */
  function paintEdit() {
    paintParts(!document.hidden);
    requestAnimationFrame(() => setTimeout(() => {
      if (whole?.state !== shown.state) paint();
    }, FRAME_MS));
  }

  /** @param {boolean} restWaits */
  function paintParts(restWaits) {
    if (painting !== 'no') {
      painting = 'again';
      return;
    }
    painting = 'now';
    try {
      paintNow(restWaits);
    } finally {
      if (/** @type {string} */ (painting) === 'again') queueMicrotask(paint);
      painting = 'no';
    }
    root.dispatchEvent(new Event('painted'));
  }

  /** @param {boolean} restWaits */
  function paintNow(restWaits) {
    ui.canUndo = shown.past.length > 0;
    ui.canRedo = shown.future.length > 0;
    ui.checks = checks.follow(shown.state, paint);
    ui.floor = batches.floor(shown.state, paint);
    seen = shownOf(shown.state, computed);
    derived = derive(shown.state, seen);
    const frame = { state: shown.state, tensors: seen.tensors, derived, ui, examples: listed, chapters, content, t };
    if (!restWaits) whole = frame;
    render(page(frame, whole), root);
  }

  /**
   * Go to a session: compute, then show. Resolves to whether it is what is now shown.
   * @param {Session} next @param {() => void} [show] @returns {Promise<boolean>}
   */
  async function go(next, show = paint) {
    wanted = next;
    try {
      const answer = await runner.run(next.state);
      if (wanted !== next) return false;
      computed = answer;
      shown = next;
      show();
      follower();
      return true;
    } catch (error) {
      if (wanted !== next) return false;
      wanted = shown;
      say('problem', inWords(t, error));
      return false;
    }
  }

  /** @param {import('../view/frame.js').Notice['kind']} kind @param {string} text */
  function say(kind, text) {
    // What a control says of its own stands before "done", not in its place.
    const done = kind === 'said' && justDone && ui.notice === justDone ? ` ${justDone.text}` : '';
    ui.notice = { kind, text: text + done };
    paint();
  }

  /** @param {import('../model/update.js').Message} label */
  function what({ id, args }) {
    const { matrix } = args ?? {};
    return t(id, matrix ? { matrix: t(`name-${matrix}`) } : args);
  }

  /** @param {(session: Session) => Session} step @param {Session['past'][0] | undefined} taken @param {string} message */
  async function travel(step, taken, message) {
    if (!taken) return;
    // Predictions are no step of undo: one key, pressed by habit, must not put away those of a whole class.
    if (wanted.state.view.question?.predictions.length && warned !== wanted.state) {
      warned = wanted.state;
      return say('problem', t('problem-undo-predicted'));
    }
    ui.editing = null;
    ui.notice = null;
    ui.stopped = null;
    // In a presentation nothing else on the screen tells that a key was pressed.
    const kind = wanted.state.view.present === null ? 'said' : 'hint';
    if (await go(step(wanted))) say(kind, t(message, { what: what(taken.label) }));
  }

  return {
    ui,
    paint,
    say,
    t,
    state: () => wanted.state,
    /** What is shown of the tensors: veiled numbers are not in it. */
    tensors: () => seen.tensors,
    derived: () => derived,
    /** Call after every change that is shown. @param {() => void} then */
    follow(then) {
      follower = then;
    },
    /** Take a whole state. @param {import('../model/state.js').State} state @param {import('../model/update.js').Message} label */
    restore(state, label) {
      ui.cursors = {};
      ui.focus = null;
      ui.editing = null;
      return this.dispatch({ type: 'restore', state, label });
    },
    /** A number that marks changes as one step of undo, see dispatch. */
    newGesture: () => (gestures += 1),

    /**
     * @param {Action} action
     * @param {number} [gesture]  changes with the same number become one step of undo, as do those of one cell
     * @returns {Promise<boolean>} whether it was done
     */
    async dispatch(action, gesture) {
      const outcome = update(wanted.state, action);
      if ('problem' in outcome) {
        say('problem', t(outcome.problem.id, outcome.problem.args));
        return false;
      }
      // The cell of an edit gets the focus back, and its arithmetic is open already. Whoever does anything else may have
      // changed what is not in the state, and counts on its being painted.
      if (action.type === 'inspect' && outcome.state === wanted.state) return true;
      // What was said of the state before is not said of the next one. "Done" stays, for the focus that moves on after an
      // edit would silence it.
      if (outcome.label || (ui.notice?.kind === 'said' && ui.notice !== justDone)) ui.notice = null;
      justDone = null;
      if (outcome.label && action.type !== 'trained') ui.stopped = null;
      const state = noted(wanted.state, outcome.state, chapters);
      // A step may also be done already when one comes to it.
      const doneNow = state.view.lesson.done && state.view.lesson !== wanted.state.view.lesson && action.type !== 'restore';
      const next = commit(wanted, state, outcome.label, gesture ?? gestureOf(action), action.type === 'restore');
      // A question that is open hides numbers all over the page.
      const made = await go(next, action.type === 'edit' && !state.view.question ? paintEdit : paint);
      // Of a state that is left already, nothing is said.
      if (made && doneNow && wanted.state === state && (!ui.notice || ui.notice.kind === 'said')) {
        say('said', t('said-done'));
        justDone = ui.notice;
      }
      return made;
    },

    /** Plant the bug that a seed chooses, of those that show here. @param {number} seed */
    async mystery(seed) {
      const { document } = wanted.state;
      const chosen = await runner.firstThatShows(document, (faults) => candidates(faults, seed, document.tokens.length));
      if (!chosen) return say('problem', t('problem-no-bug'));
      if (await this.dispatch({ type: 'fault', ...chosen, mystery: seed })) say('said', t('said-mystery', { seed }));
    },

    /** The instruments that are open stay open. @param {string} id of an example */
    async open(id) {
      const start = taskStarts.find((candidate) => candidate.id === id);
      if (start) return void await this.openTask(start);
      const example = examples.find((candidate) => candidate.id === id);
      if (!example) throw new Error(`no example "${id}"`);
      const again = id === wanted.state.document.example;
      ui.cursors = {};
      ui.focus = null;
      const drawn = await runner.draw(example);
      if (!await this.dispatch({ type: 'open', example, drawn })) return;
      const name = t(`example-${id}`);
      say('said', again ? t('said-reset', { name }) : t('said-open', { name }));
    },

    /** Open the data of a task, masked as the page is, with weights drawn. @param {import('../content/tasks.js').TaskStart} start */
    async openTask(start) {
      ui.cursors = {};
      ui.focus = null;
      const { causal } = wanted.state.document;
      const done = await this.dispatch({
        type: 'task', start, causal, seed: FIRST_SEED, inputs: batches.sequence(start.id, { heldOut: false, index: 0 }),
        weights: batches.draw(start.id, FIRST_SEED),
      });
      if (done) say('said', t('said-open', { name: t(`example-${start.id}`) }));
      return done;
    },

    /** Meet the chapter before. @param {'identity' | 'one-head'} how */
    async bridge(how) {
      const before = await runner.before(wanted.state.document.example);
      return before !== null && this.dispatch({ type: 'bridge', before, how });
    },

    /** Where given weights start: as they are on the screen. @param {import('../model/state.js').Source} source */
    source(source) {
      const { shape, data } = computed.tensors.attn_weights;
      const n = shape[3];
      const weights = Array.from({ length: n }, (_, i) => Array.from(data.subarray(i * n, (i + 1) * n)));
      return this.dispatch({ type: 'source', source, weights });
    },

    /** @param {number} row of the given weights */
    async normalise(row) {
      try {
        const values = await runner.normalisedRow(wanted.state.document, row);
        return await this.dispatch({ type: 'edit-row', matrix: 'given', row, values });
      } catch (error) {
        say('problem', inWords(t, error));
        return false;
      }
    },

    undo: () => travel(undo, wanted.past[wanted.past.length - 1], 'said-undo'),
    redo: () => travel(redo, wanted.future[0], 'said-redo'),
  };
}

/** @typedef {Awaited<ReturnType<typeof startLoop>>} Loop */

/**
 * An error of the engine in the words of the page, whose rows count from 1; anything else is a fault of ours and goes on.
 * @param {Translate} t @param {unknown} error
 */
function inWords(t, error) {
  if (!(error instanceof AttnError)) throw error;
  if (error.code === 'tensor_not_finite') {
    const { tensor, indices } = /** @type {{ tensor: string, indices: number[] }} */ (error.context);
    const [row, column] = tensor === 'attn_row_sums' ? [indices[2], -1] : indices.slice(-2);
    return t('problem-not-finite', { tensor, row: row + 1, column: column + 1 });
  }
  if (error.code === 'row_sum_is_zero') return t('problem-zero-sum', { row: Number(error.context.row) + 1 });
  return t('problem-engine', { message: error.message.charAt(0).toUpperCase() + error.message.slice(1) });
}
