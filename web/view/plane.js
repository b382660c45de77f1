/**
 * The plane: rows as points in two chosen dimensions. What is blended (inputs or values) and the context vectors of the
 * shown head share one plane; where values are computed, the inputs have a plane of their own. The chosen context point
 * is held by spokes as thick as its weights and lies in the hull of what it attends to. Pure.
 * Next to read: plane-geometry.js (places); ../app/plane-points.js (pointer and keys).
 */

import { html, nothing, svg } from 'lit-html';
import { brief, exact, figures, headRow, rowsOf, tokenClass } from '../model/derive.js';
import { shortLabel } from './cells.js';
import { PLOT, SIDE, hullOf, keptEnds, labelPlaces, outside, placeOf, spoke, ticksOf } from './plane-geometry.js';

/**
 * @typedef {import('./frame.js').Frame} Frame
 * @typedef {import('./plane-geometry.js').Pair} Pair
 *
 * @typedef {object} Plane
 * @property {'plane' | 'inputPlane'} id  of the view's axes
 * @property {'inputs' | 'values'} rowsName
 * @property {string} letter      of a dimension
 * @property {number} first       column of the tensors in which the shown head begins
 * @property {number} count       dimensions to choose from
 * @property {number} x           chosen dimension, from 0
 * @property {number | null} y    null if there is only one
 * @property {number[][]} rows    of what is blended, or of the inputs
 * @property {number[][]} contexts  rows of the context vectors; none in the plane of the inputs alone
 * @property {Pair[]} points
 * @property {Pair[]} contextPoints
 * @property {import('./plane-geometry.js').Ends} ends
 */

/** Thickness of a spoke whose weight is 1. */
const THICK = 14;
const MOST_LABELS = 8;

/** @param {Frame} frame */
export function planes(frame) {
  const { derived, t } = frame;
  const blended = planeOf(frame, 'plane');
  const trained = derived.blended === 'values';
  const row = frame.state.view.row + 1;
  const rows = t(`plane-rows-${derived.blended}`);
  return html`<div class="planes">
    ${trained ? picture(frame, planeOf(frame, 'inputPlane')) : nothing}
    ${picture(frame, blended)}
    <div class="plane-words">
      <p id="plane-moving">${t(trained ? 'plane-values' : 'plane-inputs')} ${t('plane-moving')}</p>
      <p>${t('plane-reading', { row, rows })} ${isCovered(frame, blended) ? t('veiled') : leaves(frame, blended)
        ? html`<span class="leaves">${t('plane-leaves', { rows })}</span>` : t('plane-within')}</p>
      <p class="held-point">${heldPoint(frame)}</p>
    </div>
  </div>`;
}

/** @param {Frame} frame @param {Plane['id']} id @returns {Plane} */
function planeOf(frame, id) {
  const { state, derived, tensors, ui } = frame;
  const blends = id === 'plane';
  const rowsName = blends ? derived.blended : 'inputs';
  const count = blends ? derived.headDim : derived.dIn;
  const first = blends ? state.view.head * derived.headDim : 0;
  const [x, second] = state.view[id];
  const y = count > 1 ? second : null;
  const pair = (/** @type {number[]} */ row) => /** @type {Pair} */ ([row[first + x], y === null ? 0 : row[first + y]]);
  const rows = rowsOf(tensors[rowsName]);
  const contexts = blends ? rowsOf(tensors.context_vecs) : [];
  const [points, contextPoints] = [rows.map(pair), contexts.map(pair)];
  const ends = /** @type {Plane['ends']} */ ([0, 1].map((axis) =>
    keptEnds(ui.held?.ends[id]?.[axis], [...points, ...contextPoints].map((point) => point[axis]).filter(Number.isFinite))));
  const letter = rowsName === 'inputs' ? 'x' : 'v';
  return { id, rowsName, letter, first, count, x, y, rows, contexts, points, contextPoints, ends };
}

/** @param {Frame} frame @param {Plane} plane */
function picture(frame, plane) {
  const { state, t } = frame;
  const title = t(plane.contexts.length > 0 ? `plane-title-${plane.rowsName}` : 'plane-title-alone');
  const several = frame.derived.heads > 1 && plane.id === 'plane';
  const head = t('head-columns', { head: state.view.head + 1 });
  return html`<section class="plane-picture">
    <h3>${title} ${several ? html`<span class="of-head">${head}</span>` : nothing}</h3>
    ${plane.y === null ? html`<p class="note">${t('plane-line')}</p>` : html`<p class="axes-chosen">
      ${axisChoice(frame, plane, 0)} ${axisChoice(frame, plane, 1)}</p>`}
    <svg class="plane" viewBox="0 0 ${SIDE} ${SIDE}" role="group" aria-label=${title} data-plane=${plane.id}
      data-ends=${plane.ends.flat().join(' ')} data-x=${plane.x} data-y=${plane.y ?? nothing}>
      ${axes(plane)}
      ${plane.contexts.length > 0 ? blend(frame, plane) : nothing}
      <g>${plane.points.map((point, index) => (isSeen(point) ? rowPoint(frame, plane, index) : nothing))}</g>
      ${plane.contexts.length > 0 ? svg`<g role="radiogroup" aria-label=${t('plane-contexts')}>${
        plane.contextPoints.map((point, index) => (isSeen(point) ? contextPoint(frame, plane, index) : nothing))}</g>` : nothing}
      ${labels(frame, plane)}
    </svg>
  </section>`;
}

/** @param {Frame} frame @param {Plane} plane @param {0 | 1} axis */
function axisChoice({ t }, { id, letter, first, count, x, y }, axis) {
  const chosen = axis === 0 ? x : y;
  return html`<label>${t(axis === 0 ? 'plane-across' : 'plane-up')}
    <select data-act="plane">${Array.from({ length: count }, (_, dimension) => html`<option
      value="${id} ${axis} ${dimension}" .selected=${dimension === chosen}>${
        dimensionName(letter, first + dimension)}</option>`)}
    </select></label>`;
}

/** "x₁". @param {string} letter @param {number} index from 0 */
function dimensionName(letter, index) {
  return letter + [...String(index + 1)].map((digit) => String.fromCharCode(0x2080 + Number(digit))).join('');
}

/** @param {Plane} plane */
function axes({ letter, first, x, y, ends, contexts }) {
  const named = (/** @type {number} */ dimension) => [letter, ...(contexts.length > 0 ? ['z'] : [])]
    .map((name) => dimensionName(name, first + dimension)).join(', ');
  return svg`<g class="plane-axes" aria-hidden="true">
    ${ticksOf(ends[0]).map((tick) => {
      const [across] = placeOf(ends, [tick, 0]);
      const kind = tick === 0 ? 'zero-line' : '';
      return svg`<line class=${kind} x1=${across} x2=${across} y1=${PLOT.top} y2=${PLOT.bottom}></line>
        <text class="below" x=${across} y=${PLOT.bottom + 14}>${figures(tick, 9)}</text>`;
    })}
    ${y === null ? nothing : ticksOf(ends[1]).map((tick) => {
      const [, up] = placeOf(ends, [0, tick]);
      return svg`<line class=${tick === 0 ? 'zero-line' : ''} x1=${PLOT.left} x2=${PLOT.right} y1=${up} y2=${up}></line>
        <text class="beside" x=${PLOT.left - 5} y=${up}>${figures(tick, 9)}</text>`;
    })}
    <text class="below name" x=${(PLOT.left + PLOT.right) / 2} y=${PLOT.bottom + 32}>${named(x)}</text>
    ${y === null ? nothing : svg`<text class="below name" x="12" y=${(PLOT.top + PLOT.bottom) / 2}
      transform="rotate(-90 12 ${(PLOT.top + PLOT.bottom) / 2})">${named(y)}</text>`}
  </g>`;
}

/** The chosen row's weights that are not 0. @param {Frame} frame */
function weightsOf({ state, tensors }) {
  return headRow(tensors.attn_weights, state.view.head, state.view.row)
    .map((weight, index) => ({ weight, index })).filter(({ weight }) => weight !== 0);
}

/** Hull and spokes of the chosen row; none where a number of it is hidden. @param {Frame} frame @param {Plane} plane */
function blend(frame, plane) {
  if (isCovered(frame, plane)) return nothing;
  const place = (/** @type {Pair} */ point) => placeOf(plane.ends, point);
  const from = place(plane.contextPoints[frame.state.view.row]);
  const hull = hullOf(attended(frame, plane).map(place));
  return svg`<g aria-hidden="true">
    <polygon class="hull" points=${inWords(hull)}></polygon>
    ${weightsOf(frame).map(({ weight, index }) => svg`<polygon
      class="spoke ${weight < 0 ? 'negative' : tokenClass(index)}"
      points=${inWords(spoke(from, place(plane.points[index]), Math.min(1, Math.abs(weight)) * THICK))}></polygon>`)}
  </g>`;
}

/** Whether all numbers of a point may be seen. @param {Pair} point */
function isSeen(point) {
  return point.every(Number.isFinite);
}

/** Whether the chosen row's blend has a number that is hidden. @param {Frame} frame @param {Plane} plane */
function isCovered(frame, plane) {
  return weightsOf(frame).some(({ weight, index }) => Number.isNaN(weight) || !isSeen(plane.points[index]))
    || !isSeen(plane.contextPoints[frame.state.view.row]);
}

/** The points that the chosen row attends to. @param {Frame} frame @param {Plane} plane */
function attended(frame, plane) {
  return weightsOf(frame).filter(({ weight }) => weight > 0).map(({ index }) => plane.points[index]);
}

/**
 * Whether the chosen context point lies outside of what it attends to, by more than rounding, as one would see it.
 * @param {Frame} frame @param {Plane} plane
 */
function leaves(frame, plane) {
  const place = (/** @type {Pair} */ point) => placeOf(plane.ends, point);
  const hull = hullOf(attended(frame, plane).map(place));
  return hull.length > 0 && outside(hull, place(plane.contextPoints[frame.state.view.row])) > 0.01;
}

/** @param {Pair[]} points */
function inWords(points) {
  return points.map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`).join(' ');
}

/**
 * "x₁ 5, x₂ 6".
 * @param {Plane} plane @param {string} letter @param {number[]} row @param {(value: number) => string} write
 */
function coordinates({ first, x, y }, letter, row, write) {
  return (y === null ? [x] : [x, y]).map((dimension) =>
    `${dimensionName(letter, first + dimension)} ${write(row[first + dimension])}`).join(', ');
}

/**
 * One row of inputs or values. Inputs move: a slider whose arrow keys go both ways. Values are computed: a button that
 * opens their arithmetic.
 * @param {Frame} frame @param {Plane} plane @param {number} index
 */
function rowPoint({ state, t }, plane, index) {
  const [x, y] = placeOf(plane.ends, plane.points[index]);
  const label = state.document.tokens[index];
  const where = coordinates(plane, plane.letter, plane.rows[index], shortly(state));
  const shape = svg`<circle class="hit" cx=${x} cy=${y} r="24"></circle>
    <circle class="ring" cx=${x} cy=${y} r="14"></circle>
    <circle class="dot ${tokenClass(index)}" cx=${x} cy=${y} r="9.5"></circle>
    <text class="ink ${tokenClass(index)}" x=${x} y=${y}>${index + 1}</text>`;
  return plane.rowsName === 'inputs' ? svg`<g class="point movable" tabindex="0" data-point="inputs ${index}"
      role="slider" aria-label=${label} aria-roledescription=${t('plane-slider')} aria-describedby="plane-moving"
      aria-valuetext=${where} aria-valuenow=${plane.points[index][0]}
      aria-valuemin=${plane.ends[0][0]} aria-valuemax=${plane.ends[0][1]}>${shape}</g>`
    : svg`<g class="point" tabindex="0" role="button" data-point="values ${index}"
      aria-label=${t('plane-point', { name: t('plane-value', { row: index + 1, label }), where })}>${shape}</g>`;
}

/** A context vector: a choice among rows. @param {Frame} frame @param {Plane} plane @param {number} index */
function contextPoint({ state, t }, plane, index) {
  const [x, y] = placeOf(plane.ends, plane.contextPoints[index]);
  const chosen = index === state.view.row;
  // Where the chosen one is hidden, Tab reaches the first that is not.
  const reached = isSeen(plane.contextPoints[state.view.row]) ? chosen : index === plane.contextPoints.findIndex(isSeen);
  const half = chosen ? 13 : 5;
  const name = t('plane-context', { row: index + 1, label: state.document.tokens[index] });
  const where = coordinates(plane, 'z', plane.contexts[index], shortly(state));
  return svg`<g class="point context ${chosen ? 'chosen' : ''}" role="radio" tabindex=${reached ? 0 : -1}
      aria-checked=${chosen ? 'true' : 'false'} data-point="context_vecs ${index}"
      aria-label=${t('plane-point', { name, where })}>
    ${square('ring', x, y, half + 4)} ${square('hit', x, y, 13)} ${square('dot', x, y, half)}
  </g>`;
}

/** @param {string} kind @param {number} x @param {number} y @param {number} half */
function square(kind, x, y, half) {
  return svg`<rect class=${kind} x=${x - half} y=${y - half} width=${2 * half} height=${2 * half} rx="3"></rect>`;
}

/** How a point's name writes numbers. @param {Frame['state']} state */
function shortly({ view }) {
  return (/** @type {number} */ value) => brief(value, Math.max(2, view.digits));
}

/**
 * The tokens' labels where they are few enough, and which row the chosen context point is of.
 * @param {Frame} frame @param {Plane} plane
 */
function labels({ state, t }, plane) {
  const { row } = state.view;
  const { tokens } = state.document;
  const place = (/** @type {Pair} */ point) => placeOf(plane.ends, point);
  const wanted = [
    ...plane.contextPoints.slice(row, row + 1).filter(isSeen).map((point) => ({
      at: place(point), text: t('plane-row', { row: row + 1 }), kind: 'context' })),
    ...tokens.length > MOST_LABELS ? [] : plane.points.flatMap((point, i) => (isSeen(point) ? [{
      at: place(point), text: shortLabel(tokens[i]), kind: '' }] : [])),
  ];
  const spots = labelPlaces(wanted, plane.contextPoints.filter(isSeen).map(place));
  return svg`<g class="plane-labels" aria-hidden="true">${spots.map((spot, i) => spot && svg`<text
    class="${spot.anchor} ${wanted[i].kind}" x=${spot.x} y=${spot.y}>${wanted[i].text}</text>`)}</g>`;
}

/** The point in focus with all its digits. @param {Frame} frame */
function heldPoint(frame) {
  const { state, ui, t } = frame;
  if (!ui.held) return t('plane-none');
  const [kind, text] = ui.held.point.split(' ');
  const index = Number(text);
  const label = state.document.tokens[index];
  if (label === undefined) return t('plane-none');
  const plane = planeOf(frame, kind === 'inputs' && frame.derived.blended === 'values' ? 'inputPlane' : 'plane');
  const context = kind === 'context_vecs';
  const name = kind === 'inputs' ? label : t(context ? 'plane-context' : 'plane-value', { row: index + 1, label });
  const row = (context ? plane.contexts : plane.rows)[index];
  return t('plane-exactly', { name, where: coordinates(plane, context ? 'z' : plane.letter, row, exact) });
}
