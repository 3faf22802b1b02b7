import { createMessage, enums, type Key, type KeyID, readKeys, readSignature, type SignaturePacket, type Subkey, verify } from 'openpgp';

/** A text is not a public key; the message has the reason. */
export class InvalidGpgKeyError extends Error {
  override readonly name = 'InvalidGpgKeyError';
}

/** Maximum number of keys in one text, and of subkeys and user ids of each. */
const MAX_PARTS = 50;
const MAX_SIGNATURES = 5;
/** A line that begins armored data (RFC 9580, section 6.2). */
const ARMOR_BEGINS = /^-----BEGIN PGP [A-Z ]+-----\s*$/m;

/** Maximum bytes of the prime of a DSA key, and of the order of its subgroup (FIPS 186-4, section 4.2): verifying takes hours with long ones. */
const MAX_DSA = { p: 3072 / 8, q: 256 / 8 };

/** The properties of a key or a subkey. */
export interface GpgKeyFacts {
  /** 16 hexadecimal digits in upper case. */
  readonly keyId: string;
  /** The key packet in base64. */
  readonly content: string;
  readonly canSign: boolean;
  readonly canEncrypt: boolean;
  /** Seconds. */
  readonly createdAt: number;
  /** Seconds; null for a key that does not expire. */
  readonly expiresAt: number | null;
  /** It belongs to the owner of the primary key: it is that, or has signed it in return (RFC 9580, 5.2.1.9). */
  readonly isProven: boolean;
}

/** A primary key with its subkeys and user ids. */
export interface GpgPublicKey extends GpgKeyFacts {
  readonly armored: string;
  readonly subkeys: readonly GpgKeyFacts[];
  /** The e-mail addresses of its user ids, in lower case, without those that are revoked or that the key itself has not certified. */
  readonly emails: readonly string[];
}

/**
 * Parses armored OpenPGP keys (RFC 9580); several forms of one key are merged.
 * @throws InvalidGpgKeyError
 */
export async function readGpgKeys(given: string): Promise<Key[]> {
  const failure = (why: string) => new InvalidGpgKeyError(`failed to parse gpg key ${why}`);
  const armored = withoutIndentation(given);
  const begin = armored.search(ARMOR_BEGINS);
  if (begin < 0) throw failure('openpgp: invalid argument: no armored data found');
  if (!armored.includes('\n-----END PGP', begin)) throw failure('unexpected EOF');
  let read: Key[];
  try {
    read = await readKeys({ armoredKeys: armored });
  } catch (error) {
    throw failure((error as Error).message);
  }
  if (read.length === 0 || read.length > MAX_PARTS) throw failure('no key, or too many');
  const bare = read.find((key) => key.users.length === 0);
  if (bare) throw failure(`openpgp: invalid data: v${bare.keyPacket.version} entity without any identities`);
  if (read.some((key) => key.isPrivate())) throw new InvalidGpgKeyError('the provided key is a private key');
  if (read.some((key) => key.subkeys.length > MAX_PARTS || key.users.length > MAX_PARTS)) {
    throw new InvalidGpgKeyError(`a key has at most ${MAX_PARTS} subkeys and user ids`);
  }
  if (read.some(isOversized)) throw new InvalidGpgKeyError('a DSA key has at most 3072 bits, and its subgroup 256');
  const byFingerprint = new Map<string, Key>();
  for (const key of read) {
    const known = byFingerprint.get(key.getFingerprint());
    byFingerprint.set(key.getFingerprint(), known ? await known.update(key) : key);
  }
  return [...byFingerprint.values()];
}

/** Whether a key or one of its subkeys takes too long to verify anything with. */
export function isOversized(key: Key): boolean {
  return key.getKeys().some(({ keyPacket: { algorithm, publicParams } }) => {
    if (algorithm !== enums.publicKey.dsa) return false;
    const { p, q } = publicParams as { p: Uint8Array; q: Uint8Array };
    return p.length > MAX_DSA.p || q.length > MAX_DSA.q;
  });
}

/** Keys in scripts and configuration files are indented. */
function withoutIndentation(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .join('\n');
}

/** The properties of a key. */
export async function gpgKeyFacts(key: Key): Promise<GpgPublicKey> {
  const expiresAt = await expiryOf(key);
  const subkeys: GpgKeyFacts[] = [];
  for (const subkey of key.subkeys) {
    const binding = await bindingOf(key, subkey);
    if (!binding) continue;
    const lifetime = binding.keyExpirationTime;
    const expiry = lifetime ? seconds(subkey.getCreationTime()) + lifetime : expiresAt;
    subkeys.push(factsOf(subkey, enums.packet.publicSubkey, expiry, await isSignedInReturn(key, subkey, binding)));
  }
  const emails = await emailsOf(key);
  return { ...factsOf(key, enums.packet.publicKey, expiresAt), armored: key.armor(), subkeys, emails };
}

function factsOf(key: Key | Subkey, tag: number, expiresAt: number | null, isProven = true): GpgKeyFacts {
  const { algorithm } = key.keyPacket;
  return {
    keyId: key.getKeyID().toHex().toUpperCase(),
    content: framed(tag, key.keyPacket.write()).toString('base64'),
    canSign: SIGNING.has(algorithm),
    canEncrypt: ENCRYPTING.has(algorithm),
    createdAt: seconds(key.getCreationTime()),
    expiresAt,
    isProven,
  };
}

const { rsaEncryptSign, rsaEncrypt, rsaSign, elgamal, dsa, ecdh, ecdsa, eddsaLegacy, x25519, x448, ed25519, ed448 } = enums.publicKey;
const SIGNING: ReadonlySet<number> = new Set([rsaEncryptSign, rsaSign, dsa, ecdsa, eddsaLegacy, ed25519, ed448]);
const ENCRYPTING: ReadonlySet<number> = new Set([rsaEncryptSign, rsaEncrypt, elgamal, ecdh, x25519, x448]);

/** A packet with its header in the current format (RFC 9580, 4.2.1). */
function framed(tag: number, body: Uint8Array): Buffer {
  const { length } = body;
  const header =
    length < 192
      ? [length]
      : length < 8384
        ? [((length - 192) >> 8) + 192, (length - 192) & 255]
        : [255, length >>> 24, (length >>> 16) & 255, (length >>> 8) & 255, length & 255];
  return Buffer.concat([Buffer.of(0xc0 | tag, ...header), body]);
}

function seconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}

async function expiryOf(key: Key): Promise<number | null> {
  const time = await key.getExpirationTime();
  return time instanceof Date ? seconds(time) : null;
}

/** The newest binding signature of the primary key for a subkey. */
async function bindingOf(key: Key, subkey: Subkey): Promise<SignaturePacket | undefined> {
  const data = { key: key.keyPacket, bind: subkey.keyPacket };
  const newestFirst = [...subkey.bindingSignatures].sort((a, b) => (b.created?.getTime() ?? 0) - (a.created?.getTime() ?? 0));
  for (const signature of newestFirst.slice(0, MAX_SIGNATURES)) {
    try {
      // No date: a subkey that has expired is shown as such.
      await signature.verify(key.keyPacket, enums.signature.subkeyBinding, data, null as never);
      return signature;
    } catch {
      // The next one may be valid.
    }
  }
  return undefined;
}

async function isSignedInReturn(key: Key, subkey: Subkey, { embeddedSignature }: SignaturePacket): Promise<boolean> {
  const data = { key: key.keyPacket, bind: subkey.keyPacket };
  try {
    await embeddedSignature?.verify(subkey.keyPacket, enums.signature.keyBinding, data, null as never);
    return embeddedSignature !== null;
  } catch {
    return false;
  }
}

async function emailsOf(key: Key): Promise<string[]> {
  const emails = new Set<string>();
  for (const user of key.users) {
    const email = user.userID?.email.trim().toLowerCase();
    if (!email) continue;
    const isValid = await user.verify().catch(() => false);
    if (isValid) emails.add(email);
  }
  return [...emails];
}

/** Possible line ends after the signed line: tools that sign differ. */
const LINE_ENDS = ['', '\n', '\r\n', '\n\n'];

/** A detached signature that shows who has a key. */
export interface GpgProof {
  /** The texts that may have been signed. */
  readonly texts: readonly string[];
  /** Armored. */
  readonly signature: string;
  /** Whether an expired key counts. */
  readonly mayBeExpired: boolean;
}

/** The key that made the signature of a proof, if any of them did. */
export async function signerOf(keys: readonly Key[], { texts, signature: given, mayBeExpired }: GpgProof): Promise<Key | undefined> {
  const signature = await readSignature({ armoredSignature: withoutIndentation(given) }).catch(() => undefined);
  if (!signature || signature.packets.length > MAX_SIGNATURES) return undefined;
  for (const text of texts.flatMap((text) => LINE_ENDS.map((end) => text + end))) {
    const message = await createMessage({ binary: Buffer.from(text) });
    const verification = verify({ message, signature, verificationKeys: [...keys], format: 'binary' });
    // One of an unknown kind cannot be verified at all.
    const signatures = await verification.then((result) => result.signatures).catch(() => []);
    for (const { verified, keyID } of signatures) {
      const signer = (await verified.catch(() => false)) ? keys.find((key) => key.getKeys(keyID).length > 0) : undefined;
      if (signer) return mayBeExpired || !(await isExpired(signer, keyID)) ? signer : undefined;
    }
  }
  return undefined;
}

async function isExpired(key: Key, id: KeyID): Promise<boolean> {
  const { expiresAt, subkeys } = await gpgKeyFacts(key);
  const subkey = subkeys.find(({ keyId }) => keyId === id.toHex().toUpperCase());
  const time = Date.now() / 1000;
  return [expiresAt, subkey?.expiresAt ?? null].some((end) => end !== null && end <= time);
}
