import type { Context } from '../../context.ts';
import type { Events } from '../../events/events.ts';
import { bumpTasksVersion } from '../tasks/version.ts';

const TABLES = ['action_runs', 'action_jobs', 'action_tasks', 'action_schedules', 'action_artifacts'] as const;

/** Moves the runs of a repository into the lists of its new owner, whose runners take its jobs from then on. */
export async function followOwner({ repositoryId }: Events['repository.transferred'], context: Context): Promise<void> {
  const { db } = context;
  const { owner_id: ownerId } = await db
    .selectFrom('repositories')
    .select('owner_id')
    .where('id', '=', repositoryId)
    .executeTakeFirstOrThrow();
  for (const table of TABLES) await db.updateTable(table).set({ owner_id: ownerId }).where('repository_id', '=', repositoryId).execute();
  // Its jobs wait for other runners now.
  await bumpTasksVersion(context, { owner_id: ownerId, repository_id: repositoryId });
}
