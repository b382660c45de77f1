/**
 * Arrays of numbers as they lie in files: element types, sizes checked before anything is reserved, and the step from an
 * array to the rows of a matrix. Numbers are read only when asked for, so that a large file costs little until then.
 * Pure. Next to read: npy.js, npz.js, safetensors.js, which list the arrays of a file in this form.
 */

/**
 * @typedef {import('../model/update.js').Message} Message
 * @typedef {{ problem: Message }} Problem  why nothing was read: what was expected and what came
 * @typedef {{ data: Float64Array } | Problem} Read  row-major; every number fits a float32
 *
 * @typedef {object} Stored  one array of a file
 * @property {string} name     '' if the file holds one array without a name
 * @property {number[]} shape
 * @property {string} type     as the file calls it
 * @property {() => Read} read
 * @typedef {{ arrays: Stored[], refused: { name: string, problem: Message }[] }} Listed  what can be read, and what not
 */

/** Files larger than this are refused, as are archives that would unpack to more. */
export const MAX_BYTES = 100e6;

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
 * The rows of an array, for a grid. Leading sizes of 1 do not count, so that [1, T, d_in] is T × d_in; a vector is one
 * row. Sizes are checked before any number is read.
 * @param {Stored} stored
 * @param {{ transpose?: boolean, maxRows: number, maxColumns: number }} how
 *   transpose: the file holds nn.Linear weights, [d_out][d_in], and the rows wanted are [d_in][d_out]
 * @returns {{ rows: number[][] } | Problem}
 */
export function matrixOf({ shape, read }, { transpose = false, maxRows, maxColumns }) {
  const extra = Math.max(0, shape.length - 2);
  if (shape.length === 0 || countOf(shape.slice(0, extra)) !== 1) return problem('problem-not-matrix', { shape: inWords(shape) });
  const [height, width] = shape.length === 1 ? [1, shape[0]] : shape.slice(extra);
  const [nRows, nColumns] = transpose ? [width, height] : [height, width];
  if (nRows === 0 || nColumns === 0) return problem('problem-matrix-empty', { shape: inWords([nRows, nColumns]) });
  if (nRows > maxRows || nColumns > maxColumns) {
    return problem('problem-matrix-large', { shape: inWords([nRows, nColumns]), limit: inWords([maxRows, maxColumns]) });
  }
  const numbers = read();
  if ('problem' in numbers) return numbers;
  const at = (/** @type {number} */ i, /** @type {number} */ j) => numbers.data[transpose ? j * width + i : i * width + j];
  return { rows: Array.from({ length: nRows }, (_, i) => Array.from({ length: nColumns }, (__, j) => at(i, j))) };
}
