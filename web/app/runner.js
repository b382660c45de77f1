/**
 * From a document to its tensors: the one place where the page meets the engine. It answers with promises, so that a
 * worker can stand here later. Keeps one layer while the shape stays; what it returns are copies.
 * Next to read: loop.js, which asks; ../engine/layer.js, which computes.
 */

import { asked } from '../model/questions.js';
import { sizesOf } from '../model/state.js';
import { createChanges } from './changes.js';
import { againstPinned, bothRoutes, readoutsOf, routesBy, tensorsOf, waysOfMasking } from './comparisons.js';
import { drawnFor } from './drawing.js';
import { experimentOf } from './experiments.js';
import { faultOf, firstTokens, setupOf } from './setup.js';

/**
 * @typedef {import('../model/state.js').State} State
 * @typedef {import('../model/state.js').Doc} Doc
 * @typedef {import('../model/derive.js').Computed} Computed
 * @typedef {import('../engine/layer.js').Layer} Layer
 */

/**
 * @param {import('../engine/attention.js').Attention} attention the loaded module
 * @param {import('./batches.js').Batches} batches
 */
export function createRunner(attention, batches) {
  const changes = createChanges(attention);
  /** @type {Layer | null} */
  let layer = null;
  let shapeOfLayer = '';

  /**
   * A layer of the document's shape, with its settings and numbers.
   * @param {Doc} doc @param {State['view']['kernels']} [kernels] @returns {Layer}
   */
  function prepare(doc, kernels) {
    const { options, tensors } = setupOf(doc, kernels);
    const { scoreSource, scale, causal, kernels: chosen, ...shape } = options;
    const settings = { scoreSource, scale, causal, kernels: chosen, ...faultOf(doc) };
    if (layer === null || JSON.stringify(shape) !== shapeOfLayer) {
      layer?.dispose();
      layer = null;
      layer = attention.createLayer({ ...shape, ...settings });
      shapeOfLayer = JSON.stringify(shape);
    } else {
      layer.configure(settings);
    }
    for (const [name, numbers] of Object.entries(tensors)) layer.set(name, numbers);
    return layer.forward();
  }

  /**
   * The largest difference that the other kernels make in the context vectors.
   * @param {Doc} doc @param {State['view']['kernels']} kernels
   */
  function kernelsApart(doc, kernels) {
    const others = prepare(doc, kernels === 'plain' ? 'simd' : 'plain').get('context_vecs').data;
    const ready = prepare(doc, kernels);
    return ready.difference(ready.get('context_vecs').data, others).reduce((most, apart) => Math.max(most, Math.abs(apart)), 0);
  }

  /** The tensors and figures of a document that is not the one on the screen. @param {Doc} doc */
  function aside(doc) {
    const ready = prepare(doc);
    return { tensors: tensorsOf(ready), readouts: readoutsOf(ready, sizesOf(doc).heads) };
  }

  return {
    /**
     * All that the page shows of a state.
     * @param {State} state @returns {Promise<Computed>} rejects with an AttnError if a number is not finite
     */
    async run({ document, view }) {
      const pinned = view.pinned && aside(view.pinned);
      const arrived = (/** @type {number} */ count) => aside(firstTokens(document, count)).tensors;
      const replayed = view.replay === null ? null
        : { tensors: arrived(view.replay), before: view.replay > 1 ? arrived(view.replay - 1) : null };
      const open = (/** @type {import('../model/state.js').Panel} */ panel) => view.panels.includes(panel);
      const question = asked({ document, view });
      const beside = question?.revealed && question.beside ? aside(question.beside).tensors.attn_weights : null;
      const apart = open('numbers') ? kernelsApart(document, view.kernels) : null;
      const ready = prepare(document, view.kernels);
      const { heads, width } = sizesOf(document);
      const tensors = tensorsOf(ready);
      const pointing = ready.compareRoutes();
      const routes = routesBy(ready, view, pointing);
      const row = Math.min(view.row, document.tokens.length - 1);
      const head = Math.min(view.head, heads - 1);
      const position = routes.rows.find(({ token }) => token === row)?.position ?? head * (width / heads);
      const last = view.trail[view.trail.length - 1];
      return {
        tensors,
        routes,
        pointing,
        terms: { row, position, ...ready.routeTerms(row, position) },
        trace: last ? ready.trace(last.tensor, last.indices) : null,
        rowTraces: Array.from({ length: width / heads }, (_, e) =>
          ready.trace('context_vecs', [0, row, head * (width / heads) + e])),
        readouts: readoutsOf(ready, heads),
        faults: ready.faults(),
        pinned: pinned && againstPinned(ready, pinned.tensors, pinned.readouts),
        replayed,
        answer: question?.revealed ? question.answer({
          tensors: tensorsOf(ready),
          traces: question.traces.map(({ tensor, indices }) => ready.trace(tensor, indices)),
          apart: beside && ready.difference(ready.get('attn_weights').data, beside.data),
        }) : null,
        both: open('routes') ? bothRoutes(ready) : null,
        lesson: batches.lesson(document, view.gradient, open('training')),
        kernelsApart: apart,
        changed: changes.of(ready, document, tensors),
        masking: open('masking') ? waysOfMasking(attention, document) : null,
        experiment: open('chapter') ? experimentOf(attention, document, view) : null,
      };
    },

    /**
     * The parameters of an example, drawn by the module's generator unless it brings its own.
     * @param {import('../content/examples.js').Example} example
     * @returns {Promise<import('../model/state.js').Drawn>}
     */
    async draw(example) {
      return drawnFor(attention, example);
    },

    /** The document that the chapter before an example's starts from; null if there is none. @param {string} example */
    async before(example) {
      return changes.before(example);
    },

    /**
     * The first of the bugs that shows in a document: with which the routes disagree.
     * @param {Doc} doc @param {(faults: ReturnType<Layer['faults']>) => import('../model/mystery.js').Candidate[]} choose
     * @returns {Promise<import('../model/mystery.js').Candidate | null>}
     */
    async firstThatShows(doc, choose) {
      const mended = { ...doc, fault: 'none', faultPlace: 0 };
      const shows = (/** @type {import('../model/mystery.js').Candidate} */ { fault, place }) =>
        prepare({ ...mended, fault, faultPlace: place }).compareRoutes().verdict !== 'agree';
      return choose(prepare(mended).faults()).find(shows) ?? null;
    },

    /** One row of given weights, divided by its sum. @param {Doc} doc @param {number} row @returns {Promise<number[]>} */
    async normalisedRow(doc, row) {
      return Array.from(prepare({ ...doc, fault: 'none' }).normalisedRow(row));
    },
  };
}
