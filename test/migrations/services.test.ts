// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';
import { githubStub } from './services/github.ts';
import { gitlabStub } from './services/gitlab.ts';
import { codebaseStub, codecommitStub, gogsStub, onedevStub } from './services/others.ts';
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
    // The first token is limited from when the labels were asked for.
    const tokens = stub.requests.map(({ authorization }) => authorization);
    assert.deepEqual([tokens[0], tokens.at(-1), new Set(tokens).size], ['token one', 'token two', 2]);
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

describe('migration from GitLab', () => {
  it('brings over a project, with merge requests numbered after the issues', async () => {
    const stub = await gitlabStub();
    const get = await migrated('gitlab', `${stub.url}/lab/group/sub/r.git`, { auth_token: 'T0ken' });
    assert.deepEqual((await get('/issues?state=all&type=issues')).map(brief).sort(), [
      [1, 'First', 'open', 'dora', false],
      [4, 'Second', 'closed', 'dora', true],
    ]);
    assert.equal((await get('/issues/1/reactions'))[0].content, '+1');
    assert.deepEqual((await get('/issues/1/comments')).map(({ body }: Json) => body).sort(), ['A reply', 'Hello']);
    assert.equal((await get('/labels'))[0].color, 'dc143c');
    const [release] = await get('/releases?draft=true');
    assert.deepEqual(release.assets.map(({ name, size }: Json) => [name, size]).sort(), [
      ['other.bin', 27],
      ['own.bin', 3],
    ]);
    const [merged, fork] = [await get('/pulls/5'), await get('/pulls/6')];
    assert.deepEqual([merged.merged, merged.merge_commit_sha, merged.head.ref], [true, stub.id('two'), 'topic']);
    assert.deepEqual([fork.title, fork.head.ref, fork.head.sha], ['WIP: Fork', 'dora/fork', stub.id('three')]);
    const reviews = (await get('/pulls/5/reviews')).map(({ state, comments_count: count }: Json) => `${state} ${count}`).sort();
    assert.deepEqual(reviews, ['APPROVED 0', 'COMMENT 1']);
    const timeline = (await get('/issues/5/timeline')).map(({ type, old_ref: from }: Json) => `${type} ${from}`);
    assert.ok(timeline.includes('change_target_branch old'), timeline.join());
    assert.ok(stub.requests.slice(1).every(({ authorization }) => authorization === 'Bearer T0ken'));
  });
});

describe('migration from other services', () => {
  it('brings over the issues of Gogs', async () => {
    const stub = await gogsStub();
    const get = await migrated('gogs', `${stub.url}/o/r.git`, { auth_username: 'ann', auth_password: 'pw' });
    assert.deepEqual((await get('/issues?state=all')).map(brief).sort(), [
      [1, 'First', 'open', 'dora', false],
      [2, 'Second', 'closed', 'dora', false],
    ]);
    assert.deepEqual(
      (await get('/issues/1/comments')).map(({ body }: Json) => body),
      ['Hello'],
    );
  });

  it('brings over a project of OneDev', async () => {
    const stub = await onedevStub();
    const get = await migrated('onedev', `${stub.url}/team/r`);
    assert.deepEqual((await get('/issues?state=all&type=issues')).map(brief).sort(), [
      [1, 'First', 'open', 'dora', false],
      [2, 'Second', 'closed', 'Ghost', false],
    ]);
    const [first, pull] = [await get('/issues/1'), await get('/pulls/3')];
    assert.deepEqual([first.labels[0].name, first.milestone.title, first.comments], ['Bug', 'Next', 2]);
    assert.deepEqual([pull.merged, pull.head.sha, pull.merge_base], [true, stub.id('two'), stub.id('one')]);
    assert.equal((await get('/pulls/3/reviews'))[0].state, 'APPROVED');
  });

  it('brings over a project of Codebase', async () => {
    const stub = await codebaseStub();
    const get = await migrated('codebase', `${stub.url}/project/r.git`, { auth_username: 'a/dora', auth_password: 'key' });
    assert.equal((await get('')).description, 'A & B');
    const [ticket] = await get('/issues?state=all&type=issues');
    assert.deepEqual(brief(ticket), [3, 'First', 'closed', 'dora', false]);
    assert.deepEqual([ticket.body, ticket.comments, ticket.labels[0].name, ticket.milestone.title], ['Text', 1, 'Bug', 'Next']);
    const pull = await get('/pulls/4');
    assert.deepEqual([pull.title, pull.merged, pull.head.sha], ['Merge', true, stub.id('two')]);
    assert.equal((await get('/issues/4')).original_author, 'User 8');
  });

  it('brings over the pull requests of CodeCommit', async () => {
    const stub = await codecommitStub();
    const key = { aws_access_key_id: 'AKID', aws_secret_access_key: 'secret' };
    const get = await migrated('codecommit', `${stub.url}/v1/repos/r`, key);
    const pull = await get('/pulls/17');
    assert.deepEqual([pull.title, pull.head.ref, pull.merge_base], ['Merge', 'topic', stub.id('one')]);
    assert.deepEqual(
      (await get('/issues/17/comments')).map(({ body }: Json) => body),
      ['Hello'],
    );
    const [review] = await get('/pulls/17/reviews');
    const [comment] = await get(`/pulls/17/reviews/${review.id}/comments`);
    assert.deepEqual([comment.path, comment.position, comment.body], ['a.txt', 2, 'Why?']);
    assert.match(stub.requests[0]?.authorization ?? '', /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/us-east-1\/codecommit\/aws4_request, /);
  });
});
