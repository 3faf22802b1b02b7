import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import { isCommitIdLike } from '../../git/refs/revisions.ts';
import { MovedError, notFound } from '../../http/errors.ts';
import { repositoryHtmlUrl } from '../../repositories/urls.ts';
import { findRenamedBranch } from '../branches/renamed.ts';
import { escapePath } from '../escape-path.ts';
import { commitFirst, refFirst } from './raw.ts';

/**
 * Redirects from an old URL, whose path begins with a ref of any kind, to the one that names the kind.
 * @param page `raw`, `media`, `src` or `commits`
 * @throws MovedError; HttpError 404 for an empty repository
 */
export async function redirectUntyped(context: Context, repository: Repository, page: string, path: string): Promise<never> {
  if (repository.is_empty) throw notFound();
  const typed = escapePath(await typedPath(context, repository, path));
  const { pathname } = new URL(repositoryHtmlUrl(context.settings, repository));
  throw new MovedError(`${pathname}/${page}/${typed}`, 303);
}

/** A path that begins with no ref is a path of the default branch. */
async function typedPath(context: Context, repository: Repository, path: string): Promise<string> {
  const names = path.split('/');
  const [first = ''] = names;
  if (first === 'HEAD' || (await refFirst(context, repository, 'branch', names))) return `branch/${path}`;
  if (await refFirst(context, repository, 'tag', names)) return `tag/${path}`;
  if (isCommitIdLike(first, context.git.locate(repository)) && (await commitFirst(context, repository, names))) return `commit/${path}`;
  // The URL of a branch redirects from its former name.
  if (await findRenamedBranch(context, repository, names)) return `branch/${path}`;
  return `branch/${repository.default_branch}/${path}`;
}
