import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type Kysely, sql } from 'kysely';
import { findUser } from '../../src/access/find-user.ts';
import { packageTotals } from '../../src/database/migrations/0610-package-totals.ts';
import { SchemaKit } from '../../src/database/migrations/schema-kit.ts';
import type { User } from '../../src/database/tables/accounts.ts';
import { storeBlob } from '../../src/packages/blobs/store.ts';
import { keepBlob } from '../../src/packages/container/blobs.ts';
import { forgetUploads } from '../../src/packages/container/cleanup.ts';
import { buildIndexes, type IndexBuilder } from '../../src/packages/indexes/build.ts';
import { addFile, type Publication, publish } from '../../src/packages/registry/publish.ts';
import { totalsFindings, totalsOf } from '../../src/packages/registry/totals.ts';
import { testServer } from '../support/server.ts';
import { registry } from './support/registry.ts';

const t = await testServer({ packages: { limitTotalOwnerCount: 1000, limitTotalOwnerSize: 1_000_000 } });
const alice = await t.user('alice');
let owner: User;

const totals = () => totalsOf(t.context.db, owner.id);
const findings = () => Array.fromAsync(totalsFindings(t.context));
const file = async (name: string, content: string) => ({ name, blob: await storeBlob(t.context, Buffer.from(content)) });
const publishIt = async (name: string, version: string, contents: readonly string[], more: Partial<Publication> = {}) => {
  const files = await Promise.all(contents.map((content, at) => file(`file${at}`, content)));
  return await publish(t.context, { owner, type: 'generic', name, version, files, ...more });
};

before(async () => {
  owner = (await findUser(t.context.db, 'alice')) as User;
});

describe('the totals of an owner', () => {
  it('follow versions and files as they come, are replaced and go', async () => {
    await publishIt('a', '1', ['12345', '678']);
    assert.deepEqual(await totals(), { size: 8, versions: 1 });
    await publishIt('a', '2', ['12345']);
    assert.deepEqual(await totals(), { size: 13, versions: 2 }, 'a content counts for each file');
    await publishIt('a', '2', ['12'], { existing: 'replace' });
    assert.deepEqual(await totals(), { size: 10, versions: 2 });
    const { version } = await publishIt('a', '2', [], { existing: 'append' });
    await addFile(t.context, version.id, await file('more', '1234'));
    await addFile(t.context, version.id, { ...(await file('more', '1')), existing: 'replace' });
    assert.deepEqual(await totals(), { size: 11, versions: 2 });
    await assert.rejects(addFile(t.context, version.id, await file('more', '12')), /exists/);
    assert.deepEqual(await totals(), { size: 11, versions: 2 });
    assert.equal((await registry('alice').delete(alice, 'generic/a/2/more')).status, 204);
    assert.deepEqual(await totals(), { size: 10, versions: 2 });
    assert.equal((await registry('alice').delete(alice, 'generic/a/1')).status, 204);
    assert.deepEqual(await totals(), { size: 2, versions: 1 });
    await alice.must('DELETE', '/packages/alice/generic/a');
    assert.deepEqual(await totals(), { size: 0, versions: 0 });
  });

  it('have the bytes of indexes and of waiting layers, but not their versions', async () => {
    const content =
      (text: string): IndexBuilder =>
      async () => [{ name: 'index', content: Buffer.from(text) }];
    for (const text of ['123', '12345']) {
      await publishIt('b', text, ['1'], { indexes: ['key'] });
      await buildIndexes(t.context, content(text), { owner, type: 'generic' }, ['key']);
    }
    assert.deepEqual(await totals(), { size: 7, versions: 2 });
    await keepBlob(t.context, owner, 'image', await storeBlob(t.context, Buffer.from('layer')));
    assert.deepEqual(await totals(), { size: 12, versions: 2 });
    await forgetUploads(t.context, Number.MAX_SAFE_INTEGER, new AbortController().signal);
    assert.deepEqual(await totals(), { size: 7, versions: 2 });
  });

  it('are right after publications and deletions at once', async () => {
    const before = await totals();
    const numbers = Array.from({ length: 12 }, (_, number) => number);
    await Promise.all(numbers.map((number) => publishIt(`c${number % 3}`, `${number}`, [`content ${number}`, 'same'])));
    const gone = numbers.filter((number) => number % 2 === 0);
    const changes = numbers.map((number) =>
      gone.includes(number)
        ? alice.must('DELETE', `/packages/alice/generic/c${number % 3}/${number}`)
        : publishIt(`c${number % 3}`, `${number}`, ['same'], { existing: 'replace' }),
    );
    await Promise.all(changes);
    assert.deepEqual(await totals(), { size: before.size + 6 * 4, versions: before.versions + 6 });
    assert.deepEqual(await findings(), []);
  });

  it('stay the same when their rows are folded', async () => {
    const before = await totals();
    for (let number = 0; number < 150; number++) await publishIt('many', `${number}`, ['ten bytes.']);
    assert.deepEqual(await totals(), { size: before.size + 1500, versions: before.versions + 150 });
    assert.deepEqual(await findings(), []);
  });

  it('are corrected by the doctor, also of owners without a row', async () => {
    const right = await totals();
    await t.context.db.updateTable('package_totals').set({ size: 1 }).where('owner_id', '=', owner.id).execute();
    await t.user('bob');
    const bob = (await findUser(t.context.db, 'bob')) as User;
    await publishIt('his', '1', ['1234'], { owner: bob });
    await t.context.db.deleteFrom('package_totals').where('owner_id', '=', bob.id).execute();
    const wrong = await totals();
    const found = await findings();
    assert.deepEqual(
      found.map(({ text }) => text),
      [
        `users ${owner.id}: the packages have ${right.size} bytes and ${right.versions} versions, not ${wrong.size} and ${wrong.versions}`,
        `users ${bob.id}: the packages have 4 bytes and 1 versions, not 0 and 0`,
      ],
    );
    for (const { fix } of found) await fix?.();
    assert.deepEqual([await totals(), await totalsOf(t.context.db, bob.id)], [right, { size: 4, versions: 1 }]);
    assert.deepEqual(await findings(), []);
  });

  it('are counted by the migration of what is there', async () => {
    const { db } = t.context;
    const right = await totals();
    const { dialect } = t.context.database;
    for (const name of ['file_begin', 'file_end', 'version_begin', 'version_end']) {
      const dropped = dialect === 'sqlite' ? `trigger package_totals_${name}` : `function package_totals_${name} cascade`;
      await sql.raw(`drop ${dropped}`).execute(db);
    }
    if (dialect === 'postgres') await sql`drop function add_package_totals`.execute(db);
    await db.schema.dropTable('package_totals').execute();
    await packageTotals.up(new SchemaKit(db as Kysely<unknown>, dialect));
    assert.deepEqual(await totals(), right);
    assert.deepEqual(await findings(), []);
    await publishIt('after', '1', ['12345']);
    assert.deepEqual(await totals(), { size: right.size + 5, versions: right.versions + 1 });
  });

  it('go with their owner', async () => {
    await t.admin.must('DELETE', '/admin/users/alice?purge=true');
    await t.settled();
    assert.deepEqual(await totals(), { size: 0, versions: 0 });
    assert.deepEqual(await findings(), []);
    assert.deepEqual(await t.context.db.selectFrom('package_totals').selectAll().where('owner_id', '=', owner.id).execute(), []);
  });
});
