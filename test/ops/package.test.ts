// On SQLite alone: what runs here is a package, with a database of its own.
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { archive } from '../../scripts/package/archive.ts';
import { textEntry } from '../../scripts/package/entry.ts';
import { licenseList } from '../../scripts/package/modules.ts';
import { toJavaScript } from '../../scripts/package/program.ts';
import { eventually } from '../support/eventually.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const PASSWORD = 'a-good-Passw0rd';
const NEEDS = 'COPSE_TEST_PACKAGE';
const withoutPackage = process.env[NEEDS] ? false : `makes a package of the last commit, which takes half a minute: ${NEEDS}=1`;

describe('a package', () => {
  it('has the program without types, on the same lines', () => {
    const source =
      "import type { A } from '../../src/a.ts';\nimport { b } from '../../src/b.ts';\n\nconst task = new URL('./c-task.ts', import.meta.url);\n";
    const stripped = "\nimport { b } from '../../src/b.js';\n\nconst task = new URL('./c-task.js', import.meta.url);\n";
    assert.equal(toJavaScript(source).replace(/ +$/gm, ''), stripped);
    assert.equal(toJavaScript("const isSource = name.endsWith('.ts');\n"), "const isSource = name.endsWith('.ts');\n");
  });

  it('has the same bytes for the same files', async () => {
    const time = new Date('2026-01-02T03:04:05Z');
    const entries = [
      textEntry('b/two', 'two'),
      { ...textEntry('one', 'one'), isExecutable: true },
      { ...textEntry('link', ''), link: 'one' },
    ];
    const packed = await archive('copse', entries, time);
    assert.deepEqual(await archive('copse', entries.toReversed(), time), packed);
    const headers: object[] = [];
    const reader = extract();
    reader.on('entry', ({ name, mode, uid, mtime, linkname }, content, next) => {
      headers.push([name, mode, uid, mtime?.toISOString(), linkname]);
      content.resume().on('end', next);
    });
    await once(Readable.from([gunzipSync(packed)]).pipe(reader), 'finish');
    assert.deepEqual(headers, [
      ['copse/b/two', 0o644, 0, '2026-01-02T03:04:05.000Z', null],
      ['copse/link', 0o777, 0, '2026-01-02T03:04:05.000Z', 'one'],
      ['copse/one', 0o755, 0, '2026-01-02T03:04:05.000Z', null],
    ]);
  });

  it('says what licenses are in it', () => {
    const [path, entries] = ['node_modules/x', [textEntry('node_modules/x/LICENSE.txt', ''), textEntry('node_modules/x/x.js', '')]];
    const text = licenseList([{ path, name: 'x', version: '1.2.3', license: 'MIT', isNative: false, entries }]);
    assert.match(text, /\n\nx 1\.2\.3\n {2}MIT\n {2}node_modules\/x\/LICENSE\.txt\n$/);
  });

  it('runs where nothing is installed and no registry is reached', { skip: withoutPackage }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'copse-package-test-'));
    after(() => rm(folder, { recursive: true, force: true }));
    await run(process.execPath, [join(ROOT, 'scripts/package.ts'), '--kind', 'platform', '--out', folder], { cwd: ROOT });
    await run('sha256sum', ['--check', 'SHA256SUMS'], { cwd: folder });
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    const name = `copse-${version}-${process.platform}-${process.arch}`;
    const { stdout: list } = await run('tar', ['-tzf', `${name}.tar.gz`], { cwd: folder, maxBuffer: 2 ** 24 });
    const files = new Set(list.split('\n'));
    assert.deepEqual(
      [...files].filter((file) => /^[^/]+\/(?:test|bench|scripts)\/|\.(?:test\.[cm]?js|ts|map)$/.test(file)),
      [],
    );
    await run('tar', ['-xzf', `${name}.tar.gz`], { cwd: folder });
    const root = join(folder, name);
    assert.deepEqual(await missingImports(root, files), []);
    await serveAndPush(folder, join(root, 'bin/copse'), version);
  });
});

/** The files of the program that others name, and that are not there. */
async function missingImports(root: string, files: ReadonlySet<string>): Promise<string[]> {
  const missing: string[] = [];
  for (const file of files) {
    const path = file.slice(file.indexOf('/') + 1);
    if (!/^src\/.*\.js$/.test(path)) continue;
    const text = await readFile(join(root, path), 'utf8');
    for (const [, name = ''] of text.replace(/^ *\/?\*.*$/gm, '').matchAll(/'(\.{1,2}\/[^'\n]+\.js)'/g)) {
      const target = new URL(name, `file:///${path}`).pathname.slice(1);
      if (!files.has(`${file.slice(0, file.indexOf('/'))}/${target}`)) missing.push(`${path} -> ${target}`);
    }
  }
  return missing;
}

async function serveAndPush(folder: string, program: string, version: string): Promise<void> {
  const home = join(folder, 'home');
  await mkdir(home);
  const port = await freePort();
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    npm_config_registry: 'http://127.0.0.1:1',
    COPSE_DATA_DIR: join(folder, 'data'),
    COPSE_PORT: String(port),
    COPSE_SSH_PORT: '0',
    COPSE_ADMIN_USERNAME: 'root',
    COPSE_ADMIN_PASSWORD: PASSWORD,
  };
  assert.equal((await run(program, ['--version'], { env })).stdout, `copse ${version}\n`);
  const child = spawn(program, ['serve'], { env, stdio: 'ignore', cwd: home });
  after(() => child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}`;
  const isHealthy = async () => (await fetch(`${url}/api/healthz`).catch(() => undefined))?.ok === true;
  await eventually(async () => (await isHealthy()) || child.exitCode !== null);
  assert.ok(await isHealthy());
  const authorization = `Basic ${Buffer.from(`root:${PASSWORD}`).toString('base64')}`;
  const headers = { authorization, 'content-type': 'application/json' };
  const created = await fetch(`${url}/api/v1/user/repos`, { method: 'POST', headers, body: JSON.stringify({ name: 'hello' }) });
  assert.equal(created.status, 201);
  const git = (...args: string[]) => run('git', args, { env: { ...env, GIT_CONFIG_NOSYSTEM: '1' }, cwd: home });
  await git('init', '--quiet', '--initial-branch', 'main');
  await git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--allow-empty', '--message', 'first');
  await git('push', '--quiet', `http://root:${PASSWORD}@127.0.0.1:${port}/root/hello.git`, 'main');
  assert.equal((await fetch(`${url}/api/v1/repos/root/hello/branches/main`, { headers })).status, 200);
  assert.equal(await stop(child), 0);
}

async function stop(child: ChildProcess): Promise<number | null> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const [code] = await ended;
  return code;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  assert.ok(typeof address === 'object' && address);
  return address.port;
}
