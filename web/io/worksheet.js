/**
 * A worksheet for pen and paper: the chosen row by hand, its cells left blank, and the same sheet with the answers. Both
 * are data (for a print view) and a page of HTML that stands alone, without a script. Every number is the module's; what
 * is hidden on the page is hidden here. Pure. Next to read: markup.js; ../content/en-files.ftl for its words.
 */

import { headRows, inCell, isHidden, rowOf, rowsOf } from '../model/derive.js';
import { element, escape } from './markup.js';

/**
 * @typedef {import('./figure.js').Translate} Translate
 * @typedef {{ state: import('../model/derive.js').State, tensors: import('../model/derive.js').Tensors,
 *   derived: import('../model/derive.js').Derived }} Frame
 * @typedef {{ text: string, blank: boolean }} Cell  blank: to be filled in by hand
 * @typedef {{ caption: string, columns: string[], rows: { label: string, cells: Cell[] }[] }} Sheet  one table
 * @typedef {{ title: string, note: string, tables: Sheet[] }} Worksheet
 */

/**
 * @param {Frame} frame @param {Translate} t
 * @param {{ answers: boolean }} which  the answer sheet shows what the other leaves blank
 * @returns {Worksheet}
 */
export function worksheet(frame, t, { answers }) {
  const { state, tensors, derived } = frame;
  const { row, head, digits } = state.view;
  const { tokens, source } = state.document;
  const about = { row: row + 1, label: tokens[row] };
  const number = (/** @type {number} */ value) => inCell(value, digits);
  const shown = (/** @type {number} */ value) => ({ text: number(value), blank: false });
  const asked = (/** @type {number} */ value) => (answers ? shown(value) : { text: '', blank: true });
  const masked = (/** @type {number} */ key) => derived.masked && key > row;
  const label = (/** @type {number} */ i) => `${i + 1} ${tokens[i]}`;
  const columns = (/** @type {string} */ letter) => Array.from({ length: derived.headDim }, (_, i) => `${letter}${i + 1}`);
  const ofHead = (/** @type {string} */ name) => rowsOf(tensors[name]).map((whole) => (
    whole.slice(head * derived.headDim, (head + 1) * derived.headDim)));

  const weights = headRows(tensors.attn_weights, head)[row];
  const weightCells = weights.map((weight, key) => (
    masked(key) && !Number.isNaN(weight) ? { text: t('masked'), blank: false } : source === 'given' && !derived.masked ? shown(weight) : asked(weight)));
  const scores = tensors.attn_scores ? headRows(tensors.attn_scores, head)[row] : null;
  const known = source === 'trained' ? [
    matrix(t('name-queries'), columns('q'), [ofHead('queries')[row].map(shown)], () => label(row)),
    matrix(t('name-keys'), columns('k'), ofHead('keys').map((line) => line.map(shown)), label),
  ] : source === 'given' && derived.masked ? [
    matrix(t('worksheet-typed'), tokens.map((_, i) => label(i)), [rowsOf(tensors.given_weights)[row].map(shown)], () => label(row)),
  ] : [];
  const sum = { ...asked(rowOf(tensors.attn_row_sums, head)[row]) };
  const products = tokens.map((_, key) => derived.computed.rowTraces.map((trace) => {
    if (isHidden(trace)) return asked(NaN);
    const term = trace.terms.find(({ left }) => left.indices[3] === key);
    return term ? asked(term.product) : { text: t('masked'), blank: false };
  }));
  return {
    title: answers ? t('worksheet-answers', about) : t('worksheet-title', about),
    note: t('worksheet-note', { digits, scaled: scaleOf(frame), root: derived.headDim, source, head: head + 1, heads: derived.heads }),
    tables: [
      ...known,
      matrix(t(`name-${derived.blended}`), columns(source === 'trained' ? 'v' : 'x'), ofHead(derived.blended).map((line) => line.map(shown)), label),
      ...(scores ? [matrix(t('name-attn_scores'), tokens.map((_, i) => label(i)),
        [scores.map((score, key) => (masked(key) && !Number.isNaN(score) ? { text: '\u2212∞', blank: false } : asked(score)))], () => label(row))] : []),
      matrix(t('name-attn_weights'), [...tokens.map((_, i) => label(i)), t('sum')], [[...weightCells, sum]], () => label(row)),
      matrix(t('worksheet-products'), columns('z'), products, label),
      matrix(t('name-context_vecs'), columns('z'), [ofHead('context_vecs')[row].map(asked)], () => label(row)),
    ],
  };
}

/**
 * @param {string} caption @param {string[]} columns @param {Cell[][]} rows @param {(row: number) => string} label
 * @returns {Sheet}
 */
function matrix(caption, columns, rows, label) {
  return { caption, columns, rows: rows.map((cells, i) => ({ label: label(i), cells })) };
}

/** Whether scores are divided by √d_k, for the note. @param {Frame} frame */
function scaleOf({ state: { document } }) {
  return document.source !== 'given' && document.scale === 'sqrt_head_dim' ? 'yes' : 'no';
}

const STYLE = 'body{font:12pt/1.4 sans-serif;margin:2em;color:#000;background:#fff}table{border-collapse:collapse;'
  + 'margin:0 0 1.2em;break-inside:avoid}caption{text-align:start;font-weight:bold;padding:.2em 0}'
  + 'th{font-weight:normal;color:#444;padding:.2em .6em}td{border:1px solid #777;min-width:3.6em;height:2em;'
  + 'text-align:center;padding:0 .4em}td.blank{border:2px solid #000}';

/** The policy allows this one style by its digest and nothing else. */
const STYLE_DIGEST = 'sha256-koN4K3KJFXgRxu66T6KmJF7v1sUP2+idTvywnrENNYs=';

/** @param {Worksheet} sheet @param {string} language @returns {string} a page that stands alone */
export function worksheetHtml({ title, note, tables }, language) {
  const policy = `default-src 'none'; style-src '${STYLE_DIGEST}'; base-uri 'none'; form-action 'none'`;
  const head = `<meta charset="utf-8">${
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`}<title>${escape(title)}</title><style>${STYLE}</style>`;
  const body = `<h1>${escape(title)}</h1>\n<p>${escape(note)}</p>\n${tables.map(tableHtml).join('\n')}`;
  return `<!doctype html>\n${element('html', { lang: language }, `<head>${head}</head>\n<body>${body}</body>`)}\n`;
}

/** @param {Sheet} table */
function tableHtml({ caption, columns, rows }) {
  const label = (/** @type {string} */ text) => element('bdi', {}, escape(text));
  const header = columns.map((column) => element('th', { scope: 'col' }, label(column))).join('');
  const lines = rows.map(({ label: name, cells }) => element('tr', {}, element('th', { scope: 'row' }, label(name))
    + cells.map(({ text, blank }) => element('td', blank ? { class: 'blank' } : {}, escape(text))).join('')));
  return element('table', {}, `${element('caption', {}, escape(caption))}<thead><tr><th></th>${header}</tr></thead>`
    + `<tbody>${lines.join('')}</tbody>`);
}
