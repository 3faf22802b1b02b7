import { createDecipheriv, createHash } from 'node:crypto';

const IV_BYTES = 16;

/**
 * Decrypts a secret of Gitea's two-factor table; undefined if it was encrypted with another key.
 * @param key Gitea's SECRET_KEY
 */
export function decryptTwoFactorSecret(key: string, base64: string): string | undefined {
  return decrypt('aes-128-cfb', createHash('md5').update(key).digest(), Buffer.from(base64, 'base64'));
}

/** Decrypts other secrets of Gitea, such as the headers of webhooks; undefined if they were encrypted with another key. */
export function decryptSecret(key: string, hex: string): string | undefined {
  return decrypt('aes-256-cfb', createHash('sha256').update(key).digest(), Buffer.from(hex, 'hex'));
}

/** AES in CFB mode has no checksum: the key is right if the result is base64 (modules/secret/secret.go). */
function decrypt(cipher: string, key: Buffer, bytes: Buffer): string | undefined {
  if (bytes.length < IV_BYTES) return undefined;
  const decipher = createDecipheriv(cipher, key, bytes.subarray(0, IV_BYTES));
  const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES)), decipher.final()]).toString('latin1');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return undefined;
  return Buffer.from(text, 'base64').toString('utf8');
}
