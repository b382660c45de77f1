/**
 * The flow diagram, a map of this configuration: folded or with its branches. Every station is a button that goes to
 * the tensor it stands for. Pure. Next to read: flow-map.js, what stands where and why.
 */

import { html, nothing, svg } from 'lit-html';
import { HIDDEN, chapterOf } from '../model/derive.js';
import { flowMap, gridOf } from './flow-map.js';

/**
 * @typedef {import('./frame.js').Frame} Frame
 * @typedef {import('./flow-map.js').Placed} Placed
 */

/** A station, and from one to the next, in px at the usual size of type. */
const WIDTH = 116;
const HEIGHT = 68;
const COLUMN = 136;
const LANE = 84;
const MARGIN = 4;
/** Above the first lane, for the word that marks a new station. */
const TOP = 16;
/** px of type at that size: the picture grows with the reader's. */
const REM = 16;

/** @param {Frame} frame */
export function flow(frame) {
  const { state, t } = frame;
  const { unfolded } = state.view;
  const stations = flowMap(state.document, unfolded);
  const width = Math.max(...stations.map(({ column }) => column)) * COLUMN + WIDTH + 2 * MARGIN;
  const height = Math.max(...stations.map(({ lane }) => lane)) * LANE + HEIGHT + TOP + MARGIN;
  return html`
    <p><span class="segments" role="group" aria-label=${t('flow-how')}>
      ${button(t('flow-folded'), 'off', !unfolded)} ${button(t('flow-unfolded'), 'on', unfolded)}</span></p>
    <div class="flow-scroll">
      <svg class="flow" viewBox="0 0 ${width} ${height}" width="${width / REM}rem" height="${height / REM}rem"
        role="group" aria-label=${t('panel-flow')}>
        <defs><marker id="flow-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8"
          orient="auto"><path d="M0 0 L8 4 L0 8 z"></path></marker></defs>
        ${stations.flatMap((station) => station.from.map((id) => arrow(
          /** @type {Placed} */ (stations.find((other) => other.id === id)), station)))}
        ${stations.map((station) => box(frame, stations, station))}
      </svg>
    </div>
    <p class="note">${t('flow-about')} ${stations.some(({ id }) => isFresh(frame, id)) ? t('flow-fresh-about') : nothing}</p>`;
}

/** @param {string} text @param {'on' | 'off'} value @param {boolean} chosen */
function button(text, value, chosen) {
  return html`<button type="button" data-act="unfolded" data-value=${value}
    aria-pressed=${chosen ? 'true' : 'false'}>${text}</button>`;
}

/** Whether a station is new in the chapter that is open. @param {Frame} frame @param {string} id */
function isFresh({ state, chapters }, id) {
  return chapters[chapterOf(chapters, state.document.example)]?.fresh.includes(id) ?? false;
}

/** @param {Placed} station */
function corner({ column, lane }) {
  return [MARGIN + column * COLUMN, TOP + lane * LANE];
}

/**
 * From the right of one to the left of the other; over several columns it stays in its lane up to the last.
 * @param {Placed} from @param {Placed} to
 */
function arrow(from, to) {
  const [[fromX, fromY], [toX, toY]] = [corner(from), corner(to)];
  const [startX, startY, endX, endY] = [fromX + WIDTH, fromY + HEIGHT / 2, toX - 1, toY + HEIGHT / 2];
  const turnX = Math.max(startX, endX - (COLUMN - WIDTH) - (from.lane === to.lane ? 0 : 34));
  const bend = (endX - turnX) / 2;
  return svg`<path class="flow-line" marker-end="url(#flow-arrow)" aria-hidden="true"
    d="M${startX} ${startY} H${turnX} C${turnX + bend} ${startY} ${endX - bend} ${endY} ${endX} ${endY}"></path>`;
}

/** @param {Frame} frame @param {Placed[]} stations @param {Placed} station */
function box(frame, stations, station) {
  const { state, derived, ui, t } = frame;
  const { id, tensor, trainable } = station;
  const [x, y] = corner(station);
  const middle = x + WIDTH / 2;
  const name = t(`flow-${id}`);
  const shape = shapeOf(frame, station);
  const masked = derived.masked ? 'yes' : 'no';
  const code = trainable ? t('flow-trainable') : t(`flow-code-${id}`, { masked });
  const next = stations.filter(({ from }) => from.includes(id)).map((other) => t(`flow-${other.id}`)).join(', ');
  const here = ui.focus?.grid === gridOf(tensor, state.view.head) && id !== 'mask' && id !== 'sum';
  const fresh = isFresh(frame, id);
  const sized = fresh ? t('flow-fresh-name', { shape }) : shape;
  return svg`<g class="station ${fresh ? 'fresh' : ''} ${trainable ? 'trainable' : ''} ${here ? 'here' : ''}" role="button" tabindex="0"
      data-act="station" data-value=${tensor}
      aria-label=${t(next ? 'flow-station' : 'flow-station-last', { name, code, shape: sized, next })}>
    <rect x=${x} y=${y} width=${WIDTH} height=${HEIGHT} rx="8"></rect>
    <text class="name" x=${middle} y=${y + 19}>${name}</text>
    <text class="code" x=${middle} y=${y + 37}>${code}</text>
    <text class="shape" x=${middle} y=${y + 55}>${shape}</text>
    ${fresh ? svg`<text class="flag" x=${middle} y=${y - 4}>${t('flow-fresh')}</text>` : nothing}
  </g>`;
}

/** "6 × 4"; of a product both sizes; of three matrices that of each. @param {Frame} frame @param {Placed} station */
function shapeOf({ tensors, derived, t }, { id, tensor, times }) {
  if (derived.question?.form.type === 'shape' && !derived.question.revealed) return HIDDEN;
  const { shape } = tensors[tensor];
  if (times) return `(${derived.nTokens}×${derived.nTokens}) (${derived.nTokens}×${derived.headDim})`;
  const size = (derived.heads > 1 ? shape.slice(shape.length === 2 ? 0 : 1) : shape.slice(-2)).join(' × ');
  return id === 'matrices' ? t('flow-each', { size }) : size;
}
