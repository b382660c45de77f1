// ONNX Runtime Web as a peer, with one thread or two. It has no training in JavaScript. What it computes is the model
// that ../onnx-model.js writes; its results are copies, its API has no other. Read next: ../peer.js.

import { attentionModel } from '../onnx-model.js';

/** @param {number} threads @returns {Promise<import('../peer.js').Peer>} */
async function openOnnx(threads) {
  const library = 'onnxruntime-web'; // installed by make bench only: the type checker is not to look for it
  const ort = await import(library);
  ort.env.wasm.numThreads = threads;
  return {
    async forward(problem) {
      const session = await ort.InferenceSession.create(attentionModel(problem), {
        executionProviders: ['wasm'], graphOptimizationLevel: 'all',
      });
      const feeds = { inputs: new ort.Tensor('float32', problem.inputs, [problem.size.nTokens, problem.size.d]) };
      return {
        async run() {
          const { attn_weights: weights, context_vecs: context, outputs } = await session.run(feeds);
          return { weights: weights.data, context: context.data, outputs: outputs.data };
        },
        end: () => session.release(),
      };
    },
    training: null,
  };
}

export const openOneThread = () => openOnnx(1);
export const openTwoThreads = () => openOnnx(2);
