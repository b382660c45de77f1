/**
 * The Export dialog: what leaves the page as a file or over the clipboard, all of it made from what is on the screen.
 * Next to read: ../view/export.js, download.js, ../io/ (a file for each format).
 */

import { numpyLiteral, torchLiteral, writeDelimited } from '../io/csv.js';
import { figureSvg } from '../io/figure.js';
import { stateToJson } from '../io/json.js';
import { writeNpy } from '../io/npy.js';
import { writeNpz } from '../io/npz.js';
import { numpyScript, pytorchScript } from '../io/scripts.js';
import { worksheet, worksheetHtml } from '../io/worksheet.js';
import { classVeils } from '../model/classroom.js';
import { headRows, rowsOf } from '../model/derive.js';
import { exported } from '../view/export.js';
import { asked } from '../model/questions.js';
import { standsIn } from '../model/traces.js';
import { download, lightColours, pngOf } from './download.js';

const PNG_SCALE = 2;

/**
 * What shows a hidden number as such, leaves it blank, or has no computed number in it. A state's file has the matrices
 * that it starts from, hidden from a class or not: else it could not be opened again. The dialog says so.
 */
const MAY_HIDE = ['json', 'svg', 'png', 'worksheet'];
const OF_ONE_MATRIX = ['csv', 'tsv', 'npy'];

/**
 * @param {import('./loop.js').Loop} loop
 * @param {import('./dialogs.js').Dialogs} dialogs
 * @returns {Record<string, (value: string) => unknown>}
 */
export function exporting(loop, dialogs) {
  const { t } = loop;
  const frame = () => ({ state: loop.state(), tensors: loop.tensors(), derived: loop.derived() });
  const figure = () => figureSvg(frame(), t, lightColours());
  const sheet = (/** @type {boolean} */ answers) => worksheetHtml(worksheet(frame(), t, { answers }), 'en');

  /** The matrix that is chosen in the dialog: its file name and its rows. */
  function chosen() {
    const { dialog } = loop.ui;
    const wanted = dialog?.kind === 'export' ? dialog.tensor : 'attn_weights-0';
    const [name, head] = exported({ tensors: loop.tensors(), derived: loop.derived(), t }, wanted).split('-');
    const tensor = loop.tensors()[name];
    const rows = head === undefined ? rowsOf(tensor) : headRows(tensor, Number(head));
    const heads = head === undefined ? 1 : tensor.shape[1];
    return { name: heads > 1 ? `${name}_head_${Number(head) + 1}` : name, rows };
  }

  const hidden = (/** @type {number[][]} */ rows) => rows.some((row) => row.some(Number.isNaN));

  /** Whether numbers of a file are hidden now. @param {string} kind */
  const hides = (kind) => !MAY_HIDE.includes(kind)
    && hidden(OF_ONE_MATRIX.includes(kind) ? chosen().rows : Object.values(loop.tensors()).flatMap(rowsOf));

  /** Who hides them: a question, the class, or both. @param {boolean} one  matrix alone, the chosen one */
  function whyHidden(one) {
    const state = loop.state();
    const { dialog } = loop.ui;
    const names = one && dialog?.kind === 'export' ? [dialog.tensor.split('-')[0]] : Object.keys(loop.tensors());
    const ours = names.map((name) => standsIn(name, state.document.source === 'trained'));
    const question = asked(state);
    const by = (/** @type {{ tensor: string }[]} */ veils) => veils.some(({ tensor }) => ours.includes(tensor));
    return [
      question && !question.revealed && by(question.hides) ? t('problem-export-hidden') : null,
      by(classVeils(state)) ? t('problem-export-class') : null,
    ].filter((reason) => reason !== null).join(' ');
  }

  /** @type {Record<string, () => [name: string, content: string | Uint8Array | Promise<Blob>, type: string]>} */
  const files = {
    json: () => ['attention-rows.json', stateToJson(loop.state()), 'application/json'],
    npz: () => ['attention-rows.npz', writeNpz(loop.tensors(), stateToJson(loop.state())), 'application/zip'],
    pytorch: () => ['attention_rows_pytorch.py', pytorchScript(loop.state().document, loop.tensors()), 'text/x-python'],
    numpy: () => ['attention_rows_numpy.py', numpyScript(loop.state().document, loop.tensors()), 'text/x-python'],
    svg: () => ['attention-rows.svg', figure().svg, 'image/svg+xml'],
    png: () => ['attention-rows.png', pngOf(figure(), PNG_SCALE), 'image/png'],
    worksheet: () => ['worksheet.html', sheet(false), 'text/html'],
    answers: () => ['worksheet-answers.html', sheet(true), 'text/html'],
    csv: () => [`${chosen().name}.csv`, writeDelimited(chosen().rows), 'text/csv'],
    tsv: () => [`${chosen().name}.tsv`, writeDelimited(chosen().rows, { separator: '\t' }), 'text/tab-separated-values'],
    npy: () => {
      const { name, rows } = chosen();
      return [`${name}.npy`, writeNpy({ shape: [rows.length, rows[0].length], data: rows.flat() }), 'application/octet-stream'];
    },
  };

  /** @type {Record<string, (rows: number[][]) => string>} */
  const texts = { tsv: (rows) => writeDelimited(rows, { separator: '\t' }), numpy: numpyLiteral, torch: torchLiteral };

  return {
    'export': () => dialogs.show({ kind: 'export', tensor: 'attn_weights-0', said: '' }),
    'export-tensor': (tensor) => dialogs.show({ kind: 'export', tensor, said: '' }),
    'save': async (kind) => {
      if (hides(kind)) return dialogs.say(whyHidden(OF_ONE_MATRIX.includes(kind)));
      const [name, content, type] = files[kind]();
      download(name, await content, type);
      dialogs.say(window.top === window ? t('said-saved', { name }) : t('said-saved-framed', { name }));
    },
    'copy-as': async (kind) => {
      if (hidden(chosen().rows)) return dialogs.say(whyHidden(true));
      const copied = await dialogs.copy(texts[kind](chosen().rows));
      dialogs.say(copied ? t('said-copied') : t('problem-copy'));
    },
  };
}
