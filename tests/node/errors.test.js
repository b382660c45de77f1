// Bad input to a layer: each kind gets an AttnError with a stable code and a sentence that names what was expected and
// what came, and leaves the layer's last good results as they were. Read next: loading.test.js.

import assert from 'node:assert/strict';
import test from 'node:test';
import { AttnError } from '../../web/engine/node.js';
import { assertClose } from './compare.js';
import { SIX_TOKENS, attention, fill } from './cases.js';

/**
 * @param {() => unknown} call
 * @param {string} code
 * @param {string | RegExp} message
 */
function refuses(call, code, message) {
  assert.throws(call, (error) => {
    assert.ok(error instanceof AttnError, `an AttnError was expected, got ${error}`);
    assert.equal(error.name, 'AttnError');
    if (typeof message === 'string') assert.equal(error.message, message);
    else assert.match(error.message, message);
    assert.equal(error.code, code);
    assert.equal(typeof error.context, 'object');
    return true;
  });
}

/** @param {any} options */
const create = (options) => () => attention.createLayer(options);

/** A layer with results, and a check that they are all still readable and the same. */
function computed() {
  const layer = fill(attention.createLayer({
    nTokens: 6, dIn: 3, dOut: 2, nHeads: 2, outputProjection: true, biases: ['query', 'out'],
  })).set('inputs', SIX_TOKENS).forward();
  const names = Object.keys(layer.shapes());
  const before = names.map((name) => layer.get(name).data);
  const unchanged = () => names.forEach((name, i) => assertClose(layer.get(name).data, before[i], {}, name));
  return { layer: /** @type {any} */ (layer), unchanged };
}

test('a size that is not a positive whole number is refused by its name', () => {
  const one = { nTokens: 6, dIn: 3 };
  for (const name of ['nBatch', 'nTokens', 'dIn', 'dOut', 'nHeads']) {
    for (const size of [0, -1]) {
      refuses(create({ ...one, [name]: size }), 'size_not_positive', `${name} must be at least 1, got ${size}`);
    }
    for (const [size, came] of [[2.5, '2.5'], [NaN, 'NaN'], [Infinity, 'Infinity'], ['6', "'6'"], [null, 'null'],
      [true, 'true'], [[6], 'an array'], [{}, 'an object']]) {
      refuses(create({ ...one, [/** @type {string} */ (name)]: size }), 'wrong_type',
        `${name} must be a whole number, got ${came}`);
    }
  }
  refuses(create({ dIn: 3 }), 'wrong_type', 'createLayer needs nTokens, a whole number of at least 1; got none');
  refuses(create({ nTokens: 3 }), 'wrong_type', 'createLayer needs dIn, a whole number of at least 1; got none');
  for (const [options, came] of [[undefined, 'nothing'], [null, 'null'], [[6, 3], 'an array'], ['6×3', "'6×3'"]]) {
    refuses(create(options), 'wrong_type', `createLayer takes an object with options such as nBatch, got ${came}`);
  }
});

test('an absurd size is refused with what it would need and what a layer may take, before memory is asked for', () => {
  refuses(create({ nTokens: 100000, dIn: 3 }), 'too_large',
    /^a layer of nBatch 1, nTokens 100000, dIn 3, dOut 3, nHeads 1 would need \d+ GiB; a layer may take .* 1 GiB$/);
  const most = 2 ** 31 - 1;
  refuses(create({ nBatch: most, nTokens: most, dIn: most, dOut: most, nHeads: most }), 'too_large',
    /would need .* EiB; a layer may take at most 1 GiB$/);
  refuses(create({ nTokens: 3, dIn: 3, outputProjection: 1e9 }), 'too_large',
    /^a layer of nBatch 1, nTokens 3, dIn 3, dOut 3, nHeads 1, outputProjection 1000000000 would need .* GiB/);
  refuses(create({ nTokens: 1e12, dIn: 3 }), 'number_too_large', `nTokens must be at most ${most}, got 1000000000000`);
  assert.ok(attention.createLayer({ nTokens: 2, dIn: 2 }).forward(), 'the module is still in order');
});

test('heads that do not divide the width are refused with those that do', () => {
  refuses(create({ nTokens: 3, dIn: 3, dOut: 4, nHeads: 3 }), 'heads_do_not_divide',
    'nHeads must divide dOut = 4: 1, 2 or 4; got 3');
  refuses(create({ nTokens: 3, dIn: 3, dOut: 4, nHeads: 2, scoreSource: 'inputs' }), 'heads_do_not_divide',
    'nHeads must divide dIn = 3: 1 or 3; got 2');
  refuses(create({ nTokens: 3, dIn: 1, nHeads: 2 }), 'heads_do_not_divide', 'nHeads must divide dOut = 1: 1; got 2');
});

test('unknown options, choices and biases are refused with those that there are', () => {
  const one = { nTokens: 3, dIn: 2 };
  refuses(create({ ...one, n_heads: 2 }), 'unknown_option', "createLayer has no option 'n_heads'; the options are " +
    'nBatch, nTokens, dIn, dOut, nHeads, outputProjection, biases, keepWeights, keepGradients, scoreSource, scale, ' +
    'causal, kernels, fault and faultPlace');
  refuses(create({ ...one, scoreSource: 'xxt' }), 'unknown_choice',
    "scoreSource must be 'given', 'inputs' or 'trained', got 'xxt'");
  refuses(create({ ...one, scale: 'sqrt' }), 'unknown_choice',
    "scale must be 'none', 'sqrt_head_dim' or a number, got 'sqrt'");
  refuses(create({ ...one, scale: 'number' }), 'unknown_choice', /or a number, got 'number'$/);
  refuses(create({ ...one, scale: true }), 'wrong_type', /or a number, got true$/);
  for (const scale of [NaN, Infinity]) {
    refuses(create({ ...one, scale }), 'number_not_finite', `scale must be a finite number, got ${scale}`);
  }
  refuses(create({ ...one, causal: 'yes' }), 'unknown_choice', "causal must be true or false, got 'yes'");
  refuses(create({ ...one, causal: 1 }), 'wrong_type', 'causal must be true or false, got 1');
  refuses(create({ ...one, kernels: 'fastest' }), 'unknown_choice', "kernels must be 'simd' or 'plain', got 'fastest'");
  for (const width of [0, -1, 1.5, '2', null]) {
    refuses(create({ ...one, outputProjection: width }), 'wrong_type',
      /^outputProjection must be true, false or a width of at least 1, got /);
  }
  refuses(create({ ...one, biases: ['query', 'keys'] }), 'wrong_type',
    "biases must be an array of any of 'query', 'key', 'value' or 'out', got one with 'keys'");
  refuses(create({ ...one, biases: true }), 'wrong_type', /^biases must be an array of .*, got true$/);
  refuses(create({ ...one, biases: ['out'] }), 'bias_without_out',
    "biases may name 'out' only with an output projection; got 'out' and outputProjection false");
  refuses(create({ ...one, dOut: 4, scoreSource: 'inputs', outputProjection: true }), 'width_is_fixed',
    /dIn = dOut.*got dIn = 2, dOut = 4$/);
});

test('numbers of the wrong size are refused with both sizes, and nothing is written', () => {
  const { layer, unchanged } = computed();
  const refusesSet = (/** @type {string} */ name, /** @type {unknown} */ rows, /** @type {string} */ message) =>
    refuses(() => layer.set(name, rows), 'wrong_size', message);
  refusesSet('w_query', [[1, 2, 3], [4, 5, 6]], 'w_query must be 3×2 (dIn × dOut), got 2×3');
  refusesSet('inputs', SIX_TOKENS.slice(1), 'inputs must be 6×3 (nTokens × dIn), got 5×3');
  refusesSet('inputs', [], 'inputs must be 6×3 (nTokens × dIn), got 0 numbers');
  refusesSet('inputs', [[]], 'inputs must be 6×3 (nTokens × dIn), got 1×0');
  refusesSet('inputs', new Float32Array(17), 'inputs must be 6×3 (nTokens × dIn), got 17 numbers');
  refusesSet('inputs', [1], 'inputs must be 6×3 (nTokens × dIn), got 1 number');
  refusesSet('inputs', [[SIX_TOKENS], [SIX_TOKENS]], 'inputs must be 6×3 (nTokens × dIn), got 2×1×6×3');
  refusesSet('inputs', [SIX_TOKENS, SIX_TOKENS], 'inputs must be 6×3 (nTokens × dIn), got 2×6×3');
  refusesSet('b_query', [1, 2, 3], 'b_query must be 2 (dOut), got 3 numbers');
  refusesSet('w_out', [[1, 2]], 'w_out must be 2×2 (dOut × outputProjection), got 1×2');
  refusesSet('inputs', [...SIX_TOKENS.slice(1), [1, 2]],
    'inputs must be 6×3 (nTokens × dIn); got rows of unequal length: inputs[0] holds 3, inputs[5] holds 2');
  const circle = /** @type {any[]} */ ([]);
  circle.push(circle);
  refusesSet('inputs', circle, 'inputs must be 6×3 (nTokens × dIn), got 1×1×1×1');
  unchanged();
  const batched = attention.createLayer({ nBatch: 2, nTokens: 2, dIn: 2 });
  refuses(() => batched.set('inputs', [[1, 2], [3, 4]]), 'wrong_size',
    'inputs must be 2×2×2 (nBatch × nTokens × dIn), got 2×2');
});

test('what is not a finite number that float32 holds is refused by its index and value, and nothing is written', () => {
  const { layer, unchanged } = computed();
  /** @param {unknown} value */
  const rows = (value) => SIX_TOKENS.map((row, i) => (i === 1 ? [row[0], row[1], value] : row));
  for (const value of [NaN, Infinity, -Infinity]) {
    refuses(() => layer.set('inputs', rows(value)), 'number_not_finite',
      `inputs[1][2] must be a finite number, got ${value}`);
    refuses(() => layer.set('inputs', new Float64Array(18).fill(value, 5)), 'number_not_finite',
      `inputs[5] must be a finite number, got ${value}`);
  }
  refuses(() => layer.set('inputs', rows(1e39)), 'number_too_large',
    'inputs[1][2] must fit in float32 (at most 3.4e38 in size), got 1e+39');
  for (const [value, came] of [['1', "'1'"], [null, 'null'], [undefined, 'nothing'], [[1], 'an array'], [1n, '1n']]) {
    refuses(() => layer.set('inputs', rows(value)), 'wrong_type', `inputs[1][2] must be a number, got ${came}`);
  }
  refuses(() => layer.set('inputs', [SIX_TOKENS[0], 5, ...SIX_TOKENS.slice(2)]), 'wrong_type',
    'inputs[1] must be a row of numbers, got 5');
  refuses(() => layer.set('b_query', Object.assign(new Array(2), { 0: 1 })), 'wrong_type',
    'b_query[1] must be a number, got nothing');
  for (const [given, came] of [[undefined, 'nothing'], ['1 2 3', "'1 2 3'"], [7, '7'], [{}, 'an object'],
    [new DataView(new ArrayBuffer(8)), 'an object']]) {
    refuses(() => layer.set('inputs', given), 'wrong_type',
      `inputs must be 6×3 (nTokens × dIn) numbers, got ${came}`);
  }
  unchanged();
});

test('a tensor that does not exist, is not here or is computed is refused with those that will do', () => {
  const { layer, unchanged } = computed();
  refuses(() => layer.set('W_query', [[1]]), 'unknown_tensor', "there is no tensor 'W_query'; this layer has inputs, " +
    'w_query, w_key, w_value, b_query, w_out, b_out, queries, keys, values, attn_scores, attn_weights, ' +
    'attn_row_sums, attn_column_sums, context_vecs and outputs');
  for (const [name, came] of [[undefined, 'nothing'], [null, 'null'], [3, '3'], [['inputs'], 'an array']]) {
    refuses(() => layer.get(name), 'wrong_type',
      new RegExp(`^the name of a tensor must be a string, got ${came}; this layer has inputs, `));
  }
  refuses(() => layer.get('b_key'), 'tensor_not_here',
    /^this layer, as it is configured now, has no b_key; it has inputs, /);
  for (const name of ['queries', 'attn_weights', 'outputs']) {
    refuses(() => layer.set(name, [[1]]), 'tensor_is_derived',
      `${name} is computed by forward(); what can be set is inputs, w_query, w_key, w_value, b_query, w_out and b_out`);
  }
  refuses(() => layer.normalisedRow(0), 'tensor_not_here', /has no given_weights/);
  unchanged();
});

test('derived tensors are stale before the first forward() and after every change, and say so', () => {
  const layer = attention.createLayer({ nTokens: 2, dIn: 2 });
  const isStale = () => {
    refuses(() => layer.get('attn_weights'), 'stale', 'attn_weights is stale: something changed since the last ' +
      'forward(), or there was none yet; call forward() first');
    refuses(() => layer.compareRoutes(), 'stale', /^context_vecs is stale: /);
  };
  isStale();
  for (const change of [
    () => layer.set('inputs', [[1, 2], [3, 4]]), () => layer.init('torch.rand', 1),
    () => layer.configure({ causal: true }), () => layer.configure({ scale: 2 }),
  ]) {
    layer.forward();
    assert.equal(layer.get('attn_weights').data.length, 4);
    change();
    isStale();
    assert.equal(layer.get('inputs').data.length, 4, 'inputs and parameters are never stale');
  }
});

test('configure changes all that it names or nothing', () => {
  const { layer, unchanged } = computed();
  refuses(() => layer.configure({ causal: true, scale: NaN }), 'number_not_finite',
    'scale must be a finite number, got NaN');
  refuses(() => layer.configure({ scale: 'none', causal: 'yes' }), 'unknown_choice', /^causal must be true or false/);
  refuses(() => layer.configure({ causal: true, scoreSource: 'inputs' }), 'heads_do_not_divide',
    'nHeads must divide dIn = 3: 1 or 3; got 2');
  refuses(() => layer.configure({ causal: true, dIn: 4 }), 'option_is_fixed', 'dIn is fixed for the life of a layer; ' +
    'create another (configure can change scoreSource, scale, causal, kernels, fault and faultPlace)');
  refuses(() => layer.configure({ mask: true }), 'unknown_option', /^configure has no option 'mask'/);
  refuses(() => layer.configure(), 'wrong_type', /^configure takes an object .* got nothing$/);
  unchanged();
  const projected = fill(attention.createLayer({ nTokens: 3, dIn: 3, dOut: 4, outputProjection: true })).forward();
  const kept = projected.get('outputs').data;
  refuses(() => projected.configure({ causal: true, scoreSource: 'given' }), 'width_is_fixed', 'with an output ' +
    'projection, scoreSource can change only where dIn = dOut, because the width of w_out is fixed; ' +
    'got dIn = 3, dOut = 4');
  assertClose(projected.get('outputs').data, kept);
});

test('an index outside the shape, or none at all, is refused with the range', () => {
  const { layer, unchanged } = computed();
  for (const token of [6, -1]) {
    refuses(() => layer.contextOneToken(token), 'index_out_of_range', `token must be from 0 to 5, got ${token}`);
  }
  refuses(() => layer.contextOneToken(0, 1), 'index_out_of_range', 'batch must be 0 (there is only one), got 1');
  for (const [token, came] of [[1.5, '1.5'], [undefined, 'nothing'], ['1', "'1'"], [NaN, 'NaN']]) {
    refuses(() => layer.contextOneToken(token), 'wrong_type', `token must be a whole number, got ${came}`);
  }
  refuses(() => layer.contextOneToken(2 ** 32), 'number_too_large',
    'token must be at most 2147483647, got 4294967296');
  const given = attention.createLayer({ nTokens: 2, dIn: 2, nHeads: 2, scoreSource: 'given' });
  refuses(() => given.normalisedRow(2), 'index_out_of_range', 'row must be from 0 to 1, got 2');
  refuses(() => given.normalisedRow(0, 2), 'index_out_of_range', 'head must be from 0 to 1, got 2');
  refuses(() => given.normalisedRow(1), 'row_sum_is_zero',
    'the weights of row 1 sum to 0, so the row cannot be normalised');
  given.set('attn_weights', [[[1, 3], [0, 0]], [[0, 0], [2, 2]]]);
  assertClose(given.normalisedRow(0), [0.25, 0.75]);
  assertClose(given.normalisedRow(1, 1), [0.5, 0.5]);
  unchanged();
});

test('a scheme, a seed or a bound that will not do is refused, and the parameters stay', () => {
  const { layer, unchanged } = computed();
  refuses(() => layer.init('xavier', 1), 'unknown_choice',
    "init's scheme must be 'torch.rand', 'nn.Linear' or 'uniform', got 'xavier'");
  const seeds = [[-1, '-1'], [2 ** 32, '4294967296'], [1.5, '1.5'], [undefined, 'nothing'], ['1', "'1'"]];
  for (const [seed, came] of seeds) {
    refuses(() => layer.init('torch.rand', seed), 'wrong_type',
      `init's seed must be a whole number from 0 to 4294967295, got ${came}`);
  }
  refuses(() => layer.init('uniform', 1), 'wrong_type',
    "the bound of init('uniform', seed, bound) must be a number, got nothing");
  refuses(() => layer.init('uniform', 1, -0.5), 'number_not_finite',
    "init's bound must be a finite number, from 0 to 1.7e38, got -0.5");
  refuses(() => layer.init('uniform', 1, NaN), 'number_not_finite', /got NaN$/);
  refuses(() => layer.init('uniform', 1, 3e38), 'number_not_finite', /got 3e\+38$/);
  refuses(() => layer.init('nn.Linear', 1, 0.5), 'unknown_option',
    "init takes a bound with 'uniform' only, got 0.5 with 'nn.Linear'");
  unchanged();
  const drawn = layer.init('uniform', 2 ** 32 - 1, 0.5).get('w_query').data;
  assert.ok(drawn.every((/** @type {number} */ w) => Math.abs(w) <= 0.5));
  assert.ok(new Set(drawn).size === 6);
});

test('a tolerance that will not do is refused', () => {
  const { layer } = computed();
  refuses(() => layer.compareRoutes({ tolerance: -1 }), 'number_not_finite',
    'tolerance must be a finite number, 0 or more, got -1');
  refuses(() => layer.compareRoutes({ tolerance: '0' }), 'wrong_type', "tolerance must be a number, got '0'");
  refuses(() => layer.compareRoutes({ tol: 1 }), 'unknown_option',
    "compareRoutes has no option 'tol'; the options are tolerance");
  assert.equal(layer.compareRoutes({ tolerance: 1e-6 }).tolerance, 1e-6);
});

test('numbers that outgrow float32 are named by tensor, row and column, and undoing the change brings all back', () => {
  const layer = attention.createLayer({ nTokens: 3, dIn: 2, scale: 'none' }).init('torch.rand', 1);
  layer.set('inputs', [[1, 2], [3, 4], [5, 6]]).forward();
  const before = layer.get('context_vecs').data;
  const weights = layer.get('w_query').data;
  layer.set('w_query', [[0, 3e38], [0, 3e38]]);
  refuses(() => layer.forward(), 'tensor_not_finite', /^queries\[row 0\]\[column 1\] is not finite \(Infinity\): /);
  refuses(() => layer.get('context_vecs'), 'stale', /stale/);
  refuses(() => layer.contextOneToken(2), 'tensor_not_finite',
    /^(queries|attn_scores)\[row 2\]\[column \d\] is not finite/);
  layer.set('w_query', weights).forward();
  assertClose(layer.get('context_vecs').data, before);
  const heads = fill(attention.createLayer({ nBatch: 2, nTokens: 3, dIn: 4, nHeads: 2, scale: 3e38 }));
  refuses(() => heads.forward(), 'tensor_not_finite',
    /^attn_scores\[batch \d\]\[head \d\]\[row \d\]\[column \d\] is not finite \(-?Infinity\): /);
});

test('a layer that was disposed of refuses every call, a second dispose() included; others live on', () => {
  const { layer } = computed();
  const other = computed();
  const kept = layer.get('inputs').data;
  layer.dispose();
  /** @type {[string, ...unknown[]][]} */
  const calls = [['set', 'inputs', SIX_TOKENS], ['get', 'inputs'], ['forward'], ['shapes'], ['configure', {}],
    ['init', 'torch.rand', 1], ['contextOneToken', 0], ['compareRoutes'], ['normalisedRow', 0], ['dispose']];
  for (const [method, ...given] of calls) {
    refuses(() => layer[method](...given), 'disposed',
      `${method}() needs a layer that is in use; this one was already disposed of`);
  }
  assertClose(kept, Float32Array.from(SIX_TOKENS.flat()));
  other.unchanged();
});

test('creating and disposing of layers over and over, refused ones included, takes no more memory', () => {
  // 400 times about 50 MB: one that is not given back in 40 would end in out_of_memory.
  for (let i = 0; i < 200; i++) {
    attention.createLayer({ nTokens: 1024, dIn: 8, nHeads: 4 }).dispose();
    refuses(create({ nTokens: 1024, dIn: 8, nHeads: 3 }), 'heads_do_not_divide', /8: 1, 2, 4 or 8; got 3$/);
  }
});
