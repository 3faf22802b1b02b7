import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { GpgKey } from '../../database/tables/keys.ts';
import { WorkerLimitError } from '../../workers/errors.ts';
import type { GpgVerification } from './gpg-verify-task.ts';
import { readGpgSignature } from './read-gpg-signature.ts';

/** Maximum number of keys of one user that are tried. */
const MAX_KEYS = 100;
const VERIFY = new URL('./gpg-verify-task.ts', import.meta.url);
/** A usual key takes a millisecond, and the slowest of the allowed sizes 40. */
const DEADLINE_MS = 1000;

/** The key id of a detached signature: 16 hexadecimal digits in upper case; undefined if it is not a signature or has none. */
export async function issuerOf(armoredSignature: string): Promise<string | undefined> {
  const signature = await readGpgSignature(armoredSignature);
  return signature?.packets[0]?.issuerKeyID.toHex().toUpperCase() || undefined;
}

/**
 * The id of the key or subkey in an armored text that made a detached signature; undefined if none did, it was not valid any more at the
 * time of the signature, or verifying takes too long.
 * @throws WorkersBusyError
 */
export async function signingKeyId({ workers }: Pick<Context, 'workers'>, verification: GpgVerification): Promise<string | undefined> {
  try {
    return await workers.run<typeof import('./gpg-verify-task.ts')>(VERIFY, verification, { deadlineMs: DEADLINE_MS });
  } catch (error) {
    if (error instanceof WorkerLimitError) return undefined;
    throw error;
  }
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
