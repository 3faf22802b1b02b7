import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';

/** Maximum number of rows of one list; later ones are left out. */
const MAX_ROWS = 1000;

/** The range of days: from the beginning of the first to the end of the last, in seconds since 1970. */
export interface WorkSpan {
  readonly since: number;
  readonly before: number;
}

/** The sum of tracked time of a group, in seconds. */
export interface SpentTime {
  /** Of the repository; empty for a member. */
  readonly repository: string;
  /** Of the member. */
  readonly member: string;
  /** Null for issues without one. */
  readonly milestone: { readonly id: number; readonly title: string } | null;
  readonly seconds: number;
}

/** The ways to group the tracked time of an organization. */
export const WORK_GROUPS = ['repositories', 'milestones', 'members'] as const;
export type WorkGroup = (typeof WORK_GROUPS)[number];

/** The time tracked on issues of an organization's repositories, by when the work was done. */
export async function timeInOrganization(context: Context, organization: User, span: WorkSpan, by: WorkGroup): Promise<SpentTime[]> {
  if (by === 'members') return timeByMember(context, organization, span);
  return by === 'milestones' ? timeByMilestone(context, organization, span) : timeByRepository(context, organization, span);
}

function spentIn({ db }: Context, { id }: User, { since, before }: WorkSpan) {
  return db
    .selectFrom('tracked_times')
    .innerJoin('issues', 'issues.id', 'tracked_times.issue_id')
    .innerJoin('repositories', 'repositories.id', 'issues.repository_id')
    .where('repositories.owner_id', '=', id)
    .where('tracked_times.is_deleted', '=', false)
    .where('tracked_times.worked_at', '>=', since)
    .where('tracked_times.worked_at', '<', before)
    .select(({ fn }) => fn.sum<number | string>('tracked_times.seconds').as('seconds'))
    .limit(MAX_ROWS);
}

async function timeByRepository(context: Context, organization: User, span: WorkSpan): Promise<SpentTime[]> {
  const rows = await spentIn(context, organization, span)
    .select('repositories.name')
    .groupBy(['repositories.name', 'repositories.lower_name'])
    .orderBy('repositories.lower_name')
    .execute();
  return rows.map(({ name, seconds }) => ({ repository: name, member: '', milestone: null, seconds: Number(seconds) }));
}

/** Grouped by repository, the earliest deadline first. */
async function timeByMilestone(context: Context, organization: User, span: WorkSpan): Promise<SpentTime[]> {
  const rows = await spentIn(context, organization, span)
    .leftJoin('milestones', 'milestones.id', 'issues.milestone_id')
    .select(['repositories.name', 'milestones.id as milestone_id', 'milestones.title', 'milestones.deadline_at'])
    .groupBy(['repositories.name', 'repositories.lower_name', 'milestones.id', 'milestones.title', 'milestones.deadline_at'])
    .orderBy('repositories.lower_name')
    .orderBy((order) => order.fn.coalesce('milestones.deadline_at', order.val(Number.MAX_SAFE_INTEGER)))
    .orderBy((order) => order.fn.coalesce('milestones.id', order.val(Number.MAX_SAFE_INTEGER)))
    .execute();
  return rows.map(({ name, milestone_id: id, title, seconds }) => ({
    repository: name,
    member: '',
    milestone: id === null ? null : { id, title: title ?? '' },
    seconds: Number(seconds),
  }));
}

/** The member with the most time first. */
async function timeByMember(context: Context, organization: User, span: WorkSpan): Promise<SpentTime[]> {
  const rows = await spentIn(context, organization, span)
    .innerJoin('users', 'users.id', 'tracked_times.user_id')
    .select('users.name')
    .groupBy('users.name')
    .orderBy('seconds', 'desc')
    .orderBy('users.name')
    .execute();
  return rows.map(({ name, seconds }) => ({ repository: '', member: name, milestone: null, seconds: Number(seconds) }));
}
