// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';

const t = await testServer();
const [alice, bob, carol] = await Promise.all([t.user('alice'), t.user('bob'), t.user('carol')]);
await alice.must('POST', '/user/repos', { name: 'demo', auto_init: true });
const edit = (body: unknown) => alice.patch('/repos/alice/demo', body);

describe('editing a repository', () => {
  it('changes what is given and nothing else', async () => {
    const before = await alice.must('GET', '/repos/alice/demo');
    const { json } = await edit({ description: 'new', website: 'https://example.com', template: true });
    assert.deepEqual({ ...before, description: 'new', website: 'https://example.com', template: true }, json);
    assert.deepEqual(json, await alice.must('GET', '/repos/alice/demo'));
    assert.deepEqual((await edit({})).json, json);
  });

  it('changes all or nothing', async () => {
    const before = await alice.must('GET', '/repos/alice/demo');
    const { status } = await edit({ name: 'other', description: 'x', has_issues: true, external_tracker: { external_tracker_url: 'no' } });
    assert.equal(status, 422);
    assert.deepEqual(await alice.must('GET', '/repos/alice/demo'), before);
    assert.equal((await alice.get('/repos/alice/other')).status, 404);
  });

  it('switches units with their settings', async () => {
    const off = (await edit({ has_issues: false, has_wiki: false, has_pull_requests: false, has_projects: false, has_actions: false }))
      .json;
    assert.deepEqual(
      [off.has_issues, off.internal_tracker, off.has_wiki, off.allow_squash_merge, off.has_actions],
      [false, undefined, false, false, false],
    );
    assert.equal((await edit({ allow_merge_commits: true })).json.has_pull_requests, false, 'it says what holds already');
    const tracker = {
      external_tracker_url: 'https://t.example.com',
      external_tracker_format: 'https://t.example.com/{index}',
      external_tracker_style: 'numeric',
      external_tracker_regexp_pattern: '',
    };
    const outside = (
      await edit({
        has_issues: true,
        external_tracker: tracker,
        has_wiki: true,
        external_wiki: { external_wiki_url: 'https://w.example.com' },
      })
    ).json;
    assert.deepEqual(outside.external_tracker, tracker);
    assert.deepEqual(outside.external_wiki, { external_wiki_url: 'https://w.example.com' });
    const inside = (
      await edit({
        has_issues: true,
        internal_tracker: { enable_time_tracker: true },
        allow_squash_merge: false,
        has_projects: true,
        projects_mode: 'repo',
      })
    ).json;
    assert.deepEqual(inside.internal_tracker, {
      enable_time_tracker: true,
      allow_only_contributors_to_track_time: false,
      enable_issue_dependencies: false,
    });
    assert.equal(inside.external_tracker, undefined);
    assert.deepEqual(
      [inside.has_pull_requests, inside.allow_squash_merge, inside.allow_rebase, inside.projects_mode],
      [true, false, true, 'repo'],
    );
    assert.equal((await edit({ has_projects: true, projects_mode: '' })).json.projects_mode, '');
    for (const external_tracker_url of ['', 'ftp://x.example.com', 'http://localhost/x', 'http://127.0.0.1', 'javascript:alert(1)']) {
      assert.equal((await edit({ has_issues: true, external_tracker: { external_tracker_url } })).status, 422, external_tracker_url);
    }
    const half = { external_tracker_url: 'https://t.example.com', external_tracker_format: 'https://t.example.com/{index' };
    assert.equal((await edit({ has_issues: true, external_tracker: half })).status, 422);
  });

  it('moves HEAD with the default branch, to branches that exist', async () => {
    const row = await t.context.db.selectFrom('repositories').selectAll().where('name', '=', 'demo').executeTakeFirstOrThrow();
    const { path } = t.context.git.locate(row);
    await alice.git(['-C', path, 'branch', 'next', 'main'], t.folder);
    assert.equal((await edit({ default_branch: 'next' })).json.default_branch, 'next');
    assert.equal((await alice.git(['-C', path, 'symbolic-ref', 'HEAD'], t.folder)).stdout.trim(), 'refs/heads/next');
    assert.equal((await edit({ default_branch: 'missing' })).json.default_branch, 'next');
    await alice.must('POST', '/user/repos', { name: 'void' });
    assert.equal((await alice.patch('/repos/alice/void', { default_branch: '--upload-pack=x' })).status, 422);
    assert.equal((await alice.patch('/repos/alice/void', { default_branch: 'dev' })).json.default_branch, 'dev');
  });

  it('archives, and takes no changes then', async () => {
    const archived = (await alice.patch('/repos/alice/void', { archived: true })).json;
    assert.equal(archived.archived, true);
    assert.notEqual(archived.archived_at, '1970-01-01T00:00:00Z');
    const { status } = await alice.post('/repos/alice/void/contents/a.txt', { content: 'eA==' });
    assert.equal(status, 423);
    assert.equal((await alice.patch('/repos/alice/void', { archived: false })).json.archived_at, '1970-01-01T00:00:00Z');
  });

  it('is for administrators of the repository', async () => {
    await alice.must('PUT', '/repos/alice/demo/collaborators/bob', { permission: 'write' });
    assert.equal((await bob.patch('/repos/alice/demo', { description: 'x' })).status, 403);
    assert.equal((await carol.patch('/repos/alice/demo', { description: 'x' })).status, 403);
    assert.equal((await t.anonymous.patch('/repos/alice/demo', { description: 'x' })).status, 401);
  });
});

describe('renaming a repository', () => {
  it('leads from the old name to the new one, until somebody takes it', async () => {
    await alice.must('POST', '/user/repos', { name: 'first' });
    assert.equal((await alice.patch('/repos/alice/first', { name: 'second' })).json.full_name, 'alice/second');
    const moved = await bob.get('/repos/alice/first/topics?page=1');
    assert.deepEqual([moved.status, moved.headers.get('location')], [301, '/api/v1/repos/alice/second/topics?page=1']);
    await alice.must('POST', '/user/repos', { name: 'first' });
    assert.equal((await bob.get('/repos/alice/first')).json.name, 'first');
    assert.equal((await alice.patch('/repos/alice/first', { name: 'SECOND' })).status, 422);
    assert.equal((await alice.patch('/repos/alice/first', { name: 'x.git' })).status, 422);
    assert.equal((await alice.patch('/repos/alice/second', { name: 'Second' })).json.name, 'Second');
  });

  it('an old name says nothing to who may not see the repository', async () => {
    await alice.must('POST', '/user/repos', { name: 'plan', private: true });
    await alice.must('PATCH', '/repos/alice/plan', { name: 'secret-plan' });
    assert.equal((await alice.get('/repos/alice/plan')).status, 301);
    for (const client of [carol, t.anonymous]) {
      const { status, text, headers } = await client.get('/repos/alice/plan');
      assert.equal(status, 404);
      assert.equal(headers.get('location'), null);
      assert.doesNotMatch(text, /secret/);
    }
  });

  it('of many renames to one name at once, one succeeds', async () => {
    await Promise.all([1, 2, 3, 4].map((i) => alice.must('POST', '/user/repos', { name: `r${i}` })));
    const statuses = await Promise.all([1, 2, 3, 4].map(async (i) => (await alice.patch(`/repos/alice/r${i}`, { name: 'goal' })).status));
    assert.deepEqual(statuses.toSorted(), [200, 422, 422, 422]);
  });
});

describe('making a repository private', () => {
  it('ends stars and watches of those who see it no longer', async () => {
    await alice.must('POST', '/user/repos', { name: 'open' });
    await alice.must('PUT', '/repos/alice/open/collaborators/bob', { permission: 'read' });
    for (const client of [bob, carol]) {
      await client.must('PUT', '/user/starred/alice/open');
      await client.must('PUT', '/repos/alice/open/subscription');
    }
    assert.equal((await alice.patch('/repos/alice/open', { private: true })).json.stars_count, 0);
    await t.settled();
    assert.deepEqual(await carol.must('GET', '/user/subscriptions'), []);
    assert.deepEqual(await carol.must('GET', '/user/starred'), []);
    assert.equal((await bob.must('GET', '/user/subscriptions')).length, 1);
    const { watchers_count } = await alice.must('GET', '/repos/alice/open');
    assert.equal(watchers_count, 2);
    assert.equal((await carol.must('GET', '/user')).starred_repos_count, 0);
  });
});
