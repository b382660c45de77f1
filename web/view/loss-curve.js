/**
 * How the loss went, step by step, on a logarithmic scale: a picture, small or large, and the same as a table. Pure, and
 * about places in a picture alone. Next to read: train-bar.js, training.js, which show it.
 */

import { html, nothing, svg } from 'lit-html';
import { exact, precise } from '../model/derive.js';
import { plainTable } from './plain-table.js';

/**
 * @typedef {import('./frame.js').Frame} Frame
 * @typedef {{ step: number, loss: number, heldOut: number | null }} Point
 */

const WIDTH = 380;
const HEIGHT = 220;
const PLOT = { left: 52, right: WIDTH - 12, top: 10, bottom: HEIGHT - 34 };
const SMALL = { width: 150, height: 44 };

/** Losses below this are drawn at it: a logarithm has no zero. */
const LEAST = 1e-12;
const MAX_TICKS = 6;
/** Rows of the table, besides the last. */
const MAX_ROWS = 20;

/** All that is known of the way, to the step on the screen. @param {Frame} frame @returns {Point[]} */
export function wayOf({ state, derived }) {
  const { training } = state.document;
  const { lesson } = derived.computed;
  if (!training || !lesson) return [];
  const points = training.curve.points.filter(({ step }) => step < training.step);
  return lesson.loss === null ? points : [...points, { step: training.step, loss: lesson.loss, heldOut: lesson.heldOut }];
}

/** The height of the floor, if it is known. @param {Frame} frame */
const floorOf = ({ ui: { floor } }) => (typeof floor === 'number' ? floor : null);

/** @param {Frame} frame */
export function lossCurve(frame) {
  const { ui, t } = frame;
  const [points, floor] = [wayOf(frame), floorOf(frame)];
  const scale = scaleOf(points, floor, PLOT);
  const decades = Array.from({ length: scale.high - scale.low + 1 }, (_, i) => scale.low + i)
    .filter((_, i, all) => i % Math.ceil(all.length / MAX_TICKS) === 0);
  return html`<svg class="loss-curve" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${t('curve-name')}>
    ${decades.map((decade) => svg`<g><line class="rule" x1=${PLOT.left} x2=${PLOT.right} y1=${scale.y(10 ** decade)}
      y2=${scale.y(10 ** decade)}></line><text class="end" x=${PLOT.left - 6} y=${scale.y(10 ** decade)}>${power(decade)}</text></g>`)}
    ${[0, scale.last / 2, scale.last].map((step) => svg`<text class="middle" x=${Math.min(scale.x(step), PLOT.right - 8)}
      y=${PLOT.bottom + 14}>${step}</text>`)}
    <text class="middle" x=${(PLOT.left + PLOT.right) / 2} y=${HEIGHT - 5}>${t('curve-steps')}</text>
    ${lines(points, floor, scale, PLOT)}
  </svg>
  <p class="legends">
    <span class="legend"><svg class="key" aria-hidden="true"><line class="loss" x2="24" y1="6" y2="6"></line></svg> ${t('curve-loss')}</span>
    ${points.some(({ heldOut }) => heldOut !== null)
      ? html`<span class="legend"><svg class="key" aria-hidden="true"><line class="held-out" x2="24" y1="6" y2="6"></line></svg> ${t('curve-held-out')}</span>` : nothing}
    <span class="legend"><svg class="key" aria-hidden="true"><line class="floor" x2="24" y1="6" y2="6"></line></svg> ${floor === null
      ? t(ui.floor === null ? 'curve-floor-soon' : 'curve-floor-none') : t('curve-floor', { floor: short(floor) })}</span>
  </p>`;
}

/** The same, for the eye only, where there is little room. @param {Frame} frame */
export function smallCurve(frame) {
  const points = wayOf(frame);
  const plot = { left: 2, right: SMALL.width - 4, top: 4, bottom: SMALL.height - 4 };
  const scale = scaleOf(points, floorOf(frame), plot);
  return html`<svg class="loss-curve small" viewBox="0 0 ${SMALL.width} ${SMALL.height}" aria-hidden="true">
    ${lines(points, floorOf(frame), scale, plot)}</svg>`;
}

/** The way as a table, not every point of it. @param {Frame} frame */
export function curveTable(frame) {
  const { t } = frame;
  const points = wayOf(frame);
  const every = Math.ceil((points.length - 1) / MAX_ROWS);
  const shown = points.filter((_, i) => i === points.length - 1 || i % every === 0);
  const columns = [{ content: t('curve-loss') }, { content: t('curve-held-out') }];
  return html`<details><summary>${t('curve-table')}</summary>${plainTable({
    name: t('curve-table'), kind: 'figures', corner: t('curve-step'), columns,
    rows: shown.map(({ step }) => ({ content: step })),
    cell: (row, column) => {
      const value = column === 0 ? shown[row].loss : shown[row].heldOut;
      return value === null ? { text: '–' } : { text: short(value), title: exact(value) };
    },
  })}</details>`;
}

/** A loss in three figures; one that diverges may be larger than a float32. @param {number} loss */
export function short(loss) {
  return precise(Number(loss.toPrecision(3))).replace('+', '');
}

/** A power of ten: "0.01", and "10⁻⁶" where zeros are hard to count. @param {number} exponent */
function power(exponent) {
  if (Math.abs(exponent) <= 3) return exact(10 ** exponent);
  return `10${exponent < 0 ? '⁻' : ''}${[...String(Math.abs(exponent))].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]).join('')}`;
}

/**
 * @typedef {{ left: number, right: number, top: number, bottom: number }} Plot
 * @typedef {{ x: (step: number) => number, y: (loss: number) => number, low: number, high: number, last: number }} Scale
 */

/**
 * Whole decades from top to bottom, steps from 0 to a round number.
 * @param {Point[]} points @param {number | null} floor @param {Plot} plot @returns {Scale}
 */
function scaleOf(points, floor, plot) {
  const values = points.flatMap(({ loss, heldOut }) => [loss, ...(heldOut === null ? [] : [heldOut])]);
  const logs = [...values, ...(floor === null ? [] : [floor])].map(logOf);
  const low = logs.length === 0 ? -3 : Math.floor(Math.min(...logs));
  const high = Math.max(low + 1, logs.length === 0 ? 0 : Math.ceil(Math.max(...logs)));
  const last = roundUp(Math.max(20, points.length === 0 ? 0 : points[points.length - 1].step));
  return {
    low, high, last,
    x: (step) => plot.left + (step / last) * (plot.right - plot.left),
    y: (loss) => plot.bottom - ((logOf(loss) - low) / (high - low)) * (plot.bottom - plot.top),
  };
}

/** @param {Point[]} points @param {number | null} floor @param {Scale} scale @param {Plot} plot */
function lines(points, floor, { x, y }, plot) {
  const path = (/** @type {{ step: number, value: number | null }[]} */ list) => list
    .flatMap(({ step, value }) => (value === null ? [] : [`${x(step).toFixed(1)} ${y(value).toFixed(1)}`])).join(' ');
  const last = points[points.length - 1];
  return svg`
    ${floor === null ? nothing : svg`<line class="floor" x1=${plot.left} x2=${plot.right} y1=${y(floor)} y2=${y(floor)}></line>`}
    <polyline class="held-out" points=${path(points.map(({ step, heldOut }) => ({ step, value: heldOut })))}></polyline>
    <polyline class="loss" points=${path(points.map(({ step, loss }) => ({ step, value: loss })))}></polyline>
    ${last ? svg`<circle class="now" cx=${x(last.step)} cy=${y(last.loss)} r="3.5"></circle>` : nothing}`;
}

/** @param {number} loss */
function logOf(loss) {
  return Math.log10(Math.max(loss, LEAST));
}

/** The next of 1, 2, 5 times a power of ten. @param {number} count */
function roundUp(count) {
  const power = 10 ** Math.floor(Math.log10(count));
  return ([1, 2, 5].find((factor) => factor * power >= count) ?? 10) * power;
}
