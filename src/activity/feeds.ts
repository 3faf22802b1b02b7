import { type Expression, type SqlBool, sql } from 'kysely';
import { isOrganizationMember } from '../access/find-organization.ts';
import type { Repository } from '../access/find-repository.ts';
import { visibleRepositories } from '../access/repository-access.ts';
import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';
import type { ActivityRow, ActivityType } from '../database/tables/activity.ts';
import type { Team } from '../database/tables/organizations.ts';
import type { UnitName } from '../database/tables/repositories.ts';
import type { Page } from '../http/paging.ts';
import { readableRepositories } from '../issues/search/readable.ts';

/** Which unit has to be readable for an activity to be seen; the others are of the repository as a whole. */
const UNITS: Readonly<Partial<Record<UnitName, readonly ActivityType[]>>> = {
  code: ['commit_repo', 'push_tag', 'delete_tag', 'delete_branch', 'mirror_sync_push', 'mirror_sync_create', 'mirror_sync_delete'],
  issues: ['create_issue', 'close_issue', 'reopen_issue', 'comment_issue'],
  pulls: [
    'create_pull_request',
    'close_pull_request',
    'reopen_pull_request',
    'comment_pull',
    'approve_pull_request',
    'reject_pull_request',
    'merge_pull_request',
    'auto_merge_pull_request',
  ],
};
const DAY = 24 * 3600;

/** Which feed is requested: of a user or an organization, narrowed to a team's repositories, or of a repository. */
export interface FeedFilter {
  owner?: User | undefined;
  team?: Team | undefined;
  repository?: Repository | undefined;
  /** Only actions of the owner. */
  onlyPerformed?: boolean | undefined;
  /** `YYYY-MM-DD` in UTC; invalid dates are ignored, as clients expect. */
  date?: string | undefined;
  /** Whether to include private repositories, as far as the caller may read them. */
  withPrivate: boolean;
}

/** An activity in somebody's feed. */
export interface FeedRow extends ActivityRow {
  user_id: number;
}

/** A page of a feed, latest first, with the activities that the caller may see now. */
export async function listFeed(context: Context, filter: FeedFilter, page: Page): Promise<{ activities: FeedRow[]; total: number }> {
  const { owner, repository } = filter;
  const span = daySpan(filter.date);
  const found = seen(context, filter)
    .where((where) =>
      // A comment that was deleted takes its activity with it.
      where.or([
        where('activities.comment_id', 'is', null),
        where.exists(where.selectFrom('comments').select(sql`1`.as('one')).whereRef('comments.id', '=', 'activities.comment_id')),
      ]),
    )
    .$if(repository !== undefined, (rows) => rows.where('activities.repository_id', '=', repository?.id ?? 0))
    .$if(span !== undefined, (rows) =>
      rows.where('activities.created_at', '>=', span ?? 0).where('activities.created_at', '<', (span ?? 0) + DAY),
    );
  const [{ total }, activities] = await Promise.all([
    found.select((select) => select.fn.countAll().as('total')).executeTakeFirstOrThrow(),
    found.selectAll('activities').orderBy('activities.id', 'desc').limit(page.limit).offset(page.offset).execute(),
  ]);
  const ordered = filter.onlyPerformed ? activities : bySecond(activities, repository !== undefined);
  return { activities: ordered.map((row) => ({ ...row, user_id: owner?.id ?? row.actor_id })), total: Number(total) };
}

/**
 * The latest second first, but what is of one second in the order in which it happened, as clients know it; in the feed of a repository
 * what one person did stands together there.
 */
function bySecond(latestFirst: readonly ActivityRow[], byActor: boolean): ActivityRow[] {
  const actors = (a: ActivityRow, b: ActivityRow) => (byActor ? a.actor_id - b.actor_id : 0);
  return latestFirst.toSorted((a, b) => b.created_at - a.created_at || actors(a, b) || a.id - b.id);
}

/** Whether the caller is shown the private part of an organization's feed. */
export async function seesPrivateFeed({ db, actor }: Context, organization: User): Promise<boolean> {
  return actor !== null && (actor.is_admin || (await isOrganizationMember(db, organization.id, actor.id)));
}

/** The activities of a feed that the caller may see. */
export function seen(context: Context, { owner, team, onlyPerformed, withPrivate }: FeedFilter) {
  const { db, actor } = context;
  return db
    .selectFrom('activities')
    .where(readable(context, withPrivate))
    .$if(owner !== undefined, (rows) =>
      rows.where('activities.id', 'in', (of) =>
        of
          .selectFrom('activity_feeds')
          .select('activity_id')
          .where('user_id', '=', owner?.id ?? 0),
      ),
    )
    .$if(onlyPerformed === true, (rows) => rows.where('activities.actor_id', '=', owner?.id ?? 0))
    .$if(team !== undefined, (rows) =>
      rows.where('activities.repository_id', 'in', (of) =>
        of
          .selectFrom('team_repositories')
          .select('repository_id')
          .where('team_id', '=', team?.id ?? 0),
      ),
    )
    .$if(!actor?.is_admin && !(actor && owner && actor.id === owner.id), (rows) => rows.where(isShown(context, owner)));
}

/** Whether its actor lets the caller see an activity. */
function isShown({ db, actor }: Context, owner: User | undefined): Expression<SqlBool> {
  const visibleActor = db
    .selectFrom('users')
    .select(sql`1`.as('one'))
    .where(sql<SqlBool>`users.id = activities.actor_id`)
    .where((where) => {
      const open = where('keep_activity_private', '=', false);
      if (!actor) return where.and([open, where('visibility', '=', 'public')]);
      const own = owner?.type === 'organization' ? [actor.id, owner.id] : [actor.id];
      return where.or([where.and([open, where('visibility', '!=', 'private')]), where('users.id', 'in', own)]);
    });
  return sql<SqlBool>`exists ${visibleActor}`;
}

/** The rules of access/repository-access.ts for where an activity happened, with the unit that it is of. */
function readable(context: Context, withPrivate: boolean): Expression<SqlBool> {
  const { db, actor, signIn } = context;
  const publicOnly = signIn.token?.publicOnly ?? false;
  const here = sql<SqlBool>`repositories.id = activities.repository_id`;
  const any = db
    .selectFrom('repositories')
    .innerJoin('users', 'users.id', 'repositories.owner_id')
    .where(here)
    .where(visibleRepositories(actor, { publicOnly }))
    .$if(!withPrivate, (rows) => rows.where('repositories.is_private', '=', false))
    .select(sql`1`.as('one'));
  const ofUnits = Object.entries(UNITS) as [UnitName, readonly ActivityType[]][];
  const units = ofUnits.map(([unit, types]) => {
    const having = readableRepositories(context, unit, { publicOnly: false }).where(here).select(sql`1`.as('one'));
    return sql<SqlBool>`(activities.type not in (${sql.join(types.map((type) => sql.lit(type)))}) or exists ${having})`;
  });
  return sql<SqlBool>`exists ${any} and ${sql.join(units, sql` and `)}`;
}

/** The first second of a day. */
function daySpan(date: string | undefined): number | undefined {
  if (!date || !/^\d{4}-\d\d-\d\d$/.test(date)) return undefined;
  const start = new Date(`${date}T00:00:00Z`);
  // JavaScript takes the 31st of February for a day of March.
  return !Number.isNaN(start.getTime()) && start.toISOString().startsWith(date) ? start.getTime() / 1000 : undefined;
}
