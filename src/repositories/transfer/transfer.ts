import { isOrganizationMember } from '../../access/find-organization.ts';
import type { Repository } from '../../access/find-repository.ts';
import { findUser, findUserById } from '../../access/find-user.ts';
import { repositoryAccess } from '../../access/repository-access.ts';
import { isBlocked } from '../../accounts/blocks/blocked.ts';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { Team } from '../../database/tables/organizations.ts';
import { conflict, forbidden, HttpError, notFound, notFoundBecause, unprocessable } from '../../http/errors.ts';
import { mayCreateIn } from '../create-in-organization.ts';
import { requireRoom } from '../limit.ts';
import { lockRepository } from '../lock.ts';
import { endTransfers } from './cancel.ts';
import { moveRepository, requireFreeName } from './move.ts';

/** Maximum number of teams of one transfer. */
const MAX_TEAMS = 100;

/**
 * Transfers a repository to another owner. Administrators can do it at once, and so can users who take it themselves or may create
 * repositories in the organization; otherwise the transfer is pending until the new owner accepts.
 * @throws HttpError 403, 404, 409 (already pending), 422
 */
export async function startTransfer(
  context: Context,
  repository: Repository,
  actor: User,
  to: { newOwner: string; teamIds: readonly number[] | undefined },
): Promise<{ repository: Repository; isPending: boolean }> {
  const owner = await findNewOwner(context, to.newOwner, actor);
  const teams = to.teamIds ? await teamsOf(context, owner, to.teamIds) : [];
  return inTransaction(context, async (context) => {
    if (await lockTransfer(context, repository)) throw conflict('repository is already being transferred [uname: , name: ]');
    requireQuota(context, owner, true);
    const atOnce = actor.is_admin || actor.id === owner.id;
    if (!atOnce && (await isBlocked(context.db, owner.id, actor))) throw forbidden('user is blocked');
    if (atOnce || (owner.type === 'organization' && (await mayCreateIn(context, owner, actor)))) {
      const moved = await moveRepository(context, repository, owner, teams, actor);
      requireQuota(context, withoutOne(moved.owner), true);
      return { repository: moved, isPending: false };
    }
    return { repository: await wait(context, repository, actor, owner, teams), isPending: true };
  });
}

async function findNewOwner(context: Context, name: string, actor: User): Promise<User> {
  const owner = await findUser(context.db, name);
  const missing = () => notFoundBecause('The new owner does not exist or cannot be found');
  if (!owner) throw missing();
  const isLimited = context.signIn.token?.publicOnly ?? false;
  if (isLimited && owner.visibility !== 'public' && owner.id !== actor.id) throw missing();
  if (owner.visibility !== 'private' || actor.is_admin || owner.id === actor.id) return owner;
  if (owner.type !== 'organization' || !(await isOrganizationMember(context.db, owner.id, actor.id))) throw missing();
  return owner;
}

async function teamsOf({ db }: Context, owner: User, ids: readonly number[]): Promise<Team[]> {
  if (owner.type !== 'organization') throw unprocessable('Teams can only be added to organization-owned repositories');
  if (ids.length > MAX_TEAMS) throw unprocessable('too many teams');
  const rows = ids.length > 0 ? await db.selectFrom('teams').selectAll().where('id', 'in', ids).execute() : [];
  return ids.map((id) => {
    const team = rows.find((row) => row.id === id);
    if (!team) throw unprocessable(`team ${id} not found`);
    if (team.organization_id !== owner.id) throw forbidden(`team ${id} belongs not to org ${owner.id}`);
    return team;
  });
}

/**
 * The limit counts as for a fork while a transfer is pending, and in full when it is accepted.
 * @throws HttpError 403 when the new owner may not have one more repository
 */
function requireQuota(context: Context, owner: User, isPending = false): void {
  try {
    requireRoom(context, owner, isPending);
  } catch (error) {
    throw error instanceof HttpError ? forbidden('Repository limit has been reached') : error;
  }
}

async function wait(context: Context, repository: Repository, actor: User, owner: User, teams: readonly Team[]): Promise<Repository> {
  const { db } = context;
  await requireFreeName(context, repository, owner);
  // The recipient has to see the repository to decide.
  const seesNothing = owner.type === 'individual' && !(await repositoryAccess(context, repository, owner)).isVisible;
  if (seesNothing) {
    const isKeptOut = (await isBlocked(db, repository.owner_id, owner)) || (await isBlocked(db, owner.id, repository.owner));
    if (isKeptOut) throw forbidden('user is blocked');
    await db
      .insertInto('collaborations')
      .values({ repository_id: repository.id, user_id: owner.id, access_level: 1, created_at: now() })
      // Former members of an organization are collaborators without rights.
      .onConflict((conflict) => conflict.columns(['repository_id', 'user_id']).doUpdateSet({ access_level: 1 }))
      .execute();
  }
  await db
    .insertInto('repository_transfers')
    .values({
      repository_id: repository.id,
      actor_id: actor.id,
      recipient_id: owner.id,
      team_ids: JSON.stringify(teams.map(({ id }) => id)),
      made_collaborator: seesNothing,
      created_at: now(),
    })
    .execute();
  await db.updateTable('repositories').set({ is_transferring: true }).where('id', '=', repository.id).execute();
  await context.events.emit(context, 'repository.transfer-started', {
    repositoryId: repository.id,
    recipientId: owner.id,
    actorId: actor.id,
  });
  return { ...repository, is_transferring: true };
}

/**
 * Accepts a pending transfer.
 * @throws HttpError 403 for anybody but the new owner, 404 when none is pending
 */
export async function acceptTransfer(context: Context, repository: Repository, actor: User): Promise<Repository> {
  return inTransaction(context, async (context) => {
    await lockTransfer(context, repository);
    const { recipient, teamIds, beganBy } = await pendingTransfer(context, repository);
    requireQuota(context, recipient);
    await requireDecider(context, recipient, actor);
    const teams = await context.db
      .selectFrom('teams')
      .selectAll()
      .where('id', 'in', teamIds.length > 0 ? teamIds : [0])
      .where('organization_id', '=', recipient.id)
      .execute();
    const moved = await moveRepository(context, repository, recipient, teams, beganBy);
    requireQuota(context, withoutOne(moved.owner));
    return moved;
  });
}

/**
 * Rejects a pending transfer.
 * @throws HttpError 403 for anybody but the new owner, 404 when none is pending
 */
export async function rejectTransfer(context: Context, repository: Repository, actor: User): Promise<Repository> {
  return inTransaction(context, async (context) => {
    await lockTransfer(context, repository);
    const { recipient } = await pendingTransfer(context, repository);
    await requireDecider(context, recipient, actor);
    await endTransfers(context, [repository.id]);
    return { ...repository, is_transferring: false };
  });
}

/**
 * Serializes decisions about a repository's owner until the transaction ends. Returns whether a transfer is pending.
 * @throws HttpError 404 when it has another owner meanwhile, or was deleted
 */
async function lockTransfer(context: Context, repository: Repository): Promise<boolean> {
  const row = await lockRepository(context, repository);
  if (!row) throw notFound();
  return row.is_transferring;
}

/** The owner before the addition of this transaction; concurrent additions wait for it. */
function withoutOne(owner: User): User {
  return { ...owner, repos_count: owner.repos_count - 1 };
}

async function pendingTransfer({ db }: Context, repository: Repository) {
  const row = await db.selectFrom('repository_transfers').selectAll().where('repository_id', '=', repository.id).executeTakeFirst();
  const recipient = row && (await findUserById(db, row.recipient_id));
  const beganBy = row && (await findUserById(db, row.actor_id));
  if (!recipient || !beganBy) throw notFoundBecause(`repository doesn't have a pending transfer [repo_id: ${repository.id}]`);
  return { recipient, beganBy, teamIds: row.team_ids };
}

/**
 * Cancels a pending transfer.
 * @throws HttpError 404 when there is none
 */
export async function cancelTransfer(context: Context, repository: Repository): Promise<void> {
  await inTransaction(context, async (context) => {
    await lockTransfer(context, repository);
    await pendingTransfer(context, repository);
    await endTransfers(context, [repository.id]);
  });
}

/** The recipient of a pending transfer, and whether the caller decides about it; undefined when none is pending. */
export async function transferOffer(context: Context, repository: Repository): Promise<{ recipient: User; decides: boolean } | undefined> {
  if (!repository.is_transferring) return undefined;
  const { recipient } = await pendingTransfer(context, repository);
  return { recipient, decides: context.actor !== null && (await isDecider(context, recipient, context.actor)) };
}

async function requireDecider(context: Context, recipient: User, actor: User): Promise<void> {
  if (!(await isDecider(context, recipient, actor))) throw forbidden('permission denied');
}

async function isDecider(context: Context, recipient: User, actor: User): Promise<boolean> {
  return recipient.type === 'organization' ? mayCreateIn(context, recipient, actor) : recipient.id === actor.id;
}
