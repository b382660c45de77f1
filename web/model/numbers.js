/**
 * Numbers as text, both ways: one format for the whole page. Rounds for the eye only; computes nothing.
 * Next to read: derive.js, through which the view gets these.
 */

/** A true minus sign, as wide as a plus. */
const MINUS = '\u2212';

/**
 * With a fixed number of decimals: 0.5 → "0.50". Zero never carries a sign.
 * @param {number} value @param {number} digits
 */
export function fixed(value, digits) {
  const text = Math.abs(value) < 1e21 ? value.toFixed(digits) : value.toExponential(digits);
  return signed(/^-0(\.0*)?$/.test(text) ? text.slice(1) : text);
}

/**
 * For a cell, which has room for a sign, two figures, the point and the decimals: what is longer loses decimals, then
 * goes to powers of ten, and never a leading figure: −123.45 → "−123.5", 1234567 → "1.2e6".
 * @param {number} value @param {number} digits
 */
export function inCell(value, digits) {
  const room = Math.max(digits, 1) + 4;
  for (let decimals = digits; decimals >= 0 && Math.abs(value) < 10 ** room; decimals -= 1) {
    const text = fixed(value, decimals);
    if (text.length <= room) return text;
  }
  const power = (/** @type {number} */ decimals) => signed(value.toExponential(decimals).replace('e+', 'e'));
  return power(1).length <= room ? power(1) : power(0);
}

/**
 * For running text: at most that many decimals, no zeros at the end: 0.5 → "0.5", 3 → "3".
 * @param {number} value @param {number} digits
 */
export function brief(value, digits) {
  const text = fixed(value, digits);
  return text.includes('.') && !text.includes('e') ? text.replace(/\.?0+$/, '') : text;
}

/** All that a float32 holds, in the fewest digits that read back as the same float32. @param {number} value */
export function exact(value) {
  return signed(plain(value));
}

/** The same for programs: with a plain hyphen, as every language reads numbers; −∞ as "-Infinity". @param {number} value */
export function plain(value) {
  const single = Math.fround(value);
  for (let precision = 1; precision <= 9; precision += 1) {
    const text = single.toPrecision(precision);
    if (Math.fround(Number(text)) === single) return String(Number(text));
  }
  return String(single);
}

/**
 * A difference: its sign and two figures: 0.25 → "+0.25", 3.1e-8 → "+3.1e−8", 0 → "0".
 * @param {number} value
 */
export function apart(value) {
  if (value === 0) return '0';
  if (!Number.isFinite(value)) return Number.isNaN(value) ? '–' : `${value < 0 ? MINUS : '+'}∞`;
  const text = signed(String(Number(value.toPrecision(2))));
  return value > 0 ? `+${text}` : text;
}

/**
 * Read a number as people write it: decimal point or comma, true minus or hyphen, powers of ten.
 * Returns null if the text is no finite number or too large for a float32.
 * @param {string} text @returns {number | null}
 */
export function parseNumber(text) {
  const plain = text.trim().replace(/[\u2212\u2013\uFF0D]/g, '-').replace(',', '.');
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return null;
  const value = Number(plain);
  return Number.isFinite(Math.fround(value)) ? value : null;
}

/** All that a double holds, for what is summed before it is rounded into a tensor. @param {number} value */
export function precise(value) {
  return signed(String(value === 0 ? 0 : value));
}

/** @param {string} text */
function signed(text) {
  return text.replace('Infinity', '∞').replace(/-/g, MINUS);
}
