/**
 * What buttons, switches and lists do: one listener for all that carry data-act, and the keys for undo and redo.
 * Next to read: ../view/controls.js (the markup), loop.js.
 */

import { goToTensor } from './stations.js';
import { inspector } from './inspector.js';
import { bugActs } from './bug-acts.js';

/**
 * @param {HTMLElement} root
 * @param {import('./loop.js').Loop} loop
 * @param {ReturnType<typeof import('./grid-keys.js').gridKeys>} grids
 * @param {Record<string, (value: string) => unknown>} others  what the controls of training, sharing and files do
 */
export function controls(root, loop, grids, others) {
  const numbers = inspector(root, loop);

  /** @type {Record<string, (value: string) => unknown>} */
  const acts = {
    'open': (value) => loop.open(value),
    'reset': () => loop.open(loop.state().document.example),
    'undo': () => loop.undo(),
    'redo': () => loop.redo(),
    'dismiss': () => {
      loop.ui.notice = null;
      loop.paint();
    },
    'causal': (value) => loop.dispatch({ type: 'causal', on: value === 'on' }),
    'project': (value) => loop.dispatch({ type: 'project', on: value === 'on' }),
    'heads': (value) => loop.dispatch({ type: 'heads', count: Number(value) }),
    'scale': (value) => loop.dispatch({ type: 'scale', scale: value === 'none' ? 'none' : 'sqrt_head_dim' }),
    'source': (value) => loop.source(/** @type {import('../model/state.js').Source} */ (value)),
    'row': (value) => loop.dispatch({ type: 'row', row: Number(value) }),
    'head': (value) => loop.dispatch({ type: 'head', head: Number(value) }),
    'panel': async (value) => {
      const panel = /** @type {import('../model/state.js').Panel} */ (value);
      const open = !loop.state().view.panels.includes(panel);
      if (await loop.dispatch({ type: 'panel', panel, open }) && open) bringIntoView(root.querySelector(`#panel-${panel}`));
    },
    'plane': (value) => {
      const [of, axis, dimension] = value.split(' ');
      return loop.dispatch({
        type: 'plane', of: of === 'inputPlane' ? 'inputPlane' : 'plane', axis: Number(axis), dimension: Number(dimension),
      });
    },
    'every-head': (value) => loop.dispatch({ type: 'every-head', on: value === 'on' }),
    'try-rows': (value) => loop.dispatch({ type: 'try-rows', rows: value === '' ? null : Number(value) }),
    'unfolded': (value) => loop.dispatch({ type: 'unfolded', on: value === 'on' }),
    'station': (value) => goToTensor(root, loop, value),
    'inspect': (value) => numbers.inspect(value),
    'follow': (value) => numbers.follow(value),
    'back': () => numbers.back(),
    'show-panel': (value) => numbers.showPanel(value),
    'step': (value) => numbers.step(value),
    'digits': (value) => loop.dispatch({ type: 'digits', digits: Number(value) }),
    'kernels': (value) => loop.dispatch({ type: 'kernels', kernels: value === 'simd' ? 'simd' : 'plain' }),
    'column-sums': (value) => loop.dispatch({ type: 'column-sums', on: value === 'on' }),
    'linear': (value) => loop.dispatch({ type: 'linear', on: value === 'on' }),
    ...bugActs(root, loop),
    ...others,
    'tolerance': (value) => loop.dispatch({ type: 'tolerance', tolerance: value === 'displayed' ? value : Number(value) }),
    'replay': (value) => loop.dispatch({ type: 'replay', tokens: value === '' ? null : Number(value) }),
    'pin': () => loop.dispatch({ type: 'pin' }),
    'unpin': () => loop.dispatch({ type: 'unpin' }),
    'normalise': (value) => loop.normalise(Number(value)),
    'add-token': () => loop.dispatch({ type: 'add-token' }),
    'remove-token': (value) => loop.dispatch({ type: 'remove-token', row: Number(value) }),
    'add-dimension': () => loop.dispatch({ type: 'add-dimension' }),
    'remove-dimension': () => loop.dispatch({ type: 'remove-dimension' }),
    'add-output': () => loop.dispatch({ type: 'add-output' }),
    'remove-output': () => loop.dispatch({ type: 'remove-output' }),
    'edit-sign': () => grids.editBar('edit-sign'),
    'edit-done': () => grids.editBar('edit-done'),
    'edit-cancel': () => grids.editBar('edit-cancel'),
  };

  /** @param {Element} control @param {string} value */
  function act(control, value) {
    const name = control.getAttribute('data-act') ?? '';
    const does = acts[name];
    if (!does) throw new Error(`a control asks for "${name}", which nothing does`);
    // Whatever is done elsewhere, the field that is open is done with first: its place may be gone afterwards.
    if (!name.startsWith('edit-')) grids.leave();
    void does(value);
  }

  root.addEventListener('click', (event) => {
    const button = event.target instanceof Element
      ? event.target.closest('button[data-act]:not([aria-disabled=true]), g[data-act]') : null;
    if (button) act(button, button.getAttribute('data-value') ?? '');
  });

  // Buttons within a picture are not the browser's: their keys are ours.
  root.addEventListener('keydown', (event) => {
    const button = event.target instanceof SVGElement ? event.target.closest('g[data-act]') : null;
    if (!button || (event.key !== 'Enter' && event.key !== ' ')) return;
    event.preventDefault();
    act(button, button.getAttribute('data-value') ?? '');
  });

  // Enter in a field that goes with a button does what the button does.
  root.addEventListener('keydown', (event) => {
    const { target, key } = event;
    if (key !== 'Enter' || !(target instanceof HTMLInputElement) || !target.dataset.enter) return;
    // Else the same key would press the button to which the focus goes.
    event.preventDefault();
    void acts[target.dataset.enter](target.value);
  });

  root.addEventListener('change', (event) => {
    const { target } = event;
    if ((target instanceof HTMLInputElement || target instanceof HTMLSelectElement) && target.dataset.act) {
      act(target, target.value);
    }
  });

  // A list that is searched follows each letter.
  root.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLInputElement && target.type === 'search') act(target, target.value);
  });

  document.addEventListener('keydown', (event) => {
    const command = (event.ctrlKey || event.metaKey) && !event.altKey;
    const { target } = event;
    const typing = target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && ['text', 'search'].includes(target.type));
    // Behind a dialog nothing changes that one does not see.
    if (!command || typing || loop.ui.dialog) return;
    const key = event.key.toLowerCase();
    const redo = (key === 'z' && event.shiftKey) || (key === 'y' && !event.shiftKey);
    if (!redo && key !== 'z') return;
    event.preventDefault();
    void (redo ? loop.redo() : loop.undo());
  });
}

/** Scroll to what has opened below the window, or all but; the focus stays where it is. @param {Element | null} panel */
export function bringIntoView(panel) {
  if (!panel || panel.getBoundingClientRect().top < 0.8 * innerHeight) return;
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  panel.scrollIntoView({ behavior: still ? 'auto' : 'smooth', block: 'start' });
}
