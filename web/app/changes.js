/**
 * What a chapter changes, in numbers: the state on the screen against the start of the chapter before. It selects and
 * copies; what is subtracted or divided, the module does. Next to read: ../model/lesson.js, ../view/changed.js.
 */

import { chapters } from '../content/chapters.js';
import { examples } from '../content/examples.js';
import { build } from '../engine/checks/state.js';
import { exampleBefore } from '../model/lesson.js';
import { stateOfExample } from '../model/state.js';
import { tensorsOf } from './comparisons.js';
import { drawnFor } from './drawing.js';
import { setupOf } from './setup.js';

/**
 * @typedef {import('../engine/layer.js').Layer} Layer
 * @typedef {import('../model/state.js').Doc} Doc
 * @typedef {import('../model/derive.js').Tensor} Tensor
 * @typedef {{ doc: Doc, tensors: Record<string, Tensor>, masked: Tensor }} Start  masked: its weights under the causal mask
 */

/** @param {import('../engine/attention.js').Attention} attention */
export function createChanges(attention) {
  /** Starts do not change, so each is computed once. @type {Map<string, Start>} */
  const starts = new Map();

  /** The start of the chapter before that of a document; null if there is none. @param {string} example */
  function startBefore(example) {
    const id = exampleBefore(chapters, example);
    const found = examples.find((one) => one.id === id);
    if (!found) return null;
    const start = starts.get(found.id) ?? startOf(found);
    starts.set(found.id, start);
    return start;
  }

  /** @param {import('../content/examples.js').Example} example @returns {Start} */
  function startOf(example) {
    const doc = stateOfExample(example, drawnFor(attention, example)).document;
    const layer = build(attention, setupOf(doc));
    const tensors = tensorsOf(layer);
    layer.dispose();
    const [, heads, nTokens] = tensors.attn_weights.shape;
    const { data: values, shape } = tensors.values;
    // Given weights under the mask are divided by what it leaves of their row.
    const divided = build(attention, {
      options: { nTokens, dIn: shape[2], nHeads: heads, scoreSource: 'given', causal: true },
      tensors: { inputs: values, attn_weights: tensors.attn_weights.data },
    });
    const masked = divided.get('attn_weights');
    divided.dispose();
    return { doc, tensors, masked };
  }

  return {
    /** @param {string} example @returns {Doc | null} the document that the chapter before starts from */
    before: (example) => startBefore(example)?.doc ?? null,

    /**
     * @param {Layer} layer  computed for the document @param {Doc} doc @param {Record<string, Tensor>} now  what it computed
     * @returns {import('../model/derive.js').Computed['changed']}
     */
    of(layer, doc, now) {
      const start = startBefore(doc.example);
      if (!start) return null;
      const { tensors } = start;
      const apart = (/** @type {Tensor} */ left, /** @type {Tensor} */ right) =>
        ({ shape: left.shape, data: layer.difference(left.data, right.data) });
      const alike = Object.keys(now).filter((name) => String(now[name].shape) === String(tensors[name]?.shape));
      return {
        example: start.doc.example,
        start: start.doc,
        before: tensors,
        differences: Object.fromEntries(alike.map((name) => [name, apart(now[name], tensors[name])])),
        fromMask: doc.causal && !start.doc.causal && alike.includes('attn_weights')
          ? apart(now.attn_weights, start.masked) : null,
      };
    },
  };
}
