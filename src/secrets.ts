import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { chmodSync, closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from './settings.ts';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1.';
const KEY_FILE = 'secret.key';

/** The key in the data folder or what was encrypted with it cannot be used. */
export class SecretsError extends Error {
  override readonly name = 'SecretsError';
}

/** What the instance's secret key does. */
export interface Secrets {
  /**
   * Encrypts for the database (AES-256-GCM).
   * @param context what it belongs to, such as `webhook 12 secret`; decrypting needs the same, so that a row cannot pass for another
   * @returns printable ASCII
   */
  encrypt(plain: string | Uint8Array, context: string): string;
  /**
   * The bytes that were encrypted.
   * @throws SecretsError when they were encrypted with another key or for another context, or have been changed
   */
  decrypt(sealed: string, context: string): Buffer;
  /**
   * An HMAC-SHA256 of these fields under a key of its own for each purpose. Fields are separated unambiguously.
   * @param purpose a constant, such as `artifact link`
   */
  hmac(purpose: string, ...fields: readonly (string | Uint8Array)[]): Buffer;
  /** {@link hmac} in base64url, for links and cookies. */
  sign(purpose: string, ...fields: readonly string[]): string;
  /** Whether `signature` is what {@link sign} returns for the same purpose and fields; takes the same time wherever they differ. */
  isSigned(signature: string, purpose: string, ...fields: readonly string[]): boolean;
}

/**
 * The secrets of the instance: the key is `security.secretKey`, else the one in the data folder, which is made when there is none.
 * @throws SecretsError when the file in the data folder holds no key
 */
export function openSecrets(settings: Pick<Settings, 'security' | 'server'>): Secrets {
  const { secretKey } = settings.security;
  return secretsFromKey(secretKey === null ? readOrCreateKey(settings.server.dataDir) : decodeKey(secretKey));
}

/** The secrets that belong to a key of 32 bytes. */
export function secretsFromKey(key: Uint8Array): Secrets {
  if (key.length !== KEY_BYTES) throw new SecretsError(`the secret key must have ${KEY_BYTES} bytes`);
  const encryptionKey = derive(key, 'encryption');
  const hmacKeys = new Map<string, Buffer>();
  const hmacKey = (purpose: string): Buffer => {
    const known = hmacKeys.get(purpose) ?? derive(key, `hmac ${purpose}`);
    hmacKeys.set(purpose, known);
    return known;
  };
  const hmac: Secrets['hmac'] = (purpose, ...fields) => {
    const digest = createHmac('sha256', hmacKey(purpose));
    for (const field of fields) {
      const bytes = Buffer.from(field);
      const length = Buffer.alloc(8);
      length.writeBigUInt64BE(BigInt(bytes.length));
      digest.update(length).update(bytes);
    }
    return digest.digest();
  };
  const sign: Secrets['sign'] = (purpose, ...fields) => hmac(purpose, ...fields).toString('base64url');
  return {
    encrypt: (plain, context) => encrypt(encryptionKey, plain, context),
    decrypt: (sealed, context) => decrypt(encryptionKey, sealed, context),
    hmac,
    sign,
    isSigned: (signature, purpose, ...fields) => {
      const given = Buffer.from(signature);
      const expected = Buffer.from(sign(purpose, ...fields));
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}

/** A key of its own for each use (HKDF, RFC 5869), so that the result of one use helps nobody against another. */
function derive(key: Uint8Array, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `copse ${use}`, KEY_BYTES));
}

function encrypt(key: Buffer, plain: string | Uint8Array, context: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([nonce, cipher.update(Buffer.from(plain)), cipher.final(), cipher.getAuthTag()]);
  return VERSION + sealed.toString('base64url');
}

function decrypt(key: Buffer, sealed: string, context: string): Buffer {
  const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64url');
  if (!sealed.startsWith(VERSION) || bytes.length < NONCE_BYTES + TAG_BYTES) throw new SecretsError('this is not an encrypted value');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    throw new SecretsError('the value was encrypted with another key or for another use, or has been changed');
  }
}

function decodeKey(text: string): Buffer {
  return /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
}

function readOrCreateKey(dataDir: string): Buffer {
  const path = join(dataDir, KEY_FILE);
  const text = readKey(path) ?? createKey(dataDir, path);
  if (!/^[0-9a-f]{64}$/.test(text)) throw new SecretsError(`${path} holds no secret key; put back the one from your backup`);
  return decodeKey(text);
}

function readKey(path: string): string | null {
  try {
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Writes a new key whole before it gets its name, and never over another process's. */
function createKey(dataDir: string, path: string): string {
  mkdirSync(dataDir, { recursive: true });
  const temporary = `${path}.${randomBytes(8).toString('hex')}`;
  const file = openSync(temporary, 'wx', 0o600);
  try {
    writeSync(file, `${randomBytes(KEY_BYTES).toString('hex')}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    unlinkSync(temporary);
  }
  return readKey(path) ?? '';
}
