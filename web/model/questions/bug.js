/**
 * "Where is the bug?", of the mystery bug that a seed has planted; its name is hidden where bugs are named, and the wrong
 * numbers are there to be looked at. Next to read: ../mystery.js, ../questions.js.
 */

import { ROW_STAGES, STAGES, placeOf } from '../mystery.js';

/** @type {import('../questions.js').Kind} */
export const bug = {
  id: 'bug',
  here: (doc) => doc.mystery !== null,
  brings: true,
  ask: (doc) => ({
    form: { type: 'places', places: [...STAGES, ...ROW_STAGES.flatMap((stage) => doc.tokens.map((_, row) => `${stage}:${row}`))] },
    words: { seed: String(doc.mystery) }, row: null, head: null, panels: ['routes'], shows: null, traces: [], hides: [], beside: null,
    answer: () => ({ right: placeOf(doc.fault, doc.faultPlace), words: { fault: doc.fault } }),
  }),
};
