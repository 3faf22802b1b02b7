import { findRepository, type Repository } from '../../access/find-repository.ts';
import { type Context, inTransaction } from '../../context.ts';
import { isUniqueViolation } from '../../database/database.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { Team } from '../../database/tables/organizations.ts';
import { unprocessable } from '../../http/errors.ts';
import { addTeamRepository, addToAllRepositoryTeams, removeFromAllTeams } from '../../organizations/teams/repositories.ts';
import { redirect } from '../edit/rename.ts';
import { countDown, countUp } from '../limit.ts';
import { watch } from '../watches/watches.ts';

/**
 * Transfers a repository to another owner, with all consequences: redirects, teams, collaborators, counts. Issues, stars, watches
 * and forks stay with it. The caller has locked the repository.
 * @param actor the user who requested it
 * @throws HttpError 422 when the new owner has a repository of this name
 */
export async function moveRepository(
  context: Context,
  repository: Repository,
  owner: User,
  teams: readonly Team[],
  actor: User,
): Promise<Repository> {
  try {
    return await inTransaction(context, async (context) => {
      const { db } = context;
      await requireFreeName(context, repository, owner);
      await removeFromAllTeams(context, repository);
      await db.updateTable('repositories').set({ owner_id: owner.id, is_transferring: false }).where('id', '=', repository.id).execute();
      await db.deleteFrom('repository_transfers').where('repository_id', '=', repository.id).execute();
      await redirect(context, repository, repository.lower_name, owner.id);
      await countDown(context, repository.owner_id);
      await countUp(context, owner.id);
      await endNeedlessCollaborations(context, repository, owner);
      const moved = await findRepository(db, repository.id);
      if (!moved) throw new Error('the repository is gone');
      if (owner.type === 'organization') {
        await addToAllRepositoryTeams(context, moved);
        for (const team of teams) await addTeamRepository(context, team, moved);
      }
      await watch(context, moved, actor.id);
      await context.events.emit(context, 'repository.transferred', {
        repositoryId: repository.id,
        oldOwnerId: repository.owner_id,
        oldOwnerName: repository.owner.name,
        actorId: context.actor?.id ?? actor.id,
      });
      await context.events.emit(context, 'access.reduced', { ownerId: owner.id, repositoryId: repository.id });
      return moved;
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw nameTaken(repository, owner);
    throw error;
  }
}

function nameTaken(repository: Repository, owner: User) {
  return unprocessable(`repository already exists [uname: ${owner.name}, name: ${repository.name}]`);
}

/** @throws HttpError 422 when the new owner has a repository of this name */
export async function requireFreeName({ db }: Context, repository: Repository, owner: User): Promise<void> {
  const taken = await db
    .selectFrom('repositories')
    .select('id')
    .where('owner_id', '=', owner.id)
    .where('lower_name', '=', repository.lower_name)
    .executeTakeFirst();
  if (taken) throw nameTaken(repository, owner);
}

/** Removes the new owner, and members of the organization that owns it now, from the collaborators. */
async function endNeedlessCollaborations({ db }: Context, { id }: Repository, owner: User): Promise<void> {
  await db
    .deleteFrom('collaborations')
    .where('repository_id', '=', id)
    .where((where) =>
      where.or([
        where('user_id', '=', owner.id),
        where(
          'user_id',
          'in',
          where.selectFrom('organization_members').select('organization_members.user_id').where('organization_id', '=', owner.id),
        ),
      ]),
    )
    .execute();
}
