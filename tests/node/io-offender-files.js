// Binary files that are not what they say, each with the sentence that it must get: for the readers alone and for the
// page. Read next: io-malformed.test.js, ../browser/malformed.test.js.

import { zipSync } from 'fflate';
import { writeNpy } from '../../web/io/npy.js';
import { writeNpz } from '../../web/io/npz.js';

export const bytes = (/** @type {string} */ text) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const good = writeNpy({ shape: [2, 3], data: [1, 2, 3, 4, 5, 6] });
const archive = writeNpz({ a: { shape: [2, 3], data: [1, 2, 3, 4, 5, 6] }, b: { shape: [1], data: [7] } });

/** A copy with some bytes changed. @param {Uint8Array} file @param {number} at @param {number[]} values */
export function altered(file, at, ...values) {
  const copy = file.slice();
  copy.set(values, at < 0 ? file.length + at : at);
  return copy;
}

/** A version 1 file. @param {string} header @param {number} [size] of what follows */
const npy = (header, size = 24) =>
  bytes(`\x93NUMPY\x01\x00${String.fromCharCode(header.length & 255, header.length >> 8)}${header}${'\0'.repeat(size)}`);

export const described = (/** @type {string} */ descr, shape = '(2, 3)', size = 24) =>
  npy(`{'descr': ${descr}, 'fortran_order': False, 'shape': ${shape}, }`, size);

/** A .safetensors file. @param {unknown} header @param {number} size of what follows */
function tensors(header, size) {
  const text = typeof header === 'string' ? header : JSON.stringify(header);
  return bytes(`${String.fromCharCode(text.length & 255, text.length >> 8)}${'\0'.repeat(6)}${text}${'\0'.repeat(size)}`);
}

const tensor = (/** @type {number[]} */ shape, /** @type {number} */ from, /** @type {number} */ to, dtype = 'F32') => (
  { dtype, shape, data_offsets: [from, to] });

/** Where a signature stands first. @param {Uint8Array} file @param {number[]} signature */
export const find = (file, signature) => file.findIndex((_, i) => signature.every((byte, j) => file[i + j] === byte));
const directory = find(archive, [0x50, 0x4b, 1, 2]);
const end = find(archive, [0x50, 0x4b, 5, 6]);

/** What each is, the ending of its name, its bytes, and what is said of it. @type {[string, 'npy' | 'npz' | 'safetensors', Uint8Array, RegExp][]} */
export const offenderFiles = [
  ['an empty .npy', 'npy', bytes(''), /begin with/],
  ['a .npy of another magic', 'npy', altered(good, 1, 0x4d), /begins with/],
  ['text as .npy', 'npy', bytes('<script>alert(1)</script>'), /begins with “<scrip”/],
  ['a .npy cut in its magic', 'npy', good.subarray(0, 5), /begin with/],
  ['a .npy cut after its version', 'npy', good.subarray(0, 8), /only 8 bytes/],
  ['a .npy cut in its header', 'npy', good.subarray(0, 40), /claims 118 bytes, and only 30 follow/],
  ['a .npy cut in its numbers', 'npy', good.subarray(0, good.length - 1), /takes 24 bytes, and the file has 23/],
  ['a .npy with more than it promises', 'npy', described("'<f4'", '(2, 3)', 25), /takes 24 bytes.* 25/],
  ['a .npy of version 0', 'npy', altered(good, 6, 0), /version 0; expected version 1, 2 or 3/],
  ['a .npy of version 4', 'npy', altered(good, 6, 4), /version 4/],
  ['a .npy whose version 2 header claims 4 GB', 'npy', altered(good, 6, 2, 0, 255, 255, 255, 255), /claims 4294967295 bytes; expected at most/],
  ['a .npy whose header is no dictionary', 'npy', npy('hello'), /got “hello”/],
  ['a .npy whose header is code', 'npy', npy("__import__('os').system('true')"), /expected 'descr'/],
  ['a .npy without a shape', 'npy', npy("{'descr': '<f4', 'fortran_order': False}"), /'shape'/],
  ['a .npy without an order', 'npy', npy("{'descr': '<f4', 'shape': (2, 3)}"), /'fortran_order'/],
  ['a .npy of negative size', 'npy', described("'<f4'", '(-2, 3)'), /got “/],
  ['a .npy of fractional size', 'npy', described("'<f4'", '(2.5, 3)'), /got “/],
  ['a .npy of huge size', 'npy', described("'<f4'", '(1000000000, 1000000000)'), /takes 4000000000000000000 bytes/],
  ['a .npy of endless size', 'npy', described("'<f4'", `(${'9'.repeat(400)},)`), /takes Infinity bytes/],
  ['a big-endian .npy', 'npy', described("'>f4'"), /big-endian numbers \(>f4\); expected <f4, <f8, <i4 or <i8/],
  ['a .npy of booleans', 'npy', described("'|b1'"), /true and false/],
  ['a .npy of pickled objects', 'npy', described("'|O'"), /Python objects .* never opened/],
  ['a .npy of records', 'npy', described("[('x', '<f4')]"), /“fields”/],
  ['a .npy of a type from Object.prototype', 'npy', described("'constructor'"), /“constructor”/],
  ['an empty .npz', 'npz', bytes(''), /zip archive with its directory at the end/],
  ['a .npz cut off', 'npz', archive.subarray(0, archive.length - 30), /cut off/],
  ['a .npz without entries', 'npz', zipSync({}), /holds nothing/],
  ['a .npz without arrays', 'npz', zipSync({ 'readme.txt': bytes('hello') }), /no \.npy file/],
  ['a .npz of one array that is none', 'npz', zipSync({ 'a.npy': bytes('hello') }), /begins with “hello”/],
  ['a .npz whose directory is elsewhere', 'npz', altered(archive, end + 16, 1), /damaged at file 1 of 2/],
  ['a .npz that claims 65535 files', 'npz', altered(archive, end + 10, 255, 255), /65535 files/],
  ['a .npz that claims one file too many', 'npz', altered(archive, end + 10, 3), /file 3 of 3/],
  ['a .npz that claims to unpack to 4 GB', 'npz', altered(archive, directory + 24, 255, 255, 255, 255), /more than 100 MB/],
  ['an encrypted .npz', 'npz', altered(archive, directory + 8, 1), /encrypted/],
  ['a .npz packed by another method', 'npz', altered(archive, directory + 10, 12), /unusual way/],
  ['a .npz whose entry lies outside', 'npz', altered(archive, directory + 42, 255, 255, 255), /damaged at file 1/],
  ['a .npz with one name twice', 'npz', altered(archive, find(archive.subarray(directory + 50), [...bytes('b.npy')]) + directory + 50, 97), /two files called “a.npy”/],
  ['a .safetensors of 7 bytes', 'safetensors', bytes('1234567'), /needs 8 bytes, and 7/],
  ['a .safetensors whose header claims 2⁶⁴ bytes', 'safetensors', bytes('\xff'.repeat(8)), /needs 18446744073709552000 bytes/],
  ['a .safetensors cut in its header', 'safetensors', tensors({ a: tensor([1], 0, 4) }, 4).subarray(0, 20), /12 are there/],
  ['a .safetensors whose header is no JSON', 'safetensors', tensors('{"a": ', 0), /expected JSON/],
  ['a .safetensors whose header is a list', 'safetensors', tensors([], 0), /expected JSON/],
  ['a .safetensors whose tensor is a text', 'safetensors', tensors({ a: '<b>' }, 0), /expected JSON/],
  ['a .safetensors of negative size', 'safetensors', tensors({ a: tensor([-1], 0, 4) }, 4), /expected JSON/],
  ['a .safetensors whose tensor ends before it begins', 'safetensors', tensors({ a: tensor([1], 4, 0) }, 4), /puts “a” where it cannot be/],
  ['a .safetensors whose tensors overlap', 'safetensors', tensors({ a: tensor([2], 0, 8), b: tensor([2], 4, 12) }, 12), /“b”/],
  ['a .safetensors with a gap', 'safetensors', tensors({ a: tensor([1], 0, 4), b: tensor([1], 8, 12) }, 12), /“b”/],
  ['a .safetensors whose tensor ends outside', 'safetensors', tensors({ a: tensor([2], 0, 8) }, 4), /cut off: its tensors need 8 bytes after the header, and 4 are there/],
  ['a .safetensors of huge shape', 'safetensors', tensors({ a: tensor([2 ** 40, 2 ** 40], 0, 4) }, 4), /1099511627776 × 1099511627776/],
  ['a .safetensors with bytes to spare', 'safetensors', tensors({ a: tensor([1], 0, 4) }, 9), /5 bytes that belong to no tensor/],
  ['a .safetensors without tensors', 'safetensors', tensors({ __metadata__: {} }, 0), /names no tensor/],
  ['a .safetensors of bytes', 'safetensors', tensors({ '<img>': tensor([4], 0, 4, 'U8') }, 4), /“<img>” holds elements of type “U8”/],
];
