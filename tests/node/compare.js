// The one comparator of the Node tests: |got − want| ≤ atol + rtol·|want|, NaN never equal, infinities equal only to
// themselves. Must stay this strict: compare.test.js proves what it rejects. Read next: compare.test.js.

import assert from 'node:assert/strict';

/**
 * @typedef {{ atol?: number, rtol?: number }} Tolerance both 0 if left out: bit for bit but for the sign of zero
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
 * @param {ArrayLike<number>} got
 * @param {ArrayLike<number>} want
 * @param {Tolerance} [tolerance]
 * @param {string} [what]
 */
export function assertClose(got, want, tolerance = {}, what = 'numbers') {
  const found = difference(got, want, tolerance);
  assert.equal(found, null, `${what}${found}`);
}
