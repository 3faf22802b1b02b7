import type { Selectable } from 'kysely';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { Database } from '../../database/database.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { PackageSigningKeysTable } from '../../database/tables/packages.ts';

/** A key that signs indexes of an owner, as texts in the format's own form. */
export interface SigningKey {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** Keys that are being generated, by owner and purpose: that takes seconds, and all who need one meanwhile get the same. */
const making = new WeakMap<Database, Map<string, Promise<SigningKey>>>();

/**
 * The owner's key for a purpose, generated on first use; the private key is stored encrypted.
 * @param purpose the format, and the kind of the key, such as `debian openpgp`
 * @param make generates a key; if two processes do so at once, only one is stored
 */
export async function signingKey(context: Context, owner: User, purpose: string, make: () => Promise<SigningKey>): Promise<SigningKey> {
  const found = await findKey(context, owner, purpose);
  if (found) return found;
  // One that was stored since it was looked for is found now.
  const find = async () => (await findKey(context, owner, purpose)) ?? (await make());
  await makingOnce(context, secretContext(owner, purpose), find, async (key) => {
    await context.db
      .insertInto('package_signing_keys')
      .values(signingKeyRow(context, owner, purpose, key))
      .onConflict((conflict) => conflict.columns(['owner_id', 'purpose']).doNothing())
      .execute();
  });
  const kept = await findKey(context, owner, purpose);
  if (!kept) throw new Error('the owner of a signing key is gone');
  return kept;
}

/** Each caller stores the key that one of them has made, whose transaction may be rolled back. */
async function makingOnce(
  { database }: Context,
  name: string,
  make: () => Promise<SigningKey>,
  store: (key: SigningKey) => Promise<void>,
): Promise<void> {
  const keys = making.get(database) ?? new Map<string, Promise<SigningKey>>();
  making.set(database, keys);
  const underWay = keys.get(name);
  if (underWay) return await store(await underWay);
  const key = make();
  keys.set(name, key);
  try {
    await store(await key);
  } finally {
    keys.delete(name);
  }
}

/** The row of a key, with its private half encrypted. */
export function signingKeyRow(
  { secrets }: Pick<Context, 'secrets'>,
  owner: Pick<User, 'id'>,
  purpose: string,
  { publicKey, privateKey }: SigningKey,
): Selectable<PackageSigningKeysTable> {
  const sealed = secrets.encrypt(privateKey, secretContext(owner, purpose));
  return { owner_id: owner.id, purpose, public_key: publicKey, private_key: sealed, created_at: now() };
}

async function findKey({ db, secrets }: Context, owner: User, purpose: string): Promise<SigningKey | undefined> {
  const row = await db
    .selectFrom('package_signing_keys')
    .selectAll()
    .where('owner_id', '=', owner.id)
    .where('purpose', '=', purpose)
    .executeTakeFirst();
  if (!row) return undefined;
  const privateKey = secrets.decrypt(row.private_key, secretContext(owner, purpose)).toString('utf8');
  return { publicKey: row.public_key, privateKey };
}

function secretContext({ id }: Pick<User, 'id'>, purpose: string): string {
  return `package signing key ${id} ${purpose}`;
}
