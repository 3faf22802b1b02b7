import { findRepository, type Repository } from '../access/find-repository.ts';
import { findUsersById } from '../access/find-user.ts';
import { type Context, inTransaction } from '../context.ts';
import type { Db } from '../database/database.ts';
import type { User } from '../database/tables/accounts.ts';
import type { ProjectRow } from '../database/tables/projects.ts';
import { notFound } from '../http/errors.ts';

/** Where boards are: in a repository, or with an account. */
export type ProjectOwner = { readonly repository: Repository } | { readonly account: User };

/** A board with its location, the input of every rule about boards. */
export interface Project extends ProjectRow {
  readonly owner: ProjectOwner;
}

/** The columns by which the boards of a location are found. */
export function projectOwnerColumns(owner: ProjectOwner): { repository_id: number | null; owner_id: number | null } {
  return 'repository' in owner
    ? { repository_id: owner.repository.id, owner_id: null }
    : { repository_id: null, owner_id: owner.account.id };
}

/** The account whose repositories the issues of a location belong to. */
export function ownerOf(owner: ProjectOwner): User {
  return 'repository' in owner ? owner.repository.owner : owner.account;
}

/** The board with this id in a location. */
export async function findProjectOf({ db }: Context, owner: ProjectOwner, id: number): Promise<Project | undefined> {
  const { repository_id: repositoryId, owner_id: ownerId } = projectOwnerColumns(owner);
  const row = await findRow(db, id);
  return row && row.repository_id === repositoryId && row.owner_id === ownerId ? { ...row, owner } : undefined;
}

/** The boards with these ids, by id, with their locations; those of deleted repositories are left out. */
export async function findProjects({ db }: Context, ids: readonly number[]): Promise<Map<number, Project>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('projects')
    .selectAll()
    .where('id', 'in', [...new Set(ids)])
    .execute();
  const owners = await findUsersById(
    db,
    rows.flatMap((row) => row.owner_id ?? []),
  );
  const found = new Map<number, Project>();
  for (const row of rows) {
    const account = owners.get(row.owner_id ?? 0);
    const repository = row.repository_id === null ? undefined : await findRepository(db, row.repository_id);
    if (repository) found.set(row.id, { ...row, owner: { repository } });
    else if (account) found.set(row.id, { ...row, owner: { account } });
  }
  return found;
}

async function findRow(db: Db, id: number): Promise<ProjectRow | undefined> {
  return db.selectFrom('projects').selectAll().where('id', '=', id).executeTakeFirst();
}

/**
 * Changes a board in a transaction that locks it and its cards, with its current row.
 * @throws HttpError 404 when the board went in the meantime
 */
export async function changingProject<R>(
  context: Context,
  { id, owner }: Project,
  change: (context: Context, project: Project) => Promise<R>,
): Promise<R> {
  return inTransaction(context, async (context) => {
    await lockProjects(context, [id]);
    const row = await findRow(context.db, id);
    if (!row) throw notFound();
    return change(context, { ...row, owner });
  });
}

/**
 * Locks boards with their cards until the transaction ends, in the order of their ids. Who locks issues too, does so before. In SQLite a
 * transaction has the database to itself already.
 */
export async function lockProjects({ db, database }: Context, ids: readonly number[]): Promise<void> {
  if (database.dialect === 'sqlite' || ids.length === 0) return;
  await db
    .selectFrom('projects')
    .select('id')
    .where('id', 'in', [...new Set(ids)])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}
