/**
 * The presentation: going in and out, the keys of a presenter, the size of the type, which is the largest at which the
 * figure fits the screen. Full screen is asked for and done without where it is not allowed.
 * Next to read: ../view/present.js (the markup), ../model/reveal.js (what comes next).
 */

import { back, forth } from '../model/reveal.js';

/** What each key does; a presenter's remote control sends Page Down and Page Up. @type {Record<string, string>} */
const KEYS = {
  ArrowRight: 'present-next', ' ': 'present-next', PageDown: 'present-next',
  ArrowLeft: 'present-back', PageUp: 'present-back',
  ArrowUp: 'up', ArrowDown: 'down', b: 'blank', '.': 'blank', Escape: 'present-leave',
};

/** The type is never smaller nor larger than this, in px; and how often it is fitted anew, for lines break differently. */
const [SMALLEST, LARGEST, ROUNDS] = [14, 72, 4];
/** What stands between the parts of a presentation, in px. */
const GAPS = 48;

/**
 * @param {HTMLElement} root
 * @param {import('./loop.js').Loop} loop
 * @returns {Record<string, (value: string) => unknown>}
 */
export function present(root, loop) {
  const { t, ui } = loop;
  const page = root.ownerDocument;
  /** What the type was fitted to last. */
  let fitted = '';

  const presenting = () => loop.state().view.present !== null;

  /** @param {string} selector */
  const focus = (selector) => /** @type {HTMLElement | null} */ (root.querySelector(selector))?.focus();

  async function enter() {
    ui.blank = false;
    await loop.dispatch({ type: 'present', what: 'figure' });
    // A number whose arithmetic was open is not what is shown now.
    await loop.dispatch({ type: 'row', row: loop.state().view.row });
    focus('#present-title');
    loop.say('said', t('said-present'));
    if (!page.fullscreenEnabled) return;
    try {
      await page.documentElement.requestFullscreen();
    } catch {
      // A frame that may not, a telephone that cannot: the window is the screen then.
    }
  }

  async function leave() {
    ui.blank = false;
    if (page.fullscreenElement) await page.exitFullscreen();
    if (!presenting()) return;
    await loop.dispatch({ type: 'present', what: null });
    focus('button.present');
    loop.say('said', t('said-present-left'));
  }

  /** What was said on the screen lies over the headline: whoever goes on has read it. */
  function goesOn() {
    if (ui.notice?.kind === 'hint') ui.notice = null;
  }

  /** One step through what is to be revealed. @param {typeof forth} way @param {string} end  what is said when there is none */
  async function step(way, end) {
    goesOn();
    const { trace, rowTraces } = loop.derived().computed;
    const actions = way(loop.state(), (trace ?? rowTraces[0]).terms.length);
    if (!actions) return loop.say('said', t(end));
    for (const action of actions) await loop.dispatch(action);
    const { document: doc, view: { classroom, question } } = loop.state();
    if (question) {
      const answer = root.querySelector('#answer')?.textContent;
      return loop.say('said', question.revealed && answer ? t('said-answer', { answer }) : t('said-covered'));
    }
    bringRow();
    if (!classroom || classroom.rows === null) return;
    loop.say('said', t('present-shown', { rows: classroom.rows, count: doc.tokens.length }));
  }

  /** Where the figure is higher than the screen, to the chosen row of the result. */
  const bringRow = () => root.querySelector(`#context_vecs [data-row="${loop.state().view.row}"]`)?.scrollIntoView({ block: 'nearest' });

  /** @param {number} way */
  async function toRow(way) {
    goesOn();
    const { document: doc, view } = loop.state();
    const row = view.row + way;
    if (row < 0 || row >= doc.tokens.length) return loop.say('said', t(way > 0 ? 'said-present-end' : 'said-present-begin'));
    if (!await loop.dispatch({ type: 'row', row })) return;
    bringRow();
    const shown = row < (view.classroom?.rows ?? Infinity);
    loop.say('said', t('said-row', { row: row + 1, label: doc.tokens[row], shown: shown ? 'yes' : 'no' }));
  }

  function blank() {
    ui.blank = !ui.blank;
    loop.paint();
    focus('#present-title');
  }

  /** @type {Record<string, (value: string) => unknown>} */
  const acts = {
    'present': () => enter(),
    'present-leave': () => leave(),
    'present-what': (value) => loop.dispatch({ type: 'present', what: /** @type {import('../model/state.js').Panel | 'figure'} */ (value) }),
    'present-next': () => step(forth, 'said-present-end'),
    'present-back': () => step(back, 'said-present-begin'),
    'present-row': (value) => toRow(Number(value)),
    'one-by-one': (value) => loop.dispatch({ type: 'classroom', change: { rows: value === 'on' ? 0 : null } }),
    'blank': () => blank(),
  };

  // Before anything else hears of them: in a presentation arrows are the presenter's, also where a number has the focus.
  page.addEventListener('keydown', (event) => {
    const { target, key } = event;
    const act = KEYS[key.length === 1 ? key.toLowerCase() : key];
    const typing = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
    if (!act || !presenting() || ui.dialog || ui.editing || typing || event.ctrlKey || event.altKey || event.metaKey) return;
    if (key === ' ' && target instanceof HTMLButtonElement) return;
    event.preventDefault();
    event.stopPropagation();
    if (ui.blank && act !== 'blank' && act !== 'present-leave') return;
    if (act === 'up' || act === 'down') void toRow(act === 'up' ? -1 : 1);
    else void acts[act]('');
  }, { capture: true });

  // In full screen the browser keeps Escape to itself: its leaving is ours too.
  page.addEventListener('fullscreenchange', () => {
    if (!page.fullscreenElement && presenting()) void leave();
  });

  /** Make the type as large as the figure lets it be. Kept while only numbers change, so that nothing jumps. */
  function fit() {
    const html = page.documentElement;
    html.classList.toggle('presenting', presenting());
    const shown = root.querySelector('.presentation');
    if (!presenting() || !shown) {
      if (!presenting()) html.style.fontSize = fitted = '';
      return;
    }
    const { document, view } = loop.state();
    const { tokens, source, heads, project, inputs } = document;
    const now = [view.present, view.digits, tokens.join(), source, heads, project, inputs[0].length, view.question?.kind, view.question?.seed, view.question?.revealed, innerWidth, innerHeight].join(' ');
    if (now === fitted) return;
    fitted = now;
    html.style.fontSize = `${Math.min(LARGEST, Math.max(SMALLEST, innerWidth / 50))}px`;
    if (view.present !== 'figure') return;
    for (let round = 0; round < ROUNDS; round += 1) {
      const rows = /** @type {HTMLElement} */ (shown.querySelector('.rows'));
      const region = /** @type {HTMLElement} */ (shown.querySelector('.rows-region'));
      const wide = (region.clientWidth - 12) / rows.scrollWidth;
      const high = innerHeight / heightOf(shown);
      const size = parseFloat(getComputedStyle(html).fontSize) * Math.min(wide, high);
      html.style.fontSize = `${Math.min(LARGEST, Math.max(SMALLEST, Math.floor(size * 10) / 10))}px`;
    }
  }
  /** How high a presentation would be if it did not fill the screen. @param {Element} shown */
  function heightOf(shown) {
    const parts = [...shown.children].map((part) => part.getBoundingClientRect().height);
    return parts.reduce((sum, height) => sum + height, GAPS);
  }

  root.addEventListener('painted', fit);
  addEventListener('resize', fit);
  fit();
  return acts;
}
