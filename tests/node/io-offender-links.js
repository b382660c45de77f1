// Links that must be refused, each with its problem; most bear a right checksum, so that it is not that alone which holds.
// For the reader and for the page. Read next: io-link.test.js, ../browser/malformed.test.js.

import { deflateSync } from 'fflate';
import { crc32 } from '../../web/engine/checksum.js';
import { stateToLink } from '../../web/io/link.js';
import { pack } from '../../web/io/packing.js';
import { update } from '../../web/model/update.js';
import { opening } from './frames.js';

/** A link with a right checksum around what is given. @param {any} parts @param {number[]} [numbers] */
export const forged = (parts, numbers = []) => `#rows1.${pack(typeof parts === 'string' ? parts : JSON.stringify(parts), numbers)}`;

/** A link with a right checksum around deflated bytes. @param {Uint8Array} bytes */
function around(bytes) {
  const sum = Buffer.from(crc32(bytes), 'hex');
  return `#rows1.${Buffer.concat([sum, bytes]).toString('base64url')}`;
}

/** A link that is as it should be: of the causal example, with one number changed. */
export const good = await (async () => {
  const opened = await opening('causal');
  const outcome = update(opened, { type: 'edit', matrix: 'w_query', row: 1, column: 0, value: 0.3 });
  const link = 'state' in outcome ? stateToLink(outcome.state, opened) : outcome;
  if (!('hash' in link)) throw new Error(JSON.stringify(link));
  return link.hash;
})();

const E = 'warm-up';
const deep = '{"a":'.repeat(5000) + '1' + '}'.repeat(5000);

/** @type {[string, string, string][]} what, hash, problem */
export const offenderLinks = [
  ['nothing', '', 'problem-link-foreign'],
  ['a lone #', '#', 'problem-link-foreign'],
  ['a heading of some page', '#section-3', 'problem-link-foreign'],
  ['a route of some app', '#/login?next=%2F', 'problem-link-foreign'],
  ['markup', '#<script>alert(1)</script>', 'problem-link-foreign'],
  ['a script address', '#javascript:alert(1)', 'problem-link-foreign'],
  ['JSON', '#{"document":{}}', 'problem-link-foreign'],
  ['our name without a version', '#rows.abc', 'problem-link-foreign'],
  ['our name without a point', '#rows1', 'problem-link-foreign'],
  ['another name', good.replace('rows', 'cols'), 'problem-link-foreign'],
  ['version 0', good.replace('rows1', 'rows0'), 'problem-link-foreign'],
  ['version 01', good.replace('rows1', 'rows01'), 'problem-link-foreign'],
  ['version 2', good.replace('rows1', 'rows2'), 'problem-link-newer'],
  ['version 999', good.replace('rows1', 'rows999'), 'problem-link-newer'],
  ['a version as long as a link', good.replace('rows1', `rows${'9'.repeat(400)}`), 'problem-link-foreign'],
  ['a very long link', `#rows1.${'A'.repeat(20000)}`, 'problem-link-long'],
  ['nothing packed', '#rows1.', 'problem-link-damaged'],
  ['one character', '#rows1.A', 'problem-link-damaged'],
  ['only a checksum', '#rows1.AAAAAA', 'problem-link-damaged'],
  ['zeros', `#rows1.${'A'.repeat(200)}`, 'problem-link-damaged'],
  ['the last character cut off', good.slice(0, -1), 'problem-link-damaged'],
  ['half of it cut off', good.slice(0, good.length / 2), 'problem-link-damaged'],
  ['a full stop behind', `${good}.`, 'problem-link-damaged'],
  ['a line break within', `${good.slice(0, 30)}\n${good.slice(30)}`, 'problem-link-damaged'],
  ['a blank within', `${good.slice(0, 30)}%20${good.slice(30)}`, 'problem-link-damaged'],
  ['all letters small', good.toLowerCase(), 'problem-link-damaged'],
  ['two characters swapped', `${good.slice(0, 20)}${good[21]}${good[20]}${good.slice(22)}`, 'problem-link-damaged'],
  ['another alphabet', `${good.slice(0, 20)}+/${good.slice(22)}`, 'problem-link-damaged'],
  ['twice the same link', good + good, 'problem-link-damaged'],
  ['bytes that do not inflate', around(Uint8Array.of(255, 255, 255, 255, 255)), 'problem-link-damaged'],
  ['a promise of a thousand times its size', around(deflateSync(new Uint8Array(3e6))), 'problem-link-damaged'],
  ['text without an end', around(deflateSync(Uint8Array.of(0, 0, 0, 0, 65, 66))), 'problem-link-damaged'],
  ['a huge count of numbers', around(deflateSync(Uint8Array.of(255, 255, 255, 255, 123, 125, 0))), 'problem-link-damaged'],
  ['no JSON', forged('<b>'), 'problem-link-damaged'],
  ['null', forged(null), 'problem-link-damaged'],
  ['no example', forged({ d: {} }), 'problem-link-damaged'],
  ['an unknown example', forged({ e: '<script>', f: '' }), 'problem-link-example'],
  ['an example from a prototype', forged({ e: 'constructor', f: '' }), 'problem-link-example'],
  ['no fingerprint', forged({ e: E }), 'problem-link-changed'],
  ['a fingerprint of other numbers', forged({ e: E, f: '00000000' }), 'problem-link-changed'],
  ['numbers left over', forged({ e: E, f: '' }, [1]), 'problem-link-damaged'],
  ['a matrix without numbers', forged({ e: E, d: { inputs: { '#': [3, 2] } } }, [1]), 'problem-link-damaged'],
  ['a matrix of a huge size', forged({ e: E, d: { inputs: { '#': [1e9, 1e9] } } }), 'problem-link-damaged'],
  ['a matrix of no size', forged({ e: E, d: { inputs: { '#': [1e9, 0] } } }), 'problem-link-damaged'],
  ['a matrix of a strange size', forged({ e: E, d: { inputs: { '#': ['3', null] } } }), 'problem-link-damaged'],
  ['a matrix of another size', forged({ e: E, d: { inputs: { '#': [1, 2] } } }, [1, 2]), 'problem-state-length'],
  ['a cell that is not there', forged({ e: E, d: { inputs: { '~': [6] } } }, [1]), 'problem-link-damaged'],
  ['a cell before the first', forged({ e: E, d: { inputs: { '~': [-1] } } }, [1]), 'problem-link-damaged'],
  ['a cell between two', forged({ e: E, d: { inputs: { '~': [0.5] } } }, [1]), 'problem-link-damaged'],
  ['cells of a prototype', forged({ e: E, d: { inputs: { '~': ['__proto__'] } } }, [1]), 'problem-link-damaged'],
  ['cells of what is no matrix', forged({ e: E, d: { causal: { '~': [0] } } }, [1]), 'problem-link-damaged'],
  ['a number that is not finite', forged({ e: E, d: { inputs: { '~': [0] } } }, [Infinity]), 'problem-state-number'],
  ['a prototype', forged('{"e":"warm-up","d":{"__proto__":{"x":1}}}'), 'problem-state-unknown'],
  ['an unknown field', forged({ e: E, d: { onload: 'alert(1)' } }), 'problem-state-unknown'],
  ['an unknown field of the view', forged({ e: E, v: { href: '//x' } }), 'problem-state-unknown'],
  ['a list for a document', forged({ e: E, d: [] }), 'problem-state-kind'],
  ['a document that is text', forged({ e: E, d: 'x' }), 'problem-state-kind'],
  ['heads that do not divide', forged({ e: E, d: { heads: 5 } }), 'problem-state-choice'],
  ['what has no bottom', forged(`{"e":"warm-up","d":${deep}}`), 'problem-link-damaged'],
  ['a pinned state that is text', forged({ e: E, p: 'x' }), 'problem-state-kind'],
];
