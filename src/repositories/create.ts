import type { Repository } from '../access/find-repository.ts';
import { type Context, inTransaction } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import type { RepositoryUpdate } from '../database/tables/repositories.ts';
import { createRepository as createFolder, deleteRepository as deleteFolder } from '../git/create.ts';
import { isValidBranchName } from '../git/refs/ref-names.ts';
import { unprocessable } from '../http/errors.ts';
import { releaseLater } from '../processes/release.ts';
import { addRow } from './create-row.ts';
import { checkTemplates, commitFiles } from './first-commit.ts';
import { forkMade } from './forks/made.ts';
import { requireRoom } from './limit.ts';
import { checkRepositoryName } from './names.ts';
import type { NewRepositoryOptions } from './new-repository.ts';
import { removeUnfinished } from './remove-unfinished.ts';
import { folderSize } from './size.ts';

/**
 * Creates a repository: first its row in the state `creating`, which reserves the name, then the folder, then the row becomes
 * ready. A failure undoes everything; what a crash leaves is invisible, and deleted once its process is found dead.
 * @throws HttpError 400, 403 (limit), 404 (the source of a fork is missing), 409 (name is taken; forks, limit), 422 (names, templates)
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
    return await finishRepository(context, repository, options, { size: await folderSize(folder.path), ...columns });
  } catch (error) {
    await takeBack(context, repository);
    throw error;
  }
}

/**
 * Inserts the row of a repository in the state `migrating`, which reserves its name. It is invisible until {@link finishRepository};
 * `removeUnfinished` deletes it.
 * @throws HttpError 400, 403 (limit), 409 (name is taken), 422 (names)
 */
export async function addMigratingRepository(context: Context, owner: User, options: NewRepositoryOptions): Promise<Repository> {
  requireRoom(context, owner);
  checkRepositoryName(options.name);
  return addRow(context, owner, { ...options, columns: { ...options.columns, state: 'migrating', process_id: null } });
}

/** Makes a repository visible whose folder is complete, with the columns that depend on its content. */
export async function finishRepository(
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
    await context.events.emit(context, 'repository.created', { repositoryId: ready.id, actorId: context.actor?.id ?? ready.owner_id });
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
