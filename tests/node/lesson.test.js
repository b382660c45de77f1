// The short path through the chapters: what has each step done and what has not, where Next and Back lead, and what is
// said to have changed, against attention computed here in doubles from the examples' numbers alone.
// Read next: ../../web/model/lesson.js, ../../web/app/changes.js.

import assert from 'node:assert/strict';
import test from 'node:test';
import { chapters } from '../../web/content/chapters.js';
import { chapterOf, exampleBefore, noted } from '../../web/model/lesson.js';
import { kindsHere } from '../../web/model/questions.js';
import { update } from '../../web/model/update.js';
import { changedLine } from '../../web/view/changed.js';
import { flow } from '../../web/view/flow.js';
import { lesson } from '../../web/view/lesson.js';
import { frameOf, htmlOf, drawn, opening, runner, textOf } from './frames.js';
import { inClass } from './scenes-classroom.js';
import { atStep } from './scenes-lesson.js';

/**
 * @typedef {import('../../web/model/state.js').State} State
 * @typedef {import('../../web/model/state.js').Doc} Doc
 * @typedef {import('../../web/model/update.js').Action} Action
 */

/** The state after actions, each noted as the loop does. @param {State} state @param {Action[]} actions @returns {State} */
const after = (state, ...actions) => actions.reduce((last, action) => {
  const outcome = update(last, action);
  assert.ok('state' in outcome, JSON.stringify(outcome));
  return noted(last, outcome.state, chapters);
}, state);

/** @param {string} example */
async function bridgeOf(example) {
  const before = await runner.before(example);
  assert.ok(before);
  return before;
}

/** @param {import('../../web/model/state.js').MatrixName} matrix @param {number} row @returns {Action} */
const edit = (matrix, row) => ({ type: 'edit', matrix, row, column: 0, value: 0.75 });

/** A question asked and left, its answer seen. @param {string} kind @returns {Action[]} */
const answered = (kind) => [{ type: 'ask', kind, seed: 1 }, { type: 'unveil' }, { type: 'unask' }];

/** What a learner does at each step that asks for something. @type {Record<string, Action | Action[]>} */
const WHAT_IS_DONE = {
  'warm-up row': { type: 'row', row: 1 },
  'warm-up weight': edit('given', 1),
  'warm-up product': { type: 'panel', panel: 'shapes', open: true },
  'warm-up predict': answered('only'),
  'simplified input': edit('inputs', 2),
  'simplified predict': answered('top-token'),
  'trainable query': edit('w_query', 0),
  'trainable bridge': { type: 'bridge', before: await bridgeOf('trainable'), how: 'identity' },
  'trainable predict': answered('contributes'),
  'causal last': edit('inputs', 2),
  'causal predict': answered('mask-changes'),
  'multi-head second': { type: 'head', head: 1 },
  'multi-head bridge': { type: 'bridge', before: await bridgeOf('multi-head'), how: 'one-head' },
  'multi-head predict': answered('shape'),
};

/** What does none of it. @type {Action[]} */
const BESIDE = [{ type: 'digits', digits: 3 }, { type: 'row', row: 0 }, { type: 'label', row: 0, text: 'Mine' }];

test('each step that asks for something is done by doing that, by nothing else, and stays done', async () => {
  const asked = chapters.flatMap(({ id, steps }) => steps.filter(({ done }) => done).map((step) => `${id} ${step.id}`));
  assert.deepEqual(asked, Object.keys(WHAT_IS_DONE));
  for (const { id, examples, steps } of chapters) {
    for (const example of examples) {
      for (const [i, { id: name, done }] of steps.entries()) {
        if (!done) continue;
        const where = `${example} ${name}`;
        const there = after(atStep(await opening(example), 0), { type: 'lesson', step: i });
        assert.deepEqual(there.view.lesson, { step: i, done: false }, where);
        assert.equal(after(there, ...BESIDE).view.lesson.done, false, where);
        const did = after(there, ...[WHAT_IS_DONE[`${id} ${name}`]].flat());
        assert.equal(did.view.lesson.done, true, where);
        assert.equal(after(did, ...BESIDE).view.lesson.done, true, where);
        const stays = done.is !== undefined && !done.path.startsWith('view.question');
        assert.equal(after(did, { type: 'lesson', step: i }).view.lesson.done, stays, `${where}, come to again`);
      }
    }
  }
});

test('a state that is already as a step wants it has the step done at once', async () => {
  const state = after(await opening('multi-head'), { type: 'head', head: 1 }, { type: 'lesson', step: 1 });
  assert.deepEqual(state.view.lesson, { step: 1, done: true });
});

test('a reset keeps the step, another chapter begins at its first, and a change made by opening does no step', async () => {
  const state = after(await opening('trainable'), { type: 'lesson', step: 1 });
  assert.deepEqual(after(state, { type: 'open', ...await drawn('trainable') }).view.lesson, { step: 1, done: false });
  const first = { step: 0, done: false };
  assert.deepEqual(after(state, { type: 'open', ...await drawn('causal') }).view.lesson, first);
  const atInput = after(await opening('simplified'), { type: 'lesson', step: 1 });
  assert.deepEqual(after(atInput, { type: 'open', ...await drawn('trainable-toy') }).view.lesson, first);
});

test('a state from outside brings its own step, and what it changes does no step', async () => {
  const state = after(await opening('causal'), { type: 'lesson', step: 0 });
  const other = after(await opening('causal'), edit('inputs', 0), { type: 'lesson', step: 1 });
  const label = { id: 'did-open' };
  assert.deepEqual(after(state, { type: 'restore', state: other, label }).view.lesson, { step: 1, done: false });
});

test('the chapter before is that of the same tokens, and the warm-up has none', () => {
  const pairs = chapters.flatMap(({ examples }) => examples.map((id) => [id, exampleBefore(chapters, id)]));
  assert.deepEqual(Object.fromEntries(pairs), {
    'warm-up': null, simplified: 'warm-up', 'simplified-toy': 'warm-up', trainable: 'simplified', 'trainable-toy': 'simplified-toy',
    causal: 'trainable', 'causal-toy': 'trainable-toy', 'multi-head': 'causal', 'multi-head-toy': 'causal-toy',
  });
  assert.equal(exampleBefore(chapters, 'huge-scores'), null);
  assert.equal(chapterOf(chapters, 'fetch'), -1);
});

/** @param {State} state */
const strip = async (state) => htmlOf(lesson(await frameOf(state)));

/** What the buttons of the strip do: act and value. @param {string} html */
const acts = (html) => [...html.matchAll(/data-act="([^"]*)"\s+data-value="([^"]*)"/g)].map(([, act, value]) => `${act} ${value}`);

test('Next leads from step to step and from chapter to chapter, with the toy where it was taken along', async () => {
  const way = [];
  for (const start of ['warm-up', 'simplified-toy']) {
    let example = start;
    do {
      const chapter = chapters[chapterOf(chapters, example)];
      const state = await opening(example);
      const last = chapter.steps.length - 1;
      for (let i = 0; i < last; i += 1) assert.ok(acts(await strip(atStep(state, i))).includes(`lesson ${i + 1}`), `${example} ${i}`);
      const next = acts(await strip(atStep(state, last))).find((act) => act.startsWith('lesson-chapter'));
      way.push(example);
      example = next?.split(' ')[1] ?? assert.fail(example);
    } while (example !== 'warm-up');
  }
  assert.deepEqual(way, [
    'warm-up', 'simplified', 'trainable', 'causal', 'multi-head',
    'simplified-toy', 'trainable-toy', 'causal-toy', 'multi-head-toy',
  ]);
});

test('once the answer is shown the card goes on with the guide, and before the arithmetic; before, it does not', async () => {
  const state = after(await opening('causal'), { type: 'lesson', step: 2 }, { type: 'ask', kind: 'top-token', seed: 1 });
  assert.doesNotMatch(await strip(state), /lesson-count|id="onward"|Back to the guide/);
  const shown = after(state, { type: 'unveil' });
  const html = await strip(shown);
  assert.match(html, /✓ done<\/span>\s*3 of 4<\/span>.*data-act="lesson"\s+data-value="3"[^>]*>Next<.*Show the arithmetic/s);
  const next = after(shown, { type: 'lesson', step: 3 });
  assert.deepEqual([next.view.question, next.view.lesson], [null, { step: 3, done: false }]);
  const aside = after(await opening('causal'), ...answered('top-token').slice(0, 2));
  assert.match(await strip(aside), /class="primary" data-act="unask">Back to the guide</);
  const beside = after(await opening('huge-scores'), ...answered('top-token').slice(0, 2));
  assert.doesNotMatch(await strip(beside), /Back to the guide|lesson-count/);
});

test('what a lock refuses is disabled in the strip, with the reason, and Next stands out in its place', async () => {
  const strips = /** @type {const} */ ([
    ['trainable', 2, 'switches', 'Set identity'], ['trainable', 2, 'w_query', 'Set identity'], ['multi-head', 2, 'switches', 'Set one head'],
    ['simplified', 0, 'example', 'Use the toy'], ['causal', 0, 'flow', 'Show what is new'], ['causal', 3, 'example', 'Next chapter: Multi-head'],
  ]);
  for (const [example, step, lock, name] of strips) {
    const state = atStep(await opening(example), step);
    const free = await strip(inClass(state, {}, { lock: lock === 'switches' ? ['training'] : ['training', 'bugs'] }));
    const barred = await strip(inClass(state, {}, { lock: [lock] }));
    const named = (/** @type {string} */ html) => new RegExp(`<button[^<]*disabled="true"[^<]*>${name}<`).test(html);
    assert.deepEqual([named(free), named(barred)], [false, true], `${name}: ${lock}`);
    assert.deepEqual([/id="lesson-locked"/.test(free), /id="lesson-locked">locked for this class:/.test(barred)], [false, true], name);
    assert.match(barred, /id="onward" class="primary"/);
  }
  const same = atStep(await opening('trainable'), 2);
  assert.doesNotMatch(await strip(inClass(same, {}, { lock: ['inputs'] })), /id="lesson-locked"/, 'what stays as it is may be locked');
});

test('Back leads a step back, and on the first step says by its state that there is none', async () => {
  const state = await opening('causal');
  assert.ok(acts(await strip(atStep(state, 2))).includes('lesson 1'));
  assert.match(await strip(atStep(state, 0)), /data-act="lesson" data-value="-1" aria-disabled="true"/);
  assert.match(await strip(atStep(state, 1)), /data-act="lesson" data-value="0" aria-disabled="false"/);
});

test('Next stands out once a step is done, or has only something to read', async () => {
  const standsOut = async (/** @type {State} */ state) => /class="primary" data-act="lesson/.test(await strip(state));
  const state = await opening('warm-up');
  assert.deepEqual(
    [await standsOut(state), await standsOut(atStep(state, 0, true)), await standsOut(atStep(state, 4))], [false, true, true]);
});

test('while a question is open it stands in the strip in place of the step, and nothing tells what is hidden', async () => {
  const state = after(await opening('causal'), { type: 'ask', kind: 'top-token', seed: 1 });
  const html = await strip(state);
  assert.match(html, /id="question"/);
  assert.doesNotMatch(html, /lesson-text/);
  const { derived } = await frameOf(state);
  assert.equal(derived.computed.changed, null);
});

test('each chapter has one step that asks, by a kind that can be asked of its examples', async () => {
  for (const { examples, steps } of chapters) {
    assert.equal(steps.filter(({ ask }) => ask).length, 1);
    const kind = steps.find(({ ask }) => ask)?.ask ?? '';
    for (const example of examples) assert.ok(kindsHere((await opening(example)).document).includes(kind), `${example}: ${kind}`);
  }
});

test('the last card names stages before and after attention, and what weights do not explain', async () => {
  const last = chapters[4].steps.length - 1;
  const text = textOf(lesson(await frameOf(atStep(await opening('multi-head'), last))));
  assert.match(text, /one stage.*Before it, .*tokens.*vectors\. After it .*network.*scores for the next token\. Attention weights do not by themselves explain/);
});

test('the flow marks what a chapter brings, in sight and in the names, and nothing in the warm-up', async () => {
  /** @param {string} id */
  const marked = async (id) => {
    const state = await opening(id);
    const html = htmlOf(flow(await frameOf({ ...state, view: { ...state.view, unfolded: true } })));
    const names = [...html.matchAll(/aria-label="([^",]*)[^"]*, new in this chapter[^"]*"/g)].map(([, name]) => name);
    assert.equal(html.match(/class="flag"/g)?.length ?? 0, names.length);
    assert.equal(/marked “new”/.test(html), names.length > 0);
    return names.join(', ');
  };
  assert.equal(await marked('warm-up'), '');
  assert.equal(await marked('simplified-toy'), 'Scores, Softmax');
  assert.equal(await marked('trainable'), 'W_query, W_key, W_value, Queries, Keys, Values');
  assert.equal(await marked('causal'), 'Mask');
  assert.equal(await marked('multi-head'), 'Softmax, Context vectors, W_out, Outputs');
});

// ---- What changed and what did not -------------------------------------------------------------------------------

/** @param {number[][]} a @param {number[][]} b columns of the product are rows of b */
const timesTransposed = (a, b) => a.map((row) => b.map((other) => row.reduce((sum, x, i) => sum + x * other[i], 0)));
/** @param {number[][]} m */
const transposed = (m) => m[0].map((_, j) => m.map((row) => row[j]));
/** @param {number[][]} a @param {number[][]} b */
const times = (a, b) => timesTransposed(a, transposed(b));

/** Attention in doubles from a document's numbers alone, one head. @param {Doc} doc */
function attention({ inputs, w_query, w_key, w_value, source, scale, causal }) {
  const trained = source === 'trained';
  const [queries, keys, values] = [w_query, w_key, w_value].map((w) => (trained ? times(inputs, w) : inputs));
  const divisor = scale === 'none' ? 1 : Math.sqrt(queries[0].length);
  const weights = timesTransposed(queries, keys).map((row, i) => {
    const powers = row.map((score, j) => (causal && j > i ? 0 : Math.exp(score / divisor)));
    const sum = powers.reduce((all, power) => all + power, 0);
    return powers.map((power) => power / sum);
  });
  return { weights: weights.flat(), context: times(weights, values).flat() };
}

/** @param {number[]} a @param {number[]} b */
const furthest = (a, b) => a.reduce((largest, x, i) => Math.max(largest, Math.abs(x - b[i])), 0);

/** @param {State} state */
async function changedOf(state) {
  const { changed } = (await runner.run(state));
  assert.ok(changed);
  return changed;
}

/** The largest in size. @param {{ data: Float32Array }} tensor */
const largest = ({ data }) => Math.max(...data.map(Math.abs));

for (const [here, there] of [['trainable', 'simplified'], ['causal', 'trainable'], ['trainable-toy', 'simplified-toy'], ['causal-toy', 'trainable-toy']]) {
  test(`weights of "${here}" are as far from those of "${there}" as computed by hand`, async () => {
    const { differences } = await changedOf(await opening(here));
    const [now, then] = [attention((await opening(here)).document), attention((await opening(there)).document)];
    const far = furthest(now.weights, then.weights);
    assert.ok(far > 0.01);
    assert.ok(Math.abs(largest(differences.attn_weights) - far) < 1e-6, `${largest(differences.attn_weights)} and ${far}`);
    assert.equal(largest(differences.inputs), 0);
  });
}

test('the mask sets 15 weights to 0, divides each row by what is left, and leaves the last row and all the rest alone', async () => {
  const state = await opening('causal');
  const { differences, fromMask, before } = await changedOf(state);
  const then = attention((await opening('trainable')).document).weights;
  const divided = then.map((weight, at) => {
    const [row, column] = [Math.floor(at / 6), at % 6];
    const left = then.slice(row * 6, row * 6 + row + 1).reduce((sum, x) => sum + x, 0);
    return column > row ? 0 : weight / left;
  });
  const now = [...(await runner.run(state)).tensors.attn_weights.data];
  assert.ok(furthest(now, divided) < 1e-6);
  assert.ok(fromMask && largest(fromMask) < 1e-7);
  assert.equal(largest({ data: differences.attn_weights.data.slice(30) }), 0);
  for (const name of ['inputs', 'w_query', 'w_key', 'w_value', 'values']) assert.equal(largest(differences[name]), 0, name);
  assert.ok(furthest([...before.attn_weights.data], then) < 1e-6);
  const text = textOf(changedLine(await frameOf(state)));
  assert.match(text, /^Same as at the start of Trainable: Inputs \(18 of 18\), weight matrices \(18 of 18\)\./);
  assert.match(text, /Context vectors \(10 of 12 differ, by 0\.\d+ at most\)\. 15 weights became 0\..*to within [\d.]+e−\d+; the last row differs by 0\.$/);
});

test('with identity matrices and no scale the trainable chapter has the numbers of the simplified one, and says so', async () => {
  for (const [here, there] of [['trainable', 'simplified'], ['trainable-toy', 'simplified-toy']]) {
    const state = after(await opening(here), edit('inputs', 0), { type: 'bridge', before: await bridgeOf(here), how: 'identity' });
    const { document } = state;
    assert.deepEqual([document.source, document.scale, document.example], ['trained', 'none', here]);
    const { tensors, changed } = await runner.run(state);
    assert.ok(changed);
    for (const name of ['inputs', 'attn_weights', 'context_vecs']) assert.equal(largest(changed.differences[name]), 0, name);
    const want = attention((await opening(there)).document);
    assert.ok(furthest([...tensors.attn_weights.data], want.weights) < 1e-6);
    assert.ok(furthest([...tensors.context_vecs.data], want.context) < 1e-5);
    assert.match(textOf(changedLine(await frameOf(state))), /Attention weights \((36 of 36|9 of 9)\), Context vectors \((18 of 18|6 of 6)\)\. Nothing differs\.$/);
  }
});

test('with one head and the same matrices the multi-head chapter has the numbers of the causal one, and says so', async () => {
  const state = after(await opening('multi-head'), edit('w_key', 1), { type: 'bridge', before: await bridgeOf('multi-head'), how: 'one-head' });
  const { document } = state;
  assert.deepEqual([document.heads, document.project, document.example, document.w_out], [1, true, 'multi-head', [[1, 0], [0, 1]]]);
  const { tensors, changed } = await runner.run(state);
  assert.ok(changed);
  const want = attention((await opening('causal')).document);
  assert.ok(furthest([...tensors.attn_weights.data], want.weights) < 1e-6);
  assert.ok(furthest([...tensors.outputs.data], want.context) < 1e-6);
  for (const name of ['inputs', 'w_query', 'w_key', 'w_value', 'attn_weights', 'context_vecs']) {
    assert.equal(largest(changed.differences[name]), 0, name);
  }
  assert.match(textOf(changedLine(await frameOf(state))), /Nothing differs\.$/);
});

test('where sizes differ they are what is said, and what is edited no longer counts as the same', async () => {
  const heads = textOf(changedLine(await frameOf(await opening('multi-head'))));
  assert.match(heads, /Inputs \(18 of 18\)\. Different: Query weights \(3 × 2, now 3 × 4\).*Attention weights \(6 × 6, now 2 × 6 × 6\), Context vectors \(6 × 2, now 6 × 4\)\.$/);
  const simplified = textOf(changedLine(await frameOf(await opening('simplified'))));
  assert.match(simplified, /^Different: Inputs \(3 × 2, now 6 × 3\)/);
  const trainable = textOf(changedLine(await frameOf(await opening('trainable'))));
  assert.match(trainable, /^New: W_query \(3 × 2\), W_key \(3 × 2\), W_value \(3 × 2\)\. Same as at the start of Simplified: Inputs \(18 of 18\)\./);
  assert.match(heads, /^New: W_out \(4 × 4\)\./);
  const edited = textOf(changedLine(await frameOf(after(await opening('causal'), edit('inputs', 5)))));
  assert.match(edited, /Different: Inputs \(1 of 18 differ, by 0\.7 at most\)/);
  assert.equal(changedLine(await frameOf(await opening('warm-up'))).toString(), 'Symbol(lit-nothing)');
});
