// The one error class of the engine, and the one funnel from a status of the C core to a sentence with the user's own
// numbers in it. Knows the stable names of statuses, never their numbers, and must not call into the module.
// Read next: module.js.

/**
 * What every failure of the engine throws.
 * `code` is a stable name for programs: a status of the core ("heads_do_not_divide"; see src/attention.h) or one of
 * wrong_type, wrong_size, unknown_option, option_is_fixed, unknown_tensor, tensor_not_here, tensor_is_derived,
 * number_too_large, disposed, module_missing, module_damaged, no_webassembly, no_simd.
 * `message` names what was expected and what came; `context` holds the values that the message was made from.
 */
export class AttnError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {Record<string, unknown>} [context]
   */
  constructor(code, message, context = {}) {
    super(message);
    this.name = 'AttnError';
    this.code = code;
    this.context = Object.freeze({ ...context });
  }
}

/**
 * A value as it should appear in a sentence: short, and never throwing.
 * @param {unknown} value
 * @returns {string}
 */
export function show(value) {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return value.length > 40 ? `'${value.slice(0, 40)}…'` : `'${value}'`;
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value === 'function') return 'a function';
  return typeof value === 'bigint' ? `${value}n` : String(value);
}

/**
 * "a", "a or b", "a, b or c".
 * @param {readonly (string | number)[]} items
 * @param {string} [word]
 */
export function list(items, word = 'or') {
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} ${word} ${items[items.length - 1]}`;
}

/** @param {number} bytes */
function showBytes(bytes) {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
  let unit = 0;
  let size = bytes;
  for (; size >= 1024 && unit < units.length - 1; unit++) size /= 1024;
  return `${Number(size.toPrecision(3))} ${units[unit]}`;
}

/** @param {number} n */
function divisors(n) {
  const found = [];
  for (let i = 1; i <= n; i++) if (n % i === 0) found.push(i);
  return found;
}

/**
 * One sentence for each status that needs the user's numbers; the others speak through attn_status_text.
 * @type {Record<string, (context: any) => string>}
 */
const sentences = {
  size_not_positive: ({ sizes }) => {
    const bad = Object.entries(sizes).find(([, size]) => size <= 0);
    return bad ? `${bad[0]} must be at least 1, got ${bad[1]}` : 'every size must be at least 1';
  },
  too_large: ({ sizes, bytes, maxBytes, what }) => {
    const asked = Object.entries(sizes).map(([name, size]) => `${name} ${size}`).join(', ');
    return `${what ?? `a layer of ${asked}`} would need ${showBytes(bytes)}; ` +
      `${what ? 'it' : 'a layer'} may take at most ${showBytes(maxBytes)}`;
  },
  out_of_memory: ({ bytes, what = 'this layer' }) =>
    `there is no memory for ${what}, which needs ${showBytes(bytes)}; dispose of layers that are no longer needed`,
  heads_do_not_divide: ({ nHeads, width, widthName }) =>
    `nHeads must divide ${widthName} = ${width}: ${list(divisors(width))}; got ${nHeads}`,
  bias_without_out: () =>
    "biases may name 'out' only with an output projection; got 'out' and outputProjection false",
  gradients_without_weights: () =>
    'keepGradients needs keepWeights: gradients are computed from the attention weights; got keepWeights false and ' +
    'keepGradients true',
  not_kept: ({ asked, gradients, keepWeights }) => {
    const option = keepWeights ? 'keepGradients' : 'keepWeights';
    const needed = gradients ? 'room for gradients and targets' : 'attention weights';
    const also = gradients && !keepWeights ? ' and keepGradients: true' : '';
    return `${asked} needs ${needed}, and this layer keeps none (${option}: false); create one with ${option}: true${also}`;
  },
  width_is_fixed: ({ dIn, dOut }) =>
    'with an output projection, scoreSource can change only where dIn = dOut, because the width of w_out is fixed; ' +
    `got dIn = ${dIn}, dOut = ${dOut}`,
  number_not_finite: ({ what, value, range = '' }) => `${what} must be a finite number${range}, got ${show(value)}`,
  tensor_not_finite: ({ where, value }) =>
    `${where} is not finite (${value}): ` +
    'the numbers have outgrown float32; smaller inputs or weights, or a smaller scale, keep it finite',
  index_out_of_range: ({ indices }) => {
    const bad = indices.find((/** @type {any} */ index) => index.value < 0 || index.value >= index.count);
    if (!bad) return 'an index is out of range';
    const range = bad.count === 1 ? '0 (there is only one)' : `from 0 to ${bad.count - 1}`;
    return `${bad.name} must be ${range}, got ${bad.value}`;
  },
  stale: ({ tensor, call = 'forward', parts }) => (parts
    ? 'this forwardParts() cannot go on: since its last part the layer was changed, or computed by another call; what is ' +
      'left of it is of no use, begin anew with forwardParts()'
    : `${tensor} is stale: something changed since the last ${call}(), or there was none yet; call ${call}() first`),
  fault_planted: ({ method }) =>
    `${method}() needs fault 'none': gradients are those of the right computation, and a bug is planted into this one`,
  no_targets: () => 'targetRows must name at least one token, got an empty array',
  no_parameters: () =>
    "trainStep() needs weight matrices, and this layer has none: scoreSource must be 'trained', or there must be an " +
    'output projection',
  diverged: ({ where, tensor, learningRate }) => (tensor.startsWith('d_')
    ? `the gradient is so large that no step can be taken: a number is not finite, in ${where}; nothing was changed, ` +
      'the layer is as it was before the step; smaller targets, inputs or parameters keep it finite'
    : `the step at learning rate ${learningRate} would lead to a number that is not finite, in ${where}; nothing was ` +
    'changed, the layer is as it was before the step; a smaller learning rate keeps it finite'),
  row_sum_is_zero: ({ row }) => `the weights of row ${row} sum to 0, so the row cannot be normalised`,
};

/**
 * The funnel: the error for a status of the core.
 * @param {string} code the status's stable name
 * @param {Record<string, unknown>} context the user's numbers
 * @param {string} [text] the core's own sentence, for a status that needs no numbers
 * @returns {AttnError}
 */
export function errorFor(code, context, text = code) {
  const sentence = sentences[code];
  return new AttnError(code, sentence ? sentence(context) : text, context);
}
