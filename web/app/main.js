/**
 * Start the page: take the module out of the page, load it, open the first example. What cannot start says why.
 * Next to read: loop.js.
 */

import { html, render } from 'lit-html';
import englishOfPage from '../content/en.ftl';
import englishOfCards from '../content/en-cards.ftl';
import englishOfChapters from '../content/en-chapter.ftl';
import englishOfChecks from '../content/en-checks.ftl';
import englishOfClassroom from '../content/en-classroom.ftl';
import englishOfFiles from '../content/en-files.ftl';
import englishOfInspector from '../content/en-inspector.ftl';
import englishOfLarge from '../content/en-large.ftl';
import englishOfLesson from '../content/en-lesson.ftl';
import englishOfQuestions from '../content/en-questions.ftl';
import englishOfStates from '../content/en-io.ftl';
import englishOfTraining from '../content/en-training.ftl';
import { cards } from '../content/cards.js';
import { examples } from '../content/examples.js';
import { formulas } from '../content/formulas.js';
import { notes } from '../content/notes.js';
import { AttnError, loadAttention } from '../engine/attention.js';
import { classroom } from './classroom.js';
import { createBatches } from './batches.js';
import { createChecks } from './checks.js';
import { controls } from './controls.js';
import { createDialogs } from './dialogs.js';
import { exporting } from './exports.js';
import { gridKeys } from './grid-keys.js';
import { addressOfPage, createKeeping } from './keeping.js';
import { large } from './large.js';
import { lessonActs } from './lesson.js';
import { startLoop } from './loop.js';
import { keys } from './keys.js';
import { messages } from './messages.js';
import { noteActs } from './notes.js';
import { opening } from './opening.js';
import { planePoints } from './plane-points.js';
import { present } from './present.js';
import { questions } from './questions.js';
import { createRunner } from './runner.js';
import { sharing } from './sharing.js';
import { createStarts } from './starts.js';
import { createAutosave } from './storage.js';
import { training } from './training.js';

/**
 * The wasm module stands in the page as base64 text, so that the page needs no request. Damaged text is as good as none:
 * that it is not whole, the engine finds out.
 */
function moduleBytes() {
  const characters = decoded(document.getElementById('wasm')?.textContent ?? '');
  const bytes = new Uint8Array(characters.length);
  // A loop, for from() with a function takes ten times as long, and nothing is on the screen before.
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

/** @param {string} base64 */
function decoded(base64) {
  try {
    return atob(base64);
  } catch {
    return '';
  }
}

/** @param {unknown} error @param {ReturnType<typeof messages>} t */
function reasonOf(error, t) {
  if (!(error instanceof Error)) return String(error);
  const damaged = error instanceof AttnError && error.code === 'module_damaged';
  return damaged ? t('failed-module', { reason: String(error.context.reason) }) : error.message;
}

async function start() {
  const root = /** @type {HTMLElement} */ (document.getElementById('app'));
  const english = [
    englishOfPage, englishOfChecks, englishOfInspector, englishOfTraining, englishOfStates, englishOfFiles, englishOfLarge,
    englishOfLesson, englishOfChapters, englishOfCards, englishOfQuestions, englishOfClassroom,
  ];
  const t = messages(english.join('\n'), 'en');
  try {
    const attention = await loadAttention(moduleBytes());
    root.replaceChildren();
    const batches = createBatches(attention);
    const [runner, checks] = [createRunner(attention, batches), createChecks(attention)];
    const content = { notes, cards, formulas: /** @type {Record<string, import('../view/frame.js').Formula>} */ (formulas) };
    const loop = await startLoop({ root, runner, checks, batches, t, examples, content });
    const address = addressOfPage();
    const starts = createStarts({ examples, batches, runner });
    const keeping = createKeeping({
      loop, address, starts,
      autosave: createAutosave(() => localStorage, location.pathname),
      behind: (hash) => createAutosave(() => sessionStorage, location.pathname + hash),
      settle: () => root.dispatchEvent(new Event('settle')), later: setTimeout,
    });
    const dialogs = createDialogs(root, loop);
    const grids = gridKeys(root, loop);
    const presenting = present(root, loop);
    controls(root, loop, grids, {
      ...presenting, ...keys(root, loop, dialogs, () => presenting.present('')),
      ...classroom(root, loop, dialogs, keeping, starts),
      ...training(root, loop, batches), ...sharing(loop, dialogs, keeping),
      ...questions(root, loop), ...exporting(loop, dialogs), ...opening(root, loop, dialogs, grids, starts.known),
      ...lessonActs(root, loop), ...noteActs(root, loop), ...large(root, loop, attention, moduleBytes),
    });
    planePoints(root, loop);
    addEventListener('hashchange', () => {
      dialogs.close();
      void keeping.openAddress();
    });
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) void keeping.keep();
    });
    addEventListener('pagehide', () => void keeping.keep());
    await keeping.start();
  } catch (error) {
    const reason = reasonOf(error, t);
    root.replaceChildren();
    render(html`<main class="starting" role="alert"><h1>${t('failed-title')}</h1><p>${reason}</p><p>${t('failed-what-to-do')}</p></main>`, root);
    throw error;
  }
}

void start();
