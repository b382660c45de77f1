/**
 * The parameters that an example opens with, drawn by the module's generator unless the example brings its own.
 * Next to read: ../content/examples.js, runner.js.
 */

import { rowsOf } from '../model/derive.js';

/**
 * @param {import('../engine/attention.js').Attention} attention
 * @param {import('../content/examples.js').Example} example
 * @returns {import('../model/state.js').Drawn}
 */
export function drawnFor(attention, { inputs, dOut, draw, parameters }) {
  if (parameters) return parameters;
  const drawing = attention.createLayer({ nTokens: 1, dIn: inputs[0].length, dOut });
  drawing.init(draw.scheme, draw.seed);
  const [w_query, w_key, w_value] = ['w_query', 'w_key', 'w_value'].map((name) => rowsOf(drawing.get(name)));
  drawing.dispose();
  return { w_query, w_key, w_value };
}
