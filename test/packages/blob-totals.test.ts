import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { findUser } from '../../src/access/find-user.ts';
import type { User } from '../../src/database/tables/accounts.ts';
import { collectPackages } from '../../src/packages/blobs/collect.ts';
import { storeBlob } from '../../src/packages/blobs/store.ts';
import { blobTotals } from '../../src/packages/blobs/totals.ts';
import { listInstanceVersions } from '../../src/packages/registry/everywhere.ts';
import { publish } from '../../src/packages/registry/publish.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const { context } = t;
const { db } = context;
await t.user('alice');
const { signal } = new AbortController();
let owner: User;

const totals = () => blobTotals(db);
const publishIt = async (version: string, content: string) => {
  const files = [{ name: 'file', blob: await storeBlob(context, Buffer.from(content)) }];
  await publish(context, { owner, type: 'generic', name: 'tool', version, files });
};
const deleteIt = (version: string) => t.admin.must('DELETE', `/packages/alice/generic/tool/${version}`);
/** Makes all contents older than their expiry. */
const age = () => db.updateTable('package_blobs').set({ touched_at: 1 }).execute();
const counted = () => db.selectFrom('package_blob_totals').select(['size', 'last_id']).executeTakeFirst();

before(async () => {
  owner = (await findUser(db, 'alice')) as User;
});

describe('the totals of contents', () => {
  it('are right before the first cleanup', async () => {
    assert.deepEqual(await totals(), { used: 0, unused: 0 });
    await publishIt('1', 'four');
    await publishIt('2', 'eight888');
    await publishIt('3', 'four');
    await deleteIt('2');
    assert.deepEqual([await totals(), await counted()], [{ used: 4, unused: 8 }, undefined], 'a content counts once');
  });

  it('are counted by the cleanup, and follow what comes and goes after it', async () => {
    await age();
    await collectPackages(context, signal);
    assert.equal((await counted())?.size, 4);
    assert.deepEqual(await totals(), { used: 4, unused: 0 });
    await publishIt('4', 'five5');
    assert.deepEqual([(await totals()).used, (await counted())?.size], [9, 4], 'a newer one is added');
    await deleteIt('1');
    assert.deepEqual(await totals(), { used: 9, unused: 0 }, 'another version has the content');
    await deleteIt('3');
    await deleteIt('4');
    assert.deepEqual(await totals(), { used: 0, unused: 9 });
  });

  it('stay right when a cleanup ends early', async () => {
    await age();
    const abort = new AbortController();
    const aborting = { ...context, storage: { ...context.storage, delete: async () => abort.abort() } } as unknown as typeof context;
    await assert.rejects(collectPackages(aborting, abort.signal), { name: 'AbortError' });
    assert.deepEqual([await totals(), (await counted())?.size], [{ used: 0, unused: 0 }, 0]);
  });

  it('are those of all contents again after each cleanup', async () => {
    await publishIt('5', 'six666');
    await db.updateTable('package_blob_totals').set({ size: 1000 }).execute();
    assert.equal((await totals()).used, 1006);
    await age();
    await collectPackages(context, signal);
    assert.deepEqual(await totals(), { used: 6, unused: 0 });
  });

  it('come with the number of all versions, which is not counted either', async () => {
    const page = { limit: 10, offset: 0, sort: 'created_desc' } as const;
    assert.equal((await listInstanceVersions(db, {}, page)).total, 1);
    await publishIt('6', 'six666');
    for (const search of [{}, { type: 'generic' }, { nameContains: 'OO' }] as const)
      assert.equal((await listInstanceVersions(db, search, page)).total, 2);
  });
});
