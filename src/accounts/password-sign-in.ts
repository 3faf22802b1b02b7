import { setTimeout as sleep } from 'node:timers/promises';
import type { Secrets } from '../secrets.ts';
import { addressKey } from '../text/ip-addresses.ts';
import type { CheckPassword, PasswordAttempt, Passwords, PasswordVerdict } from './password-services.ts';
import type { Throttle } from './throttle.ts';

/**
 * The only way to check a password: from the cache at once, otherwise delayed or refused by the throttle. The delay comes
 * before the check, for right and wrong passwords alike, so a quick response reveals nothing.
 * @param wait waits so many milliseconds
 */
export function createPasswordCheck(
  passwords: Passwords,
  throttle: Throttle,
  secrets: Pick<Secrets, 'hmac'>,
  wait: (milliseconds: number) => Promise<unknown> = sleep,
): CheckPassword {
  const underWay = new Map<string, Promise<PasswordVerdict>>();

  async function check(attempt: PasswordAttempt): Promise<PasswordVerdict> {
    const decision = await throttle.begin(attempt);
    if (decision.refused) return { right: false, retryAfter: decision.retryAfter };
    if (decision.delay > 0) await wait(decision.delay);
    const right = await passwords.verify(attempt.password, attempt.hash, addressKey(attempt.address));
    if (right && decision.isCounted) await throttle.succeeded(attempt);
    return { right };
  }

  return async (attempt) => {
    const { account, address, password, hash } = attempt;
    if (passwords.isRemembered(password, hash)) return { right: true };
    // Concurrent identical attempts, as of an automated client, count as one.
    const key = secrets.hmac('password attempt', account, address, hash ?? '', password).toString('base64');
    const running = underWay.get(key) ?? check(attempt).finally(() => underWay.delete(key));
    underWay.set(key, running);
    return running;
  };
}
