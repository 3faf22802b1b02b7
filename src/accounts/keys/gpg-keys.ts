import { type Insertable, sql } from 'kysely';
import { now } from '../../clock.ts';
import { type Context, inTransaction } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { GpgKey, GpgKeysTable } from '../../database/tables/keys.ts';
import { HttpError, notFound, unprocessable } from '../../http/errors.ts';
import type { Page } from '../../http/paging.ts';
import { listEmails } from '../emails/emails.ts';
import type { GpgKeyFacts, GpgPublicKey } from './gpg-public-key.ts';
import type { GpgReading } from './gpg-read-task.ts';
import { verificationToken } from './verification-token.ts';

/** Maximum number of keys of one user, including subkeys. */
const MAX_KEYS = 1000;
/** Maximum length of the armored keys of one user together: they are served as one file. */
const MAX_LENGTH = 4 * 1024 * 1024;
const READ = new URL('./gpg-read-task.ts', import.meta.url);
const DEADLINE_MS = 2000;

/** @throws HttpError 404 where users may not manage their keys */
function refuseDisabled({ settings }: Context): void {
  if (settings.users.disabledFeatures.includes('manage_gpg_keys')) {
    throw notFound(['gpg keys setting is not allowed to be visited'], 'Not Found');
  }
}

/** @throws HttpError 422 for keys that are invalid; WorkerLimitError, WorkersBusyError */
async function readKeys({ workers }: Context, reading: GpgReading) {
  const read = await workers.run<typeof import('./gpg-read-task.ts')>(READ, reading, { deadlineMs: DEADLINE_MS });
  if ('problem' in read) throw unprocessable(read.problem);
  return read;
}

/**
 * The key among armored ones that has signed the verification token.
 * @throws HttpError 422 when none did
 */
async function readSigner(
  context: Context,
  user: User,
  armored: string,
  proof: { signature: string; mayBeExpired: boolean },
): Promise<GpgPublicKey> {
  const texts = [0, 1].map((minutesAgo) => verificationToken(context, user, minutesAgo));
  const { keys, signer } = await readKeys(context, { armored, proof: { ...proof, texts } });
  const found = keys.find(({ keyId }) => keyId === signer);
  if (found) return found;
  throw unprocessable(
    `The provided GPG key, signature and token do not match or token is out of date. Provide a valid signature for the token: ${texts[0]}`,
  );
}

/**
 * Adds the OpenPGP keys of a user. They have to name a confirmed e-mail address of the user, or to have signed the
 * verification token, which also verifies the key that did.
 * @param signature armored; empty for none
 * @throws HttpError 422 for keys that are invalid, exist already, or have not made the signature; 404 without a known e-mail address
 */
export async function addGpgKeys(context: Context, user: User, armored: string, signature: string): Promise<GpgKey> {
  refuseDisabled(context);
  const keys =
    signature === ''
      ? (await readKeys(context, { armored })).keys
      : [await readSigner(context, user, armored, { signature, mayBeExpired: false })];
  return inTransaction(context, async (context) => {
    const own = new Set((await listEmails(context.db, user)).filter((email) => email.is_activated).map((email) => email.lower_email));
    await refuseTooMany(context.db, user, keys);
    const added: GpgKey[] = [];
    for (const facts of keys) {
      if ((await findGpgKey(context.db, facts.keyId))?.proven) throw idUsed();
      const emails = facts.emails.filter((email) => own.has(email));
      if (signature === '' && emails.length === 0) throw noEmail(verificationToken(context, user));
      const row = { ...rowOf(user, facts), armored: facts.armored, emails: JSON.stringify(emails), verified: signature !== '' };
      const primary = await insert(context.db, row);
      if (!primary) throw idUsed();
      added.push(primary);
      for (const subkey of facts.subkeys) {
        const isAdded = await insert(context.db, { ...rowOf(user, subkey), primary_key_id: facts.keyId });
        // One that has signed nothing may belong to somebody else just as well.
        if (!isAdded && subkey.isProven) throw idUsed();
      }
    }
    const [first] = added;
    if (!first) throw unprocessable('failed to parse gpg key: no key');
    return first;
  });
}

async function refuseTooMany(db: Db, user: User, keys: readonly GpgPublicKey[]): Promise<void> {
  const { total, length } = await db
    .selectFrom('gpg_keys')
    .select((select) => [select.fn.countAll<number>().as('total'), select.fn.sum<number | null>(sql`length(armored)`).as('length')])
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow();
  if (Number(total) >= MAX_KEYS) throw unprocessable(`a user has at most ${MAX_KEYS} OpenPGP keys`);
  const together = keys.reduce((sum, { armored }) => sum + armored.length, Number(length ?? 0));
  if (together > MAX_LENGTH) throw unprocessable(`the OpenPGP keys of a user have at most ${MAX_LENGTH} characters together`);
}

function noEmail(token: string): HttpError {
  const message = 'None of the emails attached to the GPG key could be found.';
  return new HttpError(404, `${message} It may still be added if you provide a valid signature for the token: ${token}`);
}

function idUsed(): HttpError {
  return unprocessable('A key with the same id already exists');
}

function rowOf(user: User, facts: GpgKeyFacts): Insertable<GpgKeysTable> {
  return {
    user_id: user.id,
    key_id: facts.keyId,
    content: facts.content,
    emails: '[]',
    can_sign: facts.canSign,
    can_encrypt: facts.canEncrypt,
    created_at: facts.createdAt,
    expires_at: facts.expiresAt,
    added_at: now(),
    proven: facts.isProven,
  };
}

/** A key without proof is replaced by one with proof: otherwise anybody could block a key's owner by adding it first. */
async function insert(db: Db, row: Insertable<GpgKeysTable>): Promise<GpgKey | undefined> {
  if (row.proven) await db.deleteFrom('gpg_keys').where('key_id', '=', row.key_id).where('proven', '=', false).execute();
  return db
    .insertInto('gpg_keys')
    .values(row)
    .onConflict((conflict) => conflict.column('key_id').doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** The primary keys of a user, in the order in which they were added. */
export async function listGpgKeys({ db }: Context, user: User, page: Page): Promise<{ keys: GpgKey[]; total: number }> {
  const found = db.selectFrom('gpg_keys').where('user_id', '=', user.id).where('primary_key_id', '=', '');
  const { total } = await found.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { keys: await found.selectAll().orderBy('id').limit(page.limit).offset(page.offset).execute(), total: Number(total) };
}

/**
 * A key of the user, or one of its subkeys.
 * @throws HttpError 404
 */
export async function getGpgKey({ db }: Context, user: User, id: number): Promise<GpgKey> {
  const key = await db.selectFrom('gpg_keys').selectAll().where('id', '=', id).where('user_id', '=', user.id).executeTakeFirst();
  if (!key) throw notFound();
  return key;
}

/** The key or subkey with this key id, of any user: 16 hexadecimal digits, in any case, with or without leading zeros. */
export function findGpgKey(db: Db, keyId: string): Promise<GpgKey | undefined> {
  return db.selectFrom('gpg_keys').selectAll().where('key_id', '=', normalized(keyId)).executeTakeFirst();
}

function normalized(keyId: string): string {
  return keyId.trim().replace(/^0x/i, '').toUpperCase().padStart(16, '0');
}

/** The primary key that a key belongs to: itself unless it is a subkey. */
export async function primaryGpgKey(db: Db, key: GpgKey): Promise<GpgKey | undefined> {
  return key.primary_key_id === '' ? key : findGpgKey(db, key.primary_key_id);
}

/**
 * Marks a key of the user as verified, since it signed the verification token.
 * @throws HttpError 404 for a key that the user does not have, 422 for a signature by another key
 */
export async function verifyGpgKey(context: Context, user: User, keyId: string, signature: string): Promise<GpgKey> {
  refuseDisabled(context);
  const key = await findGpgKey(context.db, keyId);
  const primary = key && (await primaryGpgKey(context.db, key));
  if (key?.user_id !== user.id || !primary) throw notFound();
  await readSigner(context, user, primary.armored, { signature, mayBeExpired: true });
  await context.db.updateTable('gpg_keys').set({ verified: true }).where('id', '=', key.id).execute();
  return { ...key, verified: true };
}

/** Deletes a key of the user with its subkeys; does nothing if the user does not have it. */
export async function deleteGpgKey(context: Context, user: User, id: number): Promise<void> {
  refuseDisabled(context);
  await inTransaction(context, async ({ db }) => {
    const key = await db.selectFrom('gpg_keys').select('key_id').where('id', '=', id).where('user_id', '=', user.id).executeTakeFirst();
    if (!key) return;
    await db
      .deleteFrom('gpg_keys')
      .where('user_id', '=', user.id)
      .where((where) => where.or([where('key_id', '=', key.key_id), where('primary_key_id', '=', key.key_id)]))
      .execute();
  });
}
