// The example in README.md does what its comments say, word for word, from a clone of the project.
// Read next: readme.js; package.test.js runs the same example from the installed package.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { readmeExample } from './readme.js';

test('the example in README.md prints what its comments say', () => {
  const { code, prints } = readmeExample();
  assert.ok(prints.split('\n').length > 2, 'the example says in comments what it prints');
  assert.equal(code.match(/console\.log/g)?.length, prints.split('\n').length - 1, 'each printing line has a comment');
  const cwd = fileURLToPath(new URL('../../', import.meta.url));
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', code], { cwd, encoding: 'utf8' });
  assert.equal(printed, prints);
});
