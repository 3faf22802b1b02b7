import { createHash, randomInt } from 'node:crypto';

/** Letters and digits that are easy to distinguish. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const LENGTH = 20;

/** A new recovery code: about 99 bits, in groups of five. */
export function newRecoveryCode(): string {
  const letters = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return (letters.match(/.{5}/g) ?? []).join('-');
}

/** The stored hash of a recovery code, however it was typed. It is random, so a fast hash is enough. */
export function hashRecoveryCode(code: string): string {
  const letters = code.toLowerCase().replace(/[\s-]/g, '');
  return createHash('sha256').update(`recovery ${letters}`).digest('hex');
}
