import { createHash, type KeyObject, verify } from 'node:crypto';
import { sshField, sshFields } from './ssh-fields.ts';
import { sshKeyObject } from './ssh-key-object.ts';
import { sshFingerprint } from './ssh-public-key.ts';

const MAGIC = 'SSHSIG';

/** The namespace of signatures of commits and tags: https://git-scm.com/docs/gitformat-signature */
const GIT = 'git';

/** Maximum length of a signature. */
const MAX_LENGTH = 64 * 1024;

/**
 * The signature algorithms of keys, with their digests: RFC 8332, 5656 and 8709. Keys in hardware tokens sign according to
 * https://github.com/openssh/openssh-portable/blob/master/PROTOCOL.u2f.
 */
const ALGORITHMS: Readonly<Record<string, { type: string; digest: string | null; inToken?: boolean }>> = {
  'ssh-ed25519': { type: 'ssh-ed25519', digest: null },
  'sk-ssh-ed25519@openssh.com': { type: 'sk-ssh-ed25519@openssh.com', digest: null, inToken: true },
  'rsa-sha2-256': { type: 'ssh-rsa', digest: 'sha256' },
  'rsa-sha2-512': { type: 'ssh-rsa', digest: 'sha512' },
  'ecdsa-sha2-nistp256': { type: 'ecdsa-sha2-nistp256', digest: 'sha256' },
  'ecdsa-sha2-nistp384': { type: 'ecdsa-sha2-nistp384', digest: 'sha384' },
  'ecdsa-sha2-nistp521': { type: 'ecdsa-sha2-nistp521', digest: 'sha512' },
  'sk-ecdsa-sha2-nistp256@openssh.com': { type: 'sk-ecdsa-sha2-nistp256@openssh.com', digest: 'sha256', inToken: true },
};

/** The fingerprint of the key in an armored signature; undefined if it is not a signature. */
export function sshSignatureFingerprint(armoredSignature: string): string | undefined {
  const signature = parse(armoredSignature);
  return signature && sshFingerprint(signature.publicKey);
}

/**
 * Whether a key made an armored signature (https://github.com/openssh/openssh-portable/blob/master/PROTOCOL.sshsig).
 * @param publicKey `type base64 comment`
 * @param purpose the namespace of the signature: by default that of commits and tags
 */
export function isSignedBySshKey(publicKey: string, payload: Uint8Array, armoredSignature: string, purpose = GIT): boolean {
  const [type, base64 = ''] = publicKey.split(' ');
  const signature = parse(armoredSignature);
  const algorithm = signature && ALGORITHMS[signature.algorithm];
  if (!signature || !algorithm || algorithm.type !== type) return false;
  if (signature.namespace !== purpose || !signature.publicKey.equals(Buffer.from(base64, 'base64'))) return false;
  const about = [sshField(signature.namespace), sshField(''), sshField(signature.hash)];
  const signed = Buffer.concat([Buffer.from(MAGIC), ...about, sshField(createHash(signature.hash).update(payload).digest())]);
  try {
    const key = sshKeyObject(publicKey);
    const text = algorithm.inToken ? signedByToken(signature, signed) : signed;
    return key !== undefined && text !== undefined && isSignedBy(key, algorithm.digest, text, signature.bytes);
  } catch {
    return false;
  }
}

function isSignedBy(key: KeyObject, digest: string | null, text: Buffer, bytes: Buffer): boolean {
  if (key.asymmetricKeyType !== 'ec') return verify(digest, text, key, bytes);
  const [r, s] = sshFields(bytes);
  const size = { prime256v1: 32, secp384r1: 48, secp521r1: 66 }[key.asymmetricKeyDetails?.namedCurve ?? ''];
  if (!r || !s || size === undefined) return false;
  return verify(digest, text, { key, dsaEncoding: 'ieee-p1363' }, Buffer.concat([padded(r, size), padded(s, size)]));
}

/** A number of SSH with a fixed length; one that is too long is unchanged, and fails the verification. */
function padded(number: Buffer, size: number): Buffer {
  const bytes = number.subarray(number.findIndex((byte) => byte !== 0));
  return Buffer.concat([Buffer.alloc(Math.max(0, size - bytes.length)), bytes]);
}

/** The data that a token signs: with its application, the flag that it was touched (required), and its counter. */
function signedByToken({ publicKey, rest }: ParsedSignature, text: Buffer): Buffer | undefined {
  const application = sshFields(publicKey).at(-1);
  const wasTouched = ((rest[0] ?? 0) & 1) === 1;
  if (!application || rest.length !== 5 || !wasTouched) return undefined;
  const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
  return Buffer.concat([hash(application), rest, hash(text)]);
}

interface ParsedSignature {
  publicKey: Buffer;
  namespace: string;
  hash: 'sha256' | 'sha512';
  algorithm: string;
  bytes: Buffer;
  /** The data after the signature itself: flags and counter of a token. */
  rest: Buffer;
}

function parse(armored: string): ParsedSignature | undefined {
  const body = /^-----BEGIN SSH SIGNATURE-----\r?\n([A-Za-z0-9+/=\s]*)-----END SSH SIGNATURE-----\s*$/.exec(armored)?.[1];
  if (body === undefined || armored.length > MAX_LENGTH) return undefined;
  const blob = Buffer.from(body, 'base64');
  if (blob.toString('latin1', 0, MAGIC.length) !== MAGIC || blob.length < MAGIC.length + 4 || blob.readUInt32BE(MAGIC.length) !== 1)
    return undefined;
  const [publicKey, namespace, , hash, signature = Buffer.alloc(0)] = sshFields(blob.subarray(MAGIC.length + 4));
  const [algorithm, bytes] = sshFields(signature);
  const name = hash?.toString('latin1');
  if (!publicKey || !namespace || !algorithm || !bytes || (name !== 'sha256' && name !== 'sha512')) return undefined;
  const rest = signature.subarray(8 + algorithm.length + bytes.length);
  return { publicKey, namespace: namespace.toString('latin1'), hash: name, algorithm: algorithm.toString('latin1'), bytes, rest };
}
