/**
 * NumPy's .npy files: reads versions 1 to 3 with floats and integers of 4 and 8 bytes, in C and in Fortran order; writes
 * version 1, float32. The header is believed only as far as the bytes bear it out. Nothing is evaluated: object arrays,
 * which are pickled Python, are refused. Format: numpy.lib.format. Next to read: arrays.js, npz.js.
 */

import { ELEMENTS, countOf, inWords, problem, quoted, readBlock, tooLarge } from './arrays.js';

/** @typedef {import('./arrays.js').Problem} Problem */

const MAGIC = '\x93NUMPY';
const TYPES = /** @type {Record<string, string>} */ ({ '<f4': 'float32', '<f8': 'float64', '<i4': 'int32', '<i8': 'int64' });

/** The start of a file that is enough for every header that is read here. */
export const MAX_HEADER = 12 + 65536;

const latin = (/** @type {Uint8Array} */ bytes) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');

/**
 * What a header says. `bytes` may be the start of a file only.
 * @param {Uint8Array} bytes
 * @returns {{ type: string, columnsFirst: boolean, shape: number[], start: number } | Problem} start: of the numbers
 */
export function readHeader(bytes) {
  const magic = latin(bytes.subarray(0, 6));
  if (magic !== MAGIC) return problem('problem-npy-magic', { got: quoted(magic) });
  const version = bytes[6];
  if (bytes.length < 10 || (version !== 1 && bytes.length < 12)) return problem('problem-npy-cut', { got: bytes.length });
  if (![1, 2, 3].includes(version)) return problem('problem-npy-version', { got: version });
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [from, length] = version === 1 ? [10, view.getUint16(8, true)] : [12, view.getUint32(8, true)];
  if (length > MAX_HEADER - 12) return problem('problem-npy-header-long', { got: length, limit: MAX_HEADER - 12 });
  if (from + length > bytes.length) return problem('problem-npy-header-cut', { expected: length, got: bytes.length - from });
  const text = latin(bytes.subarray(from, from + length));
  const descr = /^\s*\{.*'descr':\s*('[^']*'|\[|\()/.exec(text)?.[1];
  const order = /'fortran_order':\s*(True|False)\b/.exec(text)?.[1];
  // Python 2 wrote sizes as 3L.
  const sizes = /'shape':\s*\(((?:\s*\d+L?\s*,)*(?:\s*\d+L?)?\s*)\)[^]*\}\s*$/.exec(text)?.[1];
  if (descr === undefined || order === undefined || sizes === undefined) {
    return problem('problem-npy-header', { got: quoted(text.trim()) });
  }
  const shape = (sizes.match(/\d+/g) ?? []).map(Number);
  const type = descr.startsWith("'") ? descr.slice(1, -1) : 'fields';
  return { type, columnsFirst: order === 'True', shape, start: from + length };
}

/**
 * @param {import('./arrays.js').Source} file @param {string} [name]
 * @returns {Promise<import('./arrays.js').Stored | Problem>}
 */
export async function readNpy(file, name = '') {
  const large = tooLarge(file.size);
  if (large) return large;
  const header = readHeader(await file.read(0, Math.min(MAX_HEADER, file.size)));
  if ('problem' in header) return header;
  const wrong = checkHeader(header, file.size);
  if (wrong) return wrong;
  const { type, columnsFirst, shape, start } = header;
  const read = async () => readBlock(await file.read(start, file.size), TYPES[type], shape, columnsFirst);
  return { name, shape, type, read };
}

/**
 * Whether a header's type can be read and its shape is as large as the numbers that follow.
 * @param {{ type: string, shape: number[], start: number }} header @param {number} size of the whole file in bytes
 * @returns {Problem | null}
 */
export function checkHeader({ type, shape, start }, size) {
  if (!Object.hasOwn(TYPES, type)) return problem('problem-npy-type', { kind: kindOf(type), got: quoted(type) });
  const expected = countOf(shape) * ELEMENTS[TYPES[type]].bytes;
  if (expected === size - start) return null;
  return problem('problem-file-length', { shape: inWords(shape), expected: String(expected), got: String(size - start) });
}

/** Of what kind a type is that cannot be read, for a sentence. @param {string} type */
function kindOf(type) {
  if (type.startsWith('>')) return 'big-endian';
  if (/^[|<=]?[b?]/.test(type)) return 'boolean';
  return /^[|<=]?O/.test(type) ? 'object' : 'other';
}

/**
 * @param {{ shape: number[], data: ArrayLike<number> }} tensor  numbers are stored as float32
 * @returns {Uint8Array} a file that numpy.load reads
 */
export function writeNpy({ shape, data }) {
  const file = start('<f4', shape, data.length * 4);
  const view = new DataView(file.bytes.buffer);
  for (let i = 0; i < data.length; i += 1) view.setFloat32(file.at + i * 4, data[i], true);
  return file.bytes;
}

/** One text of ASCII characters, as numpy.array(b'…'). @param {string} text @returns {Uint8Array} */
export function writeNpyText(text) {
  const file = start(`|S${text.length}`, [], text.length);
  for (let i = 0; i < text.length; i += 1) file.bytes[file.at + i] = text.charCodeAt(i);
  return file.bytes;
}

/** @param {Uint8Array} bytes @returns {string | null} the text, null if the file holds something else */
export function readNpyText(bytes) {
  const header = readHeader(bytes);
  if ('problem' in header || header.type !== `|S${bytes.length - header.start}` || header.shape.length > 0) return null;
  return latin(bytes.subarray(header.start));
}

/** A file with its header written. @param {string} type @param {number[]} shape @param {number} size of what follows */
function start(type, shape, size) {
  const tuple = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const text = `{'descr': '${type}', 'fortran_order': False, 'shape': (${tuple}), }`;
  // The numbers begin at a multiple of 64 bytes, as NumPy has it.
  const at = Math.ceil((10 + text.length + 1) / 64) * 64;
  const header = `${MAGIC}\x01\x00${String.fromCharCode((at - 10) & 255, (at - 10) >> 8)}${text.padEnd(at - 11)}\n`;
  const bytes = new Uint8Array(at + size);
  for (let i = 0; i < at; i += 1) bytes[i] = header.charCodeAt(i);
  return { bytes, at };
}
