import { createHash, randomBytes } from 'node:crypto';

/** An armored OpenPGP key, and an armored signature of a payload that it seems to have made. */
export interface DsaKey {
  readonly key: string;
  sign(payload: string): string;
}

/**
 * A DSA key of random numbers with a self-signature that is not valid: to find that out takes as many multiplications as the order of the
 * subgroup has bits.
 * @param bits those of the prime, and of the order of the subgroup
 */
export function dsaKey(bits: { p: number; q: number }, email: string): DsaKey {
  const numbers = [bits.p, bits.q, bits.p - 8, bits.p - 8].map(numberOf);
  const key = Buffer.concat([Buffer.of(4, 0x60, 0, 0, 0, DSA), ...numbers]);
  const hashedKey = Buffer.concat([Buffer.of(0x99, key.length >> 8, key.length & 255), key]);
  const fingerprint = createHash('sha1').update(hashedKey).digest();
  const user = Buffer.from(`Somebody <${email}>`);
  const signature = (type: number, data: Buffer) => {
    const hashed = Buffer.concat([Buffer.of(5, 2, 0x60, 0, 0, 1, 22, 33, 4), fingerprint]);
    const head = Buffer.concat([Buffer.of(4, type, DSA, SHA256, 0, hashed.length), hashed]);
    const end = Buffer.of(4, 0xff, 0, 0, 0, head.length);
    const digest = createHash('sha256').update(data).update(head).update(end).digest();
    const issuer = Buffer.concat([Buffer.of(0, 10, 9, 16), fingerprint.subarray(12)]);
    return packet(2, Buffer.concat([head, issuer, digest.subarray(0, 2), numberOf(bits.q - 8), numberOf(bits.q - 8)]));
  };
  const certified = Buffer.concat([hashedKey, Buffer.of(0xb4, 0, 0, 0, user.length), user]);
  const parts = [packet(6, key), packet(13, user), signature(0x13, certified)];
  return {
    key: armored('PUBLIC KEY BLOCK', Buffer.concat(parts)),
    sign: (payload) => armored('SIGNATURE', signature(0, Buffer.from(payload))),
  };
}

/** Numbers of RFC 9580, sections 9.1 and 9.5. */
const DSA = 17;
const SHA256 = 8;

/** A random odd number of so many bits, as RFC 9580 writes it (section 3.2). */
function numberOf(bits: number): Buffer {
  const bytes = randomBytes(bits / 8);
  bytes[0] = (bytes[0] ?? 0) | 0x80;
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 1;
  return Buffer.concat([Buffer.of(bits >> 8, bits & 255), bytes]);
}

/** A packet with a length of four bytes (section 4.2.1). */
function packet(tag: number, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  return Buffer.concat([Buffer.of(0xc0 | tag, 255), length, body]);
}

function armored(kind: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN PGP ${kind}-----\n\n${lines.join('\n')}\n-----END PGP ${kind}-----\n`;
}
