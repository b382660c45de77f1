/**
 * What the view needs to know of a trace, the account that the module gives of one number: which cells it lights, how
 * many steps it has, whether it comes to the number that the matrix holds. It adds and multiplies no tensor.
 * Next to read: derive.js, through which the view gets these.
 */

/**
 * @typedef {import('./derive.js').Trace} Trace
 * @typedef {import('./derive.js').Tensors} Tensors
 * @typedef {import('./state.js').Cell} Cell
 * @typedef {'added' | 'now' | 'open'} Light  used so far, used by the last term, or the number whose arithmetic is open
 */

/** The key of one number in `lit`. @param {string} tensor @param {number} element flat index */
export function placeKey(tensor, element) {
  return `${tensor}:${element}`;
}

/** The flat index of an element. @param {number[]} shape @param {number[]} indices */
export function elementOf(shape, indices) {
  return indices.reduce((element, index, axis) => element * shape[axis] + index, 0);
}

/**
 * The tensor in whose grid a number stands: without trainable matrices queries, keys and values are the inputs, and
 * weights as typed stand where the attention weights do.
 * @param {string} tensor @param {boolean} trained
 */
export function standsIn(tensor, trained) {
  if (tensor === 'given_weights') return 'attn_weights';
  return !trained && ['queries', 'keys', 'values'].includes(tensor) ? 'inputs' : tensor;
}

/** How many terms are added at a step; null: all. @param {number | null} step @param {number} count */
export function termsAt(step, count) {
  return Math.min(step ?? count, count);
}

/**
 * The cells that stepping has reached.
 * @param {Trace[]} traces  of one number, or of the numbers of a row, which have their terms in common
 * @param {number | null} step @param {boolean} trained @param {Tensors} tensors
 * @returns {Map<string, Light>}
 */
export function lightsOf(traces, step, trained, tensors) {
  /** @type {Map<string, Light>} */
  const lit = new Map();
  /** @param {Cell} cell @param {Light} light */
  const put = ({ tensor, indices }, light) => {
    const name = standsIn(tensor, trained);
    const key = placeKey(name, elementOf(tensors[name].shape, indices));
    if (light !== 'added' || !lit.has(key)) lit.set(key, light);
  };
  for (const trace of traces) {
    const count = termsAt(step, trace.terms.length);
    trace.terms.slice(0, count).forEach(({ left, right }, i) => {
      for (const factor of right ? [left, right] : [left]) put(factor, step !== null && i === count - 1 ? 'now' : 'added');
    });
    if (traces.length === 1) put(trace, 'open');
  }
  return lit;
}

/**
 * Whether a trace comes to the number that the tensor holds; where a bug is planted it need not. Sums may differ in the
 * last bits by the order of their terms.
 * @param {Trace} trace
 */
export function holds({ result, shown, terms, scale, operation }) {
  if (result === shown) return true;
  const size = operation === 'softmax' || operation === 'given_masked' ? 0
    : terms.reduce((sum, { product }) => sum + Math.abs(product * scale), 0);
  return Math.abs(result - shown) <= 1e-6 * (1 + size);
}
