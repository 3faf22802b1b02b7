import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_VERSIONS, recordVersion } from '../../src/issues/history/record.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const { db } = t.context;
const alice = await t.user('alice');
const bob = await t.user('bob');
await alice.must('POST', '/user/repos', { name: 'forge', auto_init: true, default_branch: 'main' });
const AT = '/repos/alice/forge';

async function versions(commentId: number | null) {
  return db
    .selectFrom('content_versions')
    .select(['author_id', 'body', 'is_first', 'written_at'])
    .where('comment_id', commentId === null ? 'is' : '=', commentId)
    .orderBy('written_at')
    .orderBy('id')
    .execute();
}
const bodies = async (commentId: number | null) => (await versions(commentId)).map(({ body }) => body);

describe('versions of texts', () => {
  it('begin with the first edit, which keeps the original too', async () => {
    const { number } = await bob.must('POST', `${AT}/issues`, { title: 'One', body: 'a' });
    await bob.must('PATCH', `${AT}/issues/${number}`, { title: 'Renamed' });
    await bob.must('PATCH', `${AT}/issues/${number}`, { body: 'a' });
    assert.deepEqual(await versions(null), []);
    await alice.must('PATCH', `${AT}/issues/${number}`, { body: 'b' });
    await bob.must('PATCH', `${AT}/issues/${number}`, { body: 'c' });
    const kept = await versions(null);
    const ids = await Promise.all([bob, alice].map(async (who) => (await who.must('GET', '/user')).id));
    assert.deepEqual(
      kept.map(({ author_id, body, is_first }) => [author_id === ids[0] ? 'bob' : 'alice', body, Boolean(is_first)]),
      [
        ['bob', 'a', true],
        ['alice', 'b', false],
        ['bob', 'c', false],
      ],
    );
  });

  it('are those of comments, and go with them', async () => {
    const comment = await bob.must('POST', `${AT}/issues/1/comments`, { body: 'first' });
    await bob.must('PATCH', `${AT}/issues/comments/${comment.id}`, { body: 'second' });
    assert.deepEqual(await bodies(comment.id), ['first', 'second']);
    await bob.must('DELETE', `${AT}/issues/comments/${comment.id}`);
    assert.deepEqual(await versions(comment.id), []);
    await alice.must('DELETE', `${AT}/issues/1`);
    assert.deepEqual(await versions(null), []);
  });

  it('are kept of reviews once others can see them', async () => {
    const content = Buffer.from('one\n').toString('base64');
    await alice.must('POST', `${AT}/contents/a.txt`, { content, message: 'Add', new_branch: 'topic' });
    const { number } = await alice.must('POST', `${AT}/pulls`, { title: 'Change', head: 'topic', base: 'main' });
    const comments = [{ path: 'a.txt', body: 'draft', new_position: 1 }];
    const review = await bob.must('POST', `${AT}/pulls/${number}/reviews`, { event: 'PENDING', body: 'My notes', comments });
    const [{ id }] = await bob.must('GET', `${AT}/pulls/${number}/reviews/${review.id}/comments`);
    await bob.must('PATCH', `${AT}/issues/comments/${id}`, { body: 'what others see' });
    assert.deepEqual(await versions(id), []);
    await bob.must('POST', `${AT}/pulls/${number}/reviews/${review.id}`, { event: 'COMMENT', body: 'done' });
    await bob.must('PATCH', `${AT}/issues/comments/${id}`, { body: 'changed' });
    assert.deepEqual(await bodies(id), ['what others see', 'changed']);
    await bob.must('DELETE', `${AT}/pulls/${number}/reviews/${review.id}`);
    assert.deepEqual(await versions(id), []);
  });

  it('are at most twenty: the first, the last, and those that are far apart', async () => {
    const { id } = await alice.must('POST', `${AT}/issues`, { title: 'Long', body: '0' });
    const text = { issueId: id, commentId: null, authorId: 1, createdAt: 1_000 };
    for (let at = 1; at < MAX_VERSIONS; at++) await recordVersion(t.context, { ...text, body: String(at - 1) }, String(at));
    const kept = await db.selectFrom('content_versions').select('id').where('issue_id', '=', id).orderBy('id').execute();
    assert.equal(kept.length, MAX_VERSIONS);
    // Twice as far apart each time, apart from the sixth, which is close to the fifth.
    for (const [at, row] of kept.entries()) {
      const moment = at === 6 ? 1_000 + 2 ** 5 + 1 : 1_000 + 2 ** at;
      await db.updateTable('content_versions').set({ written_at: moment }).where('id', '=', row.id).execute();
    }
    await recordVersion(t.context, { ...text, body: '19' }, '20');
    const left = await db.selectFrom('content_versions').select('body').where('issue_id', '=', id).orderBy('id').execute();
    assert.deepEqual(
      left.map(({ body }) => Number(body)),
      [0, ...Array.from({ length: 19 }, (_, at) => at + 2)],
    );
  });
});
