import { now } from '../../clock.ts';
import { type Context, inTransaction, type Services } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { makeRsaKeys } from '../indexes/rsa-keys.ts';

/**
 * Creates a new pair of keys for a user's Chef client, in place of the one before.
 * @returns the private key (PEM), which is kept nowhere
 * @throws BusyError
 */
export async function renewChefKey(context: Context, user: User): Promise<string> {
  const { publicKey, privateKey } = await makeRsaKeys(user);
  const values = { public_key: publicKey, created_at: now() };
  await inTransaction(context, ({ db }) =>
    db
      .insertInto('chef_keys')
      .values({ user_id: user.id, ...values })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
      .execute(),
  );
  return privateKey;
}

/** The public key of a user's Chef client (PEM). */
export async function findChefKey({ database: { db } }: Pick<Services, 'database'>, user: User): Promise<string | undefined> {
  return (await db.selectFrom('chef_keys').select('public_key').where('user_id', '=', user.id).executeTakeFirst())?.public_key;
}
