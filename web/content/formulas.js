/**
 * The formulas of the chapters: LaTeX and the line of code that says the same. Data only, imports nothing. The build
 * turns the LaTeX into MathML (../../tools/formulas.mjs), so that the page carries no TeX. Next to read: notes.js.
 */

/** @typedef {{ tex: string, code: string, mathml?: string }} Formula  mathml: what the build makes of tex */

/** @type {Record<string, Formula>} */
export const formulas = {
  'row-of-inputs': {
    tex: String.raw`\mathbf{z}_i = \sum_{j=1}^{T} a_{ij}\, \mathbf{x}_j`,
    code: 'context_vec_i = attn_weights[i] @ inputs',
  },
  'all-rows-of-inputs': { tex: String.raw`Z = A X`, code: 'context_vecs = attn_weights @ inputs' },
  'scores-of-inputs': { tex: String.raw`S = X X^{\top}`, code: 'attn_scores = inputs @ inputs.T' },
  'softmax': {
    tex: String.raw`a_{ij} = \frac{e^{s_{ij}}}{\sum_{k=1}^{T} e^{s_{ik}}}`,
    code: 'attn_weights = torch.softmax(attn_scores, dim=1)',
  },
  'projections': {
    tex: String.raw`Q = X W_q \quad K = X W_k \quad V = X W_v`,
    code: 'queries, keys, values = inputs @ w_query, inputs @ w_key, inputs @ w_value',
  },
  'scaled-scores': {
    tex: String.raw`S = \frac{Q K^{\top}}{\sqrt{d_k}}`,
    code: 'attn_scores = queries @ keys.T / d_k ** 0.5',
  },
  'all-rows-of-values': { tex: String.raw`Z = A V`, code: 'context_vecs = attn_weights @ values' },
  'masked-scores': {
    tex: String.raw`s_{ij} = \begin{cases} \mathbf{q}_i \cdot \mathbf{k}_j / \sqrt{d_k} & j \le i \\ -\infty & j > i \end{cases}`,
    code: 'attn_scores = attn_scores.masked_fill(later, -torch.inf)',
  },
  'masked-softmax': {
    tex: String.raw`a_{ij} = \frac{e^{s_{ij}}}{\sum_{k \le i} e^{s_{ik}}} \quad (j \le i)`,
    code: 'attn_weights = torch.softmax(attn_scores, dim=1)',
  },
  'one-head': {
    tex: String.raw`Z_h = \operatorname{softmax}\left( \frac{Q_h K_h^{\top}}{\sqrt{d_{\text{head}}}} \right) V_h`,
    code: 'context_h = attn_weights[h] @ values[:, h * head_dim : (h + 1) * head_dim]',
  },
  'side-by-side': {
    tex: String.raw`Z = [\, Z_1 \mid Z_2 \mid \dots \mid Z_H \,]`,
    code: 'context_vecs = torch.cat(context_of_heads, dim=1)',
  },
  'head-sizes': { tex: String.raw`d_{\text{out}} = H \cdot d_{\text{head}}`, code: 'head_dim = d_out // n_heads' },
  'projected': { tex: String.raw`O = Z W_{\text{out}}`, code: 'outputs = context_vecs @ w_out' },
};
