// The computations that are measured: their sizes, their numbers (the same for every peer), and what they cost.
// Must not depend on any peer. Read next: peer.js, run.js.

/**
 * @typedef {{ nTokens: number, d: number, nHeads: number }} Size d is d_in, d_out and the width of the outputs
 *
 * @typedef {object} Problem matrices are row-major; weight matrices are [d_in][d_out], rows multiply from the left
 * @property {Size} size
 * @property {boolean} causal
 * @property {Float32Array} inputs [nTokens][d]
 * @property {Float32Array} wQuery [d][d]
 * @property {Float32Array} wKey [d][d]
 * @property {Float32Array} wValue [d][d]
 * @property {Float32Array} wOut [d][d]
 * @property {Float32Array} targets [nTokens][d], for training
 *
 * @typedef {object} Result what one forward pass hands over
 * @property {Float32Array | Float32Array[]} weights attn_weights [nHeads][nTokens][nTokens], or one array for each head
 * @property {Float32Array} context context_vecs [nTokens][d]
 * @property {Float32Array} outputs [nTokens][d]
 */

/** @type {Size[]} */
export const SIZES = [
  [6, 3, 1], [32, 64, 4], [128, 64, 4], [256, 256, 8], [512, 768, 12], [1024, 768, 12], [2048, 768, 12],
].map(([nTokens, d, nHeads]) => ({ nTokens, d, nHeads }));

/** Training is measured up to this many tokens. */
export const MOST_TRAINED = 128;
export const LEARNING_RATE = 0.05;

/** @param {Size} size */
export const sizeName = ({ nTokens, d, nHeads }) => `${nTokens},${d},${nHeads}`;

/** Numbers in [-1, 1) from a linear congruential generator (Numerical Recipes' constants). @param {number} seed */
function uniform(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

/**
 * The numbers of one size: inputs of about unit size, weights that keep it, so that softmax is neither flat nor sharp.
 * @param {Size} size @param {boolean} causal @returns {Problem}
 */
export function problem(size, causal) {
  const { nTokens, d } = size;
  const next = uniform(2024);
  /** @param {number} count @param {number} bound */
  const draw = (count, bound) => Float32Array.from({ length: count }, () => bound * next());
  const inputs = draw(nTokens * d, Math.sqrt(3));
  const [wQuery, wKey, wValue, wOut] = Array.from({ length: 4 }, () => draw(d * d, Math.sqrt(3 / d)));
  return { size, causal, inputs, wQuery, wKey, wValue, wOut, targets: draw(nTokens * d, 1) };
}

/**
 * Floating-point operations of the matrix products of one call: four projections, scores and blend; a multiplication
 * and an addition count as two. Masked products are not counted, so that a peer gains nothing by computing them. A
 * training step has each product once forward and twice backward, but for the gradient of the inputs, which it needs
 * not.
 * @param {Size} size @param {boolean} causal @param {'forward' | 'train'} kind
 */
export function operations({ nTokens: T, d }, causal, kind) {
  const projection = 2 * T * d * d;
  const attention = 2 * 2 * d * (causal ? T * (T + 1) / 2 : T * T);
  return kind === 'forward' ? 4 * projection + attention : 4 * projection * 3 - 3 * projection + attention * 3;
}
