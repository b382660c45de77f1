/**
 * Text and numbers as few bytes, exact: a number takes 2 bytes if it is a short decimal, 4 if it is a float32, else 8.
 * Deflated, with a checksum in front, as base64url. Bytes that were not packed here are refused before anything large
 * is made of them. Next to read: link.js.
 */

import { deflateSync, inflateSync } from 'fflate';
import { crc32 } from '../engine/checksum.js';
import { refuse } from '../model/refusal.js';

/** The forms of a number: 0 to 4 are that many decimals of a 16-bit integer. */
const DECIMALS = [0, 1, 2, 3, 4];
const FLOAT32 = 5;
const FLOAT64 = 6;

const CHECKSUM_BYTES = 4;
const COUNT_BYTES = 4;
/** No state is nearly as large; deflate can promise a thousand times its own size. */
const MAX_BYTES = 1 << 20;

/** @param {string} text without the character NUL @param {number[]} numbers @returns {string} base64url */
export function pack(text, numbers) {
  const [head, letters] = [new Uint8Array(COUNT_BYTES), new TextEncoder().encode(`${text}\0`)];
  new DataView(head.buffer).setUint32(0, numbers.length, true);
  const forms = numbers.map(formOf);
  const payload = numbers.map((number, i) => bytesOf(number, forms[i]));
  const body = deflateSync(joined([head, letters, Uint8Array.from(forms), ...payload]), { level: 9 });
  return toBase64(joined([checksum(body), body]));
}

/**
 * @param {string} packed
 * @returns {{ text: string, next: () => number, left: () => number }}  the numbers in turn, and how many are left
 */
export function unpack(packed) {
  const bytes = fromBase64(packed);
  const body = bytes.subarray(CHECKSUM_BYTES);
  if (checksum(body).some((byte, i) => byte !== bytes[i])) refuse({ id: 'problem-link-damaged' });
  const whole = inflated(body);
  const end = whole.indexOf(0, COUNT_BYTES);
  if (end < 0) refuse({ id: 'problem-link-damaged' });
  const view = new DataView(whole.buffer, whole.byteOffset, whole.length);
  const count = view.getUint32(0, true);
  let [taken, place] = [0, end + 1 + count];
  const next = () => {
    const form = whole[end + 1 + taken];
    const size = sizeOf(form);
    if (taken === count || !(place + size <= whole.length)) refuse({ id: 'problem-link-damaged' });
    const number = numberAt(view, place, form);
    taken += 1;
    place += size;
    return number;
  };
  return { text: new TextDecoder().decode(whole.subarray(COUNT_BYTES, end)), next, left: () => count - taken };
}

/** The shortest form that gives back the very same number, the sign of 0 too. @param {number} number */
function formOf(number) {
  const decimals = DECIMALS.find((places) => {
    const scaled = Math.round(number * 10 ** places);
    return Math.abs(scaled) <= 32767 && Object.is(scaled / 10 ** places, number) && !Object.is(scaled, -0);
  });
  return decimals ?? (Object.is(Math.fround(number), number) ? FLOAT32 : FLOAT64);
}

/** @param {number} form */
function sizeOf(form) {
  return form === FLOAT64 ? 8 : form === FLOAT32 ? 4 : 2;
}

/** @param {number} number @param {number} form */
function bytesOf(number, form) {
  const bytes = new Uint8Array(sizeOf(form));
  const view = new DataView(bytes.buffer);
  if (form === FLOAT64) view.setFloat64(0, number, true);
  else if (form === FLOAT32) view.setFloat32(0, number, true);
  else view.setInt16(0, Math.round(number * 10 ** form), true);
  return bytes;
}

/** @param {DataView} view @param {number} place @param {number} form */
function numberAt(view, place, form) {
  if (form === FLOAT64) return view.getFloat64(place, true);
  if (form === FLOAT32) return view.getFloat32(place, true);
  return view.getInt16(place, true) / 10 ** form;
}

/** @param {Uint8Array} bytes */
function checksum(bytes) {
  const sum = new Uint8Array(CHECKSUM_BYTES);
  new DataView(sum.buffer).setUint32(0, parseInt(crc32(bytes), 16));
  return sum;
}

/** @param {Uint8Array} body @returns {Uint8Array} */
function inflated(body) {
  let whole;
  try {
    whole = inflateSync(body, { out: new Uint8Array(MAX_BYTES) });
  } catch {
    return refuse({ id: 'problem-link-damaged' });
  }
  if (whole.length <= COUNT_BYTES || whole.length === MAX_BYTES) refuse({ id: 'problem-link-damaged' });
  return whole;
}

/** @param {Uint8Array[]} parts */
function joined(parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let place = 0;
  for (const part of parts) {
    whole.set(part, place);
    place += part.length;
  }
  return whole;
}

/** @param {Uint8Array} bytes */
function toBase64(bytes) {
  const characters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(characters).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

/** @param {string} text */
function fromBase64(text) {
  if (!/^[\w-]+$/.test(text) || text.length % 4 === 1) refuse({ id: 'problem-link-damaged' });
  return Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (character) => character.charCodeAt(0));
}
