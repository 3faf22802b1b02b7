import type { Selectable } from 'kysely';
import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { PackageSigningKeysTable } from '../../database/tables/packages.ts';

/** A key that signs indexes of an owner, as texts in the format's own form. */
export interface SigningKey {
  readonly publicKey: string;
  readonly privateKey: string;
}

/**
 * The owner's key for a purpose, generated on first use; the private key is stored encrypted.
 * @param purpose the format, and the kind of the key, such as `debian openpgp`
 * @param make generates a key; if two processes do so at once, only one is stored
 */
export async function signingKey(context: Context, owner: User, purpose: string, make: () => Promise<SigningKey>): Promise<SigningKey> {
  const found = await findKey(context, owner, purpose);
  if (found) return found;
  const { publicKey, privateKey } = await make();
  await context.db
    .insertInto('package_signing_keys')
    .values(signingKeyRow(context, owner, purpose, { publicKey, privateKey }))
    .onConflict((conflict) => conflict.columns(['owner_id', 'purpose']).doNothing())
    .execute();
  const kept = await findKey(context, owner, purpose);
  if (!kept) throw new Error('the owner of a signing key is gone');
  return kept;
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
