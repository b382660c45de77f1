/**
 * Arrays of numbers as they lie in files: element types, sizes checked before anything is reserved, and the step from an
 * array to the rows of a matrix. A file is read in parts, and only those that are asked for: a large one costs no more
 * than what is wanted of it, and the page never waits. Pure: whoever calls brings the bytes. Next to read: npy.js, npz.js, safetensors.js, which list the arrays of a file in this form.
 */

/**
 * @typedef {import('../model/update.js').Message} Message
 * @typedef {{ problem: Message }} Problem  why nothing was read: what was expected and what came
 * @typedef {{ data: Float64Array } | Problem} Read  row-major; every number fits a float32
 *
 * @typedef {object} Source  a file, or a part of one
 * @property {number} size  in bytes
 * @property {(from: number, to: number) => Promise<Uint8Array>} read  all bytes from one place to before another; both lie
 *   within the size
 *
 * @typedef {object} Stored  one array of a file
 * @property {string} name     '' if the file holds one array without a name
 * @property {number[]} shape
 * @property {string} type     as the file calls it
 * @property {() => Promise<Read>} read
 * @typedef {{ arrays: Stored[], refused: { name: string, problem: Message }[] }} Listed  what can be read, and what not
 */

/** Files larger than this are refused, as are archives that would unpack to more. */
export const MAX_BYTES = 100e6;

/** Bytes that are there already. @param {Uint8Array} bytes @returns {Source} */
export const sourceOf = (bytes) => ({ size: bytes.length, read: async (from, to) => bytes.subarray(from, to) });

/** @param {Source} source @param {number} from @param {number} to @returns {Source} */
export const partOf = (source, from, to) => ({ size: to - from, read: (a, b) => source.read(from + a, from + b) });

const half = (/** @type {number} */ bits) => {
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  const size = exponent === 31 ? (fraction ? NaN : Infinity)
    : exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25);
  return bits & 0x8000 ? -size : size;
};

/** A bfloat16 is the upper half of a float32. @param {DataView} view @param {number} at */
const brain = (view, at) => {
  const single = new DataView(new ArrayBuffer(4));
  single.setUint16(2, view.getUint16(at, true), true);
  return single.getFloat32(0, true);
};

/**
 * How one number of each type lies in a file, little-endian: its bytes, and how to read it.
 * @type {Record<string, { bytes: number, at: (view: DataView, at: number) => number }>}
 */
export const ELEMENTS = {
  float16: { bytes: 2, at: (view, at) => half(view.getUint16(at, true)) },
  bfloat16: { bytes: 2, at: brain },
  float32: { bytes: 4, at: (view, at) => view.getFloat32(at, true) },
  float64: { bytes: 8, at: (view, at) => view.getFloat64(at, true) },
  int32: { bytes: 4, at: (view, at) => view.getInt32(at, true) },
  int64: { bytes: 8, at: (view, at) => Number(view.getBigInt64(at, true)) },
};

/** A problem, as every reader returns it. @param {Message['id']} id @param {Message['args']} [args] @returns {Problem} */
export const problem = (id, args) => ({ problem: args ? { id, args } : { id } });

/** A size in words: "2 × 3". @param {number[]} shape */
export const inWords = (shape) => (shape.length === 0 ? '1' : shape.join(' × '));

/** Text of a file in a sentence: cut, and without what cannot be printed. @param {string} text */
export const quoted = (text) => {
  const plain = text.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '·');
  return [...plain].length > 60 ? `${[...plain].slice(0, 60).join('')}…` : plain;
};

/** How many numbers a shape has; what is beyond exact integers is as good as infinite. @param {number[]} shape */
export const countOf = (shape) => (shape.includes(0) ? 0 : shape.reduce((product, size) => product * size, 1));

/**
 * Whether a file may be opened at all, asked before its bytes are read.
 * @param {number} size in bytes @returns {Problem | null}
 */
export function tooLarge(size) {
  if (size <= MAX_BYTES) return null;
  return problem('problem-file-large', { size: Math.ceil(size / 1e5) / 10, limit: MAX_BYTES / 1e6 });
}

/**
 * Read a block of numbers. Its length must have been held against the shape before.
 * @param {Uint8Array} bytes @param {string} element of ELEMENTS @param {number[]} shape
 * @param {boolean} [columnsFirst] whether the first index runs fastest, as in Fortran
 * @returns {Read}
 */
export function readBlock(bytes, element, shape, columnsFirst = false) {
  const { bytes: size, at } = ELEMENTS[element];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const data = new Float64Array(countOf(shape));
  const strides = columnsFirst ? stridesOfColumnsFirst(shape) : null;
  const index = shape.map(() => 0);
  for (let i = 0, from = 0; i < data.length; i += 1) {
    const value = at(view, (strides ? from : i) * size);
    // The module keeps float32: what overflows there is refused here, with its place.
    if (!Number.isFinite(Math.fround(value))) return notFinite(value, i, shape);
    data[i] = value;
    if (strides) from = next(index, from, shape, strides);
  }
  return { data };
}

/** How far apart neighbours along each axis are if the first index runs fastest. @param {number[]} shape */
function stridesOfColumnsFirst(shape) {
  return shape.map((_, axis) => countOf(shape.slice(0, axis)));
}

/**
 * Step an index to the next element in row-major order; returns where that one lies.
 * @param {number[]} index stepped in place @param {number} from @param {number[]} shape @param {number[]} strides
 */
function next(index, from, shape, strides) {
  let place = from;
  for (let axis = shape.length - 1; axis >= 0; axis -= 1) {
    index[axis] += 1;
    place += strides[axis];
    if (index[axis] < shape[axis]) return place;
    place -= shape[axis] * strides[axis];
    index[axis] = 0;
  }
  return place;
}

/** @param {number} value @param {number} element @param {number[]} shape */
function notFinite(value, element, shape) {
  const columns = shape.length > 0 ? shape[shape.length - 1] : 1;
  const args = { number: String(value), row: Math.floor(element / columns) + 1, column: (element % columns) + 1 };
  return problem('problem-file-number', args);
}

/**
 * Rows and columns of an array, for a grid. Leading sizes of 1 do not count, so that [1, T, d_in] is T × d_in; a vector
 * is one row.
 * @param {number[]} shape
 */
const sidesOf = (shape) => (shape.length === 1 ? [1, shape[0]] : shape.slice(-2));

/**
 * @typedef {{ transpose?: boolean, maxRows: number, maxColumns: number }} Room
 *   transpose: the file holds nn.Linear weights, [d_out][d_in], and the rows wanted are [d_in][d_out]
 */

/** Why an array of this shape is no matrix that fits; null if it is. @param {number[]} shape @param {Room} room */
export function misfit(shape, { transpose = false, maxRows, maxColumns }) {
  if (shape.length === 0 || countOf(shape.slice(0, -2)) !== 1) return problem('problem-not-matrix', { shape: inWords(shape) });
  const [height, width] = sidesOf(shape);
  const sides = transpose ? [width, height] : [height, width];
  if (sides.includes(0)) return problem('problem-matrix-empty', { shape: inWords(sides) });
  if (sides[0] <= maxRows && sides[1] <= maxColumns) return null;
  return problem('problem-matrix-large', { shape: inWords(sides), limit: inWords([maxRows, maxColumns]) });
}

/**
 * The rows of an array. Sizes are checked before any number is read.
 * @param {Stored} stored @param {Room} room
 * @returns {Promise<{ rows: number[][] } | Problem>}
 */
export async function matrixOf({ shape, read }, room) {
  const wrong = misfit(shape, room);
  if (wrong) return wrong;
  const numbers = await read();
  if ('problem' in numbers) return numbers;
  const { data } = numbers;
  const [height, width] = sidesOf(shape);
  const lines = Array.from({ length: height }, (_, i) => Array.from(data.subarray(i * width, (i + 1) * width)));
  return { rows: room.transpose ? lines[0].map((_, j) => lines.map((line) => line[j])) : lines };
}
