/**
 * The start states that the page can open: data only, numbers made up for teaching, not from a real model.
 * Imports nothing. The parameter matrices of the chapters are not written here: `draw` says how the module draws them.
 * Next to read: ../model/state.js, which turns an example into a state.
 */

/**
 * @typedef {object} Example
 * @property {string} id      key of its name and origin in the message file: example-<id>, origin-<id>
 * @property {number | null} chapter that it is a start of, 0 being the warm-up; null: an instrument opens it
 * @property {string[]} tokens
 * @property {number[][]} inputs  T × d_in
 * @property {number[][] | null} given  T × T attention weights, or null: taken from the screen when first asked for
 * @property {number} dOut
 * @property {{ scheme: 'torch.rand' | 'nn.Linear', seed: number }} draw  w_query, w_key, w_value, in this order
 * @property {import('../model/state.js').Drawn} [parameters]  instead of drawn ones, where an example is about them
 * @property {'given' | 'inputs' | 'trained'} source
 * @property {'none' | 'sqrt_head_dim'} scale
 * @property {boolean} causal
 * @property {number} heads
 * @property {boolean} project  whether context vectors go through W_out (which starts as the identity)
 * @property {number} row  the query row that is chosen at first, from 0
 */

const toy = {
  tokens: ['first', 'second', 'third'],
  inputs: [[1, 2], [3, 4], [5, 6]],
};

/** The six tokens of "Your journey starts with one step". */
const journey = {
  tokens: ['Your', 'journey', 'starts', 'with', 'one', 'step'],
  inputs: [
    [0.43, 0.15, 0.89],
    [0.55, 0.87, 0.66],
    [0.57, 0.85, 0.64],
    [0.22, 0.58, 0.33],
    [0.77, 0.25, 0.10],
    [0.05, 0.80, 0.55],
  ],
};

/** The chapters with the numbers of their own. @type {Example[]} */
const starts = [
  {
    id: 'warm-up', chapter: 0, ...toy, given: [[0.5, 0.25, 0.25], [0, 1, 0], [0.25, 0.25, 0.5]],
    dOut: 2, draw: { scheme: 'torch.rand', seed: 123 },
    source: 'given', scale: 'sqrt_head_dim', causal: false, heads: 1, project: false, row: 2,
  },
  {
    id: 'simplified', chapter: 1, ...journey, given: null,
    dOut: 2, draw: { scheme: 'torch.rand', seed: 123 },
    source: 'inputs', scale: 'none', causal: false, heads: 1, project: false, row: 1,
  },
  {
    id: 'trainable', chapter: 2, ...journey, given: null,
    dOut: 2, draw: { scheme: 'torch.rand', seed: 123 },
    source: 'trained', scale: 'sqrt_head_dim', causal: false, heads: 1, project: false, row: 1,
  },
  {
    id: 'causal', chapter: 3, ...journey, given: null,
    dOut: 2, draw: { scheme: 'torch.rand', seed: 123 },
    source: 'trained', scale: 'sqrt_head_dim', causal: true, heads: 1, project: false, row: 1,
  },
  {
    id: 'multi-head', chapter: 4, ...journey, given: null,
    dOut: 4, draw: { scheme: 'nn.Linear', seed: 123 },
    source: 'trained', scale: 'sqrt_head_dim', causal: true, heads: 2, project: true, row: 3,
  },
];

/** The chapters after the warm-up with its toy: nothing else is other. @type {Example[]} */
const withToy = starts.slice(1).map((start) => ({ ...start, id: `${start.id}-toy`, ...toy, row: 2 }));

/** What instruments open. @type {Example[]} */
const special = [
  {
    // Every allowed score lies far below −10⁹: a mask that fills in −10⁹ lets later tokens through.
    id: 'huge-scores', chapter: null, ...toy, given: null,
    dOut: 2, draw: { scheme: 'torch.rand', seed: 123 },
    parameters: { w_query: [[-1e5, 0], [0, -1e5]], w_key: [[1e5, 0], [0, 1e5]], w_value: [[1, 0], [0, 1]] },
    source: 'trained', scale: 'sqrt_head_dim', causal: true, heads: 1, project: false, row: 1,
  },
  {
    // Row 1: its score with itself is 100, with token 2 it is 300, and exp(−200) is 0 as a float.
    id: 'mask-underflow', chapter: null, tokens: toy.tokens, inputs: [[10, 0], [30, 0], [0, 10]], given: null,
    dOut: 2, draw: { scheme: 'torch.rand', seed: 123 },
    source: 'inputs', scale: 'none', causal: true, heads: 1, project: false, row: 0,
  },
  {
    // Rows 1 and 3: the terms 2.5e16, −2.5e16, 0.5 add up to 0.5 from the first, to 0 from the last.
    id: 'summation-order', chapter: null, tokens: toy.tokens, inputs: [[1e17, 1], [-1e17, 2], [1, 3]],
    given: [[0.25, 0.25, 0.5], [0, 1, 0], [0.25, 0.25, 0.5]],
    dOut: 2, draw: { scheme: 'torch.rand', seed: 123 },
    source: 'given', scale: 'sqrt_head_dim', causal: false, heads: 1, project: false, row: 2,
  },
];

/** @type {Example[]} */
export const examples = [...starts, ...withToy, ...special];
