import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { servers } from '../mirrors/servers.ts';
import { fillProject } from './project.ts';
import { snapshot } from './snapshot.ts';

// Two servers on one machine: each may reach the other, and itself.
const { t, bob, other, alice, source, urlOf } = await servers();
const carol = await other.user('carol');
const EVERYTHING = { labels: true, milestones: true, issues: true, pull_requests: true, releases: true };
const migrate = (repo_name: string, fields: Record<string, unknown> = {}) =>
  bob.post('/repos/migrate', {
    repo_name,
    clone_addr: urlOf(repo_name),
    service: 'gitea',
    auth_token: token.password,
    ...EVERYTHING,
    ...fields,
  });
const token = await alice.token(['all']);
// `COPSE_TEST_PROJECT=1000,200` makes a large project, with so many issues and pull requests.
const [issues = 6, pulls = 5] = (process.env.COPSE_TEST_PROJECT ?? '').split(',').filter(Boolean).map(Number);

describe('migration from Gitea', () => {
  it('brings over a project, field by field', async () => {
    const demo = await source('demo', [{ label: 'one', files: { 'a.txt': '1\n' } }]);
    await alice.must('PUT', `${demo.path}/collaborators/carol`, { permission: 'write' });
    await fillProject(
      (...request) => alice.must(...request),
      (...request) => carol.must(...request),
      demo.path,
      { issues, pulls },
    );
    await other.settled();
    const { status, json } = await migrate('demo');
    assert.equal(status, 201, JSON.stringify(json));
    await t.settled();
    const get = (client: typeof bob) => (path: string) => client.must('GET', path);
    assert.deepEqual(await snapshot(get(bob), '/repos/bob/demo'), await snapshot(get(alice), demo.path));
  });

  it('brings over files, the branches of forks, and what is private', async () => {
    const files = await source('files', [{ label: 'one', files: { 'a.txt': '1\n' } }], { private: true });
    const attach = (path: string) => {
      const form = new FormData();
      form.append('attachment', new Blob(['a file']), 'notes.txt');
      return alice.send('POST', path, { form });
    };
    const release = await alice.must('POST', `${files.path}/releases`, { tag_name: 'v1', target_commitish: 'main' });
    await attach(`${files.path}/releases/${release.id}/assets`);
    await alice.must('POST', `${files.path}/issues`, { title: 'With files' });
    const { id } = await alice.must('POST', `${files.path}/issues/1/comments`, { body: 'Here' });
    await attach(`${files.path}/issues/1/assets`);
    await attach(`${files.path}/issues/comments/${id}/assets`);
    await alice.must('PUT', `${files.path}/collaborators/carol`, { permission: 'read' });
    const fork = await carol.must('POST', `${files.path}/forks`, {});
    await carol.must('POST', `/repos/${fork.full_name}/contents/b.txt`, { content: 'eA==', new_branch: 'fix', branch: 'main' });
    const pull = await carol.must('POST', `${files.path}/pulls`, { title: 'From a fork', head: 'carol:fix', base: 'main' });
    await other.settled();
    assert.match((await migrate('files', { auth_token: '' })).json.message, /has no such project|refused the request/);
    const made = await migrate('files', { private: true });
    assert.deepEqual([made.status, made.json.private], [201, true], made.json.message);
    await t.settled();
    const [published] = await bob.must('GET', '/repos/bob/files/releases');
    const asset = await bob.get(published.assets[0].browser_download_url.replace(/^https?:\/\/[^/]*/, '/'));
    assert.deepEqual([published.assets[0].name, asset.text], ['notes.txt', 'a file']);
    const [issue, [comment]] = await Promise.all(['', '/comments'].map((path) => bob.must('GET', `/repos/bob/files/issues/1${path}`)));
    assert.deepEqual([issue.assets.length > 0, comment.assets[0].size], [true, 6]);
    const copy = await bob.must('GET', `/repos/bob/files/pulls/${pull.number}`);
    assert.deepEqual([copy.head.ref, copy.head.sha, copy.mergeable, copy.state], ['carol/fix', pull.head.sha, true, 'open']);
    assert.equal((await bob.post(`/repos/bob/files/pulls/${pull.number}/merge`, { Do: 'merge' })).status, 200);
  });

  it('notifies nobody, and leaves issues out of mirrors', async () => {
    const { db } = t.context;
    const rows = await db.selectFrom('notifications').select('id').execute();
    assert.deepEqual(rows, []);
    const feed = await bob.must('GET', '/users/bob/activities/feeds?only-performed-by=true');
    assert.ok(feed.every(({ op_type: type }: { op_type: string }) => !/issue|comment|review/.test(type)));
    const { json } = await migrate('demo', { repo_name: 'mirrored', mirror: true, mirror_interval: '0' });
    assert.deepEqual([json.mirror, json.open_issues_count, json.description], [true, 0, 'A project']);
  });

  it('knows people again on the same server', async () => {
    const clone_addr = new URL('/bob/own.git', t.url).href;
    const dora = await t.user('dora');
    await bob.must('POST', '/user/repos', { name: 'own', auto_init: true });
    await bob.must('PUT', '/repos/bob/own/collaborators/dora', { permission: 'write' });
    await dora.must('POST', '/repos/bob/own/issues', { title: 'Mine', assignees: ['dora', 'bob'] });
    const own = await bob.token(['all']);
    const { status, json } = await migrate('copy', { clone_addr, auth_token: own.password });
    assert.equal(status, 201, json.message);
    const [issue] = await bob.must('GET', '/repos/bob/copy/issues');
    const names = issue.assignees.map(({ login }: { login: string }) => login).sort();
    assert.deepEqual([issue.user.login, issue.original_author, names], ['dora', '', ['bob', 'dora']]);
  });
});
