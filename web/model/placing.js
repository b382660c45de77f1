/**
 * Numbers from elsewhere, put into a document: whole matrices, or a block at a cursor. What shares a size with them
 * grows or shrinks along, as when rows and columns are added by hand. Pure. Next to read: resize.js, update.js.
 */

import { addDimension, addOutputColumn, addToken, removeDimension, removeOutputColumn, removeToken } from './resize.js';
import { MAX_LABEL_LENGTH, headsInForce, sizesOf, validHeads } from './state.js';

/**
 * @typedef {import('./state.js').Doc} Doc
 * @typedef {import('./state.js').MatrixName} MatrixName
 * @typedef {Partial<Record<MatrixName, number[][]>>} Matrices
 * @typedef {{ nTokens: number, dIn: number, dOut: number }} Sizes
 * @typedef {import('./resize.js').Problem} Problem
 */

/** What the rows and the columns of each matrix count. @type {Record<MatrixName, [keyof Sizes, keyof Sizes]>} */
const SIDES = {
  inputs: ['nTokens', 'dIn'], given: ['nTokens', 'nTokens'], w_query: ['dIn', 'dOut'], w_key: ['dIn', 'dOut'],
  w_value: ['dIn', 'dOut'], w_out: ['dOut', 'dOut'], targets: ['nTokens', 'dOut'],
};

/**
 * A document with these matrices in it; they must fit each other, all else follows.
 * @param {Doc} doc @param {Matrices} matrices @param {string[] | null} tokens  labels that came with them
 * @returns {Doc | Problem}
 */
export function placed(doc, matrices, tokens) {
  /** @type {Partial<Sizes>} */
  const wanted = {};
  const entries = /** @type {[MatrixName, number[][]][]} */ (Object.entries(matrices));
  for (const [matrix, rows] of entries) {
    const got = [rows.length, rows[0].length];
    for (const axis of [0, 1]) {
      const side = SIDES[matrix][axis];
      const expected = wanted[side] ?? got[axis];
      if (got[axis] !== expected) {
        return { problem: { id: 'problem-place', args: { matrix, rows: got[0], columns: got[1], side, expected } } };
      }
      wanted[side] = expected;
    }
  }
  const resized = resizedTo(doc, { ...sizesOf(doc), ...wanted });
  if ('problem' in resized) return resized;
  const names = entries.map(([name]) => name);
  const trained = names.some((name) => name.startsWith('w_'));
  const source = trained ? 'trained' : names.includes('given') ? 'given' : doc.source;
  return {
    ...resized, ...matrices, source, project: doc.project || names.includes('w_out'),
    tokens: tokens?.length === resized.tokens.length ? tokens : resized.tokens,
  };
}

/**
 * A matrix with a block of numbers laid over it, its first at a row and column; larger where the block goes beyond.
 * @param {Doc} doc @param {MatrixName} name @param {number} row @param {number} column @param {number[][]} block
 * @returns {number[][] | Problem}
 */
export function overlaid(doc, name, row, column, block) {
  const [down, across] = SIDES[name];
  const sizes = sizesOf(doc);
  const needed = [Math.max(sizes[down], row + block.length), Math.max(sizes[across], column + block[0].length)];
  if (down === across) needed.fill(Math.max(...needed));
  const resized = resizedTo(doc, { ...sizes, [down]: needed[0], [across]: needed[1] });
  if ('problem' in resized) return resized;
  return Array.from({ length: needed[0] }, (_, i) => Array.from({ length: needed[1] }, (__, j) =>
    block[i - row]?.[j - column] ?? resized[name]?.[i]?.[j] ?? 0));
}

/**
 * Labels laid over those of the tokens from a row on, with the numbers beside them; more tokens where they go beyond.
 * @param {Doc} doc @param {number} row @param {string[]} labels
 * @param {number[][] | null} block  of the inputs, from the first column on; null: the numbers stay
 * @returns {{ matrices: Matrices, tokens: string[] } | Problem}
 */
export function labelled(doc, row, labels, block) {
  const length = Math.max(...labels.map((label) => [...label].length));
  if (length > MAX_LABEL_LENGTH) return { problem: { id: 'problem-label-long', args: { length, limit: MAX_LABEL_LENGTH } } };
  const inputs = overlaid(doc, 'inputs', row, 0, block ?? labels.map(() => []));
  if ('problem' in inputs) return inputs;
  const grown = placed(doc, { inputs }, null);
  if ('problem' in grown) return grown;
  return { matrices: { inputs }, tokens: grown.tokens.map((token, i) => labels[i - row] ?? token) };
}

/** @param {Doc} doc @param {Sizes} sizes @returns {Doc | Problem} */
function resizedTo(doc, { nTokens, dIn, dOut }) {
  if (dOut % headsInForce(doc) !== 0) {
    return { problem: { id: 'problem-width-heads', args: { dOut, heads: doc.heads, valid: validHeads(dOut).join(', ') } } };
  }
  // On the way to a width that the heads divide are others that they do not.
  /** @type {Doc} */
  let to = { ...doc, heads: 1 };
  /** @type {[of: 'nTokens' | 'dIn' | 'dOut', size: number, more: (doc: Doc) => Doc | Problem, less: (doc: Doc) => Doc | Problem][]} */
  const ways = [
    ['nTokens', nTokens, addToken, (from) => removeToken(from, from.tokens.length - 1)],
    ['dIn', dIn, addDimension, removeDimension],
    ['dOut', dOut, addOutputColumn, removeOutputColumn],
  ];
  for (const [of, size, more, less] of ways) {
    while (sizesOf(to)[of] !== size) {
      const next = sizesOf(to)[of] < size ? more(to) : less(to);
      if ('problem' in next) return next;
      to = next;
    }
  }
  return { ...to, heads: dOut % doc.heads === 0 ? doc.heads : 1 };
}
