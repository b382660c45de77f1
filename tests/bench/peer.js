// One peer in a process of its own, so that heaps, compilers and threads of several do not meet: node peer.js NAME.
// It does what run.js tells it, one message at a time, and answers each; what fails is answered as an error.
// It must not choose what is measured or for how long. Read next: run.js, peers/.

import { performance } from 'node:perf_hooks';
import { argv } from 'node:process';
import { problem } from './problem.js';

/**
 * @typedef {import('./problem.js').Problem} Problem
 * @typedef {import('./problem.js').Result} Result
 * @typedef {{ run(): Result | Promise<Result>, end(): unknown }} Forward run computes all anew and hands it over
 * @typedef {object} Training
 * @property {() => number | Promise<number>} step one step of gradient descent; the loss of before it
 * @property {() => Promise<Float32Array[]>} parameters w_query, w_key, w_value, w_out
 * @property {() => unknown} end
 *
 * @typedef {object} Peer a library that is measured
 * @property {(problem: Problem) => Forward | Promise<Forward>} forward
 * @property {((problem: Problem) => Training | Promise<Training>) | null} training null if it has none
 *
 * @typedef {{ kind: 'forward' | 'train', size: import('./problem.js').Size, causal: boolean }} Task
 * @typedef {{ prepare: Task } | { time: number } | { end: true }} Request time: milliseconds to fill with calls
 */

/** How each peer is opened. @type {Record<string, () => Promise<Peer>>} */
const OPEN = {
  ours: async () => (await import('./peers/ours.js')).open(),
  'ours-copy': async () => (await import('./peers/ours.js')).openCopying(),
  'plain-js': async () => (await import('./peers/plain.js')).open(),
  'onnxruntime-web-1t': async () => (await import('./peers/onnx.js')).openOneThread(),
  'onnxruntime-web-2t': async () => (await import('./peers/onnx.js')).openTwoThreads(),
  'tfjs-wasm': async () => (await import('./peers/tfjs.js')).open(),
  'jax-js': async () => (await import('./peers/jax.js')).open(),
};

const STEPS_COMPARED = 3;
const ROWS_COMPARED = 64; // of each head's weights; all would be 200 MB at the largest size

const peer = await OPEN[argv[2]]();

/** What is being measured now. @type {{ call: () => unknown, asynchronous: boolean, end: () => unknown } | null} */
let current = null;

/** Some rows of each head, from the first to the last. @param {Result} result @param {Problem} problem */
function thinned({ weights, context, outputs }, { size: { nTokens: T, nHeads: H } }) {
  const rows = Math.min(T, ROWS_COMPARED);
  const some = new Float32Array(H * rows * T);
  for (let h = 0; h < H; h++) {
    for (let r = 0; r < rows; r++) {
      const row = Math.round(r * (T - 1) / Math.max(1, rows - 1));
      const head = Array.isArray(weights) ? weights[h] : weights.subarray(h * T * T, (h + 1) * T * T);
      some.set(head.subarray(row * T, (row + 1) * T), (h * rows + r) * T);
    }
  }
  return { attn_weights: some, context_vecs: context, outputs };
}

/** Set up a task and do it once: the numbers it gives, for comparison. @param {Task} task */
async function prepare({ kind, size, causal }) {
  const given = problem(size, causal);
  if (kind === 'forward') {
    const forward = await peer.forward(given);
    const result = forward.run();
    current = { call: forward.run, asynchronous: result instanceof Promise, end: forward.end };
    return thinned(await result, given);
  }
  if (peer.training === null) return null;
  const training = await peer.training(given);
  const losses = [];
  let asynchronous = false;
  for (let i = 0; i < STEPS_COMPARED; i++) {
    const loss = training.step();
    asynchronous = loss instanceof Promise;
    losses.push(await loss);
  }
  const [wQuery, wKey, wValue, wOut] = await training.parameters();
  current = { call: training.step, asynchronous, end: training.end };
  return { loss: Float32Array.from(losses), w_query: wQuery, w_key: wKey, w_value: wValue, w_out: wOut };
}

/**
 * Milliseconds a call, over as many calls as fill the time given; at least one. The clock is read between growing
 * groups of calls, so that reading it costs nothing.
 * @param {number} fill
 */
async function time(fill) {
  if (current === null) throw new Error('nothing is prepared');
  const { call, asynchronous } = current;
  let calls = 0;
  let spent = 0;
  const start = performance.now();
  for (let group = 1; spent < fill; group *= 2) {
    const fit = calls === 0 ? 1 : Math.ceil(Math.min(group, (fill - spent) * calls / spent));
    if (asynchronous) for (let i = 0; i < fit; i++) await call();
    else for (let i = 0; i < fit; i++) call();
    calls += fit;
    spent = performance.now() - start;
  }
  return spent / calls;
}

/** @param {Request} request */
async function answer(request) {
  if ('prepare' in request) return prepare(request.prepare);
  if ('time' in request) return time(request.time);
  await current?.end();
  current = null;
  return null;
}

process.on('message', async (/** @type {Request} */ request) => {
  try {
    process.send?.({ answer: await answer(request) });
  } catch (error) {
    process.send?.({ error: error instanceof Error ? error.stack : String(error) });
  }
});
