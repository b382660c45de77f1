// Whole pages, rendered without a browser: what must hold of every one of them, and what stands on some of them.
// How they look and behave is for the browser tests. Read next: scenes.js.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';
import { coloursCss } from '../../tools/colours.mjs';
import { longClass } from '../../web/view/cells.js';
import { htmlOf, textOf } from './frames.js';
import { scenes } from './scenes.js';

const pages = scenes.map(({ name, template }) => ({ name, html: htmlOf(template), text: textOf(template) }));

/**
 * Everything of every page that a pattern finds: its first group.
 * @param {RegExp} pattern with flag g @param {string} html
 */
const found = (pattern, html) => [...html.matchAll(pattern)].map((match) => match[1]);

/** @param {string} name of a scene */
function scene(name) {
  const one = pages.find((candidate) => candidate.name === name);
  if (!one) throw new Error(`no scene "${name}"`);
  return one;
}

/**
 * The tags of a page that have an attribute with a value.
 * @param {string} html @param {string} attribute @param {string} value
 */
const tagsWith = (html, attribute, value) =>
  [...html.matchAll(/<[a-z][^>]*>/g)].map(([tag]) => tag).filter((tag) => tag.includes(` ${attribute}="${value}"`));

/** @param {string[]} tags */
const namesOf = (tags) => tags.map((tag) => found(/aria-label="([^"]*)"/g, tag)[0]);

test('the written sum of the warm-up is the one of the book, with the numbers on the screen', () => {
  const sum = '0.25 × [1, 2] + 0.25 × [3, 4] + 0.5 × [5, 6] = [3.5, 4.5]';
  assert.ok(scene('example warm-up').text.includes(sum));
});

test('no page has a style attribute, an event attribute or a script, which the policy would refuse', () => {
  for (const { name, html } of pages) assert.doesNotMatch(html, /<[^>]*\s(style|on\w+)=|<script|javascript:/i, name);
});

test('no page shows what is not a number, not a word, or a template that was not filled in', () => {
  for (const { name, html } of pages) assert.doesNotMatch(html, /NaN|undefined|Infinity|\[object|null|\{ ?\$/, name);
});

test('every number that a reader meets has a true minus sign', () => {
  for (const { name, html, text } of pages) {
    const spoken = found(/ (?:aria-label|title)="([^"]*)"/g, html).join('\n');
    assert.doesNotMatch(`${text}\n${spoken}`, /(?<![\w)])-\d/, name);
  }
});

test('every id on a page stands there once, and what is referred to is there', () => {
  for (const { name, html } of pages) {
    const ids = found(/ id="([^"]*)"/g, html);
    assert.deepEqual([...new Set(ids)], ids, name);
    const referred = found(/ aria-(?:describedby|labelledby)="([^"]+)"/g, html).flatMap((list) => list.split(' '));
    for (const id of referred) assert.ok(ids.includes(id), `${name}: #${id}`);
  }
});

test('every colour class that a page uses is in the generated table', () => {
  const table = new Set(found(/\.([wst]\d+)\{/g, coloursCss()));
  const used = new Set(pages.flatMap(({ html }) => found(/ class="([^"]*)"/g, html)).join(' ').split(/\s+/)
    .filter((kind) => /^[wst]\d+$/.test(kind)));
  assert.ok(used.size > 60, `only ${used.size} classes were used`);
  for (const kind of used) assert.ok(table.has(kind), kind);
});

test('every control does something, and everything that can be done has a control', () => {
  const folder = new URL('../../web/app/', import.meta.url);
  const source = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n');
  const done = found(/^ {4}'([\w-]+)': (?:async )?\(/gm, source);
  const offered = new Set(pages.flatMap(({ html }) => found(/ data-act="([^"]*)"/g, html)));
  assert.deepEqual([...offered].sort(), [...done].sort());
});

test('each grid has one cell that Tab reaches, and the sums below it one more', () => {
  for (const { name, html } of pages) {
    for (const grid of html.match(/<table role="grid"[^]*?<\/table>/g) ?? []) {
      const [cells, sums] = grid.split('<tfoot>');
      assert.equal(cells.match(/ tabindex="0"/g)?.length, 1, `${name}: ${grid.slice(0, 90)}`);
      if (sums) assert.equal(sums.match(/ tabindex="?0"?/g)?.length, 1, `${name}: ${sums.slice(0, 90)}`);
    }
  }
});

test('the grids of the page have the names that users and tests rely on', () => {
  const { html } = scene('all that looks closer, heads');
  const names = namesOf(tagsWith(html, 'role', 'grid'));
  assert.deepEqual(names, [
    'Inputs', 'Query weights', 'Key weights', 'Value weights', 'Output weights', 'Attention weights, head 1', 'Values',
    'Context vectors', 'Attention weights, head 2', 'Outputs', 'Queries', 'Keys', 'Attention scores, head 1',
    'Attention scores, head 2',
  ]);
  assert.deepEqual(namesOf(tagsWith(scene('example warm-up').html, 'role', 'grid')), [
    'Attention weights', 'Inputs', 'Context vectors',
  ]);
});

test('the switches have the names that users and tests rely on, and show what is in force', () => {
  const { html, text } = scene('example multi-head');
  assert.deepEqual(namesOf(tagsWith(html, 'role', 'radiogroup')), ['Heads', 'Scale', 'Attention weights come from']);
  assert.match(html, /<span id="name-causal">Causal mask<\/span>\s*<button[^>]*role="switch"[^>]*aria-checked="true"/);
  assert.match(html, /<label class="example">Example\s*<select/);
  assert.match(text, /d_out 4 = 2 heads × head_dim 2/);
});

test('a switch that cannot be used says why', () => {
  assert.match(scene('example warm-up').text, /heads need trainable weights/);
  assert.match(scene('trained, three columns').text, /2, 4 do not divide d_out = 3/);
  assert.match(scene('example trainable').text, /4 does not divide d_out = 2/);
});

test('the shapes stand above the product, with the inner size that cancels', () => {
  assert.match(scene('example warm-up').text, /\(3×3\) \(3×2\) = \(3×2\)/);
  assert.match(scene('example multi-head').text, /\(6×6\) \(6×2\) = \(6×2\) in each head/);
});

test('a masked weight is no number: its cell is empty, cannot be edited and says why', () => {
  const cells = tagsWith(scene('given, masked').html, 'aria-label', 'masked: first may not look ahead at third');
  assert.equal(cells.length, 1);
  assert.match(cells[0], /class="masked"/);
  assert.match(cells[0], /aria-readonly="true"/);
});

test('exactly the weights above the diagonal are masked: every token may look at itself', () => {
  const masked = namesOf(tagsWith(scene('given, masked').html, 'class', 'masked'));
  const ahead = [['first', 'second'], ['first', 'third'], ['second', 'third']];
  assert.deepEqual(masked, ahead.map(([query, key]) => `masked: ${query} may not look ahead at ${key}`));
  assert.equal(tagsWith(scene('example warm-up').html, 'class', 'masked').length, 0);
});

test('under the mask the chosen row is written out over all allowed tokens and itself, and the rest are named', () => {
  const { html, text } = scene('given, masked, second row');
  assert.match(text, /0 × \[1, 2\] \+ 1 × \[3, 4\] = \[3, 4\]/);
  assert.match(text, /Token 3 is masked: it is left out\./);
  assert.equal(tagsWith(html, 'class', 'factor masked').length, 1);
  assert.match(scene('example multi-head').text, /Tokens 5, 6 are masked: they are left out\./);
});

test('of the values and context vectors the columns of the head shown stand out', () => {
  const { html } = scene('trained, second head, first row');
  const cells = [...html.matchAll(/<td role="gridcell"[^>]*other-head[^>]*>/g)].map(([tag]) => tag);
  assert.equal(cells.length, 2 * 6 * 2);
  for (const cell of cells) assert.match(cell, / data-column="[01]"/);
});

test('a number in focus is read out with all its digits and both sides named', () => {
  const read = 'third (row 3) looks at first (column 1) with weight exactly 0.25';
  assert.ok(scene('a weight in focus').text.includes(read));
  assert.match(scene('a typed weight in focus').text, /weight exactly 0; typed as 0; the mask divides/);
  assert.match(scene('a masked weight in focus').text, /masked: first may not look ahead at third/);
});

test('every weight in focus is read out as the number that its cell shows', () => {
  const { text } = scene('a weight of the second head in focus');
  const { frame } = scenes.find(({ name }) => name === 'a weight of the second head in focus') ?? assert.fail();
  const weight = frame.tensors.attn_weights.data[(6 + 5) * 6];
  assert.equal(Math.fround(Number(/with weight exactly ([\d.]+)/.exec(text)?.[1])), weight);
});

test('weights that no bar and no colour can show are marked, and no bar is drawn of them', () => {
  const marked = (/** @type {string} */ html) => [...html.matchAll(/<(td|span)[^>]*out-of-range[^>]*>/g)].map(([, tag]) => tag);
  const { html, text } = scene('given, negative weights');
  assert.deepEqual(marked(html), ['td', 'span'], 'the weight −1 in its cell and beside the values');
  assert.equal(tagsWith(html, 'class', 'row-bar no-bar').length, 1);
  assert.equal(tagsWith(html, 'class', 'weight-bar no-bar').length, 1);
  assert.match(text, /A bar cannot show negative weights .*; the written sum is exact all the same/);
  assert.match(text, /outside of 0 … 1/);
  // Each of these weights can be shown; only together they are no shares of one whole.
  const twice = scene('given, a row that sums to 2 and one that sums to 0').html;
  assert.equal(tagsWith(twice, 'class', 'row-bar no-bar').length, 2);
  const plain = scene('opened');
  assert.doesNotMatch(plain.html, /no-bar|out-of-range/);
});

test('what is not 0 is not written as 0', () => {
  const { text, html } = scene('given, tiny and huge numbers');
  assert.match(text, /≈0 × \[−1e20, ≈0\]/);
  assert.match(html, /class="factor w1 tiny"/);
});

test('before a number was in focus the first screen has one sentence of guidance', () => {
  assert.doesNotMatch(scene('opened').text, /Point at a number/);
  assert.match(scene('a label in focus').text, /Point at a number/);
  assert.doesNotMatch(scene('opened').text, /Digits|Column sums/);
  assert.match(scene('numbers, warm-up').text, /Digits.*Column sums/);
});

test('odd rows say their sum and offer to be normalised, but for a sum of 0', () => {
  const { text, html } = scene('given, a row that sums to 2 and one that sums to 0');
  assert.match(text, /Row 1 of the given weights sums to 2, not to 1\. Normalise row 1/);
  assert.match(text, /Row 3 of the given weights sums to 0, not to 1\. It has nothing to be divided by/);
  assert.equal(tagsWith(html, 'data-act', 'normalise').length, 1);
});

test('routes that differ say where first', () => {
  assert.match(scene('routes that differ').text, /Two routes differ.*2 of 3 rows.*Only row 2 differs: look at row 2 .* first disagreement is at position 1, in term 2\./);
  assert.match(scene('example causal').text, /Two routes agree.*6 of 6 rows/);
});

test('where no step can be taken there is no run to undo; where a run diverged there is', () => {
  const undoes = (/** @type {string} */ name) => /Undo this run/.test(scene(name).text);
  assert.deepEqual([undoes('training stopped: diverged'), undoes('training stopped: gradient, no step')], [true, false]);
  assert.match(scene('training stopped: gradient, no step').text, /No step can be taken, whatever the learning rate/);
  assert.match(scene('training, no floor').text, /floor: it cannot be computed here/);
});

test('numbers longer than the room of their decimals are marked to be set smaller', () => {
  const long = (/** @type {string} */ text, digits = 2) => longClass(text, digits) === 'long';
  assert.deepEqual(['−0.42', '12.34', '0', ''].filter((text) => long(text)), []);
  assert.deepEqual(['−216.8', '8.6e20', '−5e20', '123456'].filter((text) => !long(text)), []);
  assert.deepEqual([long('−0.421', 3), long('−216.84', 3)], [false, true]);
});
