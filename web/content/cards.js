/**
 * Cards: what is easily confused. Each says what many think and what is so, and lets one do the wrong thing and watch
 * a number break. Data only, imports nothing. Texts: card-<id>, -think, -so in en-cards.ftl. Next to read: notes.js;
 * ../app/experiments.js, which computes the experiments.
 */

/**
 * @typedef {object} Do  a button: what it does on the page
 * @property {string} act     a data-act of the page; 'causal', 'linear', 'project', 'column-sums' are switched on and off
 * @property {string} [value] {row}, {head}, {column} stand for what is chosen: its first column in the head shown
 * @property {string} [say]   its text is do-<say>; left out: do-<act>
 *
 * @typedef {object} Experiment
 * @property {string[]} choices  texts: try-<card>-<choice>
 * @property {boolean} several   whether any number of them can be chosen; else one, at first the first
 *
 * @typedef {object} Card
 * @property {string} id
 * @property {('parameters' | 'heads' | import('../model/state.js').Panel)[]} near  where it is offered
 * @property {'scores' | 'trained' | 'heads' | 'tokens'} [needs]  what it cannot do without: else it opens its example
 * @property {string} [example]
 * @property {Do[]} does
 * @property {Experiment} [experiment]
 * @property {number[][]} [numbers]  a matrix to be split into two heads
 * @property {Sample} [sample]
 *
 * @typedef {object} Sample  what the experiment is about, where the numbers on the screen would show too little
 * @property {number[]} scores  of one row, in one head
 * @property {number} width     d_out
 * @property {number} heads
 */

/** @type {Card[]} */
export const cards = [
  {
    id: 'sums', near: ['numbers'],
    does: [{ act: 'column-sums' }, { act: 'plant', value: 'softmax_columns' }],
  },
  {
    id: 'query-index', near: ['scores'], needs: 'tokens', example: 'simplified',
    does: [{ act: 'inspect', value: 'attn_weights:0,{head},1,0', say: 'weight-of-row-2' }, { act: 'plant', value: 'query_key_swapped' }],
  },
  {
    id: 'scores-or-weights', near: ['scores'], needs: 'scores', example: 'simplified',
    does: [
      { act: 'show', value: 'scores', say: 'show-scores' },
      { act: 'inspect', value: 'attn_weights:0,{head},{row},0', say: 'weight-of-row' },
    ],
    experiment: { choices: ['as-they-are', 'plus-5', 'again'], several: false },
  },
  {
    id: 'scale', near: ['scores'], needs: 'scores', example: 'trainable',
    does: [{ act: 'plant', value: 'scale_missing' }, { act: 'plant', value: 'scale_sqrt_d_out' }],
    experiment: { choices: ['divide', 'none', 'multiply', 'width'], several: false },
    sample: { scores: [3, 2, 6], width: 4, heads: 2 },
  },
  {
    id: 'orientation', near: ['parameters', 'shapes'], needs: 'trained', example: 'trainable',
    does: [{ act: 'linear' }, { act: 'show', value: 'shapes', say: 'show-shapes' }],
    experiment: { choices: ['rows', 'turned', 'square'], several: false },
  },
  {
    id: 'three-matrices', near: ['parameters', 'flow'],
    does: [{ act: 'identities' }],
    experiment: { choices: ['w_query', 'w_key', 'w_value'], several: true },
  },
  {
    id: 'bias', near: ['parameters'], needs: 'trained', example: 'trainable',
    does: [{ act: 'inspect', value: 'attn_weights:0,{head},{row},0', say: 'weight-of-row' }],
    experiment: { choices: ['query', 'key', 'value'], several: true },
  },
  {
    id: 'learnt', near: ['training', 'compare'], needs: 'trained', example: 'trainable',
    does: [{ act: 'pin' }, { act: 'show', value: 'compare', say: 'show-compare' }, { act: 'show', value: 'training', say: 'show-training' }],
    experiment: { choices: ['input', 'kept', 'step'], several: false },
  },
  {
    id: 'mask-order', near: ['masking'], needs: 'scores', example: 'causal',
    does: [{ act: 'show', value: 'masking', say: 'show-masking' }, { act: 'plant', value: 'mask_after_softmax' }],
  },
  {
    id: 'mask-fill', near: ['masking'], needs: 'scores', example: 'causal',
    does: [{ act: 'bring', value: 'huge-scores', say: 'huge-scores' }, { act: 'plant', value: 'mask_fill_zero' }, { act: 'plant', value: 'mask_fill_large' }],
    experiment: { choices: ['infinity', 'zero', 'large'], several: false },
  },
  {
    id: 'head-dim', near: ['heads', 'shapes'], needs: 'heads', example: 'multi-head',
    does: [{ act: 'show', value: 'shapes', say: 'show-shapes' }],
    experiment: { choices: ['split', 'separate', 'wide'], several: false },
  },
  {
    id: 'reshape', near: ['heads'],
    does: [{ act: 'plant', value: 'heads_reshaped' }],
    experiment: { choices: ['columns', 'plain'], several: false },
    numbers: [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]],
  },
  {
    id: 'projection', near: ['heads'], needs: 'trained', example: 'multi-head',
    does: [{ act: 'project' }, { act: 'show', value: 'shapes', say: 'show-shapes' }],
    experiment: { choices: ['identity', 'free', 'alone'], several: false },
  },
  {
    id: 'explains', near: ['flow'], needs: 'tokens', example: 'warm-up',
    does: [{ act: 'alike' }],
    experiment: { choices: ['as-they-are', 'alike'], several: false },
  },
];
