import { hash as argon2Hash, verify as argon2Verify, parseOptions } from '@node-rs/argon2';
import { Semaphore } from '../concurrency/semaphore.ts';
import type { Secrets } from '../secrets.ts';
import type { Settings } from '../settings.ts';
import { ExpiringMap } from './expiring-map.ts';
import { isImportedHash, verifyImported } from './imported-passwords.ts';
import type { Passwords } from './password-services.ts';

type PasswordSettings = Settings['passwords'];

/** Maximum length of a password in bytes; longer ones are never right. */
export const MAX_PASSWORD_BYTES = 1024;
const MAX_REMEMBERED = 10_000;

/** The error of a new password: too short, too long, or without a required kind of characters. */
export type PasswordFault = 'tooShort' | 'tooLong' | 'notComplex';

const CHARACTER_KINDS = {
  lower: /[a-z]/,
  upper: /[A-Z]/,
  digit: /[0-9]/,
  spec: /[ !"#$%&'()*+,\-./:;<=>?@[\\\]^_{|}~`]/,
};

/** The error of a new password; `null` for a valid one. */
export function passwordFault(password: string, rules: Pick<PasswordSettings, 'minLength' | 'complexity'>): PasswordFault | null {
  if ([...password].length < rules.minLength) return 'tooShort';
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) return 'tooLong';
  return rules.complexity.every((kind) => kind === 'off' || CHARACTER_KINDS[kind].test(password)) ? null : 'notComplex';
}

/**
 * Passwords by argon2id with the parameters of the settings (OWASP Password Storage Cheat Sheet). Imported hashes are
 * checked as they are, until the next sign-in renews them. A verified password is
 * cached for `rememberVerified`, by an HMAC of it and its hash: so the entry becomes invalid when the hash changes.
 * @param now the clock, in milliseconds
 */
export function createPasswords(settings: PasswordSettings, secrets: Pick<Secrets, 'hmac'>, now: () => number = Date.now): Passwords {
  const parameters = {
    memoryCost: Math.ceil(settings.hashMemory / 1024),
    timeCost: settings.hashIterations,
    parallelism: settings.hashParallelism,
  };
  const verified = new ExpiringMap<true>(MAX_REMEMBERED, now);
  const { concurrentHashes } = settings;
  const semaphore = new Semaphore({ permits: concurrentHashes, permitsPerKey: Math.ceil(concurrentHashes / 2) });
  const keyOf = (password: string, hash: string) => secrets.hmac('verified password', hash, password).toString('base64');
  let decoy: Promise<string> | undefined;

  return {
    hash: async (password) => {
      if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) throw new RangeError(`a password has at most ${MAX_PASSWORD_BYTES} bytes`);
      return semaphore.run('', () => argon2Hash(password, parameters));
    },

    verify: async (password, hash, caller = '') => {
      if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) return false;
      if (!isHash(hash)) {
        decoy ??= argon2Hash('', parameters);
        const other = await decoy;
        await semaphore.run(caller, () => argon2Verify(other, password));
        return false;
      }
      const key = keyOf(password, hash);
      if (verified.get(key)) return true;
      const isRight = await semaphore.run(caller, () => (isOwnHash(hash) ? argon2Verify(hash, password) : verifyImported(hash, password)));
      if (isRight) verified.set(key, true, settings.rememberVerified);
      return isRight;
    },

    isRemembered: (password, hash) => isHash(hash) && verified.get(keyOf(password, hash)) === true,

    needsRehash: (hash) => {
      if (!isOwnHash(hash)) return true;
      const made = parseOptions(hash);
      return (
        made.memoryCost !== parameters.memoryCost || made.timeCost !== parameters.timeCost || made.parallelism !== parameters.parallelism
      );
    },
  };
}

function isHash(hash: string | null): hash is string {
  return hash !== null && (isOwnHash(hash) || isImportedHash(hash));
}

function isOwnHash(hash: string): boolean {
  return /^\$argon2id\$v=19\$m=\d{1,8},t=\d{1,4},p=\d{1,3}\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/.test(hash);
}
