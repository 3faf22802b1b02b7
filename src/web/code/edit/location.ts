import { findRepository, type Repository } from '../../../access/find-repository.ts';
import { type RepositoryAccess, repositoryAccess } from '../../../access/repository-access.ts';
import { cleanPath } from '../../../code/contents/contents.ts';
import { ownFork } from '../../../code/contents/propose.ts';
import { escapePath } from '../../../code/escape-path.ts';
import { mayCommitTo, mayWriteTo } from '../../../code/protections/decide.ts';
import type { Context } from '../../../context.ts';
import type { Commit } from '../../../git/objects/commits.ts';
import type { TreeEntry } from '../../../git/objects/tree-entry.ts';
import { findEntry } from '../../../git/trees/trees.ts';
import { notFound } from '../../../http/errors.ts';
import { repositoryPath } from '../../repository/frame.ts';
import type { RepositoryVisit } from '../../resource-pages.ts';
import type { View } from '../../view.ts';
import { findLocation } from '../location.ts';

/** Path segments of the forms that change code. */
export type EditAction = '_new' | '_edit' | '_delete' | '_upload' | '_diffpatch' | `_cherrypick/${string}`;

/** The repository that the user's commits go to. */
export interface EditTarget {
  readonly repository: Repository;
  readonly access: RepositoryAccess;
  /** Whether it is the user's fork, from which the change is proposed. */
  readonly isFork: boolean;
  /** Whether the branch itself accepts the commit, as far as known in advance. */
  readonly canCommit: boolean;
}

/** A path to change in a branch. */
export interface EditLocation {
  readonly repository: Repository;
  readonly branch: string;
  /** Undefined in a repository without commits. */
  readonly commit: Commit | undefined;
  readonly path: string;
  /** The entry at the path. */
  readonly entry: TreeEntry | undefined;
  /** Undefined for a user with neither write access nor a fork. */
  readonly target: EditTarget | undefined;
}

/** A location with a target for its changes. */
export type WritableLocation = EditLocation & { readonly target: EditTarget };

/**
 * The location at the end of the URL: a branch, and a path in it.
 * @throws HttpError 404; MovedError for the former name of a branch
 */
export async function findEditLocation(visit: RepositoryVisit, context: Context): Promise<EditLocation> {
  const { repository, params, request } = visit;
  const rest = params['*'] ?? '';
  const located = repository.is_empty
    ? { ...firstBranch(repository, rest), commit: undefined }
    : await findLocation(context, repository, { kind: 'branch', rest, url: request.url }).then(({ name, ...at }) => ({
        branch: name,
        ...at,
      }));
  const { branch, path, commit } = located;
  const folder = context.git.locate(repository);
  const entry = commit && path !== '' ? await findEntry(folder, context.git.pool, commit.tree, path) : undefined;
  return { repository, branch, commit, path, entry, target: await targetOf(visit, context, branch, path) };
}

/** In a repository without a branch, the URL names the future branch. */
function firstBranch({ default_branch: main }: Repository, rest: string): { branch: string; path: string } {
  const isMain = rest === main || rest.startsWith(`${main}/`);
  const branch = isMain ? main : (rest.split('/')[0] ?? '');
  const path = cleanPath(rest.slice(branch.length));
  if (branch === '' || path === undefined) throw notFound();
  return { branch, path };
}

async function targetOf(visit: RepositoryVisit, context: Context, branch: string, path: string): Promise<EditTarget | undefined> {
  const { repository, access } = visit;
  if (await mayWriteTo(context, repository, access, branch))
    return { repository, access, isFork: false, canCommit: await mayCommitTo(context, repository, access, branch, path) };
  const forkId = repository.is_empty ? undefined : await ownFork(context, repository);
  const fork = forkId === undefined ? undefined : await findRepository(context.db, forkId);
  if (!fork) return undefined;
  return { repository: fork, access: await repositoryAccess(context, fork, context.actor), isFork: true, canCommit: false };
}

/** The path of a form about a path in a branch. */
export function editPath(
  view: View,
  action: EditAction,
  { repository, branch, path }: Pick<EditLocation, 'repository' | 'branch' | 'path'>,
): string {
  return repositoryPath(view, repository, `${action}/${escapePath(branch)}/${escapePath(path)}`);
}
