import { type Context, inTransaction } from '../context.ts';
import { removeFromAllTeams } from '../organizations/teams/repositories.ts';
import { uncountFork } from './forks/count.ts';
import { countDown } from './limit.ts';

/** Deletes the row of an unfinished repository, and its folder in the background. */
export async function removeUnfinished(context: Context, repositoryId: number, ownerId: number): Promise<void> {
  await inTransaction(context, async (context) => {
    const { db } = context;
    const gone = await db
      .updateTable('repositories')
      .set({ state: 'deleting' })
      .where('id', '=', repositoryId)
      .where('state', 'in', ['creating', 'migrating'])
      .returning('fork_id')
      .executeTakeFirst();
    if (!gone) return;
    await uncountFork(context, gone);
    await removeFromAllTeams(context, { id: repositoryId, owner_id: ownerId });
    await db.deleteFrom('repositories').where('id', '=', repositoryId).execute();
    await countDown(context, ownerId);
    await context.jobs.add(context, 'repository.remove-folder', { repositoryId });
  });
}
