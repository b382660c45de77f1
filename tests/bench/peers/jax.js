// jax-js on its WebAssembly backend as a peer, compiled by its jit. Its arrays are used up by each call that takes
// them; .ref keeps one alive. Its results are copies, its API has no other. Read next: ../peer.js.

import { LEARNING_RATE } from '../problem.js';

/** @typedef {any} Array the library is installed by make bench only, so its types are not at hand */

/** @returns {Promise<import('../peer.js').Peer>} */
export async function open() {
  const library = '@jax-js/jax';
  const { init, defaultDevice, jit, valueAndGrad, nn, numpy: np } = await import(library);
  await init('wasm');
  defaultDevice('wasm');

  /** @param {import('../problem.js').Problem} problem */
  function attentionOf({ size: { nTokens: T, d, nHeads: H }, causal, ...given }) {
    const headDim = d / H;
    const parameters = [given.wQuery, given.wKey, given.wValue, given.wOut]
      .map((numbers) => np.array(numbers.slice(), { shape: [d, d] }));
    const x = np.array(given.inputs.slice(), { shape: [T, d] });
    const rows = new Float32Array(T * T);
    for (let i = 0; causal && i < T; i++) rows.fill(-Infinity, i * T + i + 1, (i + 1) * T);
    const mask = np.array(causal ? rows : rows.slice(0, 1), { shape: causal ? [T, T] : [1, 1] });

    /** @param {Array} all [T][d] @returns {Array} [H][T][headDim] */
    const split = (all) => np.transpose(all.reshape([T, H, headDim]), [1, 0, 2]);

    /** @param {Array} mask @param {Array} x @param {...Array} w @returns {Array[]} weights, context, outputs */
    function forward(mask, x, ...w) {
      const [queries, keys, values] = w.slice(0, 3).map((one) => split(np.matmul(x.ref, one)));
      x.dispose();
      const scores = np.matmul(queries.mul(1 / Math.sqrt(headDim)), np.transpose(keys, [0, 2, 1]));
      if (!causal) mask.dispose();
      const weights = nn.softmax(causal ? scores.add(mask) : scores, -1);
      const context = np.transpose(np.matmul(weights.ref, values), [1, 0, 2]).reshape([T, d]);
      return [weights, context.ref, np.matmul(context, w[3])];
    }
    return { parameters, x, mask, forward, shape: [T, d] };
  }

  return {
    forward(problem) {
      const { parameters, x, mask, forward } = attentionOf(problem);
      const compiled = jit(forward);
      const all = [mask, x, ...parameters];
      return {
        run() {
          const [weights, context, outputs] = compiled(...all.map((array) => array.ref));
          return { weights: weights.dataSync(), context: context.dataSync(), outputs: outputs.dataSync() };
        },
        end() {
          for (const array of all) array.dispose();
          compiled.dispose();
        },
      };
    },
    training(problem) {
      const { x, mask, forward, shape, ...given } = attentionOf(problem);
      let { parameters } = given;
      const targets = np.array(problem.targets.slice(), { shape });
      /** @param {Array[]} w @param {Array} mask @param {Array} x @param {Array} targets */
      function lossOf(w, mask, x, targets) {
        const [weights, context, outputs] = forward(mask, x, ...w);
        weights.dispose();
        context.dispose();
        return np.mean(np.square(outputs.sub(targets)));
      }
      const compiled = jit((/** @type {Array[]} */ w, /** @type {Array[]} */ ...rest) => {
        const [loss, gradients] = valueAndGrad(lossOf)(w.map((one) => one.ref), ...rest);
        return [loss, w.map((one, i) => one.sub(gradients[i].mul(LEARNING_RATE)))];
      });
      return {
        step() {
          const [loss, moved] = compiled(parameters, mask.ref, x.ref, targets.ref);
          parameters = moved;
          return loss.dataSync()[0];
        },
        parameters: async () => parameters.map((w) => w.ref.dataSync()),
        end() {
          for (const array of [...parameters, mask, x, targets]) array.dispose();
          compiled.dispose();
        },
      };
    },
  };
}
