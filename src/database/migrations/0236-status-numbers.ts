import { sql } from 'kysely';
import type { SchemaMigration } from './schema-kit.ts';

/** Numbers the statuses of each commit. */
export const statusNumbers: SchemaMigration = {
  name: '0236-status-numbers',
  async up(kit) {
    await kit.addColumn('commit_statuses', 'number', 'integer=0');
    await sql`
      update commit_statuses set number = numbered.number from (
        select id, row_number() over (partition by repository_id, sha order by id) as number from commit_statuses
      ) as numbered where numbered.id = commit_statuses.id`.execute(kit.db);
    await kit.table(
      'commit_status_counts',
      { repository_id: 'ref:repositories', sha: 'text', last_number: 'integer' },
      { primaryKey: ['repository_id', 'sha'] },
    );
    await sql`
      insert into commit_status_counts (repository_id, sha, last_number)
      select repository_id, sha, max(number) from commit_statuses group by repository_id, sha`.execute(kit.db);
  },
};
