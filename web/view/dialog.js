/**
 * The dialog of the page: its title, what stands in it, what is said in it. One element that stays, so that the browser
 * keeps the focus. Pure. Next to read: share.js, export.js, open.js, ../app/dialogs.js.
 */

import { html, nothing } from 'lit-html';
import { classDialog } from './classroom.js';
import { exportDialog } from './export.js';
import { keysDialog } from './keys.js';
import { openDialog } from './open.js';
import { share } from './share.js';

/** @typedef {import('./frame.js').Frame} Frame */

/** @param {Frame} frame */
export function dialog(frame) {
  const { ui, t } = frame;
  const open = ui.dialog;
  return html`<dialog id="dialog" class=${open ? `of-${open.kind}` : ''} aria-labelledby=${open ? 'dialog-title' : nothing}>${open ? html`
    <header><h2 id="dialog-title">${t(`${open.kind}-title`)}</h2>
      <button type="button" data-act="dialog-close">${t('dialog-close')}</button></header>
    ${contents(frame, open)}` : nothing}
    <p role="status" class="dialog-said">${open ? open.said : ''}</p>
  </dialog>`;
}

/** @param {Frame} frame @param {import('./frame.js').Dialog} open */
function contents(frame, open) {
  switch (open.kind) {
    case 'share': return share(frame, open);
    case 'export': return exportDialog(frame, open);
    case 'class': return classDialog(frame, open);
    case 'keys': return keysDialog(frame, open);
    default: return openDialog(frame, open);
  }
}
