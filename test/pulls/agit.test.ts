// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { storedRef } from '../../src/git/refs/stored-refs.ts';
import { testServer } from '../support/server.ts';
import { cloned } from '../transport/work-tree.ts';
import { pushBranch, pushed } from './pushing.ts';

const t = await testServer();
const [alice, bob] = [await t.user('alice'), await t.user('bob')];
const demo = await pushed(t, alice, 'demo');
await pushBranch(demo.tree, 'release/1', { r: '1' });
const bobs = await cloned(t, bob, 'alice/demo');
const get = async (number: number) => (await alice.get(`${demo.path}/pulls/${number}`)).json;

describe('pushing to refs/for', () => {
  it('opens a pull request, for users who may read', async () => {
    const id = await bobs.commit({ 'a.txt': 'a\n' }, 'Add a\n\nBecause.\n\nReally.');
    const { code, stderr } = await bobs.run('push', 'origin', 'HEAD:refs/for/main/topic');
    assert.equal(code, 0, stderr);
    assert.match(stderr, /remote: Visit the existing pull request: *\nremote: {3}\S+\/alice\/demo\/pulls\/1/);
    const pull = await get(1);
    assert.deepEqual([pull.title, pull.body, pull.user.login, pull.base.ref], ['Add a', 'Because.\n\nReally.\n', 'bob', 'main']);
    assert.deepEqual([pull.head.label, pull.head.ref, pull.head.sha, pull.head.repo.full_name], ['', 'refs/pull/1/head', id, 'alice/demo']);
    assert.equal(storedRef(demo.folder, 'refs/pull/1/head'), id);
    assert.equal(storedRef(demo.folder, 'refs/heads/topic'), undefined);
    assert.equal((await alice.get(`${demo.path}/pulls?state=open`)).json[0].head.sha, id);
    assert.deepEqual(
      (await alice.get(`${demo.path}/pulls/1/files`)).json.map(({ filename }: { filename: string }) => filename),
      ['a.txt'],
    );
  });

  it('moves the head with the next push for the topic; a rewrite must be requested', async () => {
    const next = await bobs.commit({ 'b.txt': 'b\n' });
    await bobs.git('push', '-q', 'origin', 'HEAD:refs/for/main/topic');
    assert.equal((await get(1)).head.sha, next);
    assert.match((await bobs.run('push', 'origin', 'HEAD:refs/for/main/topic')).stderr, /new commit is same with old commit/);
    await bobs.git('commit', '-q', '--amend', '-m', 'Otherwise');
    const other = await bobs.git('rev-parse', 'HEAD');
    assert.match((await bobs.run('push', 'origin', 'HEAD:refs/for/main/topic')).stderr, /request `force-push` push option/);
    assert.equal((await get(1)).head.sha, next);
    await bobs.git('push', '-q', '-o', 'force-push', 'origin', 'HEAD:refs/for/main/topic');
    assert.equal(storedRef(demo.folder, 'refs/pull/1/head'), other);
    await t.settled();
    const rows = (await alice.get(`${demo.path}/issues/1/timeline`)).json.filter(({ type }: { type: string }) => type === 'pull_push');
    assert.deepEqual(JSON.parse(rows.at(-1).body), { is_force_push: true, commit_ids: [next, other] });
  });

  it('takes topic, title and description from push options, and branches with slashes', async () => {
    const description = `{base64}${Buffer.from('Two\nlines').toString('base64')}`;
    const options = ['-o', 'topic=other', '-o', 'title=A title', '-o', `description=${description}`];
    await bobs.git('push', '-q', ...options, 'origin', 'HEAD:refs/for/release/1');
    const pull = await get(2);
    assert.deepEqual([pull.title, pull.body, pull.base.ref], ['A title', 'Two\nlines', 'release/1']);
    await bobs.git('push', '-q', 'origin', 'HEAD:refs/for/release/1/deep/er');
    assert.equal((await get(3)).base.ref, 'release/1');
  });

  it('keeps the topics of users apart, also after they are renamed', async () => {
    const own = await cloned(t, alice, 'alice/demo');
    await own.commit({ 'c.txt': 'c\n' });
    await own.git('push', '-q', 'origin', 'HEAD:refs/for/main/topic');
    assert.equal((await get(4)).user.login, 'alice');
    const carol = await t.user('carol');
    const carols = await cloned(t, carol, 'alice/demo');
    await carols.commit({ 'd.txt': 'd\n' });
    await carols.git('push', '-q', 'origin', 'HEAD:refs/for/main/topic');
    await t.admin.must('POST', '/admin/users/carol/rename', { new_username: 'caroline' });
    await carols.git('remote', 'set-url', 'origin', carol.remote('alice/demo').replace('carol:', 'caroline:'));
    const next = await carols.commit({ 'd.txt': 'e\n' });
    await carols.git('push', '-q', 'origin', 'HEAD:refs/for/main/topic');
    assert.equal((await get(5)).head.sha, next);
  });

  it('refuses what makes no pull request', async () => {
    const refused = async (pattern: RegExp, ...args: string[]) => {
      const { code, stderr } = await bobs.run('push', ...args);
      assert.notEqual(code, 0, args.join(' '));
      assert.match(stderr, pattern);
    };
    await refused(/base-branch does not exist/, 'origin', 'HEAD:refs/for/nope/topic');
    await refused(/topic-branch is not set/, 'origin', 'HEAD:refs/for/main');
    await refused(/not a name of a branch/, '-o', 'topic=a..b', 'origin', 'HEAD:refs/for/main');
    await refused(/User permission denied for writing/, 'origin', 'HEAD:refs/for/main/x', 'HEAD:refs/heads/x');
    await alice.must('PUT', '/user/blocks/bob');
    await refused(/user is blocked/, 'origin', 'HEAD:refs/for/main/blocked');
    await alice.must('DELETE', '/user/blocks/bob');
    await alice.must('PATCH', demo.path, { has_pull_requests: false });
    await refused(/denied for creating pull-request/, 'origin', 'HEAD:refs/for/main/off');
    await alice.must('PATCH', demo.path, { has_pull_requests: true });
    assert.equal((await alice.get(`${demo.path}/pulls?state=all`)).headers.get('x-total-count'), '5');
  });

  it('keeps out whom the author of the repository blocks, and readers while it is locked', async () => {
    const { head } = await get(1);
    await bobs.commit({ 'late.txt': 'l\n' });
    const push = async () => (await bobs.run('push', '-o', 'force-push', 'origin', 'HEAD:refs/for/main/topic')).stderr;
    await alice.must('PUT', '/user/blocks/bob');
    assert.match(await push(), /user is blocked/);
    await alice.must('DELETE', '/user/blocks/bob');
    await alice.must('PUT', `${demo.path}/issues/1/lock`, { lock_reason: 'resolved' });
    assert.match(await push(), /is locked/);
    assert.equal((await get(1)).head.sha, head.sha);
    await alice.must('DELETE', `${demo.path}/issues/1/lock`);
  });

  it('opens another pull request for somebody with the name of a deleted user', async () => {
    const open = async () => {
      const tree = await cloned(t, await t.user('again'), 'alice/demo');
      await tree.commit({ 'again.txt': `${Math.random()}\n` }, 'Again');
      const { code, stderr } = await tree.run('push', '-o', 'force-push', 'origin', 'HEAD:refs/for/main/inherited');
      assert.equal(code, 0, stderr);
      return Number(/pulls\/(\d+)/.exec(stderr)?.[1]);
    };
    const first = await open();
    const { head } = await get(first);
    await t.admin.must('DELETE', '/admin/users/again');
    const second = await open();
    assert.notEqual(second, first);
    assert.equal((await get(first)).head.sha, head.sha);
    for (const number of [first, second]) await alice.must('DELETE', `${demo.path}/issues/${number}`);
  });
});

describe('messages to the pusher', () => {
  it('names the pull request that there is, or where one could be opened', async () => {
    const { tree, path } = await pushed(t, alice, 'told');
    await tree.git('checkout', '-q', '-B', 'topic');
    await tree.commit({ a: '1' });
    assert.match(
      (await tree.run('push', 'origin', 'topic', 'topic:topic+1')).stderr,
      /Create a new pull request for 'topic\+1': *\nremote: {3}\S+\/alice\/told\/pulls\/new\/topic\+1/,
    );
    assert.match((await tree.run('push', 'origin', 'topic:a&b#c')).stderr, /\/alice\/told\/pulls\/new\/a&b%23c/);
    await alice.must('POST', `${path}/pulls`, { head: 'topic', base: 'main', title: 'Topic' });
    await tree.commit({ a: '2' });
    assert.match(
      (await tree.run('push', 'origin', 'topic')).stderr,
      /Visit the existing pull request: *\nremote: {3}\S+\/alice\/told\/pulls\/1/,
    );
    await tree.git('checkout', '-q', 'main');
    await tree.commit({ a: '3' });
    assert.doesNotMatch((await tree.run('push', 'origin', 'main')).stderr, /pull request/);
  });
});
