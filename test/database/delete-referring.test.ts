import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deleteReferring, readReferences } from '../../src/database/delete-referring.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const { db, database } = t.context;
const isSqlite = database.dialect === 'sqlite';
const alice = await t.user('alice');

describe('what refers to rows that are deleted', { skip: !isSqlite }, () => {
  it('is found by an index, except in a table of a few rows', async () => {
    const references = await readReferences(db);
    assert.ok(references.length > 200);
    const scans: string[] = [];
    for (const { child, column } of references) {
      const query = `explain query plan select rowid from "${child}" where "${column}" in (1, 2) limit 100`;
      const plan = await db.executeQuery({ ...db.selectNoFrom([]).compile(), sql: query, parameters: [] });
      if (/SCAN/.test(JSON.stringify(plan.rows))) scans.push(`${child}.${column}`);
    }
    assert.deepEqual(scans.sort(), ['cron_tasks.process_id']);
  });

  it('is never deleted because of itself', async () => {
    const references = await readReferences(db);
    const below = (table: string, path: readonly string[]): string[] =>
      references
        .filter(({ parent, isDeleted }) => isDeleted && parent === table)
        .flatMap(({ child }) => (path.includes(child) ? [[...path, child].join(' ')] : below(child, [...path, child])));
    assert.deepEqual([...below('users', ['users']), ...below('repositories', ['repositories'])], []);
  });
});

it('everything of a repository is deleted, and what only names its parts stays', async () => {
  await alice.must('POST', '/user/repos', { name: 'demo' });
  const path = '/repos/alice/demo';
  const { id: label } = await alice.must('POST', `${path}/labels`, { name: 'a', color: '#123456' });
  const { id: milestone } = await alice.must('POST', `${path}/milestones`, { title: 'm' });
  for (let number = 1; number <= 120; number++) await alice.must('POST', `${path}/issues`, { title: 'x', labels: [label], milestone });
  await t.settled();
  const count = async (table: 'issues' | 'comments' | 'issue_labels' | 'activities' | 'milestones' | 'labels') =>
    (await db.selectFrom(table).selectAll().execute()).length;
  assert.deepEqual([await count('issues'), await count('issue_labels'), (await count('comments')) > 200], [120, 120, true]);
  await deleteReferring({ db, database }, 'milestones', [milestone]);
  const named = await db.selectFrom('issues').select('id').where('milestone_id', 'is not', null).execute();
  assert.deepEqual([named.length, await count('issues')], [isSqlite ? 0 : 120, 120]);
  await alice.must('DELETE', `${path}/labels/${label}`);
  assert.deepEqual([await count('issue_labels'), await count('labels')], [0, 0]);
  await alice.must('DELETE', path);
  await t.settled();
  for (const table of ['issues', 'comments', 'activities', 'milestones'] as const) assert.equal(await count(table), 0);
});
