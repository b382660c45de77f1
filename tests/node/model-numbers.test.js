// How the page writes numbers and reads them. Must hold for every float32, subnormals included.
// Read next: model-derive.test.js.

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { apart, brief, exact, figures, fixed, inCell, numberProblem, parseNumber, precise } from '../../web/model/numbers.js';

const RUNS = { seed: 20260102, numRuns: 2000 };
const MINUS = '\u2212';

/** Every bit pattern is as likely as any other, so that subnormals and huge numbers come up too. */
const floats = fc.integer({ min: 0, max: 2 ** 32 - 1 })
  .map((bits) => new Float32Array(Uint32Array.of(bits).buffer)[0])
  .filter(Number.isFinite);

/** The ends of the float32 range, of its subnormals, and of what is exact. */
const ENDS = [
  0, 2 ** -149, 3 * 2 ** -149, 2 ** -126 - 2 ** -149, 2 ** -126, 0.1, 1 / 3, 1 - 2 ** -24, 1 + 2 ** -23, 2 ** 24,
  16777213, 9.999999e9, 1e21, 1.2345678e22, (2 - 2 ** -23) * 2 ** 127,
].map(Math.fround);

const digits = fc.integer({ min: 0, max: 6 });

test('a fixed number has exactly the decimals asked for and a true minus sign', () => {
  assert.equal(fixed(0.5, 2), '0.50');
  assert.equal(fixed(-0.25, 1), `${MINUS}0.3`);
  assert.equal(fixed(-1234.5, 3), `${MINUS}1234.500`);
  assert.equal(fixed(3, 0), '3');
  assert.equal(fixed(1e21, 2), '1e21');
});

test('zero, and what rounds to zero, is written without a sign', () => {
  for (const value of [0, -0, -0.004, 0.004]) assert.equal(fixed(value, 2), '0.00');
  assert.equal(fixed(-0.4, 0), '0');
  assert.equal(brief(-0.004, 2), '≈0');
  assert.equal(inCell(-0.004, 2), '0.00');
  assert.equal(exact(-0), '0');
});

test('a cell gives up decimals first, then goes to powers of ten, and never drops a leading figure', () => {
  /** @type {[number, string][]} */
  const cases = [
    [0.5, '0.50'], [-12.34, `${MINUS}12.34`], [123.456, '123.46'], [-123.456, `${MINUS}123.5`], [1234.56, '1234.6'],
    [-1234.56, `${MINUS}1235`], [99999.96, '100000'], [999999.6, '1e6'], [1234567, '1.2e6'],
    [-1234567, `${MINUS}1.2e6`],
    [1.25e20, '1.3e20'], [1.25e21, '1.3e21'], [-1.25e30, `${MINUS}1e30`], [3.4e38, '3.4e38'],
  ];
  for (const [value, text] of cases) assert.equal(inCell(value, 2), text);
});

test('whatever a cell shows fits into its room and is near the number, for every float32', () => {
  fc.assert(fc.property(floats, digits, (value, decimals) => {
    const text = inCell(value, decimals);
    assert.ok(text.length <= Math.max(decimals, 1) + 4, text);
    const shown = Number(text.replaceAll(MINUS, '-'));
    const rough = Math.abs(value) < 1 ? 0.5 : 0.5 * Math.abs(value);
    assert.ok(Math.abs(shown - value) <= rough, `${text} for ${value}`);
  }), { ...RUNS, examples: ENDS.flatMap((value) => /** @type {[number, number][]} */ ([[value, 2], [-value, 0]])) });
});

test('in running text a number has no zeros at its end', () => {
  /** @type {[number, number, string][]} */
  const cases = [
    [0.5, 2, '0.5'], [3, 2, '3'], [100, 2, '100'], [100, 0, '100'], [0.25, 2, '0.25'], [-0.1, 6, `${MINUS}0.1`],
    [10.049, 1, '10'], [1e-7, 6, '≈0'], [0, 2, '0'], [1e30, 2, '1e30'], [-1.26e21, 1, `${MINUS}1.3e21`],
  ];
  for (const [value, decimals, text] of cases) assert.equal(brief(value, decimals), text);
});

test('in running text a number that is not 0 is never written as 0', () => {
  for (const value of [0.001, -0.004, 1e-7, -(2 ** -149)]) assert.equal(brief(value, 2), '≈0');
  assert.equal(brief(0.4, 0), '≈0');
  assert.equal(brief(-0, 2), '0');
  fc.assert(fc.property(floats, digits, (value, decimals) => {
    assert.equal(brief(value, decimals) === '0', value === 0, String(value));
  }), RUNS);
});

test('a power of ten looks the same wherever it stands', () => {
  const written = (/** @type {number} */ value) =>
    [inCell(value, 2), fixed(value, 2), brief(value, 2), exact(value), figures(value, 7), precise(value)];
  assert.deepEqual(written(1e30), Array(6).fill('1e30'));
  assert.deepEqual(written(-1e30), Array(6).fill(`${MINUS}1e30`));
  assert.deepEqual(written(2e10), Array(6).fill('2e10'));
  assert.deepEqual(written(1e20), Array(6).fill('1e20'));
  assert.equal(brief(1.5e30, 6), '1.5e30');
  assert.equal(brief(Math.fround(1e20), 2), '1e20');
  assert.equal(exact(1e20), '1e20');
  assert.equal(exact(16777216), '16777216');
  assert.deepEqual(written(1e9), Array(6).fill('1e9'));
  assert.equal(exact(1.5e30), '1.5e30');
  assert.equal(apart(1.26e30), '+1.3e30');
});

test('to a number of figures, zeros at the end are left out', () => {
  for (const [value, text] of /** @type {[number, string][]} */ ([[0, '0'], [0.5, '0.5'], [2, '2'], [100, '100'],
    [-1 / 3, `${MINUS}0.3333333`], [Math.fround(0.1), '0.1'], [4e30, '4e30'], [4e-9, `4e${MINUS}9`]])) {
    assert.equal(figures(value, 7), text);
  }
});

test('an exact number reads back as the same float32, for every float32', () => {
  fc.assert(fc.property(floats, (value) => {
    const read = parseNumber(exact(value));
    assert.ok(read !== null && Math.fround(read) === value, `${exact(value)} for ${value}`);
  }), { ...RUNS, examples: ENDS.flatMap((value) => /** @type {[number][]} */ ([[value], [-value]])) });
});

test('an exact number has no more digits than it needs', () => {
  assert.equal(exact(Math.fround(0.1)), '0.1');
  assert.equal(exact(0.1), '0.1');
  assert.equal(exact(16777216), '16777216');
  assert.equal(exact(1 / 3), '0.33333334');
  assert.equal(exact(2 ** -149), `1e${MINUS}45`);
  assert.equal(exact(-2.5), `${MINUS}2.5`);
  fc.assert(fc.property(floats, (value) => {
    const figures = exact(value).replace(/e.*/, '').replace(/\D/g, '').replace(/^0+|0+$/g, '');
    assert.ok(figures.length <= 9, exact(value));
  }), { ...RUNS, examples: ENDS.map((value) => [value]) });
});

test('a number is read with a point or a comma, a hyphen or a true minus, and powers of ten', () => {
  /** @type {[string, number][]} */
  const cases = [
    ['0.25', 0.25], ['0,25', 0.25], ['-1', -1], [`${MINUS}1`, -1], ['\u20131', -1], ['\uFF0D1', -1], ['+2', 2],
    ['.5', 0.5], ['5.', 5], ['  7 ', 7], ['1e-3', 1e-3], [`1E${MINUS}3`, 1e-3], ['-,5e1', -5], ['3e38', 3e38],
    ['1e-60', 1e-60], ['007', 7],
  ];
  for (const [text, value] of cases) assert.equal(parseNumber(text), value, text);
});

test('what is no finite float32 is not read as a number', () => {
  const junk = [
    '', ' ', '-', MINUS, '.', ',', 'e5', '1e', '1e+', '0x10', '0b1', 'NaN', 'Infinity', '-Infinity', '∞', '1e39',
    '-1e39', '1e999',
    '1,000.5', '1.000,5', '1,2,3', '1.2.3', '1 000', '--1', '1-', '1+1', '1/2', '1_000', '1n', '50%', 'one',
    '1;2', '[1]', 'null',
    '١', '1\n2', '1\t2',
  ];
  for (const text of junk) assert.equal(parseNumber(text), null, JSON.stringify(text));
});

test('what cannot stand in a cell is told apart: nothing, no number, too large, too close to 0', () => {
  /** @type {[string, ReturnType<typeof numberProblem>][]} */
  const cases = [
    ['', 'empty'], [' \t', 'empty'], ['one', 'text'], ['1e', 'text'], ['NaN', 'text'], ['1.2.3', 'text'],
    ['1e39', 'large'], [`${MINUS}3,5e38`, 'large'], ['1e999', 'large'], ['1e-50', 'small'], ['-1e-999', 'small'],
    ['7e-46', 'small'], ['0', null], ['-0', null], ['0e-999', null], ['0,0', null], ['1e-45', null], ['3.4e38', null],
  ];
  for (const [text, problem] of cases) assert.equal(numberProblem(text), problem, JSON.stringify(text));
});

test('any text is either a number that float32 holds or nothing', () => {
  const texts = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'0123456789.,-+eE \u2212') }));
  fc.assert(fc.property(texts, (text) => {
    const value = parseNumber(text);
    assert.ok(value === null || Number.isFinite(Math.fround(value)), text);
  }), RUNS);
});
