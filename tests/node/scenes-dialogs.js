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
  ['a link with its QR code', { kind: 'share', url, length: 30, limit: 1900, qr, local: false, said: 'Copied.' }],
  ['a link without', { kind: 'share', url, length: 900, limit: 1900, qr: null, local: false, said: '' }],
  ['a link of a file', { kind: 'share', url, length: 900, limit: 1900, qr: null, local: true, said: '' }],
  ['a state that is too long', { kind: 'share', url: null, length: 4000, limit: 1900, qr: null, local: false, said: '' }],
  ['open', { kind: 'open', name: null, arrays: [], find: '', summary: '', ready: false, said: 'It is no file.' }],
  ['an array', {
    kind: 'open', name: 'a.npy', summary: 'It fits.', ready: true, said: '', find: '',
    arrays: [
      { name: '', shape: '3 × 2', place: 'inputs', transpose: false, why: '', stays: false },
      { name: 'w', shape: '2', place: '', transpose: true, why: '', stays: false },
      { name: 'h', shape: '768 × 768', place: '', transpose: false, why: 'It is too large.', stays: false },
    ],
  }],
  ['a model', {
    kind: 'open', name: 'model.safetensors', summary: 'It fits.', ready: true, said: '', find: 'h.1',
    arrays: Array.from({ length: 149 }, (_, i) => ({
      name: `h.${i}.q_proj.weight`, shape: '2 × 3', place: i === 148 ? 'w_query' : '', transpose: true, why: i % 2 ? 'It is too large.' : '',
      stays: i === 148,
    })),
  }],
  ['export', { kind: 'export', tensor: 'inputs', said: '' }],
];

/** @param {{ toy: State, heads: State }} states @returns {[string, State, Changes?][]} */
export function dialogConditions({ toy, heads }) {
  return [
    ...DIALOGS.flatMap(([name, dialog]) => [toy, heads].map((state) =>
      /** @type {[string, State, Changes]} */ ([name, state, { ui: { dialog } }]))),
    ['export with a bug planted', { ...toy, document: { ...toy.document, fault: 'weight_altered' } }, { ui: { dialog: { kind: 'export', tensor: 'outputs', said: '' } } }],
    ['restored', toy, { ui: { notice: { kind: 'restored', text: 'As it was.' } } }],
  ];
}
