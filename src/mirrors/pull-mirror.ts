import type { Context } from '../context.ts';
import type { MirrorRow } from '../database/tables/mirrors.ts';
import { badRequest } from '../http/errors.ts';
import { enqueueMirror } from './schedule.ts';

/** @throws HttpError 400 if mirrors are disabled */
export function requireMirrors({ settings }: Pick<Context, 'settings'>): void {
  if (!settings.mirrors.enabled) throw badRequest('Mirror feature is disabled');
}

/** How a repository follows another one; undefined for one that does not. */
export function findMirror({ db }: Pick<Context, 'db'>, { id }: { id: number }): Promise<MirrorRow | undefined> {
  return db.selectFrom('mirrors').selectAll().where('repository_id', '=', id).executeTakeFirst();
}

/**
 * Updates a mirror, in the background.
 * @throws HttpError 400 for a repository that is none
 */
export async function enqueueSync(context: Context, repository: { id: number }): Promise<void> {
  const mirror = await findMirror(context, repository);
  if (!mirror) throw badRequest('Repository is not a mirror');
  await enqueueMirror(context, 'mirrors', mirror.id);
}
