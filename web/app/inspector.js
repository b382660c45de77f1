/**
 * What the inspector's buttons and keys do: follow a factor to how it came to be, go back, step through the terms.
 * The focus goes with the eye: to the heading of the arithmetic that opens. Next to read: ../view/inspector.js.
 */

/** Keys that press the button of the stepper which bears their name. */
const STEP_KEYS = ['[', ']', '{', '}'];

/**
 * @param {HTMLElement} root
 * @param {import('./loop.js').Loop} loop
 */
export function inspector(root, loop) {
  /** @param {string} text as ../view/inspector.js writes a cell */
  function cellOf(text) {
    const [tensor, indices] = text.split(':');
    return { tensor, indices: indices.split(',').map(Number) };
  }

  /** @param {string} selector */
  const focus = (selector) => /** @type {HTMLElement | null} */ (root.querySelector(selector))?.focus();

  /** Keep the term that was just added in sight, without moving the page. */
  function scrollToTerm() {
    const list = root.querySelector('.term-scroll');
    const row = root.querySelector('.terms .now');
    if (!(list instanceof HTMLElement) || !(row instanceof HTMLElement)) return;
    const { top, bottom } = list.getBoundingClientRect();
    const place = row.getBoundingClientRect();
    if (place.bottom > bottom) list.scrollTop += place.bottom - bottom;
    if (place.top < top) list.scrollTop -= top - place.top;
  }

  /** @param {string} value a count of terms, or "all" */
  async function step(value) {
    const pressed = document.activeElement?.closest('.stepper') ?? null;
    await loop.dispatch({ type: 'step', step: value === 'all' ? null : Number(value) });
    // A stepper that unfolds or folds takes the focus along.
    if (pressed && !pressed.isConnected) focus('button.stepper, .stepper [data-key="]"]');
    scrollToTerm();
  }

  document.addEventListener('keydown', (event) => {
    // On many keyboards brackets are typed with AltGr, which counts as Ctrl and Alt.
    const command = (event.ctrlKey || event.altKey || event.metaKey) && !event.getModifierState('AltGraph');
    if (command || event.defaultPrevented || event.target instanceof HTMLInputElement || !STEP_KEYS.includes(event.key)) return;
    const button = root.querySelector(`:is(.stepper, .stepper *)[data-key~="${event.key}"]:not([aria-disabled=true])`);
    if (!(button instanceof HTMLButtonElement)) return;
    event.preventDefault();
    void step(button.dataset.value ?? 'all');
  });

  return {
    step,
    /** @param {string} value a cell */
    async inspect(value) {
      await loop.dispatch({ type: 'inspect', cell: cellOf(value) });
      focus('#number-title');
    },
    /** @param {string} value a cell */
    async follow(value) {
      await loop.dispatch({ type: 'follow', cell: cellOf(value) });
      focus('#number-title');
    },
    /** Open an instrument in which numbers stand, and go there. @param {string} value */
    async showPanel(value) {
      const panel = /** @type {import('../model/state.js').Panel} */ (value);
      await loop.dispatch({ type: 'panel', panel, open: true });
      const place = /** @type {HTMLElement | null} */ (root.querySelector(`#panel-${panel}`));
      // A tall instrument is read from its top.
      place?.focus({ preventScroll: true });
      place?.scrollIntoView();
    },
    async back() {
      await loop.dispatch({ type: 'back' });
      focus(loop.state().view.trail.length > 0 ? '#number-title' : '#row-title');
    },
  };
}
