/**
 * A formula and the code that says the same, side by side. Pure. The MathML was made from our own LaTeX when the page
 * was built, so it is put in as it stands: nothing that anyone types gets there. Next to read: chapter.js.
 */

import { html } from 'lit-html';
import { unsafeHTML } from 'lit-html/directives/unsafe-html.js';

/** @typedef {import('./frame.js').Frame} Frame */

/** @param {Frame} frame @param {string[]} ids */
export function formulaList({ content, t }, ids) {
  return html`<dl class="formulas">${ids.map((id) => {
    const { mathml, code } = content.formulas[id];
    return html`<div><dt>${t(`formula-${id}`)}</dt>
      <dd class="math">${unsafeHTML(mathml)}</dd>
      <dd><code>${code}</code></dd></div>`;
  })}</dl>`;
}
