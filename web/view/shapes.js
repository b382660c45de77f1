/**
 * Shapes: every product of this configuration with its sizes, the inner ones cancelled; and what happens when a matrix
 * has another number of rows: the product that does not fit says so in words, with both sizes, and has no value.
 * Sizes only, no numbers. Pure. Next to read: flow.js, the same steps as a map.
 */

import { html, nothing } from 'lit-html';

/**
 * @typedef {import('./frame.js').Frame} Frame
 * @typedef {{ name: string, size: number[] }} Sized
 *
 * @typedef {object} Product
 * @property {string} id
 * @property {Sized} left
 * @property {Sized | null} right  null: an operation on one tensor
 * @property {Sized} result
 * @property {string[]} needs      products without which this one cannot be made
 *
 * @typedef {object} Sizes
 * @property {'given' | 'inputs' | 'trained'} source
 * @property {boolean} project
 * @property {number} nTokens
 * @property {number} dIn
 * @property {number} width
 * @property {number} heads
 * @property {number} headDim
 */

/**
 * The products in order. Of several heads: all at once, with the heads as a size of their own, or one of them.
 * @param {Sizes} sizes @param {boolean} everyHead @returns {Product[]}
 */
export function productsOf({ source, project, nTokens: n, dIn, width, heads, headDim }, everyHead) {
  const trained = source === 'trained';
  const split = heads > 1 && everyHead;
  const columns = heads > 1 && !everyHead ? headDim : width;
  const each = (/** @type {number[]} */ ...size) => (split ? [heads, ...size] : size);
  const project1 = (/** @type {string} */ id, /** @type {string} */ matrix) => ({
    id, left: { name: 'inputs', size: [n, dIn] }, right: { name: matrix, size: [dIn, columns] },
    result: { name: id, size: [n, columns] }, needs: [],
  });
  const rows = trained ? 'values' : 'inputs';
  /** @type {(Product | false)[]} */
  const products = [
    trained && project1('queries', 'w_query'),
    trained && project1('keys', 'w_key'),
    trained && project1('values', 'w_value'),
    split && {
      id: 'split', left: { name: 'queries, keys, values', size: [n, width] }, right: null,
      result: { name: 'each by head', size: [heads, n, headDim] }, needs: ['queries', 'keys', 'values'],
    },
    source !== 'given' && {
      id: 'scores', left: { name: trained ? 'queries' : 'inputs', size: each(n, headDim) },
      right: { name: trained ? 'keys.T' : 'inputs.T', size: each(headDim, n) },
      result: { name: 'attn_scores', size: each(n, n) }, needs: ['queries', 'keys', 'split'],
    },
    source !== 'given' && {
      id: 'softmax', left: { name: 'attn_scores', size: each(n, n) }, right: null,
      result: { name: 'attn_weights', size: each(n, n) }, needs: ['scores'],
    },
    {
      id: 'blend', left: { name: 'attn_weights', size: each(n, n) }, right: { name: rows, size: each(n, headDim) },
      result: { name: heads > 1 ? 'context rows' : 'context_vecs', size: each(n, headDim) },
      needs: ['softmax', 'values', 'split'],
    },
    heads > 1 && {
      id: 'concat', left: { name: 'context rows', size: [heads, n, headDim] }, right: null,
      result: { name: 'context_vecs', size: [n, width] }, needs: ['blend'],
    },
    trained && project && {
      id: 'output', left: { name: 'context_vecs', size: [n, width] }, right: { name: 'w_out', size: [width, width] },
      result: { name: 'outputs', size: [n, width] }, needs: ['blend', 'concat'],
    },
  ];
  return products.filter((product) => product !== false);
}

/**
 * The products with another number of rows in the right factor of one: which do not fit, and which wait for those.
 * @param {Product[]} products @param {string} id @param {number} rows
 * @returns {(Product & { state: 'fits' | 'misfit' | 'waits' })[]}
 */
export function withRows(products, id, rows) {
  const missing = new Set();
  return products.map((product) => {
    const { right, left } = product;
    if (product.id === id && right && rows !== left.size[left.size.length - 1]) {
      missing.add(id);
      const size = [...right.size.slice(0, -2), rows, right.size[right.size.length - 1]];
      return { ...product, right: { ...right, size }, state: 'misfit' };
    }
    const waits = product.needs.some((need) => missing.has(need));
    if (waits) missing.add(product.id);
    return { ...product, state: waits ? 'waits' : 'fits' };
  });
}

/** @param {Frame} frame */
export function shapes(frame) {
  const { state, derived, t } = frame;
  if (derived.question?.form.type === 'shape' && !derived.question.revealed) return html`<p class="veiled">${t('veiled')}</p>`;
  const { everyHead, tryRows } = state.view;
  const all = productsOf({ ...derived, source: state.document.source, project: state.document.project }, everyHead);
  // What can be given other rows: the first trainable matrix, or else what is blended.
  const changed = state.document.source === 'trained' ? 'queries' : 'blend';
  const tried = /** @type {Product & { right: Sized }} */ (all.find(({ id }) => id === changed));
  const inner = tried.left.size[tried.left.size.length - 1];
  const list = withRows(all, tried.id, tryRows ?? inner);
  const choices = Array.from({ length: Math.max(8, inner + 2) }, (_, i) => i + 1);
  return html`
    <p class="shape-choices">
      ${derived.heads > 1 ? html`<span class="segments" role="group" aria-label=${t('shapes-heads')}>
        ${headsButton(t('shapes-one-head'), false, everyHead)}
        ${headsButton(t('shapes-all-heads', { heads: derived.heads }), true, everyHead)}
      </span>` : nothing}
      <label>${t('shapes-try', { name: tried.right.name })}
        <select data-act="try-rows">${choices.map((rows) => html`<option
          value=${rows === inner ? '' : rows} .selected=${rows === (tryRows ?? inner)}>${rows === inner
            ? t('shapes-as-is', { rows }) : rows}</option>`)}</select></label>
      ${derived.heads > 1 && !everyHead ? html`<small>${t('shapes-columns')}</small>` : nothing}
    </p>
    <ol class="products">${list.map((product) => row(frame, product))}</ol>`;
}

/** @param {string} text @param {boolean} every @param {boolean} chosen */
function headsButton(text, every, chosen) {
  return html`<button type="button" data-act="every-head" data-value=${every ? 'on' : 'off'}
    aria-pressed=${every === chosen ? 'true' : 'false'}>${text}</button>`;
}

/** @param {Frame} frame @param {Product & { state: 'fits' | 'misfit' | 'waits' }} product */
function row({ t }, { id, left, right, result, state }) {
  const [columns, rows] = [left.size[left.size.length - 1], right ? right.size[right.size.length - 2] : 0];
  const sum = html`${sized(left, right ? left.size.length - 1 : -1)}
    ${right ? html`<i>·</i> ${sized(right, right.size.length - 2)}` : nothing}`;
  const made = state === 'fits' ? html`<i>=</i> ${sized(result, -1)}`
    : state === 'waits' ? html`<i>= <code>${result.name}</code> ${t('shapes-no-value')}</i>`
      : html`<i class="size">${columns} ≠ ${rows}</i>`;
  const words = state === 'misfit' && right ? t('shapes-misfit', {
    left: left.name, leftSize: plain(left.size), columns,
    right: right.name, rightSize: plain(right.size), rows, name: result.name,
  }) : '';
  return html`<li class="shape-row ${state}">
    <span class="step">${t(`shapes-${id}`)}</span>
    <span class="sum">${sum} ${made}</span>
    ${words ? html`<span class="words">${words}</span>` : nothing}
  </li>`;
}

/** A name over its size, one of whose numbers is lit: an inner one. @param {Sized} sized @param {number} lit */
function sized({ name, size }, lit) {
  const length = (/** @type {number} */ axis) => (axis === lit ? html`<b>${size[axis]}</b>` : size[axis]);
  const lengths = size.map((_, axis) => html`${axis > 0 ? '×' : ''}${length(axis)}`);
  return html`<span class="sized"><code>${name}</code><span class="size">(${lengths})</span></span>`;
}

/** @param {number[]} size */
function plain(size) {
  return `(${size.join('×')})`;
}
