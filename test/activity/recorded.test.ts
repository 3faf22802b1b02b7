// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { recordIssue } from '../../src/activity/record.ts';
import { testServer } from '../support/server.ts';
import { type Activity, activityFeeds, repository } from './feed.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
const carol = await t.user('carol');
const { feedOf, types } = activityFeeds(t);

const line = ({ op_type, act_user, ref_name, content, comment }: Activity) =>
  [op_type, act_user.login, ref_name, content, comment?.body ?? '-'].join(' ');

describe('activities are recorded', () => {
  it('of repositories and issues', async () => {
    const demo = await repository(alice, 'demo');
    await bob.must('POST', `${demo}/issues`, { title: 'A|title' });
    await alice.must('POST', `${demo}/issues/1/comments`, { body: 'Said' });
    await alice.must('PATCH', `${demo}/issues/1`, { state: 'closed' });
    await alice.must('PATCH', `${demo}/issues/1`, { state: 'open' });
    await t.settled();
    await alice.must('PATCH', demo, { name: 'renamed' });
    await bob.must('POST', '/repos/alice/renamed/forks', {});
    const feed = await feedOf(alice, '/repos/alice/renamed');
    assert.deepEqual(feed.map(line).reverse(), [
      'create_repo alice   -',
      'create_issue bob  1|A|title -',
      'comment_issue alice  1|Said Said',
      'close_issue alice  1| ',
      'reopen_issue alice  1| ',
      'rename_repo alice  demo -',
    ]);
    assert.ok(feed.every(({ repo, is_private }) => repo.full_name === 'alice/renamed' && !is_private));
    assert.deepEqual(
      feed.map(({ comment }) => comment?.user),
      [undefined, null, null, null, undefined, undefined],
    );
    assert.deepEqual(await types(bob, '/users/bob'), ['create_issue', 'create_repo']);
  });

  it('of a new owner, with the old name', async () => {
    const repo = await repository(carol, 'given');
    await carol.must('POST', '/orgs', { username: 'givers' });
    await t.settled();
    await carol.must('POST', `${repo}/transfer`, { new_owner: 'givers' });
    const [last] = await feedOf(carol, '/repos/givers/given');
    assert.deepEqual([last?.op_type, last?.content], ['transfer_repo', 'carol/given']);
  });

  it('of a branch’s new name, which brings no commits', async () => {
    const repo = await repository(alice, 'branched');
    await alice.must('PATCH', `${repo}/branches/main`, { name: 'trunk' });
    assert.deepEqual((await feedOf(alice, repo)).map(line).sort(), [
      'commit_repo alice refs/heads/trunk  -',
      'create_repo alice   -',
      'delete_branch alice refs/heads/main  -',
    ]);
  });

  it('of branches and tags, with the commits of a push', async () => {
    const repo = await repository(alice, 'pushed');
    const folder = join(t.folder, 'pushed');
    const git = async (...args: string[]) => {
      const { code, stdout, stderr } = await alice.git(args, folder);
      assert.equal(code, 0, stderr);
      return stdout.trim();
    };
    await alice.git(['clone', '-q', alice.remote('alice/pushed'), folder], t.folder);
    await writeFile(join(folder, 'a'), 'a');
    const base = await git('rev-parse', 'HEAD');
    await git('checkout', '-q', '-b', 'topic/one');
    await git('add', '.');
    for (let number = 1; number <= 7; number++) await git('commit', '-q', '--allow-empty', '-m', `Step ${number} <b>`);
    const head = await git('rev-parse', 'HEAD');
    await git('push', '-q', 'origin', 'topic/one');
    await t.settled();
    await git('commit', '-q', '--allow-empty', '-m', 'More');
    const next = await git('rev-parse', 'HEAD');
    await git('push', '-q', 'origin', 'topic/one');
    await t.settled();
    await git('tag', '-a', 'v1', '-m', 'One');
    await git('push', '-q', 'origin', 'v1');
    await t.settled();
    await git('push', '-q', 'origin', ':topic/one', ':v1');

    const feed = (await feedOf(alice, repo)).reverse().slice(1);
    assert.deepEqual(
      feed.map(({ op_type, ref_name }) => `${op_type} ${ref_name}`),
      [
        'commit_repo refs/heads/topic/one',
        'commit_repo refs/heads/topic/one',
        'commit_repo refs/heads/topic/one',
        'push_tag refs/tags/v1',
        'delete_branch refs/heads/topic/one',
        'delete_tag refs/tags/v1',
      ],
    );
    const [made, first, second, tagged, branchGone, tagGone] = feed.map(({ content }) => content);
    assert.deepEqual([made, branchGone], ['', '']);
    assert.ok(first && !first.includes('<'), 'safe within a page');
    const push = JSON.parse(first);
    assert.deepEqual([push.Len, push.Commits.length, push.HeadCommit.Sha1], [7, 5, head]);
    assert.equal(push.CompareURL, `alice/pushed/compare/${base}...${head}`);
    assert.deepEqual(push.Commits[0], {
      Sha1: head,
      Message: 'Step 7 <b>\n',
      AuthorEmail: 'tester@example.com',
      AuthorName: 'Tester',
      CommitterEmail: 'tester@example.com',
      CommitterName: 'Tester',
      Timestamp: '2024-01-02T03:04:05Z',
    });
    const { Commits, Len, CompareURL } = JSON.parse(second ?? '');
    assert.deepEqual([Commits.length, Len, CompareURL], [1, 1, `alice/pushed/compare/${head}...${next}`]);
    const tag = JSON.parse(tagged ?? '');
    assert.deepEqual([tag.Commits, tag.Len, tag.HeadCommit.Sha1], [null, 0, next]);
    assert.match(tag.CompareURL, /^alice\/pushed\/compare\/0{40}\.\.\.[0-9a-f]{40}$/);
    assert.equal(tagGone, '{"Commits":null,"HeadCommit":null,"CompareURL":"","Len":0}');
  });

  it('of a branch without commits of its own', async () => {
    const repo = await repository(alice, 'bare');
    await alice.must('POST', `${repo}/branches`, { new_branch_name: 'same' });
    const [last] = await feedOf(alice, repo);
    const { Commits, Len, CompareURL, HeadCommit } = JSON.parse(last?.content ?? '');
    assert.deepEqual([Commits, Len, CompareURL], [[], 0, `alice/bare/compare/main...${HeadCommit.Sha1}`]);
  });

  it('once, however often an event is handed on', async () => {
    const repo = await repository(alice, 'repeated');
    await alice.must('POST', `${repo}/issues`, { title: 'Once' });
    const before = await types(alice, repo);
    const { db } = t.context;
    const row = await db.selectFrom('activities').selectAll().where('content', '=', '1|Once').executeTakeFirstOrThrow();
    const payload = { repositoryId: row.repository_id, issueId: row.issue_id ?? 0, actorId: row.actor_id, mentions: [] };
    await recordIssue({ id: row.event_id, type: 'issue.opened', payload, createdAt: row.created_at }, t.context);
    assert.deepEqual(await types(alice, repo), before);
  });

  it('no longer of what was deleted', async () => {
    const repo = await repository(alice, 'deleted');
    await alice.must('POST', `${repo}/issues`, { title: 'Goes' });
    const { id } = await alice.must('POST', `${repo}/issues/1/comments`, { body: 'Goes first' });
    assert.deepEqual(await types(alice, repo), ['create_repo', 'create_issue', 'comment_issue']);
    await alice.must('DELETE', `${repo}/issues/comments/${id}`);
    assert.deepEqual(await types(alice, repo), ['create_repo', 'create_issue']);
    await alice.must('DELETE', `${repo}/issues/1`);
    assert.deepEqual(await types(alice, repo), ['create_repo']);
    await alice.must('DELETE', repo);
    const names = (await feedOf(alice, '/users/alice')).map(({ repo }) => repo.full_name);
    assert.deepEqual([names.includes('alice/repeated'), names.includes('alice/deleted')], [true, false]);
  });

  it('no longer of who has gone', async () => {
    const dora = await t.user('dora');
    const repo = await repository(alice, 'left');
    await dora.must('POST', `${repo}/issues`, { title: 'Mine' });
    assert.deepEqual(await types(alice, repo), ['create_repo', 'create_issue']);
    await t.admin.must('DELETE', '/admin/users/dora');
    assert.deepEqual(await types(alice, repo), ['create_repo']);
  });
});
