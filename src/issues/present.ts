import type { Repository } from '../access/find-repository.ts';
import { fullName } from '../access/requirements.ts';
import type { User } from '../accounts/users/schema.ts';
import type { Context } from '../context.ts';
import { preparedIn } from '../database/prepared.ts';
import type { AttachmentRow, LabelRow } from '../database/tables/issues.ts';
import { presentOnce } from '../http/present-once.ts';
import { type Shape, wireTime } from '../http/schema.ts';
import { attachmentsOfIssues, presentAttachment } from './attachments/present.ts';
import type { Issue } from './find.ts';
import { presentLabel } from './labels/present.ts';
import type { Label } from './labels/schema.ts';
import { presentMilestone } from './milestones/present.ts';
import type { Milestone } from './milestones/schema.ts';
import { findPeople, presentPeople } from './people.ts';
import type { Issue as IssueShape } from './schema.ts';
import { issueApiUrl, issueHtmlUrl } from './urls.ts';

type Wire = Shape<typeof IssueShape>;

/** Data for the presentation of issues besides their own rows, read for a whole list at once. */
interface Related {
  author: (id: number) => Shape<typeof User>;
  /** As anonymous callers see them. */
  assignee: (id: number) => Shape<typeof User>;
  assignees: ReadonlyMap<number, readonly number[]>;
  labels: ReadonlyMap<number, readonly LabelRow[]>;
  label: (label: LabelRow, repository: Repository) => Shape<typeof Label>;
  milestones: ReadonlyMap<number, Shape<typeof Milestone>>;
  attachments: ReadonlyMap<number, readonly AttachmentRow[]>;
}

/** An issue or pull request on the wire. */
export async function presentIssue(context: Context, issue: Issue): Promise<Wire> {
  return present(context, issue, await relatedOf(context, [issue]));
}

/** {@link presentIssue} for a list, in as many queries as for one. */
export async function presentIssues(context: Context, issues: readonly Issue[]): Promise<Wire[]> {
  if (issues.length === 0) return [];
  const related = await relatedOf(context, issues);
  return issues.map((issue) => present(context, issue, related));
}

/** An issue or a pull request on the wire with its assignees by name: as in some lists, where all others have the order of assignment. */
export function withAssigneesByName<W extends { assignees: { login: string }[] | null }>(wire: W): W {
  const assignees = wire.assignees?.toSorted((a, b) => (a.login < b.login ? -1 : 1)) ?? null;
  return { ...wire, assignees, assignee: assignees?.[0] ?? null };
}

async function relatedOf(context: Context, issues: readonly Issue[]): Promise<Related> {
  const ids = issues.flatMap(({ id, isBare }) => (isBare ? [] : id));
  const [assignees, labels, milestones, attachments] = await Promise.all([
    assigneesOf(context, ids),
    labelsOf(context, ids),
    milestonesOf(context, issues),
    attachmentsOfIssues(context, ids),
  ]);
  const peopleIds = [...issues.map((issue) => issue.author_id), ...[...assignees.values()].flat()];
  const known = [context.actor, ...issues.map(({ repository }) => repository.owner)];
  const people = await findPeople(context.db, peopleIds, known);
  const author = presentPeople(context, people, context.actor);
  const assignee = context.actor ? presentPeople(context, people, null) : author;
  return { author, assignee, assignees, labels, label: presentLabels(context), milestones, attachments };
}

const assignees = preparedIn((db, ids) =>
  db.selectFrom('issue_assignees').select(['issue_id', 'user_id']).where('issue_id', 'in', ids).orderBy('id'),
);
const labelIds = preparedIn((db, ids) => db.selectFrom('issue_labels').select(['issue_id', 'label_id']).where('issue_id', 'in', ids));
const labels = preparedIn((db, ids) => db.selectFrom('labels').selectAll().where('id', 'in', ids), { isCached: true });
const milestones = preparedIn((db, ids) => db.selectFrom('milestones').selectAll().where('id', 'in', ids));

async function assigneesOf({ db }: Context, ids: readonly number[]): Promise<Map<number, number[]>> {
  const rows = await assignees(db, ids);
  const byIssue = new Map<number, number[]>();
  for (const { issue_id: id, user_id: userId } of rows) {
    const known = byIssue.get(id);
    if (known) known.push(userId);
    else byIssue.set(id, [userId]);
  }
  return byIssue;
}

/** The labels of issues, by issue, sorted by name. */
export async function labelsOf({ db }: Pick<Context, 'db'>, ids: readonly number[]): Promise<Map<number, LabelRow[]>> {
  const pairs = await labelIds(db, ids);
  const rows = await labels(
    db,
    pairs.map((pair) => pair.label_id),
  );
  rows.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id));
  const issuesOf = Map.groupBy(pairs, (pair) => pair.label_id);
  const byIssue = new Map<number, LabelRow[]>();
  for (const label of rows) {
    for (const { issue_id: id } of issuesOf.get(label.id) ?? []) {
      const known = byIssue.get(id);
      if (known) known.push(label);
      else byIssue.set(id, [label]);
    }
  }
  return byIssue;
}

async function milestonesOf({ db }: Context, issues: readonly Issue[]): Promise<Related['milestones']> {
  const ids = issues.flatMap((issue) => issue.milestone_id ?? []);
  const rows = await milestones(db, ids);
  return new Map(rows.map((row) => [row.id, presentMilestone(row)]));
}

/** Presents each label once for each repository, whose name is in its URL. */
function presentLabels(context: Context): Related['label'] {
  const byRepository = new Map<number, (label: LabelRow) => Shape<typeof Label>>();
  return (label, repository) => {
    const present = byRepository.get(repository.id) ?? presentOnce((label: LabelRow) => presentLabel(context, label, repository));
    byRepository.set(repository.id, present);
    return present(label);
  };
}

function present(context: Context, issue: Issue, related: Related): Wire {
  const { author, assignee, assignees, labels, label, milestones, attachments } = related;
  const { settings } = context;
  const { repository } = issue;
  const assigned = (assignees.get(issue.id) ?? []).map(assignee);
  return {
    id: issue.id,
    url: issueApiUrl(settings, issue),
    html_url: issueHtmlUrl(settings, issue),
    number: issue.number,
    user: author(issue.author_id),
    original_author: issue.original_author,
    original_author_id: issue.original_author_id,
    title: issue.title,
    body: issue.body,
    ref: issue.ref,
    assets: (attachments.get(issue.id) ?? []).map((attachment) => presentAttachment(context, attachment)),
    labels: (labels.get(issue.id) ?? []).map((row) => label(row, repository)),
    milestone: (issue.milestone_id !== null && milestones.get(issue.milestone_id)) || null,
    assignee: assigned[0] ?? null,
    assignees: assigned.length > 0 ? assigned : null,
    state: issue.is_closed ? 'closed' : 'open',
    is_locked: issue.is_locked,
    comments: issue.comments_count + issue.counted_reviews,
    created_at: wireTime(issue.created_at),
    updated_at: wireTime(issue.updated_at),
    closed_at: issue.closed_at === null ? null : wireTime(issue.closed_at),
    due_date: issue.deadline_at === null ? null : wireTime(issue.deadline_at),
    time_estimate: issue.time_estimate,
    pull_request: issue.is_pull ? presentPull(context, issue) : null,
    repository: { id: repository.id, name: repository.name, owner: repository.owner.name, full_name: fullName(repository) },
    pin_order: issue.pin_order,
    content_version: issue.content_version,
  };
}

function presentPull({ settings }: Context, issue: Issue): NonNullable<Wire['pull_request']> {
  return {
    merged: issue.merged_at !== null,
    merged_at: issue.merged_at === null ? null : wireTime(issue.merged_at),
    draft: isDraftTitle(settings.pulls.workInProgressPrefixes, issue.title),
    html_url: issueHtmlUrl(settings, issue),
  };
}

/** Whether a title marks the pull request as a draft. */
export function isDraftTitle(prefixes: readonly string[], title: string): boolean {
  const upper = title.toUpperCase();
  return prefixes.some((prefix) => upper.startsWith(prefix.toUpperCase()));
}
