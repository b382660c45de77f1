// What a layer cannot be is refused in the same words by every call that takes a layer's options, which says whose they
// are; and null is no default anywhere. Read next: errors.test.js, ../../web/engine/foresee.js.

import assert from 'node:assert/strict';
import test from 'node:test';
import { attention } from './cases.js';

/** The error that a call ends with, as code and message. @param {() => unknown} call */
function refusal(call) {
  try {
    call();
  } catch (error) {
    const { code, message } = /** @type {any} */ (error);
    return { code, message };
  }
  return undefined;
}

const ONE = { nTokens: 3, dIn: 4 };

/** Options of which there can be no layer, however much memory there is. @type {any[]} */
const IMPOSSIBLE = [
  { nTokens: 0, dIn: 3 }, { nTokens: 3, dIn: 3, nHeads: -5 }, { nTokens: 3, dIn: 3, nBatch: 0 }, { ...ONE, nHeads: 3 },
  { ...ONE, dOut: 3, nHeads: 3, scoreSource: 'inputs' }, { ...ONE, dOut: 3, scoreSource: 'given', outputProjection: true },
  { ...ONE, biases: ['out'] }, { ...ONE, keepWeights: false, keepGradients: true }, { ...ONE, scale: NaN },
  { ...ONE, keepWeights: false, scoreSource: 'given' }, { ...ONE, keepWeights: false, fault: 'scale_missing' },
  { ...ONE, fault: 'term_wrong', faultPlace: 3 }, { ...ONE, mask: true }, { ...ONE, nTokens: 1e12 }, { dIn: 3 }, null, 7,
];

test('layerBytes refuses what createLayer refuses, in the same words but for its name', () => {
  for (const options of IMPOSSIBLE) {
    const refused = refusal(() => attention.createLayer(options));
    assert.ok(refused, JSON.stringify(options));
    refused.message = refused.message.replace(/^createLayer/, 'layerBytes');
    assert.deepEqual(refusal(() => attention.layerBytes(options)), refused);
  }
});

test('layerBytes says how large a layer would be that is too large', () => {
  const options = { nTokens: 100000, dIn: 3 };
  assert.equal(refusal(() => attention.createLayer(options))?.code, 'too_large');
  const { bytes, maxBytes } = attention.layerBytes(options);
  assert.ok(bytes > 4e10 && maxBytes === 2 ** 30);
});

test("uniformFloor names whose options they are, and is not held back by what the caller's layer does not keep", () => {
  const floor = (/** @type {any} */ layer) => () => attention.uniformFloor({ layer, inputs: [[1], [2]], targets: [[3], [3]] });
  assert.deepEqual(refusal(floor(undefined)), { code: 'wrong_type',
    message: "uniformFloor's layer takes an object with options such as nBatch, got nothing" });
  assert.deepEqual(refusal(floor({ dIn: 1 })), { code: 'wrong_type',
    message: "uniformFloor's layer needs nTokens, a whole number of at least 1; got none" });
  assert.equal(floor({ nTokens: 2, dIn: 1, keepWeights: false })(), floor({ nTokens: 2, dIn: 1 })());
});

test('random speaks of what it was asked for, not of a layer', () => {
  assert.deepEqual(refusal(() => attention.random(1, 0)),
    { code: 'size_not_positive', message: "random's count must be at least 1, got 0" });
  assert.deepEqual(refusal(() => attention.random(1, 1.5)),
    { code: 'wrong_type', message: "random's count must be a whole number, got 1.5" });
  const most = refusal(() => attention.random(1, 1e9));
  assert.equal(most?.code, 'too_large');
  assert.match(String(most?.message), /^random\(1, 1000000000\) would need [\d.]+ GiB; it may take at most 1 GiB$/);
});

test('an option that is undefined is left out; null is refused, whichever it is', () => {
  const names = ['nBatch', 'nTokens', 'dIn', 'dOut', 'nHeads', 'outputProjection', 'biases', 'keepWeights', 'keepGradients',
    'scoreSource', 'scale', 'causal', 'kernels', 'fault', 'faultPlace'];
  const unknown = refusal(() => attention.createLayer(/** @type {any} */ ({ ...ONE, none: 1 })));
  assert.match(String(unknown?.message), new RegExp(`the options are ${names.slice(0, -1).join(', ')} and faultPlace$`));
  for (const name of names) {
    const refused = refusal(() => attention.createLayer(/** @type {any} */ ({ ...ONE, [name]: null })));
    assert.equal(refused?.code, 'wrong_type', name);
    assert.match(String(refused?.message), new RegExp(`^${name} must be .*, got (one with )?null$`));
    if (name === 'nTokens' || name === 'dIn') continue;
    attention.createLayer({ ...ONE, [name]: undefined }).dispose();
  }
});

test('a score that is not finite is named without weights as it is with them, in forward() and by the second route', () => {
  for (const [query, kernels, causal, rows] of /** @type {const} */ ([
    [-1e15, 'simd', false, [[1e10], [1]]], [-1e15, 'plain', true, [[1e10], [1]]], [1e15, 'simd', true, [[1], [1e10]]],
    [1e15, 'plain', false, [[1e10]]], [-1e15, 'simd', false, [[1e10]]],
  ])) {
    const [kept, lean] = [true, false].map((keepWeights) => attention.createLayer({
      nTokens: rows.length, dIn: 1, scale: 'none', kernels, causal, keepWeights,
    }).set('inputs', rows).set('w_query', [[query]]).set('w_key', [[1e15]]).set('w_value', [[1]]));
    const named = refusal(() => kept.forward());
    assert.match(String(named?.message), new RegExp(`^attn_scores\\[row \\d\\]\\[column 0\\] is not finite \\(${query < 0 ? '-' : ''}Infinity\\): `));
    assert.deepEqual(refusal(() => lean.forward()), named);
    assert.deepEqual(refusal(() => [...lean.forwardParts()]), named);
    assert.equal(refusal(() => lean.get('context_vecs'))?.code, 'stale');
    const one = refusal(() => kept.contextOneToken(rows.length - 1));
    assert.match(String(one?.message), /^attn_scores/);
    assert.deepEqual(refusal(() => lean.contextOneToken(rows.length - 1)), one);
  }
});
