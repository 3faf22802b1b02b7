import { findRepositories } from '../../access/find-repository.ts';
import { type RepositoryAccess, repositoriesAccess } from '../../access/repository-access.ts';
import { presentUser } from '../../accounts/users/present.ts';
import type { Context } from '../../context.ts';
import type { CommentRow, LabelRow, MilestoneRow } from '../../database/tables/issues.ts';
import { type Shape, wireTime } from '../../http/schema.ts';
import { presentTeams } from '../../organizations/teams/present.ts';
import type { Team } from '../../organizations/teams/schema.ts';
import { commentUrls, presentComments } from '../comments/present.ts';
import type { Comment } from '../comments/schema.ts';
import { canReadIssue, findIssuesById, type Issue } from '../find.ts';
import { presentLabel } from '../labels/present.ts';
import { presentMilestone } from '../milestones/present.ts';
import { findPeople, type People } from '../people.ts';
import { presentIssues } from '../present.ts';
import type { Issue as IssueShape } from '../schema.ts';
import { presentTimesById } from '../times/present.ts';
import type { TrackedTime } from '../times/schema.ts';
import type { TimelineComment } from './schema.ts';

type Wire = Shape<typeof TimelineComment>;

/** Data for the presentation of timeline rows, read for all at once. */
interface Related {
  people: People;
  milestones: ReadonlyMap<number, MilestoneRow>;
  labels: ReadonlyMap<number, LabelRow>;
  teams: ReadonlyMap<number, Shape<typeof Team>>;
  times: ReadonlyMap<number, Shape<typeof TrackedTime>>;
  /** Only those that the caller may see. */
  issues: ReadonlyMap<number, Shape<typeof IssueShape>>;
  comments: ReadonlyMap<number, Shape<typeof Comment>>;
}

/**
 * Rows of an issue's timeline on the wire. References from repositories that the caller may not read are left out, and so are
 * comments on code, which belong to their reviews.
 */
export async function presentTimeline(context: Context, rows: readonly CommentRow[], issue: Issue): Promise<Wire[]> {
  const shown = rows.filter((row) => row.kind !== 'code');
  const [related, sources] = await Promise.all([relatedOf(context, shown), readableSources(context, shown, issue)]);
  return shown
    .filter((row) => !isForeign(row, issue) || related.issues.has(row.ref_issue_id ?? 0) || sources.has(row.id))
    .map((row) => present(context, row, issue, related));
}

/** Whether a row is a reference from another repository. */
function isForeign({ ref_repository_id: from }: CommentRow, issue: Issue): boolean {
  return from !== null && from !== issue.repository_id;
}

/** The rows about commits of other repositories whose code the caller may read. */
async function readableSources(context: Context, rows: readonly CommentRow[], issue: Issue): Promise<Set<number>> {
  const foreign = rows.filter((row) => row.kind === 'commit_ref' && isForeign(row, issue));
  const repositories = await findRepositories(
    context.db,
    foreign.flatMap((row) => row.ref_repository_id ?? []),
  );
  const access = await repositoriesAccess(context, repositories, context.actor);
  return new Set(foreign.filter((row) => access.get(row.ref_repository_id ?? 0)?.canRead('code')).map(({ id }) => id));
}

async function relatedOf(context: Context, rows: readonly CommentRow[]): Promise<Related> {
  const { db } = context;
  const idsOf = (...columns: (keyof CommentRow)[]) =>
    [...new Set(rows.flatMap((row) => columns.map((column) => row[column])))].filter((id) => typeof id === 'number');
  const milestoneIds = idsOf('old_milestone_id', 'milestone_id');
  const labelIds = idsOf('label_id');
  const teamIds = idsOf('assignee_team_id');
  const [people, milestones, labels, teams, related] = await Promise.all([
    findPeople(db, idsOf('author_id', 'assignee_id', 'resolver_id'), [context.actor]),
    milestoneIds.length === 0 ? [] : db.selectFrom('milestones').selectAll().where('id', 'in', milestoneIds).execute(),
    labelIds.length === 0 ? [] : db.selectFrom('labels').selectAll().where('id', 'in', labelIds).execute(),
    teamIds.length === 0 ? [] : db.selectFrom('teams').selectAll().where('id', 'in', teamIds).execute(),
    readableIssues(context, idsOf('ref_issue_id', 'dependent_issue_id')),
  ]);
  return {
    people,
    milestones: byId(milestones),
    labels: byId(labels),
    teams: byId(await presentTeams(context, teams)),
    times: byId(await presentTimesById(context, idsOf('tracked_time_id'))),
    issues: byId(await presentIssues(context, [...related.values()])),
    comments: byId(await referringComments(context, idsOf('ref_comment_id'), related)),
  };
}

function byId<T extends { id: number }>(rows: readonly T[]): Map<number, T> {
  return new Map(rows.map((row) => [row.id, row]));
}

async function readableIssues(context: Context, ids: readonly number[]): Promise<Map<number, Issue>> {
  const issues = await findIssuesById(context.db, ids);
  const repositories = new Map([...issues.values()].map(({ repository }) => [repository.id, repository]));
  const access: Map<number, RepositoryAccess> = await repositoriesAccess(context, [...repositories.values()], context.actor);
  for (const issue of issues.values()) {
    const own = access.get(issue.repository_id);
    if (!own || !canReadIssue(own, issue)) issues.delete(issue.id);
  }
  return issues;
}

async function referringComments(context: Context, ids: readonly number[], issues: ReadonlyMap<number, Issue>) {
  if (ids.length === 0) return [];
  const rows = await context.db
    .selectFrom('comments')
    .selectAll()
    .where('id', 'in', [...ids])
    .execute();
  const readable = rows.flatMap((comment) => {
    const issue = issues.get(comment.issue_id);
    return issue ? [{ comment, issue }] : [];
  });
  return presentComments(context, readable);
}

function present(context: Context, row: CommentRow, issue: Issue, related: Related): Wire {
  const { people, milestones, labels, teams, times, issues, comments } = related;
  const user = (id: number | null) => (id === null ? null : presentUser(context, people(id), null));
  const milestone = (id: number | null) => {
    const found = milestones.get(id ?? 0);
    return found ? presentMilestone(found) : null;
  };
  const label = labels.get(row.label_id ?? 0);
  return {
    id: row.id,
    type: row.kind,
    ...commentUrls(context, row, issue),
    user: user(row.author_id),
    body: row.body,
    created_at: wireTime(row.created_at),
    updated_at: wireTime(row.updated_at),
    old_project_id: row.old_project_id ?? 0,
    project_id: row.project_id ?? 0,
    old_milestone: milestone(row.old_milestone_id),
    milestone: milestone(row.milestone_id),
    tracked_time: times.get(row.tracked_time_id ?? 0) ?? null,
    old_title: row.old_title,
    new_title: row.new_title,
    old_ref: row.old_ref,
    new_ref: row.new_ref,
    ref_issue: issues.get(row.ref_issue_id ?? 0) ?? null,
    ref_comment: comments.get(row.ref_comment_id ?? 0) ?? null,
    ref_action: row.ref_effect,
    ref_commit_sha: row.commit_id,
    review_id: row.review_id ?? 0,
    label: label ? presentLabel(context, label, issue.repository) : null,
    assignee: user(row.assignee_id),
    assignee_team: teams.get(row.assignee_team_id ?? 0) ?? null,
    removed_assignee: row.is_removal,
    resolve_doer: user(row.resolver_id),
    dependent_issue: issues.get(row.dependent_issue_id ?? 0) ?? null,
  };
}
