// Paintings of the page's dialogs and of what is said when something was restored: for scenes.js. Read next: scenes.js.

import { frameOf } from './frames.js';

/**
 * @typedef {import('../../web/model/state.js').State} State
 * @typedef {import('../../web/view/frame.js').Dialog} Dialog
 * @typedef {Parameters<typeof frameOf>[1]} Changes
 */

const url = 'https://example.org/#rows1.x';
const qr = { size: 21, path: 'M0 0h1v1H0z' };

/** @type {[string, Dialog][]} */
const DIALOGS = [
  ['a link with its QR code', { kind: 'share', url, length: 30, qr, local: false, said: 'Copied.' }],
  ['a link without', { kind: 'share', url, length: 900, qr: null, local: false, said: '' }],
  ['a link of a file', { kind: 'share', url, length: 900, qr: null, local: true, said: '' }],
  ['a state that is too long', { kind: 'share', url: null, length: 4000, qr: null, local: false, said: '' }],
  ['open', { kind: 'open', name: null, arrays: [], summary: '', ready: false, said: 'It is no file.' }],
  ['an array', {
    kind: 'open', name: 'a.npy', summary: 'It fits.', ready: true, said: '',
    arrays: [{ name: '', shape: '3 × 2', place: 'inputs', transpose: false }, { name: 'w', shape: '2', place: '', transpose: true }],
  }],
  ['export', { kind: 'export', tensor: 'inputs', said: '' }],
];

/** @param {{ toy: State, heads: State }} states @returns {[string, State, Changes?][]} */
export function dialogConditions({ toy, heads }) {
  return [
    ...DIALOGS.flatMap(([name, dialog]) => [toy, heads].map((state) =>
      /** @type {[string, State, Changes]} */ ([name, state, { ui: { dialog } }]))),
    ['restored', toy, { ui: { notice: { kind: 'restored', text: 'As it was.' } } }],
  ];
}
