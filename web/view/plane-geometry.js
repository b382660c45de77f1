/**
 * Where things stand in the plane: the ends and ticks of its axes, places of numbers and numbers of places, the hull of
 * some points, a spoke, a place for each label. Pure, and about pictures alone: no tensor's number is made here.
 * Next to read: plane.js, which draws; ../app/plane-points.js, which reads places back.
 */

/**
 * @typedef {[number, number]} Pair  of numbers or of places: across, up; or the two ends of an axis
 * @typedef {[Pair, Pair]} Ends    of the axis across and of the one up
 */

/** The picture's side and where the square of the plot stands in it. */
export const SIDE = 360;
const LEFT = 46;
const TOP = 10;
export const PLOT = { left: LEFT, right: SIDE - 10, top: TOP, bottom: TOP + SIDE - 10 - LEFT };

/**
 * Ends for an axis: round numbers with 0 and all the given ones between them, and room around to move a point.
 * @param {number[]} numbers @returns {Pair}
 */
export function endsOf(numbers) {
  const [low, high] = [Math.min(0, ...numbers), Math.max(0, ...numbers)];
  if (low === high) return [-1, 1];
  const step = tickStep([low, high]);
  const room = (high - low) / 10;
  return [round(Math.floor((low - room) / step) * step), round(Math.ceil((high + room) / step) * step)];
}

/**
 * Ends that were held, unless a number has left them.
 * @param {Pair | undefined} held @param {number[]} numbers @returns {Pair}
 */
export function keptEnds(held, numbers) {
  return held && numbers.every((number) => number >= held[0] && number <= held[1]) ? held : endsOf(numbers);
}

/** Some five steps of 1, 2 or 5 times a power of ten. @param {Pair} ends */
export function tickStep([low, high]) {
  const rough = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  return round(([1, 2, 5].find((factor) => factor * power >= rough * 0.7) ?? 10) * power);
}

/** @param {Pair} ends @returns {number[]} */
export function ticksOf(ends) {
  const step = tickStep(ends);
  const [first, last] = [Math.ceil(ends[0] / step), Math.floor(ends[1] / step)];
  return Array.from({ length: last - first + 1 }, (_, i) => round((first + i) * step));
}

/** Where a pair of numbers stands. @param {Ends} ends @param {Pair} numbers @returns {Pair} */
export function placeOf([across, up], [x, y]) {
  const share = (/** @type {number} */ number, /** @type {Pair} */ [low, high]) => (number - low) / (high - low);
  return [
    PLOT.left + share(x, across) * (PLOT.right - PLOT.left),
    PLOT.bottom - share(y, up) * (PLOT.bottom - PLOT.top),
  ];
}

/** The numbers of a place, kept within the axes. @param {Ends} ends @param {Pair} place @returns {Pair} */
export function numbersAt([across, up], [x, y]) {
  const number = (/** @type {number} */ share, /** @type {Pair} */ [low, high]) =>
    low + Math.min(1, Math.max(0, share)) * (high - low);
  return [
    number((x - PLOT.left) / (PLOT.right - PLOT.left), across),
    number((PLOT.bottom - y) / (PLOT.bottom - PLOT.top), up),
  ];
}

/**
 * The corners of the convex hull of points, in order around it (Andrew's monotone chain).
 * @param {Pair[]} points @returns {Pair[]}
 */
export function hullOf(points) {
  const sorted = [...points].sort(([ax, ay], [bx, by]) => ax - bx || ay - by);
  const chain = (/** @type {Pair[]} */ along) => {
    /** @type {Pair[]} */
    const corners = [];
    for (const point of along) {
      while (corners.length > 1 && turn(corners[corners.length - 2], corners[corners.length - 1], point) <= 0) {
        corners.pop();
      }
      corners.push(point);
    }
    return corners.slice(0, -1);
  };
  return sorted.length < 2 ? sorted : [...chain(sorted), ...chain(sorted.reverse())];
}

/** How far a point lies outside of a hull; 0 within it. @param {Pair[]} hull @param {Pair} point */
export function outside(hull, point) {
  const sides = hull.map((corner, i) => /** @type {[Pair, Pair]} */ ([corner, hull[(i + 1) % hull.length]]));
  if (hull.length > 2 && sides.every(([from, to]) => turn(from, to, point) >= 0)) return 0;
  return Math.min(...sides.map(([from, to]) => distance(point, nearestOn(from, to, point))));
}

/**
 * A spoke as a thin four-sided shape.
 * @param {Pair} from @param {Pair} to @param {number} thickness @returns {Pair[]}
 */
export function spoke(from, to, thickness) {
  const length = distance(from, to) || 1;
  const half = thickness / 2 / length;
  const [x, y] = [(to[1] - from[1]) * half, (from[0] - to[0]) * half];
  return [[from[0] + x, from[1] + y], [to[0] + x, to[1] + y], [to[0] - x, to[1] - y], [from[0] - x, from[1] - y]];
}

/**
 * A place beside each point for its label, where it covers no point and no other label, has no other point on the way to
 * its own, and stays in the plot; null where there is none.
 * @param {{ at: Pair, text: string }[]} labels @param {Pair[]} others  further points, small ones
 * @returns {({ x: number, y: number, anchor: 'start' | 'end' | 'middle' } | null)[]}
 */
export function labelPlaces(labels, others) {
  const around = (/** @type {Pair} */ [x, y], /** @type {number} */ half) =>
    ({ left: x - half, right: x + half, top: y - half, bottom: y + half });
  const taken = [...labels.map(({ at }) => around(at, 10)), ...others.map((at) => around(at, 5))];
  return labels.map(({ at: [x, y], text }) => {
    const width = [...text].length * 7.2;
    const choices = /** @type {const} */ ([
      { x: x + 18, y, anchor: 'start', left: x + 16 }, { x: x - 18, y, anchor: 'end', left: x - 18 - width },
      { x, y: y - 22, anchor: 'middle', left: x - width / 2 }, { x, y: y + 22, anchor: 'middle', left: x - width / 2 },
    ]);
    for (const choice of choices) {
      const box = { left: choice.left, right: choice.left + width, top: choice.y - 8, bottom: choice.y + 8 };
      const inside = box.left > PLOT.left && box.right < SIDE && box.top > 0 && box.bottom < PLOT.bottom;
      const way = {
        left: choice.anchor === 'start' ? x : box.left, right: choice.anchor === 'end' ? x : box.right,
        top: Math.min(y, box.top), bottom: Math.max(y, box.bottom),
      };
      const between = labels.some(({ at }) => overlap(way, around(at, 0)));
      if (!inside || between || taken.some((other) => overlap(box, other))) continue;
      taken.push(box);
      return { x: choice.x, y: choice.y, anchor: choice.anchor };
    }
    return null;
  });
}

/** @typedef {{ left: number, right: number, top: number, bottom: number }} Box */

/** @param {Box} a @param {Box} b */
function overlap(a, b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** Positive if one turns left at b on the way from a to c. @param {Pair} a @param {Pair} b @param {Pair} c */
function turn(a, b, c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/** @param {Pair} from @param {Pair} to @param {Pair} point @returns {Pair} */
function nearestOn(from, to, point) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const along = ((point[0] - from[0]) * dx + (point[1] - from[1]) * dy) / (dx * dx + dy * dy || 1);
  const share = Math.min(1, Math.max(0, along));
  return [from[0] + share * dx, from[1] + share * dy];
}

/** @param {Pair} a @param {Pair} b */
function distance(a, b) {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

/** Without the noise of binary fractions: 0.30000000000000004 → 0.3. @param {number} number */
function round(number) {
  return Number(number.toPrecision(12));
}
