import { Kysely } from 'kysely';
import { sqliteDialect } from '../../src/database/sqlite.ts';

/** A process that adds rows to the table `things` of a SQLite file, and tells its parent the id of each that is acknowledged. */
const db = new Kysely<{ things: { id: number; name: string } }>({ dialect: sqliteDialect(process.argv[2] ?? '') });
for (let id = 1001; ; id++) {
  await db.insertInto('things').values({ id, name: 'x' }).execute();
  process.send?.(id);
}
