import type { Repository } from '../../access/find-repository.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { IssueRow } from '../../database/tables/issues.ts';
import type { Events, EventType, IssueAmid, IssueEvent } from '../../events/events.ts';
import { findIssuesById, type Issue } from '../../issues/find.ts';
import { inOrderOfCreation, presentLabel } from '../../issues/labels/present.ts';
import { findPeople, presentPeople } from '../../issues/people.ts';
import { isDraftTitle, presentIssue } from '../../issues/present.ts';
import { findPullOfIssue } from '../../pulls/find.ts';
import { presentKnownPull } from '../../pulls/present.ts';
import { enqueueDeliveries, type Receivers } from '../deliveries/enqueue.ts';
import type { DeliveredEvent } from '../deliveries/events.ts';
import type { CommittingEvent } from './at-commit.ts';
import { actorOf, asSeenBy, presentSender } from './people.ts';
import { repositoryFor, repositoryForOwner } from './repositories.ts';

interface Counted {
  all?: number;
  closed?: number;
}

/** A change of an issue or a pull request, for its payload. */
interface IssueChange {
  /** Of which kind it is, for issues and for pull requests. */
  kind: '' | '_assign' | '_label' | '_milestone' | '_sync';
  action: string;
  changes?: { title?: { from: string }; body?: { from: string }; ref?: { from: string } };
  commitId?: string;
  /** The values at the time of the event: the same request may have changed more since. */
  as?: Partial<IssueRow>;
  /** How many more issues are there, and are closed, since: the repository is shown with the counts from before, as clients know it. */
  counted?: Counted;
  /** The same for the repository of the payload, if its counts are others than those of the sides of a pull request. */
  ofRepository?: Counted;
  /** The same of its milestone. */
  countedInMilestone?: Counted;
  /** The assignees at that time, if more was changed since. */
  assigneeIds?: readonly number[];
  /** Labels to show instead of those that it has. */
  labelIds?: readonly number[];
  /** Whether it is part of the opening, which shows the labels in the order of their creation. */
  isOpening?: boolean;
  /** The one file to show. */
  fileId?: number;
  /** The user whose permissions the repository shows: the actor, the author, all, or an anonymous visitor. */
  rightsOf: 'actor' | 'author' | 'owner' | 'everybody';
}

type IssueEventType = {
  [T in EventType]: Events[T] extends IssueEvent ? T : never;
}[EventType];

const CHANGES: { [T in IssueEventType]?: (payload: Events[T], issue: Issue) => IssueChange[] } = {
  'issue.opened': () => [{ kind: '', action: 'opened', rightsOf: 'author' }],
  'issue.edited': ({ oldTitle, oldBody, fileId }, { content_version: version }) => [
    ...(oldTitle === undefined
      ? []
      : [
          {
            ...edited({ title: { from: oldTitle } }),
            ...(oldBody !== undefined && { as: { body: oldBody, content_version: version - 1 } }),
          },
        ]),
    ...(oldBody === undefined
      ? []
      : [{ ...edited({ body: { from: oldBody } }), ...(fileId !== undefined && { fileId, rightsOf: 'everybody' as const }) }]),
  ],
  // A merge has a separate event.
  'issue.closed': ({ commitId }, issue) => (issue.merged_at === null ? [stateChanged('closed', 1, commitId)] : []),
  'issue.reopened': ({ commitId }) => [stateChanged('reopened', -1, commitId)],
  // For an issue that lost all its labels, clients expect the removed ones.
  'issue.labels-changed': ({ cleared, removed, isSilent = false }, { is_pull: isPull }) => {
    if (isSilent) return [];
    if (cleared) return [{ kind: '_label', action: 'label_cleared', rightsOf: 'author', ...(!isPull && { labelIds: removed }) }];
    return [{ kind: '_label', action: 'label_updated', rightsOf: isPull ? 'owner' : 'author' }];
  },
  'issue.milestone-changed': ({ milestoneId }, { is_closed: isClosed }) => [
    {
      kind: '_milestone',
      action: milestoneId === null ? 'demilestoned' : 'milestoned',
      as: { milestone_id: milestoneId },
      ...(milestoneId !== null && { countedInMilestone: { all: 1, closed: isClosed ? 1 : 0 } }),
      rightsOf: 'actor',
    },
  ],
  'issue.assigned': ({ assigneeIds }) => [{ kind: '_assign', action: 'assigned', assigneeIds, rightsOf: 'actor' }],
  'issue.unassigned': ({ assigneeIds }) => [{ kind: '_assign', action: 'unassigned', assigneeIds, rightsOf: 'actor' }],
  'pull.synchronized': () => [{ kind: '_sync', action: 'synchronized', rightsOf: 'owner' }],
  'pull.retargeted': ({ oldBase }) => [edited({ ref: { from: oldBase } })],
  'pull.merged': () => [{ kind: '', action: 'closed', rightsOf: 'actor' }],
};

/** The events about issues and pull requests that are delivered here. */
export const ISSUE_EVENTS = Object.keys(CHANGES) as IssueEventType[];

function edited(changes: NonNullable<IssueChange['changes']>): IssueChange {
  return { kind: '', action: 'edited', changes, rightsOf: 'author' };
}

function stateChanged(action: string, closed: number, commitId?: string): IssueChange {
  return {
    kind: '',
    action,
    counted: { closed },
    // A commit closes it before its milestone is shown.
    ...(commitId === undefined ? { countedInMilestone: { closed } } : { commitId }),
    rightsOf: 'author',
  };
}

/**
 * If an issue begins with labels and the like, clients get the counts from before, except for the repository of a draft; only an
 * immediate close shows it so.
 */
function whileOpening({ is_pull: isPull, is_closed: isClosed }: Issue, isDraft: boolean, given: IssueChange): IssueChange {
  const { assigneeIds, ...unassigned } = given;
  // A pull request is opened with all its assignees.
  const change = isPull ? unassigned : given;
  const counted = { all: 1, closed: isClosed ? 1 : 0 };
  const opening = { ...change, counted, countedInMilestone: counted, isOpening: true, ...(isDraft && { ofRepository: {} }) };
  return change.action === 'closed' ? opening : { ...opening, as: { is_closed: false, closed_at: null } };
}

/** One request may make several changes: the payload of each shows the state before the next. The state comes last. */
function amidOthers(now: Issue, amid: IssueAmid, change: IssueChange): IssueChange {
  const { assigneeIds, labelIds, hasNewMilestone, ...columns } = amid;
  const [closed, wasClosed] = [now.is_closed ? 1 : 0, amid.is_closed ? 1 : 0];
  if (change.kind === '' && change.action !== 'edited')
    return hasNewMilestone ? { ...change, countedInMilestone: { all: 1, closed } } : change;
  const counted = { closed: closed - wasClosed };
  const countedInMilestone = amid.milestone_id === now.milestone_id ? counted : { all: -1, closed: -wasClosed };
  const lists = { ...(assigneeIds && { assigneeIds }), ...(labelIds && { labelIds }) };
  return { counted, countedInMilestone, ...lists, ...change, as: { ...columns, ...change.as } };
}

/** Delivers a change of an issue or a pull request. */
export async function enqueueIssue<T extends IssueEventType>(
  event: CommittingEvent<T>,
  context: Context,
  receivers: Receivers,
): Promise<void> {
  const payload = event.payload as Events[T] & IssueEvent;
  const issue = (await findIssuesById(context.db, [payload.issueId])).get(payload.issueId);
  if (!issue) return;
  const actor = await actorOf(context, payload.actorId);
  const changes = CHANGES[event.type]?.(payload, issue) ?? [];
  const opening = (change: IssueChange) => (payload.isNew ? whileOpening(issue, isDraft(context, issue), change) : change);
  const among = (change: IssueChange) => (payload.amid ? amidOthers(issue, payload.amid, change) : change);
  const completion = issue.is_pull && ({ kind: 'pull' } as const);
  for (const change of changes.map(opening).map(among)) {
    const payload = (viewer?: User) => about(context, issue, actor, change, viewer);
    await enqueueDeliveries(context, receivers, { event: eventOf(issue, change.kind), payload, ...(completion && { completion }) });
  }
}

/** Whether it is a pull request that is not ready yet. */
export function isDraft({ settings }: Pick<Context, 'settings'>, { is_pull: isPull, title }: Issue): boolean {
  return isPull && isDraftTitle(settings.pulls.workInProgressPrefixes, title);
}

function eventOf({ is_pull: isPull }: Issue, kind: IssueChange['kind']): DeliveredEvent {
  if (isPull || kind === '_sync') return `pull_request${kind}`;
  return kind === '' ? 'issues' : `issue${kind}`;
}

async function about(context: Context, now: Issue, actor: User, change: IssueChange, viewer: User = actor) {
  const { action, changes, commitId, as, counted, ofRepository = counted, rightsOf } = change;
  const issue = { ...now, ...as, repository: countedBefore(now.repository, now.is_pull, counted) };
  const repository = countedBefore(now.repository, now.is_pull, ofRepository);
  const rights = await whoseRights(context, issue, actor, rightsOf);
  const matter = await asItWas(context, repository, await presentMatter(context, issue, issue.is_pull ? viewer : actor), change);
  return {
    action,
    number: issue.number,
    // Labels are never in `changes`, but clients look for them there.
    ...(changes && { changes: { ...changes, added_labels: null, removed_labels: null } }),
    ...inMilestoneBefore(change.isOpening ? withFirstLabels(matter) : matter, change.countedInMilestone),
    repository: rightsOf === 'owner' ? await repositoryForOwner(context, repository) : await repositoryFor(context, repository, rights),
    sender: presentSender(context, actor),
    commit_id: commitId ?? '',
    ...(issue.is_pull && { review: null }),
  };
}

async function whoseRights(
  context: Context,
  { author_id: authorId }: Issue,
  actor: User,
  of: IssueChange['rightsOf'],
): Promise<User | null> {
  if (of === 'everybody') return null;
  return of === 'author' && actor.id !== authorId ? await actorOf(context, authorId) : actor;
}

/** The repository with the counts from before a change. */
export function countedBefore(repository: Repository, isPull: boolean, { all = 0, closed = 0 }: Counted = {}): Repository {
  if (isPull) {
    return { ...repository, pulls_count: repository.pulls_count - all, closed_pulls_count: repository.closed_pulls_count - closed };
  }
  return { ...repository, issues_count: repository.issues_count - all, closed_issues_count: repository.closed_issues_count - closed };
}

type Matter = Awaited<ReturnType<typeof presentMatter>>;

/** The issue or the pull request with the assignees and the labels of the payload. */
async function asItWas(context: Context, repository: Repository, matter: Matter, change: IssueChange): Promise<Matter> {
  const { assigneeIds, labelIds, fileId } = change;
  const { issue, pull_request: pull } = matter;
  if (fileId !== undefined && issue) return { issue: { ...issue, assets: issue.assets.filter(({ id }) => id === fileId) } };
  const assigned = assigneeIds?.map(presentPeople(context, await findPeople(context.db, assigneeIds), null));
  const labels = labelIds && (await labelsOf(context, repository, labelIds));
  const people = assigned && { assignee: assigned[0] ?? null, assignees: issue && assigned.length === 0 ? null : assigned };
  if (issue) return { issue: { ...issue, ...people, ...(labels && { labels }) } };
  return { ...matter, pull_request: pull && { ...pull, ...people, ...(labels && { labels }) } };
}

async function labelsOf(context: Context, repository: Repository, ids: readonly number[]) {
  if (ids.length === 0) return [];
  const labels = context.db.selectFrom('labels').selectAll().where('id', 'in', ids);
  const rows = await labels.orderBy('name').orderBy('id').execute();
  return rows.map((label) => presentLabel(context, label, repository));
}

/** The issue or the pull request with the counts of its milestone from before a change. */
export function inMilestoneBefore(matter: Matter, { all = 0, closed = 0 }: Counted = {}): Matter {
  const { milestone } = matter.issue ?? matter.pull_request ?? {};
  if (!milestone) return matter;
  const before = { ...milestone, open_issues: milestone.open_issues - all + closed, closed_issues: milestone.closed_issues - closed };
  if (matter.issue) return { issue: { ...matter.issue, milestone: before } };
  return { ...matter, pull_request: matter.pull_request && { ...matter.pull_request, milestone: before } };
}

/** The issue or the pull request that is being opened, with its labels in the order of their creation. */
export function withFirstLabels(matter: Matter): Matter {
  if (matter.issue) return { issue: { ...matter.issue, labels: inOrderOfCreation(matter.issue.labels) } };
  const { pull_request: pull } = matter;
  return { ...matter, pull_request: pull && { ...pull, labels: inOrderOfCreation(pull.labels) } };
}

/** The issue or the pull request under its name in payloads; the latter is to be completed. */
export async function presentMatter(context: Context, issue: Issue, actor: User) {
  if (!issue.is_pull) return { issue: await presentIssue(asSeenBy(context, actor), issue) };
  const pull = await findPullOfIssue(context.db, issue);
  return { pull_request: pull ? await presentKnownPull(asSeenBy(context, actor), pull) : null, requested_reviewer: null };
}
