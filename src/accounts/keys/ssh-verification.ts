import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { SshKey } from '../../database/tables/keys.ts';
import { notFound, unprocessable } from '../../http/errors.ts';
import { refuseDisabledSshKeys } from './ssh-keys.ts';
import { isSignedBySshKey } from './ssh-signature.ts';
import { verificationToken } from './verification-token.ts';

/** The namespace of the signature, so that no other signature can be used for this. */
export const VERIFICATION_PURPOSE = 'copse';

/**
 * Marks a key of the user as verified, since it signed the verification token (`ssh-keygen -Y sign -n copse`): from then on
 * commits that it signs are verified as the user's.
 * @throws HttpError 404 for a key that the user does not have, 422 for a signature by another key
 */
export async function verifySshKey(context: Context, user: User, id: number, signature: string): Promise<SshKey> {
  refuseDisabledSshKeys(context);
  const { db } = context;
  const key = await db.selectFrom('ssh_keys').selectAll().where('id', '=', id).where('user_id', '=', user.id).executeTakeFirst();
  if (!key) throw notFound();
  const tokens = [0, 1].map((minutesAgo) => verificationToken(context, user, minutesAgo));
  // Shells differ in the line end that they append.
  const texts = tokens.flatMap((token) => [token, `${token}\n`, `${token}\r\n`]);
  if (!texts.some((text) => isSignedBySshKey(key.content, Buffer.from(text), signature, VERIFICATION_PURPOSE))) {
    throw unprocessable(
      `The provided SSH key, signature and token do not match or token is out of date. Sign this token for the namespace ${VERIFICATION_PURPOSE}: ${tokens[0]}`,
    );
  }
  await db.updateTable('ssh_keys').set({ verified: true }).where('id', '=', key.id).execute();
  return { ...key, verified: true };
}
