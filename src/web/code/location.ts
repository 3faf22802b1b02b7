import type { Repository } from '../../access/find-repository.ts';
import { cleanPath } from '../../code/contents/contents.ts';
import { escapePath } from '../../code/escape-path.ts';
import { commitFirst, findBranchIn, refFirst } from '../../code/raw/raw.ts';
import type { Context } from '../../context.ts';
import type { Commit } from '../../git/objects/commits.ts';
import { notFound } from '../../http/errors.ts';
import { trimEnd } from '../../text/trim-end.ts';
import { repositoryPath } from '../repository/frame.ts';
import type { View } from '../view.ts';

/** The kinds of revisions that URLs name: `src/branch/main`. */
export type RefKind = 'branch' | 'commit' | 'tag';

/** A location in the code of a repository: a revision, and a path in it. */
export interface Location {
  readonly repository: Repository;
  readonly kind: RefKind;
  /** The name of the branch or tag, or the id of the commit. */
  readonly name: string;
  readonly commit: Commit;
  /** The path of a file or folder; empty for the root. */
  readonly path: string;
}

/**
 * The location at the end of a URL, such as `feature/x/src/main.ts` after `branch/`.
 * @throws HttpError 404; MovedError for the former name of a branch
 */
export async function findLocation(
  context: Context,
  repository: Repository,
  { kind, rest, url }: { kind: RefKind; rest: string; url: string },
): Promise<Location> {
  if (repository.is_empty) throw notFound();
  const given = trimEnd(rest, '/');
  const names = given.split('/');
  const found =
    kind === 'branch'
      ? await findBranchIn(context, repository, given, url)
      : kind === 'tag'
        ? await refFirst(context, repository, 'tag', names)
        : await commitFirst(context, repository, names);
  if (!found) throw notFound();
  const path = cleanPath(found.path);
  if (path === undefined) throw notFound();
  const name = kind === 'commit' ? found.commit.oid : given.slice(0, given.length - found.path.length).replace(/\/$/, '');
  return { repository, kind, name, commit: found.commit, path };
}

/** The root of the default branch; undefined if that has no commit. */
export async function defaultLocation(context: Context, repository: Repository): Promise<Location | undefined> {
  const name = repository.default_branch;
  const found = repository.is_empty ? undefined : await refFirst(context, repository, 'branch', name.split('/'));
  return found && { repository, kind: 'branch', name, commit: found.commit, path: '' };
}

/** The path of a page about a location in the code. @param page its first segment, such as `src`, `blame`, `commits` or `raw` */
export function codePath(view: View, page: string, { repository, kind, name, path }: Omit<Location, 'commit'>): string {
  const at = path === '' ? '' : `/${escapePath(path)}`;
  return repositoryPath(view, repository, `${page}/${kind}/${escapePath(name)}${at}`);
}
