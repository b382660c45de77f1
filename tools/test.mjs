// Run the test suites and add up: node tools/test.mjs [SUITE...]   (`make test` builds first, then calls this)
// Every suite runs even if one before it failed; each gives one line here and its whole output in build/log/. A suite
// that ran no test has failed. The last line is the sum. Test files are named one by one: what node --test makes of a
// folder or a pattern differs from version to version.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { argv, env, exit, stdout, version } from 'node:process';

const LOGS = 'build/log';
const LINES_SHOWN = 120;
const LONGEST_MS = 30 * 60 * 1000; // a suite that hangs ends as a failure, not with the patience of whoever waits
const TOOL_NODE = 'build/tool-node/node'; // Node 20 or newer, see tools/install.sh

/** @param {string} folder @returns {string[]} */
const testsIn = (folder) =>
  readdirSync(folder).filter((name) => name.endsWith('.test.js')).sort().map((name) => `${folder}/${name}`);

/** @param {string} node @param {string} folder @returns {string[]} */
const nodeTests = (node, folder) => [node, '--test', '--test-reporter=spec', ...testsIn(folder)];

/** @type {Record<string, { title: string, command: () => string[] }>} */
const SUITES = {
  types: { title: 'Types', command: () => [TOOL_NODE, 'node_modules/typescript/bin/tsc'] },
  c: { title: 'C, native, under ASan and UBSan', command: () => ['build/c-tests'] },
  wasm: { title: 'C, through WebAssembly', command: () => ['node', 'tests/c/run_wasm.mjs', 'build/c-tests.wasm'] },
  node: { title: `Node ${version}`, command: () => nodeTests('node', 'tests/node') },
  browser: { title: 'Browsers', command: () => nodeTests(TOOL_NODE, 'tests/browser') },
};

/**
 * Run one command to its end, all that it prints going to a file.
 * @param {string[]} command
 * @param {string} log
 * @returns {Promise<string | null>} what went wrong, or null
 */
async function run([program, ...args], log) {
  const file = openSync(log, 'w');
  try {
    return await new Promise((ended) => {
      const child = spawn(program, args, {
        stdio: ['ignore', file, file], env: { ...env, NO_COLOR: '1' }, timeout: LONGEST_MS,
      });
      child.on('error', (error) => ended(`${program} did not start: ${error.message}`));
      child.on('close', (code, signal) => ended(code === 0 ? null : `${program} ended with ${signal ?? `code ${code}`}`));
    });
  } finally {
    closeSync(file);
  }
}

/**
 * How many tests passed, failed and were skipped, read from the last summary that the runner printed: either
 * "N passed, N failed" or the lines of node's test runner.
 * @param {string} output
 * @returns {{ passed: number, failed: number, skipped: number } | null}
 */
function counts(output) {
  const plain = [...output.matchAll(/^(\d+) passed, (\d+) failed$/gm)].pop();
  if (plain) return { passed: Number(plain[1]), failed: Number(plain[2]), skipped: 0 };
  /** @param {string} word */
  const of = (word) => Number([...output.matchAll(new RegExp(`^. ${word} (\\d+)$`, 'gmu'))].pop()?.[1] ?? NaN);
  const passed = of('pass');
  if (Number.isNaN(passed)) return null;
  return { passed, failed: of('fail') + of('cancelled'), skipped: of('skipped') + of('todo') };
}

/** The part of a failed suite's output that tells why. @param {string} output @returns {string} */
function reason(output) {
  const failing = output.lastIndexOf('failing tests:');
  const lines = output.trimEnd().split('\n');
  return (failing < 0 ? lines.slice(-LINES_SHOWN) : output.slice(failing).split('\n').slice(0, LINES_SHOWN)).join('\n');
}

const unknown = argv.slice(2).filter((name) => !(name in SUITES));
if (unknown.length > 0) {
  stdout.write(`No suite is called ${unknown.join(', ')}; there are ${Object.keys(SUITES).join(', ')}.\n`);
  exit(1);
}
mkdirSync(LOGS, { recursive: true });
const total = { passed: 0, failed: 0, skipped: 0 };
for (const name of argv.length > 2 ? argv.slice(2) : Object.keys(SUITES)) {
  const { title, command } = SUITES[name];
  const log = `${LOGS}/test-${name}.log`;
  const start = Date.now();
  stdout.write(`${title} … `);
  const fault = await run(command(), log);
  const output = readFileSync(log, 'utf8');
  const counted = counts(output) ?? { passed: name === 'types' && fault === null ? 1 : 0, failed: 0, skipped: 0 };
  const ranNone = counted.passed + counted.failed === 0;
  if (counted.failed === 0 && (fault !== null || ranNone)) counted.failed = 1;
  const skipped = counted.skipped > 0 ? `, ${counted.skipped} skipped` : '';
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  stdout.write(`${counted.passed} passed, ${counted.failed} failed${skipped} (${seconds} s)\n`);
  if (counted.failed > 0) {
    stdout.write(`${reason(output)}\n${fault ?? 'It ran no test'}. The whole output is in ${log}\n`);
  }
  total.passed += counted.passed;
  total.failed += counted.failed;
  total.skipped += counted.skipped;
}
stdout.write(`Total: ${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}\n`);
exit(total.failed > 0 ? 1 : 0);
