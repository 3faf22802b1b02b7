import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { databaseClock } from '../database/clock.ts';
import type { Database } from '../database/database.ts';
import { DatabaseError } from '../database/errors.ts';
import type { Settings } from '../settings.ts';
import { addressKey } from '../text/addresses.ts';
import type { SignInSource } from './password-services.ts';

const KNOWN_ADDRESS_LIFETIME = 30 * 86_400_000;
/** Expired counters that a sign-in removes on its way, at most. */
const REMOVED_AT_ONCE = 20;

/** What comes before a password may be checked, in milliseconds. */
export type ThrottleDecision =
  /** Wait so long, then check. Only what was counted can be forgotten by {@link Throttle.succeeded}. */
  | { readonly refused: false; readonly delay: number; readonly isCounted: boolean }
  /** Do not check; trying again makes sense after so long. */
  | { readonly refused: true; readonly retryAfter: number };

/** Counts failed sign-ins. */
export interface Throttle {
  /**
   * Counts a sign-in that is about to be checked, as a failure until {@link Throttle.succeeded} says otherwise: many tries
   * at one time are counted before the first has failed. A refused one is not counted.
   */
  begin(source: SignInSource): Promise<ThrottleDecision>;
  /** Forgets the account's failures, and what they added to those of the address. */
  succeeded(source: SignInSource): Promise<void>;
}

/** The counters of a sign-in. */
interface Keys {
  readonly account: string;
  readonly address: string;
  /** The account's failures at an address from which it has signed in before. */
  readonly pair: string;
  /** That it has. */
  readonly known: string;
}

interface Counter {
  readonly count: number;
  /** Milliseconds. */
  readonly expiresIn: number;
}

/**
 * The throttle of failed sign-ins of the whole instance. Failures count for the account and for the address; where the account has
 * signed in from the address before, they count for that pair alone, so that neither strangers nor neighbours behind one proxy
 * lock a user out.
 * @param clock the time in milliseconds, as an expression for the database
 */
export function createThrottle(
  settings: Settings['throttle'],
  { db, dialect }: Database,
  clock: () => RawBuilder<number> = () => databaseClock(dialect),
): Throttle {
  const { freePerAccount, refusedPerAccount, freePerAddress, refusedPerAddress, firstDelay, maxDelay, window } = settings;

  /** The delay of the sign-in with this number, counted from 1. */
  const delayOf = (count: number, free: number) =>
    count <= free ? 0 : Math.min(maxDelay, firstDelay * 2 ** Math.min(30, count - free - 1));

  async function read(keys: readonly string[]): Promise<Map<string, Counter>> {
    const time = clock();
    const rows = await db
      .selectFrom('sign_in_counters')
      .select(['key', 'count', sql<number>`expires_at - ${time}`.as('left')])
      .where('key', 'in', keys)
      .where('expires_at', '>', time)
      .execute();
    return new Map(rows.map(({ key, count, left }) => [key, { count, expiresIn: Number(left) }]));
  }

  /** Adds one to each counter, in the order of their keys: two sign-ins that do so at once do not wait for each other in a circle. */
  async function add(keys: readonly string[], lifetime: number): Promise<Map<string, number>> {
    const time = clock();
    const expires = sql<number>`${time} + ${sql.lit(lifetime)}`;
    const rows = await db
      .insertInto('sign_in_counters')
      .values([...keys].sort().map((key) => ({ key, count: 1, expires_at: expires })))
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({
          count: sql<number>`case when sign_in_counters.expires_at <= ${time} then 1 else sign_in_counters.count + 1 end`,
          expires_at: expires,
        }),
      )
      .returning(['key', 'count'])
      .execute();
    return new Map(rows.map(({ key, count }) => [key, count]));
  }

  /** Undefined while nothing can be written: who only reads may sign in then, and what was counted before still holds. */
  async function addOrNone(keys: readonly string[], lifetime: number): Promise<Map<string, number> | undefined> {
    try {
      const counts = await add(keys, lifetime);
      await removeExpired();
      return counts;
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      return undefined;
    }
  }

  async function removeExpired(): Promise<void> {
    const expired = db.selectFrom('sign_in_counters').select('key').where('expires_at', '<=', clock()).limit(REMOVED_AT_ONCE);
    const keys = dialect === 'postgres' ? expired.forUpdate().skipLocked() : expired;
    await db.deleteFrom('sign_in_counters').where('key', 'in', keys).execute();
  }

  return {
    async begin(source) {
      if (!settings.enabled) return { refused: false, delay: 0, isCounted: false };
      const keys = keysOf(source);
      const counters = await read(Object.values(keys));
      const isKnown = counters.has(keys.known);
      const account = isKnown ? keys.pair : keys.account;
      const waitFor = (key: string, most: number) => {
        const counter = counters.get(key);
        return counter && counter.count >= most ? counter.expiresIn : 0;
      };
      const retryAfter = Math.max(waitFor(account, refusedPerAccount), isKnown ? 0 : waitFor(keys.address, refusedPerAddress));
      if (retryAfter > 0) return { refused: true, retryAfter };
      const counts = await addOrNone(isKnown ? [account] : [account, keys.address], window);
      const countOf = (key: string) => counts?.get(key) ?? (counters.get(key)?.count ?? 0) + 1;
      const [ofAccount, ofAddress] = [countOf(account), isKnown ? 0 : countOf(keys.address)];
      // Others were counted since.
      if (ofAccount > refusedPerAccount || ofAddress > refusedPerAddress) return { refused: true, retryAfter: window };
      const delay = Math.max(delayOf(ofAccount, freePerAccount), delayOf(ofAddress, freePerAddress));
      return { refused: false, delay, isCounted: counts !== undefined };
    },

    async succeeded(source) {
      const keys = keysOf(source);
      const counters = await read(Object.values(keys));
      const known = counters.get(keys.known);
      const isKnown = known !== undefined;
      const forgiven = counters.get(isKnown ? keys.pair : keys.account)?.count ?? 0;
      if (!known || known.expiresIn < KNOWN_ADDRESS_LIFETIME / 2) await add([keys.known], KNOWN_ADDRESS_LIFETIME);
      await db
        .deleteFrom('sign_in_counters')
        .where('key', '=', isKnown ? keys.pair : keys.account)
        .execute();
      if (isKnown) return;
      // Only these: an attacker with one account must not wipe out the failures with others.
      await db
        .updateTable('sign_in_counters')
        .set((row) => ({
          count: sql<number>`case when ${row.ref('count')} > ${forgiven} then ${row.ref('count')} - ${forgiven} else 0 end`,
        }))
        .where('key', '=', keys.address)
        .execute();
    },
  };
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
