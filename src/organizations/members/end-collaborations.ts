import type { Db } from '../../database/database.ts';

/** Number of users in one statement. */
const CHUNK = 500;

/**
 * Ends the rights that former members have as collaborators: in the public repositories of the organization as in Gitea, and in those private
 * ones that they created there as members. They are still listed, without rights, until somebody grants them again.
 */
export async function endCollaborations(db: Db, organizationId: number, userIds: readonly number[]): Promise<void> {
  for (let start = 0; start < userIds.length; start += CHUNK) {
    await db
      .updateTable('collaborations')
      .set({ access_level: 0 })
      .where('user_id', 'in', userIds.slice(start, start + CHUNK))
      .where('access_level', '>', 0)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('repositories')
            .select('repositories.id')
            .whereRef('repositories.id', '=', 'collaborations.repository_id')
            .where('repositories.owner_id', '=', organizationId)
            .where((of) =>
              of.or([
                of('repositories.is_private', '=', false),
                // The creator became a collaborator when the repository was created.
                of.and([
                  of('collaborations.access_level', '=', 3),
                  of('collaborations.created_at', '<=', of.ref('repositories.created_at')),
                ]),
              ]),
            ),
        ),
      )
      .execute();
  }
}
