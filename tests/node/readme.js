// The JavaScript example of README.md: its code, and what its comments say that it prints. Must not run it: the tests
// do. Read next: readme.test.js, package.test.js.

import { readFileSync } from 'node:fs';

/**
 * The block marked js whose first line imports the package; a line that prints says what in a comment at its end.
 * @returns {{ code: string, prints: string }}
 */
export function readmeExample() {
  const text = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const blocks = [...text.matchAll(/^```js\n([^]*?)^```$/gm)].map((block) => block[1]);
  const code = blocks.find((block) => /^import .*'attention-rows'/.test(block));
  if (code === undefined) throw new Error("README.md has no ```js block whose first line imports 'attention-rows'");
  const prints = [...code.matchAll(/^\s*console\.log\(.*\);\s*\/\/ (.*)$/gm)].map((line) => `${line[1]}\n`).join('');
  return { code, prints };
}
