import { createPublicKey, type KeyObject } from 'node:crypto';

/**
 * An Ed25519 or RSA key, as it is stored, for checking signatures; undefined for the other kinds.
 * @param content `type base64 comment` of a key that was read before
 */
export function sshKeyObject(content: string): KeyObject | undefined {
  const [type, base64 = ''] = content.split(' ');
  const [, first, second] = fieldsOf(Buffer.from(base64, 'base64'));
  if (type === 'ssh-ed25519' && first) return fromJwk({ kty: 'OKP', crv: 'Ed25519', x: first.toString('base64url') });
  if (type === 'ssh-rsa' && first && second) return fromJwk({ kty: 'RSA', e: unsigned(first), n: unsigned(second) });
  return undefined;
}

function fromJwk(key: Record<string, string>): KeyObject {
  return createPublicKey({ key, format: 'jwk' });
}

/** Without the zero in front that numbers of SSH have where their first bit is set. */
function unsigned(number: Buffer): string {
  return (number[0] === 0 ? number.subarray(1) : number).toString('base64url');
}

function fieldsOf(blob: Buffer): Buffer[] {
  const fields: Buffer[] = [];
  for (let at = 0; at + 4 <= blob.length; ) {
    const end = at + 4 + blob.readUInt32BE(at);
    fields.push(blob.subarray(at + 4, end));
    at = end;
  }
  return fields;
}
