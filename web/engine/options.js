// Reads the options of createLayer and configure: which there are, their types and defaults, and the sentence when one
// is not right. Sizes go to the core as they are (whether they make a layer is its to say); settings are looked up in
// the core's own directory of options. It must not call the core. Read next: foresee.js, layer.js.

import { AttnError, errorFor, list, show } from './errors.js';
import { finite, integer } from './numbers.js';

/**
 * @typedef {object} LayerSettings options that configure() can change
 * @property {'given' | 'inputs' | 'trained'} [scoreSource] where the attention weights come from: set by the caller,
 *   zeros after each change to it, softmax of inputs · inputsᵀ, or softmax of queries · keysᵀ (default)
 * @property {'none' | 'sqrt_head_dim' | number} [scale] scores as they are, divided by √head_dim (default), or
 *   multiplied by a number
 * @property {boolean} [causal] true: query i draws on the keys j <= i only (default false). Given weights are then divided
 *   by the sum of those that are left in their row; where that is 0, the row is zeros
 * @property {'simd' | 'plain'} [kernels] which set of kernels computes: the fast one, four numbers at a time with sums
 *   in float (default), or the formulas as they are written, with sums in double
 * @property {FaultName} [fault] a bug planted into forward(), on purpose (default 'none'); see src/attention.h
 * @property {number} [faultPlace] with a fault: the token that it is about, where it is about one (default 0)
 *
 * @typedef {object} LayerShape options that are fixed for the life of a layer
 * @property {number} nTokens T, rows of every sequence
 * @property {number} dIn numbers per input row
 * @property {number} [nBatch] sequences, computed independently (default 1)
 * @property {number} [dOut] columns of w_query, w_key and w_value (default dIn)
 * @property {number} [nHeads] heads; must divide dOut, or dIn unless scoreSource is 'trained' (default 1)
 * @property {boolean | number} [outputProjection] true: w_out with dOut columns; a number: with so many (default false)
 * @property {boolean} [keepWeights] false: attention weights are made for some queries and keys at a time and forgotten,
 *   their sums too, so that nothing is T × T: for long sequences of which only the results are wanted (default true)
 * @property {boolean} [keepGradients] false: no room for backward() and trainStep(), which is more than half of what a
 *   layer takes (default keepWeights)
 * @property {readonly ('query' | 'key' | 'value' | 'out')[]} [biases] projections that have a bias (default none)
 *
 * @typedef {'none' | 'weight_altered' | 'term_wrong' | 'input_altered' | 'softmax_columns' | 'mask_off_by_one'
 *   | 'mask_after_softmax' | 'mask_fill_zero' | 'mask_fill_large' | 'scale_missing' | 'scale_sqrt_d_out'
 *   | 'query_key_swapped' | 'heads_reshaped'} FaultName
 * @typedef {LayerShape & LayerSettings} LayerOptions
 * @typedef {{ key: string, value: unknown, option: number, choice: number, number: number }} Setting what the caller
 *   gave, and what attn_configure takes
 * @typedef {import('./module.js').Option} Option
 */

const SIZES = ['nBatch', 'nTokens', 'dIn', 'dOut', 'nHeads'];
const SHAPE = [...SIZES, 'outputProjection', 'biases', 'keepWeights', 'keepGradients'];
const BIASES = ['query', 'key', 'value', 'out'];
const DEFAULTS = { scoreSource: 'trained', scale: 'sqrt_head_dim', causal: false };

/** score_source → scoreSource. @param {string} name */
export const camelCase = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());

/**
 * @param {unknown} options
 * @param {readonly string[]} known
 * @param {string} where
 * @returns {Record<string, unknown>}
 */
export function readObject(options, known, where) {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new AttnError('wrong_type',
      `${where} takes an object with options such as ${known[0]}, got ${show(options)}`);
  }
  const unknown = Object.keys(options).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    throw new AttnError('unknown_option',
      `${where} has no option ${show(unknown)}; the options are ${list(known, 'and')}`, { option: unknown });
  }
  return /** @type {Record<string, unknown>} */ (options);
}

/** @param {unknown} value */
function readBiases(value) {
  const given = value === undefined ? [] : value;
  const wrong = Array.isArray(given) ? given.find((bias) => !BIASES.includes(bias)) : given;
  if (!Array.isArray(given) || wrong !== undefined || given.includes(undefined)) {
    throw new AttnError('wrong_type',
      `biases must be an array of any of ${list(BIASES.map(show))}, got ${Array.isArray(given) ? 'one with ' : ''}` +
      show(wrong), { option: 'biases', value });
  }
  return BIASES.map((bias) => (given.includes(bias) ? 1 : 0));
}

/** @param {unknown} value @param {number} dOut */
function readOutWidth(value, dOut) {
  if (value === undefined || value === false) return 0;
  if (value === true) return dOut;
  if (typeof value === 'number' && Number.isInteger(value) && value > 0) return integer(value, 'outputProjection');
  throw new AttnError('wrong_type',
    `outputProjection must be true, false or a width of at least 1, got ${show(value)}`,
    { option: 'outputProjection', value });
}

/** @param {string} name @param {unknown} value */
function readSwitch(name, value) {
  if (typeof value === 'boolean') return value;
  throw new AttnError('wrong_type', `${name} must be true or false, got ${show(value)}`, { option: name, value });
}

/**
 * The shape that a layer's options ask for.
 * @param {Record<string, unknown>} options
 * @param {string} call whose they are
 */
function readShape(options, call) {
  for (const name of ['nTokens', 'dIn']) {
    if (options[name] === undefined) {
      throw new AttnError('wrong_type', `${call} needs ${name}, a whole number of at least 1; got none`);
    }
  }
  const { nBatch = 1, nTokens, dIn, dOut = dIn, nHeads = 1, keepWeights: keep = true } = options;
  const given = /** @type {Record<string, unknown>} */ ({ nBatch, nTokens, dIn, dOut, nHeads });
  const keepWeights = readSwitch('keepWeights', keep);
  const { keepGradients = keepWeights } = options;
  const [batch, tokens, dInput, dOutput, heads] = SIZES.map((name) => integer(given[name], name));
  return {
    nBatch: batch,
    nTokens: tokens,
    dIn: dInput,
    dOut: dOutput,
    nHeads: heads,
    outWidth: readOutWidth(options.outputProjection, dOutput),
    biases: readBiases(options.biases),
    keepWeights,
    keepGradients: readSwitch('keepGradients', keepGradients),
  };
}

/**
 * @param {string} key
 * @param {Option} option
 * @param {unknown} value
 * @returns {Setting}
 */
function readSetting(key, option, value) {
  const { index, choices } = option;
  const isSwitch = choices.length === 2 && choices.includes('off') && choices.includes('on');
  const words = choices.filter((choice) => choice !== 'number');
  if (isSwitch && typeof value === 'boolean') {
    return { key, value, option: index, choice: choices.indexOf(value ? 'on' : 'off'), number: 0 };
  }
  if (typeof value === 'number' && choices.includes('number')) {
    return { key, value, option: index, choice: choices.indexOf('number'), number: finite(value, key) };
  }
  if (!isSwitch && typeof value === 'string' && words.includes(value)) {
    return { key, value, option: index, choice: choices.indexOf(value), number: 0 };
  }
  const expected = isSwitch ? ['true', 'false']
    : [...words.map(show), ...(choices.includes('number') ? ['a number'] : [])];
  throw new AttnError(typeof value === 'string' ? 'unknown_choice' : 'wrong_type',
    `${key} must be ${list(expected)}, got ${show(value)}`, { option: key, value, expected });
}

/** The token that a fault is about. @param {Record<string, unknown>} options @param {number} nTokens */
function readPlace({ fault, faultPlace = 0 }, nTokens) {
  const value = integer(faultPlace, 'faultPlace');
  if (fault === undefined && value !== 0) {
    throw new AttnError('unknown_option', `faultPlace needs a fault beside it, got ${value} and no fault`,
      { option: 'faultPlace', value });
  }
  const count = Math.max(nTokens, 1); // whether there may be so few tokens is the core's to say
  if (value < 0 || value >= count) {
    throw errorFor('index_out_of_range', { indices: [{ name: 'faultPlace', value, count }] });
  }
  return value;
}

/**
 * Every setting that the options name, checked before any is applied. score_source comes first: it alone can still be
 * refused by the core, and then nothing has changed yet.
 * @param {ReadonlyMap<string, Option>} directory the core's options by their C name
 * @param {Record<string, unknown>} options
 * @param {number} nTokens
 * @returns {Setting[]}
 */
export function readSettings(directory, options, nTokens) {
  const place = readPlace(options, nTokens);
  const names = [...directory.keys()].filter((name) => options[camelCase(name)] !== undefined);
  names.sort((a, b) => Number(b === 'score_source') - Number(a === 'score_source'));
  return names.map((name) => {
    const key = camelCase(name);
    const setting = readSetting(key, /** @type {Option} */ (directory.get(name)), options[key]);
    return name === 'fault' ? { ...setting, number: place } : setting;
  });
}

/** The options that configure can change. @param {ReadonlyMap<string, Option>} directory */
const changeableOf = (directory) => [...[...directory.keys()].map(camelCase), 'faultPlace'];

/**
 * The options of a layer, in two parts.
 * @param {ReadonlyMap<string, Option>} directory
 * @param {unknown} given
 * @param {string} call whose they are
 */
export function readLayerOptions(directory, given, call) {
  const options = readObject(given, [...SHAPE, ...changeableOf(directory)], call);
  const chosen = Object.entries(options).filter(([, value]) => value !== undefined);
  const settings = { ...DEFAULTS, ...Object.fromEntries(chosen) };
  const shape = readShape(options, call);
  return { shape, settings: readSettings(directory, settings, shape.nTokens) };
}

/**
 * The options of configure.
 * @param {ReadonlyMap<string, Option>} directory
 * @param {unknown} given
 * @param {number} nTokens
 */
export function readConfiguration(directory, given, nTokens) {
  const changeable = changeableOf(directory);
  const options = readObject(given, [...changeable, ...SHAPE], 'configure');
  const fixed = SHAPE.find((name) => options[name] !== undefined);
  if (fixed !== undefined) {
    throw new AttnError('option_is_fixed',
      `${fixed} is fixed for the life of a layer; create another (configure can change ${list(changeable, 'and')})`,
      { option: fixed });
  }
  return readSettings(directory, options, nTokens);
}
