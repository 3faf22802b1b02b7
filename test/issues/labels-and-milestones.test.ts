import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { issuesServer } from './issues-server.ts';

const { t, alice, writer, reader, newRepository } = await issuesServer();

describe('labels on an issue', () => {
  it('come by id or by name, one of an exclusive scope, and only those that the repository has', async () => {
    const [repo, elsewhere] = [await newRepository(), await newRepository()];
    const make = (at: string, name: string) => alice.must('POST', `${at}/labels`, { name, color: '#00aabb', exclusive: true });
    const [low, high, plain] = [await make(repo, 'p/low'), await make(repo, 'p/high'), await make(repo, 'plain')];
    const foreign = await make(elsewhere, 'foreign');
    await reader.must('POST', `${repo}/issues`, { title: 'One' });
    const at = `${repo}/issues/1/labels`;
    const names = async (method: string, labels?: unknown) =>
      (await writer.must(method, at, labels && { labels })).map(({ name }: { name: string }) => name);
    assert.deepEqual(await names('POST', [low.id, foreign.id, 987654]), ['p/low']);
    assert.deepEqual(await names('POST', ['p/high', 'plain', 'foreign']), ['p/high', 'plain']);
    assert.deepEqual(await names('PUT', [low.id, high.id]), ['p/low']);
    assert.equal((await writer.delete(`${at}/${foreign.id}`)).status, 422);
    assert.equal((await writer.delete(`${at}/${plain.id}`)).status, 204);
    for (const labels of [[low.id, 'plain'], [true], [{}]]) assert.equal((await writer.post(at, { labels })).status, 400);
    for (const method of ['POST', 'PUT', 'DELETE'])
      assert.equal((await reader.send(method, at, { json: { labels: [low.id] } })).status, 403);
    // What an issue is opened with stays as it was asked for.
    const both = await alice.must('POST', `${repo}/issues`, { title: 'Two', labels: [high.id, low.id] });
    assert.equal(both.labels.length, 2);
    // A label made later goes later, whatever it is called.
    const early = await make(repo, 'an early name');
    await names('PUT', [plain.id, early.id]);
    assert.deepEqual(await names('PUT', []), []);
    const gone = (await alice.must('GET', `${repo}/issues/1/timeline`)).slice(-2);
    assert.deepEqual(
      gone.map(({ label, body }: { label: { name: string }; body: string }) => `${label.name}${body}`),
      ['plain', 'an early name'],
    );
    assert.equal((await writer.delete(at)).status, 204);
    assert.deepEqual(await names('GET'), []);
  });
});

describe('milestones', () => {
  it('are found by id, then by title, and only in their repository', async () => {
    const [repo, elsewhere] = [await newRepository(), await newRepository()];
    const goal = await alice.must('POST', `${repo}/milestones`, { title: ' v1 ', due_on: '2030-05-06T07:08:09Z' });
    assert.deepEqual([goal.title, goal.due_on], ['v1', '2030-05-06T07:08:09Z']);
    const numeric = await alice.must('POST', `${repo}/milestones`, { title: '987654321' });
    assert.equal((await alice.must('GET', `${repo}/milestones/987654321`)).id, numeric.id);
    assert.equal((await alice.get(`${elsewhere}/milestones/${goal.id}`)).status, 404);
    assert.equal((await alice.patch(`${elsewhere}/milestones/${goal.id}`, { title: 'x' })).status, 404);
    assert.equal((await alice.delete(`${elsewhere}/milestones/${goal.id}`)).status, 404);
    const foreign = await alice.must('POST', `${elsewhere}/issues`, { title: 'x', milestone: goal.id });
    assert.equal(foreign.milestone, null);
    assert.equal((await alice.patch(`${elsewhere}/issues/1`, { milestone: goal.id })).status, 422);
  });

  it('lose the due date when it is not sent again, and leave their issues when they go', async () => {
    const repo = await newRepository();
    const goal = await alice.must('POST', `${repo}/milestones`, { title: 'v1', due_on: '2030-05-06T07:08:09Z' });
    await alice.must('POST', `${repo}/issues`, { title: 'One', milestone: goal.id });
    await t.context.db.updateTable('milestones').set({ updated_at: 1 }).where('id', '=', goal.id).execute();
    await alice.must('PATCH', `${repo}/issues/1`, { state: 'closed' });
    const { updated_at: at, closed_issues: closed } = await alice.must('GET', `${repo}/milestones/v1`);
    assert.deepEqual([Date.parse(at) > 1_700_000_000_000, closed], [true, 1]);
    assert.equal((await alice.must('PATCH', `${repo}/milestones/v1`, { description: 'x' })).due_on, null);
    assert.equal((await reader.patch(`${repo}/milestones/v1`, { description: 'y' })).status, 403);
    assert.equal((await alice.delete(`${repo}/milestones/v1`)).status, 204);
    assert.equal((await alice.must('GET', `${repo}/issues/1`)).milestone, null);
  });

  it('are listed by state and title: those without a date, then those due first', async () => {
    const repo = await newRepository();
    for (const [title, due_on] of [
      ['late', '2031-01-01T00:00:00Z'],
      ['soon', '2030-01-01T00:00:00Z'],
      ['50%_off', undefined],
    ]) {
      await alice.must('POST', `${repo}/milestones`, { title, due_on });
    }
    const titles = async (query: string) =>
      (await alice.must('GET', `${repo}/milestones${query}`)).map(({ title }: { title: string }) => title);
    assert.deepEqual(await titles(''), ['50%_off', 'soon', 'late']);
    assert.deepEqual(await titles('?name=LAT'), ['late']);
    assert.deepEqual(await titles('?name=0%25_o'), ['50%_off']);
    assert.deepEqual(await titles('?name=_'), ['50%_off']);
    assert.deepEqual(await titles('?state=closed'), []);
  });
});

describe('a due date', () => {
  it('takes the epoch for a day when it changes, and the year 1 for none', async () => {
    const repo = await newRepository();
    await alice.must('POST', `${repo}/issues`, { title: 'One', due_date: '2031-02-03T04:05:06Z' });
    const due = async (text: string) => (await alice.must('PATCH', `${repo}/issues/1`, { due_date: text })).due_date;
    assert.equal(await due('1970-01-01T00:00:00Z'), '1970-01-01T23:59:59Z');
    assert.equal(await due('0001-01-01T00:00:00Z'), null);
  });
});

describe('a number beyond all ids', () => {
  it('names nothing', async () => {
    const repo = await newRepository();
    const large = '99999999999999999999';
    for (const path of ['issues', 'labels', 'milestones', 'issues/comments', 'hooks', 'releases', 'keys', 'pulls', 'tag_protections']) {
      const { status } = await alice.get(`${repo}/${path}/${large}`);
      assert.equal(status, 404, path);
    }
    assert.deepEqual((await alice.must('GET', `${repo}/keys?key_id=${large}`)).length, 0);
    assert.equal((await alice.get(`/users/search?uid=${large}`)).json.data.length, 0);
    assert.equal((await alice.get(`/repos/search?uid=${large}&limit=${large}&page=${large}`)).json.data.length, 0);
  });
});
