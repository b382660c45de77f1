/**
 * The mystery bug: which one a seed chooses, and in which place each bug is to be found. Pure: the same seed in the same
 * state gives the same bug on every device. Next to read: update.js ('fault'), ../app/bug-acts.js.
 */

/** @typedef {{ fault: string, place: number }} Candidate */

/** Seeds that can be asked for. */
export const MAX_SEED = 999999;

/**
 * The bugs that can show, in the order in which the seed would have them; the first that does show is the mystery.
 * Chosen by the generator below: a shuffle (Fisher and Yates, from the end), then a place for each that has one.
 * @param {{ name: string, missing: string | null, hasPlace: boolean }[]} faults
 * @param {number} seed
 * @param {number} nTokens
 * @returns {Candidate[]}
 */
export function candidates(faults, seed, nTokens) {
  const next = generator(seed);
  const order = faults.filter(({ missing }) => missing === null);
  for (let i = order.length - 1; i > 0; i -= 1) {
    const j = Math.floor(next() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order.map(({ name, hasPlace }) => {
    const place = Math.floor(next() * nTokens);
    return { fault: name, place: hasPlace ? place : 0 };
  });
}

/**
 * Numbers in [0, 1): mulberry32, 32 bits of state, exact integer arithmetic and so the same everywhere.
 * @param {number} seed
 */
export function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** @type {Record<string, string>} */
const PLACES = {
  weight_altered: 'weights-row', term_wrong: 'blend-row', input_altered: 'inputs', softmax_columns: 'softmax',
  mask_off_by_one: 'mask', mask_after_softmax: 'mask', mask_fill_zero: 'mask', mask_fill_large: 'mask',
  scale_missing: 'scale', scale_sqrt_d_out: 'scale', query_key_swapped: 'scores', heads_reshaped: 'heads',
};

/** The names of all bugs, as the module has them. */
export const FAULTS = Object.keys(PLACES);

/** Where one may say that a bug is: the stages, and for each row its weights and its blend as "weights-row:2", from 0. */
export const STAGES = ['inputs', 'projections', 'scores', 'scale', 'mask', 'softmax', 'heads'];
export const ROW_STAGES = ['weights-row', 'blend-row'];

/** Where a bug is, in the same words. @param {string} fault @param {number} place */
export function placeOf(fault, place) {
  const stage = PLACES[fault];
  return ROW_STAGES.includes(stage) ? `${stage}:${place}` : stage;
}
