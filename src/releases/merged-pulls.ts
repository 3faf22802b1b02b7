import type { Repository } from '../access/find-repository.ts';
import { findUsersById } from '../access/find-user.ts';
import type { Context } from '../context.ts';

/** A pull request that was merged. */
export interface MergedPull {
  readonly number: number;
  readonly title: string;
  readonly mergedAt: number;
  readonly authorId: number;
  /** The name of its author; undefined for authors without an account here. */
  readonly author: string | undefined;
}

/** Commits that one query asks for. */
const AT_ONCE = 500;

/** The pull requests that these commits have merged, latest first. */
export async function mergedPullsOf({ db }: Context, { id }: Repository, commits: readonly string[]): Promise<MergedPull[]> {
  const found: Omit<MergedPull, 'author'>[] = [];
  for (let at = 0; at < commits.length; at += AT_ONCE) {
    const rows = await db
      .selectFrom('pull_requests')
      .innerJoin('issues', 'issues.id', 'pull_requests.issue_id')
      .select(['issues.number', 'issues.title', 'issues.merged_at', 'issues.author_id', 'issues.original_author'])
      .where('pull_requests.repository_id', '=', id)
      .where('pull_requests.merged_commit_id', 'in', commits.slice(at, at + AT_ONCE))
      .where('pull_requests.merged_commit_id', '<>', '')
      .execute();
    // Migrated pull requests belong to the user who migrated them.
    for (const { number, title, merged_at: mergedAt, author_id: authorId, original_author: original } of rows)
      found.push({ number, title, mergedAt: mergedAt ?? 0, authorId: original === '' ? authorId : 0 });
  }
  const people = await findUsersById(db, [...new Set(found.map(({ authorId }) => authorId))]);
  return found
    .map((pull) => ({ ...pull, author: people.get(pull.authorId)?.name }))
    .sort((a, b) => b.mergedAt - a.mergedAt || b.number - a.number);
}

/** Those of them that are the first of their authors in the repository. */
export async function firstPulls(context: Context, repository: Repository, pulls: readonly MergedPull[]): Promise<MergedPull[]> {
  const authors = [...new Set(pulls.flatMap(({ author, authorId }) => (author === undefined ? [] : [authorId])))];
  const first = new Set<number>();
  for (let at = 0; at < authors.length; at += AT_ONCE) {
    for (const number of await firstNumbers(context, repository, authors.slice(at, at + AT_ONCE))) first.add(number);
  }
  return pulls.filter(({ number }) => first.has(number));
}

/** The numbers of the pull requests of these people that were merged first; of several in one second, of the lowest. */
async function firstNumbers({ db }: Context, { id }: Repository, authors: readonly number[]): Promise<number[]> {
  const merged = db
    .selectFrom('issues')
    .where('repository_id', '=', id)
    .where('merged_at', 'is not', null)
    .where('original_author', '=', '')
    .where('author_id', 'in', authors);
  const earliest = await merged
    .select((select) => ['author_id', select.fn.min('merged_at').as('at')])
    .groupBy('author_id')
    .execute();
  if (earliest.length === 0) return [];
  const times = new Map(earliest.map(({ author_id: author, at }) => [author, Number(at)]));
  const rows = await merged
    .where('merged_at', 'in', [...new Set(times.values())])
    .select((select) => ['author_id', 'merged_at', select.fn.min('number').as('number')])
    .groupBy(['author_id', 'merged_at'])
    .execute();
  return rows.filter((row) => times.get(row.author_id) === row.merged_at).map((row) => Number(row.number));
}
