import { withOwners } from '../../access/find-repository.ts';
import { repositoriesAccess } from '../../access/repository-access.ts';
import type { Context } from '../../context.ts';
import type { Team } from '../../database/tables/organizations.ts';
import type { Page } from '../../http/paging.ts';
import type { AccessedRepositories } from '../search/owned.ts';

/** The repositories of a team, by name; a token limited to public resources only sees public ones. */
export async function listTeamRepositories(context: Context, team: Team, page: Page): Promise<AccessedRepositories> {
  const { db, actor, signIn } = context;
  const publicOnly = signIn.token?.publicOnly ?? false;
  const found = db
    .selectFrom('team_repositories')
    .innerJoin('repositories', 'repositories.id', 'team_repositories.repository_id')
    .where('team_repositories.team_id', '=', team.id)
    .innerJoin('users', 'users.id', 'repositories.owner_id')
    .where('repositories.state', '=', 'ready')
    .$if(publicOnly, (query) => query.where('repositories.is_private', '=', false).where('users.visibility', '=', 'public'));
  const { total } = await found.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await found
    .selectAll('repositories')
    .orderBy('repositories.name')
    .orderBy('repositories.id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const repositories = await withOwners(db, rows);
  return { repositories, access: await repositoriesAccess(context, repositories, actor), total: Number(total) };
}
