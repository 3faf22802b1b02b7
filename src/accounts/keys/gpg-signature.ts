import type { Signature } from 'openpgp';
import type { Db } from '../../database/database.ts';
import type { GpgKey } from '../../database/tables/keys.ts';

/** Maximum length of a signature. */
const MAX_SIGNATURE = 64 * 1024;

/** Maximum number of keys of one user that are tried. */
const MAX_KEYS = 100;

/** The key id of a detached signature: 16 hexadecimal digits in upper case; undefined if it is not a signature or has none. */
export async function issuerOf(armoredSignature: string): Promise<string | undefined> {
  const signature = await read(armoredSignature);
  return signature?.packets[0]?.issuerKeyID.toHex().toUpperCase() || undefined;
}

/**
 * The id of the key or subkey in an armored text that made a detached signature; undefined if none did, or it
 * was not valid any more at the time of the signature.
 */
export async function signingKeyId(armoredKeys: string, payload: Uint8Array, armoredSignature: string): Promise<string | undefined> {
  const { createMessage, readKeys, verify } = await import('openpgp');
  const signature = await read(armoredSignature);
  if (!signature) return undefined;
  try {
    const verificationKeys = await readKeys({ armoredKeys });
    const message = await createMessage({ binary: new Uint8Array(payload) });
    const { signatures } = await verify({ message, signature, verificationKeys, format: 'binary' });
    for (const { verified, keyID } of signatures) if (await verified.catch(() => false)) return keyID.toHex().toUpperCase();
  } catch {
    // A key that was accepted once but cannot be read now has signed nothing.
  }
  return undefined;
}

/** The keys with these ids, including subkeys, the primary keys of subkeys, and all primary keys of these users. */
export async function findSigningKeys(db: Db, keyIds: readonly string[], userIds: readonly number[]): Promise<GpgKey[]> {
  if (keyIds.length === 0) return [];
  const found = await db
    .selectFrom('gpg_keys')
    .selectAll()
    .where((where) =>
      where.or([
        where('key_id', 'in', keyIds),
        where(
          'key_id',
          'in',
          where.selectFrom('gpg_keys as subkeys').select('subkeys.primary_key_id').where('subkeys.key_id', 'in', keyIds),
        ),
      ]),
    )
    .execute();
  if (userIds.length === 0) return found;
  const own = await db
    .selectFrom('gpg_keys')
    .selectAll()
    .where('user_id', 'in', userIds)
    .where('primary_key_id', '=', '')
    .orderBy('id')
    .limit(MAX_KEYS * userIds.length)
    .execute();
  const known = new Set(found.map(({ id }) => id));
  return [...found, ...own.filter(({ id }) => !known.has(id))];
}

async function read(armoredSignature: string): Promise<Signature | undefined> {
  if (armoredSignature.length > MAX_SIGNATURE) return undefined;
  const { readSignature } = await import('openpgp');
  const signature = await readSignature({ armoredSignature }).catch(() => undefined);
  return signature?.packets.length === 1 ? signature : undefined;
}
