import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { runCommand } from '../../src/cli/run.ts';

const folder = await mkdtemp(join(tmpdir(), 'copse-serve-'));
after(() => rm(folder, { recursive: true, force: true }));

/** Lets `copse serve` fail; returns its exit code and what it said. */
async function serve(environment: Record<string, string>, args: readonly string[] = []): Promise<{ code: number; said: string }> {
  let said = '';
  const code = await runCommand(['serve', ...args], {
    environment: { COPSE_LOG_LEVEL: 'silent', COPSE_SSH_PORT: '0', COPSE_DATA_DIR: join(folder, 'data'), ...environment },
    secret: async () => '',
    out: () => {},
    error: (text) => {
      said += text;
    },
  });
  return { code, said };
}

async function withPath<T>(path: string, run: () => Promise<T>): Promise<T> {
  const { PATH } = process.env;
  process.env.PATH = path;
  try {
    return await run();
  } finally {
    process.env.PATH = PATH;
  }
}

const mode = async (path: string) => ((await stat(join(folder, 'data', path))).mode & 0o777).toString(8);

/** The cause and the setting in one line. */
function requireLine({ code, said }: { code: number; said: string }, expected: RegExp): void {
  assert.equal(code, 1, said);
  assert.match(said, expected);
  assert.equal(said.split('\n').length, 2, said);
}

describe('copse serve', () => {
  it('refuses options, which it would not look at', async () => {
    const { code, said } = await serve({}, ['--port', '3000']);
    assert.equal(code, 2);
    assert.match(said, /unknown option --port; settings such as COPSE_PORT/);
  });

  it('names the port that is in use, and has made a data folder that others cannot read', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    const response = await serve({ COPSE_PORT: String(port) });
    other.close();
    requireLine(response, new RegExp(`port ${port} of 127\\.0\\.0\\.1: stop it, or set COPSE_PORT`));
    for (const path of ['', 'repositories', 'storage']) assert.equal(await mode(path), '700', path);
    assert.equal(await mode('copse.db'), '600');
  });

  it('names an IP address that the machine does not have', async () => {
    requireLine(await serve({ COPSE_HOST: '192.0.2.1', COPSE_PORT: '0' }), /address 192\.0\.2\.1: set COPSE_HOST/);
  });

  it('names a folder that cannot be written to', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const { code, said } = await serve({ COPSE_DATA_DIR: join(file, 'data') });
    assert.equal(code, 1);
    assert.match(said, /COPSE_DATA_DIR \(server\.dataDir\): .* cannot be read \(ENOTDIR\)/);
    requireLine(await serve({ COPSE_REPOSITORY_PATH: join(file, 'r') }), /cannot be written to \(ENOTDIR\): .* set repository\.path/);
  });

  it('names a certificate that cannot be read or used', async () => {
    const file = join(folder, 'no.pem');
    const files = { COPSE_PORT: '0', COPSE_TLS_CERTIFICATE: file, COPSE_TLS_KEY: file };
    requireLine(await serve(files), /server\.tlsCertificate \(COPSE_TLS_CERTIFICATE\): .*no\.pem cannot be read \(ENOENT\)/);
    await writeFile(file, 'no certificate');
    requireLine(await serve(files), /server\.tlsCertificate and server\.tlsKey cannot be used: /);
  });

  it('names the URL of a database that cannot be reached, without its password', async () => {
    const response = await serve({ DATABASE_URL: 'postgres://copse:hunter2@127.0.0.1:1/copse' });
    requireLine(response, /database is not available: .*ECONNREFUSED.*; look at DATABASE_URL/);
    assert.ok(!response.said.includes('hunter2'));
  });

  it('makes no administrator whose password breaks the rules', async () => {
    const response = await serve({ COPSE_PORT: '0', COPSE_ADMIN_USERNAME: 'root', COPSE_ADMIN_PASSWORD: 'x' });
    requireLine(response, /at least 8 characters; look at COPSE_ADMIN_USERNAME, COPSE_ADMIN_PASSWORD/);
  });

  it('needs a git that is new enough', async () => {
    const old = join(folder, 'bin');
    await mkdir(old);
    requireLine(await withPath(old, () => serve({})), /git is not in PATH: install Git 2\.39 or newer/);
    await writeFile(join(old, 'git'), '#!/bin/sh\necho git version 2.20.1\n', { mode: 0o755 });
    requireLine(await withPath(old, () => serve({})), /Git 2\.20\.1 is too old: install Git 2\.39 or newer/);
  });

  it('says what to do when an old Node runs it', async () => {
    const old = 'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"22.18.0"}})';
    const main = new URL('../../src/main.ts', import.meta.url).pathname;
    await assert.rejects(promisify(execFile)(process.execPath, ['--import', old, main, 'serve']), (error: { stderr: string }) => {
      assert.match(error.stderr, /^copse: Node 22\.18\.0 is too old.*bin\/copse.*\n$/);
      return true;
    });
  });
});
