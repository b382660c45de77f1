/**
 * The map of a large sequence on its canvas: which part is shown, fingers, mouse, wheel and keys, and the frames that
 * the worker paints. At most one frame is asked for at a time; the next is asked with where one is then. It knows no
 * weight and no state of the page. Next to read: large.js, ../model/large.js.
 */

import { LENS, cellAt, moved, showing, stepped, wholeMap, zoomed } from '../model/large.js';

/**
 * @typedef {import('../model/large.js').Region} Region
 * @typedef {import('../model/large.js').Cell} Cell
 * @typedef {{ x: number, y: number }} Point
 */

/** A picture is no finer than that, nor larger: what it would cost is better spent on the next frame. */
const FINEST = 2;
const LARGEST = 1200;
/** A finger that has moved less has tapped. */
const STILL = 5;
/** Where keys lead, in rows and columns. @type {Record<string, readonly [number, number]>} */
const WAYS = {
  ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], PageUp: [-LENS, 0], PageDown: [LENS, 0],
  Home: [0, -Infinity], End: [0, Infinity],
};
/** How much closer a key or button goes. */
export const CLOSER = 0.6;

/**
 * @param {object} parts
 * @param {(picture: { width: number, height: number, row: number, rows: number, column: number, columns: number }) => void} parts.ask
 *   for a frame
 * @param {(cell: Cell) => void} parts.pick  a cell was chosen
 * @param {() => void} parts.shown   the part that is shown has changed
 */
export function createMap({ ask, pick, shown }) {
  /** @type {HTMLCanvasElement | null} */
  let canvas = null;
  let tokens = 1;
  let region = wholeMap(1);
  /** @type {Cell} */
  let cell = { row: 0, column: 0 };
  /** @type {{ image: ImageData, region: Region } | null}  the last frame */
  let frame = null;
  let waiting = false;
  /** @type {Map<number, Point>} */
  const fingers = new Map();
  let path = 0;
  const sizes = new ResizeObserver(() => request());

  /** @param {Region} next */
  function go(next) {
    region = next;
    hold();
    request();
    shown();
  }

  /** Where all of it is shown there is nothing to move: a finger then scrolls the page. */
  function hold() {
    canvas?.classList.toggle('whole', region.size >= tokens);
  }

  /** Ask for a frame, in the next frame of the screen. */
  function request() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      if (!canvas) return;
      const size = Math.min(LARGEST, Math.round(canvas.clientWidth * Math.min(FINEST, devicePixelRatio)));
      if (size < 1) return;
      ask({ width: size, height: size, row: region.row, rows: region.size, column: region.column, columns: region.size });
    });
  }

  /** The last frame, and around the cell that is looked at a line that stands out from every colour. */
  function draw() {
    if (!canvas || !frame) return;
    const { image, region: drawn } = frame;
    if (canvas.width !== image.width) canvas.width = canvas.height = image.width;
    const ink = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    ink.putImageData(image, 0, 0);
    const pixels = image.width / drawn.size;
    const side = Math.max(pixels, image.width / 40);
    // A cell at the edge is framed from within, if it is shown at all.
    const [x, y] = [cell.column - drawn.column, cell.row - drawn.row].map((place) => (place > -1 && place < drawn.size
      ? Math.min(Math.max((place + 0.5) * pixels - side / 2, 1), image.width - side - 1) : -2 * side));
    for (const [colour, width] of /** @type {const} */ ([['#fff', 5], ['#000', 2]])) {
      ink.strokeStyle = colour;
      ink.lineWidth = (width * image.width) / canvas.clientWidth / 1.3;
      ink.strokeRect(x, y, side, side);
    }
  }

  /** Where an event is on the map, 0 to 1. @param {{ clientX: number, clientY: number }} event */
  function pointOf({ clientX, clientY }) {
    const box = /** @type {HTMLCanvasElement} */ (canvas).getBoundingClientRect();
    return { x: (clientX - box.left) / box.width, y: (clientY - box.top) / box.height };
  }

  /** The middle of the fingers, and how far they are apart. */
  function grip() {
    const [a, b = a] = [...fingers.values()];
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, apart: Math.hypot(a.x - b.x, a.y - b.y) };
  }

  const listeners = {
    pointerdown(/** @type {PointerEvent} */ event) {
      if (event.button !== 0) return;
      canvas?.setPointerCapture(event.pointerId);
      if (fingers.size === 0) path = 0;
      fingers.set(event.pointerId, pointOf(event));
    },
    pointermove(/** @type {PointerEvent} */ event) {
      if (!fingers.has(event.pointerId) || fingers.size > 2) return;
      const before = grip();
      fingers.set(event.pointerId, pointOf(event));
      const after = grip();
      path += Math.hypot(event.movementX, event.movementY) + (fingers.size > 1 ? STILL : 0);
      const closer = before.apart > 0 && after.apart > 0 ? before.apart / after.apart : 1;
      const pulled = moved(region, tokens, (before.y - after.y) * region.size, (before.x - after.x) * region.size);
      if (path >= STILL) go(zoomed(pulled, tokens, closer, after.x, after.y));
    },
    pointerup(/** @type {PointerEvent} */ event) {
      const [here, tapped] = [pointOf(event), fingers.delete(event.pointerId) && path < STILL];
      if (tapped) pick(cellAt(region, tokens, here.x, here.y));
    },
    pointercancel(/** @type {PointerEvent} */ event) {
      fingers.delete(event.pointerId);
    },
    wheel(/** @type {WheelEvent} */ event) {
      // The wheel alone scrolls the page, as everywhere.
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const { x, y } = pointOf(event);
      go(zoomed(region, tokens, 2 ** (Math.max(-100, Math.min(100, event.deltaY)) / 150), x, y));
    },
  };

  /** @param {KeyboardEvent} event */
  function pressed(event) {
    const { key, ctrlKey, shiftKey } = event;
    if (event.altKey || event.metaKey) return;
    const factor = key === '+' || key === '=' ? CLOSER : key === '-' ? 1 / CLOSER : null;
    if (WAYS[key]) pick(stepped(WAYS[key], shiftKey || ctrlKey, cell, tokens));
    else if (factor !== null && !ctrlKey) zoomAtCell(factor);
    else if (key === '0' && !ctrlKey) go(wholeMap(tokens));
    else return;
    event.preventDefault();
  }

  /** About the cell that is looked at, if it is shown; else about the middle. @param {number} factor */
  function zoomAtCell(factor) {
    const [x, y] = [cell.column - region.column, cell.row - region.row].map((place) => (place + 0.5) / region.size);
    const seen = [x, y].every((place) => place >= 0 && place <= 1);
    const closer = zoomed(region, tokens, factor, seen ? x : 0.5, seen ? y : 0.5);
    go(seen ? showing(closer, tokens, cell) : closer);
  }

  return {
    /** Take a canvas in hand, once. @param {HTMLCanvasElement} element */
    attach(element) {
      if (canvas === element) return;
      sizes.disconnect();
      canvas = element;
      for (const [type, listener] of Object.entries(listeners)) {
        element.addEventListener(type, /** @type {EventListener} */ (listener), { passive: false });
      }
      element.addEventListener('keydown', pressed);
      sizes.observe(element);
      hold();
      draw();
    },
    request,
    region: () => region,
    /** How many cells a pixel of the picture is wide. */
    grain: () => (frame ? region.size / frame.image.width : 1),
    /** Another sequence, all of which is shown; without one, nothing. @param {number | null} count of tokens */
    open(count) {
      tokens = count ?? 1;
      region = wholeMap(tokens);
      hold();
      frame = null;
      if (canvas) canvas.width = canvas.height = 1;
      if (count !== null) request();
    },
    /** @param {Uint8ClampedArray} pixels @param {{ width: number, height: number, row: number, column: number, rows: number }} picture */
    take(pixels, { width, height, row, column, rows }) {
      const other = frame?.image.width !== width;
      frame = { image: new ImageData(/** @type {Uint8ClampedArray<ArrayBuffer>} */ (pixels), width, height), region: { row, column, size: rows } };
      draw();
      if (other) shown();
    },
    /** Look at a cell; the map follows it. @param {Cell} place */
    mark(place) {
      if (place.row === cell.row && place.column === cell.column) return;
      cell = place;
      const next = showing(region, tokens, cell);
      draw();
      if (next.row !== region.row || next.column !== region.column) go(next);
    },
    /** Move by parts of what is shown. @param {number} rows @param {number} columns */
    move: (rows, columns) => go(moved(region, tokens, rows * region.size, columns * region.size)),
    zoom: zoomAtCell,
    whole: () => go(wholeMap(tokens)),
  };
}
