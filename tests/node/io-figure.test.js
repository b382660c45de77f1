// The figure as a file, drawn by a renderer that is no browser: it is well-formed whatever the labels, stands alone, and
// the colours are where the numbers are. Read next: io-text.test.js for worksheets and tables.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { PNG } from 'pngjs';
import { coloursCss } from '../../tools/colours.mjs';
import { figureSvg } from '../../web/io/figure.js';
import { signedClass, weightClass } from '../../web/model/derive.js';
import { balanced, wrapped } from '../../web/io/markup.js';
import { frameOf, opening, t } from './frames.js';
import { HOSTILE, python, withFolder } from './io-cases.js';
import { inClass } from './scenes-classroom.js';

/** The colours of the light page, by class. @type {Map<string, { ground: string, ink: string }>} */
const colours = new Map([...coloursCss().replace(/@media[^{]*\{.*?\}\}/, '')
  .matchAll(/\.([wst]\d+)\{background:([^;]+);fill:[^;]+;color:([^}]+)\}/g)].map(([, kind, ground, ink]) => [kind, { ground, ink }]));

/** @param {string} kind */
function colourOf(kind) {
  const colour = colours.get(kind);
  if (!colour) throw new Error(`no colour ${kind}`);
  return colour;
}

/** @param {import('../../web/model/state.js').State} state */
async function drawn(state) {
  const frame = await frameOf(state);
  return { frame, ...figureSvg(frame, t, colourOf) };
}

/** @param {string} svg @param {number} [zoom] */
const rendered = (svg, zoom = 1) => withFolder((folder) => {
  writeFileSync(join(folder, 'a.svg'), svg);
  execFileSync('rsvg-convert', ['--zoom', String(zoom), '-o', join(folder, 'a.png'), join(folder, 'a.svg')]);
  return PNG.sync.read(readFileSync(join(folder, 'a.png')));
});

/** The boxes of an SVG, in order. @param {string} svg */
const boxes = (svg) => [...svg.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="30" rx="3" fill="([^"]+)"/g)]
  .map(([, x, y, width, fill]) => ({ x: Number(x), y: Number(y), width: Number(width), fill }));

/** @param {PNG} png @param {number} x @param {number} y */
const pixel = ({ data, width }, x, y) =>
  `#${Array.from(data.subarray((Math.round(y) * width + Math.round(x)) * 4, (Math.round(y) * width + Math.round(x)) * 4 + 3), (byte) =>
    byte.toString(16).padStart(2, '0')).join('')}`;

for (const id of ['warm-up', 'simplified', 'causal', 'multi-head']) {
  test(`the figure of "${id}" is drawn at its size, and every cell has the colour of its number`, async () => {
    const { frame, svg, width, height } = await drawn(await opening(id));
    const { tensors, derived, state } = frame;
    const png = rendered(svg);
    assert.deepEqual([png.width, png.height], [width, height]);
    const twice = rendered(svg, 2);
    assert.deepEqual([twice.width, twice.height], [2 * width, 2 * height]);
    const n = derived.nTokens;
    const weights = Array.from(tensors.attn_weights.data.subarray(state.view.head * n * n, (state.view.head + 1) * n * n), (weight, i) =>
      (derived.masked && i % n > Math.floor(i / n) ? 'url(#masked)' : colourOf(weightClass(weight)).ground));
    const signed = [...tensors[derived.blended].data, ...tensors.context_vecs.data]
      .map((value) => colourOf(signedClass(value, derived.figureLimit)).ground);
    const cells = boxes(svg);
    assert.deepEqual(cells.map(({ fill }) => fill), [...weights, ...signed]);
    const solid = cells.filter(({ fill }, i) => fill.startsWith('#') && (derived.heads === 1 || i < n * n));
    for (const { x, y, width: wide, fill } of solid) assert.equal(pixel(png, x + wide / 2, y + 3), fill);
    assert.equal(pixel(png, 2, 2), '#ffffff');
  });
}

test('the axes are named in words, on the figure and for those who do not see it', async () => {
  const { svg } = await drawn(await opening('causal'));
  const axes = 'rows: query, the token that looks · columns: key, the token looked at';
  assert.ok(svg.includes(`<desc>${axes}</desc>`) && svg.includes(`>${axes}</text>`));
  assert.match(svg, /<title>Each row of attention weights blends the allowed values into one context row<\/title>/);
  for (const word of ['masked', 'attn_weights', 'context_vecs', 'not from a real model']) assert.ok(svg.includes(word), word);
});

test('the file stands alone: no reference outside, no script, no style sheet, no foreign markup', async () => {
  for (const id of ['warm-up', 'multi-head']) {
    const { svg } = await drawn(await opening(id));
    assert.doesNotMatch(svg.replace('xmlns="http://www.w3.org/2000/svg"', ''), /href|https?:|<style|style=|<script|foreignObject|@import|<image|\son\w+=/);
    assert.deepEqual([...new Set(svg.match(/url\([^)]*\)/g) ?? [])], id === 'warm-up' ? [] : ['url(#masked)']);
    assert.doesNotMatch(svg, /NaN|undefined|null/);
  }
});

test('with hostile labels the file is well-formed, and a label is text whatever it holds', async () => {
  const state = await opening('causal');
  for (let from = 0; from < HOSTILE.length; from += 6) {
    const tokens = Array.from({ length: 6 }, (_, i) => HOSTILE[(from + i) % HOSTILE.length]);
    const { svg } = await drawn({ ...state, document: { ...state.document, tokens } });
    rendered(svg);
    const { printed } = python(`
import xml.etree.ElementTree as E
print(sorted(set(e.tag.split('}')[1] for e in E.parse('a.svg').iter())))`, { 'a.svg': svg });
    assert.equal(printed.trim(), "['defs', 'desc', 'path', 'pattern', 'rect', 'svg', 'text', 'title']");
  }
});

test('no cell lies outside the picture, whatever the sizes and decimals', async () => {
  const state = await opening('multi-head');
  for (const digits of [0, 6]) {
    const tokens = state.document.tokens.map((token) => token.repeat(9));
    const { svg, width, height } = await drawn({ ...state, document: { ...state.document, tokens }, view: { ...state.view, digits } });
    for (const box of boxes(svg)) assert.ok(box.x + box.width < width && box.y + 30 < height);
    assert.ok(svg.includes('…'));
  }
});

/** @param {string} svg @param {number} height @returns {{ x: number, y: number, width: number, fill: string }[]} */
const bars = (svg, height) => [...svg.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="(\d+)"[^>]*? fill="([^"]+)"/g)]
  .filter(([, , , , high]) => Number(high) === height).map(([, x, y, width, , fill]) => ({ x: Number(x), y: Number(y), width: Number(width), fill }));

test('the chosen row is framed where rows are queries, and each row that is blended has its weight and a bar as long', async () => {
  for (const [id, row] of /** @type {const} */ ([['warm-up', 2], ['causal', 3], ['multi-head', 1]])) {
    const state = await opening(id);
    const { frame, svg } = await drawn({ ...state, view: { ...state.view, row } });
    const n = frame.derived.nTokens;
    const framed = [...svg.matchAll(/fill="none" stroke="#000000" stroke-width="2"/g)];
    assert.equal(framed.length, 2, 'attention weights and context vectors');
    const weights = Array.from({ length: n }, (_, i) => Array.from(frame.tensors.attn_weights.data.subarray(i * n, (i + 1) * n)));
    const given = weights[row].filter((_, key) => !frame.derived.masked || key <= row);
    assert.deepEqual([...svg.matchAll(/>([\d.]+) ×</g)].map(([, text]) => text), given.map((weight) => weight.toFixed(2)));
    const narrow = bars(svg, 6);
    const tracks = narrow.filter(({ fill }) => fill === '#d5d5d5');
    assert.equal(tracks.length, given.length);
    tracks.forEach((track, key) => {
      const share = narrow.find((bar) => bar !== track && bar.x === track.x && bar.y === track.y);
      assert.ok(share && Math.abs(share.width / track.width - given[key]) < 1e-3, `row ${key + 1}`);
      assert.equal(share.fill, colourOf(`t${key}`).ground);
    });
    // The bars of the blends: shares of each row of weights, one after the other, none left out.
    const blends = narrow.filter(({ x }) => x > tracks[0].x + tracks[0].width);
    const shares = weights.flatMap((weightsOf) => weightsOf.flatMap((weight, key) => (weight > 0 ? [[weight, colourOf(`t${key}`).ground]] : [])));
    assert.equal(blends.length, shares.length);
    shares.forEach(([weight, fill], i) => {
      assert.ok(Math.abs(blends[i].width / 48 - Number(weight)) < 1e-3);
      assert.equal(blends[i].fill, fill);
    });
  }
});

test('weights that no bar can show have none, and what is hidden is not told by one', async () => {
  const toy = await opening('warm-up');
  const given = [[-0.5, 1.5, 0], [0, 1, 0], [0.25, 0.25, 0.5]];
  const odd = await drawn({ ...toy, document: { ...toy.document, given }, view: { ...toy.view, row: 0 } });
  assert.equal(bars(odd.svg, 6).filter(({ fill }) => fill === '#d5d5d5').length, 1);
  assert.match(odd.svg, />−0.50 ×</);
  assert.equal(bars(odd.svg, 6).length, 2 + 1 + 3, 'a track and its bar, and two of three blends');
  const hidden = await drawn(inClass(toy, {}, { hide: ['attn_weights'] }));
  assert.deepEqual(bars(hidden.svg, 6), []);
  assert.equal([...hidden.svg.matchAll(/>\? ×</g)].length, 3);
});

test('a headline that needs two lines has no word alone in one', async () => {
  for (const words of ['Each row of attention weights blends all the inputs into one context row', 'a b c d e f g h i j']) {
    for (let room = 60; room < 700; room += 20) {
      const [plain, even] = [wrapped(words, 19, room), balanced(words, 19, room)];
      assert.equal(even.length, plain.length);
      assert.equal(even.join(' '), words);
      if (even.length === 2) assert.ok(even[1].includes(' '), even.join(' | '));
    }
  }
});
