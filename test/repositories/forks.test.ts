import assert from 'node:assert/strict';
import { access, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { findRepository } from '../../src/access/find-repository.ts';
import { codeRepository } from '../code/repository.ts';
import { testServer } from '../support/server.ts';
import { workTree } from '../transport/work-tree.ts';

const t = await testServer({ repository: { forkBeyondLimit: false } });
const told: unknown[] = [];
t.server.services.events.on('repository.forked', 'test', async ({ payload }) => void told.push(payload));
const [alice, bob, carol] = await Promise.all([t.user('alice'), t.user('bob'), t.user('carol')]);
const demo = await codeRepository(t, alice, 'demo', [
  { label: 'one', files: { 'a.txt': '1\n', 'dir/b.txt': 'b\n' } },
  { label: 'two', files: { 'a.txt': '2\n' } },
  { label: 'topic', branch: 'topic/x', from: 'one', files: { 'c.txt': 'c\n' } },
]);
await demo.git(['tag', '-a', '-m', 'First', 'v1', demo.id('one')]);
await demo.git(['update-ref', 'refs/pull/1/head', demo.id('topic')]);

type Named = { full_name: string };
const names = (repos: Named[]) => repos.map(({ full_name }) => full_name);
const forks = async (path = demo.path, client = alice) => names(await client.must('GET', `${path}/forks`));
const count = async (path: string, client = alice) => (await client.must('GET', path)).forks_count;
async function located(id: number) {
  const repository = await findRepository(t.context.db, id);
  assert.ok(repository);
  return t.context.git.locate(repository);
}
async function git(path: string, ...args: string[]) {
  const { code, stdout, stderr } = await bob.git(['-C', path, ...args], t.folder);
  assert.equal(code, 0, stderr);
  return stdout;
}

describe('forking a repository', () => {
  it('copies branches, tags and objects, and nothing else', async () => {
    await t.context.db.insertInto('repository_languages').values({ repository_id: demo.row.id, language: 'C', bytes: 7 }).execute();
    const { status, json } = await bob.post(`${demo.path}/forks`, {});
    assert.equal(status, 202);
    assert.deepEqual(
      [json.full_name, json.fork, json.empty, json.branch_count, json.parent.full_name, json.permissions.admin],
      ['bob/demo', true, false, 2, 'alice/demo', true],
    );
    const { path } = await located(json.id);
    assert.equal(
      await git(path, 'for-each-ref', '--format=%(refname) %(objectname)'),
      await git(t.context.git.locate(demo.row).path, 'for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads', 'refs/tags'),
    );
    await git(path, 'fsck', '--strict');
    assert.equal(await git(path, 'symbolic-ref', 'HEAD'), 'refs/heads/main\n');
    assert.deepEqual(await bob.must('GET', '/repos/bob/demo/languages'), { C: 7 });
    assert.equal(await count(demo.path), 1);
    await t.settled();
    assert.deepEqual(told, [{ repositoryId: demo.row.id, forkId: json.id, actorId: json.owner.id }]);
  });

  it('makes a repository that outlives the source and its maintenance', async () => {
    const source = await codeRepository(t, alice, 'mortal', [{ label: 'one', files: { 'a.txt': '1\n' } }]);
    const loose = await alice.must('POST', `${source.path}/contents/loose.txt`, { content: 'eA==', message: 'Loose' });
    const { id } = await bob.must('POST', `${source.path}/forks`, {});
    const folder = t.context.git.locate(source.row).path;
    const { path } = await located(id);
    assert.ok(!(await readdir(join(path, 'objects/info'))).includes('alternates'));
    await alice.must('DELETE', `${source.path}/contents/loose.txt`, { sha: loose.content.sha, message: 'Gone' });
    await git(folder, 'gc', '--prune=now', '-q');
    await git(path, 'fsck', '--strict');
    await alice.must('DELETE', source.path);
    await t.settled();
    await assert.rejects(access(folder));
    await git(path, 'fsck', '--strict');
    assert.equal(await git(path, 'show', 'main:loose.txt'), 'x');
    const left = await bob.must('GET', '/repos/bob/mortal');
    assert.deepEqual([left.fork, left.parent], [false, undefined]);
  });

  it('takes a SHA-256 repository and an empty one as they are', async () => {
    const wide = await codeRepository(t, alice, 'wide', [{ label: 'one', files: { a: '1' } }], { object_format_name: 'sha256' });
    const fork = await bob.must('POST', `${wide.path}/forks`, {});
    assert.equal(fork.object_format_name, 'sha256');
    await git((await located(fork.id)).path, 'fsck', '--strict');
    const empty = await codeRepository(t, alice, 'empty', []);
    assert.equal((await bob.must('POST', `${empty.path}/forks`, {})).empty, true);
  });

  it('gives an owner one fork, under a free and valid name', async () => {
    const again = await bob.post(`${demo.path}/forks`, { name: 'again' });
    assert.equal(again.status, 409);
    assert.match(again.json.message, /already forked by user \[uname: bob, repo path: alice\/demo, fork path: bob\/demo\]/);
    assert.equal((await bob.post(`${demo.path}/forks`, { name: 'x.git' })).status, 409);
    await carol.must('POST', '/user/repos', { name: 'Demo' });
    const taken = await carol.post(`${demo.path}/forks`, {});
    assert.deepEqual([taken.status, taken.json.message], [409, 'repository already exists [uname: carol, name: demo]']);
    for (const name of ['', 'a/b', '..', '-', 'x.git', 'x'.repeat(101)]) {
      assert.equal((await carol.post(`${demo.path}/forks`, { name })).status, 422, name);
    }
    // Of several at once one is made.
    const race = await Promise.all([1, 2, 3].map((n) => carol.post(`${demo.path}/forks`, { name: `race-${n}` })));
    assert.deepEqual(race.map(({ status }) => status).sort(), [202, 409, 409]);
    assert.equal(await count(demo.path), 2);
  });

  it('is refused to the blocked, and beyond the limit where forks count', async () => {
    const blocked = await t.user('blocked');
    await alice.must('PUT', '/user/blocks/blocked');
    const { status, json } = await blocked.post(`${demo.path}/forks`, {});
    assert.deepEqual([status, json.message], [403, 'user is blocked']);
    const full = await t.user('full', { max_repo_creation: 0 });
    const refused = await full.post(`${demo.path}/forks`, {});
    assert.deepEqual([refused.status, refused.json.message], [409, 'user has reached maximum limit of repositories [limit: 0]']);
    const [fork = ''] = (await forks(demo.path, carol)).filter((name) => name.startsWith('carol/'));
    assert.equal((await bob.post(`/repos/${fork}/forks`, { name: 'of-a-fork' })).json.parent.full_name, fork);
    assert.equal((await t.anonymous.post(`${demo.path}/forks`, {})).status, 401);
  });

  it('takes everything back when it fails', async () => {
    const broken = await codeRepository(t, alice, 'broken', [{ label: 'one', files: { a: '1' } }]);
    await rm(join(t.context.git.locate(broken.row).path, 'objects'), { recursive: true });
    const all = () => t.context.db.selectFrom('repositories').select('id').orderBy('id').execute();
    const before = await all();
    assert.equal((await bob.post(`${broken.path}/forks`, {})).status, 500);
    assert.deepEqual(await all(), before);
    assert.equal(await count(broken.path), 0);
  });
});

describe('the number of forks', () => {
  it('follows deletion and transfer', async () => {
    const source = await codeRepository(t, alice, 'counted', [{ label: 'one', files: { a: '1' } }]);
    for (const client of [bob, carol]) await client.must('POST', `${source.path}/forks`, {});
    assert.equal(await count(source.path), 2);
    await t.admin.must('POST', '/repos/bob/counted/transfer', { new_owner: 'full' });
    await t.admin.must('POST', '/repos/alice/counted/transfer', { new_owner: 'bob' });
    assert.equal(await count('/repos/bob/counted'), 2);
    assert.deepEqual(await forks('/repos/bob/counted'), ['full/counted', 'carol/counted']);
    await carol.must('DELETE', '/repos/carol/counted');
    assert.equal(await count('/repos/bob/counted'), 1);
    await bob.must('DELETE', '/repos/bob/counted');
    assert.equal((await alice.must('GET', '/repos/full/counted')).fork, false);
  });
});

describe('forks of organizations and of private repositories', () => {
  it('belong to those who may make repositories there', async () => {
    await t.admin.must('POST', '/admin/users/bob/orgs', { username: 'guild' });
    await t.admin.must('POST', '/admin/users/carol/orgs', { username: 'hidden', visibility: 'private' });
    const into = (organization: string, client = bob, name = 'copy') => client.post(`${demo.path}/forks`, { organization, name });
    assert.equal((await into('guild')).json.full_name, 'guild/copy');
    assert.equal((await into('guild', carol)).status, 403);
    assert.equal((await into('hidden')).status, 404);
    assert.equal((await into('nobody')).status, 404);
    assert.equal((await into('carol')).status, 404);
    assert.equal((await into('')).status, 404);
    // For a token for public things there is no hidden organization.
    const narrow = await carol.token(['public-only', 'write:repository']);
    assert.equal((await into('hidden', narrow)).status, 404);
    assert.equal((await into('hidden', carol)).status, 202);
  });

  it('are listed to those alone who may see them', async () => {
    const all = await forks(demo.path, carol);
    assert.ok(all.includes('hidden/copy'));
    const narrow = await carol.token(['public-only', 'read:repository']);
    for (const client of [bob, t.anonymous, narrow]) {
      const { json, headers } = await client.get(`${demo.path}/forks`);
      assert.ok(!names(json).includes('hidden/copy'));
      assert.equal(headers.get('x-total-count'), String(all.length - 1));
    }
    const { json, headers } = await carol.get(`${demo.path}/forks?limit=2&page=2`);
    assert.deepEqual(names(json), all.slice(2, 4));
    assert.match(headers.get('link') ?? '', /rel="first"/);
  });

  it('are as private as the source, whose name goes to nobody else', async () => {
    const closed = await codeRepository(t, alice, 'closed', [{ label: 'one', files: { a: '1' } }], { private: true });
    assert.equal((await bob.post(`${closed.path}/forks`, {})).status, 404);
    await alice.must('PUT', `${closed.path}/collaborators/bob`, { permission: 'read' });
    assert.equal((await bob.must('POST', `${closed.path}/forks`, {})).private, true);
    assert.deepEqual(await forks(closed.path, alice), []);
    await bob.must('PUT', '/repos/bob/closed/collaborators/carol', { permission: 'admin' });
    const seen = await carol.must('GET', '/repos/bob/closed');
    assert.deepEqual([seen.fork, seen.parent], [true, undefined]);
    assert.equal((await bob.must('GET', '/repos/bob/closed')).parent.full_name, 'alice/closed');
    assert.equal((await carol.must('PATCH', '/repos/bob/closed', { private: false })).private, true);
    await alice.must('DELETE', `${closed.path}/collaborators/bob`);
    assert.equal((await bob.must('GET', '/repos/bob/closed')).parent, undefined);
  });

  it('become public neither by an edit that asks for private, nor by a push option, nor with their source', async () => {
    const isPrivate = async () => (await t.admin.must('GET', '/repos/bob/inner')).private;
    const pushOption = async (option: string) => {
      const tree = await workTree(t, bob, 'bob/inner');
      await tree.git('fetch', '-q', 'origin', 'main');
      await tree.git('push', '-q', '-o', option, 'origin', `FETCH_HEAD:refs/heads/${option.replace(/\W/g, '-')}`);
    };
    await alice.must('POST', '/orgs', { username: 'enclave', visibility: 'private' });
    await alice.must('POST', '/orgs/enclave/repos', { name: 'inner', auto_init: true, default_branch: 'main' });
    await alice.must('PUT', '/repos/enclave/inner/collaborators/bob', { permission: 'read' });
    await bob.must('POST', '/repos/enclave/inner/forks', {});
    assert.equal(await isPrivate(), true);
    for (const wanted of [true, false]) {
      await bob.must('PATCH', '/repos/bob/inner', { private: wanted });
      assert.equal(await isPrivate(), true, `asked for ${wanted}`);
      await pushOption(`repo.private=${wanted}`);
      assert.equal(await isPrivate(), true, `pushed with ${wanted}`);
    }
    await alice.must('PATCH', '/orgs/enclave', { visibility: 'public' });
    await alice.must('PATCH', '/repos/enclave/inner', { private: true });
    await alice.must('PATCH', '/repos/enclave/inner', { private: false });
    await bob.must('PATCH', '/repos/bob/inner', { private: true });
    assert.equal(await isPrivate(), true, 'nobody asked for a public one');
    await bob.must('PATCH', '/repos/bob/inner', { private: false });
    assert.equal(await isPrivate(), false);
  });

  it('need read access to the code', async () => {
    await alice.must('POST', '/user/repos', { name: 'codeless' });
    await alice.must('PATCH', '/repos/alice/codeless', { has_code: false });
    assert.ok([403, 404].includes((await bob.post('/repos/alice/codeless/forks', {})).status));
    assert.equal((await alice.must('GET', '/repos/alice/codeless')).forks_count, 0);
    // What issues look like is written in the code, too.
    for (const path of ['issue_templates', 'issue_config', 'issue_config/validate']) {
      assert.equal((await bob.get(`/repos/alice/codeless/${path}`)).status, 403, path);
    }
    const compared = await alice.get('/repos/alice/codeless/compare/main...main');
    assert.deepEqual([compared.status, compared.json.message], [404, "can't read baseRepo UnitTypeCode"]);
  });
});
