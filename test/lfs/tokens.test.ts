import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { makeLfsToken } from '../../src/lfs/tokens.ts';
import { Client } from '../support/client.ts';
import { testServer } from '../support/server.ts';
import { batch, download, inShort, largeFile, plain, rowOf, upload } from './objects.ts';

const t = await testServer();
const alice = await t.user('alice');
const writer = await t.user('writer');
const file = largeFile('secret\n');

before(async () => {
  for (const name of ['open', 'closed', 'secret']) await alice.must('POST', '/user/repos', { name, private: name !== 'open' });
  await alice.must('PUT', '/repos/alice/closed/collaborators/writer', { permission: 'write' });
  assert.equal((await upload(alice, 'alice/closed', file)).status, 200);
});

const statusOf = async (response: Promise<{ status: number }>) => (await response).status;
const asked = (caller: Client, repository: string, operation: string, object = file) =>
  batch(caller, repository, operation, [plain(object)]);

describe('a token for transfers', () => {
  // biome-ignore lint/suspicious/noExplicitAny: of whatever came
  const given = async (caller: Client, repository: string, operation: string, object: any): Promise<string> => {
    const { json } = await asked(caller, repository, operation, object);
    return json.objects[0].actions[operation].header.Authorization;
  };
  const as = (authorization: string) => new Client(() => t.url, { name: '', authorization });

  it('is good for its repository and operation alone', async () => {
    const reading = as(await given(alice, 'alice/closed', 'download', file));
    assert.equal(await statusOf(download(reading, 'alice/closed', file.oid)), 200);
    assert.equal(await statusOf(asked(reading, 'alice/closed', 'download')), 200);
    assert.equal(await statusOf(download(reading, 'alice/secret', file.oid)), 401);
    assert.equal(await statusOf(upload(reading, 'alice/closed', file)), 401);
    assert.equal(await statusOf(asked(reading, 'alice/closed', 'upload')), 401);
    const writing = as(await given(alice, 'alice/closed', 'upload', largeFile()));
    assert.equal(await statusOf(upload(writing, 'alice/closed', largeFile())), 200);
    assert.equal(await statusOf(upload(writing, 'alice/secret', largeFile())), 401);
    // It opens nothing else, and links nothing that its holder could read elsewhere.
    assert.equal(await statusOf(reading.get('/user')), 401);
    assert.equal(await statusOf(reading.get('/repos/alice/closed')), 401);
    const other = largeFile('elsewhere of alice');
    await upload(alice, 'alice/secret', other);
    assert.deepEqual(inShort(await asked(writing, 'alice/closed', 'upload', other)), ['upload']);
    // Only who signs in with a password gets one: others have a token of their own.
    const { password } = await alice.token(['write:repository']);
    const token = new Client(() => t.url, { name: 'alice', password });
    assert.match(await given(token, 'alice/closed', 'download', file), /^Basic /);
  });

  it('is no good once changed, expired, or without what it was given for', async () => {
    const token = await given(writer, 'alice/closed', 'download', file);
    const get = (authorization: string) => statusOf(download(as(authorization), 'alice/closed', file.oid));
    assert.equal(await get(token), 200);
    const [, payload = ''] = token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const forged = Buffer.from(JSON.stringify({ ...claims, user: claims.user - 1 })).toString('base64url');
    for (const wrong of [token.replace(payload, forged), `${token}x`, 'Bearer lfs.', 'Bearer lfs.e30.', 'Bearer lfs..'])
      assert.equal(await get(wrong), 401, wrong);
    const { services } = t.server;
    const row = await rowOf(t, 'alice', 'closed');
    const user = await t.context.db.selectFrom('users').selectAll().where('name', '=', 'writer').executeTakeFirstOrThrow();
    const expired = { ...services, settings: { ...services.settings, lfs: { ...services.settings.lfs, tokenLifetime: 0 } } };
    assert.equal(await get(`Bearer ${makeLfsToken(expired, row.id, 'download', { kind: 'password', user }).token}`), 401);

    await t.admin.must('PATCH', '/admin/users/writer', { login_name: 'writer', source_id: 0, prohibit_login: true });
    assert.equal(await get(token), 401);
    await t.admin.must('PATCH', '/admin/users/writer', { login_name: 'writer', source_id: 0, prohibit_login: false });
    assert.equal(await get(token), 200);
    await alice.must('DELETE', '/repos/alice/closed/collaborators/writer');
    assert.equal(await get(token), 401);
    await alice.must('PUT', '/repos/alice/closed/collaborators/writer', { permission: 'read' });
    assert.equal(await get(token), 200);
    await t.admin.must('PATCH', '/admin/users/writer', {
      login_name: 'writer',
      source_id: 0,
      password: 'Another-Passw0rd',
      must_change_password: false,
    });
    assert.equal(await get(token), 401);
  });

  it('of a key ends with the key, and has its limits', async () => {
    const { services } = t.server;
    const { db } = t.context;
    const row = await rowOf(t, 'alice', 'closed');
    const user = await db.selectFrom('users').selectAll().where('name', '=', 'alice').executeTakeFirstOrThrow();
    const addKey = (columns: { type: 'user' | 'deploy'; user_id: number | null; scope: string | null; fingerprint: string }) =>
      db
        .insertInto('ssh_keys')
        .values({ title: columns.fingerprint, content: columns.fingerprint, created_at: 0, last_used_at: 0, ...columns })
        .returning('id')
        .executeTakeFirstOrThrow();
    const plainKey = await addKey({ type: 'user', user_id: user.id, scope: null, fingerprint: 'one' });
    const limited = await addKey({ type: 'user', user_id: user.id, scope: 'read:repository', fingerprint: 'two' });
    const of = (keyId: number) => as(`Bearer ${makeLfsToken(services, row.id, 'upload', { kind: 'key', user, keyId }).token}`);
    assert.equal(await statusOf(upload(of(plainKey.id), 'alice/closed', largeFile())), 200);
    assert.equal(await statusOf(upload(of(limited.id), 'alice/closed', largeFile())), 403);
    assert.equal(await statusOf(download(of(limited.id), 'alice/closed', file.oid)), 200);
    await db.deleteFrom('ssh_keys').where('id', '=', plainKey.id).execute();
    assert.equal(await statusOf(download(of(plainKey.id), 'alice/closed', file.oid)), 401);

    const key = await addKey({ type: 'deploy', user_id: null, scope: null, fingerprint: 'three' });
    const deployKey = await db
      .insertInto('deploy_keys')
      .values({ key_id: key.id, repository_id: row.id, title: 'three', can_write: false, created_at: 0 })
      .returning('id')
      .executeTakeFirstOrThrow();
    const deploy = as(`Bearer ${makeLfsToken(services, row.id, 'upload', { kind: 'deploy', deployKeyId: deployKey.id }).token}`);
    assert.equal(await statusOf(download(deploy, 'alice/closed', file.oid)), 200);
    assert.equal(await statusOf(upload(deploy, 'alice/closed', largeFile())), 401);
    await db.updateTable('deploy_keys').set({ can_write: true }).where('id', '=', deployKey.id).execute();
    assert.equal(await statusOf(upload(deploy, 'alice/closed', largeFile())), 200);
    assert.equal(await statusOf(upload(deploy, 'alice/open', largeFile())), 401);
    await db.deleteFrom('deploy_keys').where('id', '=', deployKey.id).execute();
    assert.equal(await statusOf(download(deploy, 'alice/closed', file.oid)), 401);
  });
});
