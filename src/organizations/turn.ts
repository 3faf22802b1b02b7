import type { Db } from '../database/database.ts';

/**
 * Lets one change at a time in to the teams of an organization, until the transaction of `db` ends: members, repositories and
 * the counts of both follow from each other, and two changes that do not see each other would leave them wrong.
 */
export async function takeTurn(db: Db, organizationId: number): Promise<void> {
  await db
    .updateTable('users')
    .set((users) => ({ updated_at: users.ref('updated_at') }))
    .where('id', '=', organizationId)
    .execute();
}
