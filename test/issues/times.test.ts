import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { durationInWords } from '../../src/issues/times/duration.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const writer = await t.user('writer');
const reader = await t.user('reader');
const stranger = await t.user('stranger');
await alice.must('POST', '/user/repos', { name: 'demo', private: true });
await alice.must('POST', '/user/repos', { name: 'other' });
const demo = '/repos/alice/demo';
await alice.must('PUT', `${demo}/collaborators/writer`, { permission: 'write' });
await alice.must('PUT', `${demo}/collaborators/reader`, { permission: 'read' });
for (const title of ['One', 'Two']) await alice.must('POST', `${demo}/issues`, { title });
await alice.must('POST', '/repos/alice/other/issues', { title: 'Elsewhere' });

const tracking = (onlyContributors: boolean) =>
  alice.must('PATCH', demo, {
    has_issues: true,
    internal_tracker: {
      enable_time_tracker: true,
      allow_only_contributors_to_track_time: onlyContributors,
      enable_issue_dependencies: true,
    },
  });
const short = (json: { user_name: string; time: number }[]) => json.map(({ user_name, time }) => `${user_name} ${time}`);
const events = async (issue: string) =>
  (await alice.must('GET', `${issue}/timeline`)).map(({ type, body, user }: { type: string; body: string; user: { login: string } }) =>
    `${type} ${user.login} ${body}`.trim(),
  );

describe('durations in words', () => {
  for (const [seconds, words] of [
    [0, ''],
    [-90, ''],
    [1, '1 second'],
    [59, '59 seconds'],
    [60, '1 minute'],
    [3661, '1 hour 1 minute'],
    [7200, '2 hours'],
    [360_000, '100 hours'],
  ] as const) {
    it(`${seconds} seconds`, () => assert.equal(durationInWords(seconds), words));
  }
});

describe('tracked times', () => {
  const at = `${demo}/issues/1/times`;

  it('are logged by who may, for others by administrators', async () => {
    const first = await alice.must('POST', at, { time: 3661, created: '2024-02-03T04:05:06Z' });
    assert.deepEqual([first.user_name, first.time, first.created, first.issue.number], ['alice', 3661, '2024-02-03T04:05:06Z', 1]);
    assert.equal((await alice.must('POST', at, { time: 7200, user_name: 'writer' })).user_name, 'writer');
    assert.equal((await writer.must('POST', at, { time: 30, user_name: 'alice' })).user_name, 'writer');
    assert.deepEqual(short(await alice.must('GET', at)), ['alice 3661', 'writer 7200', 'writer 30']);
    assert.deepEqual(await events(`${demo}/issues/1`), [
      'add_time_manual alice 1 hour 1 minute',
      'add_time_manual writer 2 hours',
      'add_time_manual writer 30 seconds',
    ]);
    const [{ tracked_time: entry }] = await alice.must('GET', `${demo}/issues/1/timeline`);
    assert.equal(entry.time, 3661);
  });

  it('need a sensible time, and somebody who can read the issue', async () => {
    assert.equal((await alice.post(at, { time: 0 })).status, 422);
    assert.equal((await alice.post(at, { time: 'long' })).status, 422);
    assert.equal((await alice.post(at, { time: 1e12 })).status, 422);
    assert.equal((await alice.post(at, { time: 60, user_name: 'stranger' })).status, 422);
    assert.equal((await alice.post(at, { time: 60, user_name: 'nobody' })).status, 404);
    assert.equal((await stranger.post(at, { time: 60 })).status, 404);
    assert.equal((await alice.get(at)).headers.get('x-total-count'), '3');
  });

  it('of others are for writers alone', async () => {
    const refused = await reader.post(at, { time: 10 });
    assert.deepEqual([refused.status, refused.text], [403, '']);
    await tracking(false);
    await reader.must('POST', at, { time: 10 });
    await tracking(true);
    assert.deepEqual(short(await reader.must('GET', at)), ['reader 10']);
    assert.equal((await reader.get(`${at}?user=alice`)).status, 403);
    assert.equal((await reader.get(`${demo}/times?user=alice`)).status, 403);
    assert.deepEqual(short(await reader.must('GET', `${demo}/times`)), ['reader 10']);
    assert.deepEqual(short(await writer.must('GET', `${at}?user=reader`)), ['reader 10']);
    assert.equal((await writer.get(`${demo}/times/alice`)).status, 403);
    assert.deepEqual(short(await alice.must('GET', `${demo}/times/writer`)), ['writer 7200', 'writer 30']);
    assert.equal((await stranger.get(`${demo}/times`)).status, 404);
  });

  it('are those of the issue and repository in the path', async () => {
    const { id } = await alice.must('POST', `${demo}/issues/2/times`, { time: 5 });
    assert.equal((await alice.delete(`${at}/${id}`)).status, 404);
    assert.equal((await alice.delete(`/repos/alice/other/issues/1/times/${id}`)).status, 404);
    assert.deepEqual(short(await alice.must('GET', `${demo}/issues/2/times`)), ['alice 5']);
    assert.deepEqual(await alice.must('GET', '/repos/alice/other/times'), []);
  });

  it('are deleted by whose they are, one or all', async () => {
    const [first] = await alice.must('GET', at);
    assert.equal((await writer.delete(`${at}/${first.id}`)).status, 403);
    assert.equal((await alice.delete(`${at}/${first.id}`)).status, 204);
    assert.equal((await alice.delete(`${at}/${first.id}`)).status, 404);
    assert.equal((await writer.delete(at)).status, 204);
    assert.equal((await writer.delete(at)).status, 404);
    assert.deepEqual(short(await alice.must('GET', at)), ['reader 10']);
    assert.deepEqual((await events(`${demo}/issues/1`)).slice(-2), [
      'delete_time_manual alice 1 hour 1 minute',
      'delete_time_manual writer 2 hours',
    ]);
  });

  it('of a user are shown as long as that user can read the issue', async () => {
    await tracking(false);
    await reader.must('POST', '/repos/alice/other/issues/1/times', { time: 77 }).catch(() => {});
    assert.ok(short(await reader.must('GET', '/user/times')).includes('reader 10'));
    await alice.must('DELETE', `${demo}/collaborators/reader`);
    const left = await reader.get('/user/times');
    assert.ok(!left.text.includes('"One"'));
    assert.equal(left.headers.get('x-total-count'), String(left.json.length));
    assert.ok(!short(left.json).includes('reader 10'));
    await alice.must('PUT', `${demo}/collaborators/reader`, { permission: 'read' });
    await tracking(true);
  });

  it('are refused to tokens for public things', async () => {
    const token = await alice.token(['public-only', 'all']);
    for (const path of ['/user/times', '/user/stopwatches']) assert.equal((await token.get(path)).status, 403);
  });
});

describe('stopwatches', () => {
  const watch = (number: number) => `${demo}/issues/${number}/stopwatch`;
  const running = async (client = alice) =>
    (await client.must('GET', '/user/stopwatches')).map((clock: { issue_title: string }) => clock.issue_title);

  it('run on one issue at a time and log what they show', async () => {
    assert.equal((await writer.post(`${watch(1)}/start`)).status, 201);
    assert.equal((await writer.post(`${watch(1)}/start`)).status, 409);
    assert.equal((await writer.post(`${watch(2)}/start`)).status, 201);
    assert.deepEqual(await running(writer), ['Two']);
    assert.equal((await writer.must('GET', `${demo}/issues/1/times?user=writer`)).length, 1);
    assert.equal((await writer.post(`${watch(1)}/stop`)).status, 409);
    assert.equal((await writer.delete(`${watch(2)}/delete`)).status, 204);
    assert.equal((await writer.delete(`${watch(2)}/delete`)).status, 409);
    assert.equal((await writer.must('GET', `${demo}/issues/2/times?user=writer`)).length, 0);
    assert.deepEqual((await events(`${demo}/issues/2`)).slice(-2), ['start_tracking writer', 'cancel_tracking writer']);
  });

  it('started at once by one user leave one', async () => {
    await Promise.all([1, 2, 1, 2].map((number) => alice.post(`${watch(number)}/start`)));
    assert.equal((await running()).length, 1);
    for (const number of [1, 2]) await alice.post(`${watch(number)}/stop`);
    assert.deepEqual(await running(), []);
  });

  it('stop when their issue is closed', async () => {
    await alice.must('POST', `${watch(2)}/start`);
    await alice.must('PATCH', `${demo}/issues/2`, { state: 'closed' });
    assert.deepEqual(await running(), []);
  });

  it('are for who may write', async () => {
    for (const response of [await reader.post(`${watch(1)}/start`), await reader.delete(`${watch(1)}/delete`)]) {
      assert.deepEqual([response.status, response.text], [403, '']);
    }
    assert.equal((await t.anonymous.post(`${watch(1)}/start`)).status, 404);
    assert.equal((await stranger.post(`${watch(1)}/start`)).status, 404);
  });

  it('end with the access to their issue, and so do assignments and subscriptions', async () => {
    await writer.must('POST', `${watch(1)}/start`);
    await alice.must('PATCH', `${demo}/issues/1`, { assignees: ['writer', 'alice'] });
    await writer.must('PUT', `${demo}/issues/1/subscriptions/writer`);
    await alice.must('DELETE', `${demo}/collaborators/writer`);
    assert.deepEqual(await running(writer), []);
    await t.settled();
    const timeline = await alice.must('GET', `${demo}/issues/1/timeline`);
    assert.equal(
      timeline.filter(({ type, removed_assignee }: { type: string; removed_assignee: boolean }) => type === 'assignees' && removed_assignee)
        .length,
      0,
    );
    const { assignees } = await alice.must('GET', `${demo}/issues/1`);
    assert.deepEqual(
      assignees.map(({ login }: { login: string }) => login),
      ['alice'],
    );
    assert.deepEqual(await alice.must('GET', `${demo}/issues/1/subscriptions`), []);
    assert.equal((await t.context.db.selectFrom('stopwatches').selectAll().execute()).length, 0);
  });
});
