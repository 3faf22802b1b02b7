import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { findUser } from '../../src/access/find-user.ts';
import { inTransaction } from '../../src/context.ts';
import type { User } from '../../src/database/tables/accounts.ts';
import { stateOf, totalsOf, versionsAfter, withVersions } from '../../src/packages/indexes/list-state.ts';
import { listAllVersions, listVersions, versionsOfPackage } from '../../src/packages/indexes/listed-versions.ts';
import { readLongList } from '../../src/packages/indexes/long-lists.ts';
import { deleteVersion } from '../../src/packages/registry/delete.ts';
import { findVersion } from '../../src/packages/registry/find.ts';
import { publish } from '../../src/packages/registry/publish.ts';
import { reviseVersion } from '../../src/packages/registry/revise.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const { context } = t;
await t.user('alice');
let owner: User;
let packageId = 0;
const publishOne = async (version: string) =>
  await publish(context, { owner, type: 'generic', name: 'many', version, files: [], existing: 'replace' });
const remove = async (version: string) =>
  await deleteVersion(context, await findVersion(context.db, { ownerId: owner.id, type: 'generic', name: 'many' }, version));

before(async () => {
  owner = (await findUser(context.db, 'alice')) as User;
  const { package: row, version } = await publishOne('0');
  packageId = row.id;
  const { id: _, ...columns } = version;
  const versions = Array.from({ length: 700 }, (_, number) => ({ ...columns, version: `1.${number}`, lower_version: `1.${number}` }));
  for (let at = 0; at < 700; at += 350)
    await context.db
      .insertInto('package_versions')
      .values(versions.slice(at, at + 350))
      .execute();
});

async function assertCurrent(what: string): Promise<void> {
  const stored = await versionsOfPackage(context.db, packageId).orderBy('id', 'desc').execute();
  const newest = stored.toSorted((a, b) => b.created_at - a.created_at || b.id - a.id);
  assert.deepEqual(await listVersions(context, packageId, 'newest'), newest, what);
  const byName = stored.toSorted((a, b) => (a.lower_version < b.lower_version ? -1 : 1));
  assert.deepEqual(await listVersions(context, packageId, 'name'), byName, what);
  const all = await listAllVersions(context, owner.id, 'generic', (a, b) => a.id - b.id);
  assert.deepEqual(
    all.map(({ id, revision }) => [id, revision]),
    stored.toReversed().map(({ id, revision }) => [id, revision]),
    what,
  );
}

it('a long list shows each change, in its order', async () => {
  for (const round of [1, 2, 3]) await assertCurrent(`round ${round}`);
  await publishOne('0.5');
  await assertCurrent('a new version');
  await remove('1.350');
  await assertCurrent('one fewer');
  await reviseVersion(context.db, (await findVersion(context.db, { ownerId: owner.id, type: 'generic', name: 'many' }, '1.5')).id);
  await assertCurrent('a revised one');
  await Promise.all([remove('1.10'), publishOne('1.11'), publishOne('2.0'), remove('0.5')]);
  await assertCurrent('several at once');
  await context.db.updateTable('package_versions').set({ is_internal: true }).where('version', '=', '1.20').execute();
  await assertCurrent('a hidden one');
  const revise = context.db.updateTable('package_versions').set((row) => ({ revision: row('revision', '+', 1) }));
  await revise.where('package_id', '=', packageId).execute();
  await assertCurrent('all');
});

it('a long list is read again only where it has changed', async () => {
  const counts: number[] = [];
  const list = () =>
    readLongList(context, {
      of: { packageId },
      name: 'counted',
      order: (a, b) => a.id - b.id,
      read: async (isRead) => {
        const rows = await versionsOfPackage(context.db, packageId).where(isRead).execute();
        counts.push(rows.length);
        return rows;
      },
    });
  const { length } = await list();
  await list();
  await list();
  assert.deepEqual(counts, [length, length], 'the first time nothing is known of its parts');
  await publishOne('3.0');
  assert.equal((await list()).length, length + 1);
  assert.equal(counts[2], 1, 'the new one alone');
  assert.equal(counts.length, 3);
});

it('the state of a list with further versions is the one that the database has', async () => {
  const of = { packageId };
  const before = await stateOf(context.db, of);
  assert.equal(await totalsOf(context.db, of), before.totals);
  for (const version of ['6.0', '6.1', '6.2']) await publishOne(version);
  const added = await versionsAfter(context.db, of, before.last);
  assert.equal(added.length, 3);
  assert.deepEqual(withVersions(before, added), await stateOf(context.db, of));
  assert.equal(await totalsOf(context.db, of), withVersions(before, added).totals);
});

it('a long list of a transaction is kept for nobody else', async () => {
  const { length } = await listVersions(context, packageId, 'newest');
  const changed = inTransaction(context, async (context) => {
    await publish(context, { owner, type: 'generic', name: 'many', version: '4.0', files: [] });
    assert.equal((await listVersions(context, packageId, 'newest')).length, length + 1);
    throw new Error('rolled back');
  });
  await assert.rejects(changed, /rolled back/);
  assert.equal((await listVersions(context, packageId, 'newest')).length, length);
  await publishOne('5.0');
  await assertCurrent('after it');
});
