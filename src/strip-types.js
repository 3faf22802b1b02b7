import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';

/*
 * Has Node read this folder's TypeScript without its types from a cache: `node --require src/strip-types.js`. Node takes types out by a program
 * of its own, which takes 20 MB and stays in memory, in threads too, and so does what its own cache has read. So another process
 * does it, for all files at once, in the installation (`npm run strip-types`) or where a file is missing. It is JavaScript because
 * it is what TypeScript is read with.
 */
const OWN = fileURLToPath(import.meta.url);
const FOLDER = new URL('.', import.meta.url);
const CACHE = new URL(`../node_modules/.cache/copse/${process.version}/`, import.meta.url);
const PATIENCE_MS = 60_000;

/** @param {URL} file */
function cachedAs(file) {
  return new URL(`${file.href.slice(FOLDER.href.length)}.js`, CACHE);
}

/** What a cached text begins with: that of another source is never taken. @param {Buffer} source */
function headOf(source) {
  return `/* ${crc32(source)} ${source.length} */`;
}

/** @param {URL} file @param {string} head */
function readCached(file, head) {
  try {
    const text = readFileSync(cachedAs(file), 'utf8');
    return text.startsWith(head) ? text : undefined;
  } catch {
    return undefined;
  }
}

/** The head takes no line of its own, so that places in errors stay those of the source. @param {string} head @param {Buffer} source */
function strip(head, source) {
  return head + stripTypeScriptTypes(source.toString());
}

function fillCache() {
  for (const path of globSync('**/*.ts', { cwd: fileURLToPath(FOLDER) })) {
    const file = new URL(path, FOLDER);
    const source = readFileSync(file);
    const head = headOf(source);
    if (readCached(file, head) !== undefined) continue;
    const cached = fileURLToPath(cachedAs(file));
    mkdirSync(dirname(cached), { recursive: true });
    // Another process may read it at this moment.
    writeFileSync(`${cached}.${process.pid}`, strip(head, source));
    renameSync(`${cached}.${process.pid}`, cached);
  }
}

let isFilled = false;

/** @param {URL} file */
function read(file) {
  const source = readFileSync(file);
  const head = headOf(source);
  const cached = readCached(file, head);
  if (cached !== undefined) return cached;
  if (!isFilled) spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', OWN], { env: {}, stdio: 'ignore', timeout: PATIENCE_MS });
  isFilled = true;
  // A folder that cannot be written to has no cache.
  return readCached(file, head) ?? strip(head, source);
}

if (process.argv[1] === OWN) fillCache();
else
  registerHooks({
    load: (url, context, next) =>
      url.startsWith(FOLDER.href) && url.endsWith('.ts')
        ? { format: 'module', source: read(new URL(url)), shortCircuit: true }
        : next(url, context),
  });
