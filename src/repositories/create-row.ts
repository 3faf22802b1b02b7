import type { Repository } from '../access/find-repository.ts';
import { repositoryAccess } from '../access/repository-access.ts';
import { now } from '../clock.ts';
import { type Context, inTransaction } from '../context.ts';
import { isUniqueViolation } from '../database/database.ts';
import type { User } from '../database/tables/accounts.ts';
import { conflict } from '../http/errors.ts';
import { addToAllRepositoryTeams } from '../organizations/teams/repositories.ts';
import { countFork } from './forks/count.ts';
import { countUp, requireRoom } from './limit.ts';
import type { NewRepositoryOptions } from './new-repository.ts';
import { removeUnfinished } from './remove-unfinished.ts';
import { defaultUnits } from './units.ts';
import { chooseVolume } from './volume.ts';
import { watch } from './watches/watches.ts';

/**
 * Inserts the row of a new repository in the state `creating`, which reserves its name.
 * @throws HttpError 403, for forks 409, at the owner's limit; 409 when the name is taken
 */
export async function addRow(context: Context, owner: User, options: NewRepositoryOptions): Promise<Repository> {
  const { settings } = context;
  const kind = options.kind ?? (options.isTemplate ? 'template' : 'plain');
  const time = now();
  const volume = await chooseVolume(context, options.columns?.fork_id);
  try {
    return await inTransaction(context, async (context) => {
      const { db } = context;
      const sourceId = options.columns?.fork_id ?? null;
      const isHidden = sourceId !== null && (await countFork(context, sourceId, owner));
      await freeName(context, owner, options);
      const row = await db
        .insertInto('repositories')
        .values({
          owner_id: owner.id,
          name: options.name,
          lower_name: options.name.toLowerCase(),
          description: options.description ?? '',
          default_branch: options.defaultBranch || settings.repository.defaultBranch,
          default_wiki_branch: settings.repository.defaultBranch,
          object_format: options.objectFormat ?? 'sha1',
          volume,
          is_private: isHidden || (options.isPrivate ?? false) || settings.repository.forcePrivate,
          is_template: options.isTemplate ?? false,
          state: 'creating',
          process_id: context.processes.id,
          trust_model: options.trustModel || 'default',
          closes_issues_on_any_branch: settings.issues.closeOnAnyBranch,
          units: JSON.stringify(defaultUnits(settings, kind)),
          licenses: JSON.stringify(options.license ? [options.license] : []),
          created_at: time,
          updated_at: time,
          ...options.columns,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      requireRoom(context, await countUp(context, owner.id), kind === 'fork');
      const repository = { ...row, owner };
      await giveAccess(context, repository);
      const { actor } = context;
      if (actor && settings.users.autoWatchNewRepositories) await watch(context, repository, actor.id);
      return repository;
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw nameTaken(owner, options);
    throw error;
  }
}

function nameTaken(owner: User, { name, kind }: NewRepositoryOptions) {
  return conflict(
    kind === 'fork'
      ? `repository already exists [uname: ${owner.name}, name: ${name}]`
      : 'The repository with the same name already exists.',
  );
}

/** @throws HttpError 409 when the owner has a repository of this name */
async function freeName(context: Context, owner: User, options: NewRepositoryOptions): Promise<void> {
  const { db } = context;
  const name = options.name.toLowerCase();
  const taken = await db
    .selectFrom('repositories')
    .select(['id', 'state', 'process_id'])
    .where('owner_id', '=', owner.id)
    .where('lower_name', '=', name)
    .executeTakeFirst();
  // The creation was abandoned if its process has died.
  if (taken && (taken.state !== 'creating' || taken.process_id !== null)) throw nameTaken(owner, options);
  if (taken) await removeUnfinished(context, taken.id, owner.id);
  await db.deleteFrom('repository_redirects').where('owner_id', '=', owner.id).where('lower_name', '=', name).execute();
}

/** The teams that have every repository of an organization get this one, and its creator administers it. */
async function giveAccess(context: Context, repository: Repository): Promise<void> {
  const { db, actor } = context;
  if (repository.owner.type !== 'organization') return;
  await addToAllRepositoryTeams(context, repository);
  if (!actor || (await repositoryAccess(context, repository, actor)).isAdmin) return;
  await db
    .insertInto('collaborations')
    .values({ repository_id: repository.id, user_id: actor.id, access_level: 3, created_at: repository.created_at })
    .execute();
}
