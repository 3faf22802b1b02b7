import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { packet } from '../../src/git/protocol/pkt-line.ts';
import { storedRef } from '../../src/git/refs/stored-refs.ts';
import { pushingServer, REQUEST, requireSound } from './pushing.ts';
import { onServer, workTree } from './work-tree.ts';

const { t, alice, bob, filled, laid } = await pushingServer();

describe('fetching and pushing', () => {
  for (const format of ['sha1', 'sha256']) {
    it(`carries a ${format} repository there and back, with every version of the protocol`, async () => {
      const { tree, first, folder } = await filled(`format-${format}`, { object_format_name: format });
      assert.equal(folder.objectFormat, format);
      for (const version of ['0', '1', '2']) {
        const clone = `clone-${version}`;
        await tree.git('-c', `protocol.version=${version}`, 'clone', '-q', alice.remote(`alice/format-${format}`), clone);
        assert.equal(await tree.git('-C', clone, 'rev-parse', 'HEAD'), first);
      }
      const second = await tree.commit({ 'a.txt': 'a' });
      await tree.git('-c', 'protocol.version=0', 'push', '-q', 'origin', 'main');
      assert.equal(storedRef(folder, 'refs/heads/main'), second);
      await requireSound(folder.path);
    });
  }

  it('updates the row of the repository at the first push: its branch becomes the default one', async () => {
    await alice.must('POST', '/user/repos', { name: 'other-default', default_branch: 'main' });
    const tree = await workTree(t, alice, 'alice/other-default');
    await tree.commit({ 'a.txt': 'a' });
    await tree.git('push', '-q', 'origin', 'HEAD:refs/heads/dev');
    const { empty, default_branch } = await alice.must('GET', '/repos/alice/other-default');
    assert.deepEqual({ empty, default_branch }, { empty: false, default_branch: 'dev' });
    assert.match((await alice.get('//alice/other-default.git/HEAD')).text, /^ref: refs\/heads\/dev$/m);
  });

  it('keeps the count of branches', async () => {
    const { tree } = await filled('counted');
    await tree.git('push', '-q', 'origin', 'main:refs/heads/one', 'main:refs/heads/two', 'main:refs/tags/v1');
    await tree.git('push', '-q', 'origin', ':one');
    assert.equal((await onServer(t, 'alice', 'counted')).row.branches_count, 2);
  });

  it('emits events of branches and tags, with the options of the push', async () => {
    const { tree, row } = await filled('told');
    const seen: unknown[] = [];
    t.context.events.within('refs.changed', async (payload) => {
      if (payload.repositoryId === row.id) seen.push(payload);
    });
    const second = await tree.commit({ 'b.txt': 'b' });
    await tree.git('push', '-q', '-o', 'ci.skip', 'origin', 'main', 'main:refs/notes/x');
    const [first] = (await tree.git('rev-parse', 'HEAD~1')).split('\n');
    const updates = [{ ref: 'refs/heads/main', oldId: first, newId: second }];
    assert.deepEqual(seen, [{ repositoryId: row.id, actorId: row.owner_id, updates, pushOptions: { 'ci.skip': 'true' } }]);
    assert.deepEqual(await t.context.db.selectFrom('ref_moves').selectAll().execute(), []);
  });

  it('takes a packed body, and none that unpacks to more than it may have', async () => {
    const { folder, first } = await laid('gzip');
    const push = (body: Buffer) =>
      alice.post('//alice/gzip.git/git-receive-pack', undefined, {
        raw: gzipSync(body),
        type: REQUEST,
        headers: { 'content-encoding': 'gzip' },
      });
    const command = packet(`${'0'.repeat(40)} ${first} refs/heads/packed\0report-status`);
    const emptyPack = Buffer.concat([
      Buffer.from('PACK\0\0\0\x02\0\0\0\0'),
      Buffer.from('029d08823bd8a8eab510ad6ac75c823cfd3ed31e', 'hex'),
    ]);
    const response = await push(Buffer.concat([command, Buffer.from('0000'), emptyPack]));
    assert.match(response.text, /unpack ok/);
    assert.equal(storedRef(folder, 'refs/heads/packed'), first);
    const bomb = await push(Buffer.alloc(8 * 1024 * 1024));
    assert.notEqual(bomb.status, 500);
    const garbage = await alice.post('//alice/gzip.git/git-receive-pack', undefined, {
      raw: 'no gzip',
      type: REQUEST,
      headers: { 'content-encoding': 'gzip' },
    });
    assert.ok(garbage.status < 500, String(garbage.status));
    assert.equal((await alice.get('/version')).status, 200);
  });

  it('refuses a pack that is larger than it may be, and keeps nothing of it', async () => {
    const { tree, folder } = await filled('large');
    await tree.commit({ 'noise.txt': randomBytes(3_000_000).toString('base64') });
    const { code, stderr } = await tree.run('push', 'origin', 'main');
    assert.notEqual(code, 0, stderr);
    assert.deepEqual(
      (await readdir(join(folder.path, 'objects'))).filter((name) => name.startsWith('tmp')),
      [],
    );
  });

  it('makes a repository by a push where the settings allow it, private', async () => {
    const tree = await workTree(t, alice, 'alice/made-by-push');
    const id = await tree.commit({ 'a.txt': 'a' });
    await tree.git('push', '-q', 'origin', 'main');
    const { row, folder } = await onServer(t, 'alice', 'made-by-push');
    assert.equal(row.is_private, true);
    assert.equal(storedRef(folder, 'refs/heads/main'), id);
    const elsewhere = await workTree(t, bob, 'alice/not-yours');
    await elsewhere.commit({ 'a.txt': 'a' });
    assert.match((await elsewhere.run('push', 'origin', 'main')).stderr, /Repository not found/);
  });

  it('serves no files of the repository, whatever asks for them', async () => {
    const { first } = await laid('dumb');
    for (const path of [`objects/${first.slice(0, 2)}/${first.slice(2)}`, 'objects/info/packs', 'objects/../config']) {
      const response = await alice.get(`//alice/dumb.git/${path}`);
      assert.ok(response.status === 403 || response.status === 404, `${path}: ${response.status}`);
    }
    assert.equal((await alice.get('//alice/dumb.git/config')).status, 404);
  });
});

describe('who gets in', () => {
  it('the scope of a token counts on git, whichever header it comes in', async () => {
    await laid('scoped', { private: true });
    const reading = await alice.token(['read:repository']);
    const writing = await alice.token(['write:repository']);
    const other = await alice.token(['write:issue']);
    const publicOnly = await alice.token(['public-only', 'write:repository']);
    const upload = '//alice/scoped.git/info/refs?service=git-upload-pack';
    const receive = '//alice/scoped.git/info/refs?service=git-receive-pack';
    for (const scheme of ['token', 'Bearer', 'Basic']) {
      const status = async (token: typeof reading, path: string) => {
        const value = scheme === 'Basic' ? Buffer.from(`x:${token.password}`).toString('base64') : token.password;
        return (await t.anonymous.get(path, { headers: { authorization: `${scheme} ${value}` } })).status;
      };
      assert.equal(await status(reading, upload), 200, scheme);
      assert.equal(await status(reading, receive), 403, scheme);
      assert.equal(await status(writing, receive), 200, scheme);
      assert.equal(await status(other, upload), 403, scheme);
      assert.equal(await status(publicOnly, upload), 403, scheme);
    }
  });

  it('a token for public things does not tell a private repository of others from a missing one', async () => {
    await laid('unseen', { private: true });
    const stranger = await (await t.user('passer-by')).token(['public-only', 'write:repository']);
    for (const service of ['git-upload-pack', 'git-receive-pack']) {
      const response = (name: string) => stranger.get(`//alice/${name}.git/info/refs?service=${service}`);
      const [hidden, missing] = [await response('unseen'), await response('absent')];
      assert.deepEqual([hidden.status, hidden.text], [missing.status, missing.text]);
      assert.ok(hidden.status >= 400);
    }
  });

  it('a renamed repository leads only those to its new name who may see it', async () => {
    const { tree } = await filled('before', { private: true });
    const { row } = await onServer(t, 'alice', 'before');
    await t.context.db.updateTable('repositories').set({ name: 'after', lower_name: 'after' }).where('id', '=', row.id).execute();
    await t.context.db
      .insertInto('repository_redirects')
      .values({ owner_id: row.owner_id, lower_name: 'before', repository_id: row.id })
      .execute();
    const path = '//alice/before.git/info/refs?service=git-upload-pack';
    const moved = await alice.get(path);
    assert.deepEqual([moved.status, moved.headers.get('location')], [301, '/alice/after/info/refs?service=git-upload-pack']);
    await tree.git('fetch', '-q', 'origin');
    // It gets its name while a push is being sent: git follows no redirect then.
    const types = { type: REQUEST, raw: Buffer.from('0000') };
    assert.equal((await alice.post('//alice/before.git/git-receive-pack', undefined, types)).status, 200);
    assert.equal((await bob.post('//alice/before.git/git-receive-pack', undefined, types)).status, 404);
    for (const client of [t.anonymous, bob]) {
      const response = await client.get(path);
      assert.equal(response.status, client === bob ? 404 : 401);
      assert.ok(!response.text.includes('after') && !response.headers.get('location'));
    }
  });

  it('asks for credentials, in the realm that credential managers know', async () => {
    await laid('closed', { private: true });
    const response = await t.anonymous.get('//alice/closed.git/info/refs?service=git-upload-pack');
    assert.deepEqual(
      [response.status, response.headers.get('www-authenticate'), response.text],
      [401, 'Basic realm="Gitea"', 'Unauthorized\n'],
    );
    const wrong = { authorization: `Basic ${Buffer.from('alice:wrong').toString('base64')}` };
    assert.equal((await t.anonymous.get('//alice/closed.git/info/refs?service=git-upload-pack', { headers: wrong })).status, 401);
  });

  it('asks again when the push is there: who has lost the right meanwhile is refused', async () => {
    const { row } = await laid('revoked');
    const { id } = await bob.must('GET', '/user');
    const right = { repository_id: row.id, user_id: id, access_level: 2 as const, created_at: 1 };
    await t.context.db.insertInto('collaborations').values(right).execute();
    const tree = await workTree(t, bob, 'alice/revoked');
    await tree.git('fetch', '-q', 'origin');
    await tree.commit({ 'a.txt': 'a' });
    await tree.git('push', '-q', 'origin', 'HEAD:refs/heads/bob');
    await t.context.db.deleteFrom('collaborations').where('user_id', '=', id).execute();
    const { code, stderr } = await tree.run('push', 'origin', 'HEAD:refs/heads/bob-2');
    assert.equal(code, 1);
    assert.match(stderr, /error: User permission denied for writing\./);
  });

  it('lets nobody fetch what the repository has no unit for', async () => {
    const { row, folder } = await laid('no-code');
    const wiki = t.context.git.locateWiki(row);
    await cp(folder.path, wiki.path, { recursive: true });
    const status = async (name: string) => (await t.anonymous.get(`//alice/${name}/info/refs?service=git-upload-pack`)).status;
    assert.deepEqual([await status('no-code.git'), await status('no-code.wiki.git')], [200, 200]);
    await alice.must('PATCH', '/repos/alice/no-code', { has_code: false });
    assert.deepEqual([await status('no-code.git'), await status('no-code.wiki.git')], [403, 200]);
    const fetched = await t.anonymous.post('//alice/no-code.git/git-upload-pack', undefined, {
      raw: '0000',
      type: 'application/x-git-upload-pack-request',
    });
    assert.equal(fetched.status, 403);
    await alice.must('PATCH', '/repos/alice/no-code', { has_code: true, has_wiki: false });
    assert.deepEqual([await status('no-code.git'), await status('no-code.wiki.git')], [200, 403]);
  });

  it('lets nobody push to an archived repository or a mirror', async () => {
    const { tree, row } = await filled('still');
    await tree.commit({ 'a.txt': 'a' });
    for (const [column, message] of [
      ['is_archived', /This repo is archived/],
      ['is_mirror', /mirror repository is read-only/],
    ] as const) {
      await t.context.db
        .updateTable('repositories')
        .set({ [column]: true })
        .where('id', '=', row.id)
        .execute();
      assert.match((await tree.run('push', 'origin', 'main')).stderr, message);
      // That it is archived can be seen by everybody, who writes to a mirror has to sign in first.
      const asked = await t.anonymous.get('//alice/still.git/info/refs?service=git-receive-pack');
      assert.equal(asked.status, column === 'is_archived' ? 403 : 401);
      await t.context.db
        .updateTable('repositories')
        .set({ [column]: false })
        .where('id', '=', row.id)
        .execute();
    }
  });
});
