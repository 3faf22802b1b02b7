import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, it } from 'node:test';
import { Kysely, sql } from 'kysely';
import type { Db } from '../../src/database/database.ts';
import { cachedRows } from '../../src/database/prepared.ts';
import { ResultCache } from '../../src/database/result-cache.ts';
import { sqliteDialect } from '../../src/database/sqlite.ts';

interface Tables {
  things: { id: number; name: string };
}

const folder = await mkdtemp(join(tmpdir(), 'copse-kept-'));
const file = join(folder, 'test.db');
const db = new Kysely<Tables>({ dialect: sqliteDialect(file) });
await sql`create table things (id integer primary key, name text not null)`.execute(db);
const other = new DatabaseSync(file);
const reader = new DatabaseSync(file);
after(async () => {
  other.close();
  reader.close();
  await db.destroy();
  await rm(folder, { recursive: true, force: true });
});

const things = (from = db) => cachedRows(from as unknown as Db, from.selectFrom('things').select(['id', 'name']).orderBy('id'));
const names = async (from = db) => (await things(from)).map(({ name }) => name);

describe('a read whose result is kept', () => {
  it('sees what this process and another one have committed', async () => {
    assert.deepEqual(await names(), []);
    await db.insertInto('things').values({ id: 1, name: 'own' }).execute();
    assert.deepEqual(await names(), ['own']);
    other.exec("insert into things values (2, 'of another')");
    assert.deepEqual(await names(), ['own', 'of another']);
    other.exec('delete from things where id = 2');
    assert.deepEqual(await names(), ['own']);
  });

  it('sees what its own transaction has done, and nobody else does before the end', async () => {
    const undone = db.transaction().execute(async (transaction) => {
      await transaction.updateTable('things').set({ name: 'changed' }).execute();
      assert.deepEqual([await names(transaction), await names()], [['changed'], ['own']]);
      throw new Error('undone');
    });
    await assert.rejects(undone, /undone/);
    assert.deepEqual(await names(), ['own']);
  });

  it('gives each reader rows of their own', async () => {
    for (const row of await things()) row.name = 'mine';
    assert.deepEqual(await names(), ['own']);
  });
});

describe('kept results', () => {
  let runs = 0;
  reader.function('ran', () => ++runs);
  const results = new ResultCache(reader);
  const one = reader.prepare('select ? as value, ran() as runs');
  const many = reader.prepare('with recursive n(i) as (select 1 union all select i + 1 from n where i < ?) select i from n');
  for (const statement of [one, many]) statement.setReturnArrays(true);
  const ran = (value: string | number) => {
    const before = runs;
    results.rows(one, [value]);
    return runs > before;
  };

  it('are of one statement and its values, until something is committed', () => {
    assert.deepEqual([ran(1), ran(1), ran('1'), ran(2), ran('1')], [true, false, true, true, false]);
    other.exec("insert into things values (3, 'x')");
    assert.deepEqual([ran(1), ran(1)], [true, false]);
  });

  it('count as memory, and are evicted', () => {
    ran(1);
    const { bytes } = results;
    ran('x'.repeat(1000));
    assert.ok(bytes > 0 && results.bytes > bytes + 1000, `${bytes} and ${results.bytes} bytes`);
    results.evict();
    assert.deepEqual([results.bytes, ran(1)], [0, true]);
  });

  it('are forgotten when they become many', () => {
    ran('kept');
    for (const count of [30_000, 30_001]) results.rows(many, [count]);
    assert.equal(ran('kept'), true);
    // Strangers ask for names that nobody has, as long as a URL can be.
    for (let i = 0; i < 250; i++) ran(`${i} ${'x'.repeat(8000)}`);
    assert.equal(ran('kept'), true);
  });
});
