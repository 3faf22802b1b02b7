import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { findUser } from '../../src/access/find-user.ts';
import type { User } from '../../src/database/tables/accounts.ts';
import type { PackageType } from '../../src/database/tables/package-types.ts';
import { storeBlob } from '../../src/packages/blobs/store.ts';
import { buildDelay, noteBuilt } from '../../src/packages/indexes/pace.ts';
import { publish } from '../../src/packages/registry/publish.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const { db } = t.context;
let owner: User;
before(async () => {
  await t.user('alice');
  owner = (await findUser(db, 'alice')) as User;
});

const publishOne = async (type: PackageType, name: string, version: string) => {
  const blob = await storeBlob(t.context, Buffer.from('content'));
  const files = [{ name: `file-${version}`, blob, isLead: true }];
  await publish(t.context, { owner, type, name, version, metadata: {}, files, indexes: [name] });
};
/** Runs the jobs that are to run soon, as if their time had come. */
const runSoon = async () => {
  await db
    .updateTable('jobs')
    .set({ due_at: 0 })
    .where('type', '=', 'packages.index')
    .where((where) => where.not(where('key', 'like', '% late')))
    .execute();
  await t.settled();
};
const isBuilt = async (key: string) => {
  const { wanted, built } = await db
    .selectFrom('package_indexes')
    .select(['wanted', 'built'])
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
  return wanted === built;
};
const jobsOf = async (key: string) => {
  const rows = await db.selectFrom('jobs').select('key').where('type', '=', 'packages.index').where('key', 'like', `%${key}%`).execute();
  return rows.map((row) => row.key?.split(' ').slice(1).join(' '));
};
const blocksOf = async (key: string) => await db.selectFrom('package_blocks').select('id').where('key', '=', key).execute();

describe('an index, soon after a publication', () => {
  it('is written by a job if it has files alone', async () => {
    await publishOne('maven', 'acme:tool', '1.0');
    await runSoon();
    assert.equal(await isBuilt('acme:tool'), true);
    assert.deepEqual(await jobsOf('acme:tool'), []);
  });

  it('has its parts by a job if it is composed, and its files by a later one', async () => {
    await publishOne('pypi', 'left', '1.0');
    await runSoon();
    assert.equal(await isBuilt('left'), false);
    assert.ok((await blocksOf('left')).length > 0);
    assert.deepEqual(await jobsOf('left'), ['pypi left late']);
    await publishOne('pypi', 'left', '1.1');
    await runSoon();
    assert.deepEqual(await jobsOf('left'), ['pypi left late']);
    await db.updateTable('jobs').set({ due_at: 0 }).where('key', 'like', '%left late').execute();
    await t.settled();
    assert.equal(await isBuilt('left'), true);
    assert.deepEqual(await jobsOf('left'), []);
  });
});

describe('the time until an index is built', () => {
  it('is longer for one that takes long, within bounds', () => {
    const index = { ownerId: owner.id, type: 'conda', key: 'pace/linux-64' } as const;
    const delays = [0, 15, 30, 90, 10_000].map((milliseconds) => {
      noteBuilt(t.context, index, milliseconds);
      return buildDelay(t.context, index);
    });
    assert.deepEqual(delays, [1, 1, 2, 5, 10]);
    assert.equal(buildDelay(t.context, { ...index, key: 'pace/win-64' }), 1);
  });
});
