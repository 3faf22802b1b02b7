import { findRepositories, type Repository } from '../access/find-repository.ts';
import { findUsersById } from '../access/find-user.ts';
import { type RepositoryAccess, repositoriesAccess } from '../access/repository-access.ts';
import { fullName } from '../access/requirements.ts';
import type { Context } from '../context.ts';
import { preparedIn } from '../database/prepared.ts';
import type { NotificationRow } from '../database/tables/issue-activity.ts';
import type { IssueRow } from '../database/tables/issues.ts';
import { type Shape, wireTime } from '../http/schema.ts';
import { canReadIssue, type Issue } from '../issues/find.ts';
import { issueApiUrl, issueHtmlUrl } from '../issues/urls.ts';
import { presentRepositories } from '../repositories/present.ts';
import { repositoryApiUrl, repositoryHtmlUrl } from '../repositories/urls.ts';
import { joined } from '../text/joined.ts';
import type { NotificationSubject, NotificationThread } from './schema.ts';

type Wire = Shape<typeof NotificationThread>;
type Subject = Shape<typeof NotificationSubject>;

/** The issue data that threads show. */
type ShownIssue = Pick<IssueRow, (typeof SHOWN)[number]>;
const SHOWN = ['id', 'number', 'title', 'is_pull', 'is_closed', 'merged_at'] as const;

/** Data for threads, read for a whole list at once. */
interface Related {
  repositories: ReadonlyMap<number, Repository>;
  shapes: ReadonlyMap<number, NonNullable<Wire['repository']>>;
  access: ReadonlyMap<number, RepositoryAccess>;
  issues: ReadonlyMap<number, ShownIssue>;
  lastComments: ReadonlyMap<number, number>;
}

/**
 * Threads on the wire. A thread whose subject its receiver may not see any more only shows that it exists. All belong to the same
 * receiver.
 */
export async function presentThreads(context: Context, threads: readonly NotificationRow[]): Promise<Wire[]> {
  if (threads.length === 0) return [];
  const related = await relatedOf(context, threads);
  return threads.map((thread) => present(context, thread, related));
}

async function relatedOf(context: Context, threads: readonly NotificationRow[]): Promise<Related> {
  const { db } = context;
  const receiverId = threads[0]?.user_id ?? 0;
  const receiver = (await findUsersById(db, [receiverId])).get(receiverId) ?? null;
  const found = await findRepositories(
    db,
    threads.map((thread) => thread.repository_id),
  );
  const access = await repositoriesAccess(context, found, receiver);
  const visible = found.filter(({ id }) => access.get(id)?.isVisible);
  const issueIds = threads.flatMap((thread) => thread.issue_id ?? []);
  const shapes = await presentRepositories(context, visible, access);
  return {
    repositories: new Map(visible.map((repository) => [repository.id, repository])),
    // The caller's permissions there are not part of a notification.
    shapes: new Map(shapes.map(({ permissions: _, ...shape }) => [shape.id, shape])),
    access,
    issues: new Map((await shownIssues(db, issueIds)).map((issue) => [issue.id, issue])),
    lastComments: await lastCommentsOf(context, issueIds),
  };
}

const shownIssues = preparedIn((db, ids) => db.selectFrom('issues').select(SHOWN).where('id', 'in', ids));
const lastComments = preparedIn((db, issueIds) =>
  db
    .selectFrom('comments')
    .select((select) => ['issue_id', select.fn.max('id').as('last')])
    .where('issue_id', 'in', issueIds)
    .where('kind', '=', 'comment')
    .groupBy('issue_id'),
);

/** The ids of the last comments of issues, by issue. */
async function lastCommentsOf({ db }: Context, issueIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await lastComments(db, issueIds);
  return new Map(rows.map((row) => [row.issue_id, Number(row.last)]));
}

function present(context: Context, thread: NotificationRow, related: Related): Wire {
  const { settings } = context;
  const repository = related.repositories.get(thread.repository_id);
  return {
    id: thread.id,
    repository: related.shapes.get(thread.repository_id) ?? null,
    subject: repository ? subjectOf(context, thread, repository, related) : null,
    unread: thread.status === 'unread',
    pinned: thread.status === 'pinned',
    updated_at: wireTime(thread.updated_at),
    url: joined(settings.server.rootUrl, 'api/v1/notifications/threads/', thread.id),
  };
}

function subjectOf(context: Context, thread: NotificationRow, repository: Repository, related: Related): Subject | null {
  const { settings } = context;
  const page = repositoryHtmlUrl(settings, repository);
  const plain = { latest_comment_url: '', latest_comment_html_url: '', state: '' };
  if (thread.source === 'commit') {
    const url = `${page}/commit/${encodeURIComponent(thread.commit_id)}`;
    return { ...plain, type: 'Commit', title: thread.commit_id, url, html_url: url };
  }
  if (thread.source === 'repository') {
    // The address within the site, as clients know it.
    return { ...plain, type: 'Repository', title: fullName(repository), url: new URL(page).pathname, html_url: page };
  }
  const issue = related.issues.get(thread.issue_id ?? 0);
  const access = related.access.get(repository.id);
  if (!issue || !access) return null;
  // A unit that was turned off for everybody is not a loss of a right: its notifications stay.
  const isOff = !repository.units[issue.is_pull ? 'pulls' : 'issues'];
  if (!isOff && !canReadIssue(access, issue)) return null;
  return issueSubject(context, { ...issue, repository }, related.lastComments.get(issue.id));
}

function issueSubject({ settings }: Context, issue: ShownIssue & Pick<Issue, 'repository'>, lastComment: number | undefined): Subject {
  const page = issueHtmlUrl(settings, issue);
  const known = lastComment !== undefined;
  return {
    title: issue.title,
    url: issueApiUrl(settings, issue),
    latest_comment_url: known ? joined(repositoryApiUrl(settings, issue.repository), '/issues/comments/', lastComment) : '',
    html_url: page,
    latest_comment_html_url: known ? joined(page, '#issuecomment-', lastComment) : '',
    type: issue.is_pull ? 'Pull' : 'Issue',
    state: issue.merged_at !== null ? 'merged' : issue.is_closed ? 'closed' : 'open',
  };
}
