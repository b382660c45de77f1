// A trainer without a browser: at a desk that is a session and a runner, with a clock that ticks as it is told. Holds no
// test. Read next: training-page.test.js, ../../web/app/trainer.js.

import assert from 'node:assert/strict';
import { createBatches } from '../../web/app/batches.js';
import { createRunner } from '../../web/app/runner.js';
import { createTrainer } from '../../web/app/trainer.js';
import { begin, commit } from '../../web/model/history.js';
import { derive } from '../../web/model/derive.js';
import { update } from '../../web/model/update.js';
import { attention } from './cases.js';
import { frozen, t } from './frames.js';

/**
 * @typedef {import('../../web/model/state.js').State} State
 * @typedef {import('../../web/model/update.js').Action} Action
 */

/**
 * A trainer at a desk that is a session, a runner and a clock that ticks as it is told.
 * @param {State} first
 * @param {{ still?: boolean, costs?: number, frame?: number }} [how] costs: ms that pass at every look at the clock,
 *   frame: and from frame to frame
 */
export async function desk(first, { still = false, costs = 0, frame = 0 } = {}) {
  const batches = createBatches(attention);
  const runner = createRunner(attention, batches);
  let session = begin(first);
  let derived = derive(first, await runner.run(first));
  let [now, gestures] = [0, 0];
  /** @type {{ then: () => void, when: 'next' | 'later' }[]} */
  const waiting = [];
  /** @type {string[]} */
  const said = [];
  const ui = /** @type {import('../../web/view/frame.js').Ui} */ (/** @type {unknown} */ ({ playing: false, stopped: null }));
  const loop = {
    ui, t,
    state: () => session.state,
    derived: () => derived,
    paint() {},
    newGesture: () => (gestures += 1),
    /** @param {string} _ @param {string} text */
    say: (_, text) => { said.push(text); },
    /** @param {Action} action @param {number} [gesture] */
    async dispatch(action, gesture) {
      const outcome = update(session.state, frozen(action));
      assert.ok('state' in outcome);
      session = commit(session, frozen(outcome.state), outcome.label, gesture);
      derived = derive(session.state, await runner.run(session.state));
      return true;
    },
  };
  const clock = {
    now: () => (now += costs),
    still: () => still,
    next: (/** @type {() => void} */ then) => { waiting.push({ then, when: 'next' }); },
    later: (/** @type {() => void} */ then) => { waiting.push({ then, when: 'later' }); },
  };
  const trainer = createTrainer({ loop, batches, clock });
  return {
    ui, trainer, said, waiting, loop,
    session: () => session,
    /** @param {(session: import('../../web/model/history.js').Session) => typeof session} change */
    go: (change) => { session = change(session); },
    /** Let so many frames pass. @param {number} count */
    async frames(count) {
      for (let i = 0; i < count && waiting.length > 0; i++) {
        now += frame;
        /** @type {{ then: () => void }} */ (waiting.shift()).then();
        for (let turn = 0; turn < 10; turn++) await Promise.resolve();
      }
    },
  };
}
