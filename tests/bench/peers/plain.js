// The peer "plain-js". Read next: ../plain-attention.js, and ../peer.js for what a peer is.

import { plainAttention } from '../plain-attention.js';
import { LEARNING_RATE } from '../problem.js';

/** @returns {Promise<import('../peer.js').Peer>} */
export async function open() {
  return {
    forward(problem) {
      return { run: plainAttention(problem).forward, end() {} };
    },
    training(problem) {
      const attention = plainAttention(problem);
      return {
        step: () => attention.trainStep(LEARNING_RATE), parameters: async () => attention.parameters(), end() {},
      };
    },
  };
}
