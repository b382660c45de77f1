/**
 * What stands under "More" in each chapter, by its id: formulas, mistakes with what to do instead,
 * takeaways, the cards that belong to it. Data only, imports nothing. Texts: en-chapter.ftl. Next to read: cards.js.
 */

/**
 * @typedef {object} Notes
 * @property {string} id
 * @property {string[]} formulas  of formulas.js, each under its text formula-<id>
 * @property {{ id: string, instead: import('./cards.js').Do }[]} mistakes  mistake-<id> is thought, mistake-<id>-so is so
 * @property {string[]} takeaways
 * @property {string[]} cards
 */

/** @type {Record<'everyInput' | 'sameSum' | 'parameters', Notes['mistakes'][number]>} */
const mistakes = {
  everyInput: { id: 'only-chosen', instead: { act: 'inspect', value: 'context_vecs:0,{row},{column}', say: 'every-input' } },
  sameSum: { id: 'replaces-sum', instead: { act: 'show', value: 'flow', say: 'same-sum' } },
  parameters: { id: 'fixed-rules', instead: { act: 'show', value: 'training', say: 'show-training' } },
};

/** @type {Notes[]} */
export const notes = [
  {
    id: 'warm-up', formulas: ['row-of-inputs', 'all-rows-of-inputs'],
    mistakes: [
      mistakes.everyInput,
      { id: 'zero-left-out', instead: { act: 'inspect', value: 'context_vecs:0,1,0', say: 'row-2' } },
    ],
    takeaways: ['sum-of-all', 'one-product', 'by-row'], cards: ['sums', 'query-index', 'explains'],
  },
  {
    id: 'simplified', formulas: ['scores-of-inputs', 'softmax', 'all-rows-of-inputs'],
    mistakes: [mistakes.everyInput, { id: 'symmetric', instead: { act: 'show', value: 'scores', say: 'show-scores' } }],
    takeaways: ['sum-of-all', 'from-inputs', 'nothing-to-learn'], cards: ['scores-or-weights', 'sums', 'query-index'],
  },
  {
    id: 'trainable', formulas: ['projections', 'scaled-scores', 'softmax', 'all-rows-of-values'],
    mistakes: [mistakes.everyInput, mistakes.sameSum, mistakes.parameters],
    takeaways: ['sum-stays', 'matrices-new', 'built-from-all', 'to-learn'],
    cards: ['three-matrices', 'learnt', 'scale', 'orientation', 'bias'],
  },
  {
    id: 'causal', formulas: ['masked-scores', 'masked-softmax', 'all-rows-of-values'],
    mistakes: [mistakes.everyInput, { id: 'mask-removes', instead: { act: 'causal', say: 'causal' } }, mistakes.parameters],
    takeaways: ['sum-stays', 'before-softmax', 'built-from-allowed', 'to-learn'], cards: ['mask-order', 'mask-fill'],
  },
  {
    id: 'multi-head', formulas: ['one-head', 'head-sizes', 'side-by-side', 'projected'],
    mistakes: [
      mistakes.sameSum, { id: 'part-of-input', instead: { act: 'show', value: 'shapes', say: 'show-shapes' } }, mistakes.parameters,
    ],
    takeaways: ['sum-stays', 'own-columns', 'built-from-allowed', 'to-learn'],
    cards: ['head-dim', 'reshape', 'projection', 'explains'],
  },
];
