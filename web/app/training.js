/**
 * What the controls of training do, and when training pauses by itself: in a tab that is hidden. The focus goes to Play
 * when a task has been opened. Next to read: trainer.js, ../view/training.js (the markup).
 */

import { taskStarts } from '../content/tasks.js';
import { USUAL_RATES } from '../model/training.js';
import { cellOfPlace } from './grid-keys.js';
import { createTrainer } from './trainer.js';

/** How long nothing moves where little motion is wanted. */
const STILL_MS = 500;

/**
 * @typedef {import('../model/state.js').Settings} Settings
 * @typedef {import('../model/state.js').Cell} Cell
 */

/**
 * @param {HTMLElement} root
 * @param {import('./loop.js').Loop} loop
 * @param {import('./batches.js').Batches} batches
 * @returns {Record<string, (value: string) => unknown>}
 */
export function training(root, loop, batches) {
  const reduced = matchMedia('(prefers-reduced-motion: reduce)');
  const trainer = createTrainer({ loop, batches, clock: {
    now: () => performance.now(),
    next: (then) => { requestAnimationFrame(then); },
    later: (then) => { setTimeout(then, STILL_MS); },
    still: () => reduced.matches,
  } });
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) trainer.pause('hidden');
  });

  // The gradient that is open is that of the weight in focus, whose place ./grid-keys.js has noted.
  root.addEventListener('focusin', () => {
    const { focus } = loop.ui;
    if (!loop.state().view.gradient || !focus || focus.column < 0 || !focus.grid.startsWith('w_')) return;
    if (!root.querySelector(`#${focus.grid}`)?.contains(document.activeElement)) return;
    void loop.dispatch({ type: 'gradient', cell: cellOfPlace(focus, loop) });
  });

  const focusPlay = () => /** @type {HTMLElement | null} */ (root.querySelector('[data-act="train-play"]'))?.focus();

  /** @param {Partial<Settings>} change */
  const settings = (change) => loop.dispatch({ type: 'settings', change });

  /** A change of the document that leaves no burst running. @param {import('../model/update.js').Action} action */
  function change(action) {
    trainer.pause();
    loop.ui.stopped = null;
    return loop.dispatch(action);
  }

  /** To fit, at first: the numbers that each token brings itself. */
  function fit() {
    const { inputs, w_query } = loop.state().document;
    return change({ type: 'fit', targets: inputs.map((row) => w_query[0].map((_, i) => row[i % row.length])) });
  }

  /** @param {number} heldOut @param {number} index */
  function show(heldOut, index) {
    const task = loop.state().document.training?.task;
    if (!task || task === 'fit') return undefined;
    const which = { heldOut: heldOut === 1, index };
    return loop.dispatch({ type: 'sequence', ...which, inputs: batches.sequence(task, which) });
  }

  return {
    'train-task': async (value) => {
      if (value === 'none') return change({ type: 'no-task' });
      if (value === 'fit') await fit();
      const start = taskStarts.find(({ id }) => id === value);
      if (start) {
        trainer.pause();
        loop.ui.stopped = null;
        await loop.openTask(start);
      }
      focusPlay();
      return undefined;
    },
    'train-play': () => (loop.ui.playing ? trainer.pause() : trainer.play()),
    'train-steps': (value) => trainer.steps(Number(value)),
    'train-start': async () => {
      if (await change({ type: 'to-start' })) loop.say('said', loop.t('said-start'));
    },
    'train-best': async () => {
      if (await change({ type: 'to-best' })) loop.say('said', loop.t('said-best', { step: String(loop.state().document.training?.step) }));
    },
    'train-zero': async () => {
      if (await change({ type: 'zero-start' })) loop.say('said', loop.t('said-zero'));
    },
    'train-seed': (value) => {
      const task = loop.state().document.training?.task;
      const seed = Number(value);
      return task && task !== 'fit' ? change({ type: 'draw', seed, weights: batches.draw(task, seed) }) : undefined;
    },
    'train-sequence': (value) => {
      const [heldOut, index] = value.split(' ').map(Number);
      return show(heldOut, index);
    },
    'train-optimizer': (value) => {
      const optimizer = /** @type {Settings['optimizer']} */ (value);
      return settings({ optimizer, learningRate: USUAL_RATES[optimizer] });
    },
    'train-rate': (value) => {
      loop.ui.stopped = null;
      return settings({ learningRate: Number(value) });
    },
    'train-speed': (value) => settings({ speed: Number(value) }),
    'train-stop-loss': (value) => settings({ stopLoss: Number(value) }),
    'train-stop-steps': (value) => settings({ stopSteps: Number(value) }),
    'train-scales': () => loop.dispatch({ type: 'scales', scales: null }),
    'train-gradient': (value) => {
      if (value === '') return loop.dispatch({ type: 'gradient', cell: null });
      const [tensor, row, column] = value.split(' ');
      return loop.dispatch({ type: 'gradient', cell: { tensor, indices: [Number(row), Number(column)] } });
    },
    'train-compare': async () => {
      await loop.dispatch({ type: 'pin-start' });
      await loop.dispatch({ type: 'panel', panel: 'compare', open: true });
      root.querySelector('#panel-compare')?.scrollIntoView();
      /** @type {HTMLElement | null} */ (root.querySelector('#panel-compare'))?.focus({ preventScroll: true });
    },
  };
}
