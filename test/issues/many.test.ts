import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inTransaction } from '../../src/context.ts';
import { indexComment, indexIssue } from '../../src/issues/search/index.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const alice = await t.user('alice');
const repository = await alice.must('POST', '/user/repos', { name: 'busy' });
const label = await alice.must('POST', '/repos/alice/busy/labels', { name: 'common', color: '#00aabb' });
const { id: aliceId } = await alice.must('GET', '/user');

/** More than are looked up and sorted: beyond that a list goes through all from the newest on. */
const COUNT = 2600;
const place = (index: number) => (index * 7919) % COUNT;
/** Has a word in the text, in a comment, or in both. */
const isInked = (index: number) => index % 5 === 0;
const isCommented = (index: number) => index % 10 === 0 || (index % 5 > 0 && index % 13 > 0);
/** Has a word that the newest lack. */
const isOld = (index: number) => place(index) < 2200;
const issues = Array.from({ length: COUNT }, (_, index) => ({
  repository_id: repository.id,
  number: index + 1,
  author_id: aliceId,
  title: index % 8 === 0 ? 'A rare printer' : 'A printer',
  body: [isInked(index) ? 'Out of ink' : '', isOld(index) ? 'Bought long ago' : ''].join(' '),
  is_closed: index % 100 === 0,
  // Not in the order of the numbers.
  created_at: 1_500_000_000 + place(index) * 60,
  updated_at: 1_600_000_000 + index * 60,
}));
await inTransaction(t.context, async (context) => {
  for (let done = 0; done < COUNT; done += 500) {
    const rows = await context.db
      .insertInto('issues')
      .values(issues.slice(done, done + 500))
      .returning(['id', 'repository_id', 'title', 'body', 'number'])
      .execute();
    for (const row of rows) await indexIssue(context, row);
    const comments = await context.db
      .insertInto('comments')
      .values(
        rows
          .filter(({ number }) => isCommented(number - 1))
          .map(({ id }) => ({
            issue_id: id,
            repository_id: repository.id,
            kind: 'comment' as const,
            author_id: aliceId,
            body: 'No ink',
            created_at: 1,
            updated_at: 1,
          })),
      )
      .returning(['id', 'issue_id', 'repository_id', 'body'])
      .execute();
    for (const comment of comments) await indexComment(context, comment);
    const labelled = rows.filter(({ number }) => number % 10 > 0).map(({ id }) => ({ issue_id: id, label_id: label.id }));
    await context.db.insertInto('issue_labels').values(labelled).execute();
  }
});

type Row = (typeof issues)[number];
const CASES: [string, (row: Row) => boolean][] = [
  ['q=printer', () => true],
  ['q=rare', ({ title }) => title.includes('rare')],
  ['q=ink', ({ number }) => isInked(number - 1) || isCommented(number - 1)],
  ['q=out+of+ink', ({ number }) => isInked(number - 1)],
  ['q=bought', ({ number }) => isOld(number - 1)],
  ['q=long+ago', ({ number }) => isOld(number - 1)],
  ['q=bought&type=issues', ({ number }) => isOld(number - 1)],
  ['q=bought&type=pulls', () => false],
  ['labels=common', ({ number }) => number % 10 > 0],
  ['labels=common&q=printer', ({ number }) => number % 10 > 0],
  ['since=2020-09-13T12:30:00Z', ({ updated_at: time }) => time >= 1_600_000_200],
  ['since=2020-09-15T00:00:00Z', ({ updated_at: time }) => time >= 1_600_128_000],
  ['labels=common&since=2020-09-13T12:30:00Z', ({ number, updated_at: time }) => number % 10 > 0 && time >= 1_600_000_200],
];

describe('many issues', () => {
  for (const [query, isFound] of CASES) {
    it(`are listed the newest first: ${query}`, async () => {
      for (const place of ['/repos/alice/busy/issues', '/repos/issues/search']) {
        const expected = issues.filter((row) => !row.is_closed && isFound(row)).sort((a, b) => b.created_at - a.created_at);
        for (const page of [1, 7]) {
          const { json, headers } = await alice.get(`${place}?${query}&limit=20&page=${page}`);
          assert.equal(Number(headers.get('x-total-count')), expected.length);
          assert.deepEqual(
            json.map(({ number }: { number: number }) => number),
            expected.slice((page - 1) * 20, page * 20).map(({ number }) => number),
          );
        }
      }
    });
  }
});
