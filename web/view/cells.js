/**
 * Cells and headers that several grids share: how one number, one token, one dimension is shown. Pure.
 * Next to read: grid.js.
 */

import { html } from 'lit-html';
import { HIDDEN, inCell, isOutOfRange, isTiny, signedClass, tokenClass, weightClass } from '../model/derive.js';

/**
 * An attention weight on the fixed scale 0 … 1; zero, tiny and masked look different. A weight that a wrong mask let
 * through is shown: it is in the sum.
 * @param {import('./frame.js').Frame} frame @param {number} weight @param {number} row @param {number} column
 * @returns {import('./grid.js').Cell}
 */
export function weightCell(frame, weight, row, column) {
  const { state, derived, t } = frame;
  const { tokens } = state.document;
  if (Number.isNaN(weight)) return hiddenCell(t);
  if (derived.masked && column > row && weight === 0) return maskedCell(t, tokens[row], tokens[column]);
  return { text: inCell(weight, state.view.digits), kind: weightKind(weight, state.view.digits) };
}

/** The classes of an attention weight; one that the scale cannot show is marked. @param {number} weight @param {number} digits */
export function weightKind(weight, digits) {
  const kind = kindOf(weight, digits, weightClass(weight));
  return isOutOfRange(weight) ? `${kind} out-of-range` : kind;
}

/**
 * @param {import('./frame.js').Frame['t']} t @param {string} query @param {string} key
 * @returns {import('./grid.js').Cell}
 */
export function maskedCell(t, query, key) {
  return { text: '', kind: 'masked', name: t('masked-why', { query, key }), locked: true };
}

/** A number that nobody is to see yet; it cannot be edited either. @param {import('./frame.js').Frame['t']} t */
export function hiddenCell(t) {
  return { text: HIDDEN, kind: 'veiled', name: t('veiled'), locked: true };
}

/**
 * A number that may be negative, on a scale symmetric about 0.
 * @param {import('./frame.js').Frame} frame @param {number} value @param {number} limit
 * @returns {import('./grid.js').Cell}
 */
export function signedCell(frame, value, limit) {
  const { digits } = frame.state.view;
  if (Number.isNaN(value)) return hiddenCell(frame.t);
  return { text: inCell(value, digits), kind: kindOf(value, digits, signedClass(value, limit)) };
}

/** @param {number} value @param {number} digits @param {string} colour */
function kindOf(value, digits, colour) {
  if (value === 0) return `${colour} zero`;
  return isTiny(value, digits) ? `${colour} tiny` : colour;
}

/** A token: its colour, its number, its label in its own direction of writing. @param {string} label @param {number} index */
export function tokenLabel(label, index) {
  return html`<span class="token"><i class="chip ${tokenClass(index)}"></i><span class="number">${index + 1}</span>
    <bdi class="label" title=${label}>${label}</bdi></span>`;
}

/** A label in a sentence, where room is short: its first twelve characters. @param {string} label */
export function shortLabel(label) {
  const characters = [...label];
  return characters.length > 12 ? `${characters.slice(0, 11).join('')}…` : label;
}

/** A token where room is short: its colour and number. @param {number} index */
export function tokenNumber(index) {
  return html`<span class="token"><i class="chip ${tokenClass(index)}"></i>${index + 1}</span>`;
}

/**
 * Headers x₁ x₂ … for the dimensions of a matrix.
 * @param {string} letter @param {number} count @returns {import('./grid.js').Header[]}
 */
export function dimensions(letter, count) {
  return Array.from({ length: count }, (_, i) => ({ content: html`${letter}<sub>${i + 1}</sub>`, name: `${letter}${i + 1}` }));
}

/**
 * The class of a text that is set smaller, so that it is not cut: of more than four characters besides the point, and
 * one more for each decimal beyond two, for which cells are wider: "−216.8", "8.6e20", not "−0.42".
 * @param {unknown} text @param {number} digits
 */
export function longClass(text, digits) {
  return typeof text === 'string' && text.replace('.', '').length > Math.max(digits, 2) + 2 ? 'long' : '';
}

/** The class for how much room cells take: few large ones, many small ones. @param {number} count rows or columns, the larger */
export function sizeClass(count) {
  if (count <= 4) return 'large';
  return count <= 8 ? 'medium' : 'small';
}
