import { type ExpressionBuilder, sql } from 'kysely';
import type { Repository } from '../../access/find-repository.ts';
import { type RepositoryAccess, repositoriesAccess } from '../../access/repository-access.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { Tables } from '../../database/tables.ts';
import { conflict, HttpError, notFound, unprocessable } from '../../http/errors.ts';
import { type Page, totalOf } from '../../http/paging.ts';
import { canReadIssue, canWriteIssue, changingIssue, type Issue, withRepositories } from '../find.ts';
import { addEvent } from '../timeline/events.ts';

/** An issue at one end of a dependency, and the caller's access to its repository. */
export interface End {
  readonly issue: Issue;
  readonly access: RepositoryAccess;
}

/** Whether the issues of a repository can depend on others. */
export function hasDependencies({ settings }: Pick<Context, 'settings'>, { units }: Repository): boolean {
  return units.issues?.dependencies ?? settings.issues.defaultDependencies;
}

/** The issues that an issue depends on, those of its own repository first, with the caller's access to their repositories. */
export async function listDependencies(context: Context, issue: Issue, page: Page): Promise<{ dependencies: End[]; total: number }> {
  const found = context.db
    .selectFrom('issue_dependencies')
    .innerJoin('issues', 'issues.id', 'issue_dependencies.dependency_id')
    .innerJoin('repositories', 'repositories.id', 'issues.repository_id')
    .where('repositories.state', '=', 'ready')
    .where('issue_dependencies.issue_id', '=', issue.id);
  const rows = await found
    .selectAll('issues')
    .orderBy(ownFirst(issue))
    .orderBy('issues.created_at', 'desc')
    .orderBy('issues.id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const count = () => found.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const total = await totalOf(page, rows, count);
  return { dependencies: await withAccess(context, await withRepositories(context.db, rows)), total };
}

/** Up to so many blocked issues are filtered by the caller's access. */
const MAX_BLOCKED = 1000;

/** The issues that an issue blocks and that the caller may see, with the caller's access to their repositories. */
export async function listBlocked(context: Context, issue: Issue, page: Page): Promise<End[]> {
  const rows = await context.db
    .selectFrom('issue_dependencies')
    .innerJoin('issues', 'issues.id', 'issue_dependencies.issue_id')
    .innerJoin('repositories', 'repositories.id', 'issues.repository_id')
    .selectAll('issues')
    .where('repositories.state', '=', 'ready')
    .where('issue_dependencies.dependency_id', '=', issue.id)
    .orderBy(ownFirst(issue))
    .orderBy('issues.created_at', 'desc')
    // Of those of one second, the first that was blocked comes first.
    .orderBy('issue_dependencies.id')
    .limit(MAX_BLOCKED)
    .execute();
  const ends = await withAccess(context, await withRepositories(context.db, rows));
  const readable = ends.filter(({ issue, access }) => canReadIssue(access, issue));
  return readable.slice(page.offset, page.offset + page.limit);
}

async function withAccess(context: Context, issues: readonly Issue[]): Promise<End[]> {
  const repositories = new Map(issues.map(({ repository }) => [repository.id, repository]));
  const access = await repositoriesAccess(context, [...repositories.values()], context.actor);
  return issues.flatMap((issue) => {
    const own = access.get(issue.repository_id);
    return own ? [{ issue, access: own }] : [];
  });
}

function ownFirst({ repository_id: id }: Issue) {
  return (_: ExpressionBuilder<Tables, 'issues'>) => sql`case when issues.repository_id = ${id} then 0 else issues.repository_id end`;
}

/**
 * Makes an issue depend on another one.
 * @throws HttpError 404 if the caller may not change the one or see the other, 409 for an existing dependency, 422 for a circular one
 */
export async function addDependency(context: Context, issue: End, dependency: End): Promise<void> {
  await changeDependency(context, issue, dependency, 'add_dependency', async ({ db }, ids) => {
    const place = `[issue id: ${ids.issue_id}, dependency id: ${ids.dependency_id}]`;
    const back = { issue_id: ids.dependency_id, dependency_id: ids.issue_id };
    if (ids.issue_id === ids.dependency_id || (await exists(db, back))) {
      throw unprocessable(`circular dependencies exists (two issues blocking each other) ${place}`);
    }
    if (await exists(db, ids)) throw conflict(`issue dependency does already exist ${place}`);
    const row = { ...ids, user_id: signedInActor(context).id, created_at: now() };
    await db.insertInto('issue_dependencies').values(row).execute();
  });
}

/**
 * Removes a dependency of an issue on another one.
 * @throws HttpError 404 if the caller may not change the one or see the other, and if there is no such dependency
 */
export async function removeDependency(context: Context, issue: End, dependency: End): Promise<void> {
  await changeDependency(context, issue, dependency, 'remove_dependency', async ({ db }, ids) => {
    const { numDeletedRows } = await db
      .deleteFrom('issue_dependencies')
      .where('issue_id', '=', ids.issue_id)
      .where('dependency_id', '=', ids.dependency_id)
      .executeTakeFirst();
    if (Number(numDeletedRows) === 0) {
      throw notFound([`issue dependency does not exist [issue id: ${ids.issue_id}, dependency id: ${ids.dependency_id}]`]);
    }
  });
}

interface Ids {
  issue_id: number;
  dependency_id: number;
}

async function exists(db: Context['db'], ids: Ids): Promise<boolean> {
  const row = await db
    .selectFrom('issue_dependencies')
    .select('id')
    .where('issue_id', '=', ids.issue_id)
    .where('dependency_id', '=', ids.dependency_id)
    .executeTakeFirst();
  return row !== undefined;
}

/** Both timelines record it. */
async function changeDependency(
  context: Context,
  { issue, access }: End,
  dependency: End,
  kind: 'add_dependency' | 'remove_dependency',
  change: (context: Context, ids: Ids) => Promise<void>,
): Promise<void> {
  const { repository } = issue;
  if (repository.is_archived || !hasDependencies(context, repository)) throw notFound();
  if (!canWriteIssue(access, issue) || !canReadIssue(dependency.access, dependency.issue)) throw notFound();
  const other = dependency.issue;
  await changingIssue(
    context,
    issue,
    async (context, issue) => {
      await change(context, { issue_id: issue.id, dependency_id: other.id });
      await addEvent(context, issue, kind, { dependent_issue_id: other.id });
      await addEvent(context, other, kind, { dependent_issue_id: issue.id });
    },
    [other.repository_id],
  );
}

/** Whether an issue depends on an open one. */
export async function isBlocked(context: Context, issue: Issue): Promise<boolean> {
  if (!hasDependencies(context, issue.repository)) return false;
  const open = await context.db
    .selectFrom('issue_dependencies')
    .innerJoin('issues', 'issues.id', 'issue_dependencies.dependency_id')
    .innerJoin('repositories', 'repositories.id', 'issues.repository_id')
    .select('issues.id')
    .where('issue_dependencies.issue_id', '=', issue.id)
    .where('issues.is_closed', '=', false)
    .where('repositories.state', '=', 'ready')
    .limit(1)
    .executeTakeFirst();
  return open !== undefined;
}

/**
 * Refuses to close an issue that depends on an open one.
 * @throws HttpError 412
 */
export async function refuseWhileBlocked(context: Context, issue: Issue): Promise<void> {
  if (issue.is_closed || !(await isBlocked(context, issue))) return;
  throw new HttpError(412, 'cannot close this issue or pull request because it still has open dependencies');
}
