// Put the seal on a module that was just compiled: node tools/seal.mjs FILE
// Run once for each compilation: the seal covers all bytes before it. Read next: ../web/engine/checksum.js.
import { readFileSync, writeFileSync } from 'node:fs';
import { argv } from 'node:process';
import { sealed } from '../web/engine/checksum.js';

writeFileSync(argv[2], sealed(readFileSync(argv[2])));
