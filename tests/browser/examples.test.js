// Each example opens already computed: every number on the screen, with all its digits, is the one that the module
// computes in Node from the settings written here, and the published one where the example was published.
// Read next: warm-up.test.js, ../vectors/README.md.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { loadAttention } from '../../web/engine/node.js';
import { inBrowsers } from './browsers.js';
import { EXAMPLES, edit, exactNumbers, numbers, openExample, rowNames, shows, texts } from './reading.js';

/** @typedef {import('../../web/engine/layer.js').Layer} Layer */

const SIX = [
  [0.43, 0.15, 0.89], [0.55, 0.87, 0.66], [0.57, 0.85, 0.64], [0.22, 0.58, 0.33], [0.77, 0.25, 0.1], [0.05, 0.8, 0.55],
];
const WORDS = ['Your', 'journey', 'starts', 'with', 'one', 'step'];
const attention = await loadAttention();
const VECTORS = new URL('../vectors/published_book_chapter.json', import.meta.url);
const published = new Map(JSON.parse(readFileSync(VECTORS, 'utf8'))
  .map((/** @type {{ name: string }} */ entry) => [entry.name, entry]));

/** @typedef {import('../../web/engine/attention.js').LayerOptions} LayerOptions */

/** The layer of the trainable examples. @param {Partial<LayerOptions>} options */
const trained = (options) => attention.createLayer({ kernels: 'plain', nTokens: 6, dIn: 3, dOut: 2, scoreSource: 'trained', ...options })
  .set('inputs', SIX);

/** @type {Record<string, () => Layer>} */
const LAYERS = {
  'warm-up': () => attention.createLayer({ kernels: 'plain', nTokens: 3, dIn: 2, scoreSource: 'given' })
    .set('inputs', [[1, 2], [3, 4], [5, 6]]).set('attn_weights', [[0.5, 0.25, 0.25], [0, 1, 0], [0.25, 0.25, 0.5]]),
  simplified: () => attention.createLayer({ kernels: 'plain', nTokens: 6, dIn: 3, scoreSource: 'inputs', scale: 'none' })
    .set('inputs', SIX),
  trainable: () => trained({ scale: 'sqrt_head_dim' }).init('torch.rand', 123),
  causal: () => trained({ scale: 'sqrt_head_dim', causal: true }).init('torch.rand', 123),
  'multi-head': () => {
    const options = /** @type {const} */ ({ dOut: 4, nHeads: 2, scale: 'sqrt_head_dim', causal: true });
    const drawn = trained(options).init('nn.Linear', 123); // drawn without W_out, which starts as the identity
    const layer = trained({ ...options, outputProjection: true });
    for (const name of ['w_query', 'w_key', 'w_value']) layer.set(name, drawn.get(name).data);
    return layer.set('w_out', [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]);
  },
};

/** The tensor that a grid shows, and which head of it. @type {Record<string, [string, number]>} */
const TENSORS = {
  Inputs: ['inputs', 0], 'Query weights': ['w_query', 0], 'Key weights': ['w_key', 0], 'Value weights': ['w_value', 0],
  'Output weights': ['w_out', 0], Values: ['values', 0], 'Context vectors': ['context_vecs', 0],
  Outputs: ['outputs', 0],
  'Attention weights': ['attn_weights', 0], 'Attention weights, head 1': ['attn_weights', 0],
  'Attention weights, head 2': ['attn_weights', 1],
  Queries: ['queries', 0], Keys: ['keys', 0], 'Attention scores': ['attn_scores', 0],
  'Attention scores, head 1': ['attn_scores', 0], 'Attention scores, head 2': ['attn_scores', 1],
};

/** What of a grid is masked, and so shows no number. @param {string} name @param {string} id */
const isMasked = (name, id) => /^Attention/.test(name) && (id === 'causal' || id === 'multi-head');

/** A head of a computed tensor as rows. @param {Layer} layer @param {string} name @param {string} id */
function rowsOf(layer, name, id) {
  const [tensor, head] = TENSORS[name];
  const { shape, data } = layer.get(tensor);
  const [rows, columns] = shape.slice(-2);
  return Array.from({ length: rows }, (_, i) => Array.from({ length: columns }, (__, j) =>
    (isMasked(name, id) && j > i ? null : data[(head * rows + i) * columns + j])));
}

/** @param {(number | null)[][]} got @param {string} name of the published case */
function isPublished(got, name) {
  const { data, abs_tol: tolerance } = published.get(name).expected;
  got.flat().forEach((value, i) => {
    const same = value === null ? data[i] === 0 : Math.abs(value - data[i]) <= tolerance;
    assert.ok(same, `${name} [${i}]: ${value} for ${data[i]}`);
  });
  assert.equal(got.flat().length, data.length);
}

/** @param {import('./reading.js').Page} page @param {string} grid @param {string} name */
const showsPublished = async (page, grid, name) => isPublished(await exactNumbers(page, grid), name);

inBrowsers((test) => {
  for (const { id, label, grids } of EXAMPLES) {
    test(`"${label}" opens with every number as the module computes it`, async ({ open }) => {
      const page = await open();
      await openExample(page, label);
      const layer = LAYERS[id]().forward();
      const folded = page.locator('details.scores');
      const scores = Object.keys(TENSORS).filter((name) => /^(Queries|Keys|Attention scores)/.test(name));
      if (await folded.count() > 0) await folded.locator('summary').click();
      const names = await page.getByRole('grid').evaluateAll((all) =>
        all.map((one) => one.getAttribute('aria-label') ?? ''));
      assert.deepEqual(names.filter((name) => !scores.includes(name)).sort(), [...grids].sort());
      for (const name of names) {
        const want = rowsOf(layer, name, id);
        const got = await exactNumbers(page, name);
        assert.deepEqual(got.map((row) => row.map((value) => value && Math.fround(value))), want, name);
        const printed = await numbers(page, name);
        want.forEach((row, i) => row.forEach((value, j) => {
          const cell = printed[i][j];
          if (value === null || cell === null) return assert.equal(cell, value, `${name} [${i}][${j}]`);
          assert.ok(Math.abs(cell - value) <= 0.005000001, `${name} [${i}][${j}] prints ${cell} for ${value}`);
        }));
        const shown = (await texts(page, name)).flat();
        assert.ok(shown.every((text) => text === '' || /^\u2212?\d+\.\d\d$/.test(text)), name);
      }
      const sums = await page.getByRole('table', { name: 'sum' }).locator('tbody td').allTextContents();
      assert.deepEqual(sums, new Array(layer.shapes().inputs[1]).fill('1.00'));
      layer.dispose();
    });
  }

  test('the simplified example shows the published weights and context vectors', async ({ open }) => {
    const page = await open();
    await openExample(page, 'Simplified: six tokens');
    await showsPublished(page, 'Attention weights', 'simple_weights');
    await showsPublished(page, 'Context vectors', 'simple_context');
  });

  test('the trainable example shows the published context vectors', async ({ open }) => {
    const page = await open();
    await openExample(page, 'Trainable: six tokens');
    await showsPublished(page, 'Context vectors', 'self_v1');
    const [row] = (await exactNumbers(page, 'Attention weights')).slice(1, 2);
    isPublished([row], 'self_v1_weights2');
  });

  test('the causal example shows the published weights once the published matrices are typed in', async ({ open }) => {
    const page = await open();
    await openExample(page, 'Causal: six tokens');
    const { Wq, Wk, Wv } = published.get('causal_weights').weights;
    for (const [name, { data }] of Object.entries({ 'Query weights': Wq, 'Key weights': Wk, 'Value weights': Wv })) {
      for (const [i, value] of data.entries()) {
        await edit(page, name, Math.floor(i / 2) + 1, (i % 2) + 1, String(value));
      }
    }
    await showsPublished(page, 'Attention weights', 'causal_weights');
  });

  test('the six tokens bear their words, each query beside its own numbers', async ({ open }) => {
    const page = await open();
    await openExample(page, 'Trainable: six tokens');
    const queries = WORDS.map((word, i) => `query ${i + 1} ${word}`);
    await shows(() => rowNames(page, 'Attention weights'), queries);
    assert.deepEqual(await rowNames(page, 'Context vectors'), WORDS);
    await page.getByText('d_k = 2', { exact: true }).waitFor();
  });
});
