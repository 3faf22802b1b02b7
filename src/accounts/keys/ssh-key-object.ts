import { createPublicKey, type KeyObject } from 'node:crypto';
import { sshFields } from './ssh-fields.ts';

/** Curves of ECDSA keys as JSON web keys name them. */
const CURVES: Readonly<Record<string, string>> = { nistp256: 'P-256', nistp384: 'P-384', nistp521: 'P-521' };

/**
 * A stored key as an object for verifying signatures; undefined for an unsupported one.
 * @param content `type base64 comment` of a valid key
 */
export function sshKeyObject(content: string): KeyObject | undefined {
  const [type, base64 = ''] = content.split(' ');
  const [, first, second] = sshFields(Buffer.from(base64, 'base64'));
  switch (type) {
    case 'ssh-ed25519':
    case 'sk-ssh-ed25519@openssh.com':
      return first && fromJwk({ kty: 'OKP', crv: 'Ed25519', x: first.toString('base64url') });
    case 'ssh-rsa':
      return first && second && fromJwk({ kty: 'RSA', e: unsigned(first), n: unsigned(second) });
    case 'ecdsa-sha2-nistp256':
    case 'ecdsa-sha2-nistp384':
    case 'ecdsa-sha2-nistp521':
    case 'sk-ecdsa-sha2-nistp256@openssh.com':
      return first && second && fromPoint(first.toString('latin1'), second);
    default:
      return undefined;
  }
}

/** @param point uncompressed: 4 and the two coordinates */
function fromPoint(curve: string, point: Buffer): KeyObject {
  const half = (point.length - 1) / 2;
  const [x, y] = [point.subarray(1, 1 + half), point.subarray(1 + half)].map((part) => part.toString('base64url'));
  return fromJwk({ kty: 'EC', crv: CURVES[curve] ?? '', x: x ?? '', y: y ?? '' });
}

function fromJwk(key: Record<string, string>): KeyObject {
  return createPublicKey({ key, format: 'jwk' });
}

/** Removes the leading zero of SSH numbers whose first bit is set. */
function unsigned(number: Buffer): string {
  return (number[0] === 0 ? number.subarray(1) : number).toString('base64url');
}
