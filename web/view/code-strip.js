/**
 * The code strip: the loop over rows, the one line that does the same, and what is printed, with the numbers on the
 * screen, as PyTorch prints them. Pure; it rounds for print alone. Next to read: chapter.js.
 */

import { html } from 'lit-html';
import { HIDDEN, rowsOf } from '../model/derive.js';

/** @typedef {import('./frame.js').Frame} Frame */

/** @param {Frame} frame */
export function codeStrip(frame) {
  const { derived, t } = frame;
  // The code has the sizes in it, which a question may be about.
  if (derived.veils.some(({ tensor }) => tensor.startsWith('shape of'))) return html`<p class="veiled">${t('veiled')}</p>`;
  const { loop, line } = blendCode(frame);
  const weights = weightsCode(frame);
  const agree = derived.nTokens - derived.computed.routes.rows.length;
  return html`<div class="code-strip">
    ${weights.length > 0 ? piece(t('code-weights'), weights) : ''}
    ${piece(t('code-loop'), loop)}
    ${piece(t('code-line'), line)}
    ${piece(t('code-print'), [`>>> print(context_vecs)`, printed(rowsOf(frame.tensors.context_vecs))])}
    <p class="note">${t('code-same', { agree, rows: derived.nTokens })}</p>
  </div>`;
}

/** @param {string} title @param {string[]} lines */
function piece(title, lines) {
  return html`<div><h4>${title}</h4><pre tabindex="0" role="group" aria-label=${title}><code>${lines.join('\n')}</code></pre></div>`;
}

/** How the blend is written: row by row, and at once. @param {Frame} frame */
function blendCode({ derived }) {
  const { blended, heads, nTokens } = derived;
  if (heads === 1) {
    return {
      loop: ['rows = []', `for i in range(${nTokens}):`, `    rows.append(attn_weights[i] @ ${blended})`, 'context_vecs = torch.stack(rows)'],
      line: [`context_vecs = attn_weights @ ${blended}`],
    };
  }
  return {
    loop: [
      'rows = []', `for i in range(${nTokens}):`, `    of_heads = [attn_weights[h, i] @ values[h] for h in range(${heads})]`,
      '    rows.append(torch.cat(of_heads))', 'context_vecs = torch.stack(rows)',
    ],
    line: [`context_vecs = (attn_weights @ values).transpose(0, 1).reshape(${nTokens}, ${derived.width})`],
  };
}

/** Where the weights come from, with the settings in force; nothing where they are given. @param {Frame} frame */
function weightsCode({ state, derived }) {
  const { source, scale } = state.document;
  const { heads, headDim, nTokens } = derived;
  if (source === 'given') return [];
  const divided = scale === 'none' ? '' : ` / ${headDim} ** 0.5`;
  const split = (/** @type {string} */ name) => (heads === 1 ? `inputs @ ${name}`
    : `(inputs @ ${name}).view(${nTokens}, ${heads}, ${headDim}).transpose(0, 1)`);
  const dim = heads === 1 ? 1 : 2;
  return [
    ...(source === 'trained' ? [`queries = ${split('w_query')}`, `keys = ${split('w_key')}`, `values = ${split('w_value')}`] : []),
    source === 'inputs' ? `attn_scores = inputs @ inputs.T${divided}`
      : `attn_scores = queries @ ${heads === 1 ? 'keys.T' : 'keys.transpose(1, 2)'}${divided}`,
    ...(derived.masked ? [
      `later = torch.ones(${nTokens}, ${nTokens}).triu(1).bool()`, 'attn_scores = attn_scores.masked_fill(later, -torch.inf)',
    ] : []),
    `attn_weights = torch.softmax(attn_scores, dim=${dim})`,
  ];
}

/** Rows as PyTorch prints them: four decimals, or powers of ten if one is large. @param {number[][]} rows */
function printed(rows) {
  const large = rows.some((row) => row.some((x) => Math.abs(x) >= 1e5));
  const texts = rows.map((row) => row.map((x) => (Number.isNaN(x) ? HIDDEN
    : large ? x.toExponential(4) : x.toFixed(4)).replaceAll('-', '\u2212')));
  const width = Math.max(...texts.flat().map((text) => text.length));
  const lines = texts.map((row) => `[${row.map((text) => text.padStart(width)).join(', ')}]`);
  return `tensor([${lines.join(',\n        ')}])`;
}
