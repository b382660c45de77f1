// A tiny static file server for the built page: node tools/serve.mjs FOLDER [PORT]
// It answers only on this machine (127.0.0.1), only GET and HEAD, and only files inside FOLDER; it lists no folders
// and caches nothing. Without PORT it takes 8080 or the next free one. The browser tests start it by serveFolder.
import { createReadStream, realpathSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, resolve, sep } from 'node:path';
import process, { argv, exit, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';

const HOST = '127.0.0.1';
const FIRST_PORT = 8080;
const LAST_PORT = 8179;

/** @type {Record<string, string>} */
const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/**
 * The file that a request's path names, or null if there is none inside the folder. Links are followed before the
 * check, so that none leads out.
 * @param {string} folder absolute, without links
 * @param {string} url the request's target
 * @returns {string | null}
 */
function fileFor(folder, url) {
  try {
    const path = decodeURIComponent(new URL(url, `http://${HOST}`).pathname);
    const file = realpathSync(join(folder, path.endsWith('/') ? `${path}index.html` : path));
    return file.startsWith(folder + sep) && statSync(file).isFile() ? file : null;
  } catch {
    return null; // not a URL, or no such file: both are "not found" to the one who asked
  }
}

/**
 * Serve a folder until the server is closed.
 * @param {string} folder
 * @param {number} port 0 for any free port
 * @returns {Promise<{ address: string, close: () => Promise<void> }>} rejects if the folder is not there or the port
 *   is taken (EADDRINUSE)
 */
export async function serveFolder(folder, port) {
  const root = realpathSync(resolve(folder));
  const server = createServer((request, response) => {
    /** @param {number} status @param {string} sentence */
    const say = (status, sentence) => {
      response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' });
      response.end(`${sentence}\n`);
    };
    if (request.method !== 'GET' && request.method !== 'HEAD') return say(405, 'Only GET and HEAD are answered here.');
    const file = fileFor(root, request.url ?? '/');
    if (file === null) return say(404, `Nothing is served at ${request.url}.`);
    response.writeHead(200, {
      'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
      'Content-Length': statSync(file).size,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    });
    if (request.method === 'HEAD') return void response.end();
    createReadStream(file).on('error', () => response.destroy()).pipe(response);
  });
  await new Promise((listening, refused) => {
    server.once('error', refused);
    server.listen(port, HOST, () => listening(undefined));
  });
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error(`The server has no port: ${bound}`);
  return {
    address: `http://${HOST}:${bound.port}/`,
    close: () => new Promise((closed) => {
      server.close(() => closed());
      server.closeAllConnections();
    }),
  };
}

/**
 * The server on the port asked for, else on the first free one.
 * @param {string} folder
 * @param {string | undefined} asked
 */
async function serveSomewhere(folder, asked) {
  if (asked !== undefined && !(/^\d+$/.test(asked) && Number(asked) < 65536)) {
    throw new Error(`PORT must be a number below 65536, got "${asked}".`);
  }
  for (let port = Number(asked ?? FIRST_PORT); ; port += 1) {
    try {
      return await serveFolder(folder, port);
    } catch (error) {
      const taken = /** @type {NodeJS.ErrnoException} */ (error).code === 'EADDRINUSE';
      if (taken && asked !== undefined) throw new Error(`Port ${port} is taken: choose another with PORT=…`);
      if (!taken || port === LAST_PORT) throw error;
    }
  }
}

if (argv[1] !== undefined && realpathSync(argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    const { address } = await serveSomewhere(argv[2] ?? '.', argv[3]);
    stdout.write(`The page is at ${address}   Ctrl-C ends it.\n`);
    process.on('SIGINT', () => exit(0)); // Ctrl-C is how it is meant to end: no complaint from make
  } catch (error) {
    stdout.write(`${/** @type {Error} */ (error).message}\n`);
    exit(1);
  }
}
