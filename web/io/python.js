/**
 * The words in which the exported scripts differ: the same steps for PyTorch and for NumPy. Data only, and how a text
 * becomes a string in Python. Next to read: scripts.js, which puts them together.
 */

/**
 * @typedef {object} Dialect
 * @property {string} name
 * @property {string} imports
 * @property {(literal: string) => string} array
 * @property {string[]} gap      how far `computed` is from `on_the_page`
 * @property {string} split      the body of split_heads: [T, width] to [heads, T, head_dim]
 * @property {string} join       the body of join_heads: the way back
 * @property {string} transposed after a tensor: rows and columns swapped
 * @property {string[]} mask
 * @property {string} fill
 * @property {string[]} softmax
 * @property {string} zeros      what masked given weights become
 * @property {string[]} renormalise
 */

/** @type {Dialect} */
export const torch = {
  name: 'PyTorch',
  imports: 'import torch',
  array: (literal) => `torch.tensor(${literal}, dtype=torch.float32)`,
  gap: ['    gap = abs(computed - on_the_page)'],
  split: 'x.reshape(n_tokens, n_heads, -1).transpose(0, 1)',
  join: 'x.transpose(0, 1).reshape(n_tokens, -1)',
  transposed: '.transpose(-2, -1)',
  mask: ['later = torch.triu(torch.ones(n_tokens, n_tokens, dtype=torch.bool), diagonal=1)'],
  fill: "attn_scores = attn_scores.masked_fill(later, float('-inf'))",
  softmax: ['attn_weights = torch.softmax(attn_scores, dim=-1)'],
  zeros: 'attn_weights = given_weights.masked_fill(later, 0.0)',
  renormalise: [
    'sums = attn_weights.double().sum(dim=-1, keepdim=True)',
    'attn_weights = (attn_weights / sums.masked_fill(sums == 0, 1.0)).masked_fill(sums == 0, 0.0).float()',
  ],
};

/** @type {Dialect} */
export const numpy = {
  name: 'NumPy',
  imports: 'import numpy as np',
  array: (literal) => `np.array(${literal}, dtype=np.float32)`,
  gap: ["    with np.errstate(invalid='ignore'):", '        gap = abs(computed - on_the_page)'],
  split: 'x.reshape(n_tokens, n_heads, -1).swapaxes(0, 1)',
  join: 'x.swapaxes(0, 1).reshape(n_tokens, -1)',
  transposed: '.swapaxes(-2, -1)',
  mask: ['later = np.triu(np.ones((n_tokens, n_tokens), dtype=bool), k=1)'],
  fill: "attn_scores = np.where(later, np.float32('-inf'), attn_scores)",
  softmax: [
    '# The largest score of a row is taken off first: the same weights, and exp() cannot overflow.',
    'powers = np.exp(attn_scores - attn_scores.max(axis=-1, keepdims=True))',
    'attn_weights = powers / powers.sum(axis=-1, keepdims=True)',
  ],
  zeros: 'attn_weights = np.where(later, np.float32(0), given_weights)',
  renormalise: [
    'sums = attn_weights.sum(axis=-1, keepdims=True, dtype=np.float64)',
    'attn_weights = np.where(sums == 0, 0.0, attn_weights / np.where(sums == 0, 1.0, sums)).astype(np.float32)',
  ],
};

/**
 * A text as a string in Python. Letters, digits and signs of every script stand as they are; quotes, line ends, marks
 * that reorder text and all else that could end the string or mislead a reader stand as escapes.
 * @param {string} text
 */
export function pythonString(text) {
  const inside = Array.from(text, (character) => {
    if (/^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u.test(character) && !/['\\]/.test(character)) return character;
    const code = /** @type {number} */ (character.codePointAt(0));
    // Half of a surrogate pair is no character in any file.
    if (code >= 0xd800 && code <= 0xdfff) return '\\ufffd';
    return code > 0xffff ? `\\U${hex(code, 8)}` : code > 0xff ? `\\u${hex(code, 4)}` : `\\x${hex(code, 2)}`;
  });
  return `'${inside.join('')}'`;
}

/** @param {number} code @param {number} digits */
function hex(code, digits) {
  return code.toString(16).padStart(digits, '0');
}
