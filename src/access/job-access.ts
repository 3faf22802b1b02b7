import type { Db } from '../database/database.ts';
import { preparedIn } from '../database/prepared.ts';
import type { JobGrant } from '../sign-in.ts';
import type { Repository } from './find-repository.ts';
import { type JobLevels, levelsElsewhere } from './job-levels.ts';

const NOTHING: JobLevels = new Map();

/**
 * The repositories among these ids that are shared with the repository of a task: by their common owner, or with the owners of private
 * repositories. A job for a pull request from a fork gets none, because it runs a stranger's code.
 */
const sharedWith = preparedIn((db, ids, taskId: number) =>
  db
    .selectFrom('repositories as target')
    .innerJoin('action_tasks as task', (join) => join.on('task.id', '=', taskId).on('task.is_fork_pull_request', '=', false))
    .innerJoin('repositories as source', 'source.id', 'task.repository_id')
    .leftJoin('action_shared_repositories as shared', (join) =>
      join
        .onRef('shared.repository_id', '=', 'target.id')
        .onRef('shared.owner_id', '=', 'target.owner_id')
        .onRef('shared.owner_id', '=', 'source.owner_id'),
    )
    .leftJoin('action_collaborative_owners as friend', (join) =>
      join
        .onRef('friend.repository_id', '=', 'target.id')
        .onRef('friend.owner_id', '=', 'source.owner_id')
        .on('source.is_private', '=', true),
    )
    .leftJoin('action_token_settings as own', 'own.repository_id', 'target.id')
    .leftJoin('action_token_settings as owners', 'owners.owner_id', 'target.owner_id')
    .select([
      'target.id',
      'shared.repository_id as shared_id',
      'own.id as own_id',
      'own.maximum as own_maximum',
      'owners.maximum as owners_maximum',
    ])
    .where('target.id', 'in', ids)
    .where((where) => where.or([where('shared.repository_id', 'is not', null), where('friend.owner_id', 'is not', null)])),
);

/**
 * What the token of a job may do in repositories, by their ids: in its own repository what its workflow and the settings allow, in others
 * reading what is shared with it. Besides this, jobs may only do what everybody may.
 */
export async function jobLevelsIn(
  db: Db,
  repositories: readonly Repository[],
  { taskId, repositoryId, levels }: JobGrant,
): Promise<(repository: Repository) => JobLevels> {
  const others = repositories.filter(({ id }) => id !== repositoryId);
  const rows = new Map(
    (
      await sharedWith(
        db,
        others.map(({ id }) => id),
        taskId,
      )
    ).map((row) => [row.id, row]),
  );
  return ({ id, units }) => {
    if (id === repositoryId) return levels;
    const row = rows.get(id);
    // Sharing needs the `actions` unit.
    if (!row || (row.shared_id === null && !units.actions)) return NOTHING;
    return levelsElsewhere(levels, row.own_id === null ? row.owners_maximum : row.own_maximum);
  };
}
