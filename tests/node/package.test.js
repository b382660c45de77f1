// What npm pack makes works where it is installed: by its name, without the sources, without a network and without any
// other package. Read next: readme.test.js.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { readmeExample } from './readme.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** @param {string} program @param {string[]} args @param {string} cwd @param {string} cache */
const run = (program, args, cwd, cache) =>
  execFileSync(program, args, { cwd, encoding: 'utf8', env: { ...process.env, npm_config_cache: cache } });

test('the packed package, installed elsewhere, runs the example of README.md in Node', () => {
  const folder = mkdtempSync(join(tmpdir(), 'attention-rows-'));
  try {
    const user = join(folder, 'user');
    const cache = join(folder, 'cache');
    mkdirSync(user);
    // The module is built already; without scripts the package holds the very file that the other tests ran.
    run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], ROOT, cache);
    const packed = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
    assert.equal(packed.length, 1);
    writeFileSync(join(user, 'package.json'), '{ "name": "user", "version": "1.0.0", "type": "module" }');
    const quiet = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
    run('npm', ['install', ...quiet, join(folder, packed[0])], user, cache);
    const { code, prints } = readmeExample();
    writeFileSync(join(user, 'example.js'), code);
    assert.equal(run(process.execPath, ['example.js'], user, cache), prints);

    const inside = join(user, 'node_modules', 'attention-rows');
    const installed = readdirSync(join(user, 'node_modules')).filter((name) => !name.startsWith('.'));
    assert.deepEqual(installed, ['attention-rows']);
    assert.deepEqual(readdirSync(inside).sort(), ['LICENSE', 'README.md', 'build', 'package.json', 'web']);
    assert.deepEqual(readdirSync(join(inside, 'build')), ['attention.wasm']);
    assert.deepEqual(readdirSync(join(inside, 'web')), ['engine']);

    writeFileSync(join(user, 'bytes.js'), `
      import { readFileSync } from 'node:fs';
      import { AttnError, loadAttention } from 'attention-rows';
      const { createLayer } = await loadAttention(readFileSync('node_modules/attention-rows/build/attention.wasm'));
      try { createLayer({ nTokens: 0, dIn: 1 }); } catch (e) { console.log(e instanceof AttnError, e.code); }
    `);
    assert.equal(run(process.execPath, ['bytes.js'], user, cache), 'true size_not_positive\n');

    rmSync(join(inside, 'build', 'attention.wasm'));
    writeFileSync(join(user, 'missing.js'), `
      import { loadAttention } from 'attention-rows';
      await loadAttention().catch((error) => console.log(error.code + ': ' + error.message));
    `);
    assert.match(run(process.execPath, ['missing.js'], user, cache),
      /^module_missing: the attention module was expected at .*\.wasm and could not be read \(ENOENT.*\); run make/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
