/**
 * The formulas of ../web/content/formulas.js as MathML, made by temml while the page is built, so that the page carries
 * no TeX. The style attributes that temml writes are taken out: the policy of the page forbids them, and chapter.css
 * says by class what is needed. Next to read: build-page.mjs, which uses this.
 */

import temml from 'temml';
import { formulas } from '../web/content/formulas.js';

/** @param {string} tex @returns {string} */
function mathml(tex) {
  return temml.renderToString(tex, { displayMode: true, throwOnError: true }).replace(/ style="[^"]*"/g, '');
}

/**
 * Every formula with its MathML in the place of its LaTeX.
 * @returns {Record<string, import('../web/view/frame.js').Formula>}
 */
export function formulasInMathml() {
  return Object.fromEntries(Object.entries(formulas).map(([id, { code, tex }]) => [id, { mathml: mathml(tex), code }]));
}

/** @type {import('esbuild').Plugin} */
export const formulaMarkup = {
  name: 'formulas',
  setup(build) {
    build.onLoad({ filter: /[\\/]web[\\/]content[\\/]formulas\.js$/ }, () => ({
      contents: `export const formulas = ${JSON.stringify(formulasInMathml())};`,
    }));
  },
};
