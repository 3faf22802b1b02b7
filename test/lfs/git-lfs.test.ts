import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { Client } from '../support/client.ts';
import { testServer } from '../support/server.ts';
import { workTree } from '../transport/work-tree.ts';
import { download, largeFile } from './objects.ts';

// On SQLite alone: what this asks of the database is asked of both by others.

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');

/** A clone with large files under `*.dat`, of a new repository. */
async function tracked(owner: Client, name: string) {
  await owner.must('POST', '/user/repos', { name, private: true, default_branch: 'main' });
  const tree = await workTree(t, owner, `${owner.name}/${name}`);
  await tree.git('lfs', 'install', '--local');
  await tree.git('lfs', 'track', '*.dat');
  return tree;
}

async function clone(client: Client, repository: string) {
  const folder = await mkdtemp(join(t.folder, 'clone-'));
  const install = [
    '-c',
    'filter.lfs.smudge=git-lfs smudge -- %f',
    '-c',
    'filter.lfs.process=git-lfs filter-process',
    '-c',
    'filter.lfs.required=true',
  ];
  const cloned = await client.git([...install, 'clone', '-q', client.remote(repository), folder], t.folder);
  assert.equal(cloned.code, 0, cloned.stderr);
  return folder;
}

function isInstalled(): boolean {
  try {
    execFileSync('git', ['lfs', 'version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('git-lfs', { skip: !isInstalled() && 'git-lfs is not installed here' }, () => {
  it('pushes and clones', async () => {
    const tree = await tracked(alice, 'art');
    const content = randomBytes(3_000_000);
    await writeFile(join(tree.folder, 'big.dat'), content);
    await tree.commit({ 'small.txt': 'small\n', 'empty.dat': '' });
    await tree.git('push', '-q', 'origin', 'main');
    assert.deepEqual((await download(alice, 'alice/art', largeFile(content).oid)).bytes, content);
    const folder = await clone(alice, 'alice/art');
    assert.deepEqual(await readFile(join(folder, 'big.dat')), content);
    // A push of what is there sends nothing again.
    const again = await tree.run('lfs', 'push', '--all', 'origin');
    assert.equal(again.code, 0, again.stderr);
    const token = await alice.token(['write:repository']);
    await tree.git('remote', 'set-url', 'origin', token.remote('alice/art'));
    await tree.commit({ 'more.dat': 'more' });
    await tree.git('push', '-q', 'origin', 'main');
  });

  it('goes on with a download that broke off', async () => {
    const tree = await tracked(alice, 'broken');
    const content = randomBytes(2_000_000);
    await writeFile(join(tree.folder, 'big.dat'), content);
    await tree.commit({});
    await tree.git('push', '-q', 'origin', 'main');
    const ranges: (string | undefined)[] = [];
    const proxy = createServer((incoming, response) => {
      const isObject = /objects\/[0-9a-f]{64}$/.test(incoming.url ?? '') && incoming.method === 'GET';
      if (isObject) ranges.push(incoming.headers.range);
      const forwarded = request(new URL(incoming.url ?? '', t.url), { method: incoming.method, headers: incoming.headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        if (!isObject || ranges.length > 1) answer.pipe(response);
        else answer.once('data', (chunk: Buffer) => response.write(chunk, () => response.socket?.end()));
      });
      incoming.pipe(forwarded);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    after(() => proxy.close());
    const through = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/alice/broken.git/info/lfs`;
    await rm(join(tree.folder, '.git', 'lfs', 'objects'), { recursive: true });
    await rm(join(tree.folder, 'big.dat'));
    const root = t.server.services.settings.server.rootUrl;
    const settings = [
      '-c',
      `lfs.url=${through}`,
      '-c',
      `url.${new URL(through).origin}/.insteadOf=${root}`,
      '-c',
      'lfs.transfer.enablehrefrewrite=true',
    ];
    const fetched = await tree.run(
      ...settings,
      '-c',
      `credential.helper=!f() { echo username=alice; echo password=${alice.password}; }; f`,
      'lfs',
      'pull',
    );
    assert.equal(fetched.code, 0, fetched.stderr);
    assert.deepEqual(await readFile(join(tree.folder, 'big.dat')), content);
    assert.equal(ranges[0], undefined);
    assert.match(ranges.find((range) => range !== undefined) ?? '', /^bytes=[1-9]\d*-/);
  });

  it('locks and unlocks', async () => {
    const tree = await tracked(alice, 'locked');
    await tree.commit({ 'a.dat': 'one' });
    await tree.git('push', '-q', 'origin', 'main');
    await alice.must('PUT', '/repos/alice/locked/collaborators/bob', { permission: 'write' });
    await tree.git('lfs', 'lock', 'a.dat');
    assert.match(await tree.git('lfs', 'locks'), /^a\.dat\s+alice\s+ID:\d+/);
    const folder = await clone(bob, 'alice/locked');
    await bob.git(['lfs', 'install', '--local'], folder);
    const refused = await bob.git(['lfs', 'unlock', 'a.dat'], folder);
    assert.notEqual(refused.code, 0);
    const locked = await bob.git(['lfs', 'lock', 'a.dat'], folder);
    assert.match(locked.stderr + locked.stdout, /already created lock/);
    // His client keeps him from pushing what alice has locked.
    await writeFile(join(folder, 'a.dat'), 'two');
    await bob.git(['commit', '-qam', 'Two'], folder);
    const settings = ['-c', `lfs.${bob.remote('alice/locked')}/info/lfs.locksverify=true`];
    const pushed = await bob.git([...settings, 'push', '-q', 'origin', 'main'], folder);
    assert.notEqual(pushed.code, 0);
    assert.match(pushed.stderr, /locked files/);
    await tree.git('lfs', 'unlock', 'a.dat');
    const after = await bob.git([...settings, 'push', '-q', 'origin', 'main'], folder);
    assert.equal(after.code, 0, after.stderr);
  });

  it('is told what is wrong with a damaged file, and who may not push', async () => {
    const tree = await tracked(alice, 'damaged');
    const content = randomBytes(1000);
    await writeFile(join(tree.folder, 'a.dat'), content);
    await tree.commit({});
    const { oid } = largeFile(content);
    const object = join(tree.folder, '.git', 'lfs', 'objects', oid.slice(0, 2), oid.slice(2, 4), oid);
    await execFileSync('chmod', ['u+w', object]);
    await writeFile(object, randomBytes(1000));
    const pushed = await tree.run('push', '-q', 'origin', 'main');
    // The client takes every 422 for a fault of the Content-Type.
    assert.match(pushed.stderr, /Uploading failed/);
    assert.equal((await download(alice, 'alice/damaged', oid)).status, 404);
    await tree.git('remote', 'set-url', 'origin', bob.remote('alice/damaged'));
    const refused = await tree.run('lfs', 'push', '--all', 'origin');
    assert.notEqual(refused.code, 0);
  });
});
