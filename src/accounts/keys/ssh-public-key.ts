import { createHash, createPublicKey } from 'node:crypto';
import { trimEnd } from '../../text/trim-end.ts';
import { base64FaultAt } from '../base64.ts';

/** A public key in its stored form. */
export interface SshPublicKey {
  /** `type base64 comment`, as in an authorized_keys file; the comment is optional. */
  readonly content: string;
  /** `SHA256:…`, as OpenSSH shows it. */
  readonly fingerprint: string;
  /** The algorithm, such as `ssh-ed25519`. */
  readonly type: string;
  /** The key in the form of RFC 4253, section 6.6. */
  readonly blob: Buffer;
}

/** A text is not a public key, or not of an accepted type; the message has the reason. */
export class InvalidSshKeyError extends Error {
  override readonly name = 'InvalidSshKeyError';
}

/** No key is longer: RSA with 16384 bits takes 2800 characters. */
const MAX_LENGTH = 16_384;

/**
 * Parses one public key: a line of OpenSSH with or without type and comment, the file format of RFC 4716, or PEM.
 * @param minimumRsaBits shorter RSA keys are refused
 * @throws InvalidSshKeyError
 */
export function readSshPublicKey(text: string, minimumRsaBits: number): SshPublicKey {
  const trimmed = text.trim();
  if (trimmed.length > MAX_LENGTH) throw new InvalidSshKeyError(`a key has at most ${MAX_LENGTH} characters`);
  const { type: named, base64, comment } = splitKey(trimmed);
  const blob = decode(base64);
  const type = new Reader(blob).text();
  if (named !== '' && named !== type) throw new InvalidSshKeyError(`key type and content does not match: ${named} - ${type}`);
  const bits = checkKey(type, blob);
  if (type === 'ssh-rsa' && bits < minimumRsaBits) {
    throw new InvalidSshKeyError(`key length is not enough: got ${bits}, needs ${minimumRsaBits}`);
  }
  return { content: `${type} ${blob.toString('base64')} ${comment}`.trim(), fingerprint: sshFingerprint(blob), type, blob };
}

/** The fingerprint of a key in wire form. */
export function sshFingerprint(blob: Uint8Array): string {
  return `SHA256:${trimEnd(createHash('sha256').update(blob).digest('base64'), '=')}`;
}

interface KeyText {
  type: string;
  base64: string;
  comment: string;
}

function splitKey(text: string): KeyText {
  if (text.startsWith('---- BEGIN SSH2 PUBLIC KEY ----')) return { type: '', base64: bodyOfSsh2(text), comment: '' };
  if (text.includes('-----BEGIN')) return { type: '', base64: fromPem(text), comment: '' };
  const joined = text.replace(/\r?\n/g, '');
  if (/[^\P{Cc}\t]/u.test(joined)) throw new InvalidSshKeyError('a key has no control characters');
  const [, type, base64, comment = ''] = /^([^ \t]+)[ \t]+([^ \t]+)(?:[ \t](.*))?$/.exec(joined) ?? [];
  if (type === undefined || base64 === undefined) return { type: '', base64: joined, comment: '' };
  return { type, base64, comment };
}

/** The base64 of RFC 4716, section 3: header lines have a colon and may continue after a backslash. */
function bodyOfSsh2(text: string): string {
  let isContinued = false;
  let body = '';
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (isContinued || /[:-]/.test(line)) isContinued = line.endsWith('\\');
    else body += line.trim();
  }
  return body;
}

function fromPem(text: string): string {
  if (/-----BEGIN [A-Z0-9 ]*PRIVATE/.test(text)) throw new InvalidSshKeyError('the provided key is a private key');
  let jwk: JsonWebKey;
  try {
    jwk = createPublicKey(text).export({ format: 'jwk' });
  } catch {
    throw new InvalidSshKeyError('failed to parse PEM block containing the public key');
  }
  const bytes = (field: string | undefined) => Buffer.from(field ?? '', 'base64url');
  if (jwk.kty === 'RSA') return wire('ssh-rsa', mpint(bytes(jwk.e)), mpint(bytes(jwk.n))).toString('base64');
  if (jwk.kty === 'OKP' && jwk.crv === 'Ed25519') return wire('ssh-ed25519', bytes(jwk.x)).toString('base64');
  const curve = Object.keys(CURVES).find((name) => CURVES[name]?.jwk === jwk.crv);
  if (jwk.kty !== 'EC' || !curve) throw new InvalidSshKeyError('unable to convert to ssh public key');
  const point = Buffer.concat([Buffer.of(4), bytes(jwk.x), bytes(jwk.y)]);
  return wire(`ecdsa-sha2-${curve}`, Buffer.from(curve), point).toString('base64');
}

function wire(type: string, ...fields: Buffer[]): Buffer {
  const parts = [Buffer.from(type), ...fields].flatMap((field) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(field.length);
    return [length, field];
  });
  return Buffer.concat(parts);
}

function mpint(bytes: Buffer): Buffer {
  return (bytes[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
}

/** The error has the position of the invalid character, as clients expect. */
function decode(base64: string): Buffer {
  if (/^[A-Za-z0-9+/]+={0,2}$/.test(base64) && base64.length % 4 === 0) return Buffer.from(base64, 'base64');
  throw new InvalidSshKeyError(`extractTypeFromBase64Key: invalid key format: illegal base64 data at input byte ${base64FaultAt(base64)}`);
}

/** The error for a key with a valid type and an invalid rest, in the words that clients expect. */
function unreadable(why: string): InvalidSshKeyError {
  return new InvalidSshKeyError(`invalid ssh public key: ssh: no key found; last parsing error for ignored line: ssh: ${why}`);
}

/** Reads the length-prefixed fields of RFC 4251, section 5. */
class Reader {
  readonly #bytes: Buffer;
  #at = 0;
  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  bytes(): Buffer {
    const start = this.#at + 4;
    const length = start <= this.#bytes.length ? this.#bytes.readUInt32BE(this.#at) : undefined;
    if (length === undefined || start + length > this.#bytes.length) throw this.#cut(length);
    this.#at = start + length;
    return this.#bytes.subarray(start, this.#at);
  }

  #cut(length: number | undefined): InvalidSshKeyError {
    if (this.#at > 0) return unreadable(length === undefined ? 'parse error in message type 0' : 'short read');
    return new InvalidSshKeyError(`extractTypeFromBase64Key: invalid key format: not enough length ${length ?? ''}`.trim());
  }

  text(): string {
    return this.bytes().toString('latin1');
  }

  /** A positive number without leading zeros. */
  number(): Buffer {
    const bytes = this.bytes();
    const [first = 0x80, second = 0x80] = bytes;
    if (first & 0x80 || (first === 0 && !(second & 0x80))) throw new InvalidSshKeyError('invalid key format: not a positive number');
    return first === 0 ? bytes.subarray(1) : bytes;
  }

  end(): void {
    if (this.#at !== this.#bytes.length) throw unreadable('trailing junk in public key');
  }
}

const CURVES: Readonly<Record<string, { jwk: string; bytes: number; bits: number }>> = {
  nistp256: { jwk: 'P-256', bytes: 32, bits: 256 },
  nistp384: { jwk: 'P-384', bytes: 48, bits: 384 },
  nistp521: { jwk: 'P-521', bytes: 66, bits: 521 },
};

/** Validates the fields of a key (RFC 4253, 5656 and 8709; OpenSSH's PROTOCOL.u2f for keys in tokens). Returns its length in bits. */
function checkKey(type: string, blob: Buffer): number {
  const reader = new Reader(blob);
  reader.bytes();
  const bits = checkFields(type, reader);
  reader.end();
  return bits;
}

function checkFields(type: string, reader: Reader): number {
  switch (type) {
    case 'ssh-ed25519':
      return checkEd25519(reader);
    case 'sk-ssh-ed25519@openssh.com':
      return withApplication(reader, checkEd25519(reader));
    case 'ssh-rsa':
      return checkRsa(reader);
    case 'ecdsa-sha2-nistp256':
    case 'ecdsa-sha2-nistp384':
    case 'ecdsa-sha2-nistp521':
      return checkEcdsa(reader, type.slice('ecdsa-sha2-'.length));
    case 'sk-ecdsa-sha2-nistp256@openssh.com':
      return withApplication(reader, checkEcdsa(reader, 'nistp256'));
    default:
      if (type !== 'ssh-dss' && !type.includes('-cert-')) throw unreadable(`unknown key algorithm: ${printable(type)}`);
      throw new InvalidSshKeyError(`key type is not allowed: ${type === 'ssh-dss' ? 'dsa' : printable(type)}`);
  }
}

/** Keys in tokens end with the name of their application. */
function withApplication(reader: Reader, bits: number): number {
  reader.bytes();
  return bits;
}

function printable(type: string): string {
  return type.replace(/[^\x21-\x7e]/g, '?').slice(0, 64);
}

function checkEd25519(reader: Reader): number {
  if (reader.bytes().length !== 32) throw new InvalidSshKeyError('invalid ssh public key: an Ed25519 key has 32 bytes');
  return 256;
}

function checkRsa(reader: Reader): number {
  const [e, n] = [reader.number(), reader.number()];
  const isOdd = (number: Buffer) => ((number.at(-1) ?? 0) & 1) === 1;
  const isOne = e.length === 1 && e[0] === 1;
  if (!isOdd(e) || isOne || e.length > 8 || !isOdd(n)) throw new InvalidSshKeyError('invalid ssh public key: not an RSA key');
  return n.length * 8 - (Math.clz32(n[0] ?? 0) - 24);
}

function checkEcdsa(reader: Reader, name: string): number {
  const curve = CURVES[name];
  const [curveName, point] = [reader.text(), reader.bytes()];
  if (!curve || curveName !== name || point[0] !== 4 || point.length !== 1 + 2 * curve.bytes) {
    throw new InvalidSshKeyError(`invalid ssh public key: not a point of ${name}`);
  }
  const [x, y] = [point.subarray(1, 1 + curve.bytes), point.subarray(1 + curve.bytes)].map((half) => half.toString('base64url'));
  try {
    createPublicKey({ key: { kty: 'EC', crv: curve.jwk, x, y }, format: 'jwk' });
  } catch {
    throw new InvalidSshKeyError(`invalid ssh public key: not a point of ${name}`);
  }
  return curve.bits;
}
