import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type RawBuilder, sql } from 'kysely';
import { mayContain } from '../../src/database/texts.ts';
import { testServer } from '../support/server.ts';

const t = await testServer();
const { db, database } = t.context;
const tables = ['users', 'email_addresses', 'repositories'] as const;
const tess = await t.user('tess', { full_name: 'Tessa "ö" Quint\\er', email: 'quinter@place.example' });
await tess.must('POST', '/user/repos', { name: 'Water-Mill', description: 'Grinds CORN; 水車小屋 by the river' });
await tess.must('POST', '/orgs', { username: 'tess-guild' });

async function candidates(table: (typeof tables)[number], keyword: string): Promise<number> {
  const found = mayContain(database, table, keyword);
  assert.ok(found, `${keyword} is long enough`);
  const { rows } = await sql`select id from ${found} as found`.execute(db);
  return rows.length;
}

describe('the index of texts', () => {
  it('finds each part of three characters and more, in any case', async () => {
    for (const keyword of ['tess', 'TES', 'TESSA "ö"', 'quint\\er', '"ö" Q', 'er@place', 'te%quin', 'tess_', '%%ssa%']) {
      assert.equal(await candidates('users', keyword), 1, keyword);
    }
    for (const keyword of ['quinter@', 'PLACE.ex', '@pl%exam']) assert.equal(await candidates('email_addresses', keyword), 1, keyword);
    for (const keyword of ['water-m', 'corn;', '水車小', '車小屋 by', 'wat%riv']) {
      assert.equal(await candidates('repositories', keyword), 1, keyword);
    }
  });

  it('finds nothing else, whatever means something to a database', async () => {
    for (const keyword of ['tessx', 'guild', 'tess or quint', 'tess*', 'text:tess', "'); --", '{tess}', 'tes" OR "adm', 'NEAR(tess)']) {
      assert.equal(await candidates('users', keyword), 0, keyword);
    }
  });

  it('finds nothing for less', () => {
    for (const keyword of ['', 'te', 'te%ss', '水車', 't_e_s', 'te\nss'])
      assert.equal(mayContain(database, 'users', keyword), undefined, keyword);
  });

  it('follows changes', async () => {
    await tess.must('PATCH', '/repos/tess/water-mill', { name: 'Windmill', description: 'Pumps' });
    for (const [keyword, count] of [
      ['water', 0],
      ['windm', 1],
      ['pumps', 1],
      ['corn', 0],
    ] as const) {
      assert.equal(await candidates('repositories', keyword), count, keyword);
    }
    await tess.must('DELETE', '/repos/tess/windmill');
    await t.settled();
    assert.equal(await candidates('repositories', 'windm'), 0);
  });

  it('is asked instead of all rows', async () => {
    for (const table of tables) {
      const plan = await planOf(
        database.dialect === 'sqlite' ? sql`select id from ${mayContain(database, table, 'keyword')}` : await lookup(table),
      );
      assert.match(plan, database.dialect === 'postgres' ? new RegExp(`${table}_texts_idx`) : /VIRTUAL TABLE INDEX/);
    }
  });
});

/** What a function of PostgreSQL asks. */
async function lookup(table: string): Promise<RawBuilder<unknown>> {
  const { rows } = await sql<{ prosrc: string }>`select prosrc from pg_proc where proname = ${`${table}_with_trigrams`}`.execute(db);
  return sql.raw(rows[0]?.prosrc.replace('$1', "'{key}'::text[]") ?? '');
}

/** How a query is answered; in PostgreSQL with many people, of whom nothing stays. */
async function planOf(query: RawBuilder<unknown>): Promise<string> {
  if (database.dialect === 'sqlite') return JSON.stringify((await sql`explain query plan ${query}`.execute(db)).rows);
  const transaction = await db.startTransaction().execute();
  try {
    await sql`insert into users (type, name, lower_name, created_at, updated_at)
      select 'individual', 'n' || n, 'n' || n, 0, 0 from generate_series(1, 1000) n`.execute(transaction);
    await sql`analyze users`.execute(transaction);
    await sql`set local enable_seqscan = off`.execute(transaction);
    return JSON.stringify(await sql`explain ${query}`.execute(transaction));
  } finally {
    await transaction.rollback().execute();
  }
}
