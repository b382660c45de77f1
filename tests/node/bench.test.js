// What the benchmark says of its measurements: medians, ratios, its comparison of results and its tables. The peers
// themselves are compared with each other whenever it runs. Read next: ../bench/report.js.

import assert from 'node:assert/strict';
import test from 'node:test';
import { plainAttention } from '../bench/plain-attention.js';
import { operations, problem, SIZES } from '../bench/problem.js';
import { agree, median, rowsOf, short, table } from '../bench/report.js';
import { attention } from './cases.js';

const SMALL = { nTokens: 6, d: 3, nHeads: 1 };

test('a median is the middle one, or the mean of the two in the middle', () => {
  assert.equal(median([9, 1, 4]), 4);
  assert.equal(median([10, 2, 8, 4]), 6);
});

test('operations count projections, scores and blend, without what is masked', () => {
  assert.equal(operations({ nTokens: 2, d: 3, nHeads: 1 }, false, 'forward'), 4 * 2 * 2 * 9 + 2 * 2 * 2 * 2 * 3);
  assert.equal(operations({ nTokens: 2, d: 3, nHeads: 1 }, true, 'forward'), 4 * 2 * 2 * 9 + 2 * 2 * 3 * 3);
});

test('each line holds the median, the speed and the ratio to ours; who was not measured has no line', () => {
  const rows = rowsOf({ kind: 'forward', size: SMALL, causal: true }, { ours: [2, 1, 4], 'plain-js': [6, 6], none: [] });
  assert.deepEqual(rows.map(({ peer, medianMs, ratioToOurs }) => [peer, medianMs, ratioToOurs]),
    [['ours', 2, 1], ['plain-js', 6, 3]]);
  assert.deepEqual([rows[0].size, rows[0].causal, rows[0].kind], ['6,3,1', true, 'forward']);
  assert.equal(rows[0].gflops, operations(SMALL, true, 'forward') / 2 / 1e6);
});

test('results agree to a part of the largest number of a tensor; what does not is named with both numbers', () => {
  const expected = { outputs: Float32Array.of(1, -4) };
  assert.equal(agree(expected, { outputs: Float32Array.of(1.5, -4) }, 0.2), 0.125);
  assert.throws(() => agree(expected, { outputs: Float32Array.of(1.5, -4) }, 0.1), /outputs\[0\] should be 1, and is 1\.5/);
  assert.throws(() => agree(expected, { outputs: Float32Array.of(1, NaN) }, 0.1), /outputs\[1\] should be -4, and is NaN/);
  assert.throws(() => agree(expected, { outputs: Float32Array.of(1) }, 0.1), /should have 2 numbers, and has 1/);
  assert.throws(() => agree(expected, {}, 0.1), /has none/);
});

test('the table has a column for each size and both figures, full and causal, in each cell', () => {
  const rows = [false, true].flatMap((causal) => rowsOf({ kind: 'forward', size: SMALL, causal },
    { ours: [causal ? 1 : 2], 'plain-js': [300.4] }));
  assert.equal(table(rows, 'forward', ({ medianMs }) => short(medianMs)), [
    '| T, d, heads | 6, 3, 1   |',
    '|-------------|-----------|',
    '| ours        | 2 / 1     |',
    '| plain-js    | 300 / 300 |'].join('\n'));
});

for (const causal of [false, true]) {
  test(`plain JavaScript and the module agree, forward and after three steps, ${causal ? 'causal' : 'full'}`, () => {
    for (const size of SIZES.slice(0, 2)) {
      const given = problem(size, causal);
      const layer = attention.createLayer({
        nTokens: size.nTokens, dIn: size.d, dOut: size.d, nHeads: size.nHeads, causal, scoreSource: 'trained',
        outputProjection: true,
      }).set('inputs', given.inputs).set('w_query', given.wQuery).set('w_key', given.wKey).set('w_value', given.wValue)
        .set('w_out', given.wOut).forward();
      const plain = plainAttention(given);
      const { weights, context, outputs } = plain.forward();
      const read = (/** @type {string} */ name) => layer.get(name).data;
      agree({ weights, context, outputs },
        { weights: read('attn_weights'), context: read('context_vecs'), outputs: read('outputs') }, 1e-5);
      for (let step = 0; step < 3; step++) {
        const { loss } = layer.trainStep({ targets: given.targets, optimizer: 'sgd', learningRate: 0.05 });
        agree({ loss: Float32Array.of(plain.trainStep(0.05)) }, { loss: Float32Array.of(loss) }, 1e-5);
      }
      const [wQuery, wKey, wValue, wOut] = plain.parameters();
      agree({ wQuery, wKey, wValue, wOut },
        { wQuery: read('w_query'), wKey: read('w_key'), wValue: read('w_value'), wOut: read('w_out') }, 1e-5);
      layer.dispose();
    }
  });
}
