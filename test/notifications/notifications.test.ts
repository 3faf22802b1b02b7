import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Client } from '../support/client.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
const carol = await t.user('carol');
const dave = await t.user('dave');

interface Thread {
  id: number;
  unread: boolean;
  pinned: boolean;
  repository: { full_name: string } | null;
  subject: { title: string; state: string; type: string } | null;
}

/** A repository of alice, that she watches. */
async function repository(name: string, columns: object = {}): Promise<string> {
  await alice.must('POST', '/user/repos', { name, ...columns });
  return `/repos/alice/${name}`;
}

/** The titles of what is unread, after which all is read. */
async function unread(client: Client): Promise<string[]> {
  await t.settled();
  const threads: Thread[] = await client.must('GET', '/notifications');
  await client.put('/notifications?all=true');
  return threads.map(({ subject }) => subject?.title ?? '').sort();
}

describe('receivers', () => {
  it('watchers, participants, those mentioned and assigned, but not who acts', async () => {
    const demo = await repository('demo');
    await alice.must('PUT', `${demo}/collaborators/bob`, { permission: 'write' });
    await carol.must('POST', `${demo}/issues`, { title: 'One' });
    assert.deepEqual([await unread(alice), await unread(carol)], [['One'], []]);
    await dave.must('POST', `${demo}/issues/1/comments`, { body: 'Me too' });
    assert.deepEqual([await unread(alice), await unread(carol), await unread(dave)], [['One'], ['One'], []]);
    await alice.must('POST', `${demo}/issues/1/comments`, { body: 'Ask @bob' });
    assert.deepEqual([await unread(alice), await unread(bob), await unread(carol), await unread(dave)], [[], ['One'], ['One'], ['One']]);
    await alice.must('PATCH', `${demo}/issues/1`, { assignees: ['bob'] });
    assert.deepEqual([await unread(bob), await unread(carol)], [['One'], []]);
    await bob.must('PATCH', `${demo}/issues/1`, { state: 'closed' });
    assert.deepEqual([await unread(alice), await unread(bob), await unread(carol)], [['One'], [], ['One']]);
    await alice.must('PATCH', `${demo}/issues/1`, { title: 'Renamed' });
    assert.deepEqual([await unread(bob), await unread(carol)], [[], []]);
  });

  it('not those who left, and again those who are mentioned', async () => {
    const repo = await repository('left');
    await carol.must('POST', `${repo}/issues`, { title: 'Two' });
    await carol.must('DELETE', `${repo}/issues/1/subscriptions/carol`);
    await bob.must('PUT', `${repo}/issues/1/subscriptions/bob`);
    await alice.must('POST', `${repo}/issues/1/comments`, { body: 'News' });
    assert.deepEqual([await unread(carol), await unread(bob)], [[], ['Two']]);
    await alice.must('POST', `${repo}/issues/1/comments`, { body: 'News for @carol' });
    assert.deepEqual(await unread(carol), ['Two']);
  });

  it('watchers of drafts when they are opened and when they are ready, not in between', async () => {
    const repo = await repository('drafts');
    await unread(alice);
    await carol.must('POST', `${repo}/issues`, { title: 'WIP: Later' });
    assert.deepEqual(await unread(alice), ['WIP: Later']);
    await t.context.db.updateTable('issues').set({ is_pull: true }).where('title', '=', 'WIP: Later').execute();
    await carol.must('POST', `${repo}/issues/1/comments`, { body: 'Not yet' });
    assert.deepEqual(await unread(alice), []);
    await carol.must('PATCH', `${repo}/issues/1`, { title: 'Now' });
    assert.deepEqual(await unread(alice), ['Now']);
    await carol.must('PATCH', `${repo}/issues/1`, { title: 'Right now' });
    assert.deepEqual(await unread(alice), []);
  });

  it('never who may not see it', async () => {
    const repo = await repository('closing');
    await carol.must('POST', `${repo}/issues`, { title: 'Three' });
    for (const client of [alice, carol, dave]) await unread(client);
    await alice.must('PATCH', repo, { private: true });
    await alice.must('POST', `${repo}/issues/1/comments`, { body: '@carol @dave' });
    assert.deepEqual([await unread(carol), await unread(dave)], [[], []]);
  });

  it('the user that is to take over a repository', async () => {
    const repo = await repository('given');
    await alice.must('POST', `${repo}/transfer`, { new_owner: 'bob' });
    await t.settled();
    const [thread] = await bob.must('GET', '/notifications?subject-type=repository');
    assert.deepEqual(
      [thread.subject.type, thread.subject.title, thread.subject.url, thread.subject.state],
      ['Repository', 'alice/given', '/alice/given', ''],
    );
  });
});

describe('threads', () => {
  it('are one for each issue, become unread by events and keep their pin', async () => {
    const repo = await repository('threads');
    await bob.must('POST', `${repo}/issues`, { title: 'Four' });
    await t.settled();
    const [first] = (await alice.must('GET', `${repo}/notifications`)) as Thread[];
    const path = `/notifications/threads/${first?.id}`;
    const state = async () => {
      await t.settled();
      const { unread, pinned } = await alice.must('GET', path);
      return unread ? 'unread' : pinned ? 'pinned' : 'read';
    };
    assert.equal(await state(), 'unread');
    assert.equal((await alice.patch(path)).status, 205);
    assert.equal(await state(), 'read');
    await bob.must('POST', `${repo}/issues/1/comments`, { body: 'More' });
    assert.equal(await state(), 'unread');
    await alice.patch(`${path}?to-status=pinned`);
    await bob.must('POST', `${repo}/issues/1/comments`, { body: 'And more' });
    assert.equal(await state(), 'pinned');
    assert.equal((await alice.must('GET', `${repo}/notifications`)).length, 1);
    const { subject } = await alice.must('GET', path);
    assert.match(subject.latest_comment_html_url, /\/alice\/threads\/issues\/1#issuecomment-\d+$/);
    await alice.must('DELETE', `${repo}/issues/1`);
    assert.equal((await alice.get(path)).status, 404);
  });

  it('are everybody’s own', async () => {
    const repo = await repository('own');
    await bob.must('POST', `${repo}/issues`, { title: 'Five' });
    await t.settled();
    const [{ id }] = await alice.must('GET', `${repo}/notifications`);
    const path = `/notifications/threads/${id}`;
    for (const response of [await bob.get(path), await bob.patch(path), await t.admin.patch(path)]) {
      assert.deepEqual(
        [response.status, response.json.message],
        [403, `only user itself and admin are allowed to read/change this thread ${id}`],
      );
    }
    assert.equal((await t.admin.get(path)).json.subject.title, 'Five');
    assert.equal((await t.anonymous.get(path)).status, 401);
    assert.equal((await alice.get(path)).json.unread, true);
    for (const [text, told] of [
      ['x', ''],
      ['0', ''],
      ['-1', ' [id: -1]'],
      ['987654321', ' [id: 987654321]'],
    ] as const) {
      const { status, json } = await alice.get(`/notifications/threads/${text}`);
      assert.deepEqual([status, json.message], [404, `notification does not exist${told}`]);
    }
  });

  it('keep their subject when the unit is turned off', async () => {
    const repo = await repository('unitless');
    await bob.must('POST', `${repo}/issues`, { title: 'Still told' });
    await t.settled();
    await alice.must('PATCH', repo, { has_issues: false });
    const [thread] = await alice.must('GET', `${repo}/notifications`);
    assert.equal(thread.subject?.title, 'Still told');
  });

  it('of what is hidden now show nothing, and are deleted', async () => {
    const repo = await repository('hiding');
    await alice.must('POST', `${repo}/issues`, { title: 'Ask', body: '@dave' });
    await t.settled();
    const [{ id }] = await dave.must('GET', `${repo}/notifications`);
    // As it is between the change and what follows from it.
    await t.context.db.updateTable('repositories').set({ is_private: true }).where('lower_name', '=', 'hiding').execute();
    const shown = await dave.must('GET', `/notifications/threads/${id}`);
    assert.deepEqual([shown.repository, shown.subject], [null, null]);
    assert.ok(!(await dave.get('/notifications?all=true')).text.includes('hiding'));
    await t.context.db.updateTable('repositories').set({ is_private: false }).where('lower_name', '=', 'hiding').execute();
    await alice.must('PATCH', repo, { private: true });
    await t.settled();
    assert.equal((await dave.get(`/notifications/threads/${id}`)).status, 404);
  });
});

describe('lists of notifications', () => {
  it('are filtered, paged, counted and marked', async () => {
    const repo = await repository('lists');
    for (const title of ['A', 'B', 'C']) {
      await bob.must('POST', `${repo}/issues`, { title });
      await t.settled();
    }
    const titles = async (query: string) =>
      (await alice.must('GET', `${repo}/notifications${query}`)).map((thread: Thread) => thread.subject?.title);
    assert.deepEqual((await titles('')).sort(), ['A', 'B', 'C']);
    assert.deepEqual(await titles('?subject-type=pull'), []);
    assert.equal((await titles('?subject-type=bogus')).length, 3);
    assert.deepEqual(await titles('?status-types=read'), []);
    assert.deepEqual(await titles('?since=2100-01-01T00:00:00Z'), []);
    assert.equal((await titles('?before=2100-01-01T00:00:00Z')).length, 3);
    assert.equal((await alice.get(`${repo}/notifications?since=today`)).status, 422);
    const page = await alice.get(`${repo}/notifications?limit=2&page=2`);
    assert.deepEqual([page.json.length, page.headers.get('x-total-count')], [1, '3']);
    assert.match(page.headers.get('link') ?? '', /rel="prev"/);
    const { new: before } = await alice.must('GET', '/notifications/new');
    assert.equal((await alice.put(`${repo}/notifications?last_read_at=2001-01-01T00:00:00Z`)).status, 205);
    assert.equal((await alice.must('GET', '/notifications/new')).new, before);
    assert.equal((await alice.put(`${repo}/notifications?last_read_at=recently`)).status, 400);
    await alice.put(`${repo}/notifications?to-status=pinned`);
    assert.equal((await alice.must('GET', '/notifications/new')).new, before - 3);
    await alice.put(`${repo}/notifications`);
    assert.equal((await titles('?status-types=pinned')).length, 3);
    await alice.put(`${repo}/notifications?status-types=pinned`);
    assert.deepEqual(await titles(''), []);
    assert.equal((await titles('?all=true')).length, 3);
    await bob.put(`${repo}/notifications?all=true&to-status=unread`);
    assert.deepEqual(await titles(''), []);
  });

  it('show first what was marked last, and nothing of a deleted repository', async () => {
    const repo = await repository('marked');
    for (const title of ['A', 'B']) await bob.must('POST', `${repo}/issues`, { title });
    await t.settled();
    await t.context.db.updateTable('notifications').set({ updated_at: 1000 }).execute();
    const threads: Thread[] = await alice.must('GET', `${repo}/notifications`);
    const older = threads.at(-1);
    await alice.patch(`/notifications/threads/${older?.id}?to-status=pinned`);
    assert.equal((await alice.must('GET', `${repo}/notifications`))[0].id, older?.id);
    await alice.must('DELETE', repo);
    for (const { id } of threads) assert.equal((await alice.get(`/notifications/threads/${id}`)).status, 404);
  });

  it('count a pull request as read that was merged', async () => {
    const repo = await repository('merging', { auto_init: true, default_branch: 'main' });
    await alice.must('PUT', `${repo}/collaborators/bob`, { permission: 'write' });
    await bob.must('POST', `${repo}/contents/a.txt`, { content: 'YQ==', message: 'Add', branch: 'main', new_branch: 'topic' });
    const { number } = await bob.must('POST', `${repo}/pulls`, { title: 'Pull', head: 'topic', base: 'main' });
    await t.settled();
    assert.equal((await alice.must('GET', `${repo}/notifications`)).length, 1);
    await alice.must('POST', `${repo}/pulls/${number}/merge`, { Do: 'merge' });
    await t.settled();
    assert.deepEqual(await alice.must('GET', `${repo}/notifications`), []);
  });

  it('are refused to tokens for public things and without the scope', async () => {
    const limited = await alice.token(['public-only', 'all']);
    const other = await alice.token(['read:issue']);
    const reading = await alice.token(['read:notification']);
    for (const path of ['/notifications', '/notifications/new', '/notifications/threads/1']) {
      assert.equal((await limited.get(path)).status, 403);
      assert.equal((await other.get(path)).status, 403);
    }
    assert.equal((await reading.get('/notifications')).status, 200);
    assert.equal((await reading.put('/notifications')).status, 403);
  });
});
