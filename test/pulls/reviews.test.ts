// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findUser } from '../../src/access/find-user.ts';
import { findPull } from '../../src/pulls/find.ts';
import { writeReview } from '../../src/pulls/reviews/write.ts';
import { testServer } from '../support/server.ts';
import { reviewed } from './reviewed.ts';

const t = await testServer();
const [alice, bob, carol, dave] = [await t.user('alice'), await t.user('bob'), await t.user('carol'), await t.user('dave')];
const demo = await reviewed(t, alice, 'demo', { bob: 'write', carol: 'read' });

type Review = Record<'id' | 'state' | 'body' | 'official' | 'stale' | 'dismissed' | 'comments_count', never> & { user: { login: string } };
const brief = ({ user, state, official, stale, dismissed }: Review) =>
  [user.login, state, official && 'official', stale && 'stale', dismissed && 'dismissed'].filter(Boolean).join(' ');

async function opened(fields: Record<string, unknown> = {}) {
  const number = await demo.open(alice, fields);
  const at = `${demo.path}/pulls/${number}`;
  return { number, at, reviews: `${at}/reviews`, branch: `topic-${number}` };
}

/** The threads of a user about a pull request. */
async function told(who: typeof bob, number: number): Promise<unknown[]> {
  const { json } = await who.get('/notifications');
  return json.filter(({ subject }: { subject: { url: string } }) => subject.url.endsWith(`/${number}`));
}
describe('reviews', () => {
  it('count for who may write, the latest decision of each only', async () => {
    const { reviews } = await opened();
    await bob.must('POST', reviews, { event: 'APPROVED' });
    await carol.must('POST', reviews, { event: 'APPROVED' });
    await bob.must('POST', reviews, { event: 'REQUEST_CHANGES', body: 'No' });
    await bob.must('POST', reviews, { event: 'COMMENT', body: 'Because' });
    const { json } = await alice.get(reviews);
    assert.deepEqual(json.map(brief), ['bob APPROVED dismissed', 'carol APPROVED', 'bob REQUEST_CHANGES official', 'bob COMMENT']);
    assert.equal((await bob.delete(`${reviews}/${json[2].id}`)).status, 204);
    assert.deepEqual((await alice.get(reviews)).json.map(brief), ['bob APPROVED official dismissed', 'carol APPROVED', 'bob COMMENT']);
  });

  it('are their reviewer’s own while they are pending, with all that they say', async () => {
    const { number, at, reviews } = await opened();
    const comments = [{ path: 'a.txt', body: 'Secret remark, see #1', new_position: 10 }];
    const pending = await carol.must('POST', reviews, { body: 'Secret text for @bob', comments });
    const [comment] = await carol.must('GET', `${reviews}/${pending.id}/comments`);
    assert.match(comment.html_url, /\/files#issuecomment-\d+$/);
    await t.settled();
    for (const caller of [alice, bob, t.anonymous]) {
      for (const path of [
        reviews,
        at,
        `${demo.path}/issues/${number}/timeline`,
        `${demo.path}/issues/1/timeline`,
        '/users/carol/activities/feeds',
      ]) {
        assert.doesNotMatch((await caller.get(path)).text, /Secret/, path);
      }
      assert.equal((await caller.get(`${reviews}/${pending.id}`)).status, 404);
      assert.equal((await caller.get(`${reviews}/${pending.id}/comments`)).status, 404);
    }
    const one = `${demo.path}/issues/comments/${comment.id}`;
    assert.equal((await carol.patch(one, { body: 'Secret remark about @bob, see #1' })).status, 200);
    const found = async () => (await alice.get('/repos/issues/search?q=Secret')).json.length;
    assert.equal(await found(), 0);
    for (const response of [
      await alice.patch(one, { body: 'x' }),
      await alice.delete(one),
      await alice.post(`${one}/reactions`, { content: '+1' }),
    ]) {
      assert.equal(response.status, 404);
    }
    assert.equal((await alice.get(`${one}/assets`)).status, 404);
    assert.deepEqual(await told(bob, number), []);
    // An administrator sees it, but submits only what is their own.
    assert.equal((await t.admin.get(`${reviews}/${pending.id}`)).status, 200);
    assert.equal((await t.admin.post(`${reviews}/${pending.id}`, { event: 'COMMENT', body: 'x' })).status, 403);
    // Its comments do not stand for a text.
    assert.equal((await carol.post(`${reviews}/${pending.id}`, { event: 'COMMENT' })).status, 422);
    assert.equal((await carol.post(`${reviews}/${pending.id}`, { event: 'COMMENT', body: 'Done' })).json.state, 'COMMENT');
    await t.settled();
    assert.equal(await found(), 1);
    assert.match((await alice.get(`${demo.path}/issues/1/timeline`)).text, /Secret remark/);
    assert.match((await alice.get(`${reviews}/${pending.id}/comments`)).json[0].body, /Secret remark about/);
    assert.equal((await told(bob, number)).length, 1);
  });

  it('keep the files of their comments back while they are pending', async () => {
    const { number, reviews } = await opened();
    const { id } = await bob.must('POST', reviews, { body: 'x', comments: [{ path: 'a.txt', body: 'Look', new_position: 10 }] });
    const [comment] = await bob.must('GET', `${reviews}/${id}/comments`);
    const form = new FormData();
    form.append('attachment', new Blob(['secret']), 'a.txt');
    const { json: file } = await bob.send('POST', `${demo.path}/issues/comments/${comment.id}/assets`, { form });
    const statuses = async () => {
      const responses = [];
      for (const client of [bob, alice, t.anonymous]) {
        for (const path of [`//attachments/${file.uuid}`, `${demo.path}/issues/${number}/assets/${file.id}`]) {
          responses.push((await client.get(path)).status);
        }
      }
      return responses;
    };
    assert.deepEqual(await statuses(), [200, 200, 404, 404, 404, 404]);
    assert.equal((await alice.delete(`${demo.path}/issues/${number}/assets/${file.id}`)).status, 404);
    await bob.must('POST', `${reviews}/${id}`, { event: 'COMMENT', body: 'Done' });
    assert.deepEqual(await statuses(), [200, 200, 200, 200, 200, 200]);
  });

  it('mention and notify when they are submitted', async () => {
    const { number, reviews } = await opened();
    await dave.must('POST', reviews, {
      event: 'COMMENT',
      body: 'Look, @carol',
      comments: [{ path: 'b.txt', body: 'And you, @bob', new_position: 1 }],
    });
    await t.settled();
    for (const who of [alice, bob, carol]) assert.equal((await told(who, number)).length, 1, who.name);
  });

  it('are refused to who is blocked, on what is locked, and when they say nothing', async () => {
    const { number, reviews } = await opened();
    await alice.must('PUT', '/user/blocks/dave');
    assert.equal((await dave.post(reviews, { event: 'COMMENT', body: 'x' })).status, 403);
    await alice.must('DELETE', '/user/blocks/dave');
    await alice.must('PUT', `${demo.path}/issues/${number}/lock`, {});
    assert.equal((await dave.post(reviews, { event: 'APPROVED' })).status, 403);
    assert.equal((await bob.post(reviews, { event: 'APPROVED' })).status, 200);
    const refused: [unknown, number][] = [
      [{ event: 'COMMENT' }, 422],
      [{ event: 'REQUEST_CHANGES', body: ' ' }, 422],
      [{ event: 'COMMENT', body: 'x', commit_id: 'no-such-commit' }, 422],
      [{ event: 'COMMENT', comments: [{ path: '../etc/passwd', body: 'x', new_position: 1 }] }, 422],
      [{ event: 'COMMENT', comments: [{ path: '', body: 'x', new_position: 1 }] }, 422],
      [{ event: 'COMMENT', comments: [{ path: 'a.txt', body: 'x', new_position: 2 ** 40 }] }, 422],
      [{ event: 'COMMENT', comments: Array.from({ length: 301 }, () => ({ path: 'a.txt', body: 'x', new_position: 1 })) }, 422],
    ];
    for (const [body, status] of refused) assert.equal((await bob.post(reviews, body)).status, status, JSON.stringify(body).slice(0, 80));
    assert.equal((await alice.get(reviews)).json.length, 1);
  });

  it('belong to their pull request, in their repository', async () => {
    const [one, two] = [await opened(), await opened()];
    const review = await bob.must('POST', one.reviews, {
      event: 'COMMENT',
      body: 'x',
      comments: [{ path: 'b.txt', body: 'y', new_position: 1 }],
    });
    const [comment] = await bob.must('GET', `${one.reviews}/${review.id}/comments`);
    const other = await reviewed(t, dave, `other-${one.number}`, {});
    const theirs = await other.open(dave);
    for (const at of [two.reviews, `${other.path}/pulls/${theirs}/reviews`]) {
      const path = `${at}/${review.id}`;
      for (const response of [await dave.get(path), await dave.get(`${path}/comments`), await dave.delete(path)])
        assert.equal(response.status, 404);
    }
    assert.equal((await dave.post(`${other.path}/pulls/${theirs}/reviews/${review.id}/dismissals`, {})).status, 404);
    assert.equal((await dave.post(`${other.path}/pulls/comments/${comment.id}/resolve`)).status, 404);
    assert.match((await bob.get(`${demo.path}/pulls/0/reviews`)).text, /base_repo_id: 0,/);
    assert.equal((await bob.post(one.reviews, { event: 'COMMENT', body: 'x', comments: [null] })).status, 422);
  });

  it('of two pull requests at once leave one official decision of each reviewer', async () => {
    const { reviews } = await opened();
    const events = ['APPROVED', 'REQUEST_CHANGES', 'APPROVED', 'REQUEST_CHANGES'];
    const responses = await Promise.all(events.map((event) => bob.post(reviews, { event, body: 'x' })));
    assert.deepEqual([...new Set(responses.map(({ status }) => status))], [200]);
    const { json } = await alice.get(reviews);
    assert.equal(json.filter((review: Review) => review.official && !review.dismissed).length, 1);
  });
});

describe('a pending review', () => {
  it('is submitted once', async () => {
    const { reviews } = await opened();
    const { id } = (await bob.post(reviews, { body: 'x', comments: [{ path: 'a.txt', new_position: 1, body: 'x' }] })).json;
    const events = ['APPROVED', 'REQUEST_CHANGES', 'APPROVED', 'COMMENT'];
    const responses = await Promise.all(events.map((event) => bob.post(`${reviews}/${id}`, { event, body: 'x' })));
    assert.deepEqual(responses.map(({ status }) => status).toSorted(), [200, 422, 422, 422]);
    assert.equal((await alice.must('GET', reviews)).length, 1);
  });
});

describe('new commits', () => {
  it('make reviews stale, and dismiss approvals where the rule says so, before anybody can merge', async () => {
    await alice.must('POST', `${demo.path}/branch_protections`, {
      rule_name: 'main',
      enable_push: true,
      required_approvals: 1,
      dismiss_stale_approvals: true,
    });
    const { at, reviews, branch } = await opened();
    await bob.must('POST', reviews, { event: 'APPROVED' });
    await carol.must('POST', reviews, { event: 'REQUEST_CHANGES', body: 'Hm' });
    const old = (await alice.get(at)).json.head.sha;
    await demo.commit(alice, branch, 'c.txt', 'unseen\n');
    assert.deepEqual((await alice.get(reviews)).json.map(brief), ['bob APPROVED official stale dismissed', 'carol REQUEST_CHANGES stale']);
    const rows = (await alice.get(`${demo.path}/issues/${at.split('/').at(-1)}/timeline`)).json;
    const [dismissal] = rows.filter(({ type }: { type: string }) => type === 'dismiss_review');
    assert.deepEqual([dismissal.user.login, dismissal.body.slice(0, 18)], ['alice', 'New commits pushed']);
    assert.equal((await alice.post(`${at}/merge`, { do: 'merge' })).status, 405);
    // Who approves what was there before says so.
    await bob.must('POST', reviews, { event: 'APPROVED', commit_id: old });
    assert.equal(brief((await alice.get(reviews)).json.at(-1)), 'bob APPROVED official stale');
    await alice.must('DELETE', `${demo.path}/branch_protections/main`);
  });

  it('that come while a review is written make it one of what was there before', async () => {
    await alice.must('POST', `${demo.path}/branch_protections`, { rule_name: 'main', enable_push: true, dismiss_stale_approvals: true });
    const { number, reviews, branch } = await opened();
    const before = await findPull(t.context.db, demo.row, number);
    const actor = await findUser(t.context.db, 'bob');
    assert.ok(before && actor);
    await demo.commit(alice, branch, 'c.txt', 'unseen\n');
    const comments = [{ path: 'a.txt', body: 'x', line: 10 }];
    await writeReview({ ...t.context, actor }, before, { type: 'approve', body: '', commitId: before.head_id, comments });
    const { json } = await alice.get(reviews);
    assert.deepEqual([json.map(brief), json[0].commit_id], [['bob APPROVED official stale dismissed'], before.head_id]);
    await alice.must('DELETE', `${demo.path}/branch_protections/main`);
  });

  it('leave reviews as they are when they only bring in the base', async () => {
    const { at, reviews } = await opened();
    await bob.must('POST', reviews, { event: 'APPROVED' });
    await demo.commit(alice, 'main', 'meanwhile.txt', 'm\n');
    assert.equal((await alice.post(`${at}/update`)).status, 200);
    await t.settled();
    assert.deepEqual((await alice.get(reviews)).json.map(brief), ['bob APPROVED official']);
  });
});

describe('another base', () => {
  it('updates whose decisions count', async () => {
    await alice.must('POST', `${demo.path}/branches`, { new_branch_name: 'strict', old_branch_name: 'main' });
    const only = { enable_approvals_whitelist: true, approvals_whitelist_username: ['alice'] };
    await alice.must('POST', `${demo.path}/branch_protections`, { rule_name: 'strict', required_approvals: 1, ...only });
    const { at, reviews } = await opened();
    await bob.must('POST', reviews, { event: 'APPROVED' });
    assert.deepEqual((await alice.get(reviews)).json.map(brief), ['bob APPROVED official']);
    await alice.must('PATCH', at, { base: 'strict' });
    assert.deepEqual((await alice.get(reviews)).json.map(brief), ['bob APPROVED']);
    await alice.must('PATCH', at, { base: 'main' });
    assert.deepEqual((await alice.get(reviews)).json.map(brief), ['bob APPROVED official']);
  });
});
