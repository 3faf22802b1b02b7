import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
await alice.must('POST', '/user/repos', { name: 'demo' });
await alice.must('POST', '/repos/alice/demo/issues', { title: 'One' });
const demo = '/repos/alice/demo';

describe('lesson 25: what a body says', () => {
  it('is a million characters at most, where no other bound is said', async () => {
    const long = 'x'.repeat(1_000_001);
    for (const [path, body, field] of [
      [`${demo}/issues`, { title: 'Two', body: long }, 'Body'],
      [`${demo}/issues/1/comments`, { body: long }, 'Body'],
      [`${demo}/milestones`, { title: 'One', description: long }, 'Description'],
      [`${demo}/milestones`, { title: long.slice(0, 256) }, 'Title'],
      [`${demo}/issues`, { title: 'Two', assignees: [long] }, 'Assignees'],
    ] as const) {
      const { status, json } = await alice.post(path, body);
      assert.deepEqual([status, json.message], [422, `[${field}]: MaxSize`], path);
    }
    assert.equal((await alice.must('GET', `${demo}/issues?state=all`)).length, 1);
    // Characters, not the units that they take.
    assert.equal((await alice.post(`${demo}/issues/1/comments`, { body: '\u{1f600}'.repeat(600_000) })).status, 201);
  });

  it('has lists of a length that the database takes', async () => {
    const ids = (length: number) => Array.from({ length }, (_, index) => index + 1);
    const refused = await alice.post(`${demo}/issues`, { title: 'Two', labels: ids(20_001) });
    assert.deepEqual([refused.status, refused.json.message], [422, '[Labels]: MaxSize']);
    assert.equal((await alice.post(`${demo}/issues`, { title: 'Two', labels: ids(20_000) })).status, 201);
  });

  it('is nested no deeper than it has a meaning', async () => {
    for (const nested of [`{"title":${'['.repeat(200_000)}${']'.repeat(200_000)}}`, '['.repeat(1_000_000)]) {
      assert.equal((await alice.send('POST', `${demo}/issues`, { raw: nested })).status, 422);
    }
  });
});
