// The one comparator of all checks: |got − want| ≤ atol + rtol·|want|, NaN never equal, infinities equal only to
// themselves. Must stay this strict: tests/node/compare.test.js proves what it rejects. Read next: answers.js.

/**
 * @typedef {{ atol?: number, rtol?: number }} Tolerance both 0 if left out: bit for bit but for the sign of zero
 *
 * @typedef {object} Comparison one list of numbers held against another
 * @property {string} what
 * @property {number} apart the largest |got − want|
 * @property {string | null} problem the first difference beyond the tolerance, in words; null if there is none
 */

/**
 * The first difference beyond the tolerance, in words; null if there is none.
 * @param {ArrayLike<number>} got
 * @param {ArrayLike<number>} want
 * @param {Tolerance} [tolerance]
 * @returns {string | null}
 */
export function difference(got, want, { atol = 0, rtol = 0 } = {}) {
  if (got.length !== want.length) return `${want.length} numbers expected, got ${got.length}`;
  for (let i = 0; i < want.length; i++) {
    if (Object.is(got[i], want[i]) && !Number.isNaN(got[i])) continue;
    const gap = Math.abs(got[i] - want[i]);
    // Written so that NaN fails it; a gap of infinity fails whatever rtol·|want| is.
    if (!(gap <= atol + rtol * Math.abs(want[i]) && gap < Infinity)) {
      return `[${i}]: expected ${want[i]}, got ${got[i]} (apart by ${gap}, allowed ${atol} + ${rtol}·|expected|)`;
    }
  }
  return null;
}

/**
 * How far two lists are apart: the largest |got − want|; NaN where it cannot be said.
 * @param {ArrayLike<number>} got
 * @param {ArrayLike<number>} want
 */
export function apart(got, want) {
  if (got.length !== want.length) return NaN;
  let largest = 0;
  for (let i = 0; i < want.length; i++) {
    if (Object.is(got[i], want[i])) continue;
    const gap = Math.abs(got[i] - want[i]);
    if (Number.isNaN(gap)) return NaN;
    largest = Math.max(largest, gap);
  }
  return largest;
}

/**
 * @param {string} what
 * @param {ArrayLike<number>} got
 * @param {ArrayLike<number>} want
 * @param {Tolerance} [tolerance]
 * @returns {Comparison}
 */
export function compare(what, got, want, tolerance) {
  return { what, apart: apart(got, want), problem: difference(got, want, tolerance) };
}
