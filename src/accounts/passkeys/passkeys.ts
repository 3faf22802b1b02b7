import type { SecondFactors } from '../../access/second-factor.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { Passkey, User } from '../../database/tables/accounts.ts';
import { conflict, forbidden, notFound, unprocessable } from '../../http/errors.ts';

/** Maximum number of passkeys of one account. */
export const MAX_PASSKEYS = 50;
const MAX_NAME_LENGTH = 100;

/** The passkeys of an account, oldest first. */
export function listPasskeys({ db }: Pick<Context, 'db'>, user: Pick<User, 'id'>): Promise<Passkey[]> {
  return db.selectFrom('passkeys').selectAll().where('user_id', '=', user.id).orderBy('id').limit(MAX_PASSKEYS).execute();
}

/**
 * Validates the name of a passkey.
 * @throws HttpError 422 for an empty and for a long one
 */
export function passkeyName(text: string): string {
  const name = text.trim();
  if (name === '') throw unprocessable('name: must not be empty');
  if ([...name].length > MAX_NAME_LENGTH) throw unprocessable(`name: must have at most ${MAX_NAME_LENGTH} characters`);
  return name;
}

/**
 * Refuses if the instance does not allow users to change their second factors.
 * @throws HttpError 403
 */
export function requireManageable({ settings }: Pick<Context, 'settings'>): void {
  if (settings.users.disabledFeatures.includes('manage_mfa')) throw forbidden('two-factor sign-in cannot be changed');
}

/**
 * Renames a passkey.
 * @throws HttpError 404 when the user has no such one, 409 when another one has the name
 */
export async function renamePasskey(context: Context, user: User, id: number, text: string): Promise<void> {
  requireManageable(context);
  const name = passkeyName(text);
  await inTransaction(context, async ({ db }) => {
    const lowerName = name.toLowerCase();
    const other = db.selectFrom('passkeys').select('id').where('user_id', '=', user.id).where('lower_name', '=', lowerName);
    if (await other.where('id', '!=', id).executeTakeFirst()) throw nameTaken();
    const renamed = await db
      .updateTable('passkeys')
      .set({ name, lower_name: lowerName })
      .where('id', '=', id)
      .where('user_id', '=', user.id)
      .executeTakeFirst();
    if (renamed.numUpdatedRows === 0n) throw notFound();
  });
}

/** The error for a name that the account has already. */
export function nameTaken() {
  return conflict('name: there is a passkey of this name already');
}

/**
 * Removes a passkey of the user.
 * @throws HttpError 404 when the user has no such one
 */
export async function removePasskey(context: Context, user: User, id: number): Promise<void> {
  requireManageable(context);
  await inTransaction(context, async ({ db }) => {
    const removed = await db.deleteFrom('passkeys').where('id', '=', id).where('user_id', '=', user.id).executeTakeFirst();
    if (removed.numDeletedRows === 0n) throw notFound();
  });
}

/** Removes all second factors, for a user who has lost the devices. Returns what there was. */
export async function removeSecondFactors(context: Context, user: User): Promise<SecondFactors> {
  return await inTransaction(context, async ({ db }) => {
    const codes = await db.deleteFrom('two_factors').where('user_id', '=', user.id).executeTakeFirst();
    const passkeys = await db.deleteFrom('passkeys').where('user_id', '=', user.id).executeTakeFirst();
    return { hasCodes: codes.numDeletedRows > 0n, hasPasskeys: passkeys.numDeletedRows > 0n };
  });
}
