/**
 * The .safetensors files in which models are passed on: a JSON header that names tensors, then their bytes. Reading lists
 * the tensors; numbers are read when asked for. The header is held against the format's own rules first: no gaps, no
 * overlaps, no bytes left over. Next to read: arrays.js, whose matrixOf turns nn.Linear weights round.
 */

import { ELEMENTS, countOf, inWords, partOf, problem, quoted, readBlock, tooLarge } from './arrays.js';

/** @typedef {import('./arrays.js').Problem} Problem */

const TYPES = /** @type {Record<string, string>} */ ({ F32: 'float32', F16: 'float16', BF16: 'bfloat16' });
/** Room for 20 thousand tensors. */
const MAX_HEADER = 2e6;

/** @param {import('./arrays.js').Source} file @returns {Promise<import('./arrays.js').Listed | Problem>} */
export async function readSafetensors(file) {
  const large = tooLarge(file.size);
  if (large) return large;
  if (file.size < 8) return problem('problem-safetensors-cut', { expected: 8, got: file.size });
  const start = await file.read(0, 8);
  const size = Number(new DataView(start.buffer, start.byteOffset, 8).getBigUint64(0, true));
  if (size > file.size - 8) return problem('problem-safetensors-cut', { expected: String(size), got: file.size - 8 });
  if (size > MAX_HEADER) return problem('problem-safetensors-long', { got: size, limit: MAX_HEADER });
  const text = await file.read(8, 8 + size);
  const header = headerOf(text);
  if (!header) return problem('problem-safetensors-header', { got: quoted(new TextDecoder().decode(text.subarray(0, 60))) });
  const body = partOf(file, 8 + size, file.size);
  /** @type {import('./arrays.js').Listed} */
  const listed = { arrays: [], refused: [] };
  const needed = header.reduce((most, { to }) => Math.max(most, to), 0);
  if (needed > body.size) return problem('problem-safetensors-short', { expected: needed, got: body.size });
  let end = 0;
  for (const { name, type, shape, from, to } of header) {
    if (from !== end || to < from) return problem('problem-safetensors-place', { name: quoted(name) });
    end = to;
    const element = Object.hasOwn(TYPES, type) ? TYPES[type] : null;
    const expected = element && countOf(shape) * ELEMENTS[element].bytes;
    if (!element) {
      listed.refused.push({ name, ...problem('problem-safetensors-type', { name: quoted(name), got: quoted(type) }) });
    } else if (expected !== to - from) {
      return problem('problem-file-length', { shape: inWords(shape), expected: String(expected), got: String(to - from) });
    } else {
      listed.arrays.push({ name, shape, type, read: async () => readBlock(await body.read(from, to), element, shape) });
    }
  }
  if (end !== body.size) return problem('problem-safetensors-rest', { got: body.size - end });
  if (listed.arrays.length > 0) return listed;
  return listed.refused.length > 0 ? { problem: listed.refused[0].problem } : problem('problem-safetensors-empty');
}

/**
 * The tensors that a header names, in the order of their bytes; null if it is no such header.
 * @param {Uint8Array} bytes
 */
function headerOf(bytes) {
  const header = parsed(bytes);
  if (!isRecord(header)) return null;
  const tensors = Object.entries(header).filter(([name]) => name !== '__metadata__').map(([name, entry]) => {
    if (!isRecord(entry) || typeof entry.dtype !== 'string') return null;
    const { dtype, shape, data_offsets: offsets } = entry;
    if (!isSizes(shape) || !isSizes(offsets) || offsets.length !== 2) return null;
    return { name, type: dtype, shape, from: offsets[0], to: offsets[1] };
  });
  if (tensors.some((tensor) => tensor === null)) return null;
  return tensors.flatMap((tensor) => tensor ?? []).sort((a, b) => a.from - b.from || a.to - b.to);
}

/** @param {Uint8Array} bytes @returns {unknown} undefined if it is not JSON */
function parsed(bytes) {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // Not UTF-8 or not JSON: the caller says so, with what came.
    return undefined;
  }
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isRecord = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** @param {unknown} value @returns {value is number[]} */
const isSizes = (value) => Array.isArray(value) && value.every((size) => Number.isSafeInteger(size) && size >= 0);
