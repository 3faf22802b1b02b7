import { withOwners } from '../access/find-repository.ts';
import { repositoriesAccess } from '../access/repository-access.ts';
import type { Context } from '../context.ts';
import { canReadIssue, type Issue } from '../issues/find.ts';
import { isDraftTitle } from '../issues/present.ts';
import type { IssueName, IssueTitle } from '../markup/context.ts';
import { icon } from '../markup/icons.ts';

/** Limit of issues per text with titles; further ones are shown without. */
const MAX_TITLES = 200;

/** The titles of issues by `owner/name#index`, as written, for the issues that the viewer may read. */
export async function issueTitles(context: Context, names: readonly IssueName[]): Promise<Map<string, IssueTitle>> {
  const bounded = names.slice(0, MAX_TITLES).filter(({ index }) => Number.isSafeInteger(index));
  const issues = await readableIssues(context, bounded);
  return new Map(
    bounded.flatMap((name) => {
      const issue = issues.get(keyOf(name));
      return issue ? [[`${name.owner}/${name.name}#${name.index}`, { title: issue.title, icon: stateIcon(context, issue) }] as const] : [];
    }),
  );
}

function keyOf({ owner, name, index }: IssueName): string {
  return `${owner}/${name}#${index}`.toLowerCase();
}

async function readableIssues(context: Context, names: readonly IssueName[]): Promise<Map<string, Issue>> {
  if (names.length === 0) return new Map();
  const lower = (text: (name: IssueName) => string) => [...new Set(names.map((name) => text(name).toLowerCase()))];
  const rows = await context.db
    .selectFrom('repositories')
    .innerJoin('users', 'users.id', 'repositories.owner_id')
    .selectAll('repositories')
    .where(
      'users.lower_name',
      'in',
      lower(({ owner }) => owner),
    )
    .where(
      'repositories.lower_name',
      'in',
      lower(({ name }) => name),
    )
    .where('repositories.state', '=', 'ready')
    .execute();
  if (rows.length === 0) return new Map();
  const repositories = new Map((await withOwners(context.db, rows)).map((repository) => [repository.id, repository]));
  const access = await repositoriesAccess(context, [...repositories.values()], context.actor);
  const issues = await context.db
    .selectFrom('issues')
    .selectAll()
    .where('repository_id', 'in', [...repositories.keys()])
    .where('number', 'in', [...new Set(names.map(({ index }) => index))])
    .execute();
  return new Map(
    issues.flatMap((row) => {
      const repository = repositories.get(row.repository_id);
      const own = access.get(row.repository_id);
      if (!repository || !own || !canReadIssue(own, row)) return [];
      const key = `${repository.owner.lower_name}/${repository.lower_name}#${row.number}`;
      return [[key, { ...row, repository }] as const];
    }),
  );
}

function stateIcon({ settings }: Context, issue: Issue): string {
  if (!issue.is_pull) return issue.is_closed ? icon('issue-closed', 16, 'tw-text-red') : icon('issue-opened', 16, 'tw-text-green');
  if (issue.merged_at !== null) return icon('git-merge', 16, 'tw-text-purple');
  if (issue.is_closed) return icon('git-pull-request-closed', 16, 'tw-text-red');
  return isDraftTitle(settings.pulls.workInProgressPrefixes, issue.title)
    ? icon('git-pull-request-draft', 16, 'tw-text-text-light')
    : icon('git-pull-request', 16, 'tw-text-green');
}
