/**
 * Make the teacher's page of the site, dist/site/teachers.html, from web/teachers.md: its links lead to the page that
 * lies beside it in the folder. It has no script, and the policy lets none run. Run after build-page.mjs.
 * Next to read: ../web/teachers.md, ../web/styles/teachers.css.
 */

import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { marked } from 'marked';

const root = fileURLToPath(new URL('..', import.meta.url));

const text = await readFile(`${root}web/teachers.md`, 'utf8');
const [, title] = /** @type {RegExpMatchArray} */ (text.match(/^# (.+)$/m));
// In the folder of the site the page is index.html.
let tables = 0;
const body = (await marked(text.replaceAll('(attention-rows.html#', '(index.html#')))
  .replaceAll('<table>', () => `<div class="scroller" tabindex="0" role="region" aria-label="Table ${tables += 1}"><table>`)
  .replaceAll('</table>', '</table></div>');

const { outputFiles } = await build({
  entryPoints: [`${root}web/styles/teachers.css`], bundle: true, minify: true, write: false, charset: 'utf8', logLevel: 'error',
});
const styles = outputFiles[0].text.trim();
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(styles, 'utf8').digest('base64')}'; `
  + "img-src data:; base-uri 'none'; form-action 'none'";

await mkdir(`${root}dist/site`, { recursive: true });
await writeFile(`${root}dist/site/teachers.html`, `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${styles}</style>
</head>
<body>
<main>
${body.trim()}
</main>
</body>
</html>
`);
