// Checks of one computation, whatever its numbers: row sums, mean weight, causal leak, both routes, split against
// separate heads. Pure: an Attention and a setup in, a finding out; uses the public interface of a layer alone. The page
// runs these on what it shows, the Node tests on random shapes. Read next: compare.js, answers.js.

import { apart, difference } from './compare.js';

/**
 * @typedef {import('../attention.js').Attention} Attention
 * @typedef {import('../attention.js').LayerOptions} LayerOptions
 * @typedef {import('../layer.js').Layer} Layer
 *
 * @typedef {object} Setup all that a computation starts from
 * @property {LayerOptions} options
 * @property {Record<string, unknown>} tensors inputs, parameters, attn_weights if given: what set() takes
 *
 * @typedef {Attention & { planted?: { fault: string, healthy: Attention } }} Bugged
 *
 * @typedef {object} Finding
 * @property {'passed' | 'failed' | 'off'} state off: the check says nothing about this computation
 * @property {number} figure the largest difference found
 * @property {number} allowed how large it may be
 * @property {number[]} rows the rows that it is about, from 0, in order
 * @property {{ token: number, rows: number[] }[]} [moved] of the leak check: the rows that a change of a token moved
 * @property {string} [verdict] of the routes
 * @property {number[]} [heads] that differ, from 0
 * @property {number} [expected] of the mean weight
 */

/** Sums of T rounded weights: each is off by half a unit of its last bit at most. */
const ROUNDING = 1e-6;

/** A computed layer. The caller disposes of it. @param {Attention} attention @param {Setup} setup */
export function build(attention, { options, tensors }) {
  const layer = attention.createLayer(options);
  for (const [name, numbers] of Object.entries(tensors)) layer.set(name, numbers);
  return layer.forward();
}

/**
 * The same Attention with a bug planted in every layer that it makes, so that the checks meet it.
 * @param {Attention} attention @param {import('../options.js').FaultName} fault @param {number} place
 * @returns {Bugged}
 */
export function withFault(attention, fault, place) {
  if (fault === 'none') return attention;
  return {
    ...attention,
    createLayer: (options) => attention.createLayer(options)
      .configure({ fault, faultPlace: Math.min(place, options.nTokens - 1) }),
    planted: { fault, healthy: attention },
  };
}

/** Does every row of weights sum to 1?  @param {Layer} layer @returns {Finding} */
export function rowSums(layer) {
  const { data, shape } = layer.get('attn_row_sums');
  const nTokens = shape[2];
  const off = Array.from(data, (sum) => Math.abs(sum - 1));
  return found(Math.max(...off), ROUNDING, rowsWhere(nTokens, off, (gap) => !(gap <= ROUNDING)));
}

/** Is the mean weight 1/T, under the causal mask 2/(T+1) over the allowed cells?  @param {Layer} layer @param {Setup} setup @returns {Finding} */
export function meanWeight(layer, { options: { causal, nTokens } }) {
  const [nBatch, nHeads] = layer.get('attn_weights').shape;
  const expected = causal ? 2 / (nTokens + 1) : 1 / nTokens;
  let figure = 0;
  for (let batch = 0; batch < nBatch; batch++) {
    for (let head = 0; head < nHeads; head++) {
      figure = Math.max(figure, Math.abs((layer.readouts(head, batch).mean_weight ?? NaN) - expected));
    }
  }
  return { ...found(figure, ROUNDING, []), expected };
}

/** Do the batched rows agree with those made one token at a time?  @param {Layer} layer @returns {Finding} */
export function routes(layer) {
  const { verdict, rows, tolerance } = layer.compareRoutes();
  const { data, shape: [nBatch, nTokens, width] } = layer.get('context_vecs');
  let figure = 0;
  for (let batch = 0; batch < nBatch; batch++) {
    for (let token = 0; token < nTokens; token++) {
      const start = (batch * nTokens + token) * width;
      figure = Math.max(figure, apart(layer.contextOneToken(token, batch).context, data.slice(start, start + width)));
    }
  }
  return {
    state: verdict === 'agree' ? 'passed' : 'failed', figure, allowed: tolerance, verdict,
    rows: [...new Set(rows.map(({ token }) => token))].sort((a, b) => a - b),
  };
}

/** What may not move under the causal mask when a later token changes. */
const ROWS_OF = ['attn_weights', 'context_vecs', 'outputs'];

/**
 * Change every number of one token's input. Which rows moved, of all before it? Those may not move under the causal mask.
 * @param {Attention} attention @param {Setup} setup @param {number} token
 * @returns {{ rows: number[], figure: number }} rows before the token that moved, and by how much at most
 */
export function leakOf(attention, setup, token) {
  const layer = build(attention, setup);
  const names = ROWS_OF.filter((name) => name in layer.shapes());
  const before = names.map((name) => layer.get(name));
  const inputs = layer.get('inputs');
  const [, nTokens, dIn] = inputs.shape;
  // No number stays as it is, and none grows but by 1.
  const moved = inputs.data.map((x, i) => (Math.floor(i / dIn) % nTokens === token ? (x > 0 ? -x / 2 - 1 : 1 - x / 2) : x));
  layer.set('inputs', moved).forward();
  const rows = new Set();
  let figure = 0;
  for (const [k, { shape, data }] of names.map((name) => layer.get(name)).entries()) {
    const width = shape[shape.length - 1];
    for (let start = 0; start < data.length; start += width) {
      const row = (start / width) % nTokens;
      if (row >= token) continue;
      const [was, is] = [before[k].data, data].map((numbers) => numbers.slice(start, start + width));
      if (difference(is, was) === null) continue;
      rows.add(row);
      figure = Math.max(figure, apart(is, was));
    }
  }
  layer.dispose();
  return { rows: [...rows].sort((a, b) => a - b), figure };
}

/**
 * Does a change of a token leave every row before it bit for bit as it was?  Tried for every token.
 * Without the mask rows may move: the finding is then off, and lists those that do.
 * @param {Attention} attention @param {Setup} setup
 * @returns {Finding}
 */
export function causalLeak(attention, setup) {
  const steps = causalLeakSteps(attention, setup);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * The same, token by token, so that it can be done in slices.
 * @param {Attention} attention @param {Setup} setup
 * @returns {Generator<undefined, Finding, void>}
 */
export function* causalLeakSteps(attention, setup) {
  const { nTokens, causal } = setup.options;
  const leaks = [];
  for (let token = 1; token < nTokens; token++) {
    leaks.push({ token, ...leakOf(attention, setup, token) });
    yield;
  }
  const rows = [...new Set(leaks.flatMap((leak) => leak.rows))].sort((a, b) => a - b);
  const finding = found(Math.max(0, ...leaks.map(({ figure }) => figure)), 0, rows);
  return {
    ...finding,
    ...(causal ? {} : { state: 'off' }),
    moved: leaks.filter((leak) => leak.rows.length > 0).map(({ token, rows: moved }) => ({ token, rows: moved })),
  };
}

/**
 * Are the heads, split from one matrix, bit for bit what separate layers give, each with its own columns?  A bug in one
 * place is in the whole alone: planted in every separate layer too, it would accuse the heads that do not have it.
 * @param {Bugged} attention @param {Setup} setup
 * @returns {Finding}
 */
export function splitHeads(attention, setup) {
  const { outputProjection, nHeads = 1, dIn, dOut = dIn, biases = [], ...options } = setup.options;
  if (nHeads === 1 || (options.scoreSource ?? 'trained') !== 'trained') return { ...found(0, 0, []), state: 'off', heads: [] };
  const own = biases.filter((name) => name !== 'out');
  const whole = build(attention, setup);
  const { planted } = attention;
  const inPlace = planted && whole.faults().some(({ name, hasPlace }) => hasPlace && name === planted.fault);
  const separate = inPlace ? planted.healthy : attention;
  const headDim = dOut / nHeads;
  const names = Object.keys(whole.shapes()).filter((name) => /^[wb]_(query|key|value)$/.test(name));
  const { data, shape: [, nTokens] } = whole.get('context_vecs');
  const rows = new Set();
  const heads = [];
  let figure = 0;
  for (let head = 0; head < nHeads; head++) {
    const columns = (/** @type {Float32Array} */ from) =>
      from.filter((_, i) => Math.floor((i % dOut) / headDim) === head);
    const tensors = Object.fromEntries([['inputs', whole.get('inputs').data],
      ...names.map((name) => [name, columns(whole.get(name).data)])]);
    const single = build(separate, { options: { ...options, dIn, dOut: headDim, biases: own }, tensors });
    const [got, want] = [columns(data), single.get('context_vecs').data];
    single.dispose();
    if (difference(got, want) === null) continue;
    heads.push(head);
    figure = Math.max(figure, apart(got, want));
    for (const [i, x] of got.entries()) if (x !== want[i]) rows.add(Math.floor(i / headDim) % nTokens);
  }
  whole.dispose();
  return { ...found(figure, 0, [...rows].sort((a, b) => a - b)), ...(heads.length > 0 ? { state: 'failed' } : {}), heads };
}

/** @param {number} figure @param {number} allowed @param {number[]} rows @returns {Finding} */
function found(figure, allowed, rows) {
  return { state: figure <= allowed ? 'passed' : 'failed', figure, allowed, rows };
}

/**
 * The tokens for which something holds in any head and sequence, in order.
 * @template T @param {number} nTokens @param {T[]} list a value for every row @param {(value: T) => boolean} holds
 */
function rowsWhere(nTokens, list, holds) {
  const rows = list.flatMap((value, i) => (holds(value) ? [i % nTokens] : []));
  return [...new Set(rows)].sort((a, b) => a - b);
}
