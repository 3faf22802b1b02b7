import { createHash } from 'node:crypto';
import type { RawBuilder } from 'kysely';
import { databaseClock } from '../database/clock.ts';
import type { Database } from '../database/database.ts';
import type { Settings } from '../settings.ts';
import { addressKey } from '../text/ip-addresses.ts';
import type { SignInSource } from './password-services.ts';
import { SignInCounters } from './sign-in-counters.ts';

const KNOWN_ADDRESS_LIFETIME = 30 * 86_400_000;

/** The decision before a password may be checked; times in milliseconds. */
export type ThrottleDecision =
  /** Wait so long, then check. Only a counted attempt can be subtracted by {@link Throttle.succeeded}. */
  | { readonly refused: false; readonly delay: number; readonly isCounted: boolean }
  /** Do not check; retry after so long. */
  | { readonly refused: true; readonly retryAfter: number };

/** Counts failed sign-ins. */
export interface Throttle {
  /**
   * Counts a sign-in that is about to be checked, as a failure until {@link Throttle.succeeded}: many concurrent attempts
   * are counted before the first has failed. A refused one is not counted.
   */
  begin(source: SignInSource): Promise<ThrottleDecision>;
  /** Resets the account's failures, and subtracts them from those of the IP address. */
  succeeded(source: SignInSource): Promise<void>;
}

/** The counters of a sign-in. */
interface Keys {
  readonly account: string;
  readonly address: string;
  /** The account's failures from an IP address that it has signed in from before. */
  readonly pair: string;
  /** That it has signed in from there. */
  readonly known: string;
}

/**
 * The throttle of failed sign-ins of the whole instance. Failures count for the account and for the IP address; if the account has
 * signed in from the address before, they count only for that pair, so that neither strangers nor neighbours behind one proxy
 * lock a user out.
 * @param clock the time in milliseconds, as an SQL expression
 */
export function createThrottle(
  settings: Settings['throttle'],
  database: Database,
  clock: () => RawBuilder<number> = () => databaseClock(database.dialect),
): Throttle {
  const counters = new SignInCounters(database, clock);
  return {
    begin: async (source) => (settings.enabled ? await begin(settings, counters, source) : NOT_COUNTED),
    succeeded: (source) => forgive(counters, source),
  };
}

const NOT_COUNTED: ThrottleDecision = { refused: false, delay: 0, isCounted: false };

async function begin(settings: Settings['throttle'], counters: SignInCounters, source: SignInSource): Promise<ThrottleDecision> {
  const { freePerAccount, refusedPerAccount, freePerAddress, refusedPerAddress, window } = settings;
  const keys = keysOf(source);
  const before = await counters.read(Object.values(keys));
  const limits = before.has(keys.known)
    ? [{ key: keys.pair, free: freePerAccount, refused: refusedPerAccount }]
    : [
        { key: keys.account, free: freePerAccount, refused: refusedPerAccount },
        { key: keys.address, free: freePerAddress, refused: refusedPerAddress },
      ];
  const waits = limits.map(({ key, refused }) => {
    const counter = before.get(key);
    return counter && counter.count >= refused ? counter.expiresIn : 0;
  });
  const retryAfter = Math.max(...waits);
  if (retryAfter > 0) return { refused: true, retryAfter };
  const added = await counters.addOrNone(
    limits.map(({ key }) => key),
    window,
  );
  const counts = limits.map(({ key, ...limit }) => ({ ...limit, count: added?.get(key) ?? (before.get(key)?.count ?? 0) + 1 }));
  // Others were counted since.
  if (counts.some(({ count, refused }) => count > refused)) return { refused: true, retryAfter: window };
  return { refused: false, delay: Math.max(...counts.map((limit) => delayOf(settings, limit))), isCounted: added !== undefined };
}

/** The delay of the sign-in with this number, counted from 1. */
function delayOf({ firstDelay, maxDelay }: Settings['throttle'], { count, free }: { count: number; free: number }): number {
  return count <= free ? 0 : Math.min(maxDelay, firstDelay * 2 ** Math.min(30, count - free - 1));
}

async function forgive(counters: SignInCounters, source: SignInSource): Promise<void> {
  const keys = keysOf(source);
  const before = await counters.read(Object.values(keys));
  const known = before.get(keys.known);
  const failures = known ? keys.pair : keys.account;
  if (!known || known.expiresIn < KNOWN_ADDRESS_LIFETIME / 2) await counters.add([keys.known], KNOWN_ADDRESS_LIFETIME);
  await counters.remove(failures);
  // Only these: an attacker with one account must not reset the failures with others.
  if (!known) await counters.subtract(keys.address, before.get(failures)?.count ?? 0);
}

function keysOf({ account, address }: SignInSource): Keys {
  const from = addressKey(address);
  const name = account.slice(0, 256).toLowerCase();
  return {
    account: digest('account', name),
    address: digest('address', from),
    pair: digest('pair', from, name),
    known: digest('known', from, name),
  };
}

function digest(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
