/**
 * The page's side of the worker: starts it when it is needed, sends what is asked, ends it at once when it is to stop.
 * Of pictures and cells only the newest question is worth an answer: while one is being answered, older ones that wait
 * are dropped. Next to read: large-worker.js, large.js.
 */

/**
 * @typedef {import('./large-worker.js').Request} Request
 * @typedef {import('./large-worker.js').Answer} Answer
 * @typedef {Extract<Request, { kind: 'paint' | 'look' }>} Question
 */

/** What answers a question. @type {Partial<Record<Answer['kind'], Question['kind']>>} */
const ANSWERS = { painted: 'paint', found: 'look' };

/**
 * @param {object} parts
 * @param {string} parts.script            of the worker
 * @param {() => Uint8Array} parts.bytes   of the module
 * @param {(answer: Answer) => void} parts.heard
 * @param {(reason: string) => void} parts.broken  the worker did not start, or broke off
 */
export function createDesk({ script, bytes, heard, broken }) {
  /** @type {Worker | null} */
  let worker = null;
  let address = '';
  let making = false;
  /** @type {Partial<Record<Question['kind'], 'alone' | Question>>}  asked: alone, or with a newer one that waits */
  let open = {};

  function stop() {
    worker?.terminate();
    worker = null;
    URL.revokeObjectURL(address);
    making = false;
    open = {};
  }

  /** @param {unknown} reason */
  function breakOff(reason) {
    stop();
    broken(reason instanceof Error ? reason.message : String(reason));
  }

  function start() {
    address = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
    const started = new Worker(address);
    started.addEventListener('message', ({ data }) => {
      if (worker === started) listen(data);
    });
    started.addEventListener('error', (event) => {
      event.preventDefault();
      if (worker === started) breakOff(event.message ?? 'no reason was given');
    });
    worker = started;
    started.postMessage({ kind: 'module', bytes: bytes() });
  }

  /** @param {Answer} answer */
  function listen(answer) {
    if (answer.kind === 'made') making = false;
    if (answer.kind === 'failed') stop();
    const kind = ANSWERS[answer.kind];
    const waiting = kind && open[kind];
    if (kind) delete open[kind];
    if (waiting && waiting !== 'alone') ask(waiting);
    heard(answer);
  }

  /** @param {Question} question */
  function ask(question) {
    if (worker === null) return;
    if (open[question.kind]) {
      open[question.kind] = question;
      return;
    }
    open[question.kind] = 'alone';
    worker.postMessage(question);
  }

  return {
    stop,
    ask,
    running: () => worker !== null,
    /** Compute a sequence; what is being computed is given up. @param {import('../model/large.js').Large} large */
    make(large) {
      if (making) stop();
      try {
        if (worker === null) start();
      } catch (error) {
        return breakOff(error);
      }
      making = true;
      // What was asked about the sequence before is no longer of interest.
      for (const kind of /** @type {const} */ (['paint', 'look'])) if (open[kind]) open[kind] = 'alone';
      return worker?.postMessage({ kind: 'make', large });
    },
  };
}
