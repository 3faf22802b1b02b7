import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Kysely } from 'kysely';
import { commitReferenceSources } from '../../src/database/migrations/0207-commit-reference-sources.ts';
import { SchemaKit } from '../../src/database/migrations/schema-kit.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const [alice, bob] = [await t.user('alice'), await t.user('bob')];
const { db, database } = t.context;

it('references of commits that do not say their repository get it, or are hidden', async () => {
  const open = await alice.must('POST', '/user/repos', { name: 'Open', auto_init: true });
  const secret = await bob.must('POST', '/user/repos', { name: 'secret', auto_init: true, private: true });
  await bob.must('PATCH', '/repos/bob/secret', { name: 'renamed' });
  const { id: issue_id } = await alice.must('POST', '/repos/alice/Open/issues', { title: 'Public' });
  const { id: author_id } = await bob.must('GET', '/user');
  const refer = async (link: string) => {
    const values = {
      kind: 'commit_ref' as const,
      issue_id,
      repository_id: open.id,
      author_id,
      body: `<a href="${link}/commit/${'a'.repeat(40)}">Secret</a>`,
    };
    const row = await db
      .insertInto('comments')
      .values({ ...values, created_at: 1, updated_at: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    return row.id;
  };
  const links = ['/alice/Open', '/sub/path/alice/Open', '/bob/secret', '/bob/nothing', '/x'];
  const ids = await Promise.all(links.map(refer));
  await commitReferenceSources.up(new SchemaKit(db as unknown as Kysely<unknown>, database.dialect));
  const rows = await db.selectFrom('comments').select(['id', 'ref_repository_id']).where('id', 'in', ids).execute();
  const sources = new Map(rows.map((row) => [row.id, row.ref_repository_id]));
  assert.deepEqual(
    ids.map((id) => sources.get(id)),
    [open.id, open.id, secret.id, 0, 0],
  );
  const shown = async (who: typeof alice) =>
    (await who.must('GET', '/repos/alice/Open/issues/1/timeline')).filter(({ type }: { type: string }) => type === 'commit_ref').length;
  assert.deepEqual([await shown(alice), await shown(bob)], [2, 3]);
});
