import type { Context } from '../context.ts';
import type { StoredEvent } from '../events/events.ts';
import { recheckAccess } from '../repositories/recheck-access.ts';

/** Deletes the notifications of users who no longer see their subject. */
export async function deleteRevokedThreads({ payload }: StoredEvent<'access.reduced'>, context: Context): Promise<void> {
  const links = context.db.selectFrom('notifications').select(['user_id', 'repository_id']).where('issue_id', 'is not', null);
  await recheckAccess(context, payload, links, async (repository, linked) => {
    for (const [source, unit] of [
      ['issue', 'issues'],
      ['pull', 'pulls'],
    ] as const) {
      const blind = linked.filter(({ access }) => !access.canRead(unit)).map(({ user }) => user.id);
      if (blind.length === 0) continue;
      await context.db
        .deleteFrom('notifications')
        .where('user_id', 'in', blind)
        .where('repository_id', '=', repository.id)
        .where('source', '=', source)
        .execute();
    }
  });
}
