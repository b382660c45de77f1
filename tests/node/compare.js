// The comparator of the checks (web/engine/checks/compare.js) as an assertion. Read next: compare.test.js.

import assert from 'node:assert/strict';
import { difference } from '../../web/engine/checks/compare.js';

export { difference };

/** @typedef {import('../../web/engine/checks/compare.js').Tolerance} Tolerance */

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
