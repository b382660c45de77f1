/**
 * The message file as a function t(id, args). A missing message or argument is a fault of the page and throws, so that
 * a test meets it before a reader does. Next to read: ../content/en.ftl.
 */

import { FluentBundle, FluentNumber, FluentResource } from '@fluent/bundle';

/** Letters that run from right to left, and marks that turn the direction. */
const TO_THE_LEFT = /[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Texts that are kept. */
const MOST_SAID = 5000;

/** Where an entry of a Fluent file begins, and what it refers to. */
const ENTRY = /^(?=-?[a-zA-Z])/m;
const REFERENCE = /\{ *(-?[a-zA-Z][\w-]*) *\}/g;

/**
 * A whole number, written as all numbers of the page are, in one group of digits. It writes itself: the browser's own
 * way of writing numbers takes longer to set up than the page's first picture to draw.
 */
class Count extends FluentNumber {
  /** @override */
  toString() {
    return String(this.value);
  }
}

/**
 * @param {string} source  a Fluent file's text
 * @param {string} language
 * @returns {(id: string, args?: Record<string, string | number>) => string}
 */
export function messages(source, language) {
  // The bundle would isolate every argument, also numbers, where the marks are only noise: see `argument`.
  const bundle = new FluentBundle(language, { useIsolating: false });
  const unread = entriesOf(source);
  // A page says the same of most of its cells, time and again: what was said is kept.
  /** @type {Map<string, string>} */
  const said = new Map();
  return (id, args = {}) => {
    const key = id + JSON.stringify(args);
    const text = said.get(key) ?? formatted(id, args);
    if (said.size >= MOST_SAID) said.clear();
    said.set(key, text);
    return text;
  };

  /** @param {string} id @param {Record<string, string | number>} args */
  function formatted(id, args) {
    read(id);
    const message = bundle.getMessage(id);
    if (!message?.value) throw new Error(`no message "${id}"`);
    const fitted = Object.entries(args).map(([name, value]) => [name, argument(value)]);
    return bundle.formatPattern(message.value, Object.fromEntries(fitted));
  }

  /** Take an entry, and what it refers to, into the bundle: only when it is asked for, as most never are. @param {string} id */
  function read(id) {
    const entry = unread.get(id);
    if (entry === undefined) return;
    unread.delete(id);
    bundle.addResource(new FluentResource(entry));
    for (const [, other] of entry.matchAll(REFERENCE)) read(other);
  }
}

/** The text of each entry by its id. @param {string} source @returns {Map<string, string>} */
function entriesOf(source) {
  const entries = new Map();
  for (const entry of source.split(ENTRY)) {
    const id = entry.slice(0, entry.indexOf('=')).trim();
    if (entries.has(id)) throw new Error(`the message "${id}" stands there twice`);
    entries.set(id, entry);
  }
  return entries;
}

/**
 * A number that is not whole is written the browser's way. A label that runs from right to left is isolated
 * (U+2068 … U+2069), else it would take the numbers and signs of the sentence with it.
 * @param {string | number} value
 */
function argument(value) {
  if (typeof value === 'number') return Number.isInteger(value) ? new Count(value) : new FluentNumber(value, { useGrouping: false });
  return TO_THE_LEFT.test(value) ? `\u2068${value}\u2069` : value;
}
