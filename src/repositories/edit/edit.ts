import { findRepository, type Repository } from '../../access/find-repository.ts';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { RepositoryUpdate } from '../../database/tables/repositories.ts';
import { isValidBranchName } from '../../git/refs/ref-names.ts';
import { readRef } from '../../git/refs/refs.ts';
import { setHead } from '../../git/refs/update-refs.ts';
import { whileWriting } from '../../git/repository.ts';
import { unprocessable } from '../../http/errors.ts';
import type { Shape } from '../../http/schema.ts';
import type { EditRepoOption } from '../schema.ts';
import { queueStatistics } from '../statistics/statistics.ts';
import { editMirror } from './mirror.ts';
import { renameRepository } from './rename.ts';
import { editedUnits } from './units.ts';
import { changeVisibility } from './visibility.ts';

type Body = Shape<typeof EditRepoOption>;

/**
 * Changes a repository: everything that was requested, or nothing.
 * @throws HttpError 422 for invalid values
 */
export async function editRepository(context: Context, repository: Repository, body: Body): Promise<Repository> {
  const edit = () => inTransaction(context, (context) => editRow(context, repository, body));
  // HEAD is written within the transaction, where it is too late to wait for a repository that is being moved.
  return body.default_branch === undefined ? edit() : whileWriting(context.git.locate(repository), edit);
}

async function editRow(context: Context, repository: Repository, body: Body): Promise<Repository> {
  const { db, settings } = context;
  if (body.name !== undefined) await renameRepository(context, repository, body.name);
  const units = editedUnits(settings, repository.units, body);
  const columns: RepositoryUpdate = {
    ...(body.description !== undefined && { description: body.description }),
    ...(body.website !== undefined && { website: body.website }),
    ...(body.template !== undefined && { is_template: body.template }),
    ...archival(repository, body.archived),
    units: JSON.stringify(units),
  };
  await db.updateTable('repositories').set(columns).where('id', '=', repository.id).execute();
  if (columns.is_archived && !repository.is_archived)
    await context.events.emit(context, 'repository.archived', { repositoryId: repository.id });
  if (repository.is_mirror) await editMirror(context, repository, body);
  if (body.private !== undefined) await changeVisibility(context, repository, body.private);
  if (body.default_branch !== undefined) await switchDefaultBranch(context, repository, body.default_branch);
  const edited = await findRepository(db, repository.id);
  if (!edited) throw new Error('the repository is gone');
  return edited;
}

function archival(repository: Repository, archived: boolean | undefined): RepositoryUpdate {
  if (archived === undefined) return {};
  if (repository.is_mirror) throw unprocessable('repo is a mirror, cannot archive/un-archive');
  return { is_archived: archived, archived_at: archived ? now() : 0 };
}

/** Sets the default branch, if it exists; a repository without branches accepts every valid name. */
export async function switchDefaultBranch(context: Context, repository: Repository, branch: string): Promise<void> {
  if (branch === repository.default_branch) return;
  const folder = context.git.locate(repository);
  const ref = `refs/heads/${branch}`;
  if (repository.is_empty) {
    if (!isValidBranchName(branch) || branch.length > 255) throw unprocessable('[DefaultBranch]: GitRefName');
  } else if (!(await readRef(folder, context.git.pool, ref))) return;
  const change = () =>
    inTransaction(context, async (context) => {
      await context.db.updateTable('repositories').set({ default_branch: branch }).where('id', '=', repository.id).execute();
      await queueStatistics(context, repository.id);
      await context.events.emit(context, 'default-branch.changed', { repositoryId: repository.id });
      await setHead(folder, ref);
    });
  await (context.afterCommit ? change() : whileWriting(folder, change));
}
