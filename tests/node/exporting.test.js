// What the Export dialog refuses while numbers are hidden, and why it says so: for a question, for a class, or for both.
// Read next: veil.test.js, io-text.test.js (the worksheet), ../browser/files.test.js (what is saved).

import assert from 'node:assert/strict';
import test from 'node:test';
import { exporting } from '../../web/app/exports.js';
import { worksheet } from '../../web/io/worksheet.js';
import { OPEN_CLASS } from '../../web/model/classroom.js';
import { update } from '../../web/model/update.js';
import { frameOf, opening, t } from './frames.js';

/** @typedef {import('../../web/model/state.js').State} State */

const QUESTION = t('problem-export-hidden');
const CLASS = t('problem-export-class');

/** What is said to this button of the dialog, with this matrix chosen. @param {State} state @param {string} act @param {string} kind @param {string} [tensor] */
async function said(state, act, kind, tensor = 'attn_weights-0') {
  const frame = await frameOf(state);
  /** @type {string[]} */
  const sentences = [];
  const loop = { t, state: () => state, tensors: () => frame.tensors, derived: () => frame.derived, ui: { dialog: { kind: 'export', tensor, said: '' } } };
  const dialogs = { say: (/** @type {string} */ text) => sentences.push(text), copy: async () => true, show: () => undefined };
  await exporting(/** @type {any} */ (loop), /** @type {any} */ (dialogs))[act](kind);
  return sentences.join('|');
}

/** @param {State} state @param {Partial<import('../../web/model/classroom.js').Classroom>} change @returns {State} */
const inClass = (state, change) => ({ ...state, view: { ...state.view, classroom: { ...OPEN_CLASS, ...change } } });

/** @param {State} state @param {string} kind */
function asking(state, kind) {
  const outcome = update(state, { type: 'ask', kind, seed: 1 });
  assert.ok('state' in outcome);
  return outcome.state;
}

const trainable = await opening('trainable');
const causal = await opening('causal');

test('what a class does not see is not saved, and no question is blamed for it', async () => {
  const state = inClass(trainable, { hide: ['w_value', 'values'] });
  for (const kind of ['npz', 'pytorch', 'numpy', 'answers']) assert.equal(await said(state, 'save', kind), CLASS, kind);
  assert.equal(await said(state, 'save', 'csv', 'values'), CLASS);
  assert.equal(await said(state, 'copy-as', 'tsv', 'w_value'), CLASS);
  assert.equal(await said(state, 'copy-as', 'tsv', 'queries'), t('said-copied'));
  assert.equal(await said(inClass(trainable, { rows: 0 }), 'save', 'npz'), CLASS);
});

test('what a question hides is not saved until it is shown; with a class that hides too, both are named', async () => {
  const state = asking(causal, 'top-token');
  assert.equal(await said(state, 'save', 'npz'), QUESTION);
  assert.equal(await said(state, 'copy-as', 'tsv'), QUESTION);
  const both = inClass(state, { hide: ['keys'] });
  assert.equal(await said(both, 'save', 'npz'), `${QUESTION} ${CLASS}`);
  assert.equal(await said(both, 'copy-as', 'tsv'), QUESTION);
  assert.equal(await said(both, 'copy-as', 'tsv', 'keys'), CLASS);
  const outcome = update(both, { type: 'unveil' });
  assert.ok('state' in outcome);
  assert.equal(await said(outcome.state, 'save', 'npz'), CLASS);
});

test('the worksheet tells nothing that is hidden: its blanks stay blank, masked tokens among them, the rest is “?”', async () => {
  /** @param {State} state */
  const sheet = async (state) => worksheet(await frameOf(state), t, { answers: false });
  /** @param {Awaited<ReturnType<typeof sheet>>} made @param {string} caption */
  const texts = ({ tables }, caption) => tables.find((table) => table.caption === caption)?.rows.flatMap(({ cells }) =>
    cells.map(({ text, blank }) => (blank ? '_' : text))) ?? assert.fail(caption);
  const question = await sheet(asking(causal, 'contributes'));
  assert.deepEqual(texts(question, t('name-attn_weights')), Array(7).fill('_'));
  assert.deepEqual([...new Set(texts(question, t('worksheet-products')))], ['_']);
  assert.deepEqual([...new Set(texts(question, t('name-attn_scores')))], ['_']);
  const open = await sheet({ ...causal, view: { ...causal.view, row: 2 } });
  assert.deepEqual(texts(open, t('name-attn_weights')), ['_', '_', '_', 'masked', 'masked', 'masked', '_']);
  assert.deepEqual(texts(open, t('worksheet-products')).slice(6), Array(6).fill('masked'));
  const hidden = await sheet(inClass(trainable, { hide: ['values', 'keys'] }));
  for (const name of ['values', 'keys']) assert.deepEqual([...new Set(texts(hidden, t(`name-${name}`)))], ['?'], name);
  assert.doesNotMatch(JSON.stringify(question) + JSON.stringify(hidden), /NaN/);
});
