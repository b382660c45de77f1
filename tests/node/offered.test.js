// What a file offers in the Open dialog: arrays that fit come first, the others say why not, and names that models use
// find their place, once each. Read next: placing.test.js, ../browser/large-files.test.js.

import assert from 'node:assert/strict';
import test from 'node:test';
import { offered } from '../../web/app/offered.js';
import { problem } from '../../web/io/arrays.js';
import { t } from './frames.js';

/** @param {Record<string, number[]>} shapes @param {import('../../web/io/arrays.js').Listed['refused']} [refused] */
function rowsOf(shapes, refused = []) {
  const read = async () => { throw new Error('no number is read for a list'); };
  const arrays = Object.entries(shapes).map(([name, shape]) => ({ name, shape, type: 'F32', read }));
  return offered({ arrays, refused, labels: null }, t);
}

/** Where the arrays go, and whether they are turned round. @param {Record<string, number[]>} shapes */
const placesOf = (shapes) => rowsOf(shapes).rows.map(({ name, place, transpose }) => [name, place, transpose]);

test('arrays that fit come first, in the order of the file, and the rest says why not', () => {
  const { stored, rows } = rowsOf({ wte: [50257, 768], a: [3, 2], conv: [2, 3, 4], none: [0, 2], b: [1, 1, 32, 32] }, [
    { name: 'ids', ...problem('problem-safetensors-type', { name: 'ids', got: 'I64' }) },
    { name: 'cut', ...problem('problem-zip-damaged', { name: 'cut' }) },
  ]);
  assert.deepEqual(stored.map(({ name }) => name), ['a', 'b']);
  assert.deepEqual(rows.map(({ name, shape, why }) => [name, shape, why]), [
    ['a', '3 × 2', ''], ['b', '1 × 1 × 32 × 32', ''],
    ['wte', '50257 × 768', 'cannot be used: larger than 32 × 32'], ['conv', '2 × 3 × 4', 'cannot be used: not a matrix'],
    ['none', '0 × 2', 'cannot be used: holds no numbers'], ['ids', '', 'cannot be used: its numbers are of type I64'],
    ['cut', '', t('problem-zip-damaged', { name: 'cut' })],
  ]);
});

test('names that models use find their place, weights of nn.Linear are turned round, others wait to be told', () => {
  assert.deepEqual(placesOf({ w_query: [3, 2], 'att.W_key': [3, 2], 'att.W_value.weight': [2, 3], 'att.out_proj.weight': [2, 2], 'att.norm.weight': [2] }), [
    ['w_query', 'w_query', false], ['att.W_key', 'w_key', false], ['att.W_value.weight', 'w_value', true],
    ['att.out_proj.weight', 'w_out', true], ['att.norm.weight', '', false],
  ]);
  assert.deepEqual(placesOf({ 'l.self_attn.q_proj.weight': [2, 3], 'l.attention.self.key.weight': [2, 3], 'l.to_v.weight': [2, 3], q_proj_bias: [2], monkey: [2] }), [
    ['l.self_attn.q_proj.weight', 'w_query', true], ['l.attention.self.key.weight', 'w_key', true], ['l.to_v.weight', 'w_value', true],
    ['q_proj_bias', '', false], ['monkey', '', false],
  ]);
});

test('of many layers only the first is placed; the only array of a file becomes the inputs unless its name says better', () => {
  assert.deepEqual(placesOf({ '0.q_proj.weight': [2, 3], '1.q_proj.weight': [2, 3] }).map(([, place]) => place), ['w_query', '']);
  assert.deepEqual(placesOf({ '': [2, 3] }), [['', 'inputs', false]]);
  assert.deepEqual(placesOf({ embeddings: [2, 3] }), [['embeddings', 'inputs', false]]);
  assert.deepEqual(placesOf({ w_key: [2, 3] }), [['w_key', 'w_key', false]]);
});
