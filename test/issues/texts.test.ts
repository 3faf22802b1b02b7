import assert from 'node:assert/strict';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Client } from '../support/client.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const writer = await t.user('writer');
const reader = await t.user('reader');
const troll = await t.user('troll');

let count = 0;
async function newRepository(fields: object = {}): Promise<string> {
  const name = `demo-${++count}`;
  await alice.must('POST', '/user/repos', { name, auto_init: true, default_branch: 'main', ...fields });
  await alice.must('PUT', `/repos/alice/${name}/collaborators/writer`, { permission: 'write' });
  return `/repos/alice/${name}`;
}

interface Row {
  type: string;
  user: { login: string };
  body: string;
  ref_action: string;
  ref_commit_sha: string;
  ref_issue: { number: number; repository: { name: string } } | null;
  ref_comment: { body: string } | null;
}

async function timeline(who: Client, at: string): Promise<string[]> {
  const rows: Row[] = (await who.must('GET', `${at}/timeline`)) ?? [];
  return rows.map((row) =>
    [row.type, row.ref_issue && `#${row.ref_issue.number}`, row.ref_comment?.body, row.ref_action].filter(Boolean).join(' '),
  );
}

describe('a comment', () => {
  it('is written by readers, changed and deleted by its author and by who may write', async () => {
    const repo = await newRepository();
    await alice.must('POST', `${repo}/issues`, { title: 'One' });
    const made = await reader.must('POST', `${repo}/issues/1/comments`, { body: '  First ' });
    assert.deepEqual([made.body, made.user.login, made.assets], ['  First ', 'reader', []]);
    assert.match(made.html_url, /\/alice\/demo-\d+\/issues\/1#issuecomment-\d+$/);
    const at = `${repo}/issues/comments/${made.id}`;
    assert.equal((await troll.patch(at, { body: 'x' })).status, 403);
    assert.equal((await t.anonymous.patch(at, { body: 'x' })).status, 401);
    assert.equal((await reader.patch(at, { body: '' })).json.message, '[Body]: Required');
    assert.equal((await writer.patch(at, { body: 'Edited' })).json.body, 'Edited');
    assert.equal((await reader.patch(`${repo}/issues/1/comments/${made.id}`, { body: 'On the older path' })).status, 200);
    assert.equal((await alice.must('GET', `${repo}/issues/1`)).comments, 1);
    assert.equal((await troll.delete(at)).status, 403);
    assert.equal((await reader.delete(at)).status, 204);
    assert.equal((await reader.delete(at)).status, 404);
    assert.equal((await alice.must('GET', `${repo}/issues/1`)).comments, 0);
  });

  it('is reached through its own repository alone, and not where issues are hidden', async () => {
    const [repo, other] = [await newRepository({ private: true }), await newRepository()];
    await alice.must('POST', `${repo}/issues`, { title: 'Uncommon' });
    const { id } = await alice.must('POST', `${repo}/issues/1/comments`, { body: 'Hidden' });
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const request = method === 'GET' ? {} : { json: { body: 'x' } };
      assert.equal((await alice.send(method, `${other}/issues/comments/${id}`, request)).status, 404, method);
      assert.equal((await reader.send(method, `${repo}/issues/comments/${id}`, request)).status, 404, method);
    }
    await alice.must('PUT', `${repo}/collaborators/reader`, { permission: 'read' });
    assert.equal((await reader.get(`${repo}/issues/comments/${id}`)).status, 200);
    await alice.must('DELETE', `${repo}/collaborators/reader`);
    assert.equal((await reader.get(`${repo}/issues/comments/${id}`)).status, 404);
    assert.deepEqual(await reader.must('GET', '/repos/issues/search?q=uncommon&owner=alice'), []);
  });

  it('of another kind has no text to change', async () => {
    const repo = await newRepository();
    await alice.must('POST', `${repo}/issues`, { title: 'One' });
    await alice.must('PATCH', `${repo}/issues/1`, { title: 'Two' });
    const [event] = await alice.must('GET', `${repo}/issues/1/timeline`);
    const at = `${repo}/issues/comments/${event.id}`;
    assert.deepEqual(
      [(await alice.get(at)).status, (await alice.patch(at, { body: 'x' })).status, (await alice.delete(at)).status],
      [204, 204, 400],
    );
  });

  it('is not for who is blocked by the author or the owner, nor for readers when the issue is locked', async () => {
    const repo = await newRepository();
    await alice.must('POST', `${repo}/issues`, { title: 'One' });
    const { id } = await troll.must('POST', `${repo}/issues/1/comments`, { body: 'Before' });
    await alice.must('PUT', '/user/blocks/troll');
    for (const response of [
      await troll.post(`${repo}/issues`, { title: 'x' }),
      await troll.post(`${repo}/issues/1/comments`, { body: 'x' }),
      await troll.patch(`${repo}/issues/comments/${id}`, { body: 'x' }),
    ]) {
      assert.deepEqual([response.status, response.json.message], [403, 'user is blocked']);
    }
    await alice.must('DELETE', '/user/blocks/troll');
    await alice.must('PUT', `${repo}/issues/1/lock`, {});
    const refused = await reader.post(`${repo}/issues/1/comments`, { body: 'x' });
    assert.deepEqual([refused.status, refused.json.message], [403, 'You cannot comment on a locked issue.']);
    assert.equal((await writer.post(`${repo}/issues/1/comments`, { body: 'x' })).status, 201);
    assert.equal((await t.admin.post(`${repo}/issues/1/comments`, { body: 'x' })).status, 201);
  });
});

describe('a reference', () => {
  it('is shown once where it leads, follows changes of the text, and goes with the comment', async () => {
    const repo = await newRepository();
    for (const title of ['One', 'Two']) await alice.must('POST', `${repo}/issues`, { title });
    await alice.must('POST', `${repo}/issues`, { title: 'About #1', body: 'See #1 and #1, not `#2` nor #99 nor #3' });
    assert.deepEqual(await timeline(alice, `${repo}/issues/1`), ['issue_ref #3 none']);
    assert.deepEqual(await timeline(alice, `${repo}/issues/2`), []);
    await alice.must('PATCH', `${repo}/issues/3`, { title: 'About nothing' });
    assert.deepEqual(await timeline(alice, `${repo}/issues/1`), ['issue_ref #3 none']);
    await alice.must('PATCH', `${repo}/issues/3`, { body: 'Fixes #2' });
    assert.deepEqual(await timeline(alice, `${repo}/issues/1`), ['issue_ref #3 neutered']);
    assert.deepEqual(await timeline(alice, `${repo}/issues/2`), ['issue_ref #3 none']);
    const { id } = await reader.must('POST', `${repo}/issues/3/comments`, { body: 'Also #1' });
    assert.deepEqual(await timeline(alice, `${repo}/issues/1`), ['issue_ref #3 neutered', 'comment_ref #3 Also #1 none']);
    await reader.must('DELETE', `${repo}/issues/comments/${id}`);
    assert.deepEqual(await timeline(alice, `${repo}/issues/1`), ['issue_ref #3 neutered', 'comment_ref #3 neutered']);
  });

  it('from a hidden repository is not shown to others, and none can be made into one', async () => {
    const [repo, hidden] = [await newRepository(), await newRepository({ private: true })];
    await alice.must('POST', `${repo}/issues`, { title: 'One' });
    await alice.must('POST', `${hidden}/issues`, { title: 'Secret', body: `From ${repo.replace('/repos/', '')}#1` });
    assert.deepEqual(await timeline(alice, `${repo}/issues/1`), ['issue_ref #1 none']);
    assert.deepEqual(await timeline(reader, `${repo}/issues/1`), []);
    assert.ok(!(await reader.get(`${repo}/issues/1/timeline`)).text.includes('Secret'));
    await reader.must('POST', `${repo}/issues/1/comments`, { body: `See ${hidden.replace('/repos/', '')}#1` });
    assert.deepEqual(await timeline(alice, `${hidden}/issues/1`), []);
  });

  it('refers to nothing that is escaped', async () => {
    const repo = await newRepository();
    await alice.must('POST', `${repo}/issues`, { title: 'One' });
    await alice.must('POST', `${repo}/issues`, { title: 'Two', body: '\\#1 &#35;1 \\@writer &#64;writer' });
    assert.deepEqual(await timeline(alice, `${repo}/issues/1`), []);
    assert.deepEqual(await alice.must('GET', `${repo}/issues?mentioned_by=writer`), []);
    await alice.must('POST', `${repo}/issues`, { title: 'Three', body: '\\* #1 @writer' });
    assert.deepEqual(await timeline(alice, `${repo}/issues/1`), ['issue_ref #3 none']);
  });

  it('mentions only who may read it', async () => {
    const repo = await newRepository({ private: true });
    await alice.must('POST', `${repo}/issues`, { title: 'One', body: '@writer @reader @alice @nobody' });
    const mentioned = async (name: string) => (await alice.must('GET', `${repo}/issues?mentioned_by=${name}`)).length;
    assert.deepEqual([await mentioned('writer'), await mentioned('reader'), await mentioned('alice')], [1, 0, 0]);
    // A name that comes with a change of the text is told nothing.
    await alice.must('POST', `${repo}/issues`, { title: 'Two', body: 'Nobody' });
    await alice.must('PATCH', `${repo}/issues/2`, { body: '@writer' });
    assert.equal(await mentioned('writer'), 1);
  });
});

describe('the message of a commit', () => {
  const push = async (who: Client, repo: string, messages: string[], branch = 'main') => {
    const folder = await mkdtemp(join(t.folder, 'clone-'));
    const git = async (...args: string[]) => {
      const { code, stderr } = await who.git(args, folder);
      assert.equal(code, 0, stderr);
    };
    await git('clone', '-q', who.remote(repo.replace('/repos/', '')), '.');
    if (branch !== 'main') await git('checkout', '-q', '-b', branch);
    for (const message of messages) {
      await writeFile(join(folder, 'file.txt'), `${branch} ${message} ${Math.random()}`);
      await git('add', '.');
      await git('commit', '-q', '-m', message);
    }
    await git('push', '-q', 'origin', branch);
    await t.settled();
  };
  const states = async (repo: string) =>
    (await alice.must('GET', `${repo}/issues?state=all`)).map(
      ({ number, state }: { number: number; state: string }) => `${number} ${state}`,
    );

  it('on the default branch refers, closes and opens again', async () => {
    const repo = await newRepository();
    for (const title of ['One', 'Two', 'Three']) await reader.must('POST', `${repo}/issues`, { title });
    await push(writer, repo, ['Touch <b>#1</b>\n\nMore', 'Fixes #1, closes #2', 'Reopens #2', 'Closes #3 @1h30m']);
    assert.deepEqual(await states(repo), ['3 closed', '2 open', '1 closed']);
    const [time] = await alice.must('GET', `${repo}/issues/3/times`);
    assert.deepEqual([time.time, time.user_name], [5400, 'writer']);
    const rows: Row[] = await alice.must('GET', `${repo}/issues/2/timeline`);
    assert.deepEqual(
      rows.map(({ type, user }) => `${type} ${user.login}`),
      ['commit_ref writer', 'close writer', 'commit_ref writer', 'reopen writer'],
    );
    assert.match(rows[0]?.body ?? '', /^<a href="\/alice\/demo-\d+\/commit\/[0-9a-f]{40}">Fixes #1, closes #2<\/a>$/);
    assert.match(rows[0]?.ref_commit_sha ?? '', /^[0-9a-f]{40}$/);
  });

  it('refers to a hundred issues, each of which shows the beginning of a long title', async () => {
    const repo = await newRepository();
    for (const title of ['One', 'Two']) await alice.must('POST', `${repo}/issues`, { title });
    const missing = Array.from({ length: 99 }, (_, at) => `#${at + 1000}`).join(' ');
    await push(alice, repo, [`${missing} #1 #2 ${'long '.repeat(1000)}`]);
    const rows: Row[] = await alice.must('GET', `${repo}/issues/1/timeline`);
    assert.match(rows[0]?.body ?? '', /^<a href="[^"]*">#1000 #1001 .*…<\/a>$/);
    assert.ok((rows[0]?.body.length ?? 0) < 500);
    assert.deepEqual(await timeline(alice, `${repo}/issues/2`), []);
  });

  it('on another branch refers; it closes when the commit comes to the default branch', async () => {
    const repo = await newRepository();
    await alice.must('POST', `${repo}/issues`, { title: 'One' });
    await alice.must('POST', `${repo}/issues`, { title: 'Two', ref: 'refs/heads/topic' });
    await push(alice, repo, ['Closes #1 and closes #2'], 'topic');
    assert.deepEqual(await states(repo), ['2 closed', '1 open']);
    const folder = await mkdtemp(join(t.folder, 'merge-'));
    await alice.git(['clone', '-q', alice.remote(repo.replace('/repos/', '')), '.'], folder);
    assert.equal((await alice.git(['push', '-q', 'origin', 'origin/topic:refs/heads/main'], folder)).code, 0);
    await t.settled();
    assert.deepEqual(await states(repo), ['2 closed', '1 closed']);
    assert.deepEqual(await timeline(alice, `${repo}/issues/1`), ['commit_ref none', 'close none']);
  });

  it('closes nothing elsewhere without the right to, and cannot see what is hidden', async () => {
    const [mine, theirs, hidden] = [await newRepository(), await newRepository(), await newRepository({ private: true })];
    await reader.must('POST', '/user/repos', { name: mine.split('/').at(-1), auto_init: true, default_branch: 'main' });
    for (const repo of [theirs, hidden]) await alice.must('POST', `${repo}/issues`, { title: 'One' });
    const own = mine.replace('alice', 'reader');
    await push(reader, own, [`Closes ${theirs.replace('/repos/', '')}#1`, `Closes ${hidden.replace('/repos/', '')}#1`]);
    assert.deepEqual([await states(theirs), await states(hidden)], [['1 open'], ['1 open']]);
    assert.deepEqual(await timeline(alice, `${theirs}/issues/1`), ['commit_ref none']);
    assert.deepEqual(await timeline(alice, `${hidden}/issues/1`), []);
  });

  it('shows commits of another repository only to those who may read its code', async () => {
    const [open, hidden] = [await newRepository(), await newRepository({ private: true })];
    await alice.must('POST', `${open}/issues`, { title: 'One' });
    await push(alice, hidden, [`Closes ${open.replace('/repos/', '')}#1 with the secret sauce`]);
    assert.deepEqual(await timeline(alice, `${open}/issues/1`), ['commit_ref none', 'close none']);
    for (const client of [reader, t.anonymous]) {
      const { text } = await client.get(`${open}/issues/1/timeline`);
      assert.ok(!/secret sauce|[0-9a-f]{40}|commit_ref/.test(text), text);
    }
  });
});
