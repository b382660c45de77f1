// Paintings of the instrument for large sequences in every condition, and of what moves with its map, with numbers from
// the module: for scenes.js. Read next: scenes.js, large.test.js.

import { createLargeLayer } from '../../web/app/large-layer.js';
import { FIRST_LARGE, wholeMap } from '../../web/model/large.js';
import { largeAxes, largeClose } from '../../web/view/large-live.js';
import { attention } from './cases.js';
import { frameOf } from './frames.js';

/**
 * @typedef {import('../../web/model/state.js').State} State
 * @typedef {import('../../web/model/update.js').Action} Action
 * @typedef {import('../../web/view/frame.js').LargeRun} LargeRun
 * @typedef {Parameters<typeof frameOf>[1]} Changes
 */

const RUN = { step: 1, share: 0, made: FIRST_LARGE, wrong: {}, bytes: 2 ** 27, limit: 2 ** 30, milliseconds: 12.3, reason: 'it was tired' };

/** @type {[string, Partial<LargeRun>][]} */
const RUNS = [
  .../** @type {const} */ ([1, 2, 3, 4]).map((step) => /** @type {[string, Partial<LargeRun>]} */ ([`at step ${step}`, { status: 'working', step }])),
  ['ready', { status: 'ready' }],
  .../** @type {const} */ (['stopped', 'refused', 'failed', 'no-memory', 'no-worker'])
    .map((status) => /** @type {[string, Partial<LargeRun>]} */ ([status, { status, made: null }])),
  ['wrong entries', { status: 'ready', wrong: { tokens: { text: '2,048', at: 64, high: 16384 }, seed: { text: ' ', at: 123, high: 2 ** 32 - 1 } } }],
];

/** @param {{ toy: State, after: (state: State, ...actions: Action[]) => State }} parts @returns {[string, State, Changes?][]} */
export function largeConditions({ toy, after }) {
  const open = after(toy, { type: 'panel', panel: 'large', open: true });
  const masked = after(open, { type: 'large', change: { causal: true, tokens: 2048, heads: 1, ends: 0, seed: 1 } });
  return [
    ...RUNS.map(([name, run]) => /** @type {[string, State, Changes]} */ ([`large, ${name}`, open,
      { ui: { large: { ...RUN, status: 'ready', ...run } } }])),
    ['large, masked, one head', masked, { ui: { large: { ...RUN, status: 'ready' } } }],
    ['large, too wide', after(open, { type: 'large', change: { tokens: 1, heads: 64, headDim: 256 } }), { ui: { large: { ...RUN, status: 'refused', made: null } } }],
    ['large, few tokens', after(open, { type: 'large', change: { tokens: 3 } }), { ui: { large: { ...RUN, status: 'ready' } } }],
    ['large, not begun', open],
  ];
}

/** What is painted apart. @param {import('../../web/view/frame.js').Frame['t']} t @returns {[string, unknown][]} */
export function largeLive(t) {
  const layer = createLargeLayer(attention);
  /** @param {Partial<import('../../web/model/large.js').Large>} change */
  const close = (change) => {
    const large = { ...FIRST_LARGE, ...change };
    layer.make(large, () => {});
    return largeClose({ asked: large, made: large, found: layer.look(large), run: null, t });
  };
  return [
    ['large map, all of it', largeAxes({ region: wholeMap(64), grain: 1 / 9, shown: true, t })],
    ['large map, a pixel a weight', largeAxes({ region: wholeMap(500), grain: 1, shown: true, t })],
    ['large map, many weights a pixel', largeAxes({ region: { row: 10.5, column: 0, size: 1500 }, grain: 2.5, shown: true, t })],
    ['large map, none', largeAxes({ region: wholeMap(1), grain: 1, shown: false, t })],
    ['large lens, nothing found', largeClose({ asked: FIRST_LARGE, made: FIRST_LARGE, found: null, run: null, t })],
    ['large lens, no map', largeClose({ asked: FIRST_LARGE, made: null, found: null, run: null, t })],
    ['large lens, wrong row', largeClose({ asked: FIRST_LARGE, made: FIRST_LARGE, found: null, t,
      run: { ...RUN, status: 'ready', wrong: { row: { text: '999', at: 0, high: 64 } } } })],
    ['large lens', close({ row: 30, column: 12, head: 2 })],
    ['large lens, masked', close({ causal: true, row: 10, column: 20 })],
    ['large lens, row 1', close({ causal: true })],
    ['large lens, five tokens, a wide head', close({ tokens: 5, heads: 1, headDim: 20, row: 4, column: 4 })],
  ];
}
