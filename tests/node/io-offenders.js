// What the readers of states must refuse, each with the problem that it is to be refused with: states with one fault,
// and texts that are no state. Read next: io-json.test.js, content.test.js.

/**
 * @typedef {any} Json
 * @typedef {{ what: string, id: string, spoil: (state: Json) => Json | void }} Spoilt  changes a multi-head state, or
 *   gives another in its place
 */

const [row, matrix] = [[1, 2, 3, 4], [[1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3, 4]]];

/** @type {Spoilt[]} */
export const spoilt = [
  { what: 'another version', id: 'problem-state-version', spoil: (s) => { s.version = 0; } },
  { what: 'a version that is text', id: 'problem-state-version', spoil: (s) => { s.version = '1'; } },
  { what: 'no version', id: 'problem-state-missing', spoil: (s) => { delete s.version; } },
  { what: 'no document', id: 'problem-state-missing', spoil: (s) => { delete s.document; } },
  { what: 'a list for a document', id: 'problem-state-kind', spoil: (s) => { s.document = []; } },
  { what: 'no view', id: 'problem-state-missing', spoil: (s) => { delete s.view; } },
  { what: 'a field that is not known', id: 'problem-state-unknown', spoil: (s) => { s.document.colour = 'red'; } },
  { what: 'a strange field beside the document', id: 'problem-state-unknown', spoil: (s) => { s.more = 1; } },
  {
    what: 'a prototype in it', id: 'problem-state-unknown',
    spoil: (s) => { s.view = JSON.parse('{"__proto__": {"row": 1}}'); },
  },
  { what: 'an unknown example', id: 'problem-state-choice', spoil: (s) => { s.document.example = '../secret'; } },
  { what: 'no tokens', id: 'problem-state-count', spoil: (s) => { s.document.tokens = []; } },
  { what: '33 tokens', id: 'problem-state-count', spoil: (s) => { s.document.tokens = Array(33).fill('a'); } },
  { what: 'tokens that are text', id: 'problem-state-kind', spoil: (s) => { s.document.tokens = 'abc'; } },
  { what: 'a label that is a number', id: 'problem-state-kind', spoil: (s) => { s.document.tokens[1] = 5; } },
  { what: 'an empty label', id: 'problem-state-label', spoil: (s) => { s.document.tokens[1] = ' '; } },
  { what: 'a label of 61 characters', id: 'problem-state-label', spoil: (s) => { s.document.tokens[1] = 'a'.repeat(61); } },
  { what: 'fewer tokens than inputs', id: 'problem-state-length', spoil: (s) => { s.document.tokens.pop(); } },
  { what: 'a row of inputs that is longer', id: 'problem-state-length', spoil: (s) => { s.document.inputs[1] = row; } },
  { what: 'inputs that are no list', id: 'problem-state-kind', spoil: (s) => { s.document.inputs = { 0: row }; } },
  { what: '17 dimensions', id: 'problem-state-count', spoil: (s) => { s.document.inputs[0] = Array(17).fill(0); } },
  { what: 'inputs of no dimension', id: 'problem-state-count', spoil: (s) => { s.document.inputs[0] = []; } },
  { what: 'a number that is text', id: 'problem-state-number', spoil: (s) => { s.document.inputs[0][0] = '0.5'; } },
  { what: 'a number that is null', id: 'problem-state-number', spoil: (s) => { s.document.w_query[0][0] = null; } },
  { what: 'a number beyond float32', id: 'problem-state-number', spoil: (s) => { s.document.w_key[0][0] = 1e39; } },
  { what: 'a list in place of a number', id: 'problem-state-number', spoil: (s) => { s.document.w_key[0][0] = [1]; } },
  { what: 'a W_key of another size', id: 'problem-state-length', spoil: (s) => { s.document.w_key = [[1, 2, 3, 4]]; } },
  { what: 'a W_out of another size', id: 'problem-state-length', spoil: (s) => { s.document.w_out = matrix; } },
  { what: 'given weights of another size', id: 'problem-state-length', spoil: (s) => { s.document.given = matrix; } },
  { what: 'given weights asked for and absent', id: 'problem-state-missing', spoil: (s) => { s.document.source = 'given'; } },
  { what: 'an unknown source', id: 'problem-state-choice', spoil: (s) => { s.document.source = 'magic'; } },
  { what: 'an unknown scale', id: 'problem-state-choice', spoil: (s) => { s.document.scale = 8; } },
  { what: 'a mask that is text', id: 'problem-state-kind', spoil: (s) => { s.document.causal = 'yes'; } },
  { what: 'heads that do not divide', id: 'problem-state-choice', spoil: (s) => { s.document.heads = 3; } },
  { what: 'an unknown bug', id: 'problem-state-choice', spoil: (s) => { s.document.fault = 'toString'; } },
  { what: 'a bug in a row that is not there', id: 'problem-state-whole', spoil: (s) => { s.document.faultPlace = 6; } },
  { what: 'a seed beyond its limit', id: 'problem-state-whole', spoil: (s) => { s.document.mystery = 1e6; } },
  { what: 'a row that is not there', id: 'problem-state-whole', spoil: (s) => { s.view.row = 6; } },
  { what: 'a row between two rows', id: 'problem-state-whole', spoil: (s) => { s.view.row = 1.5; } },
  { what: 'a head that is not there', id: 'problem-state-whole', spoil: (s) => { s.view.head = 2; } },
  { what: 'seven decimals', id: 'problem-state-whole', spoil: (s) => { s.view.digits = 7; } },
  { what: 'an unknown instrument', id: 'problem-state-choice', spoil: (s) => { s.view.panels = ['shapes', 'x']; } },
  { what: 'too many instruments', id: 'problem-state-count', spoil: (s) => { s.view.panels = Array(99).fill('flow'); } },
  { what: 'a negative tolerance', id: 'problem-state-negative', spoil: (s) => { s.view.tolerance = -1; } },
  { what: 'three dimensions in the plane', id: 'problem-state-length', spoil: (s) => { s.view.plane = [0, 1, 0]; } },
  { what: 'a dimension that a head has not', id: 'problem-state-whole', spoil: (s) => { s.view.plane = [0, 2]; } },
  {
    what: 'arithmetic of a tensor that is not there', id: 'problem-state-choice',
    spoil: (s) => { s.view.trail = [{ tensor: 'given_weights', indices: [0, 0, 0, 0] }]; },
  },
  {
    what: 'arithmetic of a number that is not there', id: 'problem-state-whole',
    spoil: (s) => { s.view.trail = [{ tensor: 'values', indices: [0, 6, 0] }]; },
  },
  {
    what: 'an answer about a bug that is not there', id: 'problem-state-choice',
    spoil: (s) => { s.view.mystery = { seed: 1, guess: null, revealed: true }; },
  },
  { what: 'a large sequence without an end', id: 'problem-state-whole', spoil: (s) => { s.view.large.tokens = 1e9; } },
  { what: 'a row beyond a large sequence', id: 'problem-state-whole', spoil: (s) => { s.view.large.row = 64; } },
  { what: 'a head beyond those of a large sequence', id: 'problem-state-whole', spoil: (s) => { s.view.large = { heads: 2, head: 2 }; } },
  { what: 'colours of a large sequence that end nowhere', id: 'problem-state-choice', spoil: (s) => { s.view.large.ends = 3; } },
  { what: 'a step of no path', id: 'problem-state-whole', spoil: (s) => { s.view.lesson = { step: 12, done: false }; } },
  { what: 'a step that is neither done nor not', id: 'problem-state-kind', spoil: (s) => { s.view.lesson = { step: 0, done: 1 }; } },
  { what: 'a hint that no practice has', id: 'problem-state-whole', spoil: (s) => { s.view.notes = { ...s.view.notes, hints: 10 }; } },
  {
    what: 'an input named in the practice that is not there', id: 'problem-state-whole',
    spoil: (s) => { s.view.notes = { ...s.view.notes, inputs: [6] }; },
  },
  { what: 'a pinned state with a fault', id: 'problem-state-kind', spoil: (s) => { s.view.pinned = { ...s.document, causal: 1 }; } },
];

/** @type {{ what: string, id: string, text: string }[]} */
export const foreignTexts = [
  { what: 'nothing', id: 'problem-json-syntax', text: '' },
  { what: 'a table', id: 'problem-json-syntax', text: '1,2\n3,4\n' },
  { what: 'a page', id: 'problem-json-syntax', text: '<!doctype html><script>alert(1)</script>' },
  { what: 'binary', id: 'problem-json-syntax', text: '\u0093NUMPY\u0001\u0000v\u0000' },
  { what: 'an open bracket, a hundred thousand times', id: 'problem-json-syntax', text: '['.repeat(1e5) },
  { what: 'null', id: 'problem-json-foreign', text: 'null' },
  { what: 'a number', id: 'problem-json-foreign', text: '42' },
  { what: 'a list', id: 'problem-json-foreign', text: '[[1, 2], [3, 4]]' },
  { what: 'another program\'s JSON', id: 'problem-json-foreign', text: '{"format": "notebook", "version": 1}' },
  { what: 'JSON with a prototype', id: 'problem-json-foreign', text: '{"__proto__": {"format": "attention-rows state"}}' },
  { what: 'a newer version', id: 'problem-json-newer', text: '{"format": "attention-rows state", "version": 2, "new": 1}' },
  { what: 'a huge text', id: 'problem-json-long', text: ' '.repeat(4_000_001) },
];
