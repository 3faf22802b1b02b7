import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
const carol = await t.user('carol');
await alice.must('POST', '/user/repos', { name: 'demo' });
await alice.must('POST', '/user/repos', { name: 'other' });
await alice.must('POST', '/user/repos', { name: 'secret', private: true });
const demo = '/repos/alice/demo';

async function newIssue(title = 'An issue', repository = demo): Promise<string> {
  const { number } = await alice.must('POST', `${repository}/issues`, { title });
  return `${repository}/issues/${number}`;
}

describe('reactions', () => {
  it('are given once by each, taken back one by one or all at once', async () => {
    const at = `${await newIssue()}/reactions`;
    assert.equal((await bob.post(at, { content: 'heart' })).status, 201);
    assert.equal((await bob.post(at, { content: 'heart' })).status, 200);
    assert.equal((await bob.post(at, { content: '+1' })).status, 201);
    assert.equal((await alice.post(at, { content: '+1' })).status, 201);
    const given = await t.anonymous.get(at);
    assert.deepEqual(
      given.json.map(({ content, user }: { content: string; user: { login: string } }) => `${user.login} ${content}`),
      ['bob heart', 'bob +1', 'alice +1'],
    );
    assert.equal(given.headers.get('x-total-count'), '3');
    assert.equal((await alice.delete(at, { content: 'heart' })).status, 204);
    assert.equal((await t.anonymous.get(at)).json.length, 3);
    assert.equal((await bob.delete(at, {})).status, 204);
    assert.equal((await t.anonymous.get(at)).json.length, 1);
  });

  it('are only those that are offered, and not for everybody', async () => {
    const at = `${await newIssue()}/reactions`;
    const refused = await bob.post(at, { content: 'zzz' });
    assert.deepEqual([refused.status, refused.json.message], [403, "'zzz' is not an allowed reaction"]);
    assert.equal((await t.anonymous.post(at, { content: '+1' })).status, 401);
    await alice.must('PUT', '/user/blocks/carol');
    assert.equal((await carol.post(at, { content: '+1' })).status, 403);
    await alice.must('DELETE', '/user/blocks/carol');
    const secret = `${await newIssue('Hidden', '/repos/alice/secret')}/reactions`;
    assert.equal((await bob.post(secret, { content: '+1' })).status, 404);
    assert.equal((await t.anonymous.get(at)).json, null);
  });

  it('given at the same time by one user end up as one', async () => {
    const at = `${await newIssue()}/reactions`;
    const responses = await Promise.all(Array.from({ length: 6 }, () => bob.post(at, { content: 'eyes' })));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 200, 200, 200, 200, 201]);
    assert.equal((await t.anonymous.get(at)).json.length, 1);
  });

  it('to comments belong to the repository in the path', async () => {
    const issue = await newIssue();
    const { id } = await bob.must('POST', `${issue}/comments`, { body: 'Hello' });
    assert.equal((await alice.post(`${demo}/issues/comments/${id}/reactions`, { content: 'laugh' })).status, 201);
    assert.equal((await alice.get(`${issue}/reactions`)).json, null);
    const foreign = await alice.get(`/repos/alice/other/issues/comments/${id}/reactions`);
    assert.deepEqual([foreign.status, foreign.json.errors], [404, null]);
    assert.equal((await alice.post(`/repos/alice/other/issues/comments/${id}/reactions`, { content: 'laugh' })).status, 404);
    assert.equal((await alice.get(`${demo}/issues/comments/${id}/reactions`)).json.length, 1);
  });
});

describe('locked conversations', () => {
  it('take reactions and comments from writers only, and are locked by administrators', async () => {
    const issue = await newIssue();
    await bob.must('POST', `${issue}/reactions`, { content: 'heart' });
    assert.equal((await bob.put(`${issue}/lock`, {})).status, 403);
    assert.equal((await alice.put(`${issue}/lock`, { lock_reason: 'Spam' })).status, 204);
    assert.equal((await alice.put(`${issue}/lock`, { lock_reason: 'Again' })).status, 204);
    assert.equal((await alice.get(issue)).json.is_locked, true);
    for (const response of [
      await bob.post(`${issue}/reactions`, { content: '+1' }),
      await bob.delete(`${issue}/reactions`, { content: 'heart' }),
      await bob.post(`${issue}/comments`, { body: 'But' }),
    ]) {
      assert.equal(response.status, 403);
    }
    assert.equal((await alice.post(`${issue}/reactions`, { content: '+1' })).status, 201);
    assert.equal((await alice.delete(`${issue}/lock`)).status, 204);
    assert.equal((await bob.post(`${issue}/reactions`, { content: '+1' })).status, 201);
    const events = await alice.must('GET', `${issue}/timeline`);
    assert.deepEqual(
      events.map(({ type, body }: { type: string; body: string }) => `${type} ${body}`),
      ['lock Spam', 'unlock '],
    );
  });
});

describe('pins', () => {
  const pinned = async () =>
    (await t.anonymous.get('/repos/alice/pins/issues/pinned')).json.map(
      (issue: { number: number; pin_order: number }) => `${issue.number}:${issue.pin_order}`,
    );

  it('have an order and a limit, and are moved by administrators', async () => {
    await alice.must('POST', '/user/repos', { name: 'pins' });
    for (const title of ['1', '2', '3', '4']) await newIssue(title, '/repos/alice/pins');
    const at = (number: number) => `/repos/alice/pins/issues/${number}/pin`;
    assert.equal((await bob.post(at(1))).status, 403);
    for (const number of [1, 3, 2]) assert.equal((await alice.post(at(number))).status, 204);
    assert.deepEqual(await pinned(), ['1:1', '3:2', '2:3']);
    assert.deepEqual((await bob.get('/repos/alice/pins/new_pin_allowed')).json, { issues: false, pull_requests: true });
    assert.equal((await alice.post(at(4))).status, 422);
    assert.equal((await alice.post(at(1))).status, 422);
    assert.equal((await alice.patch(`${at(2)}/1`)).status, 204);
    assert.deepEqual(await pinned(), ['2:1', '1:2', '3:3']);
    assert.equal((await alice.patch(`${at(2)}/3`)).status, 204);
    assert.deepEqual(await pinned(), ['1:1', '3:2', '2:3']);
    for (const place of ['0', '-1', 'x']) assert.equal((await alice.patch(`${at(2)}/${place}`)).status, 422);
    assert.equal((await alice.patch(`${at(4)}/1`)).status, 422);
    assert.equal((await bob.patch(`${at(2)}/1`)).status, 403);
    assert.equal((await alice.delete(at(3))).status, 204);
    assert.deepEqual(await pinned(), ['1:1', '2:3']);
    const events = await alice.must('GET', '/repos/alice/pins/issues/3/timeline');
    assert.deepEqual(
      events.map(({ type }: { type: string }) => type),
      ['pin', 'unpin'],
    );
  });

  it('has the assignees by name, and elsewhere in the order of assignment', async () => {
    await alice.must('POST', '/user/repos', { name: 'assigned-pins' });
    await alice.must('PUT', '/repos/alice/assigned-pins/collaborators/bob', { permission: 'write' });
    await alice.must('POST', '/repos/alice/assigned-pins/issues', { title: 'I', assignees: ['bob', 'alice'] });
    await alice.must('POST', '/repos/alice/assigned-pins/issues/1/pin');
    const names = (issue: { assignee: { login: string }; assignees: { login: string }[] }) =>
      [issue.assignee, ...issue.assignees].map(({ login }) => login).join();
    assert.equal(names((await alice.must('GET', '/repos/alice/assigned-pins/issues'))[0]), 'bob,bob,alice');
    assert.equal(names((await alice.must('GET', '/repos/alice/assigned-pins/issues/pinned'))[0]), 'alice,alice,bob');
  });

  it('never become more than the limit, however many ask at once', async () => {
    await alice.must('POST', '/user/repos', { name: 'many-pins' });
    const issues = await Promise.all(Array.from({ length: 6 }, () => newIssue('x', '/repos/alice/many-pins')));
    const responses = await Promise.all(issues.map((issue) => alice.post(`${issue}/pin`)));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [204, 204, 204, 422, 422, 422]);
    const orders = (await alice.must('GET', '/repos/alice/many-pins/issues/pinned')).map((issue: { pin_order: number }) => issue.pin_order);
    assert.deepEqual(orders, [1, 2, 3]);
  });
});

describe('comments of accounts that are purged', () => {
  it('go with them, and are counted no more; those of others stay', async () => {
    const erin = await t.user('erin');
    const issue = await newIssue();
    await erin.must('POST', `${issue}/comments`, { body: 'First' });
    await bob.must('POST', `${issue}/comments`, { body: 'Second' });
    await erin.must('POST', `${issue}/comments`, { body: 'Third' });
    await erin.must('POST', `${issue}/reactions`, { content: 'heart' });
    await t.admin.must('DELETE', '/admin/users/erin?purge=true');
    assert.equal((await bob.must('GET', issue)).comments, 1);
    const left = await bob.must('GET', `${issue}/comments`);
    assert.deepEqual(
      left.map(({ body }: { body: string }) => body),
      ['Second'],
    );
    assert.equal(await bob.must('GET', `${issue}/reactions`), null);
  });

  it('stay under the name of the ghost otherwise', async () => {
    const frank = await t.user('frank');
    const issue = await newIssue();
    await frank.must('POST', `${issue}/comments`, { body: 'Kept' });
    await t.admin.must('DELETE', '/admin/users/frank');
    const [{ body, user }] = await bob.must('GET', `${issue}/comments`);
    assert.deepEqual([body, user.login], ['Kept', 'Ghost']);
    const [seen] = await t.admin.must('GET', `${issue}/comments`);
    assert.deepEqual([seen.user.active, seen.user.prohibit_login], [false, false]);
  });
});

describe('subscriptions to issues', () => {
  const isSubscribed = async (client: typeof alice, issue: string) => (await client.must('GET', `${issue}/subscriptions/check`)).subscribed;

  it('follow from watching and taking part until somebody says otherwise', async () => {
    const issue = await newIssue();
    assert.deepEqual([await isSubscribed(alice, issue), await isSubscribed(bob, issue)], [true, false]);
    await bob.must('POST', `${issue}/comments`, { body: 'Here' });
    assert.equal(await isSubscribed(bob, issue), true);
    assert.equal((await bob.put(`${issue}/subscriptions/bob`)).status, 200);
    assert.equal((await bob.delete(`${issue}/subscriptions/bob`)).status, 201);
    assert.equal((await bob.delete(`${issue}/subscriptions/bob`)).status, 200);
    await bob.must('POST', `${issue}/comments`, { body: 'Still gone' });
    assert.equal(await isSubscribed(bob, issue), false);
    assert.equal((await carol.put(`${issue}/subscriptions/carol`)).status, 201);
    const listed = await t.anonymous.get(`${issue}/subscriptions`);
    assert.deepEqual([listed.json.map(({ login }: { login: string }) => login), listed.headers.get('x-total-count')], [['carol'], '1']);
  });

  it('are everybody’s own, but for administrators, and need access', async () => {
    const issue = await newIssue();
    const refused = await bob.put(`${issue}/subscriptions/carol`);
    assert.deepEqual([refused.status, refused.json.message], [403, 'bob is not permitted to change subscriptions for carol']);
    assert.equal((await t.admin.put(`${issue}/subscriptions/carol`)).status, 201);
    const secret = await newIssue('Hidden', '/repos/alice/secret');
    assert.equal((await t.admin.put(`${secret}/subscriptions/carol`)).status, 404);
    assert.equal((await t.admin.put(`${secret}/subscriptions/nobody`)).status, 404);
  });
});
