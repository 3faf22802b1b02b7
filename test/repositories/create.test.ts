import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, it } from 'node:test';
import { findUser } from '../../src/access/find-user.ts';
import { createRepository } from '../../src/repositories/create.ts';
import { removeRemains } from '../../src/repositories/delete.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');

const owner = async () => {
  const user = await findUser(t.context.db, 'alice');
  assert.ok(user);
  return user;
};
const rowOf = (name: string) =>
  t.context.db.selectFrom('repositories').selectAll().where('lower_name', '=', name).executeTakeFirstOrThrow();

describe('creating a repository', () => {
  it('makes an empty one that its owner watches', async () => {
    const { status, json } = await alice.post('/user/repos', { name: 'Plain', description: 'a thing' });
    assert.equal(status, 201);
    assert.equal(json.full_name, 'alice/Plain');
    assert.equal(json.empty, true);
    assert.equal(json.watchers_count, 1);
    assert.deepEqual(json.permissions, { admin: true, push: true, pull: true });
    assert.equal(json.owner.email, 'alice@example.com');
    assert.equal((await alice.get('/repos/ALICE/plain')).json.id, json.id);
    const folder = t.context.git.locate(await rowOf('plain'));
    const { stdout } = await alice.git(['-C', folder.path, 'symbolic-ref', 'HEAD'], t.folder);
    assert.equal(stdout, 'refs/heads/main\n');
  });

  it('has its creator as author of the first commit, without a hidden address', async () => {
    await alice.must('POST', '/orgs', { username: 'makers' });
    await alice.must('POST', '/orgs/makers/repos', { name: 'begun', auto_init: true });
    const [commit] = await alice.must('GET', '/repos/makers/begun/commits');
    assert.deepEqual([commit.commit.author.name, commit.author.login], ['alice', 'alice']);
    await bob.must('PATCH', '/user/settings', { hide_email: true });
    await bob.must('POST', '/user/repos', { name: 'covered', auto_init: true, license: '0BSD' });
    assert.match((await bob.get('/repos/bob/covered/raw/LICENSE')).text, /bob \d+\+bob@noreply\./);
    await bob.must('PATCH', '/user/settings', { hide_email: false });
  });

  it('is under the license asked for, even before it has a commit', async () => {
    const { licenses } = await alice.must('POST', '/user/repos', { name: 'licensed', license: 'MIT' });
    assert.deepEqual([licenses, await alice.must('GET', '/repos/alice/licensed/licenses')], [['MIT'], ['MIT']]);
  });

  it('begins with a commit of the files asked for, in either object format', async () => {
    for (const format of ['sha1', 'sha256']) {
      const body = { name: format, auto_init: true, license: 'MIT', gitignores: 'Go', default_branch: 'trunk', object_format_name: format };
      const { status, json } = await alice.post('/user/repos', body);
      assert.equal(status, 201);
      assert.equal(json.empty, false);
      assert.equal(json.branch_count, 1);
      assert.equal(json.object_format_name, format);
      assert.deepEqual(json.licenses, ['MIT']);
      const { path } = t.context.git.locate(await rowOf(format));
      const files = await alice.git(['-C', path, 'ls-tree', '--name-only', 'trunk'], t.folder);
      assert.equal(files.stdout, '.gitignore\nLICENSE\nREADME.md\n');
      assert.equal((await alice.git(['-C', path, 'fsck', '--strict'], t.folder)).code, 0);
    }
  });

  it('refuses names that are reserved, malformed or taken, and changes nothing', async () => {
    const before = (await alice.get('/user')).json;
    for (const name of ['.', '..', '-', 'a..b', 'x.git', 'X.WIKI', 'ümlaut', 'a b', '']) {
      assert.equal((await alice.post('/user/repos', { name })).status, 422, name);
    }
    assert.equal((await alice.post('/user/repos', { name: 'PLAIN' })).status, 409);
    assert.equal((await bob.post('/user/repos', { name: 'plain' })).status, 201);
    assert.deepEqual((await alice.get('/user')).json, before);
  });

  it('refuses unknown templates and object formats', async () => {
    const refused = async (body: object) => (await alice.post('/user/repos', { name: 'x', ...body })).status;
    assert.equal(await refused({ auto_init: true, readme: 'Nothing' }), 400);
    assert.equal(await refused({ auto_init: true, license: 'Nothing' }), 422);
    assert.equal(await refused({ auto_init: true, gitignores: 'Nothing' }), 422);
    assert.equal(await refused({ issue_labels: 'Nothing' }), 422);
    assert.equal(await refused({ object_format_name: 'md5' }), 422);
    assert.equal((await alice.get('/repos/alice/x')).status, 404);
  });

  it('stops at the limit of the owner, but not for administrators', async () => {
    const carol = await t.user('carol', { max_repo_creation: 1 });
    assert.equal((await carol.post('/user/repos', { name: 'one' })).status, 201);
    const { status, json } = await carol.post('/user/repos', { name: 'two' });
    assert.equal(status, 403);
    assert.equal(json.message, 'user has reached maximum limit of repositories [limit: 1]');
    assert.equal((await t.admin.post('/admin/users/carol/repos', { name: 'two' })).status, 201);
    assert.equal((await bob.post('/admin/users/carol/repos', { name: 'three' })).status, 403);
  });

  it('stops at the limit of the owner when many are made at once', async () => {
    const dora = await t.user('dora', { max_repo_creation: 2 });
    const made = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => dora.post('/user/repos', { name })));
    assert.deepEqual(made.map(({ status }) => status).toSorted(), [201, 201, 403, 403, 403, 403]);
    assert.equal((await dora.must('GET', '/user/repos')).length, 2);
  });

  it('of many creations of one name at once, one succeeds', async () => {
    const names = ['race', 'RACE', 'Race', 'rAce', 'raCe', 'racE'];
    const statuses = (await Promise.all(names.map((name) => alice.post('/user/repos', { name })))).map(({ status }) => status);
    assert.deepEqual(statuses.toSorted(), [201, 409, 409, 409, 409, 409]);
  });

  it('takes everything back when the folder cannot be filled', async () => {
    const fill = async () => {
      throw new Error('broken');
    };
    const { repos_count } = await owner();
    await assert.rejects(createRepository(t.context, await owner(), { name: 'broken', fill }), /broken/);
    await t.settled();
    assert.equal((await owner()).repos_count, repos_count);
    assert.equal((await alice.get('/repos/alice/broken')).status, 404);
    assert.equal((await alice.post('/user/repos', { name: 'broken' })).status, 201);
  });

  it('hides what a crash left, and gives its name free once its process is gone', async () => {
    const { id } = await rowOf('broken');
    const state = (process_id: number | null) =>
      t.context.db.updateTable('repositories').set({ state: 'creating', process_id }).where('id', '=', id);
    await state(t.context.processes.id).execute();
    assert.equal((await alice.get('/repos/alice/broken')).status, 404);
    assert.equal((await alice.post('/user/repos', { name: 'broken' })).status, 409);
    await state(null).execute();
    assert.equal((await alice.post('/user/repos', { name: 'broken' })).status, 201);
    await t.settled();
    assert.equal(existsSync(t.context.git.locate({ id, object_format: 'sha1', volume: 'default' }).path), false);
  });
});

describe('deleting a repository', () => {
  it('is for owners', async () => {
    await alice.must('POST', '/user/repos', { name: 'kept' });
    assert.equal((await t.anonymous.delete('/repos/alice/kept')).status, 401);
    assert.equal((await bob.delete('/repos/alice/kept')).status, 403);
    assert.equal((await alice.get('/repos/alice/kept')).status, 200);
  });

  it('a new repository of the name shows nothing of the old, even if removal never ran', async () => {
    await alice.must('POST', '/user/repos', { name: 'again', auto_init: true });
    const old = await rowOf('again');
    const { repos_count } = await owner();
    assert.equal((await alice.delete('/repos/alice/again')).status, 204);
    assert.equal((await owner()).repos_count, repos_count - 1);
    assert.equal((await alice.get('/repos/alice/again')).status, 404);
    const made = await alice.must('POST', '/user/repos', { name: 'again' });
    assert.equal(made.empty, true);
    assert.notEqual(made.id, old.id);
    assert.notEqual(t.context.git.locate(await rowOf('again')).path, t.context.git.locate(old).path);
    await t.settled();
    assert.equal(existsSync(t.context.git.locate(old).path), false);
    assert.equal(existsSync(t.context.git.locate(await rowOf('again')).path), true);
    const left = await t.context.db.selectFrom('repositories').select('id').where('id', '=', old.id).execute();
    assert.deepEqual(left, []);
  });

  it('never removes a repository that is ready', async () => {
    const row = await rowOf('again');
    await removeRemains({ repositoryId: row.id }, t.context);
    assert.equal(existsSync(t.context.git.locate(row).path), true);
    assert.equal((await alice.get('/repos/alice/again')).status, 200);
  });
});
