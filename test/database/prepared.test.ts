import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inTransaction } from '../../src/context.ts';
import { prepared, preparedIn, preparedPages, preparedRows } from '../../src/database/prepared.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
await t.user('ann');
await t.user('ben');

describe('a prepared query', () => {
  let built = 0;
  const select = prepared((db, least: string, isAdmin: boolean, count: number) => {
    built++;
    return db
      .selectFrom('users')
      .select('name')
      .where('type', '=', 'individual')
      .where('lower_name', '>=', least)
      .where('is_admin', '=', isAdmin)
      .where('lower_name', 'in', ['admin', 'ann', 'ben'])
      .orderBy('lower_name')
      .limit(count);
  });
  const names = async (...given: Parameters<typeof select>) => (await select(...given)).map(({ name }) => name);

  it('is built once and asked with each call’s values, among constants', async () => {
    const { db } = t.context;
    assert.deepEqual(await names(db, 'a', false, 5), ['ann', 'ben']);
    assert.deepEqual(await names(db, 'b', false, 5), ['ben']);
    assert.deepEqual(await names(db, 'a', false, 1), ['ann']);
    assert.equal((await names(db, 'a', true, 5)).length, 1);
    assert.equal(built, 1);
  });

  it('belongs to the transaction that it is asked in', async () => {
    const changed = inTransaction(t.context, async ({ db }) => {
      await db.updateTable('users').set({ lower_name: 'zed' }).where('lower_name', '=', 'ben').execute();
      assert.deepEqual(await names(db, 'b', false, 5), []);
      assert.deepEqual(await names(t.context.db, 'b', false, 5), ['ben']);
      throw new Error('undone');
    });
    await assert.rejects(changed, /undone/);
  });
});

describe('a prepared insertion', () => {
  const sizes: number[] = [];
  const insert = preparedRows((db, rows: readonly (readonly [slug: string, description: string])[]) => {
    sizes.push(rows.length);
    return db
      .insertInto('badges')
      .values(rows.map(([slug, description]) => ({ slug, description, image_url: '' })))
      .returning(['slug', 'description']);
  });

  it('adds any number of rows, by statements for powers of two', async () => {
    const { db } = t.context;
    for (const count of [1, 11, 0, 11, 70]) {
      const rows = Array.from({ length: count }, (_, index) => [`${count} ${index} ${sizes.length}`, `${index}`] as const);
      const added = await insert(db, rows);
      assert.deepEqual(
        added.map(({ slug, description }) => `${slug} ${description}`).sort(),
        rows.map(([slug, description]) => `${slug} ${description}`).sort(),
      );
    }
    assert.deepEqual(sizes, [1, 8, 2, 32, 4]);
  });
});

describe('a transaction that has ended', () => {
  it('takes no prepared query any more', async () => {
    const select = prepared((db, id: number) => db.selectFrom('users').select('name').where('id', '=', id));
    const ended = await inTransaction(t.context, async ({ db }) => {
      await select(db, 1);
      return db;
    });
    await assert.rejects(select(ended, 1));
  });
});

describe('a prepared query for ids', () => {
  const sizes: number[] = [];
  const select = preparedIn((db, ids, isAdmin: boolean) => {
    sizes.push(ids.length);
    return db.selectFrom('users').select('id').where('id', 'in', ids).where('is_admin', '=', isAdmin).orderBy('id');
  });
  const all = Array.from({ length: 300 }, (_, index) => index + 1);

  it('finds each row once, and is built for powers of two', async () => {
    const { db } = t.context;
    const people = await db.selectFrom('users').select('id').where('is_admin', '=', false).where('id', '<=', 300).orderBy('id').execute();
    for (const count of [3, 4, 0, 3, 300]) {
      const wanted = all.slice(0, count);
      assert.deepEqual(
        await select(db, wanted, false),
        people.filter(({ id }) => id <= count),
      );
    }
    assert.deepEqual(
      await select(
        db,
        [...people, ...people].map(({ id }) => id),
        false,
      ),
      people,
    );
    assert.deepEqual(sizes.slice(0, 2), [4, 300]);
  });
});

describe('a prepared query for pages', () => {
  it('is built once for each length of a page', async () => {
    const { db } = t.context;
    const lengths: number[] = [];
    const select = preparedPages((db, limit, offset, least: string) => {
      lengths.push(limit);
      const found = db.selectFrom('users').select('name').where('lower_name', '>=', least).where('lower_name', 'in', ['ann', 'ben']);
      return found.orderBy('lower_name').limit(limit).offset(offset);
    });
    const names = async (...given: [{ limit: number; offset: number }, string]) => (await select(db, ...given)).map(({ name }) => name);
    assert.deepEqual(await names({ limit: 1, offset: 0 }, 'a'), ['ann']);
    assert.deepEqual(await names({ limit: 1, offset: 1 }, 'a'), ['ben']);
    assert.deepEqual(await names({ limit: 5, offset: 0 }, 'b'), ['ben']);
    assert.deepEqual(await names({ limit: 1, offset: 0 }, 'b'), ['ben']);
    assert.deepEqual(lengths, [1, 5]);
  });
});
