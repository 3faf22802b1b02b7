import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { afterCommit, type Context, inTransaction } from '../../src/context.ts';
import { openDatabase } from '../../src/database/database.ts';
import { DatabaseVersionError } from '../../src/database/migrate.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const folder = await mkdtemp(join(tmpdir(), 'copse-database-'));
after(() => rm(folder, { recursive: true, force: true }));

const nameOf = (context: Pick<Context, 'db'>) =>
  context.db.selectFrom('users').select(['full_name', 'is_admin']).where('lower_name', '=', 'admin').executeTakeFirstOrThrow();
const rename = (context: Pick<Context, 'db'>, name: string) =>
  context.db.updateTable('users').set({ full_name: name }).where('lower_name', '=', 'admin').execute();

describe('the schema', () => {
  it('refuses a database that a newer version has used, and leaves it as it was', async () => {
    const options = { url: '', file: join(folder, 'newer.db'), maxConnections: 1 };
    const opened = await openDatabase(options);
    const log = opened.db as unknown as Kysely<{ kysely_migration: { name: string; timestamp: string } }>;
    await log.insertInto('kysely_migration').values({ name: '9999-later', timestamp: '2099' }).execute();
    await opened.close();
    await assert.rejects(openDatabase(options), (error) => error instanceof DatabaseVersionError && /9999-later/.test(error.message));
  });
});

describe('a transaction', () => {
  it('is not seen before it is committed, and nobody waits for it to read', async () => {
    await rename(t.context, 'before');
    await inTransaction(t.context, async (context) => {
      await rename(context, 'during');
      assert.equal((await nameOf(context)).full_name, 'during');
      assert.equal((await nameOf(t.context)).full_name, 'before');
    });
    assert.equal((await nameOf(t.context)).full_name, 'during');
  });

  it('leaves nothing when it fails, and runs no action that waited for it', async () => {
    let ran = false;
    const failing = inTransaction(t.context, async (context) => {
      await rename(context, 'lost');
      afterCommit(context, () => {
        ran = true;
      });
      throw new Error('no');
    });
    await assert.rejects(failing, /no/);
    assert.equal((await nameOf(t.context)).full_name, 'during');
    assert.equal(ran, false);
  });

  it('inside another one is part of it', async () => {
    const order: string[] = [];
    await inTransaction(t.context, async (context) => {
      await inTransaction(context, async (inner) => {
        await rename(inner, 'inner');
        afterCommit(inner, () => order.push('after'));
      });
      order.push('still open');
    });
    assert.deepEqual(order, ['still open', 'after']);
  });

  it('begins again when it and another wait for each other', async () => {
    const names = ['one', 'two'];
    for (const name of names) await t.user(name);
    const holding = new Set<string>();
    const afterwards: string[] = [];
    const write = (context: Context, key: string, value: string) =>
      context.db.updateTable('users').set({ full_name: value }).where('lower_name', '=', key).execute();
    const change = (first: string, second: string) =>
      inTransaction(t.context, async (context) => {
        await write(context, first, first);
        afterCommit(context, () => afterwards.push(first));
        holding.add(first);
        // SQLite lets the other begin only when this one has ended.
        for (let turns = 0; holding.size < 2 && turns < 20; turns++) await setTimeout(10);
        await write(context, second, first);
      });
    await Promise.all([change('one', 'two'), change('two', 'one')]);
    const rows = await t.context.db.selectFrom('users').select('full_name').where('lower_name', 'in', names).execute();
    assert.equal(new Set(rows.map((row) => row.full_name)).size, 1, 'one came wholly after the other');
    assert.deepEqual(afterwards.sort(), ['one', 'two']);
  });

  it('takes turns with others', async () => {
    await rename(t.context, '0');
    const count = () =>
      inTransaction(t.context, async (context) => {
        const row = context.db.selectFrom('users').select('full_name').where('lower_name', '=', 'admin');
        const { full_name } = await (context.database.dialect === 'postgres' ? row.forUpdate() : row).executeTakeFirstOrThrow();
        await rename(context, String(Number(full_name) + 1));
      });
    await Promise.all(Array.from({ length: 20 }, count));
    assert.equal((await nameOf(t.context)).full_name, '20');
  });

  it('reads truth values as such on both databases', async () => {
    assert.equal((await nameOf(t.context)).is_admin, true);
  });
});
