import { now } from '../../clock.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';

/**
 * The token that a user signs to prove the possession of a key: valid in this minute and the next.
 * @param minutesAgo 1 for the token of the last minute
 */
export function verificationToken({ secrets }: Context, user: User, minutesAgo = 0): string {
  const minute = Math.floor(now() / 60) - minutesAgo;
  return secrets.hmac('gpg verification token', String(user.id), String(minute)).toString('hex');
}
