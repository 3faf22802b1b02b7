import type { Repository } from '../../access/find-repository.ts';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import { MovedError } from '../../http/errors.ts';
import { escapePath } from '../escape-path.ts';

/** A renamed branch: the former name redirects to the current one. */
export interface RenamedBranch {
  readonly from: string;
  readonly to: string;
}

/** How many parts of a path may belong to the name of a branch. */
const MAX_PARTS = 32;
/** Parts before the name of the branch: owner, repository, kind of page, `branch`. */
const PARTS_BEFORE = 4;

/** Records that a branch was renamed. A name that is in use again does not redirect, so there are no cycles. */
export async function recordRename({ db }: Pick<Context, 'db'>, repositoryId: number, { from, to }: RenamedBranch): Promise<void> {
  await db.deleteFrom('renamed_branches').where('repository_id', '=', repositoryId).where('from_name', '=', to).execute();
  await db
    .insertInto('renamed_branches')
    .values({ repository_id: repositoryId, from_name: from, to_name: to, created_at: now() })
    .onConflict((conflict) => conflict.columns(['repository_id', 'from_name']).doUpdateSet({ to_name: to, created_at: now() }))
    .execute();
}

/** The renamed branch whose former name is a prefix of a path; the shortest of several. */
export async function findRenamedBranch(
  { db }: Pick<Context, 'db'>,
  repository: Pick<Repository, 'id'>,
  parts: readonly string[],
): Promise<RenamedBranch | undefined> {
  const names = parts.slice(0, MAX_PARTS).map((_, index) => parts.slice(0, index + 1).join('/'));
  const rows = await db
    .selectFrom('renamed_branches')
    .select(['from_name as from', 'to_name as to'])
    .where('repository_id', '=', repository.id)
    .where('from_name', 'in', names)
    .execute();
  return rows.sort((a, b) => a.from.length - b.from.length)[0];
}

/**
 * Redirects from the URL of a page to the one with the current name of the branch, without the query, as clients of Gitea expect.
 * @param parts the path after `branch/`: the name of the branch, and of a file in it
 * @throws MovedError where the path begins with the former name of a branch
 */
export async function redirectRenamedBranch(
  context: Context,
  repository: Pick<Repository, 'id'>,
  parts: readonly string[],
  url: string,
): Promise<void> {
  const renamed = await findRenamedBranch(context, repository, parts);
  if (!renamed) return;
  const root = new URL(context.settings.server.rootUrl).pathname;
  const before = new URL(url).pathname.slice(root.length).split('/').slice(0, PARTS_BEFORE).join('/');
  const rest = parts.slice(renamed.from.split('/').length);
  throw new MovedError(`${root}${before}/${escapePath([renamed.to, ...rest].join('/'))}`, 303);
}
