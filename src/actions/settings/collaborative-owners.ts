import type { Repository } from '../../access/find-repository.ts';
import { findUser, findUsersById } from '../../access/find-user.ts';
import { isUserVisible } from '../../access/user-visibility.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { notFound, unprocessable } from '../../http/errors.ts';

/** Owners who use the actions of one repository. */
const MAX_OWNERS = 100;

/** The owners whose private repositories use the actions and workflows of a repository, by name. */
export async function listCollaborativeOwners({ db }: Pick<Context, 'db'>, { id }: Repository): Promise<User[]> {
  const rows = await db
    .selectFrom('action_collaborative_owners')
    .select('owner_id')
    .where('repository_id', '=', id)
    .limit(MAX_OWNERS)
    .execute();
  const owners = await findUsersById(
    db,
    rows.map(({ owner_id: owner }) => owner),
  );
  return [...owners.values()].sort((a, b) => a.name.localeCompare(b.name));
}

/**
 * Lets the private repositories of an owner use the actions and workflows of a private repository.
 * @param name of a user or an organization that the caller sees
 * @throws HttpError 422
 */
export async function addCollaborativeOwner(context: Context, repository: Repository, name: string): Promise<void> {
  if (!repository.is_private) throw unprocessable('the repository is not private: everybody uses its actions');
  await inTransaction(context, async ({ db, actor }) => {
    const owner = await findUser(db, name.trim());
    if (!owner || !(await isUserVisible(db, owner, actor)))
      throw unprocessable('[collaborative_owner]: there is no such user or organization');
    const { owners } = await db
      .selectFrom('action_collaborative_owners')
      .select((select) => select.fn.countAll<number>().as('owners'))
      .where('repository_id', '=', repository.id)
      .executeTakeFirstOrThrow();
    if (Number(owners) >= MAX_OWNERS) throw unprocessable(`[collaborative_owner]: a repository has at most ${MAX_OWNERS} of them`);
    await db
      .insertInto('action_collaborative_owners')
      .values({ repository_id: repository.id, owner_id: owner.id })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}

/** @throws HttpError 404 */
export async function removeCollaborativeOwner(context: Context, { id }: Repository, ownerId: number): Promise<void> {
  await inTransaction(context, async ({ db }) => {
    const removed = await db
      .deleteFrom('action_collaborative_owners')
      .where('repository_id', '=', id)
      .where('owner_id', '=', ownerId)
      .executeTakeFirst();
    if (removed.numDeletedRows === 0n) throw notFound();
  });
}
