// The benchmark of `make bench` in Node: this module beside its peers, in alternating order, after a check that all
// give the same numbers. Writes build/bench.json (a list, see report.js) and build/bench-machine.json (the ceiling of
// this machine, start-up, sizes of the libraries). `node tests/bench/run.js --quick` leaves out what takes minutes.
// Read next: problem.js, peer.js, report.js; page.mjs measures the page.

import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { argv, stdout, version } from 'node:process';
import { ceiling } from './ceiling.js';
import { MOST_TRAINED, SIZES, sizeName } from './problem.js';
import { start } from './processes.js';
import { agree, median, rowsOf, short, table } from './report.js';
import { bytesOf, firstResult } from './starting.js';

// The first is what the others are compared with.
const PEERS = ['plain-js', 'onnxruntime-web-1t', 'onnxruntime-web-2t', 'tfjs-wasm', 'jax-js', 'ours', 'ours-copy'];
const TRAINED = ['plain-js', 'tfjs-wasm', 'jax-js', 'ours'];
const TOLERANCE = 1e-5; // of the largest number of a tensor: a few hundred roundings of float32
const FILL_MS = 25; // what short calls are repeated for, in one round
const WARM_MS = 150; // and before the first round, so that compilers are done
const STARTS = 5;
const QUICK_TOKENS = 256;

/** How often a call of so many milliseconds is measured. @param {number} ms */
const roundsFor = (ms) => (ms > 3000 ? 1 : ms > 200 ? 3 : ms > 20 ? 7 : 15);

/**
 * Set a task up everywhere, compare what each gives with the first, then measure in rounds, each in the other order
 * than the last.
 * @param {import('./processes.js').Process[]} processes
 * @param {import('./peer.js').Task} task
 */
async function measure(processes, task) {
  stdout.write(`${sizeName(task.size)} ${task.causal ? 'causal' : 'full'} ${task.kind}: `);
  /** @type {Record<string, Float32Array>[]} */
  const results = [];
  for (const peer of processes) results.push(await peer.ask({ prepare: task }));
  const apart = results.slice(1).map((result, i) => {
    try {
      return agree(results[0], result, TOLERANCE);
    } catch (error) {
      throw new Error(`${processes[i + 1].name} disagrees with ${processes[0].name}`, { cause: error });
    }
  });
  /** @type {Record<string, number[]>} */
  const times = {};
  const rounds = [];
  for (const peer of processes) {
    const first = await peer.ask({ time: WARM_MS });
    rounds.push(roundsFor(first));
    times[peer.name] = first > 3000 ? [first] : [];
  }
  for (let round = 0; round < Math.max(...rounds); round++) {
    const order = [...processes.keys()];
    for (const i of round % 2 === 0 ? order : order.reverse()) {
      if (round < rounds[i]) times[processes[i].name].push(await processes[i].ask({ time: FILL_MS }));
    }
  }
  for (const peer of processes) await peer.ask({ end: true });
  const most = Math.max(...apart).toExponential(1);
  const parts = Object.entries(times).map(([name, all]) => `${name} ${short(median(all))}`);
  stdout.write(`all agree to ${most}; ms: ${parts.join(', ')}\n`);
  return rowsOf(task, times);
}

/** @param {Record<string, number>} numbers */
const listed = (numbers) => Object.entries(numbers).map(([name, value]) => `${name} ${Math.round(value)}`).join(', ');

const quick = argv.includes('--quick');
const sizes = SIZES.filter(({ nTokens }) => !quick || nTokens <= QUICK_TOKENS);
const date = new Date().toISOString().slice(0, 10);
const [{ model }] = cpus();
stdout.write(`${model}, ${cpus().length} cores, Node ${version}, ${date}\n`);

const rows = [];
const limits = [];
const processes = PEERS.map(start);
try {
  for (const size of sizes) {
    limits.push(await ceiling());
    for (const causal of [false, true]) rows.push(...await measure(processes, { kind: 'forward', size, causal }));
    if (size.nTokens > MOST_TRAINED) continue;
    const trained = processes.filter(({ name }) => TRAINED.includes(name));
    for (const causal of [false, true]) rows.push(...await measure(trained, { kind: 'train', size, causal }));
  }
} finally {
  for (const peer of processes) await peer.stop();
}

/** @type {Record<string, number[]>} */
const starts = Object.fromEntries(PEERS.map((name) => [name, []]));
for (let i = 0; i < STARTS; i++) for (const name of PEERS) starts[name].push(await firstResult(name));
const startMs = Object.fromEntries(PEERS.map((name) => [name, median(starts[name])]));
const bytes = await bytesOf();
const chainsGflops = Math.max(...limits.map((limit) => limit.chainsGflops));
const productFraction = Math.max(...limits.map((limit) => limit.productGflops)) / chainsGflops;

const BUILD = new URL('../../build/', import.meta.url);
/** @param {string} name @param {unknown} content */
const write = (name, content) => writeFileSync(new URL(name, BUILD), `${JSON.stringify(content, null, 1)}\n`);
write('bench.json', rows);
write('bench-machine.json', {
  date, node: version, processor: model, cores: cpus().length, chainsGflops, productFraction,
  firstResultMs: startMs, firstResultBytes: bytes,
});

stdout.write(`
Forward, milliseconds, full / causal
${table(rows, 'forward', ({ medianMs }) => short(medianMs))}

Forward, how many times as long as ours
${table(rows, 'forward', ({ ratioToOurs }) => short(ratioToOurs))}

Training, steps a second, full / causal
${table(rows, 'train', ({ medianMs }) => short(1000 / medianMs))}

Training, how many times as long as ours
${table(rows, 'train', ({ ratioToOurs }) => short(ratioToOurs))}

Multiplications and additions in SIMD128 at most: ${short(chainsGflops)} GFLOP/s;
our product of two 512 × 512 matrices reaches ${short(100 * productFraction)} % of it.
Milliseconds from the start of a process to its first result: ${listed(startMs)}.
Bytes of script and module, uncompressed: ${listed(bytes)}.
Written: build/bench.json, build/bench-machine.json
`);
