// The notes of the chapters and the cards: content that fits together, formulas as the page carries them, practice held
// against the page's numbers. Read next: scenes-chapter.js, experiments.test.js (the figures of the cards).

import assert from 'node:assert/strict';
import test from 'node:test';
import { cards } from '../../web/content/cards.js';
import { formulas } from '../../web/content/formulas.js';
import { notes } from '../../web/content/notes.js';
import { asked } from '../../web/model/questions.js';
import { FIRST_VIEW, identity } from '../../web/model/state.js';
import { update } from '../../web/model/update.js';
import { chapter } from '../../web/view/chapter.js';
import { content, drawn, frameOf, htmlOf, opening, runner, t, textOf } from './frames.js';
import { scenes } from './scenes.js';

/** @param {string} name */
function scene(name) {
  const { template } = scenes.find((one) => one.name === name) ?? assert.fail(`no scene "${name}"`);
  const html = htmlOf(template);
  return { html, text: textOf(template) };
}

// ---- Content --------------------------------------------------------------------------------------------------------

test('every chapter has its notes, and they name only formulas and cards that there are', async () => {
  assert.deepEqual(notes.map(({ id }) => id), ['warm-up', 'simplified', 'trainable', 'causal', 'multi-head']);
  const used = notes.flatMap((one) => one.formulas);
  assert.deepEqual([...new Set(used)].sort(), Object.keys(formulas).sort());
  const ids = cards.map(({ id }) => id);
  for (const one of notes) {
    for (const id of one.cards) assert.ok(ids.includes(id), id);
    assert.ok(one.mistakes.length >= 2 && one.takeaways.length >= 3, one.id);
  }
});

test('every card does something on the page, belongs to a chapter and stands where its confusion arises', () => {
  assert.equal(new Set(cards.map(({ id }) => id)).size, cards.length);
  for (const { id, near, does, needs, example } of cards) {
    assert.ok(near.length > 0 && does.length > 0, id);
    assert.equal(needs === undefined, example === undefined, `${id} says what it needs and where that is`);
  }
  const ofChapters = notes.flatMap((one) => one.cards);
  assert.deepEqual(cards.map(({ id }) => id).filter((id) => !ofChapters.includes(id)), []);
  const { html } = scene('all that looks closer, heads');
  for (const { id, near } of cards.filter(({ near: places }) => places.some((place) => ['scores', 'heads', 'parameters', 'flow'].includes(place)))) {
    assert.match(html, new RegExp(`class="nearby">[^]*data-act="card"\\s+data-value="${id}"`), `${id}: ${near}`);
  }
});

test('formulas are MathML without a trace of TeX, of styles or of an error', () => {
  for (const [id, { mathml, code }] of Object.entries(content.formulas)) {
    assert.match(mathml, /^<math [^]*<\/math>$/, id);
    assert.doesNotMatch(mathml, /\\|style=|merror|tml-error/, id);
    assert.ok(code.length > 0);
  }
  assert.match(content.formulas['scaled-scores'].mathml, /<mfrac>[^]*<msqrt>/);
  assert.match(scene('notes of trainable').html, /<math [^]*softmax\(attn_scores, dim=1\)/);
});

test('the first screen offers no card, and no instrument is open', () => {
  assert.doesNotMatch(scene('opened').html, /data-act="card"|id="panel-/);
});

// ---- The code strip -------------------------------------------------------------------------------------------------

test('the code strip has the loop, the line that replaces it, and the tensor that both print', () => {
  const { text } = scene('notes of warm-up');
  assert.match(text, /for i in range\(3\): rows\.append\(attn_weights\[i\] @ inputs\)/);
  assert.match(text, /context_vecs = attn_weights @ inputs/);
  assert.match(text, /tensor\(\[\[2\.5000, 3\.5000\], \[3\.0000, 4\.0000\], \[3\.5000, 4\.5000\]\]\) ?This page computes both, too: 3 of 3 rows agree/);
  assert.doesNotMatch(text, /softmax\(attn_scores/);
});

test('the code strip follows the settings: mask, scale, heads', () => {
  const masked = scene('notes of causal').text;
  assert.match(masked, /keys\.T \/ 2 \*\* 0\.5later = torch\.ones\(6, 6\)\.triu\(1\)|keys\.T \/ 2 \*\* 0\.5 later = torch\.ones\(6, 6\)\.triu\(1\)/);
  assert.match(scene('notes of simplified').text, /attn_scores = inputs @ inputs\.T attn_weights/);
  assert.match(scene('notes of a scaled product of inputs').text, /inputs @ inputs\.T \/ 3 \*\* 0\.5/);
  assert.match(scene('notes of multi-head').text, /attn_weights @ values\)\.transpose\(0, 1\)\.reshape\(6, 4\)/);
  assert.match(scene('notes with large numbers').text, /tensor\(\[\[\u22125\.0000e\+5/);
});

// ---- Practice -------------------------------------------------------------------------------------------------------

test('what is said in the practice stands beside what is so: all allowed inputs, a weight of 0 among them', () => {
  const { text } = scene('practice answered nowhere');
  assert.match(text, /You said: 1, 5\. On the page: 1, 2, 3\. All of them: a weight of 0 is still a term/);
  assert.match(text, /You said: nowhere: there are none here\. On the page: nowhere: there are none here\./);
  const masked = scene('practice answered softmax').text;
  assert.match(masked, /You said: 1, 5\. On the page: 1, 2, 3\. Tokens 4, 5, 6 are masked/);
  assert.match(masked, /You said: in the softmax\. On the page: before the blend.*W_out is trainable as well/);
  assert.match(scene('practice not answered').text, /You said nothing yet\. On the page: 1, 2, 3\./);
});

test('the answer of the practice stands nowhere before it is asked for, and hints come one at a time', () => {
  assert.doesNotMatch(scene('notes of causal').text, /On the page:/);
  assert.match(scene('practice answered softmax').text, /Hint, 1 of 3 seen.*weighted sum over all inputs/);
  assert.doesNotMatch(scene('practice answered softmax').text, /Follow the flow: from/);
  assert.match(scene('notes of causal').text, /Follow the flow: from/);
});

// ---- Cards ----------------------------------------------------------------------------------------------------------

test('of the plain reshape the numbers of other tokens are marked, of the right split none', () => {
  const cells = (/** @type {string} */ name) => [...scene(name).html.matchAll(/<td\s+class="(stray)?"><i class="chip t(\d)"><\/i>(\d+)/g)]
    .map(([, stray, token, value]) => `${value}${stray ? '!' : ''}@${Number(token) + 1}`).join(' ');
  const whole = '1@1 2@1 3@1 4@1 5@2 6@2 7@2 8@2 9@3 10@3 11@3 12@3';
  assert.equal(cells('card reshape columns'), `${whole} 1@1 2@1 5@2 6@2 9@3 10@3 3@1 4@1 7@2 8@2 11@3 12@3`);
  assert.equal(cells('card reshape plain'), `${whole} 1@1 2@1 3!@1 4!@1 5!@2 6!@2 7!@2 8!@2 9!@3 10!@3 11@3 12@3`);
});

// ---- While a question is open ---------------------------------------------------------------------------------------

/** The chapter's notes of a state in which a question is open. @param {string} id @param {string} kind @param {number} seed @param {string} card */
async function asking(id, kind, seed, card) {
  let state = await opening(id);
  for (const action of /** @type {import('../../web/model/update.js').Action[]} */ ([
    { type: 'panel', panel: 'chapter', open: true }, { type: 'notes', change: { card, checked: true } }, { type: 'ask', kind, seed },
  ])) {
    const outcome = update(state, action);
    assert.ok('state' in outcome);
    state = outcome.state;
  }
  return { frame: await frameOf(state), state, question: asked(state) ?? assert.fail('no question') };
}

test('a number that a question hides is not printed, and nothing is said that would give it away', async () => {
  let printed = 0;
  for (let seed = 1; seed <= 20; seed++) {
    const { frame, question, state } = await asking('causal', 'fill-cell', seed, 'scores-or-weights');
    const text = textOf(chapter(frame));
    if (question.shows?.tensor === 'context_vecs') {
      const { tensors } = await runner.run(state);
      const [, row, column] = question.shows.indices;
      const number = tensors.context_vecs.data[row * 2 + column].toFixed(4);
      assert.ok(!text.includes(number), number);
      assert.match(text, /tensor\(\[\[[^)]*\?/);
      printed += 1;
    }
    assert.match(text, /largest weight of the chosen row\?/);
    assert.doesNotMatch(text, /On the page:|What changed|NaN/);
  }
  assert.ok(printed > 0);
  const open = scene('practice not answered').text;
  assert.match(open, /On the page:/);
  assert.match(open, /What changed/);
});

test('while a shape is asked for, the code that has it is hidden', async () => {
  const { frame } = await asking('multi-head', 'shape', 1, 'head-dim');
  const text = textOf(chapter(frame));
  assert.doesNotMatch(text, /reshape\(|torch\.stack/);
  assert.match(text, /head_dim\?/);
});

// ---- The state ------------------------------------------------------------------------------------------------------

test('a card stays open when another chapter is opened, what was practised does not', async () => {
  const state = await opening('warm-up');
  const noted = update(state, { type: 'notes', change: { card: 'scale', tried: ['none'], hints: 2, inputs: [0], checked: true } });
  assert.ok('state' in noted);
  assert.equal('label' in noted, false, 'notes are no step of undo');
  const opened = update(noted.state, { type: 'open', ...await drawn('trainable') });
  assert.ok('state' in opened);
  assert.deepEqual(opened.state.view.notes, { ...FIRST_VIEW.notes, card: 'scale', tried: ['none'] });
});

test('a token that is gone is no longer among those named in the practice', async () => {
  const noted = update(await opening('warm-up'), { type: 'notes', change: { inputs: [0, 2] } });
  assert.ok('state' in noted);
  const fewer = update(noted.state, { type: 'remove-token', row: 1 });
  assert.ok('state' in fewer);
  assert.deepEqual(fewer.state.view.notes.inputs, [0]);
});

test('a card that cannot work here says what it needs and opens the chapter that has it', () => {
  const { text, html } = scene('card bias, warm-up');
  assert.match(text, /This needs trainable matrices\. Open “Trainable”/);
  assert.match(html, /data-act="card-example" data-value="trainable"/);
  assert.match(scene('card head-dim, warm-up').text, new RegExp(t('card-needs-heads')));
  assert.doesNotMatch(scene('card bias ').text, /This needs/);
});

test('identity matrices as a card puts them are square, as wide as the inputs', async () => {
  const { document: doc } = await opening('trainable');
  const same = identity(3);
  const placed = update(await opening('trainable'), { type: 'place', matrices: { w_query: same, w_key: same, w_value: same }, tokens: null });
  assert.ok('state' in placed);
  assert.deepEqual([placed.state.document.w_key, placed.state.document.inputs], [same, doc.inputs]);
});
