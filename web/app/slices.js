/**
 * Long work in slices between which the page can answer. Next to read: checks.js and batches.js, whose work it is.
 */

/** How long one slice may take before the page gets its turn, and how often news is told. */
const SLICE_MS = 10;
const NEWS_MS = 200;

/**
 * Run a generator, which yields where it may be interrupted, to its end.
 * @template T
 * @param {Generator<void, T, void>} work
 * @param {() => boolean} [wanted]  whether it still is; asked before every slice
 * @param {() => void} [news]       called now and then, and at the end
 * @returns {Promise<T | undefined>} what the work returns; undefined if it was no longer wanted
 */
export async function inSlices(work, wanted = () => true, news = () => {}) {
  let told = performance.now();
  for (;;) {
    await new Promise((ready) => { setTimeout(ready); });
    if (!wanted()) return undefined;
    const end = performance.now() + SLICE_MS;
    let step = work.next();
    while (!step.done && performance.now() < end) step = work.next();
    if (step.done || performance.now() - told >= NEWS_MS) {
      news();
      told = performance.now();
    }
    if (step.done) return step.value;
  }
}
