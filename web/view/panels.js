/**
 * The instruments: a row of buttons, each of which opens or folds one, and the open ones below. Pure. A new instrument
 * is one line here and a file of its own. Next to read: the file of the instrument.
 */

import { html, nothing } from 'lit-html';
import { isLeftOut, isLocked } from '../model/derive.js';
import { bugs } from './bugs.js';
import { nearby } from './cards.js';
import { chapter } from './chapter.js';
import { checks } from './checks.js';
import { compare } from './compare.js';
import { display } from './display.js';
import { flow } from './flow.js';
import { large } from './large.js';
import { masking } from './masking.js';
import { scores } from './matrices.js';
import { planes } from './plane.js';
import { routesInstrument } from './routes.js';
import { shapes } from './shapes.js';
import { training } from './training.js';

/**
 * @typedef {import('./frame.js').Frame} Frame
 * @typedef {{ panel: import('../model/derive.js').State['view']['panels'][number], template: (frame: Frame) => unknown,
 *   here?: (frame: Frame) => boolean }} Instrument  here: whether it has anything to show for this document
 */

/** @type {Instrument[]} */
const instruments = [
  { panel: 'chapter', template: chapter },
  { panel: 'shapes', template: shapes },
  { panel: 'flow', template: flow },
  { panel: 'plane', template: planes },
  { panel: 'scores', template: scores, here: ({ state }) => state.document.source !== 'given' },
  { panel: 'numbers', template: display },
  { panel: 'routes', template: routesInstrument },
  { panel: 'bugs', template: bugs },
  { panel: 'checks', template: checks },
  { panel: 'compare', template: compare },
  { panel: 'masking', template: masking },
  { panel: 'training', template: training },
  { panel: 'large', template: large },
];

/** Every instrument, in the order of their buttons. */
export const allInstruments = instruments.map(({ panel }) => panel);

/** Those that have something to show for this document, and that a class may see. @param {Frame} frame */
const shownIn = (frame) => instruments.filter(({ panel, here }) => (here?.(frame) ?? true) && !isLeftOut(frame.state, panel));

/** @param {Frame} frame */
export const instrumentsHere = (frame) => shownIn(frame).map(({ panel }) => panel);

/** What one instrument shows. @param {Frame} frame @param {Instrument['panel']} panel */
export const instrumentOf = (frame, panel) => shownIn(frame).find((one) => one.panel === panel)?.template(frame) ?? nothing;

/** @param {Frame} frame */
export function panels(frame) {
  const { state, t } = frame;
  const shown = shownIn(frame);
  const open = shown.filter(({ panel }) => state.view.panels.includes(panel));
  return html`<section class="instruments" aria-label=${t('instruments')}>
    <p class="openers">${shown.map(({ panel }) => {
      const isOpen = state.view.panels.includes(panel);
      return html`<button type="button" data-act="panel" data-value=${panel} aria-expanded=${isOpen ? 'true' : 'false'}
        aria-controls=${isOpen ? `panel-${panel}` : nothing} ?disabled=${isLocked(state, panel)}>${t(`panel-${panel}`)}${
          isLocked(state, panel) ? html` <small>(${t('class-panel-locked')})</small>` : nothing}</button>`;
    })}
      <button type="button" data-act="keys" aria-haspopup="dialog" aria-keyshortcuts="?">${t('keys')} <kbd>?</kbd></button></p>
    ${open.map(({ panel, template }) => html`<section class="card instrument ${panel}" id="panel-${panel}" tabindex="-1"
      aria-label=${t(`panel-${panel}`)}>
      <h2>${t(`panel-${panel}`)}</h2>
      ${template(frame)}
      ${nearby(frame, panel)}
    </section>`)}
  </section>`;
}
