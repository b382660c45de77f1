/**
 * From a document to its tensors: the one place where the page meets the engine. It answers with promises, so that a
 * worker can stand here later. Keeps one layer while the shape stays; what it returns are copies.
 * Next to read: loop.js, which asks; ../engine/layer.js, which computes.
 */

import { rowsOf } from '../model/derive.js';
import { sizesOf } from '../model/state.js';

/**
 * @typedef {import('../model/state.js').Doc} Doc
 * @typedef {import('../model/derive.js').Tensors} Tensors
 * @typedef {{ tensors: Tensors, routes: import('../model/derive.js').Routes }} Computed
 * @typedef {import('../engine/layer.js').Layer} Layer
 */

/** @param {{ createLayer(options: object): Layer }} attention the loaded module */
export function createRunner(attention) {
  /** @type {Layer | null} */
  let layer = null;
  let shapeOfLayer = '';

  /** A layer of the document's shape, with its settings and numbers. @param {Doc} doc @returns {Layer} */
  function prepare(doc) {
    const { nTokens, dIn, dOut, heads } = sizesOf(doc);
    const trained = doc.source === 'trained';
    const shape = { nTokens, dIn, dOut, nHeads: heads, outputProjection: trained && doc.project };
    const settings = { scoreSource: doc.source, scale: doc.scale, causal: doc.causal };
    if (layer === null || JSON.stringify(shape) !== shapeOfLayer) {
      layer?.dispose();
      layer = null;
      layer = attention.createLayer({ ...shape, ...settings });
      shapeOfLayer = JSON.stringify(shape);
    } else {
      layer.configure(settings);
    }
    layer.set('inputs', doc.inputs);
    if (doc.source === 'given') layer.set('attn_weights', doc.given);
    if (trained) layer.set('w_query', doc.w_query).set('w_key', doc.w_key).set('w_value', doc.w_value);
    if (shape.outputProjection) layer.set('w_out', doc.w_out);
    return layer;
  }

  return {
    /**
     * All tensors of a document, and what the second route says of them.
     * @param {Doc} doc @returns {Promise<Computed>} rejects with an AttnError if a number is not finite
     */
    async run(doc) {
      const ready = prepare(doc).forward();
      const names = Object.keys(ready.shapes());
      const tensors = Object.fromEntries(names.map((name) => [name, ready.get(name)]));
      return { tensors, routes: ready.compareRoutes() };
    },

    /**
     * The parameters of an example, drawn by the module's generator.
     * @param {import('../content/examples.js').Example} example
     * @returns {Promise<import('../model/state.js').Drawn>}
     */
    async draw({ inputs, dOut, draw }) {
      const drawing = attention.createLayer({ nTokens: 1, dIn: inputs[0].length, dOut });
      drawing.init(draw.scheme, draw.seed);
      const [w_query, w_key, w_value] = ['w_query', 'w_key', 'w_value'].map((name) => rowsOf(drawing.get(name)));
      drawing.dispose();
      return { w_query, w_key, w_value };
    },

    /** One row of given weights, divided by its sum. @param {Doc} doc @param {number} row @returns {Promise<number[]>} */
    async normalisedRow(doc, row) {
      return Array.from(prepare(doc).normalisedRow(row));
    },
  };
}
