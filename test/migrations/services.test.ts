import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';
import { githubStub } from './services/github.ts';
import type { Json } from './snapshot.ts';

const t = await testServer({ outgoing: { allowedHosts: ['loopback'] }, migrations: { maxAttempts: 1 } });
const bob = await t.user('bob');
const EVERYTHING = { labels: true, milestones: true, issues: true, pull_requests: true, releases: true };

/** Migrates a project; returns what the API shows below it. */
async function migrated(service: string, clone_addr: string, fields: Record<string, unknown> = {}) {
  const { status, json } = await bob.post('/repos/migrate', { service, clone_addr, repo_name: service, ...EVERYTHING, ...fields });
  assert.equal(status, 201, json.message);
  await t.settled();
  return (path: string): Promise<Json> => bob.must('GET', `/repos/bob/${service}${path}`);
}

const brief = ({ number, title, state, original_author: by, is_locked: locked }: Json) => [number, title, state, by, locked];

describe('migration from GitHub', () => {
  it('brings over a project', async () => {
    const stub = await githubStub('/o/r.git');
    const get = await migrated('github', `${stub.url}/o/r.git`, { auth_token: 'one,two' });
    const repository = await get('');
    assert.deepEqual([repository.description, repository.open_issues_count, repository.open_pr_counter], ['A project', 0, 1]);
    assert.deepEqual((await get('/topics')).topics, ['one']);
    const [first] = await get('/issues?state=closed&type=issues');
    assert.deepEqual(brief(first), [1, 'First', 'closed', 'dora', true]);
    assert.deepEqual([first.labels[0].name, first.milestone.title, first.original_author_id], ['bug', 'Next', 7]);
    assert.equal((await get('/issues/1/comments'))[0].body, 'Hello');
    assert.equal((await get('/issues/1/reactions'))[0].user.login, 'ed(github)');
    const [release] = await get('/releases?draft=true');
    assert.deepEqual([release.target_commitish, release.assets[0].size, release.assets[0].download_count], ['main', 3, 4]);
    const pulls = [await get('/pulls/2'), await get('/pulls/3')];
    assert.deepEqual(
      pulls.map(({ title, draft, merged, head }) => [title, draft, merged, head.ref, head.sha]),
      [
        ['WIP: Second', true, false, 'topic', stub.id('two')],
        ['Third', false, true, 'refs/pull/3/head', stub.id('two')],
      ],
    );
    assert.equal((await get('/issues/2')).original_author, 'Ghost');
    const reviews = (await get('/pulls/2/reviews')).sort((a: Json, b: Json) => (a.state < b.state ? -1 : 1));
    assert.deepEqual(
      reviews.map(({ state, comments_count: count }: Json) => [state, count]),
      [
        ['REQUEST_CHANGES', 1],
        ['REQUEST_REVIEW', 0],
      ],
    );
    const [comment] = await get(`/pulls/2/reviews/${reviews[0].id}/comments`);
    assert.deepEqual([comment.path, comment.position, comment.body], ['a.txt', 2, 'Why?']);
    assert.ok(stub.requests.every(({ authorization }) => authorization === 'token one'));
  });
});

describe('migration from GitBucket', () => {
  it('brings over a project without reviews and reactions', async () => {
    const stub = await githubStub('/git/o/r.git');
    const get = await migrated('gitbucket', `${stub.url}/o/r`, { auth_username: 'ann', auth_password: 'pw' });
    assert.deepEqual((await get('/issues?state=all&type=issues')).map(brief), [[1, 'First', 'closed', 'dora', true]]);
    assert.deepEqual((await get('/pulls?state=all')).map(({ number }: Json) => number).sort(), [2, 3]);
    assert.ok(stub.requests.every(({ path }) => !/reactions|reviews/.test(path)));
    assert.equal(stub.requests[0]?.authorization, `Basic ${Buffer.from('ann:pw').toString('base64')}`);
  });
});
