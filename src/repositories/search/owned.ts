import type { Repository } from '../../access/find-repository.ts';
import { type RepositoryAccess, repositoriesAccess } from '../../access/repository-access.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { Page } from '../../http/paging.ts';

/** Repositories with what somebody may do in each. */
export interface AccessedRepositories {
  repositories: Repository[];
  access: Map<number, RepositoryAccess>;
  total: number;
}

/**
 * The repositories that an account owns, as the caller may see them. The pages are cut before what the caller may not see is left out, so
 * that a page can be shorter than requested; for those not signed in only public ones count.
 */
export async function ownedRepositories(context: Context, owner: User, page: Page): Promise<AccessedRepositories> {
  const publicOnly = context.actor === null || (context.signIn.token?.publicOnly ?? false);
  const owned = context.db
    .selectFrom('repositories')
    .where('owner_id', '=', owner.id)
    .where('state', '=', 'ready')
    .$if(publicOnly, (query) => query.where('is_private', '=', false));
  const { total } = await owned.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  // Ids first: SQLite would sort the whole rows of all that the owner has.
  const ids = owned.select('repositories.id').orderBy('repositories.id').limit(page.limit).offset(page.offset);
  const rows = await context.db.selectFrom('repositories').selectAll().where('id', 'in', ids).orderBy('id').execute();
  const all = rows.map((row) => ({ ...row, owner }));
  const access = await repositoriesAccess(context, all, context.actor);
  return { repositories: all.filter(({ id }) => access.get(id)?.isVisible), access, total: Number(total) };
}
