// The message file and the examples: every message that is asked for is there with all its arguments, every message
// that is there is asked for, and every example is a start that the page can open. Read next: scenes.js.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';
import { FluentResource } from '@fluent/bundle';
import { messages } from '../../web/app/messages.js';
import { chapters } from '../../web/content/chapters.js';
import { examples } from '../../web/content/examples.js';
import { readState } from '../../web/model/schema.js';
import { update } from '../../web/model/update.js';
import { flowMap } from '../../web/view/flow-map.js';
import { assertFits } from './actions.js';
import { batches, drawn, english, opening, t } from './frames.js';
import { spoilt } from './io-offenders.js';
import { known, problemOf as problemIn } from './io-states.js';
import { asked } from './scenes.js';
import { inClass } from './scenes-classroom.js';
import { stepsFrom, taskAction } from './scenes-training.js';

/**
 * @typedef {import('../../web/model/state.js').State} State
 * @typedef {import('../../web/model/update.js').Message} Message
 * @typedef {import('../../web/model/update.js').Action} Action
 */

const ids = [...english.matchAll(/^([a-zA-Z][\w-]*) =/gm)].map(([, id]) => id);

/** The text of all files of a folder of web/. @param {string} folder */
function sourceOf(folder) {
  const place = new URL(`../../web/${folder}/`, import.meta.url);
  return readdirSync(place, { recursive: true }).map(String).filter((name) => name.includes('.')).map((name) => readFileSync(new URL(name, place), 'utf8')).join('\n');
}

/** The ids that the model gives to changes and problems, as its source has them. */
const inModel = new Set([...sourceOf('model').matchAll(/\bid: '((?:did|problem)-[\w-]+)'/g)].map(([, id]) => id));

/** The ids that the loop asks for by their full name, directly, as labels, or for undo and redo. */
const inApp = new Set([...sourceOf('app').matchAll(/(?<=\bt\(|, |\bid: )'([a-z]+(?:-[a-z]+)+)'/g)].map(([, id]) => id));

/** The ids that the files of io/ give to problems, or ask for; that each problem comes about is tested with its reader. */
const inIo = new Set([...sourceOf('io').matchAll(/(?<=\bid: |\bproblem\(|\bt\()'([a-z]+(?:-[a-z]+)+)'/g)].map(([, id]) => id));

/** What the matrices are called in "a change in …". */
const matrixNames = ['inputs', 'given', 'w_query', 'w_key', 'w_value', 'w_out'].map((name) => `name-${name}`);

/**
 * The first problem that an action meets when it is done again and again.
 * @param {State} state @param {Action} action @returns {Message}
 */
function problemOf(state, action) {
  const outcome = update(state, action);
  return 'problem' in outcome ? outcome.problem : problemOf(outcome.state, action);
}

/** One problem of each kind that a state from outside may have. @param {State} state @returns {Message[]} */
function stateProblems(state) {
  const problems = spoilt.map(({ spoil }) => {
    const copy = structuredClone(state);
    return problemIn(readState(spoil(copy) ?? copy, known));
  });
  return [...new Map(problems.map((problem) => [problem.id, problem])).values()];
}

/** Every label and every problem that the model gives, with real arguments. @returns {Promise<Message[]>} */
async function outcomes() {
  const trained = await opening('multi-head');
  const heads = /** @type {Action} */ ({ type: 'heads', count: 1 });
  const oneHead = update(trained, heads);
  assert.ok('state' in oneHead);
  const edit = /** @type {Action} */ ({ type: 'edit', matrix: 'w_query', row: 0, column: 0, value: 1 });
  /** @type {Action[]} */
  const done = [
    edit, heads, { type: 'label', row: 0, text: 'Mine' }, { type: 'causal', on: false },
    { type: 'scale', scale: 'none' },
    { type: 'source', source: 'inputs', weights: [] }, { type: 'project', on: false }, { type: 'add-token' },
    { type: 'fault', fault: 'scale_missing', place: 0, mystery: null },
    { type: 'bridge', before: (await opening('causal')).document, how: 'one-head' },
    { type: 'fault', fault: 'none', place: 0, mystery: null }, { type: 'open', ...await drawn('warm-up') },
    { type: 'open', ...await drawn('multi-head') },
    { type: 'place', matrices: { inputs: [[1, 2]] }, tokens: null },
  ];
  /** @type {Action[]} */
  const endless = [
    { type: 'add-token' }, { type: 'remove-token', row: 0 }, { type: 'add-dimension' }, { type: 'remove-dimension' },
    { type: 'add-output' }, { type: 'remove-output' },
  ];
  /** @type {Action[]} */
  const refused = [
    { type: 'place', matrices: { inputs: [[1, 2]], w_query: [[1, 2]] }, tokens: null },
    { type: 'heads', count: 3 }, { type: 'add-output' }, { type: 'label', row: 0, text: ' ' },
    { type: 'label', row: 0, text: 'a'.repeat(61) }, { type: 'ask', kind: 'bug', seed: 1 },
  ];
  const asked = update(trained, { type: 'ask', kind: 'fill-cell', seed: 1 });
  assert.ok('state' in asked);
  const fetch = update(trained, taskAction('fetch', true));
  assert.ok('state' in fetch && fetch.label);
  const moved = update(fetch.state, stepsFrom(fetch.state, 5));
  assert.ok('state' in moved && moved.label);
  /** @type {Action[]} */
  const inTraining = [
    { type: 'sequence', heldOut: false, index: 1, inputs: [] }, { type: 'to-start' }, { type: 'to-best' },
    { type: 'zero-start' }, { type: 'draw', seed: 2, weights: batches.draw('fetch', 2) }, { type: 'no-task' },
  ];
  return [
    fetch.label, moved.label,
    ...inTraining.map((action) => {
      const outcome = update(moved.state, action);
      assert.ok('state' in outcome && outcome.label, action.type);
      return outcome.label;
    }),
    ...done.map((action) => {
      const outcome = update(trained, action);
      assert.ok('state' in outcome && outcome.label, action.type);
      return outcome.label;
    }),
    ...endless.map((action) => problemOf(oneHead.state, action)),
    problemOf(inClass(trained, {}, { lock: ['inputs'] }), { type: 'label', row: 0, text: 'Mine' }),
    problemOf(inClass(trained, {}, { lock: ['inputs'] }), { type: 'restore', state: trained, label: { id: 'did-file' }, fromFile: true }),
    problemOf(inClass(trained, {}, { hide: ['plane'] }), { type: 'panel', panel: 'plane', open: true }),
    ...refused.map((action) => problemOf(trained, action)),
    problemOf(asked.state, { type: 'predict', texts: ['0'] }), problemOf(asked.state, { type: 'predict', texts: ['none'] }),
    ...stateProblems(trained),
  ];
}

test('every line of the message file is understood, and no id stands there twice', () => {
  const understood = new FluentResource(english).body.map(({ id }) => id);
  assert.deepEqual(understood, ids);
  assert.deepEqual([...new Set(ids)], ids);
});

test('every message that the page can ask for is in the message file', () => {
  for (const id of [...asked, ...inModel, ...inIo, ...inApp, ...matrixNames]) assert.ok(ids.includes(id), id);
});

test('every message in the message file can be asked for by the page', () => {
  const used = new Set([...asked, ...inModel, ...inIo, ...inApp, ...matrixNames]);
  assert.deepEqual(ids.filter((id) => !used.has(id)), []);
});

test('every change and every problem that the model names can come about, and reads without gaps', async () => {
  const all = await outcomes();
  assert.deepEqual(all.map(({ id }) => id).sort(), [...inModel].sort());
  for (const { id, args } of all) {
    const named = args && 'matrix' in args ? { ...args, matrix: t(`name-${args.matrix}`) } : args;
    assert.doesNotMatch(t(id, named), /\{\s*\$|undefined|NaN/, id);
  }
});

test('a message or an argument that is missing is a fault, not a gap in the text', () => {
  assert.throws(() => t('no-such-message'), /no message "no-such-message"/);
  assert.throws(() => t('remove-token'), /number/);
  assert.throws(() => messages('a = A\na = B\n', 'en'), /a/);
});

test('user text and numbers stand in messages as they are, without invisible marks where none are needed', () => {
  assert.equal(t('inspector-title', { row: 2, label: '旅程' }), 'Row 2 · “旅程”');
});

test('the examples have different ids and come in teaching order, the warm-up first, then those with its toy', () => {
  const order = ['warm-up', 'simplified', 'trainable', 'causal', 'multi-head'];
  const withToy = order.slice(1).map((id) => `${id}-toy`);
  assert.deepEqual(examples.map(({ id }) => id), [...order, ...withToy, 'huge-scores', 'mask-underflow', 'summation-order']);
  assert.deepEqual(examples.map(({ chapter }) => chapter), [0, 1, 2, 3, 4, 1, 2, 3, 4, null, null, null]);
});

test('each chapter has its name, its examples, a path of three to five steps, and stations of the flow that are new', () => {
  const ofChapters = examples.filter(({ chapter }) => chapter !== null);
  for (const [number, { id, examples: ids, steps, fresh }] of chapters.entries()) {
    assert.ok(t(`chapter-${id}`));
    assert.equal(ids[0], id);
    assert.deepEqual(ids, ofChapters.filter(({ chapter }) => chapter === number).map((example) => example.id));
    assert.ok(steps.length >= 3 && steps.length <= 5, `${id} has ${steps.length} steps`);
    assert.equal(new Set(steps.map((step) => step.id)).size, steps.length);
    assert.ok(steps.some(({ done }) => done), `${id} has nothing to do`);
    const stations = ids.flatMap((example) => {
      const found = ofChapters.find((one) => one.id === example) ?? assert.fail();
      return [true, false].flatMap((unfolded) => flowMap(found, unfolded).map((station) => station.id));
    });
    for (const station of fresh) assert.ok(stations.includes(station), `${id}: ${station}`);
  }
});

test('the toy in a chapter is the chapter with the toy’s tokens and inputs, and nothing else', () => {
  const [warmUp, ...others] = chapters.map(({ examples: ids }) => ids.map((id) => examples.find((one) => one.id === id) ?? assert.fail()));
  for (const [own, toy] of others) {
    const { tokens, inputs, id, row } = toy;
    assert.deepEqual([tokens, inputs], [warmUp[0].tokens, warmUp[0].inputs]);
    assert.deepEqual({ ...own, tokens, inputs, id, row }, toy);
  }
});

for (const example of examples) {
  test(`the example "${example.id}" opens as a state that fits`, async () => {
    const state = await opening(example.id);
    assertFits(state);
    assert.equal(state.document.w_query[0].length, example.dOut);
    assert.deepEqual(new Set(example.tokens).size, example.tokens.length);
    assert.ok(t(`example-${example.id}`));
    assert.match(t(`origin-${example.id}`), /made up for teaching.*not from a real model/);
  });
}

test('the examples are the start states of the teaching order, and those that instruments bring', async () => {
  const facts = await Promise.all(examples.map(async ({ id }) => {
    const { document, view } = await opening(id);
    const { tokens, inputs, w_query, heads, source, scale, causal, project } = document;
    const sizes = [tokens.length, inputs[0].length, w_query[0].length, heads];
    return [id, ...sizes, source, scale, causal, project, view.row + 1].join(' ');
  }));
  assert.deepEqual(facts, [
    'warm-up 3 2 2 1 given sqrt_head_dim false false 3',
    'simplified 6 3 2 1 inputs none false false 2',
    'trainable 6 3 2 1 trained sqrt_head_dim false false 2',
    'causal 6 3 2 1 trained sqrt_head_dim true false 2',
    'multi-head 6 3 4 2 trained sqrt_head_dim true true 4',
    'simplified-toy 3 2 2 1 inputs none false false 3',
    'trainable-toy 3 2 2 1 trained sqrt_head_dim false false 3',
    'causal-toy 3 2 2 1 trained sqrt_head_dim true false 3',
    'multi-head-toy 3 2 4 2 trained sqrt_head_dim true true 3',
    'huge-scores 3 2 2 1 trained sqrt_head_dim true false 2',
    'mask-underflow 3 2 2 1 inputs none true false 1',
    'summation-order 3 2 2 1 given sqrt_head_dim false false 3',
  ]);
});

test('from the trainable to the causal example nothing changes but the mask', async () => {
  const [trainable, causal] = [await opening('trainable'), await opening('causal')];
  assert.deepEqual({ ...causal.document, example: 'trainable', causal: false }, trainable.document);
  assert.deepEqual(causal.view, trainable.view);
});
