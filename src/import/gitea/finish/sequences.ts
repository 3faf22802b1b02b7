import { sql } from 'kysely';
import type { Context } from '../../../context.ts';

/** Makes PostgreSQL's sequences continue after the imported ids; SQLite does so by itself. */
export async function setSequences({ db, database }: Pick<Context, 'db' | 'database'>): Promise<void> {
  if (database.dialect === 'sqlite') return;
  const { rows } = await sql<{ table_name: string }>`
    select table_name from information_schema.columns
    where table_schema = current_schema() and column_name = 'id' and is_identity = 'YES'`.execute(db);
  for (const { table_name: table } of rows) {
    await sql`
      select setval(pg_get_serial_sequence(${`"${table}"`}, 'id'), last.id)
      from (select max(id) as id from ${sql.table(table)}) as last where last.id > 0`.execute(db);
  }
}
