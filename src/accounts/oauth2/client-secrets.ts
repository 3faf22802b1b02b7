import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { OAuth2Application } from '../../database/tables/oauth2.ts';

/** A new random value: 32 bytes in base64url. */
export function newRandomValue(): string {
  return randomBytes(32).toString('base64url');
}

/** What is kept of a secret, a code or a cookie. They are random, so a fast hash is enough. */
export function hashRandomValue(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}

/** A new client secret. The prefix lets scanners of leaked secrets recognize it. */
export function newClientSecret(): string {
  return `gto_${newRandomValue()}`;
}

/** Whether `secret` is the application's. Applications without one have none that is right. */
export function isClientSecret({ secret_hash }: OAuth2Application, secret: string): boolean {
  if (secret_hash === '' || secret === '') return false;
  const given = Buffer.from(hashRandomValue(secret));
  const expected = Buffer.from(secret_hash);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
