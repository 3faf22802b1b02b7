import type { Context } from '../context.ts';
import { HttpError } from '../http/errors.ts';
import { addressKey } from '../text/ip-addresses.ts';
import { countInWindow } from './counters.ts';

const HOUR_MS = 3_600_000;
/** Forms of one kind that one IP address may send per hour. Many people can share an address. */
export const MAX_FORMS = 100;

/**
 * Counts an anonymous form that creates accounts or mails, so that nobody tries names and e-mail addresses by the thousand.
 * @throws HttpError 429
 */
export async function countForm(context: Context, kind: 'register' | 'recover', address: string): Promise<void> {
  if (!context.settings.throttle.enabled) return;
  if ((await countInWindow(context, [kind, addressKey(address)], HOUR_MS)) <= MAX_FORMS) return;
  throw new HttpError(429, 'too many forms from this address; try again in an hour', { headers: { 'retry-after': '3600' } });
}
