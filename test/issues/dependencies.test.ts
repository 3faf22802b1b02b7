import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const bob = await t.user('bob');
const reader = await t.user('reader');
await alice.must('POST', '/user/repos', { name: 'demo' });
await alice.must('POST', '/user/repos', { name: 'secret', private: true });
await alice.must('PUT', '/repos/alice/demo/collaborators/bob', { permission: 'write' });
const demo = '/repos/alice/demo';
for (const title of ['One', 'Two', 'Three', 'Four']) await alice.must('POST', `${demo}/issues`, { title });
await alice.must('POST', '/repos/alice/secret/issues', { title: 'Secret plan', body: 'Buy the moon' });

const meta = (index: number, repo = 'demo') => ({ index, owner: 'alice', repo });
const at = (index: number) => `${demo}/issues/${index}/dependencies`;
const titles = (json: { title: string }[]) => json.map(({ title }) => title);
const types = async (index: number) =>
  (await alice.must('GET', `${demo}/issues/${index}/timeline`)).map(
    ({ type, dependent_issue: on }: { type: string; dependent_issue: { number: number } | null }) => `${type} ${on?.number ?? ''}`,
  );

describe('dependencies', () => {
  it('keep an issue open until what it waits for is closed', async () => {
    assert.equal((await alice.post(at(1), meta(2))).json.number, 1);
    assert.equal((await bob.post(`${demo}/issues/3/blocks`, meta(1))).json.number, 3);
    assert.deepEqual(titles(await alice.must('GET', at(1))).sort(), ['Three', 'Two']);
    assert.deepEqual(titles(await t.anonymous.must('GET', `${demo}/issues/2/blocks`)), ['One']);
    const refused = await alice.patch(`${demo}/issues/1`, { state: 'closed' });
    assert.equal(refused.status, 412);
    assert.equal((await alice.get(`${demo}/issues/1`)).json.state, 'open');
    for (const index of [2, 3, 1]) assert.equal((await alice.patch(`${demo}/issues/${index}`, { state: 'closed' })).status, 201);
    assert.deepEqual(await types(2), ['add_dependency 1', 'close ']);
  });

  it('are pages long', async () => {
    const page = await alice.get(`${at(1)}?limit=1&page=2`);
    assert.deepEqual([page.json.length, page.headers.get('x-total-count')], [1, '2']);
    assert.match(page.headers.get('link') ?? '', /rel="first"/);
  });

  it('are there once, never in both directions, and not on oneself', async () => {
    assert.equal((await alice.post(at(1), meta(2))).status, 409);
    assert.equal((await alice.post(at(2), meta(1))).status, 422);
    assert.equal((await alice.post(at(2), meta(2))).status, 422);
    const both = await Promise.all([alice.post(at(4), meta(3)), alice.post(at(3), meta(4)), alice.post(at(4), meta(3))]);
    assert.equal(both.filter(({ status }) => status === 201).length, 1);
  });

  it('are taken back from either end', async () => {
    assert.equal((await alice.delete(at(1), meta(2))).status, 201);
    assert.equal((await alice.delete(at(1), meta(2))).status, 404);
    assert.equal((await alice.delete(`${demo}/issues/3/blocks`, meta(1))).status, 201);
    assert.deepEqual(await alice.must('GET', at(1)), []);
    assert.deepEqual((await types(1)).slice(-2), ['remove_dependency 2', 'remove_dependency 3']);
  });

  it('show nobody what they may not read', async () => {
    assert.equal((await alice.post(at(2), meta(1, 'secret'))).status, 201);
    assert.deepEqual(titles(await alice.must('GET', at(2))), ['Secret plan']);
    for (const who of [reader, bob]) {
      const [hidden] = await who.must('GET', at(2));
      assert.deepEqual([hidden.title, hidden.number, hidden.body, hidden.html_url, hidden.repository], ['HIDDEN', 0, '', '', null]);
    }
    const responseTo = async (index: number, repo: string) => {
      const { status, text } = await bob.post(at(3), meta(index, repo));
      return `${status} ${text.replaceAll(repo, 'NAME')}`;
    };
    for (const index of [1, 99]) assert.equal(await responseTo(index, 'secret'), await responseTo(index, 'absent'));
    const timeline = await reader.must('GET', `${demo}/issues/2/timeline`);
    assert.ok(!JSON.stringify(timeline).includes('Secret plan'));
  });

  it('are written by who may write', async () => {
    for (const response of [await reader.post(at(3), meta(1)), await reader.delete(at(2), meta(1, 'secret'))])
      assert.equal(response.status, 404);
    assert.equal((await t.anonymous.post(at(3), meta(1))).status, 401);
    assert.equal((await alice.post(at(3), { ...meta(1), repo: 'none' })).status, 404);
  });

  it('do not count where they are switched off', async () => {
    const tracker = { enable_time_tracker: true, allow_only_contributors_to_track_time: true, enable_issue_dependencies: false };
    await alice.must('PATCH', `${demo}/issues/2`, { state: 'open' });
    assert.equal((await alice.patch(`${demo}/issues/2`, { state: 'closed' })).status, 412);
    await alice.must('PATCH', demo, { has_issues: true, internal_tracker: tracker });
    assert.equal((await alice.get(at(2))).status, 404);
    assert.equal((await alice.patch(`${demo}/issues/2`, { state: 'closed' })).status, 201);
  });
});

describe('commits that close issues', () => {
  it('leave open what waits for others', async () => {
    await alice.must('POST', '/user/repos', { name: 'pushed', auto_init: true });
    for (const title of ['Waits', 'First']) await alice.must('POST', '/repos/alice/pushed/issues', { title });
    await alice.must('POST', '/repos/alice/pushed/issues/1/dependencies', meta(2, 'pushed'));
    const commit = async (name: string, message: string) => {
      await alice.must('POST', `/repos/alice/pushed/contents/${name}`, { content: 'eA==', message });
      await t.settled();
      const issues = await alice.must('GET', '/repos/alice/pushed/issues?state=all');
      return issues.map(({ number, state }: { number: number; state: string }) => `${number} ${state}`).sort();
    };
    assert.deepEqual(await commit('a', 'Fixes #1'), ['1 open', '2 open']);
    assert.deepEqual(await commit('b', 'Fixes #2'), ['1 open', '2 closed']);
    assert.deepEqual(await commit('c', 'Fixes #1'), ['1 closed', '2 closed']);
  });
});

it('issues of one second that are blocked are listed in the order in which they were', async () => {
  const path = '/repos/alice/ordered';
  await alice.must('POST', '/user/repos', { name: 'ordered' });
  for (const title of ['One', 'Two', 'Three']) await alice.must('POST', `${path}/issues`, { title });
  const { id } = await alice.must('GET', path);
  await t.context.db.updateTable('issues').set({ created_at: 1 }).where('repository_id', '=', id).execute();
  for (const index of [3, 2]) await alice.must('POST', `${path}/issues/${index}/dependencies`, meta(1, 'ordered'));
  assert.deepEqual(titles(await alice.must('GET', `${path}/issues/1/blocks`)), ['Three', 'Two']);
});

describe('dependencies between repositories', () => {
  it('end with the repository', async () => {
    await alice.must('POST', '/user/repos', { name: 'gone' });
    await alice.must('POST', '/repos/alice/gone/issues', { title: 'Soon away' });
    await alice.must('POST', '/user/repos', { name: 'stays' });
    await alice.must('POST', '/repos/alice/stays/issues', { title: 'Waits' });
    await alice.must('POST', '/repos/alice/stays/issues/1/dependencies', meta(1, 'gone'));
    assert.equal((await alice.patch('/repos/alice/stays/issues/1', { state: 'closed' })).status, 412);
    await alice.must('DELETE', '/repos/alice/gone');
    assert.deepEqual(await alice.must('GET', '/repos/alice/stays/issues/1/dependencies'), []);
    assert.equal((await alice.patch('/repos/alice/stays/issues/1', { state: 'closed' })).status, 201);
  });
});
