import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { contains, containsAnyCase } from '../../database/contains.ts';
import type { Team } from '../../database/tables/organizations.ts';
import type { Page } from '../../http/paging.ts';

/** The criteria of a search for teams; missing ones mean any. */
export interface TeamFilter {
  organizationId?: number;
  /** A member of the team. */
  userId?: number;
  /** Part of the name, or of the description by default. */
  keyword?: string;
  inDescription?: boolean;
}

/** Teams by name. */
export async function listTeams({ db }: Context, filter: TeamFilter, page: Page): Promise<{ teams: Team[]; total: number }> {
  const { organizationId, userId, keyword = '', inDescription = true } = filter;
  let found = db.selectFrom('teams');
  if (organizationId !== undefined) found = found.where('teams.organization_id', '=', organizationId);
  if (userId !== undefined) {
    found = found.where('teams.id', 'in', (ids) => ids.selectFrom('team_members').select('team_id').where('user_id', '=', userId));
  }
  if (keyword !== '') {
    const name = contains(sql<string>`teams.lower_name`, keyword);
    found = found.where((where) => (inDescription ? where.or([name, containsAnyCase(sql`teams.description`, keyword)]) : name));
  }
  const { total } = await found.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const teams = await found
    .selectAll('teams')
    .orderBy('teams.lower_name')
    .orderBy('teams.id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return { teams, total: Number(total) };
}
