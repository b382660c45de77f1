/**
 * From a station of the flow diagram to the tensor that it stands for: open what holds its grid, go to the chosen row
 * there, say its shape. Next to read: ../view/flow-map.js.
 */

import { gridOf, panelOf } from '../view/flow-map.js';

/**
 * @param {HTMLElement} root @param {import('./loop.js').Loop} loop @param {string} tensor
 */
export async function goToTensor(root, loop, tensor) {
  const { view } = loop.state();
  if (view.present !== null) return showTensor(loop, tensor);
  const panel = panelOf(tensor);
  if (panel && !view.panels.includes(panel)) await loop.dispatch({ type: 'panel', panel, open: true });
  const { shape } = loop.tensors()[tensor];
  const ofTokens = shape.length > 2;
  // In tensors whose columns are the heads side by side, go to those of the head shown.
  const sideBySide = tensor === 'values' || tensor === 'context_vecs' || tensor === 'queries' || tensor === 'keys';
  const column = sideBySide ? view.head * (shape[2] / loop.tensors().attn_weights.shape[1]) : 0;
  const grid = root.querySelector(`#${CSS.escape(gridOf(tensor, view.head))}`);
  const cell = grid?.querySelector(`[data-row="${ofTokens ? view.row : 0}"][data-column="${column}"]`);
  if (!(cell instanceof HTMLElement)) throw new Error(`${tensor} has no grid on the page`);
  cell.focus();
  cell.scrollIntoView({ block: 'center', inline: 'nearest' });
  loop.say('said', loop.t('said-tensor', { tensor, size: shape.slice(-2).join(' × ') }));
}

/** In a presentation: show what holds the tensor; matrices that stand beside the figure are not shown to a class. @param {import('./loop.js').Loop} loop @param {string} tensor */
async function showTensor(loop, tensor) {
  const { shape } = loop.tensors()[tensor];
  await loop.dispatch({ type: 'present', what: panelOf(tensor) ?? 'figure' });
  loop.say('said', loop.t('said-tensor', { tensor, size: shape.slice(-2).join(' × ') }));
}
