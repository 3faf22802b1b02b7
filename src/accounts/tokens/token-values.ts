import { hash, randomBytes } from 'node:crypto';

/** A new token: 20 random bytes in hexadecimal. */
export function newTokenValue(): string {
  return randomBytes(20).toString('hex');
}

/** The stored hash of a token. It is random, so a fast hash is enough. */
export function hashToken(token: string): string {
  return hash('sha256', token);
}
