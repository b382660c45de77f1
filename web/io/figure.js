/**
 * The figure as one SVG file that stands alone: attention weights, the rows that they blend, each with the weight that the
 * chosen row gives it, context vectors, each with its blend as a bar; on the same row lines, with axes and a legend. Every colour is an attribute, nothing refers outside the file, so
 * it may be drawn on a canvas. Colours are the page's own classes, which the caller resolves; light unless told, for
 * print. Pure. Next to read: markup.js; ../view/figure.js for the same on the page.
 */

import {
  HIDDEN, brief, headRows, inCell, isDrawable, isOutOfRange, rowOf, rowsOf, signedClass, tokenClass, veiled, weightClass,
} from '../model/derive.js';
import { balanced, element, escape, fitted, widthOf, wrapped } from './markup.js';

/**
 * @typedef {import('../model/derive.js').State} State
 * @typedef {import('../model/derive.js').Tensors} Tensors
 * @typedef {import('../model/derive.js').Derived} Derived
 * @typedef {(id: string, args?: Record<string, string | number>) => string} Translate
 * @typedef {(kind: string) => { ground: string, ink: string }} ColourOf  of a class: w0 … w100, s0 … s100, t0 … t7
 * @typedef {{ paper: string, ink: string, soft: string, line: string, mark: string, track: string }} Theme
 * @typedef {{ text: string, kind: string | null }} Cell  kind null: masked; 'veiled': hidden
 * @typedef {object} Table
 * @property {string} name
 * @property {string} code
 * @property {string[]} columns
 * @property {Cell[][]} rows
 * @property {boolean} unsized  whether its size is hidden, while it is asked for
 * @property {(column: number) => boolean} [faint]  columns of heads that are not shown
 * @property {boolean} [labelled]  whether the token labels stand before it
 * @property {boolean} [chosen]    whether its chosen row is framed: its rows are queries
 * @property {{ text: string, kind: string | null, share: number | null }[]} [factors]  before each row, what it is
 *   multiplied by; share null: no bar could be true
 * @property {(number[] | null)[]} [blends]  before each row, the weights that made it; null: they are no shares of a whole
 * @property {string[]} [sums]     one for each row, after it
 */

/** @type {Theme} */
export const PRINT = { paper: '#ffffff', ink: '#1a1a1a', soft: '#555555', line: '#8a8a8a', mark: '#000000', track: '#d5d5d5' };

const FONT = 14;
const SMALL = 12;
const EDGE = 20;
const GAP = 44;
const CELL_HEIGHT = 32;
const MAX_LABEL = 150;
const MAX_ABOVE = 68;
/** The room of a row's number and its chip; the width of a bar of blends. */
const NUMBERED = 36;
const BLEND = 48;

/**
 * @param {{ state: State, tensors: Tensors, derived: Derived }} frame
 * @param {Translate} t @param {ColourOf} colourOf @param {Theme} [theme]
 * @returns {{ svg: string, width: number, height: number }} sizes in pixels
 */
export function figureSvg(frame, t, colourOf, theme = PRINT) {
  const { state, derived } = frame;
  const { tokens, example } = state.document;
  const tables = [
    weights(frame, t), { ...signed(frame, t, derived.blended), factors: factorsOf(frame) },
    { ...signed(frame, t, 'context_vecs'), chosen: true, blends: blendsOf(frame) },
  ];
  const label = Math.min(MAX_LABEL, Math.max(...tokens.map((token) => widthOf(token, FONT)))) + 46;
  const top = EDGE + 148;
  let x = EDGE;
  const drawn = tables.map((table, i) => {
    const before = table.labelled ? label : NUMBERED + 8 + besideWidth(table);
    const cell = cellWidth(table);
    const after = table.sums ? Math.max(...table.sums.map((sum) => widthOf(sum, SMALL)), widthOf(t('sum'), SMALL)) + 12 : 0;
    const svg = draw(table, { x: x + before, top, cell, before, tokens, state, colourOf, theme, sum: t('sum') });
    const inner = Math.max(before + cell * table.columns.length + after, widthOf(table.name, FONT) * 1.08);
    const operator = i === 0 ? '' : text(['·', '='][i - 1], x - GAP / 2, top + (tokens.length * CELL_HEIGHT) / 2, {
      'font-size': 24, 'text-anchor': 'middle', fill: theme.soft,
    });
    x += inner + GAP;
    return svg + operator;
  });
  const width = Math.ceil(Math.max(x - GAP + EDGE, 560));
  const below = top + tokens.length * CELL_HEIGHT + 22;
  const legends = legend(frame, t, colourOf, theme, below, width - 2 * EDGE);
  const notes = wrapped(t(`origin-${example}`), SMALL, width - 2 * EDGE);
  const height = Math.ceil(legends.end + notes.length * 17 + EDGE);
  const headline = t(`headline-${derived.blended}`, { masked: derived.masked ? 'yes' : 'no' });
  const axes = `${t('axes-rows')} · ${t('axes-columns')}`;
  const body = [
    element('title', {}, escape(headline)), element('desc', {}, escape(axes)), hatching(theme),
    element('rect', { width, height, fill: theme.paper }),
    ...balanced(headline, 19, width - 2 * EDGE).slice(0, 2).map((line, i) =>
      text(line, EDGE, EDGE + 8 + i * 22, { 'font-size': 19, 'font-weight': 'bold', fill: theme.ink })),
    text(axes, EDGE, EDGE + 54, { 'font-size': SMALL, fill: theme.soft }),
    ...drawn, legends.svg,
    ...notes.map((line, i) => text(line, EDGE, legends.end + 6 + i * 17, { 'font-size': SMALL, fill: theme.soft })),
  ].join('\n');
  const svg = element('svg', {
    xmlns: 'http://www.w3.org/2000/svg', width, height, viewBox: `0 0 ${width} ${height}`, role: 'img',
    'font-family': 'sans-serif', 'font-size': FONT,
  }, body);
  return { svg: `<?xml version="1.0" encoding="UTF-8"?>\n${svg}\n`, width, height };
}

/** @param {{ state: State, tensors: Tensors, derived: Derived }} frame @param {Translate} t @returns {Table} */
function weights({ state, tensors, derived }, t) {
  const { head, digits } = state.view;
  const rows = headRows(tensors.attn_weights, head).map((row, i) => row.map((weight, j) => (
    derived.masked && j > i && weight === 0 ? { text: '', kind: null } : { text: inCell(weight, digits), kind: weightClass(weight) })));
  return {
    name: derived.heads > 1 ? t('name-attn_weights-head', { head: head + 1 }) : t('name-attn_weights'),
    unsized: veiled(derived.veils, 'shape of attn_weights'), code: 'attn_weights', columns: state.document.tokens, rows,
    labelled: true, chosen: true,
    sums: rowOf(tensors.attn_row_sums, head).map((sum) => inCell(sum, digits)),
  };
}

/**
 * A matrix of the width of all heads, on the scale of signed numbers; columns of other heads are faint.
 * @param {{ state: State, tensors: Tensors, derived: Derived }} frame @param {Translate} t
 * @param {'inputs' | 'values' | 'context_vecs'} name @returns {Table}
 */
function signed({ state, tensors, derived }, t, name) {
  const letter = { inputs: 'x', values: 'v', context_vecs: 'z' }[name];
  const columns = tensors[name].shape[tensors[name].shape.length - 1];
  return {
    name: t(`name-${name}`), code: name, unsized: veiled(derived.veils, `shape of ${name}`),
    columns: Array.from({ length: columns }, (_, i) => `${letter}${i + 1}`),
    rows: rowsOf(tensors[name]).map((row) => row.map((value) => (
      { text: inCell(value, state.view.digits), kind: signedClass(value, derived.figureLimit) }))),
    faint: (column) => Math.floor(column / derived.headDim) !== state.view.head,
  };
}

/** What the chosen row multiplies each row that is blended by. @param {{ state: State, tensors: Tensors, derived: Derived }} frame */
function factorsOf({ state, tensors, derived }) {
  const { row, head, digits } = state.view;
  return headRows(tensors.attn_weights, head)[row].map((weight, key) => {
    if (derived.masked && key > row && weight === 0) return { text: '', kind: null, share: null };
    const share = Number.isNaN(weight) || isOutOfRange(weight) ? null : Math.min(1, weight);
    return { text: `${inCell(weight, digits)} ×`, kind: weightClass(weight), share };
  });
}

/** @param {{ state: State, tensors: Tensors }} frame */
function blendsOf({ state, tensors }) {
  return headRows(tensors.attn_weights, state.view.head)
    .map((weights) => (weights.some(Number.isNaN) || !isDrawable(weights) ? null : weights));
}

/** The room of what stands between the number of a row and the row. @param {Table} table */
function besideWidth({ factors, blends }) {
  if (blends) return BLEND;
  return factors ? Math.max(48, ...factors.map((factor) => widthOf(factor.text, SMALL) + 12)) : 0;
}

/** Wide enough for every number in it, and for what stands above unless that is long. @param {Table} table */
function cellWidth({ rows, columns }) {
  const above = columns.map((column) => Math.min(MAX_ABOVE, widthOf(column, SMALL) + 8));
  return Math.max(34, ...above, ...rows.flat().map((cell) => widthOf(cell.text, FONT) + 10));
}

/**
 * @param {Table} table
 * @param {{ x: number, top: number, cell: number, before: number, tokens: string[], state: State, colourOf: ColourOf,
 *   theme: Theme, sum: string }} place  x and top of the first cell; before: the room for labels to its left
 */
function draw(table, { x, top, cell, before, tokens, state, colourOf, theme, sum }) {
  const { name, code, unsized, columns, rows, faint, labelled, chosen, sums } = table;
  const middle = (/** @type {number} */ row) => top + (row + 0.5) * CELL_HEIGHT;
  const centred = { 'text-anchor': 'middle' };
  const size = unsized ? HIDDEN : `${rows.length} × ${columns.length}`;
  const headers = columns.map((column, j) => {
    const at = x + (j + 0.5) * cell;
    const shown = fitted(column, SMALL, cell - 4);
    const chip = labelled ? text(String(j + 1), at, top - 25, { ...centred, 'font-size': SMALL, fill: theme.soft }) : '';
    return chip + text(shown, at, top - 10, { ...centred, 'font-size': SMALL, fill: theme.ink }, shown === column ? '' : column);
  });
  const cells = rows.flatMap((row, i) => row.map(({ text: number, kind }, j) => {
    const colour = groundOf(kind, colourOf, theme);
    const box = { x: x + j * cell + 1, y: top + i * CELL_HEIGHT + 1, width: cell - 2, height: CELL_HEIGHT - 2, rx: 3 };
    const ground = { fill: colour.ground, ...(faint?.(j) ? { 'fill-opacity': 0.35 } : {}) };
    const ink = faint?.(j) ? theme.soft : colour.ink;
    return element('rect', { ...box, ...ground }) + text(number, x + (j + 0.5) * cell, middle(i), { ...centred, fill: ink });
  }));
  const labels = tokens.map((token, i) => {
    const chip = element('rect', {
      x: x - before, y: middle(i) - 5, width: 10, height: 10, rx: 3, fill: colourOf(tokenClass(i)).ground,
    });
    const number = text(String(i + 1), x - before + 16, middle(i), { 'font-size': SMALL, fill: theme.soft });
    if (!labelled) {
      const place = { x: x - 8 - besideWidth(table), top: top + i * CELL_HEIGHT + 1, width: besideWidth(table) };
      return chip + number + beside(table, i, place, colourOf, theme);
    }
    const shown = fitted(token, FONT, MAX_LABEL);
    return chip + number + text(shown, x - 8, middle(i), { 'text-anchor': 'end', fill: theme.ink }, shown === token ? '' : token);
  });
  const after = (sums ?? []).map((number, i) => text(number, x + columns.length * cell + 6, middle(i), { 'font-size': SMALL, fill: theme.soft }));
  if (sums) after.push(text(sum, x + columns.length * cell + 6, top - 10, { 'font-size': SMALL, fill: theme.soft }));
  const frame = !chosen ? '' : element('rect', {
    x, y: top + state.view.row * CELL_HEIGHT, width: cell * columns.length, height: CELL_HEIGHT, rx: 4, fill: 'none',
    stroke: theme.mark, 'stroke-width': 2,
  });
  return [
    text(name, x - before, top - 62, { 'font-weight': 'bold', fill: theme.ink }),
    text(`${code}  ${size}`, x - before, top - 44, { 'font-size': SMALL, 'font-family': 'monospace', fill: theme.soft }),
    ...headers, ...labels, ...cells, frame, ...after,
  ].join('\n');
}

/** @param {string | null} kind of a cell @param {ColourOf} colourOf @param {Theme} theme */
function groundOf(kind, colourOf, theme) {
  if (kind === null) return { ground: 'url(#masked)', ink: theme.ink };
  return kind === 'veiled' ? { ground: theme.paper, ink: theme.soft } : colourOf(kind);
}

/**
 * Before a row: the weight that it gets with a bar as long, or the weights that made it as one bar in the token colours.
 * @param {Table} table @param {number} row @param {{ x: number, top: number, width: number }} place @param {ColourOf} colourOf
 * @param {Theme} theme
 */
function beside({ factors, blends }, row, { x, top, width }, colourOf, theme) {
  const height = CELL_HEIGHT - 2;
  const bar = (/** @type {number} */ from, /** @type {number} */ share, /** @type {number} */ room, /** @type {number} */ y, /** @type {string} */ fill) =>
    element('rect', { x: round(from), y, width: round(share * room), height: 6, fill });
  if (factors) {
    const { text: words, kind, share } = factors[row];
    const { ground, ink } = groundOf(kind, colourOf, theme);
    const number = text(words, x + width / 2, top + (share === null ? height / 2 : 11), { 'font-size': SMALL, 'text-anchor': 'middle', fill: ink });
    const box = element('rect', { x, y: top, width, height, rx: 4, fill: ground });
    if (share === null) return box + number;
    return box + number + bar(x + 4, 1, width - 8, top + 21, theme.track) + bar(x + 4, share, width - 8, top + 21, colourOf(tokenClass(row)).ground);
  }
  let from = x;
  return (blends?.[row] ?? []).map((weight, token) => {
    const start = from;
    from += weight * width;
    return weight > 0 ? bar(start, weight, width, top + height / 2 - 3, colourOf(tokenClass(token)).ground) : '';
  }).join('');
}

/**
 * What the colours mean, in as many lines as are needed.
 * @param {{ state: State, derived: Derived }} frame @param {Translate} t @param {ColourOf} colourOf @param {Theme} theme
 * @param {number} top @param {number} room
 */
function legend({ derived }, t, colourOf, theme, top, room) {
  const limit = derived.figureLimit;
  const steps = Array.from({ length: 11 }, (_, i) => i / 10);
  const items = [
    { name: t('legend-weights'), from: '0', to: '1', fills: steps.map((step) => colourOf(weightClass(step)).ground) },
    {
      name: t(`legend-${derived.blended}`), from: `\u2212${brief(limit, 6)}`, to: brief(limit, 6),
      fills: steps.map((step) => colourOf(signedClass((2 * step - 1) * limit, limit)).ground),
    },
    {
      name: t('legend-row-bars'), from: '', to: '',
      fills: Array.from({ length: Math.min(4, derived.nTokens) }, (_, token) => colourOf(tokenClass(token)).ground),
    },
    ...(derived.masked ? [{ name: t('masked'), from: '', to: '', fills: ['url(#masked)'] }] : []),
  ];
  let [x, y] = [EDGE, top];
  const svg = items.map(({ name, from, to, fills }) => {
    const [words, low, high] = [name, from, to].map((part) => widthOf(part, SMALL));
    const width = words + low + high + fills.length * 14 + 20;
    if (x > EDGE && x + width > EDGE + room) [x, y] = [EDGE, y + 22];
    const start = x + words + low + 12;
    const small = { 'font-size': SMALL, fill: theme.soft };
    const swatches = fills.map((fill, i) => element('rect', { x: start + i * 14, y: y - 7, width: 14, height: 14, fill }));
    const frame = { x: start, y: y - 7, width: fills.length * 14, height: 14, fill: 'none', stroke: theme.line };
    const drawn = text(name, x, y, small) + text(from, start - 4, y, { ...small, 'text-anchor': 'end' })
      + swatches.join('') + element('rect', frame) + text(to, start + fills.length * 14 + 4, y, small);
    x += width + 20;
    return drawn;
  });
  return { svg: svg.join('\n'), end: y + 24 };
}

/** The ground of masked cells, as on the page. @param {Theme} theme */
function hatching({ line, paper }) {
  const tile = { width: 6, height: 6 };
  const stripe = element('path', { d: 'M-1 1L1 -1M0 6L6 0M5 7L7 5', stroke: line, 'stroke-width': 1 });
  const pattern = { id: 'masked', ...tile, patternUnits: 'userSpaceOnUse' };
  return element('defs', {}, element('pattern', pattern, element('rect', { ...tile, fill: paper }) + stripe));
}

/**
 * One line of text, its middle at y: renderers differ in what they know of baselines, so it is moved by hand.
 * @param {string} words @param {number} x @param {number} y @param {Record<string, string | number>} attributes
 * @param {string} [whole] what it was before it was cut
 */
function text(words, x, y, attributes, whole = '') {
  if (words === '') return '';
  const size = Number(attributes['font-size'] ?? FONT);
  const title = whole === '' ? '' : element('title', {}, escape(whole));
  return element('text', { x: round(x), y: round(y + size * 0.35), ...attributes }, escape(words) + title);
}

/** @param {number} length */
function round(length) {
  return Math.round(length * 100) / 100;
}
