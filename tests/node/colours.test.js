// The generated colour classes, read back from their style sheet: ink, order of lightness, symmetry, and that every
// class that the page can ask for is there. Contrast is computed here anew, by WCAG's formula.
// Read next: model-derive.test.js for which number gets which class.

import assert from 'node:assert/strict';
import test from 'node:test';
import { coloursCss } from '../../tools/colours.mjs';

/** @typedef {{ ground: string, ink: string }} Colours */

const [lightCss, darkCss] = splitThemes(coloursCss());
const light = classesOf(lightCss);
const dark = new Map([...light, ...classesOf(darkCss)]);
const THEMES = /** @type {const} */ ([['light', light], ['dark', dark]]);

/** The sheet without its dark part, and the dark part. @param {string} css */
function splitThemes(css) {
  const query = '@media (prefers-color-scheme:dark){';
  const start = css.indexOf(query);
  const end = css.indexOf('}}', start) + 1;
  assert.ok(start > 0 && end > start, 'there is a dark theme');
  return [css.slice(0, start) + css.slice(end + 1), css.slice(start + query.length, end)];
}

/** @param {string} css @returns {Map<string, Colours>} */
function classesOf(css) {
  const rules = [...css.matchAll(/(?:^|\})\.([wst]\d+)\{background:(#\w{6});fill:\2;color:(#\w{3,6})(?=\})/g)];
  return new Map(rules.map(([, name, ground, ink]) => [name, { ground, ink }]));
}

/** Red, green and blue, 0 to 255. @param {string} hex */
function channels(hex) {
  const digits = hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit) : hex.slice(1).match(/../g) ?? [];
  return digits.map((pair) => parseInt(pair, 16));
}

/** Relative luminance, WCAG 2. @param {string} hex */
function luminance(hex) {
  const linear = (/** @type {number} */ v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  const [r, g, b] = channels(hex).map((v) => linear(v / 255));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** @param {string} a @param {string} b */
function contrast(a, b) {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

/** The grounds of w0 … w100 or s0 … s100. @param {Map<string, Colours>} theme @param {string} prefix */
function scale(theme, prefix) {
  return Array.from({ length: 101 }, (_, i) => {
    const colours = theme.get(`${prefix}${i}`);
    assert.ok(colours, `.${prefix}${i}`);
    return colours.ground;
  });
}

/** How much more blue and green than red: below 0 for brown, above 0 for teal. @param {string} hex */
function hue(hex) {
  const [r, g, b] = channels(hex);
  return (g + b) / 2 - r;
}

test('contrast is 21 for black on white and 1 for a colour on itself', () => {
  assert.equal(contrast('#000', '#fff').toFixed(6), '21.000000');
  assert.equal(contrast('#0072b2', '#0072b2'), 1);
});

for (const [name, theme] of THEMES) {
  test(`in the ${name} theme there are exactly the classes that the page asks for`, () => {
    const steps = [...Array(101).keys()].flatMap((i) => [`w${i}`, `s${i}`]);
    const asked = [...steps, ...[...Array(8).keys()].map((i) => `t${i}`)];
    assert.deepEqual([...theme.keys()].sort(), asked.sort());
  });

  test(`in the ${name} theme the ink of every class is the better of black and white, at 4.5 : 1 or more`, () => {
    for (const [kind, { ground, ink }] of theme) {
      const ratios = ['#000', '#fff'].map((colour) => contrast(ground, colour));
      assert.equal(ink, ratios[0] >= ratios[1] ? '#000' : '#fff', kind);
      assert.ok(contrast(ground, ink) >= 4.5, `.${kind}: ${contrast(ground, ink)}`);
    }
  });

  test(`in the ${name} theme a larger weight is always ${name === 'light' ? 'darker' : 'lighter'}`, () => {
    const steps = scale(theme, 'w').map(luminance);
    for (let i = 1; i < steps.length; i++) {
      assert.ok(name === 'light' ? steps[i] < steps[i - 1] : steps[i] > steps[i - 1], `w${i}`);
    }
  });

  test(`in the ${name} theme weights have one hue: blue leads in all of them`, () => {
    for (const [i, ground] of scale(theme, 'w').entries()) {
      const [r, g, b] = channels(ground);
      assert.ok(b > r && b > g, `w${i} is ${ground}`);
    }
  });

  test(`in the ${name} theme signed numbers run from brown over a neutral middle to teal`, () => {
    const steps = scale(theme, 's');
    const [r, g, b] = channels(steps[50]);
    assert.ok(Math.max(r, g, b) - Math.min(r, g, b) <= 8, `s50 is ${steps[50]}`);
    for (let k = 5; k <= 50; k++) {
      assert.ok(hue(steps[50 - k]) < 0, `s${50 - k} is brown: ${steps[50 - k]}`);
      assert.ok(hue(steps[50 + k]) > 0, `s${50 + k} is teal: ${steps[50 + k]}`);
    }
  });

  test(`in the ${name} theme a signed number is further from the neutral colour the further it is from 0`, () => {
    const steps = scale(theme, 's').map(channels);
    const distance = steps.map((colour) => Math.hypot(...colour.map((v, i) => v - steps[50][i])));
    for (let k = 1; k <= 50; k++) {
      assert.ok(distance[50 - k] > distance[50 - k + 1], `s${50 - k}`);
      assert.ok(distance[50 + k] > distance[50 + k - 1], `s${50 + k}`);
    }
  });

  test(`in the ${name} theme opposite numbers are about equally light`, () => {
    const steps = scale(theme, 's');
    for (let k = 1; k <= 50; k++) {
      const ratio = contrast(steps[50 - k], steps[50 + k]);
      assert.ok(ratio < 1.25, `s${50 - k}, s${50 + k}: ${ratio}`);
    }
  });
}

test('labels on the segments of the blend bar have the ink of their token', () => {
  for (const [kind, { ink }] of light) {
    if (kind.startsWith('t')) assert.ok(coloursCss().includes(`.ink.${kind}{background:none;fill:${ink}}`), kind);
  }
});
