/** Hashes and verifies passwords. */
export interface Passwords {
  /**
   * A hash for the database, in PHC format.
   * @throws RangeError for a password that is longer than `MAX_PASSWORD_BYTES`
   * @throws BusyError when too many passwords wait
   */
  hash(password: string): Promise<string>;
  /**
   * Whether the password matches the hash. Without a hash (`null` or empty: no such account, or one without a password) the result is
   * false after the same time, so that nobody learns which accounts exist.
   * @param caller the key of the caller: one caller cannot delay all others
   * @throws BusyError when too many passwords wait
   */
  verify(password: string, hash: string | null, caller?: string): Promise<boolean>;
  /** Whether {@link Passwords.verify} would return true from the cache, at once. */
  isRemembered(password: string, hash: string | null): boolean;
  /** Whether the hash has other parameters than those of the settings, so that the next sign-in should renew it. */
  needsRehash(hash: string): boolean;
}

/** The source of a sign-in. */
export interface SignInSource {
  /** The given name, whether or not such an account exists. */
  readonly account: string;
  /** The caller's IP address. */
  readonly address: string;
}

/** A name and a password to verify. */
export interface PasswordAttempt extends SignInSource {
  readonly password: string;
  /** The account's hash; `null` when there is no such account or it has no password. */
  readonly hash: string | null;
}

/** Whether a password was right; if it was not checked, after how many milliseconds the caller may retry. */
export type PasswordVerdict = { readonly right: boolean } | { readonly right: false; readonly retryAfter: number };

/** Checks passwords. Errors of {@link Passwords.verify} are passed on. */
export type CheckPassword = (attempt: PasswordAttempt) => Promise<PasswordVerdict>;
