import { sql } from 'kysely';
import type { SchemaMigration } from './schema-kit.ts';

/** Who acts is the actor in every table, and in events and jobs that wait. */
export const actors: SchemaMigration = {
  name: '0199-actors',
  async up(kit) {
    for (const table of ['ref_moves', 'repository_transfers', 'pull_auto_merges', 'pull_merges']) {
      await kit.db.schema.alterTable(table).renameColumn('doer_id', 'actor_id').execute();
    }
    const renamed =
      kit.dialect === 'postgres'
        ? sql`replace(payload::text, '"doerId"', '"actorId"')::json`
        : sql`replace(payload, '"doerId"', '"actorId"')`;
    for (const table of ['events', 'jobs']) {
      await sql`update ${sql.table(table)} set payload = ${renamed}`.execute(kit.db);
    }
  },
};
