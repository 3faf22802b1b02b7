import { findUser } from '../../access/find-user.ts';
import type { LoadedRepository } from '../../access/load.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { FormFields } from '../../http/bodies/fields.ts';
import { ISSUE_ORDERS, type IssueFilter, type IssueOrder } from '../../issues/issue-filter.ts';
import { usableLabels } from '../../issues/issue-labels/issue-labels.ts';
import { readState, readWords } from '../../issues/list-query.ts';
import { offeredProjects } from '../../projects/of-issues.ts';

/** The filter and order of a list of issues, as in the URL. */
export interface ListChoice {
  readonly state: 'open' | 'closed' | 'all';
  /** Ids of labels: only issues that have all of them. */
  readonly labels: readonly number[];
  /** Ids of labels: only issues that have none of them. */
  readonly withoutLabels: readonly number[];
  /** Only issues without labels. */
  readonly isUnlabelled: boolean;
  readonly milestone: number | 'none' | undefined;
  /** The id of a board. */
  readonly project: number | 'none' | undefined;
  /** Names of users; empty for everybody. */
  readonly poster: string;
  /** A name, {@link NOBODY} or {@link SOMEBODY}. */
  readonly assignee: string;
  readonly mentioned: string;
  /** The user's role as a reviewer. */
  readonly review: ReviewChoice | undefined;
  /** Whether the menu of labels has the archived ones too. */
  readonly archivedLabels: boolean;
  readonly q: string;
  readonly sort: IssueOrder;
}

/** Means "nobody" in a filter by user. */
export const NOBODY = '(none)';
/** Means "anybody" in a filter by user. */
export const SOMEBODY = '(any)';

export const REVIEW_CHOICES = ['review_requested', 'reviewed_by'] as const;
export type ReviewChoice = (typeof REVIEW_CHOICES)[number];

/** The orders by other names: Gitea's and those of saved filters. */
const OTHER_ORDERS: Readonly<Record<string, IssueOrder>> = {
  latest: 'newest',
  'recently-updated': 'recentupdate',
  'least-recently-updated': 'leastupdate',
};
const MAX_LABELS = 50;
const NO_USER = 0;
const NO_PROJECT = 0;

/** Parses the filter from the query of a URL; invalid values are ignored. @param reader the user that `type` refers to, as in Gitea's links */
export function readChoice(fields: FormFields, reader: User | null): ListChoice {
  const text = (name: string) => (fields.get(name) ?? '').trim().slice(0, 1000);
  const ids = text('labels')
    .split(',')
    .filter((id) => /^-?\d{1,15}$/.test(id))
    .slice(0, MAX_LABELS);
  const idOrNone = (name: string) => (text(name) === '-1' ? 'none' : /^[1-9]\d{0,14}$/.test(text(name)) ? Number(text(name)) : undefined);
  const [state, type, sort] = [text('state'), text('type'), text('sort')];
  const person = (name: string, own: string) => (type === own && reader ? reader.name : text(name));
  return {
    state: state === 'closed' || state === 'all' ? state : 'open',
    labels: ids.map(Number).filter((id) => id > 0),
    isUnlabelled: ids.length === 1 && Number(ids[0]) === 0,
    withoutLabels: ids.filter((id) => id.startsWith('-')).map((id) => -Number(id)),
    milestone: idOrNone('milestone'),
    project: idOrNone('project'),
    poster: person('poster', 'created_by'),
    assignee: person('assignee', 'assigned'),
    mentioned: person('mentioned', 'mentioned'),
    review: reader ? REVIEW_CHOICES.find((choice) => choice === type) : undefined,
    archivedLabels: /^(?:1|true|on)$/.test(text('archived_labels')),
    q: text('q'),
    sort: ISSUE_ORDERS.find((order) => order === sort) ?? OTHER_ORDERS[sort] ?? 'newest',
  };
}

/** The query of a filter: `?state=closed`; empty for the default list. */
export function choiceQuery(choice: ListChoice): string {
  const query = choiceFields(choice);
  return query.length === 0 ? '' : `?${query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
}

/** The choice as fields of a form. */
export function choiceFields({
  state,
  labels,
  withoutLabels,
  isUnlabelled,
  milestone,
  project,
  review,
  archivedLabels,
  sort,
  ...texts
}: ListChoice): (readonly [string, string])[] {
  const ids = [...labels, ...withoutLabels.map((id) => -id)].join(',');
  const all: (readonly [string, string])[] = [
    ['q', texts.q],
    ['state', state === 'open' ? '' : state],
    ['labels', isUnlabelled ? '0' : ids],
    ['milestone', milestone === 'none' ? '-1' : String(milestone ?? '')],
    ['project', project === 'none' ? '-1' : String(project ?? '')],
    ['poster', texts.poster],
    ['assignee', texts.assignee],
    ['mentioned', texts.mentioned],
    ['type', review ?? ''],
    ['archived_labels', archivedLabels ? 'true' : ''],
    ['sort', sort === 'newest' ? '' : sort],
  ];
  return all.filter(([, value]) => value !== '');
}

/** Whether anything is chosen besides the state and the order. */
export function isFiltered(choice: ListChoice): boolean {
  return choiceFields({ ...choice, state: 'open', sort: 'newest', archivedLabels: false }).length > 0;
}

/** The database filter in a repository. A user who does not exist has no issues. */
export async function filterOf(
  context: Context,
  { repository, access }: LoadedRepository,
  choice: ListChoice,
  isPull: boolean,
): Promise<IssueFilter> {
  const { project } = choice;
  const labels = await usableLabels(context, { repository }, choice.labels);
  const { without = [], ...ofCards } = await cardFilter(context, choice);
  return {
    ...ofCards,
    isPull,
    ...(choice.review && { [choice.review === 'reviewed_by' ? 'reviewedById' : 'reviewRequestedId']: context.actor?.id }),
    isClosed: readState(choice.state),
    labels: labels.map(({ id }) => [id]),
    ...(typeof project === 'number' && { projectId: await projectId(context, { repository, access }, project) }),
    without: [...(project === 'none' ? ['project' as const] : []), ...without],
    authorId: await userId(context, choice.poster),
    mentionedId: await userId(context, choice.mentioned),
  };
}

/** The part of a filter that boards have too: words, labels, milestone and assignee. Labels that do not exist are on no issue. */
export async function cardFilter(
  context: Context,
  choice: Pick<ListChoice, 'q' | 'labels' | 'withoutLabels' | 'isUnlabelled' | 'milestone' | 'assignee'>,
): Promise<IssueFilter> {
  const { q, labels, withoutLabels, isUnlabelled, milestone, assignee } = choice;
  const lacks = { milestone: milestone === 'none', assignee: assignee === NOBODY, label: isUnlabelled };
  return {
    words: readWords(q),
    labels: labels.map((id) => [id]),
    ...(withoutLabels.length > 0 && { withoutLabels }),
    ...(typeof milestone === 'number' && { milestoneIds: [milestone] }),
    without: (['milestone', 'assignee', 'label'] as const).filter((property) => lacks[property]),
    ...(assignee === SOMEBODY && { isAssigned: true }),
    assigneeId: assignee === NOBODY || assignee === SOMEBODY ? undefined : await userId(context, assignee),
  };
}

/** The id of a board that the reader may see; one that no board has for others. */
async function projectId(context: Context, { repository, access }: LoadedRepository, id: number): Promise<number> {
  return (await offeredProjects(context, repository, access)).some((project) => project.id === id) ? id : NO_PROJECT;
}

/** The id of a user by the name in a filter: that of nobody for a name that nobody has, undefined for an empty one. */
export async function userId({ db }: Pick<Context, 'db'>, name: string): Promise<number | undefined> {
  if (name === '') return undefined;
  // Gitea's links name assignees by their ids.
  return (await findUser(db, name))?.id ?? (/^\d{1,15}$/.test(name) ? Number(name) : NO_USER);
}
