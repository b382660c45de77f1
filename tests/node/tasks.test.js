// The tasks that the page trains on: what they hold, and that they are learnt, past the loss that uniform attention can
// reach. Read next: web/model/tasks.js, training.test.js.

import assert from 'node:assert/strict';
import test from 'node:test';
import {
  COPY_NUMBERS, FETCH_NUMBERS, RECIPE, SEEDS, SEQUENCES, copyTask, fetchTask, fitTask,
} from '../../web/model/tasks.js';
import { assertClose } from './compare.js';
import { SIX_TOKENS, attention, readCases } from './cases.js';

/**
 * @typedef {import('../../web/model/tasks.js').Task} Task
 * @typedef {import('../../web/engine/layer.js').LayerOptions} LayerOptions
 */

const fetched = (seed = SEEDS.learn) => fetchTask(attention.random(seed, FETCH_NUMBERS));
const copied = (seed = SEEDS.learn) => copyTask(attention.random(seed, COPY_NUMBERS));

/** @param {Task} task @param {boolean} causal @returns {LayerOptions} */
const optionsFor = ({ inputs }, causal) => ({
  nBatch: inputs.length, nTokens: inputs[0].length, dIn: inputs[0][0].length, dOut: RECIPE.dOut, causal,
});

/** @param {Task} task @param {boolean} causal */
function floorOf(task, causal) {
  const { inputs, targets, targetRows } = task;
  return attention.uniformFloor({ layer: optionsFor(task, causal), inputs, targets, targetRows });
}

/**
 * Learn by the recipe. Stops early if told at which loss.
 * @param {Task} task @param {{ causal: boolean, seed: number, steps: number, until?: number }} how
 */
function learn(task, { causal, seed, steps, until = 0 }) {
  const layer = attention.createLayer(optionsFor(task, causal)).init('uniform', seed, RECIPE.bound);
  layer.set('inputs', task.inputs);
  const goal = { targets: Float32Array.from(task.targets.flat(2)), targetRows: task.targetRows };
  const losses = [layer.loss(goal)];
  while (losses.length <= steps && losses[losses.length - 1] >= until) {
    layer.trainStep({ ...goal, optimizer: RECIPE.optimizer, learningRate: RECIPE.learningRate });
    losses.push(layer.loss(goal));
  }
  return { layer, losses };
}

// ---- what they hold -----------------------------------------------------------------------------------------------

test("random(seed, n) gives torch.rand's numbers, and takes a seed and a count only", () => {
  const [one] = readCases('published_book_chapter.json').filter(({ name }) => name === 'self_v1');
  assertClose(attention.random(123, 6), Float32Array.from(one.weights.Wq.data), {});
  assert.equal(attention.random(4294967295, 1000).length, 1000);
  assert.ok(attention.random(7, 1000).every((x) => x >= 0 && x < 1));
  const random = /** @type {any} */ (attention.random);
  assert.throws(() => random(1, 0), { code: 'size_not_positive', message: "random's count must be at least 1, got 0" });
  assert.throws(() => random(1, 2.5), { code: 'wrong_type', message: "random's count must be a whole number, got 2.5" });
  assert.throws(() => random(-1, 2), { code: 'wrong_type', message: /^random's seed must be a whole number from/ });
});

test('fetch: red and blue tokens alternate, the first of each leads, and each is to have its leader’s payload', () => {
  const { inputs, targets, targetRows, sources, features } = fetched();
  assert.deepEqual([inputs.length, inputs[0].length, inputs[0][0].length], [SEQUENCES, 6, features.length]);
  assert.deepEqual([targets.length, targets[0].length, targets[0][0].length], [SEQUENCES, 6, 2]);
  assert.deepEqual([targetRows, sources], [[0, 1, 2, 3, 4, 5], [0, 1, 0, 1, 0, 1]]);
  inputs.forEach((rows, s) => rows.forEach(([red, blue, leads, ...carried], t) => {
    assert.deepEqual([red, blue, leads], [1 - (t % 2), t % 2, Number(t < 2)]);
    if (t >= 2) assert.deepEqual(carried, [0, 0]);
    assert.deepEqual(targets[s][t], inputs[s][Number(sources[t])].slice(3));
  }));
  const payloads = inputs.flatMap((rows) => rows.slice(0, 2).flatMap((row) => row.slice(3)));
  assert.equal(new Set(payloads).size, FETCH_NUMBERS, 'no two alike');
  assert.notDeepEqual(fetched(SEEDS.heldOut), fetched());
});

test('copy: each token tells its place in columns of its own, and is to have the payload of the one before', () => {
  const { inputs, targets, targetRows, sources, features } = copied();
  assert.deepEqual([inputs[0].length, inputs[0][0].length], [4, features.length]);
  assert.deepEqual([targetRows, sources], [[1, 2, 3], [null, 0, 1, 2]]);
  inputs.forEach((rows, s) => rows.forEach((row, t) => {
    assert.deepEqual(row.slice(0, 4), [0, 1, 2, 3].map((place) => Number(place === t)));
    assert.deepEqual(targets[s][t], t === 0 ? [0, 0] : inputs[s][t - 1].slice(4));
  }));
  assert.equal(new Set(inputs.flat().flatMap((row) => row.slice(4))).size, COPY_NUMBERS);
});

test('the solved example of a task is one: all weight on the source gives every target row', () => {
  for (const task of [fetched(), copied()]) {
    const [nTokens, dIn] = [task.inputs[0].length, task.inputs[0][0].length];
    const layer = attention.createLayer({ nBatch: SEQUENCES, nTokens, dIn, scoreSource: 'given' });
    const weights = task.sources.map((source) => task.sources.map((_, t) => Number(t === (source ?? 0))));
    layer.set('inputs', task.inputs).set('attn_weights', task.inputs.map(() => [weights])).forward();
    const { data } = layer.get('context_vecs');
    for (const [s, rows] of task.targets.entries()) {
      for (const t of task.targetRows) {
        assertClose(data.slice((s * nTokens + t) * dIn + dIn - 2, (s * nTokens + t + 1) * dIn), rows[t], {});
      }
    }
  }
});

test('fit: one sequence, and targets as they were typed', () => {
  const targets = SIX_TOKENS.map(([a, b]) => [b, a]);
  assert.deepEqual(fitTask(SIX_TOKENS, targets), {
    id: 'fit', features: [], inputs: [SIX_TOKENS], targets: [targets], targetRows: [0, 1, 2, 3, 4, 5],
    sources: Array(6).fill(null),
  });
});

// ---- that they are learnt -----------------------------------------------------------------------------------------

test('the floor of uniform attention is 0.035 with the mask and 0.037 without; it is found in under a second', () => {
  const start = performance.now();
  // numpy.linalg.lstsq on the averages of the allowed inputs gives these.
  assertClose([floorOf(fetched(), true)], [0.03468139], { rtol: 2e-4 });
  assertClose([floorOf(fetched(), false)], [0.03710459], { rtol: 2e-4 });
  const seconds = (performance.now() - start) / 2000;
  assert.ok(seconds < 1, `${seconds} s each`);
});

for (const causal of [true, false]) {
  const mask = causal ? 'with the mask' : 'without a mask';
  const floor = causal ? 0.0346 : 0.037;

  test(`fetch ${mask}: from seeds 1 to 6 the loss falls below the floor, and below 0.001 by step 1500`, () => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const { layer, losses } = learn(fetched(), { causal, seed, steps: 1500, until: 0.001 });
      const last = losses[losses.length - 1];
      assert.ok(losses[0] > 0.2 && last < 0.001, `seed ${seed}: from ${losses[0]} to ${last} in ${losses.length - 1}`);
      const passed = losses.findIndex((loss) => loss < floor);
      assert.ok(passed > 0 && passed < 300, `seed ${seed} passes the floor at step ${passed}`);
      layer.dispose();
    }
  });

  test(`fetch ${mask}: sequences never seen come out as well, by attention to the leader`, () => {
    const task = fetched(SEEDS.heldOut);
    const { layer } = learn(fetched(), { causal, seed: 1, steps: 2000 });
    layer.set('inputs', task.inputs);
    const heldOut = layer.loss({ targets: task.targets, targetRows: task.targetRows });
    assert.ok(heldOut < 0.0004, `held-out loss ${heldOut}`);
    const weights = layer.get('attn_weights').data;
    for (const t of [2, 3, 4, 5]) {
      const [own, other] = [weights[t * 6 + (t % 2)], weights[t * 6 + ((t + 1) % 2)]];
      assert.ok(own > 20 * other, `token ${t} gives its leader ${own}, the other ${other}`);
    }
  });

  test(`copy ${mask}: from seeds 1 to 6 the loss falls below its floor, and below 0.001 by step 1500`, () => {
    const best = floorOf(copied(), causal);
    assert.ok(best > 0.04 && best < 0.06, `floor ${best}`);
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const { layer, losses } = learn(copied(), { causal, seed, steps: 1500, until: 0.001 });
      assert.ok(losses[losses.length - 1] < 0.001, `seed ${seed}: ${losses[losses.length - 1]}`);
      layer.dispose();
    }
  });
}

test('fit: one fixed sequence is memorised by w_value alone, with attention frozen', () => {
  const { inputs, targets } = fitTask([0, 3, 4].map((t) => SIX_TOKENS[t]), [[1, 0], [0, 1], [0.5, 0.25]]);
  const layer = attention.createLayer({ nTokens: 3, dIn: 3, dOut: 2, causal: true }).set('inputs', inputs);
  layer.init('uniform', 1, 0.5).set('w_query', Array(6).fill(0)).set('w_key', Array(6).fill(0));
  for (let k = 0; k < 4000; k++) layer.trainStep({ targets, optimizer: 'adam', learningRate: 0.05 });
  assert.ok(layer.loss({ targets }) < 1e-4);
  assertClose(layer.get('w_query').data, Array(6).fill(0), {});
});

test('fetch at rate 10 diverges within 100 steps; until then every result is finite, and the last one stays', () => {
  const task = fetched();
  const layer = attention.createLayer(optionsFor(task, true)).init('uniform', 1, RECIPE.bound);
  layer.set('inputs', task.inputs);
  const targets = Float32Array.from(task.targets.flat(2));
  let steps = 0;
  assert.throws(() => {
    for (; steps < 100; steps++) {
      layer.trainStep({ targets, learningRate: 10 });
      for (const name of ['w_query', 'w_key', 'w_value', 'attn_weights', 'context_vecs']) {
        assert.ok(layer.get(name).data.every(Number.isFinite), `${name} after step ${steps}`);
      }
    }
  }, { code: 'diverged' });
  assert.ok(steps > 3, `${steps} steps`);
  assert.ok(layer.get('context_vecs').data.every(Number.isFinite));
  const { loss } = layer.init('uniform', 1, RECIPE.bound).resetOptimizer().trainStep({ targets, learningRate: 1 });
  assert.ok(loss < 1, 'back to step 0 it goes on');
});
