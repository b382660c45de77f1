/**
 * How a reader of text from outside says no: it throws a Refusal from any depth, and `attempt`, at its door, makes a
 * problem of it. A Refusal leaves no reader; any other error is a fault of ours and does.
 * Next to read: schema.js, ../io/json.js.
 */

/** @typedef {import('./update.js').Message} Message */

class Refusal extends Error {
  /** @param {Message} problem */
  constructor(problem) {
    super(problem.id);
    this.problem = problem;
  }
}

/** @param {Message} problem @returns {never} */
export function refuse(problem) {
  throw new Refusal(problem);
}

/**
 * What a reader reads, or the problem that it met.
 * @template T @param {() => T} read @returns {T | { problem: Message }}
 */
export function attempt(read) {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refusal) return { problem: error.problem };
    throw error;
  }
}

const LONGEST = 40;

/**
 * A value as a sentence may quote it: short, whatever it is.
 * @param {unknown} value
 */
export function quoted(value) {
  if (Array.isArray(value)) return `[…] (${value.length})`;
  if (typeof value === 'object' && value !== null) return '{…}';
  const text = typeof value === 'string' ? JSON.stringify(cut(value, LONGEST)) : String(value);
  return text;
}

/** @param {string} text @param {number} length */
export function cut(text, length) {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
