import { findRepository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import type { Events } from '../../events/events.ts';
import { removeCollaborator } from '../collaborators/collaborators.ts';

/** Cancels pending transfers between two users, one of whom has blocked the other. */
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
  await endTransfers(
    context,
    rows.map(({ repository_id }) => repository_id),
  );
}

/** Cancels pending transfers to and by a deleted account. */
export async function cancelTransfersOf({ userId }: Events['user.deleting'], context: Context): Promise<void> {
  const rows = await context.db
    .selectFrom('repository_transfers')
    .select('repository_id')
    .where((where) => where.or([where('recipient_id', '=', userId), where('actor_id', '=', userId)]))
    .execute();
  await endTransfers(
    context,
    rows.map(({ repository_id }) => repository_id),
  );
}

/** Cancels transfers that nobody accepted, and the access that they gave to their recipients. */
export async function endTransfers(context: Context, repositoryIds: readonly number[]): Promise<void> {
  if (repositoryIds.length === 0) return;
  const { db } = context;
  // The repositories first, as for accepting a transfer.
  await db.updateTable('repositories').set({ is_transferring: false }).where('id', 'in', repositoryIds).execute();
  const ended = await db
    .deleteFrom('repository_transfers')
    .where('repository_id', 'in', repositoryIds)
    .returning(['repository_id', 'recipient_id', 'made_collaborator'])
    .execute();
  for (const { repository_id: id, recipient_id: userId, made_collaborator: isMade } of ended) {
    const repository = isMade ? await findRepository(db, id) : undefined;
    // A higher level was given since then for another reason.
    if (repository && (await isMereReader(context, id, userId))) await removeCollaborator(context, repository, { id: userId });
  }
}

async function isMereReader({ db }: Context, repositoryId: number, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('collaborations')
    .select('access_level')
    .where('repository_id', '=', repositoryId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.access_level === 1;
}
