import { sql } from 'kysely';
import type { SchemaMigration } from './schema-kit.ts';

/** Archives have a size, bytes under a name of their own, and while they are being made the process that does it. */
export const archiveSizes: SchemaMigration = {
  name: '0185-archive-sizes',
  async up(kit) {
    await kit.addColumn('archives', 'blob', 'text=');
    await kit.addColumn('archives', 'size', 'integer=0');
    await kit.addColumn('archives', 'process_id', 'integer?');
    // The size of what is there is not known: it is made again when somebody asks for it, and expires.
    await sql`update archives set blob = key, key = 'removed ' || key`.execute(kit.db);
    await kit.index('archives', ['size']);
  },
};
