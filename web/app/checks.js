/**
 * Runs the suite of checks on what the page shows, in slices between which the page can answer: only while the checks
 * are open, again when the document changes; the known answers once for each planted bug. What is checked, and how, is
 * the suite's: ../engine/checks. Next to read: ../view/checks.js, ../engine/checks/state.js.
 */

import book from '../../tests/vectors/published_book_chapter.json';
import published from '../../tests/vectors/published_other.json';
import torch from '../../tests/vectors/pytorch_gradients.json';
import { ANSWERS } from '../engine/checks/answers.js';
import { build, causalLeakSteps, meanWeight, routes, rowSums, splitHeads, withFault } from '../engine/checks/state.js';
import { AttnError } from '../engine/attention.js';
import { faultOf, setupOf } from './setup.js';
import { inSlices } from './slices.js';

/**
 * @typedef {import('../engine/attention.js').Attention} Attention
 * @typedef {import('../model/state.js').State} State
 * @typedef {import('../model/state.js').Doc} Doc
 * @typedef {import('../view/frame.js').Checks} Checks
 * @typedef {Generator<void, void, void>} Work  yields where it may be interrupted
 */

/** As text: they are read when they are first asked for. @type {Record<string, string>} */
const FILES = {
  'published_book_chapter.json': book, 'published_other.json': published, 'pytorch_gradients.json': torch,
};

const COUNT = Object.values(ANSWERS).reduce((sum, { run }) => sum + run, 0);

/** @param {Attention} attention */
export function createChecks(attention) {
  /** @type {Map<string, Checks['answers']>} */
  const answered = new Map();
  /** @type {Doc | null} */
  let checked = null;
  /** @type {Checks | null} */
  let found = null;

  /** The checks of one document, one after the other. @param {Doc} doc @returns {Work} */
  function* checkState(doc) {
    const setup = setupOf(doc);
    const { fault, faultPlace } = faultOf(doc);
    const bugged = withFault(attention, fault, faultPlace);
    const layer = build(bugged, setup);
    const state = { rowSums: rowSums(layer), meanWeight: meanWeight(layer, setup), routes: routes(layer) };
    layer.dispose();
    tell({ state });
    yield;
    tell({ state: { ...state, causalLeak: yield* causalLeakSteps(bugged, setup), splitHeads: splitHeads(bugged, setup) } });
    yield;
    yield* checkAnswers(bugged, `${fault} ${faultPlace}`);
  }

  /** @param {Attention} bugged @param {string} key of the planted bug @returns {Work} */
  function* checkAnswers(bugged, key) {
    const known = answered.get(key);
    if (known) return tell({ answers: known });
    for (const [file, { source, check }] of Object.entries(ANSWERS)) {
      for (const c of JSON.parse(FILES[file])) {
        yield;
        const { problem, apart } = attempt(() => check(bugged, c));
        const { answers } = /** @type {Checks} */ (found);
        tell({ answers: {
          count: COUNT,
          done: answers.done + 1,
          failed: problem === null ? answers.failed : [...answers.failed, { source, problem }],
          apart: Math.max(answers.apart, apart),
        } });
      }
    }
    answered.set(key, /** @type {Checks} */ (found).answers);
  }

  /** @param {Partial<Checks>} news */
  function tell(news) {
    found = { .../** @type {Checks} */ (found), ...news };
  }

  return {
    /**
     * What is known so far of the state on the screen; what is not yet known is set going, and painted when it is.
     * @param {State} state @param {() => void} paint @returns {Checks | null}
     */
    follow({ document, view }, paint) {
      if (!view.panels.includes('checks')) checked = null;
      else if (document !== checked) {
        checked = document;
        found = { state: {}, answers: { count: COUNT, done: 0, failed: [], apart: 0 } };
        void inSlices(checkState(document), () => checked === document, paint);
      }
      return found;
    },
  };
}

/**
 * One known answer. A bug may lead out of what the module can compute: that too is a failure of the check.
 * @param {() => import('../engine/checks/compare.js').Comparison[]} check
 */
function attempt(check) {
  try {
    const comparisons = check();
    const bad = comparisons.find(({ problem }) => problem !== null);
    return {
      problem: bad ? `${bad.what}${bad.problem}` : null,
      apart: Math.max(...comparisons.map(({ apart }) => apart)),
    };
  } catch (error) {
    if (!(error instanceof AttnError)) throw error;
    return { problem: error.message, apart: NaN };
  }
}
