/**
 * The worker that computes a large sequence, so that the page never waits for it. It has its own instance of the module,
 * whose bytes come with the first message; then it answers in the order it was asked. It is a script of its own,
 * written into the page as text by tools/build-page.mjs. Next to read: large-layer.js, large-desk.js (the other side).
 */

import { AttnError, loadAttention } from '../engine/attention.js';
import { createLargeLayer } from './large-layer.js';

/**
 * @typedef {{ kind: 'module', bytes: Uint8Array } | { kind: 'make', large: import('../model/large.js').Large }
 *   | { kind: 'paint', picture: import('./large-layer.js').Picture }
 *   | { kind: 'look', cell: import('../model/large.js').Cell & { head: number } }} Request
 * @typedef {{ kind: 'phase', phase: import('./large-layer.js').Phase, share: number } | { kind: 'made', milliseconds: number }
 *   | { kind: 'painted', pixels: Uint8ClampedArray, picture: import('./large-layer.js').Picture }
 *   | { kind: 'found', found: import('./large-layer.js').Found }
 *   | { kind: 'failed', code: string, message: string }} Answer
 */

/** What a worker has of its own. @type {{ postMessage: (answer: Answer, transfer?: Transferable[]) => void,
 *   addEventListener: (type: 'message', listener: (event: MessageEvent<Request>) => void) => void }} */
const port = /** @type {any} */ (globalThis);

/** How long nothing more is said of the same phase: whoever listens has to paint it. */
const EVERY_MS = 50;

/** Says how far it is. @returns {import('./large-layer.js').Tell} */
function teller() {
  let [told, at] = ['', 0];
  return (phase, share) => {
    const now = performance.now();
    if (phase === told && now - at < EVERY_MS) return;
    [told, at] = [phase, now];
    port.postMessage({ kind: 'phase', phase, share });
  };
}

/** @type {Promise<ReturnType<typeof createLargeLayer>> | null} */
let opened = null;

/** @param {Request} request */
async function answer(request) {
  if (request.kind === 'module') opened = loadAttention(request.bytes).then(createLargeLayer);
  if (opened === null) throw new Error('the worker was asked before it had the module');
  const layer = await opened;
  if (request.kind === 'make') {
    const start = performance.now();
    layer.make(request.large, teller());
    port.postMessage({ kind: 'made', milliseconds: performance.now() - start });
  } else if (request.kind === 'paint') {
    const { picture } = request;
    const pixels = layer.paint(picture);
    port.postMessage({ kind: 'painted', pixels, picture }, [pixels.buffer]);
  } else if (request.kind === 'look') {
    port.postMessage({ kind: 'found', found: layer.look(request.cell) });
  }
}

port.addEventListener('message', ({ data }) => {
  answer(data).catch((/** @type {unknown} */ error) => {
    const code = error instanceof AttnError ? error.code : 'unexpected';
    port.postMessage({ kind: 'failed', code, message: error instanceof Error ? error.message : String(error) });
  });
});
