/**
 * What every experiment of a card does: a computation on a layer of its own, read and given back, and how far it is from
 * another. The document is not touched; all arithmetic is the module's. Next to read: experiments.js.
 */

/**
 * @typedef {import('../engine/attention.js').Attention} Attention
 * @typedef {import('../engine/layer.js').Layer} Layer
 * @typedef {import('../engine/checks/state.js').Setup} Setup
 * @typedef {import('../model/derive.js').Figure} Figure
 *
 * @typedef {object} Asked  what an experiment is asked about
 * @property {Attention} attention
 * @property {import('../model/state.js').Doc} doc
 * @property {number} row     that is chosen, from 0
 * @property {number} head    that is shown, from 0
 * @property {string[]} tried  what is chosen of the experiment
 * @property {import('../content/cards.js').Sample | undefined} sample  numbers of the card's own
 */

/**
 * What a computation gives, read and given back.
 * @template T @param {Attention} attention @param {Setup} setup @param {(layer: Layer) => T} read @returns {T}
 */
export function using(attention, setup, read) {
  const layer = attention.createLayer({ kernels: 'plain', ...setup.options });
  try {
    for (const [name, numbers] of Object.entries(setup.tensors)) layer.set(name, numbers);
    return read(layer.forward());
  } finally {
    layer.dispose();
  }
}

/** @param {Layer} layer */
export const result = (layer) => ({ weights: layer.get('attn_weights').data, context: layer.get('context_vecs').data });

/** The largest difference in size. @param {Layer} layer @param {Float32Array} left @param {Float32Array} right */
export const furthest = (layer, left, right) => Math.max(0, ...layer.difference(left, right).map(Math.abs));

/**
 * How far another computation is from this one.
 * @param {Attention} attention @param {Setup} setup @param {Setup} other @returns {Figure[]}
 */
export function moved(attention, setup, other) {
  const before = using(attention, setup, result);
  return using(attention, other, (layer) => {
    const after = result(layer);
    return [
      { id: 'weights', value: furthest(layer, after.weights, before.weights) },
      { id: 'context', value: furthest(layer, after.context, before.context) },
    ];
  });
}
