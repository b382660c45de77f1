/**
 * "Which rows of weights change when the mask is switched?" Answered by a second run with the mask the other way; a row
 * changes if a weight of it does, in any head, by more than rounding. Next to read: ../questions.js.
 */

import { headsInForce, sizesOf } from '../state.js';
import { over } from './draws.js';

/** What two runs of single precision may be apart and still be the same, for weights of the usual size. */
const ROUNDING = 1e-6;

/** @type {import('../questions.js').Kind} */
export const maskChanges = {
  id: 'mask-changes',
  here: (doc) => doc.tokens.length > 1 && doc.fault === 'none',
  ask(doc) {
    const { nTokens } = sizesOf(doc);
    const perHead = nTokens * nTokens;
    return {
      form: { type: 'rows', several: true }, row: null, head: null, panels: [], shows: null, traces: [],
      words: { on: doc.causal ? 'off' : 'on' },
      hides: [over('masking'), over('pinned')],
      beside: { ...doc, causal: !doc.causal },
      answer: ({ apart }) => {
        const moved = (/** @type {number} */ row) => Array.from({ length: headsInForce(doc) }, (_, head) => head * perHead + row * nTokens)
          .some((start) => apart?.subarray(start, start + nTokens).some((difference) => Math.abs(difference) > ROUNDING));
        const right = [...Array(nTokens).keys()].filter(moved);
        return { right, words: { count: right.length, last: right.includes(nTokens - 1) ? 'yes' : 'no', source: doc.source } };
      },
    };
  },
};
