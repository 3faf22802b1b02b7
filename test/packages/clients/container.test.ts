// On SQLite alone: the registry's own tests cover both databases
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { type TestServer, testServer } from '../../support/server.ts';
import { tar } from '../support/archives.ts';
import { type Credential, makeFolder, privateOwner, runProgram, withoutClient } from './program.ts';

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const hostOf = (t: TestServer) => new URL(t.url).host;

it('crane pushes, copies, lists and deletes images', { skip: withoutClient('crane') }, async () => {
  const t = await testServer();
  const { name, password } = await t.user('alice');
  const host = hostOf(t);
  const cwd = await makeFolder(t, 'crane', { 'layer.tar': await tar({ 'greeting.txt': 'hello' }) });
  const crane = (...args: string[]) => runProgram('crane', args, { cwd });
  await crane('auth', 'login', host, '-u', name, '-p', password);
  await crane('append', '-f', 'layer.tar', '-t', `${host}/alice/app:v1`);
  await crane('copy', `${host}/alice/app:v1`, `${host}/alice/team/copy:v2`);
  await crane('index', 'append', '-m', `${host}/alice/app:v1`, '-t', `${host}/alice/app:all`);
  assert.equal(await crane('ls', `${host}/alice/app`), 'all\nv1\n');
  assert.equal(await crane('catalog', host), 'alice/app\nalice/team/copy\n');
  await crane('validate', '--remote', `${host}/alice/team/copy:v2`);
  await crane('export', `${host}/alice/team/copy:v2`, 'exported.tar');
  await crane('delete', `${host}/alice/team/copy:v2`);
  assert.equal(await crane('ls', `${host}/alice/team/copy`), '');
});

/** What signs in, pushes the image in the folder `image`, or a file, and pulls it into the folder `pulled`. */
interface ContainerClient {
  login(host: string, who: Credential): string[];
  push(host: string): string[];
  pull(host: string): string[];
}

const plain = '--plain-http';
/** Images need no signatures. */
const POLICY = JSON.stringify({ default: [{ type: 'insecureAcceptAnything' }] });
const CLIENTS: Readonly<Record<string, ContainerClient>> = {
  crane: {
    login: (host, { name, password }) => ['auth', 'login', host, '-u', name, '-p', password],
    push: (host) => ['append', '--insecure', '-f', 'layer.tar', '-t', `${host}/alice/app:v1`],
    pull: (host) => ['pull', '--insecure', `${host}/alice/app:v1`, 'pulled'],
  },
  skopeo: {
    login: (host, { name, password }) => ['login', '--tls-verify=false', '-u', name, '-p', password, host],
    push: (host) => ['copy', '--insecure-policy', '--dest-tls-verify=false', 'oci:image:v1', `docker://${host}/alice/app:v1`],
    pull: (host) => ['copy', '--insecure-policy', '--src-tls-verify=false', `docker://${host}/alice/app:v1`, 'oci:pulled:v1'],
  },
  buildah: {
    login: (host, { name, password }) => ['login', '--tls-verify=false', '-u', name, '-p', password, host],
    push: (host) => ['push', '--tls-verify=false', 'greeting', `docker://${host}/alice/app:v1`],
    pull: (host) => ['pull', '--tls-verify=false', '--policy=always', '--signature-policy=policy.json', `docker://${host}/alice/app:v1`],
  },
  podman: {
    login: (host, { name, password }) => ['login', '--tls-verify=false', '-u', name, '-p', password, host],
    push: (host) => ['push', '--tls-verify=false', 'greeting', `docker://${host}/alice/app:v1`],
    pull: (host) => ['pull', '--tls-verify=false', `docker://${host}/alice/app:v1`],
  },
  oras: {
    login: (host, { name, password }) => ['login', plain, host, '-u', name, '-p', password],
    push: (host) => ['push', plain, `${host}/alice/app:v1`, 'layer.tar:application/vnd.oci.image.layer.v1.tar'],
    pull: (host) => ['pull', plain, '-o', 'pulled', `${host}/alice/app:v1`],
  },
  regctl: {
    login: (host, { name, password }) => ['registry', 'login', host, '--skip-check', '-u', name, '-p', password],
    push: (host) => ['image', 'copy', 'ocidir://image:v1', `${host}/alice/app:v1`],
    pull: (host) => ['image', 'copy', `${host}/alice/app:v1`, 'ocidir://pulled:v1'],
  },
  helm: {
    login: (host, { name, password }) => ['registry', 'login', plain, host, '-u', name, '-p', password],
    push: (host) => ['push', plain, 'app-1.0.0.tgz', `oci://${host}/alice`],
    pull: (host) => ['pull', plain, `oci://${host}/alice/app`, '--version', '1.0.0', '-d', '.', '--untar'],
  },
};

for (const [client, { login, push, pull }] of Object.entries(CLIENTS)) {
  it(`${client} pushes to and pulls from a private account, and is refused`, {
    skip: withoutClient(client, ...(client === 'skopeo' ? ['regctl'] : [])),
  }, async () => {
    const t = await testServer();
    const host = hostOf(t);
    const { owner, refused, hidden } = await privateOwner(t, 'alice');
    let folders = 0;
    const as = async (who: Credential) => {
      const cwd = await makeFolder(t, `client-${++folders}`, {
        'layer.tar': await tar({ 'greeting.txt': 'hello' }),
        'policy.json': POLICY,
        '.config/containers/policy.json': POLICY,
        'storage.conf': `[storage]\ndriver = "vfs"\ngraphroot = "${join(t.folder, `images-${folders}`)}"\nrunroot = "${join(t.folder, `run-${folders}`)}"\n`,
        'registries.conf': `[[registry]]\nlocation = "${host}"\ninsecure = true\n`,
        'auth.json': '{}',
        'Chart.yaml': 'apiVersion: v2\nname: app\nversion: 1.0.0\n',
        '.regctl/config.json': JSON.stringify({ hosts: { [host]: { tls: 'disabled', hostname: host } } }),
      });
      const env = {
        XDG_RUNTIME_DIR: cwd,
        REGISTRY_AUTH_FILE: join(cwd, 'auth.json'),
        CONTAINERS_REGISTRIES_CONF: join(cwd, 'registries.conf'),
        REGCTL_CONFIG: join(cwd, '.regctl/config.json'),
        CONTAINERS_STORAGE_CONF: join(cwd, 'storage.conf'),
        STORAGE_DRIVER: 'vfs',
        BUILDAH_ISOLATION: 'chroot',
      };
      const run = (name: string, args: readonly string[]) => runProgram(name, args, { cwd, env });
      await prepare(client, run, cwd);
      return {
        cwd,
        push: () => run(client, login(host, who)).then(() => run(client, push(host))),
        pull: () => run(client, login(host, who)).then(() => run(client, pull(host))),
      };
    };
    const REFUSED = /40[13]|unauthorized|denied|invalid username/i;
    for (const [who, credential] of Object.entries(refused)) await assert.rejects((await as(credential)).push(), REFUSED, who);
    const first = await as(owner);
    await first.push();
    const tag = client === 'helm' ? '1.0.0' : 'v1';
    const { text } = await owner.send('GET', `//v2/alice/app/manifests/${tag}`, {
      headers: { accept: MANIFEST, authorization: `Basic ${Buffer.from(`${owner.name}:${owner.password}`).toString('base64')}` },
    });
    assert.equal(JSON.parse(text).layers.length, 1);
    for (const [who, credential] of Object.entries(hidden)) await assert.rejects((await as(credential)).pull(), REFUSED, who);
    const last = await as(owner);
    await last.pull();
    if (client === 'helm') assert.match(await readFile(join(last.cwd, 'app/Chart.yaml'), 'utf8'), /version: 1\.0\.0/);
  });
}

/** Makes what the client pushes. */
async function prepare(client: string, run: (name: string, args: readonly string[]) => Promise<string>, cwd: string): Promise<void> {
  if (client === 'skopeo' || client === 'regctl') {
    await run('regctl', ['image', 'create', 'ocidir://image:v1']);
    await run('regctl', ['image', 'mod', 'ocidir://image:v1', '--layer-add', 'tar=layer.tar', '--replace']);
  } else if (client === 'buildah') {
    const container = (await run('buildah', ['from', 'scratch'])).trim();
    await run('buildah', ['add', container, join(cwd, 'policy.json')]);
    await run('buildah', ['commit', '--signature-policy=policy.json', container, 'greeting']);
  } else if (client === 'podman') {
    await run('podman', ['import', 'layer.tar', 'greeting']);
  } else if (client === 'helm') {
    await run('tar', ['-czf', 'app-1.0.0.tgz', '--transform', 's,^,app/,', 'Chart.yaml']);
  }
}
