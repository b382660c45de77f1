/**
 * Numbers as text, both ways: one format for the whole page. Rounds for the eye only; computes nothing.
 * Next to read: derive.js, through which the view gets these.
 */

/** What stands for a number that nobody is to see yet: NaN, which no tensor holds. */
export const HIDDEN = '?';

/** A true minus sign, as wide as a plus. */
const MINUS = '\u2212';

/** From here on a power of ten is written, wherever the number stands: a float32 knows no more than nine figures. */
const LARGE = 1e9;

/**
 * With a fixed number of decimals: 0.5 → "0.50". Zero never carries a sign.
 * @param {number} value @param {number} digits
 */
export function fixed(value, digits) {
  const text = Math.abs(value) < LARGE ? value.toFixed(digits) : value.toExponential(digits);
  return signed(/^-0(\.0*)?$/.test(text) ? text.slice(1) : text);
}

/**
 * For a cell, which has room for a sign, two figures, the point and the decimals: what is longer loses decimals, then
 * goes to powers of ten, and never a leading figure: −123.45 → "−123.5", 1234567 → "1.2e6", 1000000 → "1e6".
 * @param {number} value @param {number} digits
 */
export function inCell(value, digits) {
  const room = Math.max(digits, 1) + 4;
  for (let decimals = digits; decimals >= 0 && Math.abs(value) < 10 ** room; decimals -= 1) {
    const text = fixed(value, decimals);
    if (text.length <= room) return text;
  }
  const power = (/** @type {number} */ decimals) => signed(value.toExponential(decimals));
  return power(1).length <= room ? power(1) : power(0);
}

/**
 * For running text: at most that many decimals, no zeros at the end: 0.5 → "0.5", 3 → "3". Only 0 is written as 0:
 * what rounds to it is "≈0".
 * @param {number} value @param {number} digits
 */
export function brief(value, digits) {
  const text = fixed(value, digits);
  if (value !== 0 && Number(text) === 0) return '≈0';
  return text.includes('.') && !text.includes('e') ? text.replace(/\.?0+$/, '') : text;
}

/** All that a float32 holds, in the fewest digits that read back as the same float32. @param {number} value */
export function exact(value) {
  return shortest(Number(plain(value)));
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
 * With at most that many figures, however large or small: 4e30 → "4e30", 0.5 → "0.5", 4e-9 → "4e−9".
 * @param {number} value @param {number} count
 */
export function figures(value, count) {
  return shortest(Number(value.toPrecision(count)));
}

/**
 * A difference: its sign and two figures: 0.25 → "+0.25", 3.1e-8 → "+3.1e−8", 0 → "0".
 * @param {number} value
 */
export function apart(value) {
  if (value === 0) return '0';
  if (!Number.isFinite(value)) return Number.isNaN(value) ? '–' : `${value < 0 ? MINUS : '+'}∞`;
  const text = figures(value, 2);
  return value > 0 ? `+${text}` : text;
}

/** Sign, digits with or without a point, a power of ten; what stands before the power is the first group. */
const NUMBER = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:e[+-]?\d+)?$/i;

/** A number as people write it, with a comma or a true minus, as programs do. @param {string} text */
const plainOf = (text) => text.trim().replace(/[\u2212\u2013\uFF0D]/g, '-').replace(',', '.');

/**
 * Read a number as people write it: decimal point or comma, true minus or hyphen, powers of ten.
 * Returns null if the text is no finite number or too large for a float32.
 * @param {string} text @returns {number | null}
 */
export function parseNumber(text) {
  const problem = numberProblem(text);
  return problem === null || problem === 'small' ? Number(plainOf(text)) : null;
}

/**
 * Why a text does not stand for a number that a float32 holds; null: it does. Small: it would become 0.
 * @param {string} text @returns {'empty' | 'text' | 'large' | 'small' | null}
 */
export function numberProblem(text) {
  const plain = plainOf(text);
  if (plain === '') return 'empty';
  const written = plain.match(NUMBER);
  if (written === null) return 'text';
  const single = Math.fround(Number(plain));
  if (!Number.isFinite(single)) return 'large';
  return single === 0 && /[1-9]/.test(written[1]) ? 'small' : null;
}

/** All that a double holds, for what is summed before it is rounded into a tensor. @param {number} value */
export function precise(value) {
  return shortest(value === 0 ? 0 : value);
}

/** In the fewest digits that read back as the same double. @param {number} value */
function shortest(value) {
  return signed(Math.abs(value) < LARGE ? String(value) : value.toExponential());
}

/** The page's one way to write signs, infinity and powers of ten: "-1.50e+30" → "−1.5e30". @param {string} text */
function signed(text) {
  return text.replace(/\.?0+(?=e)/, '').replace('e+', 'e').replace('Infinity', '∞').replace('NaN', HIDDEN).replace(/-/g, MINUS);
}
