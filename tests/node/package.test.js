// What npm pack makes works where it is installed: by its name, without the sources, without a network and without any
// other package. Read next: readme.test.js.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { readmeExample } from './readme.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** @param {string} program @param {string[]} args @param {string} cwd @param {string} cache */
const run = (program, args, cwd, cache) =>
  execFileSync(program, args, { cwd, encoding: 'utf8', env: { ...process.env, npm_config_cache: cache } });

/** What TypeScript says, set up for Node, to a user's lines about a layer. @param {string} user @param {string} lines */
function typeErrors(user, lines) {
  writeFileSync(join(user, 'typed.ts'), `import { loadAttention } from 'attention-rows';
    const layer = (await loadAttention()).createLayer({ nTokens: 1, dIn: 2, outputProjection: true });
    ${lines}`);
  writeFileSync(join(user, 'tsconfig.json'), 
    '{ "compilerOptions": { "strict": true, "noEmit": true, "module": "nodenext" }, "files": ["typed.ts"] }');
  const tsc = [join(ROOT, 'build/tool-node/node'), join(ROOT, 'node_modules/typescript/bin/tsc')];
  const { stdout, error } = spawnSync(tsc[0], [tsc[1]], { cwd: user, encoding: 'utf8' });
  if (error) throw error;
  return stdout;
}

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
    assert.deepEqual(readdirSync(inside).sort(),
      ['ARCHITECTURE.md', 'LICENSE', 'README.md', 'build', 'package.json', 'src', 'web']);
    assert.deepEqual(readdirSync(join(inside, 'build')).sort(), ['attention.wasm', 'types']);
    assert.deepEqual(readdirSync(join(inside, 'src')), ['attention.h']);
    assert.deepEqual(readdirSync(join(inside, 'web')).sort(), ['engine', 'screenshot.png', 'teachers.md']);
    const linked = [...readFileSync(join(inside, 'README.md'), 'utf8').matchAll(/\]\((?!https?:)([^)#]+)/g)];
    assert.ok(linked.length > 2, 'README.md links to files');
    for (const [, path] of linked) assert.ok(existsSync(join(inside, path)), `README.md links to ${path}`);

    writeFileSync(join(user, 'bytes.js'), `
      import { readFileSync } from 'node:fs';
      import { createRequire } from 'node:module';
      import { AttnError, loadAttention } from 'attention-rows';
      const { createLayer } = await loadAttention(readFileSync(
        createRequire(import.meta.url).resolve('attention-rows/attention.wasm')));
      try { createLayer({ nTokens: 0, dIn: 1 }); } catch (e) { console.log(e instanceof AttnError, e.code); }
    `);
    assert.equal(run(process.execPath, ['bytes.js'], user, cache), 'true size_not_positive\n');

    assert.equal(typeErrors(user, "layer.set('inputs', [[1, 2]]).forward().get('outputs').data.fill(0);"), '');
    assert.match(typeErrors(user, "layer.get('inputs').data satisfies string; layer.nope();"), /TS1360[^]*'nope'/);

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
