// A class link and back: every option comes back as it was set up, by itself and with all others; what is unknown or does
// not fit is named and the rest holds; and the ready lessons open whole. Read next: io-link.test.js, classroom.test.js.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import fc from 'fast-check';
import { readyLessons } from '../../web/content/class-lessons.js';
import { OPTIONS, classLinkToState, isClassLink, stateToClassLink } from '../../web/io/class-link.js';
import { MAX_LINK, linkToState, stateToLink } from '../../web/io/link.js';
import { UNANSWERED } from '../../web/model/asking.js';
import { LOCKS, MATRICES, OPEN_CLASS, PARTS, matricesOf } from '../../web/model/classroom.js';
import { MAX_SEED } from '../../web/model/mystery.js';
import { KINDS } from '../../web/model/questions.js';
import { PANELS } from '../../web/model/schema.js';
import { update } from '../../web/model/update.js';
import { opening, runner, t } from './frames.js';
import { known } from './io-states.js';

/**
 * @typedef {import('../../web/model/state.js').State} State
 * @typedef {import('../../web/model/state.js').View} View
 * @typedef {import('../../web/model/classroom.js').Classroom} Classroom
 */

const panels = /** @type {View['panels']} */ (Object.keys(PANELS));

/** @param {State} state @param {'example' | 'state'} start */
async function hashOf(state, start) {
  const link = stateToClassLink(state, await opening(state.document.example), start);
  assert.ok('hash' in link, JSON.stringify(link));
  return link.hash;
}

/** @param {string} hash */
async function opened(hash) {
  const read = await classLinkToState(hash, known, opening);
  assert.ok('state' in read, JSON.stringify(read));
  return read;
}

/** The sentences about what was left out. @param {string} hash */
const sentences = async (hash) => (await opened(hash)).refused.map(({ id, args }) => t(id, args));

/** @param {State} state @param {Partial<View>} view @param {Partial<Classroom>} [change] @returns {State} */
const setUp = (state, view, change) =>
  ({ ...state, view: { ...state.view, ...view, classroom: { ...OPEN_CLASS, ...change } } });

/** @param {State} state @param {string} hash @returns {State} the same, opened by this link */
function by(state, hash) {
  const classroom = { .../** @type {Classroom} */ (state.view.classroom), link: hash.slice(1) };
  return { ...state, view: { ...state.view, classroom } };
}

const heads = await opening('multi-head');

/** Every option: a setting of it, and how it is written. @type {Record<string, [State, string][]>} */
const settings = {
  question: KINDS.filter((kind) => kind !== 'bug').flatMap((kind) => [0, 7, MAX_SEED].map((seed) => {
    const outcome = update(heads, { type: 'ask', kind, seed });
    assert.ok('state' in outcome, kind);
    return /** @type {[State, string]} */ ([setUp(outcome.state, {}), `question=${kind}:${seed}`]);
  })),
  row: [[setUp(heads, { row: 0 }), 'row=1'], [setUp(heads, { row: 5 }), 'row=6']],
  head: [[setUp(heads, { head: 1 }), 'head=2']],
  digits: [[setUp(heads, { digits: 0 }), 'digits=0'], [setUp(heads, { digits: 6 }), 'digits=6']],
  open: [[setUp(heads, { panels: ['plane', 'flow'] }), 'open=plane,flow'], [setUp(heads, { panels }), `open=${panels.join()}`]],
  step: [[setUp(heads, { lesson: { step: 2, done: false } }), 'step=3']],
  hide: [
    ...[...panels, ...PARTS, ...MATRICES].map((what) => /** @type {[State, string]} */ ([setUp(heads, {}, { hide: [what] }), `hide=${what}`])),
    [setUp(heads, {}, { hide: ['plane', 'w_key'] }), 'hide=plane,w_key'],
  ],
  ask: MATRICES.map((what) => [setUp(heads, {}, { ask: [what] }), `ask=${what}`]),
  lock: [
    ...LOCKS.map((what) => /** @type {[State, string]} */ ([setUp(heads, {}, { lock: [what] }), `lock=${what}`])),
    [setUp(heads, {}, { lock: LOCKS }), `lock=${LOCKS.join()}`],
  ],
  rows: [
    [setUp(heads, {}, { rows: 0 }), 'rows=0'], [setUp(heads, { row: 5 }, { rows: 6 }), 'rows=6'],
    [setUp(heads, { row: 1 }, { rows: 2, weightRows: true }), 'rows=2:weights'],
    [setUp(heads, {}, { rows: 2 }), 'row=4&rows=2'],
  ],
  present: [
    [setUp(heads, { present: 'figure' }), 'present'],
    ...panels.map((panel) => /** @type {[State, string]} */ ([setUp(heads, { present: panel }), `present=${panel}`])),
  ],
};

test('the options that are tested are all there are', () => {
  assert.deepEqual(Object.keys(settings), Object.keys(OPTIONS));
});

for (const [name, cases] of Object.entries(settings)) {
  test(`the option "${name}" is written in words and comes back as it was set up`, async () => {
    for (const [state, written] of cases) {
      const hash = await hashOf(state, 'example');
      assert.equal(hash, `#class&example=multi-head&${written}`);
      assert.deepEqual(await opened(hash), { state: by(state, hash), refused: [] });
      const packed = await hashOf(state, 'state');
      assert.match(packed, /^#class&state=rows1\.[\w-]+(&|$)/);
      assert.deepEqual(await opened(packed), { state: by(state, packed), refused: [] });
    }
  });
}

/** The tensors that each example is computed in; queries, keys and values only where they are not the inputs themselves. */
const here = Object.fromEntries(await Promise.all(known.examples.map(async (id) => {
  const { tensors } = await runner.run(await opening(id));
  return [id, Object.keys(tensors).filter((name) => 'w_query' in tensors || !['queries', 'keys', 'values'].includes(name))];
})));

test('options come back together, in any combination, from every example', async () => {
  const subset = (/** @type {readonly string[]} */ all) => fc.subarray([...all]);
  const setups = fc.record({
    example: fc.constantFrom(...known.examples), row: fc.nat({ max: 2 }), digits: fc.nat({ max: 6 }), panels: subset(panels),
    present: fc.constantFrom(null, 'figure', ...panels), hide: subset([...panels, ...PARTS, ...MATRICES]), ask: subset(MATRICES),
    lock: subset(LOCKS), rows: fc.option(fc.nat({ max: 3 })), weights: fc.boolean(),
    question: fc.option(fc.record({ kind: fc.constantFrom('only', 'shape', 'contributes'), seed: fc.nat({ max: MAX_SEED }) })),
  });
  await fc.assert(fc.asyncProperty(setups, async ({ example, hide, ask, lock, rows, weights, question, ...view }) => {
    const looked = /** @type {Partial<View>} */ ({ ...view, question: question && { ...question, ...UNANSWERED } });
    const start = await opening(example);
    const isHere = (/** @type {string} */ word) => !MATRICES.some((matrix) => matrix === word) || here[example].includes(word);
    const shown = panels.filter((panel) => !hide.includes(panel));
    const state = setUp(start, { ...looked, panels: shown.filter((panel) => view.panels.includes(panel)),
      present: hide.includes(String(view.present)) ? null : looked.present }, /** @type {Partial<Classroom>} */ ({
      hide: hide.filter(isHere), ask: ask.filter((matrix) => isHere(matrix) && !hide.includes(matrix)), lock, rows, weightRows: rows !== null && weights,
    }));
    const hash = await hashOf(state, 'example');
    assert.deepEqual(await opened(hash), { state: by(state, hash), refused: [] });
  }), { seed: 20260104, numRuns: 200 });
});

test('edited numbers come back to the bit; a state too long for a link says how long it would be', async () => {
  const outcome = update(heads, { type: 'edit', matrix: 'w_query', row: 0, column: 1, value: 1 / 3 });
  assert.ok('state' in outcome);
  const state = setUp(outcome.state, {}, { rows: 0, lock: ['inputs'] });
  const hash = await hashOf(state, 'state');
  assert.deepEqual((await opened(hash)).state, by(state, hash));
  const inputs = Array.from({ length: 32 }, (_, i) => Array.from({ length: 16 }, (__, j) => Math.sin(i * 16 + j)));
  const large = update(heads, { type: 'place', matrices: { inputs }, tokens: null });
  assert.ok('state' in large);
  const link = stateToClassLink(large.state, heads, 'state');
  assert.ok('tooLong' in link && link.tooLong > MAX_LINK);
});

test('what was revealed or asked for since is not in a class link', async () => {
  const asked = [{ tensor: 'inputs', indices: [0, 0, 0] }];
  const hash = await hashOf(setUp(heads, {}, { ask: ['inputs'], asked }), 'example');
  assert.deepEqual((await opened(hash)).state.view.classroom?.asked, []);
});

test('a state that a class link opened goes through the plain link and comes back, its class too', async () => {
  const { state } = await opened('#class&example=causal&row=3&hide=plane,training&lock=inputs&rows=0&present');
  const link = stateToLink(state, await opening('causal'));
  assert.ok('hash' in link);
  assert.deepEqual(await linkToState(link.hash, known, opening), { state });
});

test('the last row shown is chosen, but the one that is asked about before it, and one that is named before both', async () => {
  const rowOf = async (/** @type {string} */ rest) => (await opened(`#class&example=multi-head&${rest}`)).state.view.row + 1;
  const asked = await rowOf('question=top-token:7');
  assert.notEqual(asked, 2);
  assert.deepEqual([await rowOf('rows=2'), await rowOf('rows=2&question=top-token:7'), await rowOf('question=top-token:7&rows=2')], [2, asked, asked]);
  assert.deepEqual([await rowOf('row=6&rows=2&question=top-token:7'), await rowOf('rows=0')], [6, 4]);
});

test('unknown and unfit options are named, and the rest holds', async () => {
  const good = '#class&example=causal&row=3&lock=inputs';
  const { view } = (await opened(good)).state;
  for (const [bad, says] of /** @type {[string, RegExp][]} */ ([
    ['colour=red', /option "colour" is not known, expected one of example, state, question, row/],
    ['toString', /option "toString" is not known/], ['__proto__=1', /option "__proto__" is not known/],
    ['hide=plane,cake', /hide cannot be "cake"/], ['ask=w_cake', /ask cannot be "w_cake"/], ['open=cake', /open cannot be "cake"/],
    ['question=cake:1', /question cannot be "cake:1" here/], ['question=bug:1', /question cannot be "bug:1" here/],
    ['question=shape:-1', /question cannot be/], ['question=shape:9999999999', /question cannot be/], ['present=cake', /present cannot be "cake"/], ['rows=7', /rows cannot be "7", expected a number from 0 to 6/],
    ['rows=1:all', /rows cannot be "1:all"/], ['rows', /rows cannot be ""/], ['digits=7', /digits cannot be "7", .* from 0 to 6/],
    ['step=0', /step cannot be "0"/], ['step=13', /step cannot be "13"/], ['digits=-1', /digits cannot be "-1"/], ['head=2', /head cannot be "2", .* from 1 to 1/], ['head=1.5', /head cannot be "1.5"/],
    ['%zz=%', /option "%zz" is not known/],
  ])) {
    const read = await opened(`${good}&${bad}`);
    assert.match(read.refused.map(({ id, args }) => t(id, args)).join('; '), says, bad);
    assert.equal(read.refused.length, 1, bad);
    const { row, classroom } = read.state.view;
    assert.deepEqual([row, classroom?.lock], [view.row, ['inputs']], bad);
  }
  assert.deepEqual((await opened(`${good}&hide=plane,cake`)).state.view.classroom?.hide, ['plane']);
});

test('what contradicts, is there twice or is about no matrix of these numbers is named, and the rest holds', async () => {
  for (const [link, says, check] of /** @type {[string, RegExp, (state: State) => unknown][]} */ ([
    ['example=causal&hide=training&present=training', /^present cannot be "training", for hide takes that away$/, ({ view }) => [view.present, null]],
    ['example=causal&present=training&hide=training', /^present cannot be "training"/, ({ view }) => [view.present, null]],
    ['example=causal&open=shapes,flow&hide=shapes', /^open cannot be "shapes", for hide/, ({ view }) => [view.panels, ['flow']]],
    ['example=causal&open=shapes,flow,shapes', /^open has "shapes" twice, and once holds$/, ({ view }) => [view.panels, ['shapes', 'flow']]],
    ['example=causal&hide=plane,flow&hide=cake,bugs', /^hide cannot be "cake"/, ({ view }) => [view.classroom?.hide, ['plane', 'flow', 'bugs']]],
    ['example=causal&lock=inputs&lock=inputs', /^lock has "inputs" twice/, ({ view }) => [view.classroom?.lock, ['inputs']]],
    ['example=causal&ask=w_key,w_query&hide=w_key', /^ask cannot be "w_key", for hide/, ({ view }) => [view.classroom?.ask, ['w_query']]],
    ['example=causal&example=warm-up', /^"example=warm-up" came after "example=causal", and the first holds$/, ({ document }) => [document.example, 'causal']],
    ['example=causal&state=rows1.x', /^"state=rows1.x" came after "example=causal"/, ({ document }) => [document.example, 'causal']],
    ['example=causal&row=1&row=2', /^"row=2" came after "row=1"/, ({ view }) => [view.row, 0]],
    ['ask=w_query,inputs', /^ask cannot be "w_query": these numbers have no such matrix, expected of inputs, attn_weights, context_vecs$/,
      ({ view }) => [view.classroom?.ask, ['inputs']]],
    ['hide=w_key', /^hide cannot be "w_key": these numbers have no such matrix/, ({ view }) => [view.classroom?.hide, []]],
    ['example=trainable&hide=outputs,values', /^hide cannot be "outputs": .* of inputs, w_query, w_key, w_value, queries, keys, values,/,
      ({ view }) => [view.classroom?.hide, ['values']]],
  ])) {
    const { state, refused } = await opened(`#class&${link}`);
    assert.equal(refused.length, 1, link);
    assert.match(t(refused[0].id, refused[0].args), says);
    const [got, expected] = /** @type {unknown[]} */ (check(state));
    assert.deepEqual(got, expected, link);
  }
  assert.equal((await sentences('#class&open=shapes,shapes&hide=shapes')).length, 2);
});

test('the matrices that a class link may name are those that the module computes', async () => {
  for (const id of known.examples) {
    assert.deepEqual(matricesOf((await opening(id)).document), MATRICES.filter((matrix) => here[id].includes(matrix)), id);
  }
});

test('a link that is made contradicts itself nowhere, whatever was open or hidden before', async () => {
  const state = setUp(await opening('warm-up'), { panels: ['shapes', 'flow'], present: 'flow' },
    { hide: ['flow', 'w_key', 'inputs'], ask: ['inputs', 'w_query', 'attn_weights'] });
  const hash = await hashOf(state, 'example');
  assert.equal(hash, '#class&example=warm-up&open=shapes&hide=flow,inputs&ask=attn_weights');
  assert.deepEqual(await sentences(hash), []);
  assert.deepEqual(await sentences(await hashOf(state, 'state')), []);
});

test('a question that is refused is told which kinds can be asked here, and itself is none of them', async () => {
  const says = (await sentences('#class&example=causal&question=bug:3'))[0];
  const listed = /expected one of (.*), with a seed/.exec(says)?.[1].split(', ') ?? [];
  assert.ok(listed.length > 2 && !listed.includes('bug'), says);
  for (const kind of listed) assert.deepEqual(await sentences(`#class&example=causal&question=${kind}:3`), [], kind);
  const lone = (await sentences('#class&question=bug:1'))[0];
  assert.doesNotMatch(lone, /one of [^"]*bug/);
});

test('a start that cannot be opened is named, and the class begins with the first example', async () => {
  assert.match((await sentences('#class&example=cake&digits=4'))[0], /example cannot be "cake"/);
  const read = await opened('#class&example=cake&digits=4');
  assert.deepEqual([read.state.document.example, read.state.view.digits], ['warm-up', 4]);
  const packed = await hashOf(setUp(heads, {}), 'state');
  assert.deepEqual(await sentences(`${packed.slice(0, -3)}&digits=4`), [
    'the state in it cannot be opened', t('problem-link-damaged'),
  ]);
  assert.deepEqual(await sentences('#class'), []);
  assert.equal((await opened('#class')).state.document.example, 'warm-up');
});

test('a class link is told from other addresses, survives a mail, and has a limit', async () => {
  assert.deepEqual(['#class', '#class&row=1', 'class&row=1', '#classy', '#rows1.x', '', '#x&class'].map(isClassLink),
    [true, true, true, false, false, false, false]);
  const { state } = await opened('#class&example=causal&hide=plane%2Cflow');
  assert.deepEqual(state.view.classroom?.hide, ['plane', 'flow']);
  const long = await classLinkToState(`#class&hide=${'plane,'.repeat(400)}`, known, opening);
  assert.ok('problem' in long);
  assert.match(t(long.problem.id, long.problem.args), /has \d+ characters; expected at most 1900/);
});

const plans = readFileSync(new URL('../../web/teachers.md', import.meta.url), 'utf8');
const planned = [...plans.matchAll(/\]\((?:attention-rows\.html)(#class[^)\s]*)\)/g)].map(([, hash]) => hash);

test('the teacher’s page has five lessons of ten minutes, one to a chapter, with the links that the page offers', () => {
  assert.deepEqual(planned.filter((hash, i) => planned.indexOf(hash) === i).slice(0, 5), readyLessons.map(({ hash }) => hash));
  assert.deepEqual(readyLessons.map(({ example }) => example), ['warm-up', 'simplified', 'trainable', 'causal', 'multi-head']);
  for (const { example, hash } of readyLessons) assert.ok(hash.startsWith(`#class&example=${example}&`), hash);
  const lessons = plans.split(/^## Lesson /m).slice(1);
  assert.equal(lessons.length, 5);
  for (const lesson of lessons) {
    const minutes = [...lesson.matchAll(/^\| (\d+) \|/gm)].map(([, minute]) => Number(minute));
    assert.equal(minutes.reduce((sum, minute) => sum + minute, 0), 10, lesson.slice(0, 40));
    assert.match(lesson, /\*\*Ask\*\*/);
    assert.match(lesson, /\*\*Expect\*\*/);
  }
});

test('the teacher’s page names every word that an option takes, and every option', () => {
  const rows = Object.fromEntries([...plans.matchAll(/^\| (`.*?) \| (.*) \|$/gm)].map(([, names, text]) => [names, text]));
  const words = (/** @type {string} */ name) => [...rows[name].matchAll(/`([\w-]+)`/g)].map(([, word]) => word);
  assert.deepEqual(words('`open`').sort(), [...panels].sort());
  assert.deepEqual(words('`hide`').sort(), [...PARTS].sort());
  assert.deepEqual(words('`lock`').sort(), LOCKS.filter((lock) => !panels.some((panel) => panel === lock)).sort());
  const named = Object.keys(rows).flatMap((names) => [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  assert.deepEqual(Object.keys(OPTIONS).filter((name) => !named.includes(name)), []);
  assert.match(rows['`question`'], /`bug` needs a mystery bug in the numbers, so it goes with `state`/);
});

for (const hash of planned) {
  test(`the teacher's page: nothing is refused of ${hash}`, async () => {
    assert.deepEqual(await sentences(hash), []);
  });
}
