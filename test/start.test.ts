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
console.log(JSON.stringify({ packages: [...packages], builtin: process.moduleLoadList }));
`;

async function loadedByServer(): Promise<{ packages: Set<string>; builtin: string }> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', SCRIPT]);
  const { packages, builtin } = JSON.parse(stdout);
  return { packages: new Set(packages), builtin: builtin.join(' ') };
}

it('loads no package before it is needed that few servers use at once', async () => {
  const { packages } = await loadedByServer();
  assert.ok(packages.has('fastify') && packages.has('kysely'), [...packages].join(' '));
  assert.deepEqual(
    LATER.filter((name) => packages.has(name)),
    [],
  );
});

it("does not load Node's fetch, which an import of node:http brings (src/node-http.ts)", async () => {
  const { builtin } = await loadedByServer();
  assert.match(builtin, /NativeModule http\b/);
  assert.doesNotMatch(builtin, /undici/);
});
