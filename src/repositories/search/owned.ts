import type { Repository } from '../../access/find-repository.ts';
import { type RepositoryAccess, repositoriesAccess } from '../../access/repository-access.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import { prepared, preparedPages } from '../../database/prepared.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { Page } from '../../http/paging.ts';

/** Repositories with a user's access to each. */
export interface AccessedRepositories {
  repositories: Repository[];
  access: Map<number, RepositoryAccess>;
  total: number;
}

function ownedBy(db: Db, ownerId: number, publicOnly: boolean) {
  return db
    .selectFrom('repositories')
    .where('owner_id', '=', ownerId)
    .where('state', '=', 'ready')
    .$if(publicOnly, (query) => query.where('is_private', '=', false));
}

function counting(publicOnly: boolean) {
  return prepared((db, ownerId: number) => ownedBy(db, ownerId, publicOnly).select((select) => select.fn.countAll<number>().as('total')), {
    isCached: true,
  });
}

function paging(publicOnly: boolean) {
  return preparedPages(
    (db, limit, offset, ownerId: number) => {
      // Ids first: SQLite would sort whole rows of all repositories of the owner.
      const ids = ownedBy(db, ownerId, publicOnly).select('repositories.id').orderBy('repositories.id').limit(limit).offset(offset);
      return db.selectFrom('repositories').selectAll().where('id', 'in', ids).orderBy('id');
    },
    { isCached: true },
  );
}

const [countAll, countPublic] = [counting(false), counting(true)];
const [pageOfAll, pageOfPublic] = [paging(false), paging(true)];

/**
 * The repositories of an account, as the caller may see them. Pages are cut before hidden ones are left out, so
 * that a page can be shorter than requested; for anonymous callers only public ones count.
 */
export async function ownedRepositories(context: Context, owner: User, page: Page): Promise<AccessedRepositories> {
  const publicOnly = context.actor === null || (context.signIn.token?.publicOnly ?? false);
  const [counted] = await (publicOnly ? countPublic : countAll)(context.db, owner.id);
  const rows = await (publicOnly ? pageOfPublic : pageOfAll)(context.db, page, owner.id);
  const all = rows.map((row) => Object.assign(row, { owner }));
  const access = await repositoriesAccess(context, all, context.actor);
  return { repositories: all.filter(({ id }) => access.get(id)?.isVisible), access, total: Number(counted?.total ?? 0) };
}
