import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { onEachServer } from '../ssh/ssh.ts';
import { Client } from '../support/client.ts';
import { download, largeFile, MEDIA, upload } from './objects.ts';

// On SQLite alone: what this asks of the database is asked of both by others.

const runs = await onEachServer({}, async ({ t, client }) => {
  const [alice, bob] = await Promise.all([t.user('alice'), t.user('bob')]);
  const [alices, bobs, robots, builders] = [client('alice'), client('bob'), client('robot'), client('builder')];
  const { id } = await alice.must('POST', '/user/keys', { title: 'laptop', key: alices.publicKey });
  await bob.must('POST', '/user/keys', { title: 'laptop', key: bobs.publicKey });
  for (const name of ['art', 'other']) await alice.must('POST', '/user/repos', { name, private: true, default_branch: 'main' });
  await alice.must('POST', '/repos/alice/art/keys', { title: 'robot', key: robots.publicKey, read_only: true });
  await alice.must('POST', '/orgs', { username: 'studio' });
  await alice.must('POST', '/orgs/studio/repos', { name: 'film', private: true, default_branch: 'main' });
  await alice.must('POST', '/repos/studio/film/keys', { title: 'builder', key: builders.publicKey, read_only: false });
  return { t, alice, bob, alices, bobs, robots, builders, keyId: id };
});

const hasLfs = (() => {
  try {
    execFileSync('git', ['lfs', 'version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

for (const { name, skip, prepared } of runs) {
  describe(`large files by ${name}`, { skip }, () => {
    const { t, alice, alices, bobs, robots, builders, keyId } = prepared();

    for (const transfer of ['always', 'never']) {
      it(`go and come with the client, with SSH ${transfer}`, { skip: !hasLfs && 'git-lfs is not installed here' }, async () => {
        const tree = await alices.tree(alice, 'alice/art');
        await tree.git('lfs', 'install', '--local');
        await tree.git('config', 'lfs.sshtransfer', transfer);
        await tree.git('lfs', 'track', '*.dat');
        const content = randomBytes(500_000);
        await writeFile(join(tree.folder, `${transfer}.dat`), content);
        await tree.commit({});
        await tree.git('push', '-q', 'origin', `HEAD:refs/heads/${transfer}`);
        const { oid } = largeFile(content);
        assert.deepEqual((await download(alice, 'alice/art', oid)).bytes, content);
        await rm(join(tree.folder, '.git', 'lfs', 'objects'), { recursive: true });
        await rm(join(tree.folder, `${transfer}.dat`));
        await tree.git('lfs', 'pull');
        assert.deepEqual(await readFile(join(tree.folder, `${transfer}.dat`)), content);
        await tree.git('lfs', 'lock', `${transfer}.dat`);
        assert.match(await tree.git('lfs', 'locks'), new RegExp(`^${transfer}\\.dat\\s+alice`, 'm'));
        await tree.git('lfs', 'unlock', `${transfer}.dat`);
      });
    }

    for (const transfer of ['always', 'never']) {
      const title = `are locked by a deploy key for the owner of the repository, with SSH ${transfer}`;
      it(title, { skip: !hasLfs && 'git-lfs is not installed here' }, async () => {
        const tree = await builders.tree(alice, 'studio/film');
        await tree.git('lfs', 'install', '--local');
        await tree.git('config', 'lfs.sshtransfer', transfer);
        await tree.git('config', 'lfs.locksverify', 'true');
        await tree.git('lfs', 'track', '--lockable', '*.dat');
        const [ours, theirs] = ['ours', 'theirs'].map((whose) => `${transfer}-${whose}.dat`);
        assert.ok(ours && theirs);
        for (const file of [ours, theirs]) await writeFile(join(tree.folder, file), randomBytes(1000));
        await tree.commit({});
        await tree.git('push', '-q', 'origin', `HEAD:refs/heads/${transfer}`);
        const locks = '//studio/film.git/info/lfs/locks';
        const other = await alice.send('POST', locks, { json: { path: theirs }, headers: { accept: MEDIA } });
        assert.equal(other.status, 201);
        await tree.git('lfs', 'lock', ours);
        const list = async (...options: string[]) => (await tree.git('lfs', 'locks', ...options)).replaceAll(/ +|\tID:\d+/g, '').trim();
        assert.deepEqual((await list()).split('\n').sort(), [`${ours}\tstudio`, `${theirs}\talice`]);
        assert.deepEqual((await list('--verify')).split('\n').sort(), [`O${ours}\tstudio`, `${theirs}\talice`]);
        await assert.rejects(tree.git('lfs', 'lock', theirs), /lock/i);
        await assert.rejects(tree.git('lfs', 'unlock', theirs));
        await writeFile(join(tree.folder, theirs), randomBytes(1000));
        await tree.commit({});
        await assert.rejects(tree.git('push', '-q', 'origin', `HEAD:refs/heads/${transfer}`), /locked|alice/i);
        const unlock = `${locks}/${other.json.lock.id}/unlock`;
        assert.equal((await alice.send('POST', unlock, { json: {}, headers: { accept: MEDIA } })).status, 200);
        await tree.git('push', '-q', 'origin', `HEAD:refs/heads/${transfer}`);
        await tree.git('lfs', 'unlock', ours);
        assert.equal(await list(), '');
      });
    }

    it('have tokens that end with the key', async () => {
      const { code, stdout } = await alices.run('git-lfs-authenticate alice/art.git upload');
      assert.equal(code, 0);
      const { href, header } = JSON.parse(stdout);
      assert.match(href, /\/alice\/art\.git\/info\/lfs$/);
      const caller = new Client(() => t.url, { authorization: header.Authorization });
      const file = largeFile();
      assert.equal((await upload(caller, 'alice/art', file)).status, 200);
      assert.equal((await upload(caller, 'alice/other', file)).status, 401);
      const robot = await robots.run('git-lfs-authenticate alice/art.git download');
      const reading = new Client(() => t.url, { authorization: JSON.parse(robot.stdout).header.Authorization });
      assert.equal((await download(reading, 'alice/art', file.oid)).status, 200);
      assert.equal((await upload(reading, 'alice/art', file)).status, 401);
      await alice.must('DELETE', `/user/keys/${keyId}`);
      assert.equal((await download(caller, 'alice/art', file.oid)).status, 401);
    });

    it('are for who may reach the code', async () => {
      for (const command of ['git-lfs-authenticate', 'git-lfs-transfer']) {
        for (const operation of ['download', 'upload']) {
          const refused = await bobs.run(`${command} alice/art.git ${operation}`);
          assert.deepEqual([refused.code, refused.stdout], [1, ''], `${command} ${operation}`);
        }
        assert.equal((await robots.run(`${command} alice/art.git upload`)).code, 1);
        assert.equal((await robots.run(`${command} alice/other.git download`)).code, 1);
        assert.equal((await robots.run(`${command} alice/art.git sideways`)).code, 1);
        assert.equal((await robots.run(`${command} alice/art.wiki.git download`)).code, 1);
      }
    });
  });
}
