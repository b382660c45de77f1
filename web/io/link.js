/**
 * A state as the part of an address after #, and back, equal in every field and every bit. A link holds the id of the
 * example that the state came from and what differs from it (a recipe, or all the numbers if all were changed): then a
 * state with a few edits is a short link. A link that is not whole, not ours or not for this page is a problem in
 * words. Next to read: difference.js, packing.js.
 */

import { crc32 } from '../engine/checksum.js';
import { UNANSWERED } from '../model/asking.js';
import { attempt, quoted, refuse } from '../model/refusal.js';
import { VERSION, readState } from '../model/schema.js';
import { differenceOf, withDifference } from './difference.js';
import { pack, unpack } from './packing.js';

/**
 * @typedef {import('../model/state.js').State} State
 * @typedef {import('../model/state.js').Doc} Doc
 * @typedef {import('../model/update.js').Message} Message
 * @typedef {(example: string) => Promise<State>} Opening  the state that an example opens with
 *
 * @typedef {object} Parts  of a link, as JSON; short names, for they stand in every link
 * @property {string} e   example
 * @property {string} f   fingerprint
 * @property {any} [d]    what of the document differs from the example's
 * @property {any} [v]    what of the view differs from the example's
 * @property {any} [p]    if a document is pinned: what of it differs from the document
 */

/** Longer links break in mails and chats: a file is the better way. */
export const MAX_LINK = 1900;
/** Much longer than any link of ours: not worth a look. */
const MAX_READ = 16000;
const NAME = 'rows';
const PATTERN = new RegExp(`^#?${NAME}(\\d{1,6})\\.(.*)$`, 's');

/** What a link may take from an example. Fixed: links of version 1 carry a fingerprint of these. */
const TAKEN = /** @type {const} */ ([
  'tokens', 'inputs', 'given', 'w_query', 'w_key', 'w_value', 'w_out', 'source', 'scale', 'causal', 'heads', 'project',
]);

/**
 * @param {State} state
 * @param {State} opened  the state that its example opens with
 * @returns {{ hash: string } | { tooLong: number }}  with "#"; or how many characters it would have
 */
export function stateToLink(state, opened) {
  const { pinned, question, ...rest } = state.view;
  // What is asked goes into a link, what was answered does not: whoever opens it predicts for themselves.
  const view = { ...rest, question: question && { ...question, ...UNANSWERED } };
  /** @type {number[]} */
  const numbers = [];
  /** @type {Parts} */
  const parts = {
    e: state.document.example,
    f: fingerprint(state.document),
    d: differenceOf(state.document, opened.document, numbers),
    v: differenceOf(view, opened.view, numbers),
    p: pinned ? differenceOf(pinned, state.document, numbers) ?? {} : undefined,
  };
  const hash = `#${NAME}${VERSION}.${pack(JSON.stringify(parts), numbers)}`;
  return hash.length > MAX_LINK ? { tooLong: hash.length } : { hash };
}

/**
 * @param {string} hash  with or without "#"
 * @param {import('../model/schema.js').Known} known
 * @param {Opening} opening  asked for known examples only
 * @returns {Promise<{ state: State } | { problem: Message }>}
 */
export async function linkToState(hash, known, opening) {
  const opened = attempt(() => open(hash, known));
  if ('problem' in opened) return opened;
  const example = await opening(opened.parts.e);
  return attempt(() => rebuilt(opened, example, known));
}

/** @typedef {{ parts: Parts, next: () => number, left: () => number }} Opened */

/** @param {string} hash @param {import('../model/schema.js').Known} known @returns {Opened} */
function open(hash, known) {
  if (hash.length > MAX_READ) refuse({ id: 'problem-link-long', args: { limit: MAX_READ, got: hash.length } });
  const [, version, packed] = hash.match(PATTERN) ?? ['', '', ''];
  const got = Number(version);
  if (got > VERSION) refuse({ id: 'problem-link-newer', args: { expected: VERSION, got } });
  if (!(version in READERS)) refuse({ id: 'problem-link-foreign', args: { expected: `#${NAME}${VERSION}.` } });
  const opened = READERS[version](packed);
  if (!known.examples.includes(opened.parts.e)) {
    refuse({ id: 'problem-link-example', args: { got: quoted(opened.parts.e), known: known.examples.join(', ') } });
  }
  return opened;
}

/**
 * How links of each version are opened: a new version adds a reader and leaves the old ones.
 * @type {Record<string, (packed: string) => Opened>}
 */
const READERS = {
  1: (packed) => {
    const { text, next, left } = unpack(packed);
    return { parts: partsOf(text), next, left };
  },
};

/** @param {string} text @returns {Parts} */
function partsOf(text) {
  const parts = parsed(text);
  return typeof parts?.e === 'string' ? parts : refuse({ id: 'problem-link-damaged' });
}

/** @param {string} text @returns {any} */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return refuse({ id: 'problem-link-damaged' });
  }
}

/** @param {Opened} opened @param {State} example @param {import('../model/schema.js').Known} known */
function rebuilt({ parts, next, left }, example, known) {
  const document = withDifference(parts.d, example.document, next);
  const view = withDifference(parts.v, example.view, next);
  const pinned = parts.p === undefined ? null : withDifference(parts.p, document, next);
  if (left() !== 0) refuse({ id: 'problem-link-damaged' });
  const read = readState({ version: VERSION, document, view: { ...view, pinned } }, known);
  if ('state' in read && fingerprint(read.state.document) !== parts.f) {
    refuse({ id: 'problem-link-changed', args: { example: parts.e } });
  }
  return read;
}

/** Tells whether the example is still what it was when the link was made. @param {Doc} document */
function fingerprint(document) {
  return crc32(new TextEncoder().encode(JSON.stringify(TAKEN.map((name) => document[name]))));
}
