import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { Client } from '../support/client.ts';
import { testServer } from '../support/server.ts';
import { batch, download, inShort, largeFile, plain, upload, verify } from './objects.ts';

const t = await testServer();
const alice = await t.user('alice');
const writer = await t.user('writer');
const reader = await t.user('reader');
const stranger = await t.user('stranger');
const file = largeFile('secret\n');

before(async () => {
  for (const [name, isPrivate] of [
    ['open', false],
    ['closed', true],
    ['secret', true],
  ] as const) {
    await alice.must('POST', '/user/repos', { name, private: isPrivate });
    await alice.must('PUT', `/repos/alice/${name}/collaborators/writer`, { permission: 'write' });
    await alice.must('PUT', `/repos/alice/${name}/collaborators/reader`, { permission: 'read' });
  }
  await alice.must('DELETE', '/repos/alice/secret/collaborators/writer');
  assert.equal((await upload(alice, 'alice/closed', file)).status, 200);
});

const statusOf = async (response: Promise<{ status: number }>) => (await response).status;
const asked = (caller: Client, repository: string, operation: string, object = file) =>
  batch(caller, repository, operation, [plain(object)]);
/** A client that signs in with a token of these scopes, as git does. */
const withToken = async (user: Client, ...scopes: string[]) => {
  const { password } = await user.token(scopes);
  return new Client(() => t.url, { name: user.name, password });
};

describe('access to large files', () => {
  it('is that to the code', async () => {
    const rows: [Client, string, read: number, write: number][] = [
      [t.anonymous, 'alice/open', 200, 401],
      [stranger, 'alice/open', 200, 401],
      [reader, 'alice/open', 200, 401],
      [writer, 'alice/open', 200, 200],
      [t.anonymous, 'alice/closed', 401, 401],
      [stranger, 'alice/closed', 401, 401],
      [reader, 'alice/closed', 200, 401],
      [writer, 'alice/closed', 200, 200],
      [t.admin, 'alice/closed', 200, 200],
    ];
    for (const [caller, repository, read, write] of rows) {
      const what = `${caller.name} in ${repository}`;
      assert.equal(await statusOf(asked(caller, repository, 'download')), read, what);
      assert.equal(await statusOf(asked(caller, repository, 'upload')), write, what);
      assert.equal(await statusOf(upload(caller, repository, largeFile())), write, what);
      assert.equal(
        await statusOf(verify(caller, 'alice/closed', plain(file))),
        repository === 'alice/closed' ? write : caller === writer ? 200 : 401,
        what,
      );
      if (repository === 'alice/closed') assert.equal(await statusOf(download(caller, repository, file.oid)), read, what);
    }
  });

  it('asks for credentials in both headers', async () => {
    const { headers, json } = await asked(t.anonymous, 'alice/closed', 'download');
    assert.match(headers.get('lfs-authenticate') ?? '', /^Basic realm=/);
    assert.equal(headers.get('www-authenticate'), headers.get('lfs-authenticate'));
    assert.deepEqual(json, { Message: 'Unauthorized' });
    const wrong = new Client(() => t.url, { name: 'alice', password: 'wrong' });
    assert.equal(await statusOf(asked(wrong, 'alice/open', 'download')), 401);
  });

  it('does not tell strangers what there is', async () => {
    for (const caller of [t.anonymous, stranger]) {
      const [hidden, missing, nobody] = await Promise.all(
        ['alice/closed', 'alice/nothing', 'nobody/nothing'].map((name) => asked(caller, name, 'download')),
      );
      assert.deepEqual([hidden?.status, hidden?.text], [401, missing?.text]);
      assert.deepEqual([missing?.status, missing?.text], [nobody?.status, nobody?.text]);
    }
    assert.equal(await statusOf(asked(alice, 'alice/nothing', 'download')), 404);
    assert.equal(await statusOf(asked(alice, 'alice/open.wiki', 'download')), 404);
    assert.equal(await statusOf(asked(stranger, 'alice/open.wiki', 'download')), 401);
  });

  it('follows a name that the repository had, for those who see it', async () => {
    await alice.must('POST', '/user/repos', { name: 'before', private: true });
    await alice.must('PATCH', '/repos/alice/before', { name: 'after' });
    const moved = await asked(alice, 'alice/before', 'download');
    assert.equal(moved.status, 307);
    assert.match(moved.headers.get('location') ?? '', /\/alice\/after\.git\/info\/lfs\/objects\/batch$/);
    assert.equal(await statusOf(asked(stranger, 'alice/before', 'download')), 401);
  });

  it('ends with writing where the repository is archived, and where its code is off', async () => {
    await alice.must('POST', '/user/repos', { name: 'old' });
    await upload(alice, 'alice/old', file);
    await alice.must('PATCH', '/repos/alice/old', { archived: true });
    assert.equal(await statusOf(asked(alice, 'alice/old', 'download')), 200);
    assert.equal(await statusOf(asked(alice, 'alice/old', 'upload')), 403);
    assert.equal(await statusOf(upload(alice, 'alice/old', largeFile())), 403);
    await alice.must('POST', '/user/repos', { name: 'off' });
    await t.context.db
      .updateTable('repositories')
      .set({ units: JSON.stringify({ issues: {} }) })
      .where('lower_name', '=', 'off')
      .execute();
    assert.equal(await statusOf(asked(alice, 'alice/off', 'download')), 403);
    await alice.must('POST', '/user/repos', { name: 'mirror' });
    await t.context.db.updateTable('repositories').set({ is_mirror: true }).where('lower_name', '=', 'mirror').execute();
    assert.equal(await statusOf(upload(alice, 'alice/mirror', largeFile())), 403);
  });

  it('has the scopes of tokens', async () => {
    const [reading, writing, other, open] = await Promise.all([
      withToken(alice, 'read:repository'),
      withToken(alice, 'write:repository'),
      withToken(alice, 'read:user'),
      withToken(alice, 'public-only', 'write:repository'),
    ]);
    const bearer = new Client(() => t.url, { name: 'alice', authorization: `Bearer ${reading.password}` });
    for (const caller of [reading, bearer]) {
      assert.equal(await statusOf(asked(caller, 'alice/closed', 'download')), 200);
      assert.equal(await statusOf(asked(caller, 'alice/closed', 'upload')), 403);
      assert.equal(await statusOf(upload(caller, 'alice/closed', largeFile())), 403);
    }
    assert.equal(await statusOf(upload(writing, 'alice/closed', largeFile())), 200);
    for (const caller of [other, open]) {
      assert.equal(await statusOf(asked(caller, 'alice/closed', 'download')), 403);
      assert.equal(await statusOf(download(caller, 'alice/closed', file.oid)), 403);
      assert.equal(await statusOf(upload(caller, 'alice/closed', largeFile())), 403);
    }
    assert.equal(await statusOf(upload(open, 'alice/open', largeFile())), 200);
  });
});

describe('an object of another repository', () => {
  it('is linked for who can read it there, and sent by others', async () => {
    const other = largeFile('in a repository of alice');
    await upload(alice, 'alice/secret', other);
    await writer.must('POST', '/user/repos', { name: 'own', private: true });
    await reader.must('POST', '/user/repos', { name: 'own' });
    // Writer cannot read alice/secret.
    assert.deepEqual(inShort(await asked(writer, 'writer/own', 'upload', other)), ['upload']);
    assert.deepEqual(inShort(await asked(writer, 'writer/own', 'download', other)), [404]);
    assert.equal(await statusOf(download(writer, 'writer/own', other.oid)), 404);
    assert.equal(await statusOf(verify(writer, 'writer/own', plain(other))), 404);
    assert.equal(await statusOf(upload(writer, 'writer/own', { ...other, content: Buffer.alloc(other.size) })), 422);
    assert.equal(await statusOf(download(writer, 'writer/own', other.oid)), 404);
    assert.equal(await statusOf(upload(writer, 'writer/own', other)), 200);
    assert.equal(await statusOf(download(writer, 'writer/own', other.oid)), 200);
    // Reader can.
    const open = await withToken(reader, 'public-only', 'write:repository');
    await reader.must('PATCH', '/repos/reader/own', { private: false });
    assert.deepEqual(inShort(await asked(open, 'reader/own', 'upload', other)), ['upload']);
    assert.deepEqual(inShort(await asked(reader, 'reader/own', 'upload', other)), ['nothing']);
    assert.equal(await statusOf(download(reader, 'reader/own', other.oid)), 200);
  });

  it('is not linked for who can read other units alone', async () => {
    const other = largeFile('code that is not for all');
    await t.admin.must('POST', '/admin/users/alice/orgs', { username: 'team-of-issues' });
    await alice.must('POST', '/orgs/team-of-issues/repos', { name: 'hidden', private: true });
    const team = await alice.must('POST', '/orgs/team-of-issues/teams', {
      name: 'issues',
      permission: 'read',
      units_map: { 'repo.issues': 'read' },
    });
    await alice.must('PUT', `/teams/${team.id}/members/stranger`);
    await alice.must('PUT', `/teams/${team.id}/repos/team-of-issues/hidden`);
    await upload(alice, 'team-of-issues/hidden', other);
    await stranger.must('POST', '/user/repos', { name: 'own' });
    assert.equal(await statusOf(stranger.get('/repos/team-of-issues/hidden')), 200);
    assert.equal(await statusOf(asked(stranger, 'team-of-issues/hidden', 'download', other)), 404);
    assert.deepEqual(inShort(await asked(stranger, 'stranger/own', 'upload', other)), ['upload']);
  });
});
