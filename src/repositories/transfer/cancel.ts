import type { Context } from '../../context.ts';
import type { Events } from '../../events/events.ts';

/** Ends the transfers that wait between two who have nothing to do with each other any more. */
export async function cancelTransfersBetween({ blockerId, blockedId }: Events['user.blocked'], context: Context): Promise<void> {
  const rows = await context.db
    .selectFrom('repository_transfers')
    .innerJoin('repositories', 'repositories.id', 'repository_transfers.repository_id')
    .select('repository_id')
    .where((where) =>
      where.or([
        where.and([where('recipient_id', '=', blockerId), where('repositories.owner_id', '=', blockedId)]),
        where.and([where('recipient_id', '=', blockedId), where('repositories.owner_id', '=', blockerId)]),
      ]),
    )
    .execute();
  await cancel(context, rows);
}

/** Ends the transfers that wait for an account that goes, and those that it began. */
export async function cancelTransfersOf({ userId }: Events['user.deleting'], context: Context): Promise<void> {
  const rows = await context.db
    .selectFrom('repository_transfers')
    .select('repository_id')
    .where((where) => where.or([where('recipient_id', '=', userId), where('doer_id', '=', userId)]))
    .execute();
  await cancel(context, rows);
}

async function cancel({ db }: Context, rows: readonly { repository_id: number }[]): Promise<void> {
  const ids = rows.map(({ repository_id }) => repository_id);
  if (ids.length === 0) return;
  await db.deleteFrom('repository_transfers').where('repository_id', 'in', ids).execute();
  await db.updateTable('repositories').set({ is_transferring: false }).where('id', 'in', ids).execute();
}
