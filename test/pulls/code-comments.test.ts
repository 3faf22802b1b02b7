// On SQLite alone: what this asks of the database is plain, or asked of both by others.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testServer } from '../support/server.ts';
import { LINES, reviewed } from './reviewed.ts';

const t = await testServer();
const [alice, bob, carol] = [await t.user('alice'), await t.user('bob'), await t.user('carol')];
const demo = await reviewed(t, alice, 'demo', { bob: 'write', carol: 'read' });

async function opened(fields: Record<string, unknown> = {}) {
  const number = await demo.open(alice, fields);
  const at = `${demo.path}/pulls/${number}`;
  return { number, at, reviews: `${at}/reviews`, branch: `topic-${number}` };
}
describe('comments on code', () => {
  it('show the piece of the difference on either side, and the line where nothing changed', async () => {
    const { reviews } = await opened();
    const comments = [
      { path: 'a.txt', body: 'new', new_position: 10 },
      { path: 'a.txt', body: 'old', old_position: 10 },
      { path: 'a.txt', body: 'unchanged', new_position: 2 },
      { path: 'a.txt', body: 'nowhere', new_position: 99 },
      { path: 'no/such.txt', body: 'no file', new_position: 1 },
      { path: 'b.txt', body: 'the file' },
    ];
    const { id } = await bob.must('POST', reviews, { event: 'COMMENT', comments });
    const { json } = await alice.get(`${reviews}/${id}/comments`);
    assert.deepEqual(
      json.map((one: Record<string, unknown>) => [one.body, one.position, one.original_position, one.diff_hunk]),
      [
        ['new', 10, 0, '@@ -8,3 +8,3 @@\n line 8\n line 9\n-line 10\n+LINE TEN'],
        ['old', 0, 10, '@@ -7,7 +7,7 @@ line 6\n line 7\n line 8\n line 9\n-line 10'],
        ['unchanged', 2, 0, '@@ -1,2 +1,2 @@\n line 1\n line 2\n'],
        ['nowhere', 99, 0, ''],
        ['no file', 1, 0, ''],
        ['the file', 0, 0, ''],
      ],
    );
    assert.equal(json[2].commit_id, demo.id('base'));
  });

  it('follow their lines until these change', async () => {
    const { reviews, branch } = await opened();
    const comments = [
      { path: 'a.txt', body: 'follows', new_position: 10 },
      { path: 'a.txt', body: 'goes', new_position: 12 },
      { path: 'a.txt', body: 'base', old_position: 10 },
      { path: 'b.txt', body: 'elsewhere', new_position: 1 },
    ];
    await bob.must('POST', reviews, { event: 'COMMENT', comments });
    const lines = ['before', 'too', ...LINES.with(9, 'LINE TEN').with(11, 'line twelve')];
    await demo.commit(alice, branch, 'a.txt', `${lines.join('\n')}\n`);
    const where = async () =>
      (
        await t.context.db
          .selectFrom('code_comments')
          .innerJoin('comments', 'comments.id', 'comment_id')
          .innerJoin('pull_requests', 'pull_requests.issue_id', 'comments.issue_id')
          .select(['body', 'current_line'])
          .where('head_branch', '=', branch)
          .orderBy('comment_id')
          .execute()
      ).map((row) => [row.body, row.current_line]);
    assert.deepEqual(await where(), [
      ['follows', 12],
      ['goes', null],
      ['base', -10],
      ['elsewhere', 1],
    ]);
    await demo.commit(alice, branch, 'a.txt', `${lines.slice(1).join('\n')}\n`);
    await demo.commit(alice, branch, 'b.txt', 'other\n');
    assert.deepEqual(await where(), [
      ['follows', 11],
      ['goes', null],
      ['base', -10],
      ['elsewhere', null],
    ]);
  });

  it('are edited, reacted to and deleted as other comments are', async () => {
    const { at, reviews } = await opened();
    const { id } = await bob.must('POST', reviews, { event: 'COMMENT', comments: [{ path: 'b.txt', body: 'x', new_position: 1 }] });
    const [comment] = await bob.must('GET', `${reviews}/${id}/comments`);
    const one = `${demo.path}/issues/comments/${comment.id}`;
    assert.equal((await carol.patch(one, { body: 'y' })).status, 403);
    assert.equal((await bob.patch(one, { body: 'y' })).json.body, 'y');
    assert.equal((await carol.post(`${one}/reactions`, { content: 'eyes' })).status, 201);
    assert.equal((await bob.delete(one)).status, 204);
    assert.deepEqual((await bob.get(`${reviews}/${id}/comments`)).json, []);
    assert.equal((await bob.get(at)).json.comments, 0);
    const plain = await bob.must('POST', `${demo.path}/issues/${at.split('/').at(-1)}/comments`, { body: 'Counted with the reviews' });
    assert.equal((await bob.get(at)).json.comments, 2);
    const whole = await bob.must('POST', reviews, { event: 'COMMENT', body: 'First words' });
    assert.equal((await bob.delete(`${demo.path}/issues/comments/${plain.id}`)).status, 204);
    assert.equal((await bob.get(at)).json.comments, 2);
    const row = Number(whole.html_url.split('-').at(-1));
    assert.equal((await bob.patch(`${demo.path}/issues/comments/${row}`, { body: 'Other words' })).status, 200);
    assert.equal((await bob.get(`${reviews}/${whole.id}`)).json.body, 'Other words');
  });
});
