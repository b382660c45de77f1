/**
 * The one dialog of the page: opened and closed, what is said in it, and copying from it. What stands in it is the
 * view's. Next to read: ../view/dialog.js, sharing.js.
 */

/** @typedef {import('../view/frame.js').Dialog} Dialog */

/** @param {HTMLElement} root @param {import('./loop.js').Loop} loop */
export function createDialogs(root, loop) {
  const element = /** @type {HTMLDialogElement} */ (root.querySelector('#dialog'));
  /** @type {() => void} */
  let closed = () => {};

  /** What stood in the dialog is over, and whoever showed it hears of that, once. */
  function end() {
    const then = closed;
    closed = () => {};
    loop.ui.dialog = null;
    loop.paint();
    then();
  }

  // The browser tells a little later; by then another may be open, or the end have been seen to.
  element.addEventListener('close', () => {
    if (!element.open && loop.ui.dialog) end();
  });

  return {
    /**
     * @param {Dialog} dialog
     * @param {() => void} [then]  when it is closed, or another takes its place, however that comes about
     */
    show(dialog, then = () => {}) {
      if (then !== closed) closed();
      closed = then;
      loop.ui.dialog = dialog;
      loop.paint();
      if (!element.open) element.showModal();
    },

    close() {
      if (!loop.ui.dialog) return;
      element.close();
      end();
    },

    /** Put a sentence into the dialog that is open. @param {string} text */
    say(text) {
      if (loop.ui.dialog) loop.ui.dialog = { ...loop.ui.dialog, said: text };
      loop.paint();
    },

    /** @param {string} text @returns {Promise<boolean>} whether it is on the clipboard */
    async copy(text) {
      try {
        await navigator.clipboard.writeText(text);
        return true;
      } catch {
        // Not a secure address, a frame that may not, or no leave given: the older way needs a field.
        return copyByField(element, text);
      }
    },
  };
}

/** @typedef {ReturnType<typeof createDialogs>} Dialogs */

/** @param {HTMLElement} holder  that a modal dialog does not make inert @param {string} text */
function copyByField(holder, text) {
  const before = /** @type {HTMLElement | null} */ (document.activeElement);
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'heard';
  holder.append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  before?.focus();
  return done;
}
