// What a run of the benchmark says: medians, ratios, the comparison of results, tables as text. Pure.
// Read next: run.js, which measures.

import { operations, sizeName } from './problem.js';

/**
 * @typedef {import('./peer.js').Task} Task
 *
 * @typedef {object} Row one line of build/bench.json
 * @property {string} size "T,d,H"
 * @property {boolean} causal
 * @property {'forward' | 'train'} kind
 * @property {string} peer
 * @property {number} medianMs of one call
 * @property {number} gflops useful operations (see problem.js) in 10⁹ a second
 * @property {number} ratioToOurs the peer's median over that of "ours"
 */

/** @param {number[]} numbers at least one */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * The lines of one task. A peer that was not measured has none.
 * @param {Task} task
 * @param {Record<string, number[]>} times milliseconds by peer, "ours" among them
 * @returns {Row[]}
 */
export function rowsOf({ kind, size, causal }, times) {
  const ours = median(times.ours);
  return Object.entries(times).filter(([, all]) => all.length > 0).map(([peer, all]) => {
    const medianMs = median(all);
    const gflops = operations(size, causal, kind) / medianMs / 1e6;
    return { size: sizeName(size), causal, kind, peer, medianMs, gflops, ratioToOurs: medianMs / ours };
  });
}

/**
 * The largest difference between two peers' results. All float32 results of the same formula differ by rounding only:
 * by less than `tolerance` of the largest number of the tensor.
 * @param {Record<string, Float32Array>} expected
 * @param {Record<string, Float32Array>} got
 * @param {number} tolerance
 * @returns {number} relative to the largest number of the tensor
 * @throws {Error} names the tensor, the place and both numbers
 */
export function agree(expected, got, tolerance) {
  let most = 0;
  for (const [name, right] of Object.entries(expected)) {
    const left = got[name];
    if (left?.length !== right.length) {
      throw new Error(`${name} should have ${right.length} numbers, and has ${left?.length ?? 'none'}`);
    }
    let largest = 0;
    for (const number of right) largest = Math.max(largest, Math.abs(number));
    for (let i = 0; i < right.length; i++) {
      const off = Math.abs(left[i] - right[i]) / largest;
      // Written so that NaN is refused too.
      if (!(off <= tolerance)) throw new Error(`${name}[${i}] should be ${right[i]}, and is ${left[i]}`);
      most = Math.max(most, off);
    }
  }
  return most;
}

/** Three digits that count. @param {number} value */
export const short = (value) => (value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(value >= 10 ? 3 : 2))));

/**
 * A table of Markdown: one row for each peer, one column for each size, "full / causal".
 * @param {Row[]} rows
 * @param {'forward' | 'train'} kind
 * @param {(row: Row) => string} cell
 */
export function table(rows, kind, cell) {
  const shown = rows.filter((row) => row.kind === kind);
  const sizes = [...new Set(shown.map((row) => row.size))];
  const peers = [...new Set(shown.map((row) => row.peer))];
  const cells = peers.map((peer) => [peer, ...sizes.map((size) => {
    const both = shown.filter((row) => row.peer === peer && row.size === size);
    return both.sort((a, b) => Number(a.causal) - Number(b.causal)).map(cell).join(' / ') || '–';
  })]);
  const lines = [['T, d, heads', ...sizes.map((size) => size.replaceAll(',', ', '))], ...cells];
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  /** @param {string[]} line */
  const text = (line) => `| ${line.map((entry, column) => entry.padEnd(widths[column])).join(' | ')} |`;
  return [text(lines[0]), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...lines.slice(1).map(text)]
    .join('\n');
}
