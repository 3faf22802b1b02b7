import type { JobGrant, Services } from '../../context.ts';
import { prepared } from '../../database/prepared.ts';
import type { ActionPermissions } from '../../database/tables/actions.ts';
import type { AccessLevel, UnitName } from '../../database/tables/repositories.ts';
import { hashJobToken } from './job-token.ts';

const byToken = prepared((db, hash: string) =>
  db
    .selectFrom('action_tasks')
    .innerJoin('action_jobs', 'action_jobs.id', 'action_tasks.job_id')
    .select([
      'action_tasks.id as task_id',
      'action_tasks.repository_id',
      'action_tasks.is_fork_pull_request',
      'action_jobs.permissions',
      'action_jobs.task_id as current_task_id',
    ])
    .where('action_tasks.token_hash', '=', hash)
    .where('action_tasks.status', '=', 'running'),
);

const UNITS: readonly UnitName[] = ['code', 'issues', 'pulls', 'packages', 'actions', 'wiki', 'releases', 'projects'];
/** What a job for a pull request from a fork may do at most: it runs code of somebody who may not write. */
const OF_FORK: Readonly<Partial<Record<UnitName, AccessLevel>>> = { code: 1, packages: 1, releases: 1 };
const LEVELS = { none: 0, read: 1, write: 2 } as const;

/** The job that goes on and has this token: the token is good as long as the task. */
export async function jobOfToken({ database }: Services, token: string): Promise<JobGrant | undefined> {
  const [row] = await byToken(database.db, hashJobToken(token));
  if (!row || row.current_task_id !== row.task_id) return undefined;
  return { taskId: row.task_id, repositoryId: row.repository_id, levels: levelsOf(row.permissions, row.is_fork_pull_request) };
}

/** What a job may do in each unit: what its workflow says, else all that a writer may. */
function levelsOf(permissions: ActionPermissions | null, isFork: boolean): ReadonlyMap<UnitName, AccessLevel> {
  return new Map(
    UNITS.map((unit) => {
      const declared = LEVELS[permissions === null ? 'write' : (permissions[unit] ?? 'none')];
      return [unit, isFork ? (Math.min(declared, OF_FORK[unit] ?? 0) as AccessLevel) : declared];
    }),
  );
}
