import { createHash, createPrivateKey, type KeyObject, sign as signBytes } from 'node:crypto';
import type { ServerKey } from './key.ts';

const MAGIC = Buffer.from('openssh-key-v1\0');
/** The namespace of commit signatures: https://git-scm.com/docs/git-config#Documentation/git-config.txt-gpgformat */
const NAMESPACE = 'git';

/**
 * A private key of OpenSSH (without a passphrase) or in PEM (with one or without) as the server's: Ed25519 or RSA.
 * @throws Error when it cannot be read
 */
export async function sshKey(text: string, passphrase: string): Promise<ServerKey> {
  const key = text.includes('OPENSSH PRIVATE KEY') ? openSshKey(text) : createPrivateKey({ key: text, ...(passphrase && { passphrase }) });
  const { name, blob } = publicBlob(key);
  return {
    format: 'ssh',
    publicText: `${name} ${blob.toString('base64')}\n`,
    sign: async (payload) => armored(signature(key, blob, payload)),
  };
}

/** Reads https://github.com/openssh/openssh-portable/blob/master/PROTOCOL.key */
function openSshKey(text: string): KeyObject {
  const bytes = Buffer.from(text.replace(/-----[^-]+-----|\s/g, ''), 'base64');
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) throw new Error('the signing key is not an OpenSSH private key');
  const outer = new Reader(bytes.subarray(MAGIC.length));
  const cipher = outer.text();
  if (cipher !== 'none') throw new Error('the signing key has a passphrase: take it off with ssh-keygen -p, or use a PEM key');
  outer.bytes();
  outer.bytes();
  outer.number();
  outer.bytes();
  const inner = new Reader(outer.bytes());
  inner.number();
  inner.number();
  const type = inner.text();
  const word = (part: Buffer) => part.toString('base64url');
  const number = () => word(trimmed(inner.bytes()));
  if (type === 'ssh-ed25519') {
    const x = inner.bytes();
    return createPrivateKey({
      format: 'jwk',
      key: { kty: 'OKP', crv: 'Ed25519', x: word(x), d: word(inner.bytes().subarray(0, 32)) },
    });
  }
  if (type !== 'ssh-rsa') throw new Error(`signing keys are of the type ssh-ed25519 or ssh-rsa, not ${type}`);
  const [n, e, d, qi, p, q] = [number(), number(), number(), number(), number(), number()];
  const big = (part: string) => BigInt(`0x${Buffer.from(part, 'base64url').toString('hex')}`);
  const rest = (prime: string) => {
    const hex = (big(d) % (big(prime) - 1n)).toString(16);
    return word(Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex'));
  };
  return createPrivateKey({ format: 'jwk', key: { kty: 'RSA', n, e, d, p, q, qi, dp: rest(p), dq: rest(q) } });
}

/** The public half as SSH writes it: https://www.rfc-editor.org/rfc/rfc4253#section-6.6 */
function publicBlob(key: KeyObject): { name: string; blob: Buffer } {
  const { kty, crv, x = '', n = '', e = '' } = key.export({ format: 'jwk' });
  const bytes = (word: string) => Buffer.from(word, 'base64url');
  if (kty === 'OKP' && crv === 'Ed25519') {
    return { name: 'ssh-ed25519', blob: Buffer.concat([field('ssh-ed25519'), field(bytes(x))]) };
  }
  if (kty !== 'RSA') throw new Error('signing keys are Ed25519 or RSA keys');
  return { name: 'ssh-rsa', blob: Buffer.concat([field('ssh-rsa'), field(positive(bytes(e))), field(positive(bytes(n)))]) };
}

/** https://github.com/openssh/openssh-portable/blob/master/PROTOCOL.sshsig */
function signature(key: KeyObject, publicKey: Buffer, payload: Buffer): Buffer {
  const about = Buffer.concat([field(NAMESPACE), field(''), field('sha512')]);
  const digest = createHash('sha512').update(payload).digest();
  const signed = Buffer.concat([Buffer.from('SSHSIG'), about, field(digest)]);
  const isRsa = key.asymmetricKeyType === 'rsa';
  const bytes = signBytes(isRsa ? 'sha512' : null, signed, key);
  const own = Buffer.concat([field(isRsa ? 'rsa-sha2-512' : 'ssh-ed25519'), field(bytes)]);
  return Buffer.concat([Buffer.from('SSHSIG'), uint32(1), field(publicKey), about, field(own)]);
}

function armored(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,70}/g) ?? [];
  return `-----BEGIN SSH SIGNATURE-----\n${lines.join('\n')}\n-----END SSH SIGNATURE-----\n`;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function field(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([uint32(bytes.length), bytes]);
}

/** A number that is not to be read as negative. */
function positive(bytes: Buffer): Buffer {
  return (bytes[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes;
}

function trimmed(bytes: Buffer): Buffer {
  return bytes[0] === 0 ? bytes.subarray(1) : bytes;
}

/** Reads numbers and fields with their lengths, one after the other. */
class Reader {
  readonly #bytes: Buffer;
  #at = 0;
  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }
  number(): number {
    const value = this.#bytes.readUInt32BE(this.#at);
    this.#at += 4;
    return value;
  }
  bytes(): Buffer {
    const length = this.number();
    if (this.#at + length > this.#bytes.length) throw new Error('the signing key is cut off');
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
  text(): string {
    return this.bytes().toString('latin1');
  }
}
