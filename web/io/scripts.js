/**
 * The state as a program: a PyTorch or a NumPy script that starts from the same numbers, computes every tensor in the
 * open, and asserts that each comes to what the page shows, within a tolerance that it states. Written to be read by a
 * student. Labels are quoted, and stand in no comment: they may come from anybody. Next to read: python.js, csv.js.
 */

import { headsInForce, sizesOf } from '../model/state.js';
import { nested } from './csv.js';
import { numpy, pythonString, torch } from './python.js';

/**
 * @typedef {import('../model/state.js').Doc} Doc
 * @typedef {import('../model/derive.js').Tensors} Tensors
 * @typedef {import('./python.js').Dialect} Dialect
 */

/** @param {Doc} doc @param {Tensors} tensors @returns {string} */
export const pytorchScript = (doc, tensors) => script(doc, tensors, torch);

/** @param {Doc} doc @param {Tensors} tensors @returns {string} */
export const numpyScript = (doc, tensors) => script(doc, tensors, numpy);

/** Every tensor that the script computes, in order; those that a state does not have are left out. */
const COMPUTED = ['queries', 'keys', 'values', 'attn_scores', 'attn_weights', 'context_vecs', 'outputs'];

/** @param {Doc} doc @param {Tensors} tensors @param {Dialect} dialect */
function script(doc, tensors, dialect) {
  const trained = doc.source === 'trained';
  const shown = COMPUTED.filter((name) => name in tensors && (trained || !['queries', 'keys', 'values'].includes(name)));
  const steps = [
    ...(doc.source === 'given' ? weightsAsGiven(doc, dialect) : weightsFromScores(doc, dialect)),
    '', ...blend(doc),
    ...(tensors.outputs ? ['', ...outputs] : []),
    ...(trained && dialect === torch ? ['', ...linear(tensors.outputs !== undefined)] : []),
  ];
  return `${[
    ...opening(doc, dialect), '', '# ---- What everything starts from', '', ...start(doc, tensors, dialect),
    '', '# ---- What the page shows', '', ...pageNumbers(shown, tensors, dialect),
    '', ...check(doc, dialect), '# ---- Step by step', '', ...steps,
    '', `print('All tensors agree with the page: ${shown.join(', ')}.')`,
  ].join('\n')}\n`;
}

/** @param {Doc} doc @param {Dialect} dialect */
function opening(doc, { name, imports }) {
  return [
    `# Attention, row by row: one state of the page as a ${name} script.`,
    '# It starts from the same numbers, computes every tensor, and asserts that each comes to what the page shows.',
    '# Rows are queries (the token that looks), columns are keys (the token looked at).',
    ...(doc.fault === 'none' ? [] : [
      '# A bug is planted on the page. This script computes without it: a check that fails shows where the bug is.',
    ]),
    '', imports,
  ];
}

/** @param {Doc} doc @param {Tensors} tensors @param {Dialect} dialect */
function start(doc, tensors, { array }) {
  const { nTokens, dIn, width } = sizesOf(doc);
  const heads = headsInForce(doc);
  const matrix = (/** @type {string} */ name) => `${name} = ${array(nested(withoutBatch(tensors[name], 2)))}`;
  const parameters = ['w_query', 'w_key', 'w_value', 'w_out'].filter((name) => name in tensors);
  return [
    `tokens = [${doc.tokens.map(pythonString).join(', ')}]`,
    'n_tokens = len(tokens)',
    `n_heads = ${heads}`,
    `head_dim = ${width / heads}  # columns of a head: width / n_heads = ${width} / ${heads}`,
    '', `# One row for each token: ${nTokens} tokens x ${dIn} input dimensions.`, matrix('inputs'),
    ...(parameters.length > 0 ? [
      '', '# The trainable matrices multiply from the right: inputs @ w_query.', ...parameters.map(matrix),
    ] : []),
    ...(doc.source === 'given' ? ['', '# The attention weights as they were typed, one row for each token.', matrix('given_weights')] : []),
  ];
}

/** @param {string[]} names @param {Tensors} tensors @param {Dialect} dialect */
function pageNumbers(names, tensors, { array }) {
  return [
    '# Attention scores and weights have one matrix for each head.',
    'page = {}',
    ...names.map((name) => {
      const tensor = withoutBatch(tensors[name], name.startsWith('attn_') ? 3 : 2);
      return `page['${name}'] = ${array(nested(tensor))}`;
    }),
  ];
}

/** @param {Doc} doc @param {Dialect} dialect */
function check(doc, { gap }) {
  const why = doc.fault === 'none' ? '' : ' (a bug is planted on the page: this script computes without it)';
  return [
    '# The page and this script round and add in different orders, so the last digits may differ. What is allowed is',
    '# relative to the size of the terms that were added: a small difference of large numbers cannot be exact.',
    'tolerance = 3e-6', '', '',
    'def check(name, computed, size, room=1.0):',
    '    on_the_page = page[name]',
    '    assert tuple(computed.shape) == tuple(on_the_page.shape), (',
    "        f'{name}: computed {tuple(computed.shape)}, the page has {tuple(on_the_page.shape)}')",
    ...gap,
    '    allowed = tolerance * room * size + 1e-30',
    '    assert bool(((computed == on_the_page) | (gap <= allowed)).all()), (',
    `        f'{name} differs from the page${why}:\\n{computed}\\nthe page has\\n{on_the_page}')`,
    "    print(f'{name}: agrees')", '', '',
  ];
}

/** @param {Doc} doc @param {Dialect} dialect */
function weightsAsGiven(doc, { mask, zeros, renormalise }) {
  return [
    ...(doc.causal ? [
      '# The causal mask: no token looks at a later one. Later weights become 0, and each row is divided by what is left.',
      ...mask, zeros, ...renormalise,
    ] : ['# The attention weights are used as they were given.', 'attn_weights = given_weights']),
    'attn_weights = attn_weights.reshape(1, n_tokens, n_tokens)  # one head',
    "check('attn_weights', attn_weights, 1 + abs(attn_weights))",
  ];
}

/** @param {Doc} doc @param {Dialect} dialect */
function weightsFromScores(doc, dialect) {
  const trained = doc.source === 'trained';
  const scaled = doc.scale === 'sqrt_head_dim' ? ' / head_dim ** 0.5' : '';
  return [
    ...heads(dialect),
    ...(trained ? [
      '# Queries, keys and values: the inputs through three matrices. The same with the sizes of all terms, for the checks.',
      'queries = inputs @ w_query', 'keys = inputs @ w_key', 'values = inputs @ w_value',
      'size_q, size_k, size_v = (abs(inputs) @ abs(w) for w in (w_query, w_key, w_value))',
      "check('queries', queries, size_q)", "check('keys', keys, size_k)", "check('values', values, size_v)",
    ] : [
      '# Nothing is trainable here: the inputs are compared with themselves, and are what is blended.',
      'queries = keys = values = inputs', 'size_q = size_k = size_v = abs(inputs)',
    ]),
    '',
    `# How well each query fits each key${scaled ? ', divided by the square root of head_dim' : ', without a scale'}.`,
    `attn_scores = split_heads(queries) @ split_heads(keys)${dialect.transposed}${scaled}`,
    `size = split_heads(size_q) @ split_heads(size_k)${dialect.transposed}${scaled}`,
    ...(doc.causal ? ['# The causal mask: no token looks at a later one.', ...dialect.mask, dialect.fill] : []),
    "check('attn_scores', attn_scores, size)", '',
    '# Softmax turns each row of scores into weights that add to 1.', ...dialect.softmax,
    '# It turns a difference between scores into a factor between weights: large scores need more room.',
    'room = min(1000.0, max(1.0, float(size.max()) / 16))',
    "check('attn_weights', attn_weights, 1.0, room)",
  ];
}

/** @param {Dialect} dialect */
function heads({ split, join }) {
  return [
    '# Head h has its own block of head_dim columns.',
    'def split_heads(x):', `    return ${split}`, '', '',
    'def join_heads(x):', `    return ${join}`, '', '',
  ];
}

/** @param {Doc} doc */
function blend(doc) {
  if (doc.source === 'given') {
    return [
      '# The blend: every context vector is a weighted sum of the rows of the inputs.',
      'context_vecs = attn_weights[0] @ inputs',
      "check('context_vecs', context_vecs, abs(attn_weights[0]) @ abs(inputs))",
    ];
  }
  return [
    `# The blend: every context vector is a weighted sum of the rows of the ${doc.source === 'trained' ? 'values' : 'inputs'}.`,
    'context_vecs = join_heads(attn_weights @ split_heads(values))',
    'size = join_heads(attn_weights @ split_heads(size_v))',
    "check('context_vecs', context_vecs, size, room)",
  ];
}

const outputs = [
  '# The output projection mixes what the heads found.',
  'outputs = context_vecs @ w_out',
  'size = size @ abs(w_out)',
  "check('outputs', outputs, size, room)",
];

/** @param {boolean} projected */
function linear(projected) {
  return [
    '# The same matrices as layers of PyTorch: nn.Linear keeps its weight as [out][in], the transpose.',
    'def linear(w):',
    '    layer = torch.nn.Linear(w.shape[0], w.shape[1], bias=False)',
    '    layer.weight = torch.nn.Parameter(w.T)',
    '    return layer', '', '',
    'with torch.no_grad():',
    ...[['queries', 'w_query', 'size_q'], ['keys', 'w_key', 'size_k'], ['values', 'w_value', 'size_v']]
      .map(([name, weight, size]) => `    check('${name}', linear(${weight})(inputs), ${size})`),
    ...(projected ? ["    check('outputs', linear(w_out)(context_vecs), size, room)"] : []),
  ];
}

/** A tensor without its leading size of 1. @param {import('../model/derive.js').Tensor} tensor @param {number} rank */
function withoutBatch({ shape, data }, rank) {
  return { shape: shape.slice(-rank), data };
}
