// Known answers: outputs and attention weights that PyTorch computed in float64 (tests/vectors/README.md).
// Must not compute an expected number. Read next: answers.js.

import { compare } from './compare.js';
import { expected, floats, layerOf, routesAgree } from './cases.js';

const FORWARD = { atol: 1e-5, rtol: 1e-5 };

/** @type {Record<string, 'given' | 'inputs' | 'trained'>} */
const SOURCES = { context: 'given', simple: 'inputs', attention: 'trained' };

/**
 * A layer that holds a case of pytorch_gradients.json, computed. The caller disposes of it.
 * @param {import('../attention.js').Attention} attention
 * @param {any} c
 */
export function torchLayer(attention, c) {
  const { X, A, ...parameters } = c.tensors;
  const { num_heads: nHeads = 1, scale = 'none', causal = false } = c.params;
  const layer = layerOf(attention, X, parameters, { scoreSource: SOURCES[c.op], scale, causal, nHeads });
  if (A) layer.set('attn_weights', floats(A));
  return layer.forward();
}

/** @type {import('./cases.js').KnownAnswers} */
export const torch = {
  source: 'torch',
  run: 10,
  leftOut: {
    'weights that are not square': (c) => c.op === 'context' && c.tensors.A.shape[1] !== c.tensors.A.shape[2],
    'grouped queries': (c) => 'kv_heads' in c.params,
    softcap: (c) => 'softcap' in c.params,
    'a window': (c) => 'window_left' in c.params,
    RoPE: (c) => 'rope' in c.params,
    ALiBi: (c) => 'alibi' in c.params,
  },
  check(attention, c) {
    const layer = torchLayer(attention, c);
    const result = layer.get(c.tensors.Wo ? 'outputs' : 'context_vecs').data;
    const found = [compare(c.name, result, expected(c.expected.Y), FORWARD)];
    if (c.expected.attn_weights) {
      const weights = layer.get('attn_weights').data;
      found.push(compare(`${c.name} attn_weights`, weights, expected(c.expected.attn_weights), FORWARD));
    }
    found.push(routesAgree(layer));
    layer.dispose();
    return found;
  },
};
