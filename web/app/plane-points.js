/**
 * Pointer and keys on the points of the plane: inputs are dragged or moved by arrow keys, which edits their numbers
 * (one gesture, one step of undo); a context point chooses its row; a value opens its arithmetic. While a point has the
 * focus the axes keep their ends. Next to read: ../view/plane.js (the markup), ../view/plane-geometry.js (places).
 */

import { numbersAt, tickStep } from '../view/plane-geometry.js';

/**
 * @typedef {import('./loop.js').Loop} Loop
 * @typedef {import('../view/plane-geometry.js').Pair} Pair
 * @typedef {import('../view/plane-geometry.js').Ends} Ends
 * @typedef {{ svg: SVGSVGElement, index: number, from: Pair, gesture: number, moved: boolean, to: Pair | null }} Drag
 *   from: what the pointer must be corrected by, so that a point does not jump to it
 */

/** How near in px a press must be to a point, and how many arrow keys go from tick to tick. */
const REACH = 24;
const KEYS_PER_TICK = 4;
const FINER = 10;
const ARROWS = /** @type {Record<string, Pair>} */ ({
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1],
});

/** @param {HTMLElement} root @param {Loop} loop */
export function planePoints(root, loop) {
  /** @type {Drag | null} */
  let drag = null;
  /** @type {SVGGElement | null} */
  let pressed = null;
  /** The point that has the focus. @type {SVGGElement | null} */
  let focused = null;
  let gesture = 0;

  /** @param {Event} event @returns {SVGGElement | null} */
  const pointOf = ({ target }) => (target instanceof Element ? target.closest('g.point') : null);

  /** What a point is of, and which row. @param {Element} point @returns {[string, number]} */
  const nameOf = (point) => {
    const [kind, index] = (point.getAttribute('data-point') ?? '').split(' ');
    return [kind, Number(index)];
  };

  /** The dimensions that a plane shows. @param {SVGElement} svg @returns {number[]} */
  const axesOf = ({ dataset: { x, y } }) => (y === undefined ? [Number(x)] : [Number(x), Number(y)]);

  /** @param {SVGElement} svg @returns {Ends} */
  const endsOf = ({ dataset }) => {
    const [left, right, low, high] = (dataset.ends ?? '').split(' ').map(Number);
    return [[left, right], [low, high]];
  };

  /** How far one arrow key goes along each axis. @param {SVGElement} svg */
  const stepsOf = (svg) => endsOf(svg).map((ends) => tickStep(ends) / KEYS_PER_TICK);

  /** The point nearest to a pointer, movable ones first where several share a place. @param {MouseEvent} event */
  function nearest(event) {
    const plane = pointOf(event)?.ownerSVGElement;
    let best = /** @type {SVGGElement | null} */ (null);
    let least = REACH;
    for (const point of plane?.querySelectorAll('g.point') ?? []) {
      const { left, right, top, bottom } = /** @type {Element} */ (point.querySelector('.dot')).getBoundingClientRect();
      const far = Math.hypot(event.clientX - (left + right) / 2, event.clientY - (top + bottom) / 2)
        + (point.classList.contains('movable') ? 0 : 0.5);
      if (far < least) [best, least] = [/** @type {SVGGElement} */ (point), far];
    }
    return best;
  }

  /**
   * Where a pointer is, as numbers of the two axes.
   * @param {SVGSVGElement} svg @param {MouseEvent} event @returns {Pair}
   */
  function numbersUnder(svg, { clientX, clientY }) {
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM()?.inverse());
    return numbersAt(endsOf(svg), [x, y]);
  }

  /**
   * Write the numbers of an input's point, each rounded to a fraction of a key's step.
   * @param {SVGElement} svg @param {number} row @param {number[]} numbers @param {number} one
   */
  function write(svg, row, numbers, one) {
    const values = loop.state().document.inputs[row].slice();
    axesOf(svg).forEach((dimension, axis) => {
      const grain = stepsOf(svg)[axis] / FINER;
      values[dimension] = Number((Math.round(numbers[axis] / grain) * grain).toPrecision(7));
    });
    return loop.dispatch({ type: 'edit-row', matrix: 'inputs', row, values }, one);
  }

  /** Where an input's point is. @param {SVGElement} svg @param {number} row */
  function read(svg, row) {
    return axesOf(svg).map((dimension) => loop.state().document.inputs[row][dimension]);
  }

  /** @param {Element} point */
  function press(point) {
    const [kind, index] = nameOf(point);
    if (kind === 'context_vecs') void loop.dispatch({ type: 'row', row: index });
    const svg = /** @type {SVGGElement} */ (point).ownerSVGElement;
    if (kind !== 'values' || !svg) return;
    const { values, attn_weights } = loop.tensors();
    const first = loop.state().view.head * (values.shape[2] / attn_weights.shape[1]);
    void loop.dispatch({ type: 'inspect', cell: { tensor: 'values', indices: [0, index, first + axesOf(svg)[0]] } });
  }

  root.addEventListener('focusin', (event) => {
    const point = pointOf(event);
    if (!point) return;
    const planes = [...root.querySelectorAll('svg.plane')].map((svg) => /** @type {SVGSVGElement} */ (svg));
    const now = planes.map((svg) => [svg.dataset.plane ?? '', endsOf(svg)]);
    focused = point;
    const ends = loop.ui.held?.ends ?? Object.fromEntries(now);
    loop.ui.held = { point: point.getAttribute('data-point') ?? '', ends };
    loop.paint();
  });

  root.addEventListener('focusout', (event) => {
    const to = event.relatedTarget;
    if (!pointOf(event) || (to instanceof Element && to.closest('g.point'))) return;
    // A point that is being removed with the focus is left to 'painted'.
    queueMicrotask(() => { if (focused?.isConnected) focused = null; });
    loop.ui.held = null;
    loop.paint();
  });

  // The focus of a point that an undo took away goes to the nearest row's point of its plane, not to the page's top.
  root.addEventListener('painted', () => {
    if (!focused || focused.isConnected) return;
    const [kind, index] = nameOf(focused);
    focused = null;
    if (document.activeElement !== document.body) return;
    const rest = [...root.querySelectorAll('g.point')].filter((point) => nameOf(point)[0] === kind);
    rest.sort((a, b) => Math.abs(nameOf(a)[1] - index) - Math.abs(nameOf(b)[1] - index));
    /** @type {SVGGElement | undefined} */ (rest[0])?.focus();
  });

  root.addEventListener('pointerdown', (event) => {
    const point = event.isPrimary && event.button === 0 ? nearest(event) : null;
    pressed = point;
    const svg = point?.ownerSVGElement;
    if (!point || !svg) return;
    event.preventDefault();
    point.focus();
    if (!point.classList.contains('movable')) return;
    const [, index] = nameOf(point);
    const [under, at] = [numbersUnder(svg, event), read(svg, index)];
    svg.setPointerCapture(event.pointerId);
    gesture = loop.newGesture();
    drag = { svg, index, from: [at[0] - under[0], (at[1] ?? 0) - under[1]], gesture, moved: false, to: null };
  });

  root.addEventListener('pointermove', (event) => {
    if (!drag || !event.isPrimary) return;
    const [x, y] = numbersUnder(drag.svg, event);
    const waits = drag.to !== null;
    drag.to = [x + drag.from[0], y + drag.from[1]];
    if (!waits) requestAnimationFrame(follow);
  });

  /** Once a frame: where the pointer has got to. */
  function follow() {
    if (!drag?.to) return;
    const { svg, index, to } = drag;
    drag.to = null;
    drag.moved = true;
    void write(svg, index, to, drag.gesture);
  }

  for (const end of ['pointerup', 'pointercancel']) {
    root.addEventListener(end, () => {
      follow();
      drag = null;
    });
  }

  root.addEventListener('click', (event) => {
    // A press by assistive technology has no place.
    const point = event.detail === 0 ? pointOf(event) : nearest(event);
    if (point && (event.detail === 0 || point === pressed)) press(point);
  });

  root.addEventListener('keydown', (event) => {
    const point = pointOf(event);
    const svg = point?.ownerSVGElement;
    if (!point || !svg || event.ctrlKey || event.metaKey || event.altKey) return;
    const [kind, index] = nameOf(point);
    const arrow = ARROWS[event.key];
    if (event.key === 'Escape' && drag) {
      if (drag.moved) void loop.undo();
      drag = null;
    } else if (arrow) {
      event.preventDefault();
      if (kind === 'context_vecs') nextRow(svg, index, arrow[0] - arrow[1]);
      if (kind === 'inputs') byKey(svg, index, arrow, event);
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      press(point);
    }
  });

  /**
   * A key that is held down is one gesture.
   * @param {SVGElement} svg @param {number} index @param {Pair} arrow @param {KeyboardEvent} event
   */
  function byKey(svg, index, arrow, { shiftKey, repeat }) {
    const steps = stepsOf(svg).map((step) => step / (shiftKey ? FINER : 1));
    if (!repeat) gesture = loop.newGesture();
    if (axesOf(svg).length === 1 && arrow[0] === 0) return;
    void write(svg, index, read(svg, index).map((number, axis) => number + arrow[axis] * steps[axis]), gesture);
  }

  /**
   * The next context point is chosen and has the focus.
   * @param {SVGElement} svg @param {number} index @param {number} way
   */
  async function nextRow(svg, index, way) {
    const count = loop.state().document.tokens.length;
    const row = (index + way + count) % count;
    if (!await loop.dispatch({ type: 'row', row })) return;
    /** @type {SVGGElement | null} */ (svg.querySelector(`[data-point="context_vecs ${row}"]`))?.focus();
  }
}
