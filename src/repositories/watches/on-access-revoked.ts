import type { Context } from '../../context.ts';
import type { StoredEvent } from '../../events/events.ts';
import { recheckAccess } from '../recheck-access.ts';
import { unwatchFor } from './watches.ts';

/** Ends the watches of users who no longer see the repository, so that they are not notified. */
export async function endRevokedWatches({ payload }: StoredEvent<'access.reduced'>, context: Context): Promise<void> {
  const watches = context.db.selectFrom('watches').select(['user_id', 'repository_id']).where('mode', '!=', 'ignored');
  await recheckAccess(context, payload, watches, async (repository, linked) => {
    const blind = linked.filter(({ access }) => !access.isVisible).map(({ user }) => user.id);
    if (blind.length > 0) await unwatchFor(context, repository, blind);
  });
}
