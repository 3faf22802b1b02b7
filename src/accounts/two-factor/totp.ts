import { createHmac } from 'node:crypto';
// Without the library's own hash functions: Node has them.
import { Secret, TOTP } from 'otpauth/bare';

/** The length of a time step in seconds (RFC 6238). */
const STEP_SECONDS = 30;

/** A shared secret in the forms for apps. */
export interface SharedSecret {
  /** Base32 without padding (RFC 4648, section 6), for typing. */
  readonly text: string;
  /** For a QR code or a link (Key Uri Format of Google Authenticator). */
  readonly uri: string;
}

/** The URI that gives an app the secret of an account at the instance `issuer`. */
export function sharedSecret(bytes: Uint8Array, issuer: string, account: string): SharedSecret {
  const secret = secretOf(bytes);
  return { text: secret.base32, uri: new TOTP({ issuer, label: account, secret }).toString() };
}

/**
 * The time step of a six-digit code: the current one or a neighbour, for clocks that differ a little.
 * @param after steps up to this one have been used and are not accepted again
 */
export function matchingStep(secret: Uint8Array, code: string, seconds: number, after: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const timestamp = seconds * 1000;
  const delta = TOTP.validate({ token: code, secret: secretOf(secret), timestamp, window: 1, hmac });
  if (delta === null) return undefined;
  const step = Math.floor(seconds / STEP_SECONDS) + delta;
  return step > after ? step : undefined;
}

function hmac(algorithm: string, key: Uint8Array, message: Uint8Array): Uint8Array {
  return createHmac(algorithm, key).update(message).digest();
}

function secretOf(bytes: Uint8Array): Secret {
  return new Secret({ buffer: Uint8Array.from(bytes).buffer });
}
