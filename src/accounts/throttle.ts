import type { Settings } from '../settings.ts';
import { addressKey } from '../text/addresses.ts';
import { ExpiringMap } from './expiring-map.ts';
import type { SignInSource } from './password-services.ts';

/** Counters and known addresses that are kept; above it the oldest are forgotten. */
const MAX_COUNTERS = 100_000;
const KNOWN_ADDRESS_LIFETIME = 30 * 86_400_000;

/** What comes before a password may be checked, in milliseconds. */
export type ThrottleDecision =
  /** Wait so long, then check. */
  | { readonly refused: false; readonly delay: number }
  /** Do not check; trying again makes sense after so long. */
  | { readonly refused: true; readonly retryAfter: number };

/** Counts failed sign-ins. */
export interface Throttle {
  /**
   * Counts a sign-in that is about to be checked, as a failure until {@link Throttle.succeeded} says otherwise: many tries
   * at one time are counted before the first has failed. A refused one is not counted.
   */
  begin(source: SignInSource): ThrottleDecision;
  /** Forgets the account's failures, and what they added to those of the address. */
  succeeded(source: SignInSource): void;
}

/**
 * The throttle of failed sign-ins, in memory. Failures count for the account and for the address; where the account has
 * signed in from the address before, they count for that pair alone, so that neither strangers nor neighbours behind one proxy
 * lock a user out.
 * @param now the clock, in milliseconds
 */
export function createThrottle(settings: Settings['throttle'], now: () => number = Date.now): Throttle {
  const accounts = new ExpiringMap<number>(MAX_COUNTERS, now);
  const addresses = new ExpiringMap<number>(MAX_COUNTERS, now);
  const knownPairs = new ExpiringMap<true>(MAX_COUNTERS, now);
  const { freePerAccount, refusedPerAccount, freePerAddress, refusedPerAddress, firstDelay, maxDelay, window } = settings;

  const keysOf = ({ account, address }: SignInSource) => {
    const from = addressKey(address);
    const name = account.slice(0, 256).toLowerCase();
    const pair = `${from} ${name}`;
    const isKnown = knownPairs.get(pair) === true;
    return { from, pair, isKnown, account: isKnown ? pair : name };
  };
  /** The delay of the sign-in with this number, counted from 1. */
  const delayOf = (count: number, free: number) =>
    count <= free ? 0 : Math.min(maxDelay, firstDelay * 2 ** Math.min(30, count - free - 1));

  return {
    begin(source) {
      if (!settings.enabled) return { refused: false, delay: 0 };
      const keys = keysOf(source);
      const ofAccount = (accounts.get(keys.account) ?? 0) + 1;
      const ofAddress = keys.isKnown ? 0 : (addresses.get(keys.from) ?? 0) + 1;
      const retryAfter = Math.max(
        ofAccount > refusedPerAccount ? accounts.expiresIn(keys.account) : 0,
        ofAddress > refusedPerAddress ? addresses.expiresIn(keys.from) : 0,
      );
      if (retryAfter > 0) return { refused: true, retryAfter };
      accounts.set(keys.account, ofAccount, window);
      if (!keys.isKnown) addresses.set(keys.from, ofAddress, window);
      return { refused: false, delay: Math.max(delayOf(ofAccount, freePerAccount), delayOf(ofAddress, freePerAddress)) };
    },

    succeeded(source) {
      if (!settings.enabled) return;
      const keys = keysOf(source);
      const forgiven = accounts.get(keys.account) ?? 0;
      accounts.delete(keys.account);
      knownPairs.set(keys.pair, true, KNOWN_ADDRESS_LIFETIME);
      if (keys.isKnown) return;
      // Only these: an attacker with one account must not wipe out the failures with others.
      const remaining = (addresses.get(keys.from) ?? 0) - forgiven;
      if (remaining > 0) addresses.set(keys.from, remaining, addresses.expiresIn(keys.from));
      else addresses.delete(keys.from);
    },
  };
}
