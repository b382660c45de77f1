/**
 * Build the page as one file that needs nothing else: script, worker, styles, colour tables, messages, formulas and the
 * wasm module are written into web/index.html, under a content security policy that lets nothing but them run.
 * Writes dist/attention-rows.html; the Makefile copies it to dist/site/index.html, a static folder for any path.
 * Run after the wasm module is built. Next to read: colours.mjs, ../web/index.html.
 */

import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { coloursCss } from './colours.mjs';
import { formulaMarkup } from './formulas.mjs';
import { knownAnswers } from './known-answers.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

const starter = await bundle('web/app/first-sight.js');
const script = await bundle('web/app/main.js');
const worker = await bundle('web/app/large-worker.js');
const firstStyles = await bundle('web/styles/first-sight.css');
const styles = (await bundle('web/styles/page.css')) + coloursCss();
const module = await readFile(`${root}build/attention.wasm`);

const policy = [
  "default-src 'none'",
  `script-src ${hash(script)} ${hash(starter)} 'wasm-unsafe-eval'`,
  `style-src ${hash(firstStyles)} ${hash(styles)}`,
  'img-src data: blob:',
  'worker-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const shell = await readFile(`${root}web/index.html`, 'utf8');
const page = fill(shell, { policy, firstStyles, styles, starter, script, worker, wasm: module.toString('base64') });

await mkdir(`${root}dist`, { recursive: true });
await writeFile(`${root}dist/attention-rows.html`, page);

/** One script or style sheet with all that it imports. @param {string} entry @returns {Promise<string>} */
async function bundle(entry) {
  const result = await build({
    entryPoints: [`${root}${entry}`],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: ['es2022'],
    loader: { '.ftl': 'text' },
    plugins: [knownAnswers, formulaMarkup],
    logLevel: 'error',
  });
  // What stands between the tags is hashed as it stands: no end tag may occur in it.
  return inAscii(result.outputFiles[0].text).replaceAll('</script', '<\\/script').trim();
}

/**
 * A page of nothing but ASCII is kept in a byte a letter, and read half as long. What esbuild leaves as it was stands in
 * templates and regular expressions, where the same escape means the same. @param {string} text
 */
function inAscii(text) {
  return text.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A source expression of the policy for one inline element. @param {string} text */
function hash(text) {
  return `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;
}

/** Put each part in its place, marked {{name}} once. @param {string} template @param {Record<string, string>} parts */
function fill(template, parts) {
  return template.replace(/\{\{(\w+)\}\}/g, (_, name) => {
    if (!(name in parts)) throw new Error(`web/index.html asks for {{${name}}}, which is not built`);
    return parts[name];
  });
}
