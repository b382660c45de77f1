/**
 * Large sequences: what their controls do, when the worker has to compute, and the part of the page that moves with the
 * map: it is painted by itself, so that a frame does not wait for the whole page. The place that is looked at goes into
 * the state when it has come to rest. Next to read: large-desk.js, large-map.js, large-entries.js, ../view/large.js.
 */

import { render } from 'lit-html';
import { fitLarge, topOf, workOf } from '../model/large.js';
import { largeAxes, largeClose } from '../view/large-live.js';
import { weightColours } from './large-colours.js';
import { createDesk } from './large-desk.js';
import { largeEntries } from './large-entries.js';
import { layerOptions } from './large-layer.js';
import { CLOSER, createMap } from './large-map.js';

/**
 * @typedef {import('../model/large.js').Large} Large
 * @typedef {import('../model/large.js').Cell} Cell
 * @typedef {import('../view/frame.js').LargeRun} LargeRun
 */

/** How long a place must be looked at before it goes into the state. */
const REST_MS = 400;
/** What takes less long changes nothing on the page but its result. */
const QUICK_MS = 150;
const STEPS = { drawing: 2, computing: 3, painting: 4 };

/**
 * @param {HTMLElement} root
 * @param {import('./loop.js').Loop} loop
 * @param {import('../engine/attention.js').Attention} attention
 * @param {() => Uint8Array} bytes  of the module, for the worker
 * @returns {Record<string, (value: string) => unknown>}
 */
export function large(root, loop, attention, bytes) {
  const { ui, t } = loop;
  const script = document.getElementById('large-worker')?.textContent ?? '';
  const desk = createDesk({ script, bytes, heard, broken });
  const map = createMap({ pick: look, shown: paintAxes, ask: (picture) => {
    colours ??= weightColours(root);
    const { head } = asked();
    desk.ask({ kind: 'paint', picture: { ...picture, head, top: topOf(asked()), colours } });
  } });
  const dark = matchMedia('(prefers-color-scheme: dark)');

  /** @type {Uint32Array | null} */
  let colours = null;
  /** What the worker has, or is computing; '' while it is to do nothing. */
  let work = '';
  /** What was last asked about the sequence, to notice when something else is looked at. */
  let seen = '';
  /** @type {Cell | null}  looked at, but not yet in the state */
  let restless = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @type {import('./large-layer.js').Found | null} */
  let found = null;
  /** What the map shows; null: nothing. @type {Large | null} */
  let made = null;
  /** What the worker is computing. @type {Large | null} */
  let making = null;
  let step = 1;
  let share = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let quick;

  /** What is asked for, the place that is looked at now included. @returns {Large} */
  const asked = () => fitLarge({ ...loop.state().view.large, ...restless });

  /** @param {Partial<LargeRun>} change */
  function show(change) {
    clearTimeout(quick);
    if (ui.large) ui.large = { ...ui.large, made, ...change };
    loop.paint();
  }

  /** What a layer takes, and may take. @param {Large} large */
  function sizesOf(large) {
    const { bytes: needed, maxBytes: limit } = attention.layerBytes(layerOptions(large));
    return { bytes: needed, limit };
  }

  /** Nothing is computed, and what was is gone. */
  function clear() {
    desk.stop();
    [found, made, making, seen] = [null, null, null, ''];
    map.open(null);
  }

  function begin() {
    making = asked();
    work = workOf(making);
    const sizes = sizesOf(making);
    const before = ui.large?.status;
    ui.large ??= { status: 'working', step, share, milliseconds: 0, reason: '', made, wrong: {}, ...sizes };
    if (sizes.bytes > sizes.limit) {
      clear();
      return show({ status: 'refused', ...sizes });
    }
    [step, share] = [desk.running() ? STEPS.drawing : 1, 0];
    clearTimeout(quick);
    // Until then the sentence is about what is still on the map.
    if (before === 'ready') quick = setTimeout(() => show({ status: 'working', step, share, ...sizes }), QUICK_MS);
    else show({ status: 'working', step, share, ...sizes });
    return desk.make(making);
  }

  /** @param {import('./large-worker.js').Answer} answer */
  function heard(answer) {
    if (answer.kind === 'phase') {
      [step, share] = [STEPS[answer.phase], answer.share];
      return ui.large?.status === 'working' ? show({ step, share }) : undefined;
    }
    if (answer.kind === 'painted') return map.take(answer.pixels, answer.picture);
    if (answer.kind === 'found') {
      found = answer.found;
      paintClose();
      return showInLens();
    }
    if (answer.kind === 'made') {
      if (making && making.tokens !== made?.tokens) map.open(making.tokens);
      [made, making, seen] = [making, null, ''];
      return show({ status: 'ready', milliseconds: answer.milliseconds, ...sizesOf(made ?? asked()) });
    }
    clear();
    return show({ status: answer.code === 'out_of_memory' ? 'no-memory' : 'failed', reason: answer.message });
  }

  /** @param {string} reason */
  function broken(reason) {
    clear();
    show({ status: 'no-worker', reason });
  }

  /** After every painting of the page: is there something to compute, or to be seen otherwise? */
  function follow() {
    const canvas = /** @type {HTMLCanvasElement | null} */ (root.querySelector('#large-map'));
    if (!canvas) {
      // Folded away, it takes no memory and no time.
      if (ui.large) {
        clear();
        clearTimeout(quick);
        work = '';
        ui.large = null;
      }
      return;
    }
    map.attach(canvas);
    if (workOf(asked()) !== work) begin();
    lookThere();
    paintAxes();
    paintClose();
  }

  function paintAxes() {
    const place = /** @type {HTMLElement | null} */ (root.querySelector('#large-axes'));
    if (place) render(largeAxes({ region: map.region(), grain: map.grain(), shown: made !== null, t }), place);
  }

  function paintClose() {
    const place = /** @type {HTMLElement | null} */ (root.querySelector('#large-close'));
    if (!place) return;
    render(largeClose({ asked: asked(), made, found, run: ui.large, t }), place);
  }

  /** Where the lens is too wide for the screen, its middle is its cell; the page does not move. */
  function showInLens() {
    const cell = /** @type {HTMLElement | null} */ (root.querySelector('.large-lens [aria-current=true]'));
    const box = cell?.closest('.scroller');
    if (cell && box) box.scrollLeft = cell.offsetLeft + (cell.offsetWidth - box.clientWidth) / 2;
  }

  /** Look at a cell: at once on the map and in the lens, in the state when it rests. @param {Cell} cell */
  function look(cell) {
    if (!made) return;
    restless = cell;
    clearTimeout(timer);
    timer = setTimeout(rest, REST_MS);
    lookThere();
    paintClose();
  }

  /** What is looked at goes into the state. */
  function rest() {
    if (!restless) return;
    const cell = restless;
    restless = null;
    clearTimeout(timer);
    void change(cell);
  }

  /** Ask for what is not known yet of what is looked at. */
  function lookThere() {
    const { head, row, column, ends } = asked();
    const now = JSON.stringify([head, row, column, ends]);
    if (!made || making || now === seen) return;
    seen = now;
    map.mark({ row, column });
    map.request();
    desk.ask({ kind: 'look', cell: { head, row, column } });
  }

  /** @param {Partial<Large>} change */
  const change = (change) => loop.dispatch({ type: 'large', change });

  const entries = largeEntries({
    root, asked, wrong: () => ui.large?.wrong ?? {}, keep: (wrong) => show({ wrong }),
    take: (entry, value) => (entry === 'row' || entry === 'column'
      ? look({ row: asked().row, column: asked().column, [entry]: value }) : change({ [entry]: value })),
  });

  root.addEventListener('painted', follow);
  root.addEventListener('settle', rest);
  root.addEventListener('click', (event) => {
    const cell = event.target instanceof Element ? event.target.closest('[data-lens]') : null;
    if (!cell) return;
    const [row, column] = (cell.getAttribute('data-lens') ?? '').split(' ').map(Number);
    look({ row, column });
  });
  dark.addEventListener('change', () => {
    colours = null;
    map.request();
  });

  return {
    'large-size': (value) => {
      const [count, heads, headDim] = value.split(' ').map(Number);
      return change({ tokens: count, heads, headDim });
    },
    ...entries,
    'large-causal': (value) => change({ causal: value === 'on' }),
    'large-head': (value) => change({ head: Number(value) }),
    'large-ends': (value) => change({ ends: Number(value) }),
    'large-stop': () => {
      clear();
      show({ status: 'stopped' });
    },
    'large-start': () => begin(),
    'large-move': (value) => {
      const [rows, columns] = value.split(' ').map(Number);
      map.move(rows / 4, columns / 4);
    },
    'large-zoom': (value) => map.zoom(value === 'in' ? CLOSER : 1 / CLOSER),
    'large-whole': () => map.whole(),
  };
}
