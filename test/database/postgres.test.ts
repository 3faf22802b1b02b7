import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { inTransaction } from '../../src/context.ts';
import { openDatabase } from '../../src/database/database.ts';
import { DatabaseError } from '../../src/database/errors.ts';
import { eventually } from '../support/eventually.ts';
import { testServer } from '../support/server.ts';

/* What a server on PostgreSQL does when the database ends its connections, is gone for a while, or takes long. */

const t = await testServer({ database: { statementTimeout: 1500 } });
const isPostgres = t.context.database.dialect === 'postgres';
const skip = !isPostgres && 'this is about PostgreSQL';
const { db } = t.context;
const name = isPostgres ? (await sql<{ name: string }>`select current_database() as name`.execute(db)).rows[0]?.name : '';
const operator = isPostgres ? new pg.Client({ connectionString: process.env.COPSE_TEST_DATABASE_URL }) : undefined;
await operator?.connect();
after(() => operator?.end());

const endConnections = () =>
  operator?.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()', [name]);
/** Connections of the pool that have ended are noticed when they are used. */
const works = () =>
  eventually(async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => t.admin.get('/repos/search')));
    return responses.every(({ status }) => status === 200);
  }, 'answers');
const allow = (allowed: boolean) => operator?.query(`alter database ${name} allow_connections ${allowed}`);

describe('a restart of the database', { skip }, () => {
  it('costs those who ask meanwhile a 503 with a reason and a time, and nobody anything afterwards', async () => {
    let isOver = false;
    const seen = new Map<number, number>();
    const readers = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        const response = await t.admin.get('/repos/search');
        seen.set(response.status, (seen.get(response.status) ?? 0) + 1);
        if (response.status !== 503) continue;
        assert.match(response.json.message, /^the database .*try again/);
        assert.ok(Number(response.headers.get('retry-after')) > 0);
      }
    });
    for (let round = 0; round < 3; round++) {
      await endConnections();
      await works();
    }
    await allow(false);
    await endConnections();
    await eventually(() => (seen.get(503) ?? 0) > 0, 'a refusal');
    await allow(true);
    await works();
    isOver = true;
    await Promise.all(readers);
    assert.deepEqual([...seen.keys()].sort(), [200, 503]);
    await t.admin.must('POST', '/user/repos', { name: 'afterwards', auto_init: true });
  });

  it('ends transactions without a trace', async () => {
    const change = inTransaction(t.context, async (context) => {
      await context.db.updateTable('users').set({ full_name: 'lost' }).execute();
      await endConnections();
      await context.db.updateTable('users').set({ full_name: 'lost, too' }).execute();
    });
    await assert.rejects(change, (error) => error instanceof DatabaseError && error.failure === 'unavailable');
    await works();
    const rows = await db.selectFrom('users').select('full_name').distinct().execute();
    assert.deepEqual(rows, [{ full_name: '' }]);
  });
});

describe('the deadline of statements', { skip }, () => {
  it('has an error of its own', async () => {
    await assert.rejects(sql`select pg_sleep(60)`.execute(db), (error) => error instanceof DatabaseError && error.failure === 'timeout');
  });

  it('does not hold for migrations', async () => {
    const url = new URL(process.env.COPSE_TEST_DATABASE_URL ?? '');
    url.pathname = `/${name}`;
    // Another process migrates for longer than a statement may take: the lock of the migrations is waited for.
    const migrating = new pg.Client({ connectionString: url.href });
    await migrating.connect();
    const { rows } = await migrating.query(
      'delete from kysely_migration where name = (select max(name) from kysely_migration) returning *',
    );
    const [{ name: last, timestamp }] = rows;
    await migrating.query('begin; select pg_advisory_xact_lock(3853314791062309107)');
    await migrating.query('insert into kysely_migration values ($1, $2)', [last, timestamp]);
    const opening = openDatabase({ url: url.href, file: '', maxConnections: 1, statementTimeout: 50 });
    const early = await Promise.race([opening.then(() => 'opened'), new Promise((resolve) => setTimeout(resolve, 500, 'waiting'))]);
    await migrating.query('commit');
    await migrating.end();
    await (await opening).close();
    assert.equal(early, 'waiting');
  });
});
