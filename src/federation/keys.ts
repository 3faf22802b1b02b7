import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { now } from '../clock.ts';
import type { Context } from '../context.ts';
import type { User } from '../database/tables/accounts.ts';

/** A user's keys, in PEM. */
export interface ActorKeys {
  publicKey: string;
  privateKey: string;
}

const RSA_BITS = 2048;
const inProgress = new Map<string, Promise<void>>();

/** The keys of a user; made when they are first needed. */
export async function actorKeys(context: Context, user: User): Promise<ActorKeys> {
  const known = await storedKeys(context, user);
  if (known) return known;
  // Concurrent callers wait for the same keys.
  const key = `${context.settings.server.dataDir} ${user.id}`;
  const pending = inProgress.get(key) ?? makeKeys(context, user).finally(() => inProgress.delete(key));
  inProgress.set(key, pending);
  await pending;
  const made = await storedKeys(context, user);
  if (!made) throw new Error(`the keys of user ${user.id} are gone as soon as they were made`);
  return made;
}

async function storedKeys({ database, secrets }: Context, user: User): Promise<ActorKeys | undefined> {
  const row = await database.db.selectFrom('federation_keys').selectAll().where('user_id', '=', user.id).executeTakeFirst();
  return row && { publicKey: row.public_key, privateKey: secrets.decrypt(row.private_key, sealedFor(user)).toString('utf8') };
}

async function makeKeys({ database, secrets }: Context, user: User): Promise<void> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: RSA_BITS,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  await database.db
    .insertInto('federation_keys')
    .values({ user_id: user.id, public_key: publicKey, private_key: secrets.encrypt(privateKey, sealedFor(user)), created_at: now() })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute();
}

function sealedFor(user: User): string {
  return `federation key ${user.id}`;
}
