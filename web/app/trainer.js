/**
 * Who takes the steps: play and pause, single steps, limits. One burst, from play to pause or from one press of a step
 * button, is one step of undo. Never takes longer than a frame's budget, and at least one step. Time comes from the
 * clock that it is given. Next to read: batches.js (the steps themselves), training.js (the buttons).
 */

import { obstacleOf } from '../model/training.js';
import { short } from '../view/loss-curve.js';

/**
 * @typedef {import('./loop.js').Loop} Loop
 * @typedef {import('../model/state.js').State} State
 * @typedef {import('../view/frame.js').Stop['why']} Why
 *
 * @typedef {object} Clock
 * @property {() => number} now  ms
 * @property {(then: () => void) => void} next  call at the next frame
 * @property {(then: () => void) => void} later  call in about half a second
 * @property {() => boolean} still  whether little is to move on the screen
 *
 * @typedef {Pick<Loop, 'ui' | 'state' | 'dispatch' | 'paint' | 'say' | 't' | 'derived' | 'newGesture'>} Desk  of the loop
 */

/** What steps may take of one frame, in ms; and where the page moves twice a second only. */
const BUDGET_MS = 8;
const STILL_BUDGET_MS = 60;

/** A frame of a screen that keeps up, in ms; after a longer one come the steps of those that were missed, up to so many. */
const FRAME_MS = 1000 / 60;
const MOST_MISSED = 8;

/** How many frames' steps are taken together where the page moves twice a second only. */
const FRAMES_TOGETHER = 30;

/** Steps that are asked for by their number are taken. */
const NO_LIMITS = { stopLoss: -Infinity, stopSteps: Infinity };

/** How far colours reach beyond the numbers at the start, so that there is room to learn. */
const ROOM = { figure: 1, weight: 6, score: 6 };

/** @param {{ loop: Desk, batches: Pick<import('./batches.js').Batches, 'burst'>, clock: Clock }} parts */
export function createTrainer({ loop, batches, clock }) {
  const { ui } = loop;
  /** @type {{ gesture: number, steps: number, step: number, w_query: unknown, time: number } | null} */
  let run = null;

  /** @param {State} state */
  const canTrain = ({ document, view }) => view.panels.includes('training') && obstacleOf(document) === null;

  /** Keep the colours' limits from now on. */
  async function pinScales() {
    if (loop.state().view.scales) return;
    const { figureLimit, weightLimit, scoreLimit } = loop.derived();
    await loop.dispatch({
      type: 'scales',
      scales: { figure: figureLimit * ROOM.figure, weight: weightLimit * ROOM.weight, score: scoreLimit * ROOM.score },
    });
  }

  /**
   * Take some steps and show what they made. Resolves to whether that could be shown, and whether training may go on.
   * @param {number} count @param {number} budget in ms @param {number} gesture @param {number} before  steps of this run
   * @param {{ stopLoss: number, stopSteps: number }} limits
   */
  async function burst(count, budget, gesture, before, { stopLoss, stopSteps }) {
    const { document, view: { settings } } = loop.state();
    const { learningRate: rate } = settings;
    const start = clock.now();
    /** @type {Why | null} */
    let stop = null;
    let last = loop.derived().computed.lesson?.loss ?? Infinity;
    const { failed, ...outcome } = batches.burst(document, settings, (steps, loss) => {
      if (last >= stopLoss && loss < stopLoss) stop = 'loss';
      else if (before + steps >= stopSteps) stop = 'steps';
      last = loss;
      return stop === null && steps < count && clock.now() - start < budget;
    });
    const taken = before + outcome.steps;
    // A gradient that steps have made too large is divergence: a smaller rate would not have led there.
    if (failed) stop = failed === 'gradient' && taken === 0 ? 'gradient' : 'diverged';
    // The reason is painted with the last good state, not after it.
    ui.stopped = stop && { why: stop, rate, steps: taken };
    if (stop) ui.playing = false;
    const shown = outcome.steps > 0 ? await loop.dispatch({ type: 'trained', ...outcome }, gesture) : true;
    if (outcome.steps === 0) loop.paint();
    return { steps: outcome.steps, shown, goesOn: shown && stop === null };
  }

  /** What a screen reader hears once training rests. */
  function tell() {
    const { training } = loop.state().document;
    if (!training) return;
    const loss = loop.derived().computed.lesson?.loss;
    const args = { step: String(training.step), loss: loss === null || loss === undefined ? '–' : short(loss) };
    const { stopped } = ui;
    loop.say('said', stopped ? loop.t(`stopped-${stopped.why}`, { ...args, rate: String(stopped.rate) }) : loop.t('said-paused', args));
  }

  /** @param {Why | null} why @param {boolean} [shown]  false: the page has said why the last steps cannot be shown */
  function rest(why, shown = true) {
    const steps = run?.steps ?? 0;
    run = null;
    ui.playing = false;
    if (why) ui.stopped = { why, rate: loop.state().view.settings.learningRate, steps };
    if (shown) tell();
    else loop.paint();
  }

  /** Whether the weights are still those that this run came to. @param {NonNullable<typeof run>} mine */
  function isOurs(mine) {
    const { w_query, training } = loop.state().document;
    return training !== null && training.step === mine.step && w_query === mine.w_query;
  }

  /** @param {NonNullable<typeof run>} mine */
  async function frame(mine) {
    if (run !== mine) return;
    if (!canTrain(loop.state())) return rest(null);
    if (!isOurs(mine)) return rest('changed');
    const still = clock.still();
    const { settings } = loop.state().view;
    const began = clock.now();
    const passed = Math.min(Math.max(Math.round((began - mine.time) / FRAME_MS), 1), MOST_MISSED);
    const { steps, shown, goesOn } = await burst(settings.speed * (still ? FRAMES_TOGETHER : passed),
      still ? STILL_BUDGET_MS : BUDGET_MS, mine.gesture, mine.steps, settings);
    if (run !== mine) return;
    if (!goesOn) return rest(null, shown);
    mine.steps += steps;
    mine.time = began;
    remember(mine);
    (still ? clock.later : clock.next)(() => void frame(mine));
  }

  /** @param {NonNullable<typeof run>} mine */
  function remember(mine) {
    const { w_query, training } = loop.state().document;
    Object.assign(mine, { w_query, step: training?.step ?? 0 });
  }

  return {
    async play() {
      if (run || !canTrain(loop.state())) return;
      const mine = { gesture: loop.newGesture(), steps: 0, step: 0, w_query: /** @type {unknown} */ (null), time: Infinity };
      run = mine;
      ui.playing = true;
      ui.stopped = null;
      await pinScales();
      remember(mine);
      loop.paint();
      await frame(mine);
    },

    /** @param {Why | null} [why] if nobody asked for it */
    pause(why = null) {
      if (run) rest(why);
    },

    /** So many steps at once, a few only; where Play would pause does not matter. @param {number} count */
    async steps(count) {
      if (!canTrain(loop.state())) return;
      run = null;
      ui.playing = false;
      await pinScales();
      const { shown } = await burst(count, Infinity, loop.newGesture(), 0, NO_LIMITS);
      rest(null, shown);
    },
  };
}
