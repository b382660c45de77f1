/**
 * What a file offers, as rows of the Open dialog: the arrays that fit on the page first, then the others with the reason
 * why they do not, and where each would go, guessed by its name. Reads no number. Next to read: opening.js, ../io/arrays.js.
 */

import { inWords, misfit } from '../io/arrays.js';
import { MAX_TOKENS } from '../model/state.js';

/**
 * @typedef {import('../io/arrays.js').Stored} Stored
 * @typedef {import('../view/frame.js').Offer} Row
 * @typedef {(id: string, args?: Record<string, string | number>) => string} Translate
 */

const UNUSED = { place: '', transpose: false, stays: false };

/** No matrix of the page is larger. */
export const LIMIT = { maxRows: MAX_TOKENS, maxColumns: MAX_TOKENS };

/** Problems that recur in long files, in few words. @type {Map<string, string>} */
const IN_SHORT = new Map([
  ['problem-not-matrix', 'open-why-rank'], ['problem-matrix-empty', 'open-why-empty'], ['problem-matrix-large', 'open-why-large'],
  ['problem-safetensors-type', 'open-why-type'], ['problem-npy-type', 'open-why-type'],
]);

/** What the matrices are called in models, before an optional ".weight". @type {[RegExp, string][]} */
const NAMES = [
  [/(^|[._])inputs$/, 'inputs'], [/(^|[._])(w_query|w_?q|q_proj|to_q|query)$/, 'w_query'],
  [/(^|[._])(w_key|w_?k|k_proj|to_k|key)$/, 'w_key'], [/(^|[._])(w_value|w_?v|v_proj|to_v|value)$/, 'w_value'],
  [/(^|[._])(w_out|w_?o|o_proj|out_proj|to_out)$/, 'w_out'],
];

/**
 * @param {import('../io/opened.js').OpenedArrays} opened @param {Translate} t
 * @returns {{ stored: Stored[], rows: Row[] }}  the arrays that fit, in the order of the first rows; then all rows
 */
export function offered({ arrays, refused }, t) {
  const limit = `${LIMIT.maxRows} × ${LIMIT.maxColumns}`;
  const inShort = (/** @type {import('../model/update.js').Message} */ { id, args }) => {
    const short = IN_SHORT.get(id);
    return short ? t(short, { limit, type: String(args?.got ?? '') }) : t(id, args);
  };
  const rows = arrays.map((stored) => {
    const { name, shape } = stored;
    const wrong = misfit(shape, LIMIT);
    return { stored, row: { ...UNUSED, name, shape: inWords(shape), why: wrong ? inShort(wrong.problem) : '' } };
  });
  const fit = rows.filter(({ row }) => row.why === '');
  const others = rows.filter(({ row }) => row.why !== '').map(({ row }) => row);
  const unread = refused.map(({ name, problem }) => ({ ...UNUSED, name, shape: '', why: inShort(problem) }));
  return { stored: fit.map(({ stored }) => stored), rows: [...placed(fit.map(({ row }) => row)), ...others, ...unread] };
}

/**
 * The first array of each name goes where the name says, turned round if nn.Linear holds it; the only one of a file
 * becomes the inputs.
 * @param {Row[]} rows @returns {Row[]}
 */
function placed(rows) {
  if (rows.length === 1 && rows[0].name === '') return [{ ...rows[0], place: 'inputs', stays: true }];
  const taken = new Set();
  return rows.map((row) => {
    const name = row.name.toLowerCase();
    const bare = name.replace(/\.weight$/, '');
    const place = NAMES.find(([pattern]) => pattern.test(bare))?.[1] ?? (rows.length === 1 ? 'inputs' : '');
    if (place === '' || taken.has(place)) return row;
    taken.add(place);
    return { ...row, place, transpose: bare !== name, stays: true };
  });
}
