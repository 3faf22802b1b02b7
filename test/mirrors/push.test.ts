// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { codeRepository } from '../code/repository.ts';
import { refsOf, servers } from './servers.ts';

const { t, bob, other, alice, source, urlOf } = await servers();
const carol = await t.user('carol');
const demo = await codeRepository(t, bob, 'demo', [{ label: 'one', files: { 'a.txt': '1\n' } }]);
const PATH = `${demo.path}/push_mirrors`;
const signIn = { remote_username: 'alice', remote_password: alice.password };
const add = (name: string, fields: Record<string, unknown> = {}) =>
  bob.post(PATH, { remote_address: urlOf(name), ...signIn, interval: '8h', ...fields });
const here = () => refsOf(bob, t.context.git.locate(demo.row).path);
const sync = async () => {
  assert.equal((await bob.post(`${demo.path}/push_mirrors-sync`)).status, 200);
  await t.settled();
};

describe('a push mirror', () => {
  it('gets what the repository has, and loses what it has else', async () => {
    const target = await source('target', [{ label: 'else', branch: 'else', files: { 'b.txt': 'b\n' } }]);
    const { json } = await add('target');
    await demo.git(['tag', 'v1', 'main']);
    await demo.git(['update-ref', 'refs/pull/1/head', demo.id('one')]);
    await sync();
    assert.equal(await refsOf(alice, other.context.git.locate(target.row).path), await here());
    const after = await bob.must('GET', `${PATH}/${json.remote_name}`);
    assert.equal(after.last_error, '');
    assert.notEqual(after.last_update, '1970-01-01T00:00:00Z');
  });

  it('gets each push if that is requested', async () => {
    const eager = await source('eager', []);
    await add('eager', { interval: '0', sync_on_commit: true });
    await bob.must('POST', `${demo.path}/contents/pushed.txt`, { content: 'eA==' });
    await t.settled();
    assert.equal(await refsOf(alice, other.context.git.locate(eager.row).path), await here());
  });

  it('says why it failed, without credentials', async () => {
    await source('locked', []);
    const { json } = await add('locked', { remote_password: 'Wr0ng-one' });
    await sync();
    const { last_error } = await bob.must('GET', `${PATH}/${json.remote_name}`);
    assert.match(last_error, /Authentication failed/);
    assert.ok(!last_error.includes('Wr0ng') && !last_error.includes('alice:'));
    const row = await t.context.db
      .selectFrom('push_mirrors')
      .selectAll()
      .where('remote_name', '=', json.remote_name)
      .executeTakeFirstOrThrow();
    assert.equal(row.failures, 1);
    assert.ok(!JSON.stringify(row).includes('Wr0ng'));
  });

  it('gets the wiki, where it has one', async () => {
    const wiki = await source('with-wiki', []);
    await alice.must('POST', `${wiki.path}/wiki/new`, { title: 'Old', content_base64: 'SG9tZQ==' });
    await bob.must('POST', `${demo.path}/wiki/new`, { title: 'New', content_base64: 'SG9tZQ==' });
    await add('with-wiki');
    await sync();
    assert.equal((await alice.must('GET', `${wiki.path}/wiki/page/New`)).title, 'New');
  });

  it('is of one repository, for those who administer it', async () => {
    const { json } = await add('target');
    const second = await codeRepository(t, carol, 'second', []);
    assert.equal((await carol.get(`${second.path}/push_mirrors/${json.remote_name}`)).status, 404);
    assert.equal((await carol.delete(`${second.path}/push_mirrors/${json.remote_name}`)).status, 204);
    assert.equal((await bob.get(`${PATH}/${json.remote_name}`)).status, 200);
    for (const method of ['GET', 'POST']) assert.equal((await carol.send(method, PATH, method === 'POST' ? { json: {} } : {})).status, 403);
    assert.equal((await carol.post(`${demo.path}/push_mirrors-sync`)).status, 403);
    assert.equal((await t.anonymous.get(PATH)).status, 401);
    await bob.must('PATCH', demo.path, { private: true });
    assert.equal((await carol.get(PATH)).status, 404);
    await bob.must('PATCH', demo.path, { private: false });
  });

  it('leads nowhere that may not be reached', async () => {
    for (const [remote_address, status] of [
      ['http://10.0.0.1/x.git', 401],
      ['http://[::ffff:10.0.0.1]/x.git', 401],
      ['/tmp/x.git', 401],
      ['file:///tmp/x.git', 401],
      ['ext::sh -c id', 400],
      ['ssh://127.0.0.1/x', 400],
      ['http://', 400],
      [undefined, 401],
    ] as const)
      assert.equal((await add('x', { remote_address })).status, status, String(remote_address));
    assert.equal((await add('target', { remote_password: 'a\nhost=elsewhere' })).status, 400);
    for (const interval of ['1m', '-8h', 'x', '']) assert.equal((await add('target', { interval })).status, 400, interval);
  });

  it('gets nothing of an archived repository', async () => {
    const still = await source('still', []);
    await add('still', { sync_on_commit: true });
    await bob.must('PATCH', demo.path, { archived: true });
    assert.equal((await bob.post(`${demo.path}/push_mirrors-sync`)).status, 423);
    const { id } = await t.context.db
      .selectFrom('push_mirrors')
      .select('id')
      .where('remote_url', '=', urlOf('still'))
      .executeTakeFirstOrThrow();
    await t.context.jobs.add(t.context, 'push-mirror.sync', { mirrorId: id });
    await t.settled();
    assert.equal(await refsOf(alice, other.context.git.locate(still.row).path), '');
    await bob.must('PATCH', demo.path, { archived: false });
  });
});
