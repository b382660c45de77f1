// This project's module, as the peers "ours" (results as views of its memory) and "ours-copy" (results copied out).
// Read next: ../../../web/engine/layer.js, and ../peer.js for what a peer is.

import { loadAttention } from '../../../web/engine/node.js';
import { LEARNING_RATE } from '../problem.js';

/** @param {boolean} copies @returns {Promise<import('../peer.js').Peer>} */
async function openOurs(copies) {
  const attention = await loadAttention();

  /** @param {import('../problem.js').Problem} problem @param {boolean} keepGradients whether it is to be trained */
  function layerOf({ size: { nTokens, d, nHeads }, causal, inputs, wQuery, wKey, wValue, wOut }, keepGradients) {
    return attention.createLayer({
      nTokens, dIn: d, dOut: d, nHeads, causal, scoreSource: 'trained', scale: 'sqrt_head_dim', outputProjection: true,
      keepGradients,
    }).set('inputs', inputs).set('w_query', wQuery).set('w_key', wKey).set('w_value', wValue).set('w_out', wOut);
  }

  return {
    forward(problem) {
      const layer = layerOf(problem, false);
      /** @type {(name: string) => Float32Array} */
      const read = copies ? (name) => layer.get(name).data : (name) => layer.view(name);
      return {
        run() {
          layer.forward();
          return { weights: read('attn_weights'), context: read('context_vecs'), outputs: read('outputs') };
        },
        end: () => layer.dispose(),
      };
    },
    training(problem) {
      const layer = layerOf(problem, true);
      /** @type {{ targets: Float32Array, optimizer: 'sgd', learningRate: number }} */
      const goal = { targets: problem.targets, optimizer: 'sgd', learningRate: LEARNING_RATE };
      return {
        step: () => layer.trainStep(goal).loss,
        parameters: async () => ['w_query', 'w_key', 'w_value', 'w_out'].map((name) => layer.get(name).data),
        end: () => layer.dispose(),
      };
    },
  };
}

export const open = () => openOurs(false);
export const openCopying = () => openOurs(true);
