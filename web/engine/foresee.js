// What a layer of given options would be, before there is one: its shape and settings, how many bytes it takes, and the
// sentence if there can be no such layer. It asks the core and allocates nothing. Read next: options.js, layer.js.

import { errorFor, show } from './errors.js';
import { readLayerOptions } from './options.js';

/**
 * @typedef {import('./module.js').Core} Core
 * @typedef {import('./options.js').Setting} Setting
 */

/**
 * What a sentence about a setting that is refused needs to know.
 * @param {{ dIn: number, dOut: number }} shape
 * @param {Setting} setting
 */
export function settingFacts({ dIn, dOut }, { key, value }) {
  const [widthName, width] = value === 'trained' ? ['dOut', dOut] : ['dIn', dIn];
  return { asked: `${key} ${show(value)}`, widthName, width };
}

/**
 * Everything but memory that stands in the way of a layer is refused here.
 * @param {Core} core
 * @param {unknown} options LayerOptions, unchecked
 * @param {string} call whose options they are, for sentences
 * @returns the shape, alone and as the core takes it; the settings; and what a sentence about memory needs to know
 * @throws {import('./errors.js').AttnError} as createLayer, but too_large and out_of_memory
 */
export function foresee(core, options, call) {
  const c = core.exports;
  const { shape, settings } = readLayerOptions(core.options, options, call);
  const { nBatch, nTokens, dIn, dOut, nHeads, outWidth, biases, keepWeights, keepGradients } = shape;
  const shapeArguments =
    [nBatch, nTokens, dIn, dOut, nHeads, outWidth, ...biases, Number(keepWeights), Number(keepGradients)];
  const facts = {
    sizes: { nBatch, nTokens, dIn, dOut, nHeads, ...(outWidth > 0 ? { outputProjection: outWidth } : {}) },
    bytes: c.attn_shape_bytes(...shapeArguments), maxBytes: c.attn_max_bytes(),
  };
  /** @param {number} status @param {object} more */
  const check = (status, more) => {
    const code = core.statusName(status);
    if (code !== 'ok' && code !== 'too_large') throw errorFor(code, { ...shape, ...more }, core.statusText(status));
  };
  check(c.attn_shape_check(...shapeArguments), facts);
  for (const setting of settings) {
    if (setting.key === 'scoreSource') {
      check(c.attn_source_check(dIn, dOut, nHeads, outWidth, Number(keepWeights), setting.choice),
        settingFacts(shape, setting));
    }
    if (setting.key === 'fault' && setting.value !== 'none' && !keepWeights) {
      throw errorFor('not_kept', { ...shape, ...settingFacts(shape, setting) });
    }
  }
  return { shape, shapeArguments, settings, facts };
}
