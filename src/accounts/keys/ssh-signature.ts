import { createHash, verify } from 'node:crypto';
import { sshKeyObject } from './ssh-key-object.ts';

const MAGIC = 'SSHSIG';

/** What signatures of commits and tags are for: https://git-scm.com/docs/gitformat-signature */
const NAMESPACE = 'git';

/** Longer signatures are none that a person made. */
const MAX_LENGTH = 64 * 1024;

/** The ways in which a key signs, with the digest that each takes. */
const ALGORITHMS: Readonly<Record<string, { type: string; digest: string | null }>> = {
  'ssh-ed25519': { type: 'ssh-ed25519', digest: null },
  'rsa-sha2-256': { type: 'ssh-rsa', digest: 'sha256' },
  'rsa-sha2-512': { type: 'ssh-rsa', digest: 'sha512' },
};

/**
 * Whether a key made an armored signature of git's (https://github.com/openssh/openssh-portable/blob/master/PROTOCOL.sshsig).
 * Ed25519 and RSA keys are checked; others have signed nothing.
 * @param publicKey `type base64 comment`
 */
export function isSignedBySshKey(publicKey: string, payload: Uint8Array, armoredSignature: string): boolean {
  const [type, base64 = ''] = publicKey.split(' ');
  const signature = parse(armoredSignature);
  const key = sshKeyObject(publicKey);
  const algorithm = signature && ALGORITHMS[signature.algorithm];
  if (!signature || !key || !algorithm || algorithm.type !== type) return false;
  if (signature.namespace !== NAMESPACE || !signature.publicKey.equals(Buffer.from(base64, 'base64'))) return false;
  const about = [field(signature.namespace), field(''), field(signature.hash), field(createHash(signature.hash).update(payload).digest())];
  try {
    return verify(algorithm.digest, Buffer.concat([Buffer.from(MAGIC), ...about]), key, signature.bytes);
  } catch {
    return false;
  }
}

interface ParsedSignature {
  publicKey: Buffer;
  namespace: string;
  hash: 'sha256' | 'sha512';
  algorithm: string;
  bytes: Buffer;
}

function parse(armored: string): ParsedSignature | undefined {
  const body = /^-----BEGIN SSH SIGNATURE-----\r?\n([A-Za-z0-9+/=\s]*)-----END SSH SIGNATURE-----\s*$/.exec(armored)?.[1];
  if (body === undefined || armored.length > MAX_LENGTH) return undefined;
  const blob = Buffer.from(body, 'base64');
  if (blob.toString('latin1', 0, MAGIC.length) !== MAGIC || blob.length < MAGIC.length + 4 || blob.readUInt32BE(MAGIC.length) !== 1)
    return undefined;
  const [publicKey, namespace, , hash, signature] = fieldsOf(blob.subarray(MAGIC.length + 4));
  const [algorithm, bytes] = fieldsOf(signature ?? Buffer.alloc(0));
  const name = hash?.toString('latin1');
  if (!publicKey || !namespace || !algorithm || !bytes || (name !== 'sha256' && name !== 'sha512')) return undefined;
  return { publicKey, namespace: namespace.toString('latin1'), hash: name, algorithm: algorithm.toString('latin1'), bytes };
}

/** The fields of RFC 4251, section 5, as far as they are whole. */
function fieldsOf(blob: Buffer): Buffer[] {
  const fields: Buffer[] = [];
  for (let at = 0; at + 4 <= blob.length; ) {
    const end = at + 4 + blob.readUInt32BE(at);
    if (end > blob.length) break;
    fields.push(blob.subarray(at + 4, end));
    at = end;
  }
  return fields;
}

function field(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
