import { sql } from 'kysely';
import type { Db } from './database.ts';
import type { Tables } from './tables.ts';

/** Rows that one statement deletes. */
const ROWS = 100;
/** The references of each database, by the table that they refer to; they do not change while a server runs. */
const known = new WeakMap<object, ReadonlyMap<string, readonly Reference[]>>();

/** A column whose values are ids of another table. */
interface Reference {
  readonly child: string;
  readonly column: string;
  readonly parent: string;
  /** Whether the row is deleted with the one that it refers to; otherwise it refers to none then. */
  readonly isDeleted: boolean;
}

/**
 * Deletes what refers to rows that are about to be deleted, and what refers to that, a few rows at a time. SQLite would do all of it in one
 * statement, which blocks the thread: for seconds with a repository of 50,000 issues. PostgreSQL does it elsewhere.
 */
export async function deleteReferring(
  { db, database }: { readonly db: Db; readonly database: { readonly dialect: string } },
  table: keyof Tables,
  ids: readonly number[],
): Promise<void> {
  if (database.dialect !== 'sqlite' || ids.length === 0) return;
  const references = known.get(database) ?? Map.groupBy(await readReferences(db), ({ parent }) => parent);
  known.set(database, references);
  await deleteBelow(db, references, table, ids);
}

/** All columns of an SQLite database that refer to ids of other tables. */
export async function readReferences(db: Db): Promise<Reference[]> {
  const { rows } = await sql<{ child: string; column: string; parent: string; action: string }>`
    select tables.name as child, keys."from" as "column", keys."table" as parent, keys.on_delete as action
    from sqlite_master as tables, pragma_foreign_key_list(tables.name) as keys where tables.type = 'table'`.execute(db);
  return rows.map(({ action, ...reference }) => ({ ...reference, isDeleted: action === 'CASCADE' }));
}

async function deleteBelow(
  db: Db,
  references: ReadonlyMap<string, readonly Reference[]>,
  parent: string,
  ids: readonly number[],
): Promise<void> {
  for (const { child, column, isDeleted } of references.get(parent) ?? []) {
    for (;;) {
      const found = await referring(db, child, column, ids);
      if (found.length === 0) break;
      const these = sql`${sql.ref('rowid')} in (${sql.join(found)})`;
      if (isDeleted) {
        await deleteBelow(db, references, child, found);
        await sql`delete from ${sql.table(child)} where ${these}`.execute(db);
      } else await sql`update ${sql.table(child)} set ${sql.ref(column)} = null where ${these}`.execute(db);
    }
  }
}

async function referring(db: Db, table: string, column: string, ids: readonly number[]): Promise<number[]> {
  const rows = await db
    .selectFrom(sql.table(table).as('referring'))
    .select(sql<number>`referring.rowid`.as('id'))
    .where(sql.ref(`referring.${column}`), 'in', ids)
    .limit(ROWS)
    .execute();
  return rows.map(({ id }) => id);
}
