// On SQLite alone: no database is asked.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { it } from 'node:test';
import { promisify } from 'node:util';

/** Packages that many servers never use, or not before their first requests: they are loaded then, so that a start stays quick. */
const LATER = [
  '@actions/expressions',
  '@bufbuild/protobuf',
  '@connectrpc/connect',
  '@fastify/busboy',
  '@node-rs/bcrypt',
  '@opentelemetry/api',
  '@opentelemetry/core',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/sdk-trace',
  'ajv',
  'bzip2-wasm',
  'fast-xml-parser',
  'highlight.js',
  'jose',
  'markdown-it',
  'nodemailer',
  'openpgp',
  'parse5',
  'pg',
  'sharp',
  'ssh2',
  'tar-stream',
  'unbzip2-stream',
  'undici',
  'xz-decompress',
  'yaml',
  'yauzl',
];

/** Prints the packages whose modules the server loads. */
const SCRIPT = `
import { registerHooks } from 'node:module';
const packages = new Set();
registerHooks({
  load(url, context, next) {
    const [, name] = /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url) ?? [];
    if (name) packages.add(name);
    return next(url, context);
  },
});
await import(${JSON.stringify(new URL('../src/server.ts', import.meta.url).href)});
console.log(JSON.stringify([...packages]));
`;

it('loads no package before it is needed that few servers use at once', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', SCRIPT]);
  const loaded = new Set<string>(JSON.parse(stdout));
  assert.ok(loaded.has('fastify') && loaded.has('kysely'), stdout);
  assert.deepEqual(
    LATER.filter((name) => loaded.has(name)),
    [],
  );
});
