import assert from 'node:assert/strict';
import { it } from 'node:test';
import { findUser } from '../../src/access/find-user.ts';
import { inTransaction } from '../../src/context.ts';
import type { User } from '../../src/database/tables/accounts.ts';
import { deleteVersion } from '../../src/packages/registry/delete.ts';
import { findVersion } from '../../src/packages/registry/find.ts';
import { publish } from '../../src/packages/registry/publish.ts';
import { countVersions, searchVersions } from '../../src/packages/registry/search.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const { context } = t;
await t.user('alice');
const owner = (await findUser(context.db, 'alice')) as User;
const type = 'generic' as const;
const add = (name: string, version: string, other = context) => publish(other, { owner, type, name, version, files: [] });
const remove = async (name: string, version: string) =>
  await deleteVersion(context, await findVersion(context.db, { ownerId: owner.id, type, name }, version));
const latest = { ownerId: owner.id, type, latest: true } as const;
const counts = async (other = context) =>
  await Promise.all([latest, { ...latest, nameContains: 'a_' }, { ownerId: owner.id, type }].map((search) => countVersions(other, search)));
const named = async (nameContains: string, offset = 0) => {
  const found = await searchVersions(context.db, { ...latest, nameContains }, { limit: 2, offset, byName: true });
  return found.map(({ version }) => version);
};

it('the number of what a search finds is right after each change', async () => {
  assert.deepEqual(await counts(), [0, 0, 0]);
  await add('a_1', '1');
  assert.deepEqual(await counts(), [1, 1, 1]);
  await add('a_1', '2');
  await add('b', '1');
  for (const _ of [1, 2]) assert.deepEqual(await counts(), [2, 1, 3]);
  await remove('a_1', '1');
  assert.deepEqual(await counts(), [2, 1, 2]);
  await remove('a_1', '2');
  assert.deepEqual(await counts(), [1, 0, 1]);
  await add('a_2', '1');
  assert.deepEqual(await counts(), [2, 1, 2]);
  const undone = inTransaction(context, async (context) => {
    await add('a_3', '1', context);
    assert.deepEqual(await counts(context), [3, 2, 3]);
    throw new Error('rolled back');
  });
  await assert.rejects(undone, /rolled back/);
  assert.deepEqual(await counts(), [2, 1, 2]);
});

it('a search by name finds the newest version of each package, in the order of the names', async () => {
  for (const name of ['z-3', 'Z-1', 'z-2', 'z%']) for (const version of ['2', '1']) await add(name, `${name}.${version}`);
  await remove('z-2', 'z-2.1');
  assert.deepEqual([await named('Z-'), await named('z-', 2)], [['Z-1.1', 'z-2.2'], ['z-3.1']]);
  assert.deepEqual([await named('%'), await named('none')], [['z%.1'], []]);
  assert.deepEqual(await named('', 4), ['z-2.2', 'z-3.1']);
});
