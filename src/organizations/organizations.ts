import { avatarKey } from '../accounts/avatars/avatars.ts';
import { checkEmail } from '../accounts/names.ts';
import { now } from '../clock.ts';
import { afterCommit, type Context, inTransaction } from '../context.ts';
import { deleteReferring } from '../database/delete-referring.ts';
import type { User, UserUpdate, Visibility } from '../database/tables/accounts.ts';
import { unprocessable } from '../http/errors.ts';
import { lockTeams } from './lock.ts';

/** The changes of an organization; missing fields stay. */
export interface OrganizationChanges {
  fullName?: string | undefined;
  /** Empty for none. */
  email?: string | undefined;
  description?: string | undefined;
  website?: string | undefined;
  location?: string | undefined;
  visibility?: Visibility | undefined;
  repoAdminChangeTeamAccess?: boolean | undefined;
}

const RANKS: Record<Visibility, number> = { public: 0, limited: 1, private: 2 };

/** @throws HttpError 422 for a malformed e-mail address */
export async function editOrganization(context: Context, organization: User, changes: OrganizationChanges): Promise<User> {
  if (changes.email) checkEmail(changes.email);
  const { visibility } = changes;
  const columns: UserUpdate = { updated_at: now() };
  if (changes.fullName !== undefined) columns.full_name = changes.fullName;
  if (changes.email !== undefined) columns.email = changes.email;
  if (changes.description !== undefined) columns.description = changes.description;
  if (changes.website !== undefined) columns.website = changes.website;
  if (changes.location !== undefined) columns.location = changes.location;
  if (visibility) columns.visibility = visibility;
  if (changes.repoAdminChangeTeamAccess !== undefined) columns.repo_admin_change_team_access = changes.repoAdminChangeTeamAccess;
  return inTransaction(context, async (context) => {
    const { db } = context;
    const changed = await db.updateTable('users').set(columns).where('id', '=', organization.id).returningAll().executeTakeFirstOrThrow();
    if (visibility && RANKS[visibility] > RANKS[organization.visibility]) {
      await context.events.emit(context, 'access.reduced', { ownerId: organization.id });
    }
    return changed;
  });
}

/**
 * Deletes an organization with its teams.
 * @param options.purge deletes everything that it owns first
 * @throws HttpError 422 while it owns something
 */
export async function deleteOrganization(context: Context, organization: User, options: { purge?: boolean } = {}): Promise<void> {
  await inTransaction(context, async (context) => {
    const { db } = context;
    await lockTeams(db, organization.id);
    if (options.purge) await context.events.emit(context, 'user.purging', { userId: organization.id, actorId: context.actor?.id ?? 0 });
    const repository = await db
      .selectFrom('repositories')
      .select('id')
      .where('owner_id', '=', organization.id)
      .where('state', '!=', 'deleting')
      .executeTakeFirst();
    if (repository) throw unprocessable(`user still has ownership of repositories [uid: ${organization.id}]`);
    await context.events.emit(context, 'user.deleting', { userId: organization.id, withComments: false });
    await deleteReferring(context, 'users', [organization.id]);
    await db.deleteFrom('users').where('id', '=', organization.id).execute();
    if (organization.avatar !== '') afterCommit(context, () => removePicture(context, organization));
    await context.events.emit(context, 'user.deleted', { userId: organization.id, name: organization.name });
  });
}

/** If this fails, an unused image stays in the storage. */
function removePicture({ storage, log }: Context, { avatar }: User): void {
  storage.delete(avatarKey(avatar)).catch((error: unknown) => log.warn({ err: error, avatar }, 'a picture could not be removed'));
}
