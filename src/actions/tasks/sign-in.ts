import { DEFAULT_TOKEN_SETTINGS, jobLevels } from '../../access/job-levels.ts';
import type { JobGrant, Services } from '../../context.ts';
import { prepared } from '../../database/prepared.ts';
import { hashJobToken } from './job-token.ts';

const byToken = prepared((db, hash: string) =>
  db
    .selectFrom('action_tasks')
    .innerJoin('action_jobs', 'action_jobs.id', 'action_tasks.job_id')
    .innerJoin('repositories', 'repositories.id', 'action_tasks.repository_id')
    .leftJoin('action_token_settings as own', 'own.repository_id', 'repositories.id')
    .leftJoin('action_token_settings as owners', 'owners.owner_id', 'repositories.owner_id')
    .select([
      'action_tasks.id as task_id',
      'action_tasks.repository_id',
      'action_tasks.is_fork_pull_request',
      'action_jobs.permissions',
      'action_jobs.task_id as current_task_id',
      'own.mode as own_mode',
      'own.maximum as own_maximum',
      'owners.mode as owners_mode',
      'owners.maximum as owners_maximum',
    ])
    .where('action_tasks.token_hash', '=', hash)
    .where('action_tasks.status', '=', 'running'),
);

/** The running job with this token: the token is valid as long as the task runs. */
export async function jobOfToken({ database }: Services, token: string): Promise<JobGrant | undefined> {
  const [row] = await byToken(database.db, hashJobToken(token));
  if (!row || row.current_task_id !== row.task_id) return undefined;
  const settings = row.own_mode
    ? { mode: row.own_mode, maximum: row.own_maximum }
    : { mode: row.owners_mode ?? DEFAULT_TOKEN_SETTINGS.mode, maximum: row.owners_maximum };
  const levels = jobLevels(row.permissions, settings, row.is_fork_pull_request);
  return { taskId: row.task_id, repositoryId: row.repository_id, levels };
}
