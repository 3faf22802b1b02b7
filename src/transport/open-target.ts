import { findRepositoryOf } from '../access/find-repository.ts';
import type { Context } from '../context.ts';
import { HttpError } from '../http/errors.ts';
import { createRepository } from '../repositories/create.ts';
import { type DeployKeyLookup, findGitTarget, GitMissing, type GitTarget, type GitUrl } from './git-target.ts';
import { GitRefusal } from './refusal.ts';

/**
 * {@link findGitTarget}, which a push makes where it is not there and the settings allow it.
 * @throws GitRefusal; GitMoved
 */
export async function openGitTarget(
  context: Context,
  address: GitUrl,
  service: 'read' | 'write',
  deployKeyOf?: DeployKeyLookup,
): Promise<GitTarget> {
  try {
    return await findGitTarget(context, address, service, deployKeyOf);
  } catch (error) {
    if (!(error instanceof GitMissing)) throw error;
    await createByPush(context, error, address);
    return await findGitTarget(context, address, service, deployKeyOf);
  }
}

/** Creates the repository for a push if the settings allow it: private, unless they say otherwise. */
async function createByPush(context: Context, { owner }: GitMissing, { name }: GitUrl): Promise<void> {
  const { repository } = context.settings;
  // First: to others, a free name looks like the name of a hidden repository.
  if (!(await mayCreateFor(context, owner))) throw new GitRefusal(404, 'Repository not found');
  if (owner.type === 'organization' && !repository.pushToCreateOrganization) {
    throw new GitRefusal(403, 'Push to create is not enabled for organizations.');
  }
  if (owner.type === 'individual' && !repository.pushToCreateUser) {
    throw new GitRefusal(403, 'Push to create is not enabled for users.');
  }
  try {
    await createRepository(context, owner, { name, isPrivate: repository.pushToCreatePrivate });
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    // Of two concurrent pushes, the other one has created it.
    if (error.status !== 409 || !(await findRepositoryOf(context.db, owner, name))) throw new GitRefusal(403, `${error.message}\n`);
  }
}

async function mayCreateFor({ db, actor }: Context, owner: { id: number; type: string }): Promise<boolean> {
  if (!actor) return false;
  if (actor.is_admin || actor.id === owner.id) return true;
  if (owner.type !== 'organization') return false;
  const team = await db
    .selectFrom('team_members')
    .innerJoin('teams', 'teams.id', 'team_members.team_id')
    .select('teams.id')
    .where('team_members.organization_id', '=', owner.id)
    .where('team_members.user_id', '=', actor.id)
    .where((where) => where.or([where('teams.access_level', '=', 4), where('teams.can_create_repositories', '=', true)]))
    .executeTakeFirst();
  return team !== undefined;
}
