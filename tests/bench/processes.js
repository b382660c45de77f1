// Starts peers, each in a process of its own, and talks with them, one question at a time. Read next: peer.js.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PEER = fileURLToPath(new URL('peer.js', import.meta.url));

/** @typedef {ReturnType<typeof start>} Process */

/** @param {string} name one of peer.js */
export function start(name) {
  const child = fork(PEER, [name], { serialization: 'advanced' });
  const ended = once(child, 'exit').then(([code, signal]) => [
    { error: `its process ended with ${signal ?? `code ${code}`}` }]);
  return {
    name,
    /**
     * @param {import('./peer.js').Request} request
     * @returns {Promise<any>} its answer
     * @throws {Error} what went wrong there, or that its process ended
     */
    async ask(request) {
      child.send(request);
      const [message] = await Promise.race([once(child, 'message'), ended]);
      if (message.error) throw new Error(`${name}: ${message.error}`);
      return message.answer;
    },
    async stop() {
      child.kill();
      await ended;
    },
  };
}
