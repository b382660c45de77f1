// Known answers from outside: every published or PyTorch case that a layer can express, run by the suite that the page
// runs too (web/engine/checks). A case is left out by a stated rule only, and the number of cases run per file is
// asserted, so that none can vanish. Must not compute an expected number. Read next: ../../web/engine/checks/answers.js.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import test from 'node:test';
import { ANSWERS, isRun } from '../../web/engine/checks/answers.js';
import { assertClose } from './compare.js';
import { attention, floats, layerOf, parameterName, readCases } from './cases.js';

test('every file of known answers is run', () => {
  // Steps of training are held against PyTorch's in training.test.js; links.json holds no answers from outside.
  const apart = ['pytorch_training_steps.json', 'links.json'];
  const files = readdirSync(new URL('../vectors/', import.meta.url))
    .filter((name) => name.endsWith('.json') && !apart.includes(name));
  assert.deepEqual(files.sort(), Object.keys(ANSWERS).sort());
});

for (const [file, { run, leftOut, check }] of Object.entries(ANSWERS)) {
  const cases = readCases(file);
  const chosen = cases.filter((c) => isRun(file, c));
  for (const c of chosen) {
    test(`${file}: ${c.name} comes out as published (${c.description})`, () => {
      const found = check(attention, c);
      assert.ok(found.length > 1, 'numbers and routes are compared');
      for (const { what, apart, problem } of found) assert.equal(problem, null, `${what}${problem}, apart by ${apart}`);
    });
  }
  test(`${file}: exactly ${run} cases are run; the others are left out for: ${Object.keys(leftOut).join(', ')}`, () => {
    assert.equal(chosen.length, run);
    for (const [reason, rule] of Object.entries(leftOut)) {
      assert.ok(cases.some(rule), `the rule "${reason}" leaves nothing out any more`);
    }
  });
}

/** @type {[string, 'torch.rand' | 'nn.Linear', number][]} */
const SEEDED = [
  ['self_v1', 'torch.rand', 123], ['self_v2', 'nn.Linear', 789], ['causal_attention_batch', 'nn.Linear', 123],
  ['mha_batch', 'nn.Linear', 123],
];
for (const [name, scheme, seed] of SEEDED) {
  test(`init('${scheme}', ${seed}) draws the weights of ${name} bit for bit`, () => {
    const c = readCases('published_book_chapter.json').find((one) => one.name === name);
    const options = { nHeads: c.inputs.num_heads ?? 1 };
    const layer = layerOf(c.inputs.X, c.weights, options).init(scheme, seed);
    for (const [short, tensor] of Object.entries(c.weights)) {
      assertClose(layer.get(parameterName(short)).data, floats(/** @type {any} */ (tensor)), {}, short);
    }
  });
}
