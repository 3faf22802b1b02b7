import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { now } from '../../clock.ts';
import { Semaphore } from '../../concurrency/semaphore.ts';
import type { Context, Services } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';

const KEY_BITS = 4096;

/** A key takes seconds of a processor. */
const making = new Semaphore({ permits: 1, maxWaiting: 20, maxWaitingPerKey: 1, waitTimeoutMs: 30_000 });

/**
 * Makes a new pair of keys for a user's Chef client, in place of the one before.
 * @returns the private key (PEM), which is kept nowhere
 * @throws BusyError
 */
export async function renewChefKey({ db }: Context, user: User): Promise<string> {
  const { publicKey, privateKey } = await making.run(String(user.id), () =>
    promisify(generateKeyPair)('rsa', {
      modulusLength: KEY_BITS,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    }),
  );
  const values = { public_key: publicKey, created_at: now() };
  await db
    .insertInto('chef_keys')
    .values({ user_id: user.id, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute();
  return privateKey;
}

/** The public key of a user's Chef client (PEM). */
export async function findChefKey({ database: { db } }: Pick<Services, 'database'>, user: User): Promise<string | undefined> {
  return (await db.selectFrom('chef_keys').select('public_key').where('user_id', '=', user.id).executeTakeFirst())?.public_key;
}
