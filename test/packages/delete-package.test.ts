import assert from 'node:assert/strict';
import { before, describe, it, mock } from 'node:test';
import { findUser } from '../../src/access/find-user.ts';
import type { User } from '../../src/database/tables/accounts.ts';
import { storeBlob } from '../../src/packages/blobs/store.ts';
import { publish } from '../../src/packages/registry/publish.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const { db } = t.context;
const alice = await t.user('alice');
let owner: User;
before(async () => {
  owner = (await findUser(db, 'alice')) as User;
});

const publishAll = async (name: string, count: number, type: 'generic' | 'terraform' = 'generic') => {
  const blob = await storeBlob(t.context, Buffer.from('content'));
  for (let number = 1; number <= count; number++) {
    const version = type === 'generic' ? `1.${number}` : `${number}`;
    await publish(t.context, { owner, type, name, version, files: [{ name: type === 'generic' ? 'file' : 'tfstate', blob }] });
  }
};
const versionsOf = async (name: string) => {
  const rows = await db
    .selectFrom('package_versions')
    .innerJoin('packages', 'packages.id', 'package_versions.package_id')
    .select('package_versions.version')
    .where('packages.lower_name', '=', name)
    .orderBy('package_versions.id')
    .execute();
  return rows.map(({ version }) => version);
};
const jobs = async () => await db.selectFrom('jobs').select('id').where('type', '=', 'packages.delete').execute();
const runJob = async () => {
  await db.updateTable('jobs').set({ due_at: 0 }).where('type', '=', 'packages.delete').execute();
  await t.settled();
};
/** The deletion ends as if the process did, at the version with this number. */
const deleteUntil = async (name: string, number: number, path = `/packages/alice/generic/${name}`) => {
  const { events } = t.context;
  const emit = events.emit.bind(events);
  let count = 0;
  const killed = mock.method(events, 'emit', async (...event: Parameters<typeof emit>) => {
    if (event[1] === 'package.deleting' && ++count === number) throw new Error('killed');
    return await emit(...event);
  });
  assert.equal((await alice.delete(path)).status, 500);
  killed.mock.restore();
};

describe('the deletion of a package with many versions', () => {
  it('takes several transactions, and deletes all of them', async () => {
    await publishAll('whole', 120);
    const { metrics } = t.context;
    const transactions = () => metrics.snapshot().find(({ labels }) => labels === 'result="committed"')?.value ?? 0;
    const begun = transactions();
    await alice.must('DELETE', '/packages/alice/generic/whole');
    assert.ok(transactions() - begun >= 4, `${transactions() - begun} transactions`);
    assert.deepEqual(await versionsOf('whole'), []);
    assert.equal(await db.selectFrom('packages').select('id').where('lower_name', '=', 'whole').executeTakeFirst(), undefined);
    assert.deepEqual(await jobs(), []);
  });

  it('goes on after the process has ended, and has left the newest until then', async () => {
    await publishAll('half', 120);
    await deleteUntil('half', 70);
    assert.deepEqual([(await versionsOf('half')).length, (await versionsOf('half'))[0]], [60, '1.61']);
    assert.equal((await alice.must('GET', '/packages/alice/generic/half/-/latest')).version, '1.120');
    await runJob();
    assert.equal((await alice.get('/packages/alice/generic/half/-/latest')).status, 404);
    assert.equal(await db.selectFrom('packages').select('id').where('lower_name', '=', 'half').executeTakeFirst(), undefined);
    assert.deepEqual(await jobs(), []);
  });

  it('leaves what was published after it began', async () => {
    await publishAll('again', 60);
    await deleteUntil('again', 55);
    await publish(t.context, { owner, type: 'generic', name: 'again', version: '2.0', files: [] });
    await runJob();
    assert.deepEqual(await versionsOf('again'), ['2.0']);
  });

  it('keeps a state of Terraform locked until the end', async () => {
    const path = '//api/packages/alice/terraform/state/network';
    await publishAll('network', 120, 'terraform');
    await deleteUntil('network', 70, path);
    assert.equal((await versionsOf('network')).length, 60);
    assert.equal((await alice.get(path)).text, 'content');
    const held = await alice.post(path, { version: 4, serial: 200, lineage: 'a' });
    assert.deepEqual([held.status, held.json.Operation, held.json.Who], [423, 'OperationTypeDelete', 'alice']);
    assert.equal((await alice.post(`${path}/lock`, { ID: 'mine' })).status, 423);
    assert.equal((await alice.delete(path)).status, 423);
    await runJob();
    assert.deepEqual([await versionsOf('network'), (await alice.get(path)).status], [[], 404]);
    assert.equal((await alice.post(`${path}/lock`, { ID: 'mine' })).status, 200, 'its lock is gone with it');
  });

  it('is in the audit log with the account that wanted it, also where a job went on', async () => {
    const { id } = owner;
    const entries = await db.selectFrom('audit_entries').select('actor_id').where('action', '=', 'package.delete').execute();
    assert.ok(entries.length > 0);
    assert.deepEqual([...new Set(entries.map(({ actor_id }) => actor_id))], [id]);
  });
});
