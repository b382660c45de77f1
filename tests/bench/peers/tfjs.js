// TensorFlow.js on its WebAssembly backend as a peer; its results are copies, its API has no other. Read next: ../peer.js.

import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { LEARNING_RATE } from '../problem.js';

/** @typedef {any} Tensor the library is installed by make bench only, so its types are not at hand */

/** @returns {Promise<import('../peer.js').Peer>} */
export async function open() {
  const require = createRequire(import.meta.url);
  const library = '../../../build/bench-tfjs.cjs'; // see ../bundle-tfjs.mjs; the type checker is not to look into it
  const tf = require(library);
  tf.setWasmPaths(join(dirname(require.resolve('@tensorflow/tfjs-backend-wasm')), '/'));
  await tf.setBackend('wasm');

  /**
   * One small matrix product for each head: only products of two plain matrices take the backend's fast path.
   * @param {import('../problem.js').Problem} problem
   * @param {boolean} fold put the scale into w_query, which spares a pass; training moves w_query as it is
   */
  function attentionOf({ size: { nTokens: T, d, nHeads: H }, causal, ...given }, fold) {
    const scale = 1 / Math.sqrt(d / H);
    const wQuery = fold ? given.wQuery.map((w) => w * scale) : given.wQuery;
    const x = tf.tensor2d(given.inputs, [T, d]);
    const parameters = [wQuery, given.wKey, given.wValue, given.wOut]
      .map((numbers) => tf.variable(tf.tensor2d(numbers, [d, d])));
    const masked = new Float32Array(causal ? T * T : 0);
    for (let i = 0; causal && i < T; i++) masked.fill(-Infinity, i * T + i + 1, (i + 1) * T);
    const mask = causal ? tf.tensor2d(masked, [T, T]) : null;
    /** @param {Tensor} all @param {number} axis @returns {Tensor[]} */
    const heads = (all, axis) => (H === 1 ? [all] : tf.split(all, H, axis));

    function forward() {
      const [queries, keys, values] = parameters.slice(0, 3).map((w) => tf.matMul(x, w));
      const keysByHead = heads(tf.transpose(keys), 0);
      const valuesByHead = heads(values, 1);
      const weights = heads(fold ? queries : tf.mul(queries, scale), 1).map((query, h) => {
        const scores = tf.matMul(query, keysByHead[h]);
        return tf.softmax(mask ? tf.add(scores, mask) : scores);
      });
      const blends = weights.map((one, h) => tf.matMul(one, valuesByHead[h]));
      const context = H === 1 ? blends[0] : tf.concat(blends, 1);
      return { weights, context, outputs: tf.matMul(context, parameters[3]) };
    }
    return { parameters, forward, made: [x, parameters, mask], shape: [T, d] };
  }

  /**
   * Frees what is made on the way. What the function returns is kept from tidy, which would look through every number
   * of it for tensors.
   * @template T @param {() => T} compute @returns {T}
   */
  function tidily(compute) {
    /** @type {T[]} */
    const kept = [];
    tf.tidy(() => {
      kept.push(compute());
    });
    return kept[0];
  }

  return {
    forward(problem) {
      const { forward, made } = attentionOf(problem, true);
      return {
        run: () => tidily(() => {
          const { weights, context, outputs } = forward();
          const byHead = weights.map((/** @type {Tensor} */ one) => one.dataSync());
          return { weights: byHead, context: context.dataSync(), outputs: outputs.dataSync() };
        }),
        end: () => tf.dispose(made),
      };
    },
    training(problem) {
      const { forward, parameters, made, shape } = attentionOf(problem, false);
      const targets = tf.tensor2d(problem.targets, shape);
      const descent = tf.train.sgd(LEARNING_RATE);
      const lossOf = () => tf.mean(tf.squaredDifference(forward().outputs, targets));
      return {
        step: () => tidily(() => descent.minimize(lossOf, true, parameters).dataSync()[0]),
        parameters: async () => parameters.map((w) => w.dataSync()),
        end: () => tf.dispose([made, targets]),
      };
    },
  };
}
