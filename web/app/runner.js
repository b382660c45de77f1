/**
 * From a document to its tensors: the one place where the page meets the engine. It answers with promises, so that a
 * worker can stand here later. Keeps one layer while the shape stays; what it returns are copies.
 * Next to read: loop.js, which asks; ../engine/layer.js, which computes.
 */

import { rowsOf } from '../model/derive.js';
import { sizesOf } from '../model/state.js';

/**
 * @typedef {import('../model/state.js').State} State
 * @typedef {import('../model/state.js').Doc} Doc
 * @typedef {import('../model/derive.js').Tensors} Tensors
 * @typedef {import('../model/derive.js').Computed} Computed
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
    const name = /** @type {import('../engine/options.js').FaultName} */ (doc.fault);
    const fault = name === 'none' ? { fault: name } : { fault: name, faultPlace: doc.faultPlace };
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
    return layer.configure(fault).forward();
  }

  return {
    /**
     * All that the page shows of a state.
     * @param {State} state @returns {Promise<Computed>} rejects with an AttnError if a number is not finite
     */
    async run({ document, view }) {
      const pinned = view.pinned && tensorsOf(prepare(view.pinned));
      const replayed = view.replay === null ? null : tensorsOf(prepare(firstTokens(document, view.replay)));
      const ready = prepare(document);
      const { heads, width } = sizesOf(document);
      const tolerance = view.tolerance === 'displayed' ? 0.5 * 10 ** -view.digits : view.tolerance;
      const routes = ready.compareRoutes({ tolerance });
      const row = Math.min(view.row, document.tokens.length - 1);
      const head = Math.min(view.head, heads - 1);
      const position = routes.rows.find(({ token }) => token === row)?.position ?? head * (width / heads);
      const last = view.trail[view.trail.length - 1];
      return {
        tensors: tensorsOf(ready),
        routes,
        terms: { row, position, ...ready.routeTerms(row, position) },
        trace: last ? ready.trace(last.tensor, last.indices) : null,
        rowTraces: Array.from({ length: width / heads }, (_, e) =>
          ready.trace('context_vecs', [0, row, head * (width / heads) + e])),
        readouts: Array.from({ length: heads }, (_, h) => ready.readouts(h)),
        faults: ready.faults(),
        pinned,
        replayed,
      };
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
      return Array.from(prepare({ ...doc, fault: 'none' }).normalisedRow(row));
    },
  };
}

/** Copies of all tensors that a layer has now. @param {Layer} layer @returns {Tensors} */
function tensorsOf(layer) {
  return Object.fromEntries(Object.keys(layer.shapes()).map((name) => [name, layer.get(name)]));
}

/** A document as it was when only its first tokens had arrived. @param {Doc} doc @param {number} count @returns {Doc} */
function firstTokens(doc, count) {
  return {
    ...doc,
    tokens: doc.tokens.slice(0, count),
    inputs: doc.inputs.slice(0, count),
    given: doc.given && doc.given.slice(0, count).map((row) => row.slice(0, count)),
    faultPlace: Math.min(doc.faultPlace, count - 1),
  };
}
