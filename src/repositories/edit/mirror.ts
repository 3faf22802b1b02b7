import type { Repository } from '../../access/find-repository.ts';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { unprocessable } from '../../http/errors.ts';
import { readMirrorInterval } from '../mirror-interval.ts';

/**
 * Changes the settings of a mirror.
 * @throws HttpError 422 for an interval that is invalid or too short
 */
export async function editMirror(
  { db, settings }: Context,
  repository: Repository,
  body: { mirror_interval?: string | undefined; enable_prune?: boolean | undefined },
): Promise<void> {
  const { mirror_interval: text, enable_prune: prune } = body;
  if (text === undefined && prune === undefined) return;
  const interval = text === undefined ? undefined : readMirrorInterval(settings, text, unprocessable);
  await db
    .updateTable('mirrors')
    .set({
      ...(interval !== undefined && { interval, next_at: interval === 0 ? null : now() + interval }),
      ...(prune !== undefined && { enable_prune: prune }),
    })
    .where('repository_id', '=', repository.id)
    .execute();
}
