/**
 * What there is to learn: tasks as pure functions from random numbers in [0, 1) to sequences with their targets. Draws
 * no number itself and trains nothing. Words for a task are in the message file, under its id.
 * Next to read: ../engine/layer.js (trainStep), which learns them.
 */

/**
 * @typedef {'fetch' | 'copy' | 'fit'} TaskId
 *
 * @typedef {object} Task
 * @property {TaskId} id
 * @property {string[]} features     what the columns of inputs are, as keys of the message file; [] if nothing special
 * @property {number[][][]} inputs   [n_batch][T][d_in]
 * @property {number[][][]} targets  [n_batch][T][width of the result]; a row that is no target holds zeros
 * @property {number[]} targetRows   the tokens whose rows count, from 0
 * @property {(number | null)[]} sources  for each token the one whose payload it is to fetch, if the task is to fetch:
 *   token t is solved by all weight on sources[t]
 *
 * @typedef {object} Recipe  how a task is learnt if nobody chooses otherwise
 * @property {number} dOut
 * @property {number} bound   parameters start uniform in ±bound
 * @property {'sgd' | 'adam'} optimizer
 * @property {number} learningRate
 */

/** Sequences in a batch, and in the held-out one. */
export const SEQUENCES = 16;
const PAYLOAD = 2; // numbers to fetch for each token

const FETCH_TOKENS = 6;
const LEADERS = 2; // tokens 1 and 2: the red and the blue leader
const COPY_TOKENS = 4;

/** What the columns of inputs are, as keys of the message file. @type {Readonly<Record<TaskId, string[]>>} */
export const FEATURES = Object.freeze({
  fetch: ['is-red', 'is-blue', 'is-leader', 'payload-1', 'payload-2'],
  copy: [...Array.from({ length: COPY_TOKENS }, (_, t) => `position-${t + 1}`), 'payload-1', 'payload-2'],
  fit: [],
});

/**
 * The seeds of the numbers that sequences are made of: to learn from, and held out.
 * @type {Readonly<{ learn: number, heldOut: number }>}
 */
export const SEEDS = Object.freeze({ learn: 118, heldOut: 119 });

/** @type {Readonly<Recipe>} */
export const RECIPE = Object.freeze({ dOut: PAYLOAD, bound: 0.5, optimizer: 'sgd', learningRate: 1 });

/** @param {number} n @returns {number[]} */
const upTo = (n) => Array.from({ length: n }, (_, i) => i);

/**
 * Payload number `nth` of so many.
 * @param {ArrayLike<number>} random @param {number} nth
 */
const payload = (random, nth) => Array.from({ length: PAYLOAD }, (_, e) => random[nth * PAYLOAD + e]);

const ZEROS = Object.freeze(Array(PAYLOAD).fill(0));

// ---- fetch my colour's payload -----------------------------------------------------------------------------------

/** How many random numbers fetch needs. */
export const FETCH_NUMBERS = SEQUENCES * LEADERS * PAYLOAD;

/**
 * Red and blue tokens alternate; the first of each colour leads and carries two random numbers. Every token's target is
 * the payload of its colour's leader: nothing but attention can bring it there.
 * @param {ArrayLike<number>} random FETCH_NUMBERS of them
 * @returns {Task}
 */
export function fetchTask(random) {
  const tokens = upTo(FETCH_TOKENS);
  const sources = tokens.map((t) => t % LEADERS);
  const of = (/** @type {number} */ sequence, /** @type {number} */ leader) =>
    payload(random, sequence * LEADERS + leader);
  return {
    id: 'fetch',
    features: FEATURES.fetch,
    inputs: upTo(SEQUENCES).map((s) => tokens.map((t) => {
      const leads = t < LEADERS;
      return [Number(t % 2 === 0), Number(t % 2 === 1), Number(leads), ...(leads ? of(s, t) : ZEROS)];
    })),
    targets: upTo(SEQUENCES).map((s) => sources.map((leader) => of(s, leader))),
    targetRows: tokens,
    sources,
  };
}

// ---- copy the previous token -------------------------------------------------------------------------------------

/** How many random numbers copy needs. */
export const COPY_NUMBERS = SEQUENCES * COPY_TOKENS * PAYLOAD;

/**
 * Every token carries two random numbers and is to bring forth those of the token before it. Attention sees a set, not
 * an order: without the columns that say where a token stands (one column a position, 1 in its own), "before" would
 * mean nothing. The first token has none before it and is no target.
 * @param {ArrayLike<number>} random COPY_NUMBERS of them
 * @returns {Task}
 */
export function copyTask(random) {
  const tokens = upTo(COPY_TOKENS);
  const of = (/** @type {number} */ sequence, /** @type {number} */ token) =>
    payload(random, sequence * COPY_TOKENS + token);
  return {
    id: 'copy',
    features: FEATURES.copy,
    inputs: upTo(SEQUENCES).map((s) => tokens.map((t) =>
      [...tokens.map((position) => Number(position === t)), ...of(s, t)])),
    targets: upTo(SEQUENCES).map((s) => tokens.map((t) => (t === 0 ? [...ZEROS] : of(s, t - 1)))),
    targetRows: tokens.slice(1),
    sources: tokens.map((t) => (t === 0 ? null : t - 1)),
  };
}

// ---- fit these context rows --------------------------------------------------------------------------------------

/**
 * One sequence, the one on the screen, and the context rows that are wanted of it, typed by hand. A single sequence can
 * be memorised by w_value alone: that the loss falls is no sign that attention learnt anything.
 * @param {number[][]} inputs T × d_in
 * @param {number[][]} targets T × width of the result
 * @returns {Task}
 */
export function fitTask(inputs, targets) {
  return {
    id: 'fit', features: FEATURES.fit, inputs: [inputs], targets: [targets], targetRows: upTo(inputs.length),
    sources: inputs.map(() => null),
  };
}
