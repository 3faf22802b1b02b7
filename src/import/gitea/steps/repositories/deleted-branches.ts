import { isValidBranchName } from '../../../../git/refs/ref-names.ts';
import { isObjectId } from '../../../../git/repository.ts';
import type { Batch } from '../../batch.ts';
import type { Row } from '../../source/row.ts';
import type { Step } from '../../step.ts';

/** Last commits of deleted branches. Branches of mirrors cannot be restored, since nobody writes there. */
export const deletedBranches: Step = {
  name: 'deleted branches',
  table: 'branch',
  run: async (rows, batch) => {
    const deleted = rows.filter((row) => row.flag('is_deleted') && isValidBranchName(row.text('name')));
    const formats = await formatsOf(deleted, batch);
    const users = await batch.existingOf('users', deleted, 'deleted_by_id');
    for (const row of deleted) {
      const format = formats.get(row.integer('repo_id'));
      const commit = row.line('commit_id', 64);
      if (format === undefined || !isObjectId(commit, format)) continue;
      const by = row.reference('deleted_by_id');
      batch.add('deleted_branches', {
        repository_id: row.integer('repo_id'),
        name: row.text('name'),
        commit_id: commit,
        deleted_by: by !== null && users.has(by) ? by : null,
        deleted_at: row.time('deleted_unix'),
      });
    }
  },
};

async function formatsOf(rows: readonly Row[], batch: Batch) {
  const ids = [...new Set(rows.map((row) => row.integer('repo_id')))];
  if (ids.length === 0) return new Map();
  const found = await batch.context.db
    .selectFrom('repositories')
    .select(['id', 'object_format'])
    .where('id', 'in', ids)
    .where('is_mirror', '=', false)
    .execute();
  return new Map(found.map(({ id, object_format }) => [id, object_format]));
}
