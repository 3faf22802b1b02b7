import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, it, mock } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import { DatabaseError } from '../../src/database/errors.ts';
import { LogSync } from '../../src/database/log-sync.ts';
import { sqliteDialect } from '../../src/database/sqlite.ts';

interface Tables {
  things: { id: number; name: string };
  numbers: { id: number; name: string };
}

const folder = await mkdtemp(join(tmpdir(), 'copse-sqlite-'));
const file = join(folder, 'test.db');
const open = (busyTimeout: number) => new Kysely<Tables>({ dialect: sqliteDialect(file, { busyTimeout }) });
const db = open(30_000);
await sql`create table things (id integer primary key, name text not null)`.execute(db);
const other = new DatabaseSync(file);
after(async () => {
  other.close();
  await db.destroy();
  await rm(folder, { recursive: true, force: true });
});

const add = (id: number) => db.insertInto('things').values({ id, name: 'x' }).execute();
const ticksDuring = async (work: Promise<unknown>) => {
  let ticks = 0;
  const timer = setInterval(() => ticks++, 1);
  await work.finally(() => clearInterval(timer));
  return ticks;
};

describe('SQLite', () => {
  it('gets limits in the text of statements, for which it plans but once', async () => {
    const { sql: text, parameters } = db.selectFrom('things').select('id').limit(7).offset(3).compile();
    assert.equal(text, 'select "id" from "things" limit 7 offset ?');
    assert.deepEqual(parameters, [3]);
  });

  it('lets timers have their turn within a long chain of queries', async () => {
    await add(1);
    const chain = async () => {
      for (let n = 0; n < 3000; n++) await db.selectFrom('things').selectAll().execute();
    };
    assert.ok((await ticksDuring(chain())) > 0);
    const writes = async () => {
      await db.transaction().execute(async (transaction) => {
        for (let n = 0; n < 3000; n++) await transaction.updateTable('things').set({ name: 'y' }).execute();
      });
    };
    assert.ok((await ticksDuring(writes())) > 0);
  });

  it('lets others have their turns between the rows of a long result', async () => {
    await sql`create table numbers (id integer primary key, name text not null)`.execute(db);
    await sql`with recursive n(id) as (select 1 union all select id + 1 from n where id < 30000) insert into numbers select id, 'x' from n`.execute(
      db,
    );
    const query = db.selectFrom('numbers').select(['id', 'name']).orderBy('id');
    let turns = 0;
    let timer = setImmediate(function count() {
      turns++;
      timer = setImmediate(count);
    });
    const first = await query.execute();
    const before = turns;
    const second = await query.execute();
    clearImmediate(timer);
    assert.ok(before >= 14 && turns - before >= 14, `${before} and ${turns - before} turns`);
    assert.equal(second.length, 30_000);
    assert.deepEqual(second, first);
  });

  it('reports each statement with its kind, duration and text, also one that fails', async () => {
    const reported: unknown[] = [];
    const onQuery = (kind: string, milliseconds: number, text: string) => reported.push([kind, milliseconds >= 0, text]);
    const observed = new Kysely<Tables>({ dialect: sqliteDialect(file, { onQuery }) });
    await observed.selectFrom('things').select('id').execute();
    await observed.transaction().execute(async (transaction) => {
      await transaction.updateTable('things').set({ name: 'z' }).execute();
    });
    await assert.rejects(sql`select nothing`.execute(observed), /nothing/);
    assert.deepEqual(reported, [
      ['SelectQueryNode', true, 'select "id" from "things"'],
      ['UpdateQueryNode', true, 'update "things" set "name" = ?'],
      ['RawNode', true, 'select nothing'],
    ]);
    await observed.destroy();
  });

  it('waits for a lock of another process without holding the thread', async () => {
    other.exec('begin immediate');
    const writing = Promise.all([
      add(2),
      db.transaction().execute((transaction) => transaction.insertInto('things').values({ id: 3, name: 'z' }).execute()),
    ]);
    let isOver = false;
    const ended = writing.finally(() => {
      isOver = true;
    });
    await sleep(100);
    assert.equal(isOver, false);
    // Readers do not wait.
    assert.equal((await db.selectFrom('things').selectAll().execute()).length, 1);
    other.exec('commit');
    await ended;
    assert.equal((await db.selectFrom('things').selectAll().execute()).length, 3);
  });

  it('says so when the lock is held for too long, and works again afterwards', async () => {
    const impatient = open(20);
    other.exec('begin immediate');
    const isBusy = (error: unknown) => error instanceof DatabaseError && error.failure === 'busy';
    await assert.rejects(impatient.deleteFrom('things').execute(), isBusy);
    await assert.rejects(
      impatient.transaction().execute((transaction) => transaction.deleteFrom('things').execute()),
      isBusy,
    );
    other.exec('rollback');
    await impatient.deleteFrom('things').where('id', '=', 3).execute();
    await impatient.destroy();
    assert.equal((await db.selectFrom('things').selectAll().execute()).length, 2);
  });

  it('does not wait for the disk with a write that a later one brings there', async () => {
    const flush = mock.method(LogSync.prototype, 'flush');
    try {
      const unsynced = { ...db.insertInto('things').values({ id: 900, name: 'x' }).compile(), isUnsynced: true };
      await db.executeQuery(unsynced);
      assert.equal(flush.mock.callCount(), 0);
      await add(901);
      assert.equal(flush.mock.callCount(), 1);
    } finally {
      flush.mock.restore();
    }
    assert.equal((await db.selectFrom('things').select('id').where('id', 'in', [900, 901]).execute()).length, 2);
  });

  it('keeps what was acknowledged when the process is killed', async () => {
    const child = fork(join(import.meta.dirname, 'write-until-killed.ts'), [file], { stdio: 'ignore' });
    let acknowledged = 0;
    child.on('message', (id) => {
      acknowledged = Number(id);
      if (acknowledged >= 1020) child.kill('SIGKILL');
    });
    await once(child, 'exit');
    const { n } = await db
      .selectFrom('things')
      .select((select) => select.fn.countAll<number>().as('n'))
      .where('id', '>', 1000)
      .executeTakeFirstOrThrow();
    assert.ok(acknowledged >= 1020 && n >= acknowledged - 1000, `${n} of ${acknowledged - 1000}`);
  });
});

describe('bringing the log to the disk', () => {
  it('is done once for all who ask during a sync, and begun after they asked', async () => {
    const log = new LogSync(`${file}-wal`);
    const order: number[] = [];
    await Promise.all([1, 2, 3, 4].map((n) => log.flush().then(() => order.push(n))));
    assert.deepEqual(order, [1, 2, 3, 4]);
    await log.close();
  });

  it('fails for all who come after a failure', async () => {
    const broken = new LogSync(join(file, 'log'));
    await assert.rejects(broken.flush(), /ENOTDIR/);
    await assert.rejects(broken.flush(), /ENOTDIR/);
    await broken.close();
  });
});
