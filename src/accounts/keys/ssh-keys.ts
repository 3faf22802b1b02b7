import { visibleUsers } from '../../access/user-visibility.ts';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { SshKey } from '../../database/tables/keys.ts';
import { forbidden, notFound, unprocessable } from '../../http/errors.ts';
import type { Page } from '../../http/paging.ts';
import { InvalidSshKeyError, readSshPublicKey, type SshPublicKey } from './ssh-public-key.ts';

/** How many keys one user may have. */
const MAX_KEYS = 1000;

/** The precision of the last use of a key, in seconds. */
const LAST_USED_STEP = 60;

/**
 * {@link readSshPublicKey} for a key in a request.
 * @throws HttpError 422 `Invalid key content: …`
 */
export function givenSshKey({ settings }: Context, text: string): SshPublicKey {
  try {
    return readSshPublicKey(text, settings.ssh.minimumRsaBits);
  } catch (error) {
    if (error instanceof InvalidSshKeyError) throw unprocessable(`Invalid key content: ${error.message}`);
    throw error;
  }
}

/** @throws HttpError 404 where users may not manage their SSH keys */
export function refuseDisabledSshKeys({ settings }: Context): void {
  if (settings.users.disabledFeatures.includes('manage_ssh_keys')) {
    throw notFound(['ssh keys setting is not allowed to be visited'], 'Not Found');
  }
}

/**
 * Adds a key of a user. Requests that are signed with it have the rights of its scope, or all rights of the user.
 * @throws HttpError 422 for an invalid key, one that some user has already, or a taken title
 */
export async function addSshKey(
  context: Context,
  user: User,
  { title, text, scope }: { title: string; text: string; scope: string | null },
): Promise<SshKey> {
  refuseDisabledSshKeys(context);
  const { content, fingerprint } = givenSshKey(context, text);
  const time = now();
  const same = await context.db.selectFrom('ssh_keys').select('id').where('fingerprint', '=', fingerprint).executeTakeFirst();
  if (same) throw contentUsed();
  await refuseMany(context.db, user);
  const inserted = await context.db
    .insertInto('ssh_keys')
    .values({ type: 'user', user_id: user.id, title, content, fingerprint, scope, created_at: time, last_used_at: time })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (inserted) return inserted;
  throw (await findSshKey(context.db, fingerprint)) ? contentUsed() : unprocessable('Key title has been used');
}

async function refuseMany(db: Db, user: User): Promise<void> {
  const { total } = await db
    .selectFrom('ssh_keys')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow();
  if (Number(total) >= MAX_KEYS) throw unprocessable(`a user has at most ${MAX_KEYS} SSH keys`);
}

function contentUsed() {
  return unprocessable('Key content has been used as non-deploy key');
}

/** The key with this fingerprint, of any user. */
export function findSshKey(db: Db, fingerprint: string): Promise<SshKey | undefined> {
  return db.selectFrom('ssh_keys').selectAll().where('fingerprint', '=', fingerprint).executeTakeFirst();
}

/** Records the use of a key. */
export async function touchSshKey(db: Db, key: SshKey): Promise<void> {
  const time = now();
  if (time - key.last_used_at < LAST_USED_STEP) return;
  await db.updateTable('ssh_keys').set({ last_used_at: time }).where('id', '=', key.id).execute();
}

/** The keys of users whom the caller may see: of one user, or with one fingerprint, or both; in the order in which they were added. */
export async function listSshKeys(
  { db, actor }: Context,
  { userId, fingerprint }: { userId?: number; fingerprint?: string },
  page: Page,
): Promise<{ keys: SshKey[]; total: number }> {
  let found = db.selectFrom('ssh_keys').innerJoin('users', 'users.id', 'ssh_keys.user_id').where('ssh_keys.type', '=', 'user');
  found = found.where(visibleUsers(actor));
  if (userId !== undefined) found = found.where('user_id', '=', userId);
  if (fingerprint !== undefined) found = found.where('fingerprint', '=', fingerprint);
  const { total } = await found.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return {
    keys: await found.selectAll('ssh_keys').orderBy('ssh_keys.id').limit(page.limit).offset(page.offset).execute(),
    total: Number(total),
  };
}

/**
 * The key with this id, of a user whom the caller may see.
 * @throws HttpError 404
 */
export async function getSshKey({ db, actor }: Context, id: number): Promise<SshKey> {
  const key = await db
    .selectFrom('ssh_keys')
    .innerJoin('users', 'users.id', 'ssh_keys.user_id')
    .selectAll('ssh_keys')
    .where('ssh_keys.id', '=', id)
    .where('ssh_keys.type', '=', 'user')
    .where(visibleUsers(actor))
    .executeTakeFirst();
  if (!key) throw notFound();
  return key;
}

/**
 * Deletes a key on behalf of `user`: their own ones, and for an administrator any.
 * @throws HttpError 404, 403
 */
export async function deleteSshKey(context: Context, user: User, id: number): Promise<void> {
  refuseDisabledSshKeys(context);
  const key = await getSshKey(context, id);
  if (!user.is_admin && key.user_id !== user.id) throw forbidden('You do not have access to this key');
  await context.db.deleteFrom('ssh_keys').where('id', '=', key.id).execute();
}
