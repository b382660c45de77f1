// What the plane, the shapes and the flow diagram are drawn from: places and hulls, products and their sizes, stations
// and arrows; and that the changes of one gesture are one step of undo. How they look and behave is for the browser
// tests. Read next: ../browser/pictures.test.js.

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { begin, commit, redo, undo } from '../../web/model/history.js';
import { FIRST_VIEW } from '../../web/model/state.js';
import { look } from '../../web/model/look.js';
import { flowMap } from '../../web/view/flow-map.js';
import {
  PLOT, endsOf, hullOf, keptEnds, labelPlaces, numbersAt, outside, placeOf, spoke, ticksOf,
} from '../../web/view/plane-geometry.js';
import { productsOf, withRows } from '../../web/view/shapes.js';
import { opening } from './frames.js';

/** @typedef {import('../../web/view/plane-geometry.js').Pair} Pair */
/** @typedef {import('../../web/view/plane-geometry.js').Ends} Ends */

const RUNS = { seed: 20260102, numRuns: 200 };
const number = fc.float({ noNaN: true, noDefaultInfinity: true });
const small = fc.integer({ min: -9, max: 9 });
const point = /** @type {fc.Arbitrary<Pair>} */ (fc.tuple(small, small));

test('the ends of an axis are round, hold 0 and every number, and leave room', () => {
  assert.deepEqual(endsOf([1, 2, 3, 4, 5, 6]), [-1, 7]);
  assert.deepEqual(endsOf([0.05, 0.87]), [-0.2, 1]);
  assert.deepEqual(endsOf([0, 0]), [-1, 1]);
  fc.assert(fc.property(fc.array(number, { minLength: 1 }), (numbers) => {
    const [low, high] = endsOf(numbers);
    assert.ok(low < high && low <= 0 && high >= 0);
    for (const one of numbers) assert.ok(low <= one && one <= high, `${one} is not between ${low} and ${high}`);
    const ticks = ticksOf([low, high]);
    assert.ok(ticks.includes(0) && ticks.length >= 3 && ticks.length <= 14, `${ticks.length} ticks`);
  }), RUNS);
});

test('held ends stay while every number is within them', () => {
  assert.deepEqual(keptEnds([-2, 8], [0, 7.9]), [-2, 8]);
  assert.deepEqual(keptEnds([-2, 8], [0, 20]), endsOf([0, 20]));
  assert.deepEqual(keptEnds(undefined, [1]), endsOf([1]));
});

test('a place gives back its numbers, and one beyond the plot the nearest that are shown', () => {
  /** @type {Ends} */
  const ends = [[-2, 8], [0, 1]];
  const [x, y] = numbersAt(ends, placeOf(ends, [3, 0.25]));
  assert.ok(Math.abs(x - 3) < 1e-9 && Math.abs(y - 0.25) < 1e-9);
  assert.deepEqual(numbersAt(ends, [-100, 1e4]), [-2, 0]);
  assert.deepEqual(placeOf(ends, [8, 1]), [PLOT.right, PLOT.top]);
});

test('the hull of points holds them all, and its corners are among them', () => {
  assert.deepEqual(hullOf([[0, 0], [2, 0], [1, 1], [2, 2], [0, 2]]), [[0, 0], [2, 0], [2, 2], [0, 2]]);
  assert.deepEqual(hullOf([[1, 2], [3, 4], [5, 6]]), [[1, 2], [5, 6]]);
  fc.assert(fc.property(fc.array(point, { minLength: 1, maxLength: 12 }), (points) => {
    const hull = hullOf(points);
    assert.ok(hull.length > 0);
    for (const corner of hull) assert.ok(points.some(([x, y]) => x === corner[0] && y === corner[1]));
    for (const one of points) assert.ok(outside(hull, one) < 1e-9, `${one} is outside`);
  }), RUNS);
});

test('how far a point lies outside of a hull', () => {
  /** @type {Pair[]} */
  const square = hullOf([[0, 0], [2, 0], [2, 2], [0, 2]]);
  assert.equal(outside(square, [1, 1]), 0);
  assert.equal(outside(square, [5, 1]), 3);
  assert.equal(outside(hullOf([[0, 0], [4, 0]]), [2, 1]), 1);
  assert.equal(outside(hullOf([[1, 1]]), [1, 3]), 2);
});

test('a spoke is as thick as asked, whatever its direction, and none where it has no length', () => {
  assert.deepEqual(spoke([0, 0], [0, 10], 4), [[2, 0], [2, 10], [-2, 10], [-2, 0]]);
  assert.deepEqual(spoke([3, 3], [3, 3], 4), [[3, 3], [3, 3], [3, 3], [3, 3]]);
});

test('labels stand beside their points, clear of each other and of points, or not at all', () => {
  const [one, two] = labelPlaces([{ at: [100, 100], text: 'one' }, { at: [100, 100], text: 'two' }], []);
  assert.equal(one?.anchor, 'start');
  assert.equal(two?.anchor, 'end');
  const crowd = Array.from({ length: 9 }, () => ({ at: /** @type {Pair} */ ([150, 100]), text: 'token' }));
  assert.equal(labelPlaces(crowd, []).filter((place) => place !== null).length, 4);
  const near = labelPlaces([{ at: [150, 100], text: 'left' }, { at: [156, 104], text: 'right' }], []);
  assert.deepEqual(near.map((place) => place?.anchor), ['end', 'start']);
});

const multiHead = /** @type {const} */ ({
  source: 'trained', project: true, nTokens: 6, dIn: 3, width: 4, heads: 2, headDim: 2,
});

/** "inputs (6×3) w_query (3×4) = queries (6×4)". @param {import('../../web/view/shapes.js').Product} product */
function written({ left, right, result }) {
  const [a, b, c] = [left, right, result].map((one) => (one ? `${one.name} (${one.size.join('×')})` : ''));
  return `${a} ${b ? `${b} ` : ''}= ${c}`;
}

test('the products of two heads, all at once', () => {
  assert.deepEqual(productsOf(multiHead, true).map(written), [
    'inputs (6×3) w_query (3×4) = queries (6×4)',
    'inputs (6×3) w_key (3×4) = keys (6×4)',
    'inputs (6×3) w_value (3×4) = values (6×4)',
    'queries, keys, values (6×4) = each by head (2×6×2)',
    'queries (2×6×2) keys.T (2×2×6) = attn_scores (2×6×6)',
    'attn_scores (2×6×6) = attn_weights (2×6×6)',
    'attn_weights (2×6×6) values (2×6×2) = context rows (2×6×2)',
    'context rows (2×6×2) = context_vecs (6×4)',
    'context_vecs (6×4) w_out (4×4) = outputs (6×4)',
  ]);
});

test('the products of one of two heads, and of weights that are given or come from the inputs', () => {
  const oneHead = productsOf(multiHead, false).map(written);
  assert.ok(oneHead.includes('inputs (6×3) w_query (3×2) = queries (6×2)'));
  assert.ok(oneHead.includes('queries (6×2) keys.T (2×6) = attn_scores (6×6)'));
  const simple = { ...multiHead, project: false, width: 3, heads: 1, headDim: 3 };
  assert.deepEqual(productsOf({ ...simple, source: 'inputs' }, false).map(written), [
    'inputs (6×3) inputs.T (3×6) = attn_scores (6×6)', 'attn_scores (6×6) = attn_weights (6×6)',
    'attn_weights (6×6) inputs (6×3) = context_vecs (6×3)',
  ]);
  assert.deepEqual(productsOf({ ...simple, source: 'given' }, true).map(written), [
    'attn_weights (6×6) inputs (6×3) = context_vecs (6×3)',
  ]);
});

test('inner sizes are equal, until a matrix is given other rows: then all that follow have no value', () => {
  const fits = productsOf(multiHead, true);
  for (const { left, right } of fits) {
    if (right) assert.equal(left.size[left.size.length - 1], right.size[right.size.length - 2]);
  }
  assert.ok(withRows(fits, 'queries', 3).every(({ state }) => state === 'fits'));
  const changed = withRows(fits, 'queries', 4);
  assert.deepEqual(changed[0].right?.size, [4, 4]);
  assert.deepEqual(changed.map(({ state }) => state), [
    'misfit', 'fits', 'fits', 'waits', 'waits', 'waits', 'waits', 'waits', 'waits',
  ]);
});

/** "queries > scores" for every arrow. @param {import('../../web/view/flow-map.js').Placed[]} stations */
const arrows = (stations) => stations.flatMap(({ id, from }) => from.map((start) => `${start} > ${id}`));

test('the folded flow leads from the inputs through the trainable matrices to the context vectors', () => {
  const plain = { source: /** @type {const} */ ('trained'), causal: false, project: false };
  assert.deepEqual(arrows(flowMap(plain, false)), ['inputs > matrices', 'matrices > sum', 'sum > context']);
  assert.deepEqual(arrows(flowMap({ ...plain, source: 'inputs' }, false)), ['inputs > sum', 'sum > context']);
});

test('the unfolded flow has two branches that meet at the weighted sum, then the output', () => {
  const all = flowMap({ source: 'trained', causal: true, project: true }, true);
  assert.deepEqual(arrows(all), [
    'inputs > w_query', 'inputs > w_key', 'inputs > w_value', 'w_query > queries', 'w_key > keys', 'queries > scores',
    'keys > scores', 'scores > mask', 'mask > softmax', 'w_value > values', 'softmax > sum', 'values > sum',
    'sum > context', 'context > w_out', 'w_out > outputs',
  ]);
  const trainable = all.filter((station) => station.trainable).map(({ id }) => id);
  assert.deepEqual(trainable, ['w_query', 'w_key', 'w_value', 'w_out']);
});

test('the flow has no mask, no W_out and no matrices where there are none, and no two stations in one place', () => {
  for (const source of /** @type {const} */ (['given', 'inputs', 'trained'])) {
    for (const causal of [false, true]) {
      for (const project of [false, true]) {
        for (const unfolded of [false, true]) {
          const stations = flowMap({ source, causal, project }, unfolded);
          const ids = stations.map(({ id }) => id);
          assert.equal(ids.includes('mask'), causal && unfolded);
          assert.equal(ids.includes('w_out'), project && source === 'trained');
          assert.equal(stations.some(({ trainable }) => trainable), source === 'trained');
          assert.equal(new Set(stations.map(({ column, lane }) => `${column} ${lane}`)).size, stations.length);
        }
      }
    }
  }
});

test('choosing the dimension of the other axis swaps the two', async () => {
  const { document } = await opening('simplified');
  const view = /** @type {import('../../web/model/state.js').View} */ (/** @type {unknown} */ ({ plane: [0, 1] }));
  assert.deepEqual(look(view, { type: 'plane', of: 'plane', axis: 0, dimension: 1 }, document).plane, [1, 0]);
  assert.deepEqual(look(view, { type: 'plane', of: 'plane', axis: 1, dimension: 2 }, document).plane, [0, 2]);
});

test('the changes of one gesture are one step of undo; those of two are two', () => {
  const state = (/** @type {string} */ name) => /** @type {import('../../web/model/state.js').State} */ (
    /** @type {unknown} */ ({
      view: { ...FIRST_VIEW, plane: [0, 0], inputPlane: [0, 0] },
      document: { name, tokens: [1], inputs: [[1]], w_query: [[1]] },
    }));
  const nameOf = (/** @type {any} */ session) => session.state.document.name;
  const label = { id: 'did-edit' };
  let session = begin(state('start'));
  session = commit(session, state('a'), label, 1);
  session = commit(session, state('b'), label, 1);
  session = commit(session, state('c'), label, 2);
  session = commit(session, state('d'), label);
  assert.equal(session.past.length, 3);
  session = undo(undo(session));
  assert.equal(nameOf(session), 'b');
  assert.equal(nameOf(undo(session)), 'start');
  assert.equal(nameOf(redo(undo(session))), 'b');
});
