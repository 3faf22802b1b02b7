// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeLfsToken } from '../../src/lfs/tokens.ts';
import type { Client } from '../support/client.ts';
import { testServer } from '../support/server.ts';
import { MEDIA } from './objects.ts';

const t = await testServer({ lfs: { locksPageSize: 3 } });
const alice = await t.user('alice');
const writer = await t.user('writer');
const reader = await t.user('reader');
const stranger = await t.user('stranger');
for (const name of ['one', 'two', 'pages']) {
  await alice.must('POST', '/user/repos', { name });
  await alice.must('PUT', `/repos/alice/${name}/collaborators/writer`, { permission: 'write' });
}
await alice.must('POST', '/user/repos', { name: 'closed', private: true });

const headers = { accept: MEDIA };
const at = (repository: string, rest = '') => `//alice/${repository}.git/info/lfs/locks${rest}`;
const list = (caller: Client, repository: string, query = '') => caller.send('GET', at(repository, query), { headers });
const lock = (caller: Client, repository: string, path: unknown) => caller.send('POST', at(repository), { json: { path }, headers });
const verify = (caller: Client, repository: string, json = {}) => caller.send('POST', at(repository, '/verify'), { json, headers });
const unlock = (caller: Client, repository: string, id: unknown, json = {}) =>
  caller.send('POST', at(repository, `/${id}/unlock`), { json, headers });
// biome-ignore lint/suspicious/noExplicitAny: of whatever came
const paths = (locks: any[]) => locks.map(({ path }) => path);

describe('a lock', () => {
  it('is made, seen and removed', async () => {
    const made = await lock(alice, 'one', '/art//./a.psd');
    assert.equal(made.status, 201);
    const { id, locked_at, ...rest } = made.json.lock;
    assert.deepEqual(rest, { path: 'art/a.psd', owner: { name: 'alice' } });
    assert.match(id, /^\d+$/);
    assert.match(locked_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    assert.deepEqual((await list(reader, 'one')).json, { locks: [made.json.lock] });
    assert.deepEqual((await list(alice, 'one', `?id=${id}`)).json, { locks: [made.json.lock] });
    assert.deepEqual((await list(alice, 'one', '?path=art/a.psd')).json, { locks: [made.json.lock] });
    for (const query of ['?id=999999', '?path=other']) assert.deepEqual((await list(alice, 'one', query)).json, { locks: [] });
    assert.deepEqual((await verify(alice, 'one')).json, { ours: [made.json.lock], theirs: [] });
    assert.deepEqual((await verify(writer, 'one')).json, { ours: [], theirs: [made.json.lock] });
    const bare = await alice.send('POST', at('one', '/verify'), { headers });
    assert.deepEqual([bare.status, bare.json], [200, { ours: [made.json.lock], theirs: [] }]);
    assert.deepEqual((await unlock(alice, 'one', id)).json, { lock: made.json.lock });
    assert.deepEqual((await list(alice, 'one')).json, { locks: [] });
  });

  it('is one for each path, whatever its case', async () => {
    const { json } = await lock(alice, 'one', 'b.psd');
    for (const path of ['b.psd', './B.PSD']) {
      const again = await lock(writer, 'one', path);
      assert.deepEqual([again.status, again.json], [409, { lock: json.lock, message: 'already created lock' }]);
    }
    const both = await Promise.all([1, 2, 3].map(() => lock(writer, 'one', 'at once')));
    assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409, 409]);
    for (const path of ['', '/', '..', 7, 'a\nb', 'x'.repeat(5000)]) {
      const wrong = await lock(alice, 'one', path);
      assert.deepEqual([wrong.status, wrong.json], [422, { message: 'path: it names no file' }], String(path));
    }
    assert.equal((await lock(alice, 'one', '../../outside')).json.lock.path, 'outside');
  });

  it('of a deploy key is one of the owner of the repository', async () => {
    const { db } = t.context;
    await alice.must('POST', '/orgs', { username: 'acme' });
    const { id: repositoryId } = await alice.must('POST', '/orgs/acme/repos', { name: 'keys' });
    const key = { type: 'deploy' as const, user_id: null, scope: null, title: 'CI', content: 'CI', fingerprint: 'CI' };
    const made = await db
      .insertInto('ssh_keys')
      .values({ ...key, created_at: 0, last_used_at: 0 })
      .returning('id')
      .executeTakeFirstOrThrow();
    const deployKey = await db
      .insertInto('deploy_keys')
      .values({ key_id: made.id, repository_id: repositoryId, title: 'CI', can_write: true, created_at: 0 })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { token } = makeLfsToken(t.server.services, repositoryId, 'upload', { kind: 'deploy', deployKeyId: deployKey.id });
    const send = (rest: string, json: object) =>
      t.anonymous.send('POST', `//acme/keys.git/info/lfs/locks${rest}`, {
        json,
        headers: { ...headers, authorization: `Bearer ${token}` },
      });
    const locked = await send('', { path: 'a.psd' });
    assert.deepEqual([locked.status, locked.json.lock?.owner], [201, { name: 'acme' }]);
    const other = await alice.send('POST', '//acme/keys.git/info/lfs/locks', { json: { path: 'b.psd' }, headers });
    const verified = (await send('/verify', {})).json;
    assert.deepEqual([paths(verified.ours), paths(verified.theirs)], [['a.psd'], ['b.psd']]);
    assert.equal((await send(`/${other.json.lock.id}/unlock`, {})).status, 403);
    assert.equal((await send(`/${locked.json.lock.id}/unlock`, {})).status, 200);
    await db.updateTable('deploy_keys').set({ can_write: false }).where('id', '=', deployKey.id).execute();
    assert.equal((await send('', { path: 'c.psd' })).status, 401);
  });

  it('is removed by its owner, or by force', async () => {
    const { id } = (await lock(alice, 'one', 'c.psd')).json.lock;
    const refused = await unlock(writer, 'one', id);
    assert.deepEqual([refused.status, refused.json], [403, { message: 'unable to delete lock : it belongs to alice' }]);
    assert.equal((await unlock(writer, 'one', id, { force: true })).status, 200);
    assert.equal((await unlock(writer, 'one', id, { force: true })).status, 404);
    assert.equal((await unlock(writer, 'one', 'x')).status, 404);
  });

  it('belongs to the repository in the path', async () => {
    const { id } = (await lock(alice, 'one', 'd.psd')).json.lock;
    assert.equal((await unlock(alice, 'two', id, { force: true })).status, 404);
    assert.deepEqual((await list(alice, 'two', `?id=${id}`)).json, { locks: [] });
    assert.deepEqual((await list(alice, 'two')).json, { locks: [] });
    assert.equal((await lock(writer, 'two', 'd.psd')).status, 201);
    assert.equal((await unlock(alice, 'one', id)).status, 200);
  });

  it('is for those who may write, and who read when they sign in', async () => {
    const rows: [Client, string, number, number][] = [
      [t.anonymous, 'one', 401, 401],
      [stranger, 'one', 200, 401],
      [reader, 'one', 200, 401],
      [stranger, 'closed', 401, 401],
      [stranger, 'missing', 401, 401],
      [alice, 'missing', 401, 401],
    ];
    for (const [caller, repository, read, write] of rows) {
      const what = `${caller.name} in ${repository}`;
      const listed = await list(caller, repository);
      assert.equal(listed.status, read, what);
      if (read === 401) assert.deepEqual(listed.json, { message: 'You must have pull access to list locks' });
      const made = await lock(caller, repository, 'e.psd');
      assert.deepEqual([made.status, made.json], [write, { message: 'You must have push access to create locks' }], what);
      assert.match(made.headers.get('lfs-authenticate') ?? '', /^Basic realm=/);
      assert.equal((await verify(caller, repository)).json.message, 'You must have push access to verify locks');
      assert.equal((await unlock(caller, repository, 1)).json.message, 'You must have push access to delete locks');
    }
    const reading = await alice.token(['read:repository']);
    assert.equal((await list(reading, 'one')).status, 200);
    assert.equal((await lock(reading, 'one', 'f.psd')).status, 403);
    assert.equal((await list(await alice.token(['read:user']), 'one')).status, 403);
  });

  it('is refused in a request that is none', async () => {
    assert.equal((await alice.send('GET', at('one'))).status, 415);
    assert.equal((await list(alice, 'one', '?id=x')).status, 400);
    const broken = await alice.send('POST', at('one'), { raw: '{', headers });
    assert.deepEqual([broken.status, broken.json], [400, { message: 'Bad Request' }]);
  });
});

it('locks come in pages', async () => {
  for (const name of ['1', '2', '3', '4', '5']) await lock(name < '4' ? alice : writer, 'pages', name);
  const all: string[] = [];
  for (let cursor = ''; ; ) {
    const { json } = await list(alice, 'pages', `?limit=2${cursor && `&cursor=${cursor}`}`);
    all.push(...paths(json.locks));
    if (json.next_cursor === undefined) break;
    cursor = json.next_cursor;
  }
  assert.deepEqual(all, ['1', '2', '3', '4', '5']);
  const first = (await list(alice, 'pages', '?limit=1000')).json;
  assert.deepEqual([paths(first.locks), first.next_cursor], [['1', '2', '3'], '1']);
  const verified = (await verify(alice, 'pages', { cursor: '1' })).json;
  assert.deepEqual([paths(verified.ours), paths(verified.theirs), verified.next_cursor], [[], ['4', '5'], undefined]);
});

it('a lock outlives its owner', async () => {
  const leaving = await t.user('leaving');
  await alice.must('PUT', '/repos/alice/two/collaborators/leaving', { permission: 'write' });
  const { id } = (await lock(leaving, 'two', 'left.psd')).json.lock;
  await t.admin.must('DELETE', '/admin/users/leaving');
  assert.deepEqual((await list(alice, 'two', `?id=${id}`)).json.locks[0].owner, { name: 'Ghost' });
  assert.equal((await unlock(alice, 'two', id)).status, 403);
  assert.equal((await unlock(alice, 'two', id, { force: true })).status, 200);
});
