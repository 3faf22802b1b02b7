import { type SqlBool, sql } from 'kysely';
import { findRepositories, type Repository } from '../../access/find-repository.ts';
import { isCollaborator, isInTeam } from '../../access/repository-rights.ts';
import { signedInActor } from '../../accounts/sign-in/actor.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { MilestoneRow } from '../../database/tables/issues.ts';
import type { UnitName } from '../../database/tables/repositories.ts';
import type { Page } from '../../http/paging.ts';
import { readableRepositories } from '../search/readable.ts';
import { type MilestoneFilter, namedLike } from './milestones.ts';
import { type MilestoneOrder, milestoneOrder } from './order.ts';

/** The filter of a list of milestones of several repositories. */
export interface WideMilestoneFilter extends MilestoneFilter {
  /** Only repositories of this organization; otherwise those that the caller owns or has a right in. */
  readonly organization?: User | undefined;
}

/** A milestone and its repository. */
export interface WideMilestone {
  readonly milestone: MilestoneRow;
  readonly repository: Repository;
}

/** The milestones of the caller's repositories, or of those of an organization that the caller may read. */
export async function listMilestonesEverywhere(
  context: Context,
  { organization, isClosed, name }: WideMilestoneFilter,
  page: Page,
  order: MilestoneOrder,
): Promise<{ milestones: WideMilestone[]; total: number }> {
  const matching = context.db
    .selectFrom('milestones')
    .where((where) =>
      where.or(
        (['issues', 'pulls'] as const).map(
          (unit) => sql<SqlBool>`milestones.repository_id in (${repositoriesOf(context, unit, organization)})`,
        ),
      ),
    )
    .$if(isClosed !== undefined, (milestones) => milestones.where('is_closed', '=', isClosed ?? false))
    .$if(!!name, (milestones) => milestones.where(namedLike(name ?? '')));
  const rows = await matching.selectAll('milestones').orderBy(milestoneOrder(order)).limit(page.limit).offset(page.offset).execute();
  const { count } = await matching.select((select) => select.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  const repositories = await findRepositories(context.db, [...new Set(rows.map((row) => row.repository_id))]);
  const milestones = rows.flatMap((milestone) => {
    const repository = repositories.find(({ id }) => id === milestone.repository_id);
    return repository ? [{ milestone, repository }] : [];
  });
  return { milestones, total: Number(count) };
}

function repositoriesOf(context: Context, unit: UnitName, organization: User | undefined) {
  const actor = signedInActor(context);
  return readableRepositories(context, unit, organization ? { ownerId: organization.id } : {})
    .where('repositories.is_archived', '=', false)
    .$if(organization === undefined, (repositories) =>
      repositories.where((where) =>
        where.or([where('repositories.owner_id', '=', actor.id), isCollaborator(where, actor), isInTeam(where, actor, unit)]),
      ),
    )
    .select('repositories.id');
}
