import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { findUser } from '../../src/access/find-user.ts';
import type { User } from '../../src/database/tables/accounts.ts';
import { cacheContent } from '../../src/packages/blobs/content-cache.ts';
import { ComposedDocument, cachedBlocks } from '../../src/packages/indexes/composed.ts';
import { renewDocument, wholeDocument } from '../../src/packages/indexes/document-bytes.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
await t.user('alice');
const { id: ownerId } = (await findUser(t.context.db, 'alice')) as User;
const index = { ownerId, type: 'generic', key: 'bytes' } as const;

interface Listed {
  readonly id: number;
  readonly revision: number;
  readonly created_at: number;
}
const versionsTo = (count: number) => Array.from({ length: count }, (_, at): Listed => ({ id: at + 1, revision: 0, created_at: 0 }));
const textOf = (versions: readonly Listed[]) => versions.map(({ id }) => `version ${id} ${'x'.repeat(id % 300)};`).join('');
const documentOf = (versions: readonly Listed[]) =>
  new ComposedDocument(['[', cachedBlocks(t.context, { index, name: 'a', versions, write: async (some) => textOf(some) }), ']']);

/** The context with a database that says how many bytes of parts are read. */
const sizes: number[] = [];
const counting = t.context.database.db.withPlugin({
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => {
    for (const { content } of result.rows as { content?: Uint8Array }[]) sizes.push(content?.length ?? 0);
    return result;
  },
});
const context = { ...t.context, database: Object.assign(Object.create(t.context.database), { db: counting }) };
const read = () => sizes.splice(0).reduce((sum, size) => sum + size, 0);

describe('the bytes of a document', () => {
  it('are read from its parts once', async () => {
    const plan = await documentOf(versionsTo(1000)).plan();
    const whole = await wholeDocument(context, plan);
    assert.ok(whole?.toString() === `[${textOf(versionsTo(1000))}]`);
    assert.ok(read() > 100_000);
    assert.ok((await wholeDocument(context, plan)) === whole);
    assert.equal(read(), 0);
  });

  it('are put together from those before a change, in both forms', async () => {
    const changed = versionsTo(1001).map((version) => (version.id === 500 ? { ...version, revision: 1 } : version));
    for (const form of ['plain', 'gzip'] as const) {
      const before = await documentOf(versionsTo(1000)).plan(form);
      const size = (await wholeDocument(context, before))?.length ?? 0;
      read();
      const after = await documentOf(changed).plan(form);
      await renewDocument(context, before, after);
      const some = read();
      assert.ok(some > 0 && some < size / 2, `${form}: ${some} of ${size}`);
      const whole = (await wholeDocument(context, after)) ?? Buffer.alloc(0);
      assert.equal(read(), 0);
      assert.ok((form === 'gzip' ? gunzipSync(whole) : whole).toString() === `[${textOf(changed)}]`);
    }
  });

  it('are put together for readers alone: nothing is read of a document that nobody has read', async () => {
    const [before, after] = [await documentOf(versionsTo(300)).plan(), await documentOf(versionsTo(301)).plan()];
    await renewDocument(context, before, after);
    assert.equal(read(), 0);
  });

  it('are read again where those that are cached were compressed to another size', async () => {
    const [before, after] = [await documentOf(versionsTo(200)).plan('gzip'), await documentOf(versionsTo(201)).plan('gzip')];
    cacheContent(context, before.etag, Buffer.alloc(before.size - 1));
    await renewDocument(context, before, after);
    assert.equal(read(), 0);
    for (const [plan, count] of [
      [before, 200],
      [after, 201],
    ] as const) {
      const whole = (await wholeDocument(context, plan)) ?? Buffer.alloc(0);
      assert.ok(gunzipSync(whole).toString() === `[${textOf(versionsTo(count))}]`);
    }
    read();
  });

  it('are not kept if they are many', async () => {
    const versions = versionsTo(2).map((version) => ({ ...version, id: version.id + 5000 }));
    const write = async () => 'x'.repeat(1024 * 1024 + 1);
    const plan = await new ComposedDocument([cachedBlocks(t.context, { index, name: 'long', versions, write })]).plan();
    assert.ok((await wholeDocument(context, plan)) === undefined);
    assert.equal(read(), 0);
  });
});
