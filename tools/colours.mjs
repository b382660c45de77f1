/**
 * The colour tables, as CSS classes in which background and ink come together: w0…w100 for attention weights (one hue,
 * light to dark), s0…s100 for signed numbers (brown – neutral – teal, symmetric about s50), t0…t7 for tokens.
 * Ink is black or white, whichever contrasts more with the cell: on any colour one of the two reaches 4.58 : 1.
 * Next to read: build-page.mjs.
 */

import { interpolateBrBG, interpolatePurples } from 'd3-scale-chromatic';
import { interpolateLab, piecewise } from 'd3-interpolate';
import { rgb } from 'd3-color';

const weightsLight = (/** @type {number} */ t) => interpolatePurples(0.02 + 0.98 * t);
const weightsDark = piecewise(interpolateLab, ['#221f2b', '#4a3775', '#8a63c8', '#e9d9ff']);
const signedLight = (/** @type {number} */ t) => interpolateBrBG(0.17 + 0.66 * t);
const signedDark = piecewise(interpolateLab, ['#a8691a', '#5d411c', '#1f2126', '#1d534c', '#17796c']);

/** Okabe and Ito's colour-blind-safe set, black left out and a grey added. */
const tokens = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#f0e442', '#999999'];

/** The whole style sheet. */
export function coloursCss() {
  const light = [...table('w', weightsLight), ...table('s', signedLight)];
  const dark = [...table('w', weightsDark), ...table('s', signedDark)];
  const chips = tokens.map((colour, i) => `.t${i}{background:${colour};fill:${colour};color:${inkFor(colour)}}`
    + `.ink.t${i}{background:none;fill:${inkFor(colour)}}`);
  return `${light.join('')}@media (prefers-color-scheme:dark){${dark.join('')}}${chips.join('')}`;
}

/** @param {string} prefix @param {(t: number) => string} colourAt */
function table(prefix, colourAt) {
  return Array.from({ length: 101 }, (_, i) => {
    const colour = rgb(colourAt(i / 100)).formatHex();
    return `.${prefix}${i}{background:${colour};fill:${colour};color:${inkFor(colour)}}`;
  });
}

/** Black or white, whichever stands out more from a colour. @param {string} colour */
function inkFor(colour) {
  return contrast(colour, '#000') >= contrast(colour, '#fff') ? '#000' : '#fff';
}

/** Contrast ratio of two colours, 1 to 21, as WCAG 2 defines it. @param {string} a @param {string} b */
function contrast(a, b) {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

/** @param {string} colour */
function luminance(colour) {
  const { r, g, b } = rgb(colour);
  const [red, green, blue] = [r, g, b].map((v) => (v <= 10.31475 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
