import type { Repository } from '../access/find-repository.ts';
import { repositoryAccess } from '../access/repository-access.ts';
import { gitSignature } from '../accounts/git-signature.ts';
import { now } from '../clock.ts';
import { type Context, inTransaction } from '../context.ts';
import { isUniqueViolation } from '../database/database.ts';
import type { User } from '../database/tables/accounts.ts';
import type { NewRepository, RepositoryUpdate } from '../database/tables/repositories.ts';
import { changeFiles } from '../git/change-files.ts';
import { createRepository as createFolder, deleteRepository as deleteFolder } from '../git/create.ts';
import { isValidBranchName } from '../git/ref-names.ts';
import type { GitRepository, ObjectFormat } from '../git/repository.ts';
import { badRequest, conflict, forbidden, unprocessable } from '../http/errors.ts';
import { type InitialFile, initialFiles } from '../instance/templates/initial-files.ts';
import { getLabelTemplate } from '../instance/templates/labels.ts';
import { UnknownTemplateError } from '../instance/templates/unknown-template.ts';
import { addToAllRepositoryTeams, removeFromAllTeams } from '../organizations/teams/repositories.ts';
import { releaseLater } from '../processes/release.ts';
import { countFork, uncountFork } from './forks/count.ts';
import { forkMade } from './forks/made.ts';
import type { TemplateParts } from './generate/parts.ts';
import { checkRepositoryName } from './names.ts';
import { initialCommitter } from './signing/initial-commit.ts';
import { folderSize } from './size.ts';
import { defaultUnits, type NewRepositoryKind } from './units.ts';
import { watch } from './watches/watches.ts';

/** What a new repository begins with; what is left out follows the instance's settings. */
export interface NewRepositoryOptions {
  name: string;
  description?: string;
  isPrivate?: boolean;
  isTemplate?: boolean;
  /** Whether the repository begins with a commit of a README and what else is asked for. */
  autoInit?: boolean;
  readme?: string;
  /** Names of `.gitignore` templates, separated by commas. */
  gitignores?: string;
  license?: string;
  /** The name of a label template. */
  issueLabels?: string;
  defaultBranch?: string;
  trustModel?: string;
  objectFormat?: ObjectFormat;
  kind?: NewRepositoryKind;
  /** Further columns: what it was forked, mirrored or generated from. */
  columns?: Partial<NewRepository>;
  /** What it is made from, for what other features copy (`repository.creating`). */
  template?: { repository: Repository; parts: TemplateParts };
  /** Puts content into the new folder; answers the columns that follow from it. Instead of `autoInit`. */
  fill?: (repository: Repository, folder: GitRepository) => Promise<RepositoryUpdate>;
}

/**
 * Makes a repository: first its row in the state `creating`, which holds the name, then the folder, then the row becomes
 * ready. A failure takes everything back; what a crash leaves is invisible, and cleared away once its process is found gone.
 * @throws HttpError 400, 403 (limit), 404 (what is to be forked is gone), 409 (name is taken; forks, limit), 422 (names, templates)
 */
export async function createRepository(context: Context, owner: User, options: NewRepositoryOptions): Promise<Repository> {
  if (context.afterCommit) throw new Error('a repository cannot be made inside a transaction');
  requireRoom(context, owner, options.kind === 'fork');
  checkRepositoryName(options.name);
  if (options.defaultBranch && !isValidBranchName(options.defaultBranch)) throw unprocessable('[DefaultBranch]: GitRefName');
  const files = checkTemplates(context, owner, options);
  const repository = await addRow(context, owner, options);
  const folder = context.git.locate(repository);
  try {
    await createFolder(folder.path, { objectFormat: repository.object_format, defaultBranch: repository.default_branch });
    const columns = (await options.fill?.(repository, folder)) ?? (files.length > 0 ? await commitFiles(context, repository, files) : {});
    return await finish(context, repository, options, { size: await folderSize(folder.path), ...columns });
  } catch (error) {
    await takeBack(context, repository);
    throw error;
  }
}

/** @throws HttpError 403, for forks 409, when the owner has as many repositories as they may have */
export function requireRoom({ settings, doer }: Context, owner: User, isFork = false): void {
  if (doer?.is_admin || (isFork && settings.repository.forkBeyondLimit)) return;
  const limit = owner.max_repo_creation === -1 ? settings.repository.maxPerOwner : owner.max_repo_creation;
  if (limit === -1 || owner.repos_count < limit) return;
  throw (isFork ? conflict : forbidden)(`user has reached maximum limit of repositories [limit: ${limit}]`);
}

/** The files of the first commit, none without one; every template that was named is known after this. */
function checkTemplates(context: Context, owner: User, options: NewRepositoryOptions): readonly InitialFile[] {
  if (options.issueLabels) checkLabelTemplate(options.issueLabels);
  if (!options.autoInit) return [];
  try {
    return initialFiles({
      name: options.name,
      description: options.description ?? '',
      owner: owner.name,
      email: gitSignature(context, owner).email,
      year: new Date().getUTCFullYear(),
      readme: options.readme ?? '',
      gitignores: options.gitignores ?? '',
      license: options.license ?? '',
    });
  } catch (error) {
    if (!(error instanceof UnknownTemplateError)) throw error;
    throw error.kind === 'readme' ? badRequest(error.message) : unprocessable(error.message);
  }
}

function checkLabelTemplate(name: string): void {
  if (getLabelTemplate(name)) return;
  throw unprocessable(`failed to load label template file "${name}": label template "${name}" not found`);
}

async function addRow(context: Context, owner: User, options: NewRepositoryOptions): Promise<Repository> {
  const { settings } = context;
  const kind = options.kind ?? (options.isTemplate ? 'template' : 'plain');
  const time = now();
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
      await db
        .updateTable('users')
        .set((users) => ({ repos_count: users('repos_count', '+', 1) }))
        .where('id', '=', owner.id)
        .execute();
      const repository = { ...row, owner };
      await giveAccess(context, repository);
      const { doer } = context;
      if (doer && settings.users.autoWatchNewRepositories) await watch(context, repository, doer.id);
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
  // Nobody is at it any more whose process is gone.
  if (taken && (taken.state !== 'creating' || taken.process_id !== null)) throw nameTaken(owner, options);
  if (taken) await removeUnfinished(context, taken.id, owner.id);
  await db.deleteFrom('repository_redirects').where('owner_id', '=', owner.id).where('lower_name', '=', name).execute();
}

/** Removes the row of a repository that was never finished, and its folder in the background. */
export async function removeUnfinished(context: Context, repositoryId: number, ownerId: number): Promise<void> {
  await inTransaction(context, async (context) => {
    const { db } = context;
    const gone = await db
      .updateTable('repositories')
      .set({ state: 'deleting' })
      .where('id', '=', repositoryId)
      .where('state', '=', 'creating')
      .returning('fork_id')
      .executeTakeFirst();
    if (!gone) return;
    await uncountFork(context, gone);
    await removeFromAllTeams(context, { id: repositoryId, owner_id: ownerId });
    await db.deleteFrom('repositories').where('id', '=', repositoryId).execute();
    await db
      .updateTable('users')
      .set((users) => ({ repos_count: users('repos_count', '-', 1) }))
      .where('id', '=', ownerId)
      .execute();
    await context.jobs.add(context, 'repository.remove-folder', { repositoryId });
  });
}

/** The teams that have every repository of an organization get this one, and who made it administers it. */
async function giveAccess(context: Context, repository: Repository): Promise<void> {
  const { db, doer } = context;
  if (repository.owner.type !== 'organization') return;
  await addToAllRepositoryTeams(context, repository);
  if (!doer || (await repositoryAccess(context, repository, doer)).isAdmin) return;
  await db
    .insertInto('collaborations')
    .values({ repository_id: repository.id, user_id: doer.id, access_level: 3, created_at: now() })
    .execute();
}

async function commitFiles(context: Context, repository: Repository, files: readonly InitialFile[]): Promise<RepositoryUpdate> {
  const author = gitSignature(context, context.doer ?? repository.owner);
  const { committer, sign } = await initialCommitter(context, repository, author);
  await changeFiles(context.git.locate(repository), {
    branch: repository.default_branch,
    files: files.map(({ path, content }) => ({ operation: 'create', path, content: Buffer.from(content) })),
    message: 'Initial commit',
    author,
    committer,
    ...(sign && { sign }),
  });
  return { is_empty: false, branches_count: 1 };
}

async function finish(
  context: Context,
  repository: Repository,
  options: NewRepositoryOptions,
  columns: RepositoryUpdate,
): Promise<Repository> {
  return inTransaction(context, async (context) => {
    const row = await context.db
      .updateTable('repositories')
      .set({ ...columns, state: 'ready', process_id: null })
      .where('id', '=', repository.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const ready = { ...row, owner: repository.owner };
    await emitCreating(context, ready, options);
    if (options.kind === 'fork') await forkMade(context, ready);
    await context.events.emit(context, 'repository.created', { repositoryId: ready.id, doerId: context.doer?.id ?? ready.owner_id });
    return ready;
  });
}

async function emitCreating(context: Context, { id }: Repository, { issueLabels, template }: NewRepositoryOptions): Promise<void> {
  await context.events.emit(context, 'repository.creating', {
    repositoryId: id,
    ...(issueLabels && { labelTemplate: issueLabels }),
    ...(template && { from: { ...template.parts, repositoryId: template.repository.id } }),
  });
}

async function takeBack(context: Context, repository: Repository): Promise<void> {
  try {
    await deleteFolder(context.git.locate(repository));
    await removeUnfinished(context, repository.id, repository.owner_id);
  } catch (error) {
    void releaseLater(context, (db) => db.updateTable('repositories').set({ process_id: null }).where('id', '=', repository.id).execute());
    context.log.error({ repository: repository.id, err: error }, 'an unfinished repository could not be taken back');
  }
}
