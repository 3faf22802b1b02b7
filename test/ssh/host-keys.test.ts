// On SQLite alone: keys of the host are files.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openHostKeys } from '../../src/ssh/host-keys.ts';
import { StartError } from '../../src/start-error.ts';
import { afterwards } from '../support/afterwards.ts';
import { testServer } from '../support/server.ts';

const folder = await mkdtemp(join(tmpdir(), 'copse-keys-'));
afterwards(() => rm(folder, { recursive: true, force: true }));

describe('the host keys', () => {
  it('are one set, which only its user can read, when two servers start at once', async () => {
    const place = join(folder, 'keys');
    const [one, two] = await Promise.all([openHostKeys(place), openHostKeys(place)]);
    assert.deepEqual(one, two);
    assert.deepEqual(
      one.map(({ path }) => path.slice(place.length)),
      ['/ssh_host_ecdsa_key', '/ssh_host_ed25519_key', '/ssh_host_rsa_key'],
    );
    for (const { path, privateKey } of one) {
      assert.match(privateKey.toString(), /^-----BEGIN OPENSSH PRIVATE KEY-----/);
      assert.equal((await stat(path)).mode & 0o777, 0o600);
    }
    assert.deepEqual(await readdir(folder), ['keys']);
    assert.deepEqual(await openHostKeys(place), one);
  });

  it('are missed in a folder that has none', async () => {
    await mkdir(join(folder, 'none'));
    await assert.rejects(openHostKeys(join(folder, 'none')), /has no SSH host keys/);
  });
});

describe('a server without SSH', () => {
  it('tells the usual port, and that pushes can be pull requests', async () => {
    const t = await testServer();
    const alice = await t.user('alice');
    const { ssh_url } = await alice.must('POST', '/user/repos', { name: 'demo' });
    assert.equal(ssh_url, 'git@localhost:alice/demo.git');
    const info = await fetch(`${t.url}ssh_info`);
    assert.deepEqual([info.headers.get('content-type'), await info.text()], ['text/json;charset=UTF-8', '{"type":"agit","version":1}']);
  });
});

describe('the SSH port', () => {
  it('stands in addresses where it is not the usual one', async () => {
    const t = await testServer({ ssh: { server: 'embedded', port: 'free', hostKeys: join(folder, 'keys') } });
    const alice = await t.user('alice');
    const { port } = t.server.services.settings.ssh;
    assert.equal(typeof port, 'number');
    const { ssh_url } = await alice.must('POST', '/user/repos', { name: 'demo' });
    assert.equal(ssh_url, `ssh://git@localhost:${port}/alice/demo.git`);
  });

  it('is named when another program has it', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    afterwards(() => other.close());
    const { port } = other.address() as { port: number };
    const starting = testServer({ ssh: { server: 'embedded', port, hostKeys: join(folder, 'keys') } });
    await assert.rejects(starting, (error) => error instanceof StartError && error.message.includes(`port ${port} of 127.0.0.1`));
  });

  it('may be taken where it is not set', async () => {
    const other = createServer();
    // It is taken, by this listener or by another program.
    await new Promise<void>((resolve) => other.once('error', () => resolve()).listen(2222, '127.0.0.1', resolve));
    afterwards(() => other.close());
    const t = await testServer({ ssh: { server: 'embedded', port: 'auto', hostKeys: join(folder, 'keys') } });
    assert.equal((await t.anonymous.get('/version')).status, 200);
  });

  it('is served by the embedded server where OpenSSH cannot, unless that is wanted', async () => {
    const ssh = { port: 'free', hostKeys: join(folder, 'keys'), user: 'nobody-of-this-name' } as const;
    await testServer({ ssh: { ...ssh, server: 'auto' } });
    await assert.rejects(
      testServer({ ssh: { ...ssh, server: 'openssh' } }),
      /ssh\.user is nobody-of-this-name, and OpenSSH can serve only/,
    );
  });
});
