import type { Db } from '../database/database.ts';
import { prepared, preparedIn } from '../database/prepared.ts';
import type { User } from '../database/tables/accounts.ts';
import type { RepositoryRow } from '../database/tables/repositories.ts';
import { findUsersById } from './find-user.ts';

/** A repository with its owner: the input of every rule about repositories. */
export interface Repository extends RepositoryRow {
  readonly owner: User;
}

/** Whether everybody may see a repository: it is not private, and its owner is neither limited nor private. */
export function isPublicRepository({ is_private, owner }: Pick<Repository, 'is_private' | 'owner'>): boolean {
  return !is_private && owner.visibility === 'public';
}

const byName = prepared(
  (db, ownerId: number, lowerName: string) =>
    db
      .selectFrom('repositories')
      .selectAll()
      .where('owner_id', '=', ownerId)
      .where('lower_name', '=', lowerName)
      .where('state', '=', 'ready'),
  { isCached: true },
);

const byIds = preparedIn((db, ids) => db.selectFrom('repositories').selectAll().where('id', 'in', ids).where('state', '=', 'ready'), {
  isCached: true,
});

/** The repository of this owner and name, case-insensitively; one that is being deleted does not exist any more. */
export async function findRepositoryOf(db: Db, owner: User, name: string): Promise<Repository | undefined> {
  const [row] = await byName(db, owner.id, name.toLowerCase());
  // Nobody else uses the row yet: adding to it is cheaper than copying all its columns.
  return row && Object.assign(row, { owner });
}

/** The repository with this id. */
export async function findRepository(db: Db, id: number): Promise<Repository | undefined> {
  return (await findRepositories(db, [id]))[0];
}

/** The repositories with these ids, in no order; missing ones are left out. */
export async function findRepositories(db: Db, ids: readonly number[]): Promise<Repository[]> {
  return withOwners(db, await byIds(db, ids));
}

/** Rows with their owners, in the order of the rows, in one query. */
export async function withOwners(db: Db, rows: readonly RepositoryRow[]): Promise<Repository[]> {
  const owners = await findUsersById(
    db,
    rows.map((row) => row.owner_id),
  );
  return rows.flatMap((row) => {
    const owner = owners.get(row.owner_id);
    return owner ? [Object.assign(row, { owner })] : [];
  });
}

/** The repository that used to have this name, if any. */
export async function findMovedRepository(db: Db, ownerId: number, name: string): Promise<Repository | undefined> {
  const redirect = await db
    .selectFrom('repository_redirects')
    .select('repository_id')
    .where('owner_id', '=', ownerId)
    .where('lower_name', '=', name.toLowerCase())
    .executeTakeFirst();
  return redirect && findRepository(db, redirect.repository_id);
}
