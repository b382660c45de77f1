/**
 * The states that examples and tasks open with, by id: what links are written against. Next to read: keeping.js.
 */

import { FIRST_SEED, taskStarts } from '../content/tasks.js';
import { stateOfExample } from '../model/state.js';
import { update } from '../model/update.js';

/** @typedef {import('../model/state.js').State} State */

/**
 * @param {{ examples: import('../content/examples.js').Example[], batches: import('./batches.js').Batches,
 *   runner: Pick<import('./loop.js').Runner, 'draw'> }} parts
 */
export function createStarts({ examples, batches, runner }) {
  /** @param {import('../content/examples.js').Example} example */
  const ofExample = async (example) => stateOfExample(example, await runner.draw(example));

  return {
    /** @type {import('../model/schema.js').Known} */
    known: { examples: [...examples, ...taskStarts].map(({ id }) => id) },

    /** @returns {Promise<State>} */
    first: () => ofExample(examples[0]),

    /** @param {string} id one of those known @returns {Promise<State>} */
    async opening(id) {
      const example = examples.find((candidate) => candidate.id === id);
      if (example) return ofExample(example);
      const start = taskStarts.find((candidate) => candidate.id === id);
      if (!start) throw new Error(`no start "${id}"`);
      const inputs = batches.sequence(start.id, { heldOut: false, index: 0 });
      const weights = batches.draw(start.id, FIRST_SEED);
      const outcome = update(await ofExample(examples[0]), { type: 'task', start, inputs, causal: false, seed: FIRST_SEED, weights });
      if ('problem' in outcome) throw new Error(outcome.problem.id);
      return outcome.state;
    },
  };
}

/** @typedef {ReturnType<typeof createStarts>} Starts */
