import { sql } from 'kysely';
import type { SchemaKit, SchemaMigration } from './schema-kit.ts';

/** Stars and watches know in which order they came: who starred or watched first is listed first. */
export const starOrder: SchemaMigration = {
  name: '0172-star-order',
  async up(kit) {
    await renew(kit, 'stars', {});
    await renew(kit, 'watches', { mode: 'text=normal' });
  },
};

/** Makes the table again with an automatic key, given in the order of time. */
async function renew(kit: SchemaKit, table: 'stars' | 'watches', further: Record<string, string>): Promise<void> {
  const former = `${table}_before`;
  await kit.db.schema.alterTable(table).renameTo(former).execute();
  await kit.table(table, { id: 'id', repository_id: 'ref:repositories', user_id: 'ref:users', ...further, created_at: 'time' });
  const columns = sql.join(['repository_id', 'user_id', ...Object.keys(further), 'created_at'].map((column) => sql.ref(column)));
  await sql`
    insert into ${sql.table(table)} (${columns})
    select ${columns} from ${sql.table(former)} order by created_at, user_id, repository_id
  `.execute(kit.db);
  await kit.db.schema.dropTable(former).execute();
  await kit.index(table, ['repository_id', 'user_id'], { unique: true });
  await kit.index(table, ['repository_id', 'id']);
  await kit.index(table, ['user_id', 'repository_id']);
}
