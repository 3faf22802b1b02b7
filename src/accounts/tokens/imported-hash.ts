import { pbkdf2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** Gitea's hash of tokens (models/auth/twofactor.go, `HashToken`). */
const ITERATIONS = 10_000;
const LENGTH = 50;

/**
 * Whether a token matches a hash of Gitea. Takes some milliseconds of another thread.
 * @param hash in hexadecimal digits
 */
export async function isImportedHash(token: string, hash: string, salt: string): Promise<boolean> {
  const computed = await promisify(pbkdf2)(token, salt, ITERATIONS, LENGTH, 'sha256');
  const expected = Buffer.from(hash, 'hex');
  return computed.length === expected.length && timingSafeEqual(computed, expected);
}
