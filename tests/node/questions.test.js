// Questions: the answer of every kind against a computation of its own, over 200 seeds and many documents; how a question
// goes on; predictions beside the answer; links. Read next: plain-attention.js, veil.test.js.

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { examples } from '../../web/content/examples.js';
import { AttnError } from '../../web/engine/attention.js';
import { linkToState, stateToLink } from '../../web/io/link.js';
import { sideBySide } from '../../web/model/asking.js';
import { begin, commit, undo } from '../../web/model/history.js';
import { FAULTS, placeOf } from '../../web/model/mystery.js';
import { KINDS, MAX_PREDICTIONS, askOf, asked, kindsHere, nextSeed } from '../../web/model/questions.js';
import { readState } from '../../web/model/schema.js';
import { update } from '../../web/model/update.js';
import { questionCard } from '../../web/view/question.js';
import { frameOf, opening, runner, t, textOf } from './frames.js';
import { known, problemOf, states } from './io-states.js';
import { attentionOf } from './plain-attention.js';

/**
 * @typedef {import('../../web/model/state.js').State} State
 * @typedef {import('../../web/model/state.js').Doc} Doc
 * @typedef {import('../../web/model/update.js').Action} Action
 * @typedef {import('./plain-attention.js').Attention} Attention
 * @typedef {Record<string, any>} Words
 */

const SEEDS = 200;
const ROUNDING = 1e-6;

/** @param {State} state @param {Action[]} actions @returns {State} */
const after = (state, ...actions) => actions.reduce((last, action) => {
  const outcome = update(last, action);
  assert.ok('state' in outcome, JSON.stringify(outcome));
  return outcome.state;
}, state);

/** @param {string} kind @param {number} [seed] @returns {Action} */
const ask = (kind, seed = 1) => ({ type: 'ask', kind, seed });
/** @param {string[]} texts @returns {Action} */
const predict = (...texts) => ({ type: 'predict', texts });
const unveil = /** @type {Action} */ ({ type: 'unveil' });
const toy = await opening('warm-up');

/** A document as the right route has it. @param {State} state @returns {State} */
const mended = (state) => ({ ...state, document: { ...state.document, fault: 'none', faultPlace: 0, mystery: null }, view: { ...state.view, question: null, mystery: null } });

/** @param {State} state */
async function computes(state) {
  try {
    await runner.run(state);
    return true;
  } catch (error) {
    assert.ok(error instanceof AttnError);
    return false;
  }
}

/** Every example, and random states such as a person can reach, of every source, masked or not. @type {State[]} */
const documents = await Promise.all(examples.map(({ id }) => opening(id)));
for (const state of fc.sample(states, { seed: 20260106, numRuns: 24 }).map(mended)) {
  const { inputs } = state.document;
  const small = inputs.flat().every((value) => Math.abs(value) < 1e3);
  if (small && await computes(state)) documents.push({ ...state, view: { ...state.view, panels: [], replay: null, pinned: null } });
}

/** @param {State} state @param {string} kind @param {number} seed */
async function answerOf(state, kind, seed) {
  const { answer } = await runner.run(after(state, ask(kind, seed), unveil));
  assert.ok(answer);
  return answer.right;
}

/** Which tokens a query may look at. @param {Doc} doc @param {number} row */
const allowedTo = ({ tokens, causal }, row) => [...tokens.keys()].filter((token) => !causal || token <= row);

/** @param {number} got @param {number} wanted @param {string} what */
function close(got, wanted, what) {
  assert.ok(Math.abs(got - wanted) <= 2e-6 * Math.max(1, Math.abs(wanted)), `${what}: ${got}, not ${wanted}`);
}

/**
 * What each kind's answer must be, from the words of its question and the plain computation alone.
 * @type {Record<string, (answer: any, words: Words, doc: Doc, plain: Attention, what: string) => void>}
 */
const JUDGES = {
  'fill-cell': (answer, { tensor, row, column, head }, doc, plain, what) => {
    const table = tensor.startsWith('attn_') ? /** @type {any} */ (plain)[tensor][Math.max(0, head - 1)] : /** @type {any} */ (plain)[tensor];
    close(answer, table[row - 1][column - 1], what);
  },
  'top-token': (answer, { row, head }, doc, plain, what) => {
    const weights = plain.attn_weights[Math.max(0, head - 1)][row - 1];
    const most = Math.max(...weights);
    assert.deepEqual(answer, weights.flatMap((weight, token) => (weight === most ? [token] : [])), what);
  },
  'contributes': (answer, { row }, doc, plain, what) => assert.deepEqual(answer, allowedTo(doc, row - 1), what),
  'only': (answer, { row }, doc, plain, what) =>
    assert.equal(answer, String(allowedTo(doc, row - 1)) === String([row - 1]) ? 'yes' : 'no', what),
  'shape': (answer, { product, heads }, doc, { queries, values, attn_scores, heads: inForce }, what) => {
    const blend = [values.length, values[0].length / inForce];
    const shapes = { queries: [queries.length, queries[0].length], values: [values.length, values[0].length],
      scores: [attn_scores[0].length, attn_scores[0][0].length], blend };
    assert.deepEqual(answer, shapes[/** @type {'blend'} */ (product)], what);
    if (product === 'blend') assert.equal(heads, inForce, what);
  },
  'mask-changes': (answer, words, doc, plain, what) => {
    const other = attentionOf({ ...doc, causal: !doc.causal });
    const moved = doc.tokens.map((_, row) => Math.max(...plain.attn_weights.flatMap((head, h) =>
      head[row].map((weight, column) => Math.abs(weight - other.attn_weights[h][row][column])))));
    // What is within a hair of rounding may be said either way.
    const sure = moved.flatMap((far, row) => (Math.abs(far - ROUNDING) > ROUNDING / 4 ? [row] : []));
    assert.deepEqual(answer.filter((/** @type {number} */ row) => sure.includes(row)), sure.filter((row) => moved[row] > ROUNDING), what);
  },
};

for (const kind of KINDS.filter((one) => one !== 'bug')) {
  test(`${kind}: ${SEEDS} seeds over every example and random documents have the answer of a plain computation`, async () => {
    let judged = 0;
    for (const state of documents) {
      const { document: doc } = state;
      if (!kindsHere(doc).includes(kind)) continue;
      const plain = attentionOf(doc);
      // The same question of the same document has the same answer: it is asked once.
      const seen = new Set();
      for (let seed = 1; seed <= SEEDS; seed++) {
        const asks = askOf(doc, kind, seed);
        assert.ok(asks);
        judged += 1;
        const words = JSON.stringify(asks.words);
        if (seen.has(words)) continue;
        seen.add(words);
        JUDGES[kind](await answerOf(state, kind, seed), asks.words, doc, plain, `${kind} ${seed} of ${doc.example}: ${words}`);
      }
    }
    assert.ok(documents.length > 20 && judged >= 15 * SEEDS, `${judged} questions of ${documents.length} documents`);
  });
}

test('the documents differ in source, mask, heads and size, so that every kind meets every case', () => {
  const met = new Set(documents.flatMap(({ document: { source, causal, heads } }) => [source, `${source} ${causal}`, `heads ${heads > 1}`]));
  for (const one of ['given true', 'given false', 'inputs true', 'inputs false', 'trained true', 'trained false', 'heads true']) assert.ok(met.has(one), one);
});

test(`bug: ${SEEDS} seeds over every bug have the place where it was planted`, async () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const fault = FAULTS[seed % FAULTS.length];
    const place = seed % 6;
    const planted = after(await opening('multi-head'), { type: 'fault', fault, place, mystery: seed }, ask('bug', seed), predict('scale'), unveil);
    const { answer } = await runner.run(planted);
    assert.equal(answer?.right, placeOf(fault, place), fault);
    assert.deepEqual(planted.view.mystery, { seed, guess: 'scale', revealed: true });
  }
});

test('no answer calls only token 2 right for the weights 0, 1, 0: a weight of 0 is a term', async () => {
  const row = [1, 2, 3, 4, 5, 6, 7, 8, 9].filter((seed) => askOf(toy.document, 'contributes', seed)?.row === 1);
  assert.ok(row.length > 0);
  assert.deepEqual(toy.document.given?.[1], [0, 1, 0]);
  for (const seed of row) {
    assert.deepEqual(await answerOf(toy, 'contributes', seed), [0, 1, 2]);
    assert.equal(await answerOf(toy, 'only', seed), 'no');
    const shown = textOf(questionCard(await frameOf(after(toy, ask('contributes', seed), unveil))));
    assert.match(shown, /also those 2 with weight 0: a term that adds nothing now is still a term\./);
  }
});

test('a row changes by little too when the mask is switched, and not by what is rounding', async () => {
  const rows = [[0.999, 0.001, 0], [0.5, 0.5, 1e-8], [0.25, 0.25, 0.5]];
  const given = rows.map((values, row) => /** @type {Action} */ ({ type: 'edit-row', matrix: 'given', row, values }));
  assert.deepEqual(await answerOf(after(toy, ...given), 'mask-changes', 1), [0]);
});

test('under the mask the first row is the only one that uses nothing but its own input', async () => {
  const causal = await opening('causal');
  for (let seed = 1; seed <= 40; seed++) {
    const row = askOf(causal.document, 'only', seed)?.row;
    assert.equal(await answerOf(causal, 'only', seed), row === 0 ? 'yes' : 'no');
  }
});

test('equal weights are all named, and it is said that any of them may be', async () => {
  const even = after(toy, { type: 'edit-row', matrix: 'given', row: 0, values: [0.4, 0.2, 0.4] });
  const seed = [1, 2, 3, 4, 5, 6, 7, 8, 9].find((one) => askOf(even.document, 'top-token', one)?.row === 0) ?? 0;
  assert.deepEqual(await answerOf(even, 'top-token', seed), [0, 2]);
  const text = textOf(questionCard(await frameOf(after(even, ask('top-token', seed), unveil))));
  assert.match(text, /tokens 1, 3 They have equal weights, 0\.40 each.*any of them may be named/);
});

test('asking chooses the row and the head, opens what is asked about, and closes what is open of other arithmetic', async () => {
  const start = after(await opening('multi-head'), { type: 'inspect', cell: { tensor: 'context_vecs', indices: [0, 0, 0] } });
  for (let seed = 1; seed <= 30; seed++) {
    const { view, document: doc } = after(start, ask('fill-cell', seed));
    const words = /** @type {Words} */ (askOf(doc, 'fill-cell', seed)?.words);
    assert.equal(view.row, words.row - 1);
    if (words.head > 0) assert.equal(view.head, words.head - 1);
    assert.equal(view.panels.includes('scores'), ['queries', 'keys', 'attn_scores'].includes(words.tensor));
    assert.deepEqual([view.trail, view.step], [[], null]);
  }
});

test('the state holds kind, seed and predictions, and nothing of an answer', async () => {
  const { view } = after(toy, ask('fill-cell', 2), predict('1,5'), unveil);
  assert.deepEqual(view.question, { kind: 'fill-cell', seed: 2, predictions: [1.5], skipped: false, revealed: true, anew: false });
  assert.deepEqual(after(toy, ask('fill-cell', 2), unveil).view.question?.skipped, true);
});

test('a change of the numbers asks the same question anew; one that was answered is done with; undo too', () => {
  const open = after(toy, ask('fill-cell', 2), predict('1'));
  const edit = /** @type {Action} */ ({ type: 'edit', matrix: 'inputs', row: 0, column: 0, value: 9 });
  const anew = { kind: 'fill-cell', seed: 2, predictions: [], skipped: false, revealed: false, anew: true };
  assert.deepEqual(after(open, edit).view.question, anew);
  assert.equal(after(open, unveil, edit).view.question, null);
  const session = commit(begin(open), after(open, edit), { id: 'did-edit' });
  assert.deepEqual(undo({ ...session, state: after(session.state, predict('2')) }).state.view.question, anew);
  assert.deepEqual(after(open, { type: 'row', row: 0 }, { type: 'digits', digits: 4 }).view.question, open.view.question);
});

test('a question that the document cannot be asked any more says so, and goes on when it can', async () => {
  const one = after(toy, ask('top-token'), { type: 'remove-token', row: 0 }, { type: 'remove-token', row: 0 });
  assert.equal(asked(one), null);
  assert.match(textOf(questionCard(await frameOf(one))), /cannot be asked of what is on the screen now/);
  assert.notEqual(asked(after(one, { type: 'add-token' })), null);
});

test('what is no prediction of the form is refused in a sentence, and earlier ones stay', () => {
  const multi = after(toy, ask('contributes'));
  /** @type {[State, string[], RegExp][]} */
  const wrong = [
    [after(toy, ask('fill-cell')), ['a lot'], /Expected one number.*a lot/], [after(toy, ask('fill-cell')), [''], /one number/],
    [after(toy, ask('shape')), ['3', ''], /two whole numbers/], [after(toy, ask('shape')), ['3', '2.5'], /two whole numbers/],
    [after(toy, ask('shape')), ['0', '2'], /from 1 to 32/], [multi, [], /a choice of tokens/], [multi, ['3'], /a choice of tokens/],
    [after(toy, ask('top-token')), ['0', '1'], /a choice of tokens/], [after(toy, ask('only')), [], /a choice from the list/],
    [after(toy, ask('mask-changes')), ['7'], /a choice of rows/],
  ];
  for (const [state, texts, sentence] of wrong) {
    const { id, args } = problemOf(update(state, predict(...texts)));
    assert.match(t(id, args), sentence);
  }
  let many = after(toy, ask('fill-cell'));
  for (let i = 0; i < MAX_PREDICTIONS; i++) many = after(many, predict(String(i)));
  assert.equal(problemOf(update(many, predict('1'))).id, 'problem-predictions');
  assert.equal(many.view.question?.predictions.length, MAX_PREDICTIONS);
});

test('numbers stand beside the answer as it is shown, and the closest are named where they are not all as close', () => {
  const number = /** @type {const} */ ({ type: 'number' });
  const apart = (/** @type {number[]} */ predictions, /** @type {number} */ right, digits = 2) => {
    const { each, closest } = sideBySide(number, predictions, right, digits);
    return [each.map((one) => one.apart), closest];
  };
  assert.deepEqual(apart([0.4], 0.4321), [[-0.03], []]);
  assert.deepEqual(apart([0.43], 0.4321), [[0], []], 'the same in the digits shown');
  assert.deepEqual(apart([0.43], 0.4321, 3), [[-0.002], []]);
  assert.deepEqual(apart([0, 0.5, 1], 0.4321), [[-0.43, 0.07, 0.57], [1]]);
  assert.deepEqual(apart([0.5, 0.36, 9], 0.4321), [[0.07, -0.07, 8.57], [0, 1]]);
  assert.deepEqual(apart([0.5, 0.5], 0.4321), [[0.07, 0.07], []]);
});

test('choices stand beside the answer, and the closest has the fewest that set it apart', () => {
  const tokens = /** @type {const} */ ({ type: 'tokens', several: true });
  assert.deepEqual(sideBySide(tokens, [[1], [0, 1], [0, 2, 3]], [0, 1, 2], 2).closest, [1]);
  assert.deepEqual(sideBySide({ type: 'shape' }, [[6, 2], [2, 6]], [6, 2], 2).closest, [0], 'the order of sizes counts');
  assert.deepEqual(sideBySide({ type: 'words', words: ['yes', 'no'] }, ['yes', 'no'], 'no', 2).closest, [1]);
});

test('a card before the answer has a form and no way past it but a prediction or a skip', async () => {
  const open = textOf(questionCard(await frameOf(after(toy, ask('fill-cell')))));
  assert.match(open, /Predict Show the answer Skip, and show it Hidden until you predict or skip\./);
  assert.doesNotMatch(open, /Answer\d|Another one/);
  const shown = textOf(questionCard(await frameOf(after(toy, ask('fill-cell', 2), predict('1'), predict('3'), unveil))));
  assert.match(shown, /Predicted1 −1\.5 from the number shown.*Predicted3 \+0\.5 from the number shown.*Answer2\.50.*The closest was 3\..*Another one/);
  assert.doesNotMatch(shown, /right|wrong|correct|score|well done/i);
  assert.match(textOf(questionCard(await frameOf(after(toy, ask('fill-cell', 2), unveil)))), /Predictedskipped/);
});

test('another one asks something else, and is not offered where there is nothing else to ask', () => {
  const words = (/** @type {string} */ kind, /** @type {number} */ seed) => JSON.stringify(askOf(toy.document, kind, seed)?.words);
  for (const kind of ['fill-cell', 'top-token', 'contributes']) {
    for (let seed = 1; seed < 30; seed++) assert.notEqual(words(kind, nextSeed(toy.document, kind, seed) ?? seed), words(kind, seed));
  }
  assert.equal(nextSeed(toy.document, 'mask-changes', 1), null);
  assert.equal(nextSeed(toy.document, 'shape', 1), null);
});

test('a link carries what is asked and not what was answered; a file carries both', async () => {
  const state = after(await opening('causal'), ask('top-token', 7), predict('2'), unveil);
  const link = stateToLink(state, await opening('causal'));
  assert.ok('hash' in link);
  const read = await linkToState(link.hash, known, opening);
  assert.ok('state' in read);
  assert.deepEqual(read.state.view.question, { kind: 'top-token', seed: 7, predictions: [], skipped: false, revealed: false, anew: false });
  assert.deepEqual(asked(read.state)?.words, asked(state)?.words);
  const kept = readState(JSON.parse(JSON.stringify(state)), known);
  assert.deepEqual(kept, { state });
});

test('a file whose question is none, or is answered by what is no prediction, is refused with the reason', () => {
  const read = (/** @type {object} */ question) => problemOf(readState({ ...toy, view: { ...toy.view, question } }, known)).id;
  assert.equal(read({ kind: 'magic', seed: 1 }), 'problem-state-choice');
  assert.equal(read({ kind: 'fill-cell', seed: -1 }), 'problem-state-whole');
  assert.equal(read({ kind: 'fill-cell', seed: 1, predictions: ['high'] }), 'problem-prediction');
  assert.equal(read({ kind: 'contributes', seed: 1, predictions: [[0, 0]] }), 'problem-prediction');
  assert.equal(read({ kind: 'bug', seed: 1, predictions: ['scale'] }), 'problem-question-here');
  assert.equal(read({ kind: 'fill-cell', seed: 1, answer: 3 }), 'problem-state-unknown');
});
