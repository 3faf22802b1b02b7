import type { Context } from '../../context.ts';
import { deleteRepository as deleteFolder } from '../../git/create.ts';
import { unconfirmed } from './steps.ts';

/** How long to wait for readers, in milliseconds; then a job tries again later. */
const WAIT_MS = 30_000;

/**
 * Deletes the former folder of a moved repository, once no process reads there.
 * @returns false when one still does after so many milliseconds
 */
export async function finishMove(context: Context, repositoryId: number, waitMs = WAIT_MS): Promise<boolean> {
  const { db, git } = context;
  const move = await db
    .selectFrom('repository_moves')
    .innerJoin('repositories', 'repositories.id', 'repository_moves.repository_id')
    .selectAll('repository_moves')
    .where('repository_id', '=', repositoryId)
    .where('phase', '=', 'moved')
    .whereRef('repositories.volume', '=', 'to_volume')
    .executeTakeFirst();
  if (!move) return true;
  if ((await unconfirmed(context, move, waitMs)).length > 0) return false;
  const volume = await git.volumes.requireAvailable(move.from_volume);
  for (const name of [`${repositoryId}.git`, `${repositoryId}.wiki.git`]) await deleteFolder({ path: volume.folderOf(name) });
  await db.deleteFrom('repository_move_steps').where('repository_id', '=', repositoryId).execute();
  await db.deleteFrom('repository_moves').where('repository_id', '=', repositoryId).where('step', '=', move.step).execute();
  return true;
}

/** The job of {@link finishMove}, in case the command that moved it has ended before. */
export async function finishMoveLater({ repositoryId }: { repositoryId: number }, context: Context): Promise<void> {
  if (!(await finishMove(context, repositoryId))) throw new Error('the former folder of a repository that was moved is still read');
}
