import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { issuesServer } from './issues-server.ts';

const { t, alice, writer, reader, stranger, newRepository } = await issuesServer();
const numbers = (list: { number: number }[]) => list.map(({ number }) => number);

describe('opening an issue', () => {
  it('keeps everything for who may write, and leaves out what needs that for others', async () => {
    const repo = await newRepository();
    const label = await alice.must('POST', `${repo}/labels`, { name: 'bug', color: '#ee0701' });
    const goal = await alice.must('POST', `${repo}/milestones`, { title: 'v1' });
    const fields = {
      title: '  Broken ',
      body: ' kept \r\n',
      ref: 'main',
      labels: [label.id, 987654],
      milestone: goal.id,
      assignees: ['alice', 'writer'],
      due_date: '2031-02-03T04:05:06+02:00',
      closed: true,
    };
    const full = await writer.must('POST', `${repo}/issues`, fields);
    assert.deepEqual([full.number, full.title, full.body, full.ref, full.state], [1, 'Broken', ' kept \r\n', 'main', 'closed']);
    assert.deepEqual([full.labels.length, full.milestone.closed_issues, full.due_date], [1, 1, '2031-02-03T02:05:06Z']);
    assert.deepEqual([full.assignee.login, full.assignees.length], ['alice', 2]);
    const bare = await stranger.must('POST', `${repo}/issues`, fields);
    assert.deepEqual([bare.labels, bare.milestone, bare.assignees, bare.due_date, bare.state], [[], null, null, null, 'closed']);
  });

  it('refuses what makes no sense, and changes nothing', async () => {
    const repo = await newRepository();
    const refusals: [object, number, RegExp][] = [
      [{}, 422, /^\[Title\]: Required$/],
      [{ title: 'x', assignees: ['nobody'] }, 422, /^Assignee does not exist: \[name: user does not exist \[uid: 0, name: nobody\]\]$/],
      [{ title: 'x', labels: ['bug'] }, 422, /^\[\]: /],
      [{ title: 'x', due_date: 'tomorrow' }, 422, /^\[\]: /],
      [{ title: 'x', due_date: '' }, 422, /^\[\]: /],
      [{ title: 'x', due_date: '9999-12-31T23:59:59-12:00' }, 422, /^\[\]: /],
    ];
    for (const [body, status, message] of refusals) {
      const response = await alice.post(`${repo}/issues`, body);
      assert.equal(response.status, status);
      assert.match(response.json.message, message);
    }
    const first = await alice.must('POST', `${repo}/issues`, { title: 'First', due_date: '1970-01-01T00:00:00Z' });
    assert.deepEqual([first.number, first.due_date], [1, null]);
    for (const [path, named] of [
      ['0', '0, index: 0'],
      ['-1', '0, index: 0'],
      ['7', '\\d+, index: 7'],
    ])
      assert.match((await alice.delete(`${repo}/issues/${path}`)).json.errors[0], new RegExp(`repo_id: ${named}\\]$`));
  });

  it('cuts a title that is too long', async () => {
    const repo = await newRepository();
    const { title } = await alice.must('POST', `${repo}/issues`, { title: 'ü'.repeat(300) });
    assert.equal(title, `${'ü'.repeat(252)}…`);
    const wide = await alice.must('POST', `${repo}/issues`, { title: '文'.repeat(200) });
    assert.equal(wide.title, `${'文'.repeat(126)}…`);
    const fitting = await alice.must('POST', `${repo}/issues`, { title: `${'x'.repeat(250)}文y` });
    assert.equal(fitting.title, `${'x'.repeat(250)}文y`);
  });

  it('assigns in the order of the list, also who is named beside it', async () => {
    const repo = await newRepository();
    const logins = async (fields: object) =>
      (await alice.must('POST', `${repo}/issues`, { title: 'x', ...fields })).assignees.map(({ login }: { login: string }) => login);
    assert.deepEqual(await logins({ assignee: 'alice', assignees: ['writer', 'alice'] }), ['writer', 'alice']);
    assert.deepEqual(await logins({ assignee: 'writer', assignees: ['alice'] }), ['writer', 'alice']);
  });

  it('does not assign who cannot read the repository', async () => {
    const repo = await newRepository({ private: true });
    const response = await alice.post(`${repo}/issues`, { title: 'x', assignee: 'stranger' });
    assert.equal(response.status, 422);
    assert.match(response.json.message, /^user doesn't have access to repo \[user_id: \d+, repo_name: demo-\d+\]$/);
  });

  it('of a repository that is archived or hidden is refused', async () => {
    const repo = await newRepository({ private: true });
    await alice.must('POST', `${repo}/issues`, { title: 'Hidden' });
    assert.equal((await stranger.post(`${repo}/issues`, { title: 'x' })).status, 404);
    assert.equal((await stranger.get(`${repo}/issues/1`)).status, 404);
    assert.equal((await t.anonymous.post(`${repo}/issues`, { title: 'x' })).status, 404);
    const { id } = await alice.must('POST', `${repo}/issues/1/comments`, { body: 'x' });
    await alice.must('PATCH', repo, { archived: true, private: false });
    assert.equal((await alice.post(`${repo}/issues`, { title: 'x' })).status, 423);
    assert.equal((await alice.post(`${repo}/issues/1/comments`, { body: 'x' })).status, 423);
    // This alone is refused before the credentials are.
    assert.equal((await t.anonymous.patch(`${repo}/issues/comments/${id}`, { body: 'y' })).status, 423);
    assert.equal((await t.anonymous.post(`${repo}/issues/1/comments`, { body: 'y' })).status, 401);
  });
});

describe('changing an issue', () => {
  it('happens as a whole or not at all', async () => {
    const repo = await newRepository();
    await alice.must('POST', `${repo}/issues`, { title: 'One' });
    const at = `${repo}/issues/1`;
    for (const [body, status] of [
      [{ title: 'Two', state: 'gone' }, 412],
      [{ title: 'Two', milestone: 987654 }, 422],
      [{ title: 'Two', assignees: ['nobody'] }, 422],
      [{ title: 'Two', unset_due_date: false }, 400],
      [{ title: 'Two', body: 'late', content_version: 5 }, 409],
      [{ state: 'gone', content_version: 5 }, 409],
    ] as const) {
      assert.equal((await alice.patch(at, body)).status, status);
    }
    assert.equal((await alice.must('GET', at)).title, 'One');
    assert.equal((await alice.must('GET', `${at}/timeline`)) ?? 'nothing happened', 'nothing happened');
  });

  it('is for the author and for who may write: the author changes texts and state', async () => {
    const repo = await newRepository();
    const goal = await alice.must('POST', `${repo}/milestones`, { title: 'v1' });
    await stranger.must('POST', `${repo}/issues`, { title: 'One' });
    const at = `${repo}/issues/1`;
    const changed = await stranger.must('PATCH', at, { title: 'Mine', state: 'closed', milestone: goal.id, assignees: ['alice'] });
    assert.deepEqual([changed.title, changed.state, changed.milestone, changed.assignees], ['Mine', 'closed', null, null]);
    assert.equal((await reader.patch(at, { title: 'x' })).status, 403);
    assert.equal((await t.anonymous.patch(at, { title: 'x' })).status, 401);
    assert.equal((await writer.patch(at, { milestone: goal.id })).json.milestone.closed_issues, 1);
    assert.equal((await reader.delete(at)).status, 403);
    assert.equal((await writer.delete(at)).status, 403);
  });

  it('ends the day of a due date where it is written, and takes it away', async () => {
    const repo = await newRepository();
    await alice.must('POST', `${repo}/issues`, { title: 'One' });
    const at = `${repo}/issues/1`;
    assert.equal((await alice.must('PATCH', at)).title, 'One');
    assert.equal((await alice.must('PATCH', `${at}?title=In%20the%20query`)).title, 'In the query');
    assert.equal((await alice.must('PATCH', at, { title: ' Kept as it is ' })).title, ' Kept as it is ');
    assert.equal((await alice.must('PATCH', at, { due_date: '2032-04-05T23:30:00-08:00' })).due_date, '2032-04-06T07:59:59Z');
    assert.equal((await alice.must('POST', `${at}/deadline`, { due_date: '2032-04-05T23:30:00-08:00' })).due_date, '2032-04-05T23:59:59Z');
    assert.equal((await alice.must('POST', `${at}/deadline`, { due_date: null })).due_date, '1970-01-01T00:00:00Z');
    assert.equal((await reader.post(`${at}/deadline`, { due_date: null })).status, 403);
    const events = await alice.must('GET', `${at}/timeline`);
    assert.deepEqual(
      events.map(({ type, body }: { type: string; body: string }) => `${type} ${body}`),
      [
        'change_title ',
        'change_title ',
        'added_deadline 2032-04-06',
        'modified_deadline 2032-04-05|2032-04-06',
        'removed_deadline 2032-04-05',
      ],
    );
  });

  it('to what it is already says nothing, except for the ref', async () => {
    const repo = await newRepository();
    await alice.must('POST', `${repo}/issues`, { title: 'One', ref: 'main' });
    const at = `${repo}/issues/1`;
    for (const body of [{ state: 'open' }, { title: 'One' }, { milestone: 0 }, { assignees: [] }, { unset_due_date: true }]) {
      await alice.must('PATCH', at, body);
    }
    assert.equal((await alice.get(`${at}/timeline`)).text.trim(), 'null');
    await alice.must('PATCH', at, { ref: 'main' });
    const [{ type, old_ref, new_ref }] = await alice.must('GET', `${at}/timeline`);
    assert.deepEqual([type, old_ref, new_ref], ['change_issue_ref', 'main', 'main']);
  });
});

describe('deleting an issue', () => {
  it('takes all that belongs to it, and never gives its number again', async () => {
    const repo = await newRepository();
    const goal = await alice.must('POST', `${repo}/milestones`, { title: 'v1' });
    await alice.must('POST', `${repo}/issues`, { title: 'One' });
    await alice.must('POST', `${repo}/issues`, { title: 'Two zebras', body: 'See #1', milestone: goal.id });
    const { id } = await alice.must('POST', `${repo}/issues/2/comments`, { body: 'With a giraffe, see #1' });
    assert.equal((await alice.must('GET', `${repo}/issues/1/timeline`)).length, 2);
    assert.equal((await alice.delete(`${repo}/issues/2`)).status, 204);
    assert.equal((await alice.delete(`${repo}/issues/2`)).status, 404);
    assert.equal((await alice.get(`${repo}/issues/comments/${id}`)).status, 404);
    assert.equal((await alice.get(`${repo}/issues/1/timeline`)).text.trim(), 'null');
    for (const word of ['zebras', 'giraffe']) assert.deepEqual(await alice.must('GET', `${repo}/issues?q=${word}`), []);
    assert.equal((await alice.must('GET', `${repo}/milestones/v1`)).open_issues, 0);
    assert.equal((await alice.must('GET', repo)).open_issues_count, 1);
    assert.equal((await alice.must('POST', `${repo}/issues`, { title: 'Three' })).number, 3);
  });
});

describe('the list of a repository', () => {
  it('filters by everything at once, the newest first, with the number of all', async () => {
    const repo = await newRepository();
    const label = async (name: string) => (await alice.must('POST', `${repo}/labels`, { name, color: '#00aabb' })).id;
    const [bug, docs] = [await label('bug'), await label('docs')];
    const goal = await alice.must('POST', `${repo}/milestones`, { title: 'v1' });
    await alice.must('POST', `${repo}/issues`, { title: 'one', labels: [bug], milestone: goal.id });
    await writer.must('POST', `${repo}/issues`, { title: 'two', labels: [bug, docs], assignees: ['alice'] });
    await stranger.must('POST', `${repo}/issues`, { title: 'three', body: 'for @reader' });
    await alice.must('POST', `${repo}/issues`, { title: 'four', labels: [docs], closed: true, milestone: goal.id });
    for (const [query, expected] of [
      ['', [3, 2, 1]],
      ['state=all', [4, 3, 2, 1]],
      ['state=closed', [4]],
      ['type=pulls', []],
      ['labels=bug,docs', [2]],
      ['labels=bug,nope', [2, 1]],
      ['labels=Bug', [3, 2, 1]],
      [`milestones=${goal.id}`, [1]],
      ['milestones=v1&state=all', [4, 1]],
      ['created_by=stranger', [3]],
      ['assigned_by=alice', [2]],
      ['mentioned_by=reader', [3]],
      ['mentioned_by=alice', []],
      ['created_by=writer&assigned_by=alice&labels=docs', [2]],
      ['since=2100-01-01T00:00:00Z', []],
      ['before=2100-01-01T00:00:00Z', [3, 2, 1]],
    ] as const) {
      const response = await alice.get(`${repo}/issues?${query}`);
      assert.deepEqual(numbers(response.json), expected, query);
      assert.equal(response.headers.get('x-total-count'), String(expected.length), query);
    }
    assert.equal((await alice.get(`${repo}/issues?created_by=nobody`)).status, 404);
    assert.equal((await alice.get(`${repo}/issues?since=yesterday`)).status, 422);
  });

  it('is never longer than the bound of the instance', async () => {
    const repo = await newRepository();
    for (let i = 0; i < 51; i++) await alice.must('POST', `${repo}/issues`, { title: `Issue ${i}` });
    const response = await alice.get(`${repo}/issues?limit=100000000`);
    assert.deepEqual([response.json.length, response.headers.get('x-total-count')], [50, '51']);
    assert.match(response.headers.get('link') ?? '', /rel="next"/);
  });

  it('shows the kinds whose unit is on', async () => {
    const repo = await newRepository({ auto_init: true });
    await alice.must('POST', `${repo}/issues`, { title: 'One' });
    await alice.must('PATCH', repo, { has_issues: false });
    assert.deepEqual((await alice.get(`${repo}/issues`)).json, []);
    assert.equal((await alice.get(`${repo}/issues?type=issues`)).status, 404);
    assert.equal((await alice.get(`${repo}/issues/1`)).status, 404);
    assert.equal((await alice.patch(`${repo}/issues/1`, { title: 'x' })).status, 404);
    await alice.must('PATCH', repo, { has_pull_requests: false });
    assert.equal((await alice.get(`${repo}/issues`)).status, 404);
  });
});
