import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { testServer } from '../support/server.ts';
import { wrongCounts } from './stored-counts.ts';

const t = await testServer();
const { db } = t.context;
const [owner, writer, stranger] = await Promise.all([t.user('owner'), t.user('writer'), t.user('stranger')]);
await owner.must('POST', '/orgs', { username: 'acme' });
const label = await owner.must('POST', '/orgs/acme/labels', { name: 'both', color: '#111111' });
const own = new Map<string, { labels: number[]; milestones: number[] }>();
for (const [name, isPrivate] of [
  ['open', false],
  ['closed', true],
] as const) {
  const path = `/repos/acme/${name}`;
  await owner.must('POST', '/orgs/acme/repos', { name, private: isPrivate });
  await owner.must('PUT', `${path}/collaborators/writer`, { permission: 'write' });
  const bug = await owner.must('POST', `${path}/labels`, { name: 'bug', color: '#00aabb' });
  const both = await owner.must('POST', `${path}/labels`, { name: 'both', color: '#00aabb' });
  const goals = [];
  for (const title of ['v1', 'v2']) goals.push((await owner.must('POST', `${path}/milestones`, { title })).id);
  own.set(path, { labels: [label.id, bug.id, both.id], milestones: goals });
  for (let index = 0; index < 12; index++) {
    await (index % 3 === 0 ? writer : owner).must('POST', `${path}/issues`, {
      title: `Number ${index}`,
      body: index % 4 === 1 ? 'Ask @writer' : 'Nobody',
      labels: [label.id, bug.id, both.id].filter((_, at) => (index + at) % 3 > 0),
      milestone: goals[index % 3],
      assignees: index % 5 === 0 ? ['writer', 'owner'] : [],
      closed: index % 4 === 3,
    });
  }
}
await db.updateTable('issues').set({ is_pull: true }).where('number', 'in', [3, 4, 8]).execute();
await sql`update repositories set
  issues_count = (select count(*) from issues where repository_id = repositories.id and is_pull = false),
  closed_issues_count = (select count(*) from issues where repository_id = repositories.id and is_pull = false and is_closed = true),
  pulls_count = (select count(*) from issues where repository_id = repositories.id and is_pull = true),
  closed_pulls_count = (select count(*) from issues where repository_id = repositories.id and is_pull = true and is_closed = true)`.execute(
  db,
);

const STATES = ['state=open', 'state=closed', 'state=all', 'state=all&type=issues', 'state=open&type=pulls'];

async function isRight(client: typeof owner, path: string): Promise<number> {
  const seen: number[] = [];
  let total = 0;
  for (let page = 1; page === 1 || seen.length < total; page++) {
    const { json, headers, status } = await client.get(`${path}&limit=9&page=${page}`);
    assert.equal(status, 200, path);
    total = Number(headers.get('x-total-count'));
    if (json.length === 0) break;
    seen.push(...json.map(({ id }: { id: number }) => id));
  }
  assert.equal(seen.length, total, path);
  assert.equal(new Set(seen).size, total, path);
  return total;
}

await db
  .updateTable('issues')
  .set((row) => ({ updated_at: sql<number>`1600000000 + 30000 * ${row.ref('number')}` }))
  .execute();
const moment = (seconds: number) => encodeURIComponent(new Date(seconds * 1000).toISOString());

describe('the number of issues', () => {
  it('is that of what is found in a repository, for each mark and for several', async () => {
    const marks = ['', 'labels=bug', 'labels=both', 'labels=bug,both', 'milestones=v1', 'milestones=v1,v2', 'created_by=writer'];
    marks.push('assigned_by=writer', 'mentioned_by=writer', 'created_by=writer&labels=bug', 'assigned_by=owner&milestones=v1');
    marks.push('labels=bug&q=number', 'created_by=stranger', 'q=7&created_by=owner', 'labels=bug&before=2001-01-01T00:00:00Z');
    const totals = new Map<string, number>();
    for (const mark of marks) {
      for (const state of STATES) totals.set(`${mark} ${state}`, await isRight(owner, `/repos/acme/open/issues?${mark}&${state}`));
      const of = (state: string) => totals.get(`${mark} ${state}`) ?? -1;
      assert.equal(of('state=open') + of('state=closed'), of('state=all'), mark);
    }
    assert.equal(totals.get(' state=all'), 12);
    assert.equal(totals.get('created_by=writer state=all'), 4);
    assert.equal(totals.get('created_by=writer state=all&type=issues'), 3);
    assert.equal(totals.get('assigned_by=writer state=all'), 3);
    assert.equal(totals.get('mentioned_by=writer state=all'), 2);
    assert.equal(totals.get('labels=bug state=all'), 8);
    assert.equal(totals.get('created_by=stranger state=all'), 0);
    assert.equal(totals.get('labels=bug&before=2001-01-01T00:00:00Z state=all'), 0);
  });

  it('is that of what was changed in a span of time', async () => {
    // The twelve lie in seven pieces of time; the ends of spans lie on, beside and between what was changed.
    const ends = [0, 1_600_030_000, 1_600_060_001, 1_600_149_999, 1_600_150_000, 1_600_300_000, 1_600_360_000, 1_600_360_001];
    const expected = (since: number, before: number) =>
      Array.from({ length: 12 }, (_, index) => 1_600_030_000 + 30_000 * index).filter((time) => time >= since && time <= before).length;
    for (const since of ends) {
      assert.equal(await isRight(owner, `/repos/acme/open/issues?state=all&since=${moment(since)}`), expected(since, Infinity));
      for (const before of ends.filter((end) => end > 0)) {
        const span = `since=${moment(since)}&before=${moment(before)}`;
        assert.equal(await isRight(owner, `/repos/acme/open/issues?state=all&${span}`), expected(since, before), span);
        await isRight(owner, `/repos/acme/open/issues?state=closed&type=issues&${span}`);
        assert.equal(await isRight(owner, `/repos/issues/search?state=all&${span}`), 2 * expected(since, before), span);
        assert.equal(await isRight(stranger, `/repos/issues/search?state=all&${span}`), expected(since, before), span);
      }
    }
  });

  it('is that of comments too', async () => {
    const comments = async () => {
      const { json, headers } = await owner.get('/repos/acme/open/issues/comments');
      assert.equal(Number(headers.get('x-total-count')), json.length);
      return json.length;
    };
    assert.equal(await comments(), 0);
    const made = [];
    for (const number of [1, 2, 2, 4]) made.push(await owner.must('POST', `/repos/acme/open/issues/${number}/comments`, { body: 'So' }));
    assert.equal(await comments(), 4);
    await owner.must('DELETE', `/repos/acme/open/issues/comments/${made[0].id}`);
    assert.equal(await comments(), 3);
    assert.deepEqual(await wrongCounts(db), []);
  });

  it('is that of what is found everywhere, as far as the caller may read it', async () => {
    for (const mark of [
      '',
      'created=true',
      'assigned=true',
      'mentioned=true',
      'created_by=owner',
      'milestones=v1',
      'labels=bug',
      'labels=both',
      'labels=bug,both',
    ]) {
      for (const state of STATES) {
        for (const client of [owner, writer, stranger]) await isRight(client, `/repos/issues/search?${mark}&${state}`);
      }
    }
    assert.equal(await isRight(writer, '/repos/issues/search?state=all&labels=bug'), 16);
    assert.equal(await isRight(writer, '/repos/issues/search?state=all&created=true'), 8);
    assert.equal(await isRight(stranger, '/repos/issues/search?state=all&created_by=writer'), 4);
    assert.equal(await isRight(writer, '/repos/issues/search?state=all&assigned=true&owner=acme'), 6);
  });

  it('follows what becomes of issues and of what marks them', async () => {
    const path = '/repos/acme/open';
    const { labels, milestones } = own.get(path) ?? { labels: [], milestones: [] };
    const steps: (() => Promise<unknown>)[] = [
      () => owner.must('PATCH', `${path}/issues/1`, { state: 'closed' }),
      () => owner.must('PATCH', `${path}/issues/2`, { milestone: milestones[0], assignees: ['writer'] }),
      () => owner.must('DELETE', `${path}/issues/5`),
      () => owner.must('DELETE', `${path}/labels/${labels[1]}`),
      () => owner.must('DELETE', `/orgs/acme/labels/${labels[0]}`),
      () => owner.must('DELETE', `${path}/milestones/${milestones[0]}`),
      () => owner.must('PUT', `${path}/issues/6/labels`, { labels: [labels[2]] }),
      () => t.admin.must('DELETE', '/admin/users/writer?purge=true'),
      () => owner.must('DELETE', path),
    ];
    for (const step of steps) {
      await step();
      assert.deepEqual(await wrongCounts(db), []);
    }
    await t.settled();
    assert.deepEqual(await wrongCounts(db), []);
    assert.equal(await isRight(owner, '/repos/issues/search?state=all'), 12);
  });
});
