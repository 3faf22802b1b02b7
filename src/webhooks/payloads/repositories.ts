import { findRepository, type Repository } from '../../access/find-repository.ts';
import { findUserById } from '../../access/find-user.ts';
import { ownerAccess, repositoryAccess } from '../../access/repository-access.ts';
import { presentUser } from '../../accounts/users/present.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { Events } from '../../events/events.ts';
import { presentRepository } from '../../repositories/present.ts';
import { activeHooks, enqueueDeliveries, type Receivers } from '../deliveries/enqueue.ts';
import type { CommittingEvent } from './at-commit.ts';
import { actorOf, asSeenBy, presentSender } from './people.ts';

/** A repository in a payload, with the permissions of this account, or of anonymous visitors. */
export async function repositoryFor(context: Context, repository: Repository, user: User | null) {
  return presentRepository(context, repository, await repositoryAccess(context, repository, user));
}

/** A repository in a payload as for its owner. */
export function repositoryForOwner(context: Context, repository: Repository) {
  return presentRepository(context, repository, ownerAccess(repository));
}

/** The hooks that get the events of a repository. */
export function activeHooksOf(context: Context, repository: Repository) {
  return activeHooks(context, { repositoryId: repository.id, ownerId: repository.owner_id });
}

/** Delivers a new repository. A fork into the own account is delivered as a fork alone. */
export async function enqueueRepository(
  event: CommittingEvent<'repository.created'>,
  context: Context,
  receivers: Receivers,
): Promise<void> {
  const { repositoryId, actorId } = event.payload;
  const repository = await findRepository(context.db, repositoryId);
  if (!repository || (repository.fork_id !== null && repository.owner.type !== 'organization')) return;
  // As it was before anybody could watch it, which is how clients know it; a migrated one is watched by then.
  const created = repository.original_url === '' ? { ...repository, watchers_count: 0 } : repository;
  await enqueueDeliveries(context, receivers, { event: 'repository', payload: () => about(context, 'created', created, actorId) });
}

/** Delivers a deleted repository. Within the transaction, since the payload cannot be built later. */
export async function enqueueDeletion(payload: Events['repository.deleted'], context: Context): Promise<void> {
  const { repositoryId, ownerId, actorId } = payload;
  // Its own hooks go with it.
  const hooks = await activeHooks(context, { repositoryId: null, ownerId });
  if (hooks.length === 0) return;
  const row = await context.db.selectFrom('repositories').selectAll().where('id', '=', repositoryId).executeTakeFirst();
  const owner = row && (await findUserById(context.db, row.owner_id));
  if (!owner) return;
  const repository = { ...row, owner };
  await enqueueDeliveries(context, { hooks }, { event: 'repository', payload: () => about(context, 'deleted', repository, actorId) });
}

async function about(context: Context, action: 'created' | 'deleted', repository: Repository, actorId: number) {
  return {
    action,
    repository: await repositoryForOwner({ ...context, actor: null }, repository),
    organization: presentUser(context, repository.owner, null),
    sender: presentSender(context, await actorOf(context, actorId)),
  };
}

/** Delivers a new fork to the hooks of its source. */
export async function enqueueFork(event: CommittingEvent<'repository.forked'>, context: Context, receivers: Receivers): Promise<void> {
  const { repositoryId, forkId, actorId } = event.payload;
  const source = await findRepository(context.db, repositoryId);
  const fork = await findRepository(context.db, forkId);
  if (!source || !fork) return;
  const actor = await actorOf(context, actorId);
  const payload = async () => ({
    // Clients know the counts from before the fork, and the fork before its maker begins to watch.
    forkee: await repositoryFor(context, { ...source, forks_count: source.forks_count - 1 }, actor),
    repository: await repositoryFor(asSeenBy(context, actor), { ...fork, watchers_count: 0 }, actor),
    sender: presentSender(context, actor),
  });
  await enqueueDeliveries(context, receivers, { event: 'fork', payload });
}
