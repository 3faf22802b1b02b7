// On SQLite alone: the registry's own tests cover both databases
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { testServer } from '../../support/server.ts';
import { tar, zip } from '../support/archives.ts';
import { digestsOf, registry } from '../support/registry.ts';
import { addUpstream } from '../support/upstream.ts';
import { runProgram, withoutProgram } from './program.ts';

const upstream = await testServer();
const t = await testServer({ packages: { upstreams: 'owners' }, outgoing: { allowedHosts: ['loopback'] } });
const publisher = await upstream.user('publisher', { visibility: 'private' });
const acme = await t.user('acme');
const { password: token } = await publisher.token(['write:package']);
const { password: reading } = await acme.token(['read:package']);
const common = { allow: ['**'], username: 'publisher', password: token };

it('npm installs packages of another Copse, with their dependencies', { skip: withoutProgram('npm') }, async () => {
  const theirs = `${upstream.url}api/packages/publisher/npm/`;
  const ours = `${t.url}api/packages/acme/npm/`;
  await addUpstream(acme, 'acme', { type: 'npm', url: theirs, ...common });
  const folder = async (name: string, manifest: Record<string, unknown>, registry: string, secret: string) => {
    const cwd = join(t.folder, name);
    await mkdir(cwd);
    await writeFile(join(cwd, '.npmrc'), `registry=${registry}\n${registry.replace(/^http:/, '')}:_authToken=${secret}\n`);
    await writeFile(join(cwd, 'package.json'), JSON.stringify({ version: '1.0.0', ...manifest }));
    return (...args: string[]) => runProgram('npm', [...args, '--no-audit', '--no-fund', '--no-update-notifier'], { cwd });
  };
  await (await folder('base', { name: '@base/part' }, theirs, token))('publish');
  await (await folder('whole', { name: 'whole', dependencies: { '@base/part': '^1.0.0' } }, theirs, token))('publish');
  const user = await folder('user', { name: 'user' }, ours, reading);
  await user('install', 'whole');
  const installed = JSON.parse(await readFile(join(t.folder, 'user/node_modules/@base/part/package.json'), 'utf8'));
  assert.equal(installed.version, '1.0.0');
  const lock = await readFile(join(t.folder, 'user/package-lock.json'), 'utf8');
  assert.ok(lock.includes(ours) && !lock.includes(theirs));
});

it('pip installs wheels of another Copse', { skip: withoutProgram('pip') }, async () => {
  await addUpstream(acme, 'acme', { type: 'pypi', url: `${upstream.url}api/packages/publisher/pypi/simple`, ...common });
  const wheel = zip({
    'there.py': 'x = 1',
    'there-1.0.dist-info/METADATA': 'Metadata-Version: 2.1\nName: there\nVersion: 1.0\n',
    'there-1.0.dist-info/WHEEL': 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    'there-1.0.dist-info/RECORD': 'there.py,,\nthere-1.0.dist-info/METADATA,,\nthere-1.0.dist-info/WHEEL,,\nthere-1.0.dist-info/RECORD,,\n',
  });
  const form = new FormData();
  for (const [name, value] of Object.entries({ name: 'there', version: '1.0', sha256_digest: digestsOf(wheel).sha256 }))
    form.append(name, value);
  form.append('content', new Blob([Uint8Array.from(wheel)]), 'there-1.0-py3-none-any.whl');
  assert.equal((await publisher.send('POST', '//api/packages/publisher/pypi/', { form })).status, 201);
  const cwd = join(t.folder, 'pip');
  await mkdir(cwd);
  const index = new URL('api/packages/acme/pypi/simple', t.url);
  index.username = 'acme';
  index.password = reading;
  await runProgram('pip', ['install', '--isolated', '--no-cache-dir', '--index-url', index.href, '--target', 'out', 'there'], { cwd });
  assert.equal(await readFile(join(cwd, 'out/there.py'), 'utf8'), 'x = 1');
});

it('go downloads modules of another Copse', { skip: withoutProgram('go') }, async () => {
  await addUpstream(acme, 'acme', { type: 'go', url: `${upstream.url}api/packages/publisher/go`, ...common, anonymous_fetches: true });
  const name = 'example.com/Away/tool';
  const files = { 'go.mod': `module ${name}\n\ngo 1.20\n`, 'tool.go': 'package tool\n\nconst Version = 1\n' };
  const archive = zip(Object.fromEntries(Object.entries(files).map(([path, text]) => [`${name}@v1.0.0/${path}`, text])));
  assert.equal((await registry('publisher').put(publisher, 'go/upload', archive)).status, 201);
  const cwd = join(t.folder, 'go');
  await mkdir(cwd);
  await writeFile(join(cwd, 'go.mod'), 'module example.com/main\n\ngo 1.20\n');
  await writeFile(join(cwd, 'main.go'), `package main\n\nimport "${name}"\n\nfunc main() { print(tool.Version) }\n`);
  // Go sends credentials over HTTPS alone.
  const env = { GOPROXY: `${t.url}api/packages/acme/go`, GONOSUMDB: '*', GOFLAGS: '-mod=mod -modcacherw', GOTOOLCHAIN: 'local' };
  await runProgram('go', ['get', `${name}@latest`], { cwd, env });
  assert.match(await runProgram('go', ['list', '-m', name], { cwd, env }), /v1\.0\.0/);
});

it('images of another Copse are pulled, whose tokens are asked for', async () => {
  await addUpstream(acme, 'acme', { type: 'container', url: upstream.url, ...common });
  const push = (method: string, path: string, raw: string, type: string) =>
    publisher.send(method, `//v2/publisher/app/${path}`, { raw, type });
  const digest = (content: string) => `sha256:${digestsOf(content).sha256}`;
  const descriptor = (content: string, mediaType: string) => ({ mediaType, digest: digest(content), size: content.length });
  for (const content of ['{}', 'layer']) {
    assert.equal((await push('POST', `blobs/uploads/?digest=${digest(content)}`, content, 'application/octet-stream')).status, 201);
  }
  const mediaType = 'application/vnd.oci.image.manifest.v1+json';
  const config = descriptor('{}', 'application/vnd.oci.image.config.v1+json');
  const manifest = { schemaVersion: 2, mediaType, config, layers: [descriptor('layer', 'application/vnd.oci.image.layer.v1.tar')] };
  assert.equal((await push('PUT', 'manifests/1.0', JSON.stringify(manifest), mediaType)).status, 201);
  const pulled = await acme.get('//v2/acme/publisher/app/manifests/1.0');
  assert.deepEqual([pulled.status, pulled.json], [200, manifest]);
  assert.equal((await acme.get(`//v2/acme/publisher/app/blobs/${digest('layer')}`)).text, 'layer');
  assert.deepEqual((await acme.get('//v2/acme/publisher/app/tags/list')).json.tags, ['1.0']);
});

it('cargo fetches crates of another Copse', { skip: withoutProgram('cargo') }, async () => {
  await addUpstream(acme, 'acme', {
    type: 'cargo',
    url: `${upstream.url}api/packages/publisher/cargo`,
    ...common,
    anonymous_fetches: true,
  });
  const crate = gzipSync(
    await tar({
      'away-1.0.0/Cargo.toml': '[package]\nname = "away"\nversion = "1.0.0"\nedition = "2021"\n',
      'away-1.0.0/src/lib.rs': 'pub const X: u8 = 1;\n',
    }),
  );
  const metadata = Buffer.from(JSON.stringify({ name: 'away', vers: '1.0.0', deps: [], features: {}, authors: [], license: 'MIT' }));
  const length = (bytes: Buffer) => {
    const written = Buffer.alloc(4);
    written.writeUInt32LE(bytes.length);
    return written;
  };
  const body = Buffer.concat([length(metadata), metadata, length(crate), crate]);
  assert.equal((await registry('publisher').put(publisher, 'cargo/api/v1/crates/new', body)).status, 200);
  const cwd = join(t.folder, 'cargo');
  await mkdir(join(cwd, 'src'), { recursive: true });
  await mkdir(join(cwd, '.cargo'));
  const index = `sparse+${t.url}api/packages/acme/cargo/`;
  const config = `[source.crates-io]\nreplace-with = "acme"\n[source.acme]\nregistry = "${index}"\n`;
  await writeFile(join(cwd, '.cargo/config.toml'), config);
  await writeFile(join(cwd, 'Cargo.toml'), '[package]\nname = "user"\nversion = "1.0.0"\nedition = "2021"\n[dependencies]\naway = "1"\n');
  await writeFile(join(cwd, 'src/main.rs'), 'fn main() {}\n');
  const { RUSTUP_HOME = join(homedir(), '.rustup') } = process.env;
  await runProgram('cargo', ['fetch'], { cwd, env: { RUSTUP_HOME } });
  assert.match(await readFile(join(cwd, 'Cargo.lock'), 'utf8'), new RegExp(`checksum = "${digestsOf(crate).sha256}"`));
});
