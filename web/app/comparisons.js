/**
 * Numbers held against numbers, asked of the module for the instruments that compare: both routes, the pinned state, the
 * first tokens alone, three ways of masking. It copies and selects; what is subtracted or summed, the module does.
 * Next to read: runner.js, which calls these when an instrument is open; ../view/routes.js, compare.js, masking.js.
 */

import { build } from '../engine/checks/state.js';
import { rowOf } from '../model/derive.js';
import { inCell } from '../model/numbers.js';
import { setupOf } from './setup.js';

/**
 * @typedef {import('../engine/layer.js').Layer} Layer
 * @typedef {import('../engine/attention.js').Attention} Attention
 * @typedef {import('../model/state.js').Doc} Doc
 * @typedef {import('../model/derive.js').Tensors} Tensors
 * @typedef {import('../model/derive.js').Tensor} Tensor
 * @typedef {import('../model/derive.js').Computed} Computed
 * @typedef {import('../model/state.js').View} View
 */

/** Copies of all tensors that a layer has now. @param {Layer} layer @returns {Tensors} */
export function tensorsOf(layer) {
  return Object.fromEntries(Object.keys(layer.shapes()).map((name) => [name, layer.get(name)]));
}

/** @param {Layer} layer @param {number} heads */
export function readoutsOf(layer, heads) {
  return Array.from({ length: heads }, (_, head) => layer.readouts(head));
}

/** All rows by the second route, and how far the batched rows are from them. @param {Layer} layer @returns {Computed['both']} */
export function bothRoutes(layer) {
  const { shape, data } = layer.get('context_vecs');
  const [, nTokens, width] = shape;
  const rows = new Float32Array(data.length);
  for (let token = 0; token < nTokens; token++) rows.set(layer.contextOneToken(token).context, token * width);
  return { oneToken: { shape, data: rows }, difference: { shape, data: layer.difference(data, rows) } };
}

/**
 * The comparison of the routes by the reader's tolerance. As displayed, a row differs if a number of it looks different
 * in the matrix; where it differs first is then what the usual comparison says, or, if only rounding shows, the exact one.
 * @param {Layer} layer @param {View} view @param {Computed['routes']} usual
 * @returns {Computed['routes']}
 */
export function routesBy(layer, { tolerance, digits }, usual) {
  if (tolerance !== 'displayed') return layer.compareRoutes({ tolerance });
  const batched = layer.get('context_vecs');
  const [, nTokens] = batched.shape;
  const looks = (/** @type {Iterable<number>} */ row) => Array.from(row, (x) => inCell(x, digits)).join(' ');
  const shown = [...Array(nTokens).keys()]
    .filter((token) => looks(rowOf(batched, token)) !== looks(layer.contextOneToken(token).context));
  const { rows: all } = layer.compareRoutes({ tolerance: 0 });
  const rows = shown.flatMap((row) => [...usual.rows, ...all].find(({ token }) => token === row) ?? []);
  if (String(shown) === String(usual.rows.map(({ token }) => token))) return usual;
  const verdict = rows.length === 0 ? 'agree' : rows.length === 1 ? 'one row' : 'some rows';
  return { ...usual, verdict, rows, drawsOn: null };
}

/**
 * What is on the screen against a state that was kept: where the shapes agree. Each head is held against the same head,
 * or the last one that the kept state has.
 * @param {Layer} layer @param {Tensors} pinned @param {Computed['readouts']} readouts
 * @returns {Computed['pinned']}
 */
export function againstPinned(layer, pinned, readouts) {
  const [weights, context] = [layer.get('attn_weights'), layer.get('context_vecs')];
  const [, heads, nTokens] = weights.shape;
  const [, pinnedHeads, pinnedTokens] = pinned.attn_weights.shape;
  const size = nTokens * nTokens;
  const sameHeads = () => {
    const data = new Float32Array(weights.data.length);
    for (let head = 0; head < heads; head++) {
      const from = Math.min(head, pinnedHeads - 1) * size;
      data.set(pinned.attn_weights.data.subarray(from, from + size), head * size);
    }
    return data;
  };
  /** @param {Tensor} now @param {Float32Array} then */
  const apart = (now, then) => ({ shape: now.shape, data: layer.difference(now.data, then) });
  return {
    tensors: pinned,
    readouts,
    weights: nTokens === pinnedTokens ? apart(weights, sameHeads()) : null,
    context: String(context.shape) === String(pinned.context_vecs.shape) ? apart(context, pinned.context_vecs.data) : null,
  };
}

/**
 * The mask three ways on the same scores, always by the right batched route: −∞ before softmax; later weights set to 0
 * after softmax, divided by what is left; the same, not divided. Null where there are no scores.
 * @param {Attention} attention @param {Doc} doc @returns {Computed['masking']}
 */
export function waysOfMasking(attention, doc) {
  if (doc.source === 'given') return null;
  const { options, tensors } = setupOf(doc);
  const layer = build(attention, { options: { ...options, causal: false }, tensors });
  const [open, values] = [rowsOf(layer), layer.get('values')];
  layer.configure({ causal: true }).forward();
  const before = rowsOf(layer);
  const after = rowsOf(layer.configure({ fault: 'mask_after_softmax' }).forward());
  layer.dispose();
  const [, nTokens, width] = values.shape;
  // The module divides given weights by what the mask leaves of them.
  const divided = build(attention, {
    options: { nTokens, dIn: width, nHeads: options.nHeads, scoreSource: 'given', causal: true },
    tensors: { inputs: values.data, attn_weights: open.attn_weights.data },
  });
  const renormalised = rowsOf(divided);
  divided.dispose();
  return { open, before, renormalised, after };
}

/** @param {Layer} layer */
function rowsOf(layer) {
  const [attn_weights, attn_row_sums, context_vecs] = ['attn_weights', 'attn_row_sums', 'context_vecs']
    .map((name) => layer.get(name));
  return { attn_weights, attn_row_sums, context_vecs };
}
