// Known answers: the tensors printed in the attention chapter of a book (tests/vectors/README.md). Each case's op names
// the tensor that was printed. Must not compute an expected number. Read next: answers.js.

import { compare } from './compare.js';
import { expected, floats, layerOf, parameterName, routesAgree, rowOf, transpose } from './cases.js';

/** @typedef {import('./cases.js').Attention} Attention */

/** @type {Record<string, { scale?: 'none', causal?: true, tensor?: string }>} */
const OPS = {
  simple_attention_row: { scale: 'none' },
  scores: { scale: 'none', tensor: 'attn_scores' },
  scores_row: { scale: 'none', tensor: 'attn_scores' },
  scores_masked: { scale: 'none', causal: true, tensor: 'attn_scores' },
  row_sums: { scale: 'none', tensor: 'attn_row_sums' },
  simple_attention: { scale: 'none' },
  weights: { tensor: 'attn_weights' },
  weights_row: { tensor: 'attn_weights' },
  weights_causal: { causal: true, tensor: 'attn_weights' },
  self_attention: {},
  self_attention_row: {},
  causal_attention: { causal: true },
  multi_head: { causal: true, tensor: 'outputs' },
};

/** @param {Attention} attention @param {any} c */
function layerFor(attention, c) {
  if (c.op === 'context') {
    return layerOf(attention, c.inputs.X, {}, { scoreSource: 'given' }).set('attn_weights', floats(c.inputs.attn_weights));
  }
  if (c.op === 'project_row') {
    return layerOf(attention, { shape: [1, 3], data: c.inputs.x.data }, { Wq: c.weights.Wq }, {});
  }
  const trained = 'Wq' in c.weights;
  const { scale = 'sqrt_head_dim', causal = false } = OPS[c.op];
  return layerOf(attention, c.inputs.X, c.weights, {
    scoreSource: trained ? 'trained' : 'inputs',
    scale: trained ? scale : 'none',
    causal,
    nHeads: c.inputs.num_heads ?? 1,
  });
}

/** The weights that a seed draws, to the printed digits and bit for bit. @param {Attention} attention @param {any} c */
function drawn(attention, c) {
  const layer = attention.createLayer({ nTokens: 1, dIn: 3, dOut: 2 }).init('nn.Linear', c.inputs.seed);
  const got = transpose(layer.get(parameterName(c.name.slice(-2))).data, 3, 2);
  layer.dispose();
  return [
    compare(c.name, got, expected(c.expected), { atol: c.expected.abs_tol }),
    compare(`${c.name}, bit for bit`, got, floats(c.expected_torch_f32 ?? c.expected)),
  ];
}

/** @type {import('./cases.js').KnownAnswers} */
export const book = {
  source: 'book',
  run: 20,
  leftOut: {
    'a softmax alone': (c) => c.op === 'softmax',
    'a mask alone': (c) => c.op === 'mask',
  },
  check(attention, c) {
    if (c.op === 'weight_init') return drawn(attention, c);
    const printed = { atol: c.expected.abs_tol };
    const layer = layerFor(attention, c).forward();
    const tensor = c.op === 'project_row' ? 'queries' : OPS[c.op]?.tensor ?? 'context_vecs';
    const { data, shape } = layer.get(tensor);
    const row = c.inputs.query_index;
    const got = row === undefined ? data : rowOf(data, shape[shape.length - 1], row);
    const found = [compare(`${c.name} ${tensor}`, got, expected(c.expected), printed), routesAgree(layer)];
    // What torch computes is known to more digits than the book prints, but not for weights typed from print.
    if (c.op !== 'context') {
      const torch = expected(c.expected_torch_f32 ?? c.expected);
      found.push(compare(`${c.name} ${tensor} against torch`, got, torch, { atol: 1e-6, rtol: 1e-6 }));
    }
    if (tensor === 'context_vecs' && row !== undefined) {
      const { context } = layer.contextOneToken(row);
      found.push(compare(`${c.name} by the second route`, context, expected(c.expected), printed));
    }
    layer.dispose();
    return found;
  },
};
