import { createHash, randomBytes } from 'node:crypto';

/** A new token of a job, in the form of access tokens, as clients expect. */
export function newJobToken(): { token: string; hash: string } {
  const token = randomBytes(20).toString('hex');
  return { token, hash: hashJobToken(token) };
}

/** SHA-256: the token is random, so it needs no slow hash. */
export function hashJobToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
