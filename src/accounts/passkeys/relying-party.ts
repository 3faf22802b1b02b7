import type * as webauthn from '@simplewebauthn/server';
import type { Settings } from '../../settings.ts';

/** Formats of attestation with authorities. They are not trusted here, so nothing is checked with an authority. */
const ATTESTED = ['android-key', 'android-safetynet', 'apple', 'fido-u2f', 'packed', 'tpm'] as const;

/** Signature algorithms of devices, by their numbers in COSE: Ed25519, ES256 and RS256. */
export const ALGORITHMS = [-8, -7, -257];

let loaded: Promise<typeof webauthn> | undefined;

/** The library, which is loaded with the first passkey. */
export function loadWebauthn(): Promise<typeof webauthn> {
  loaded ??= import('@simplewebauthn/server').then((library) => {
    for (const identifier of ATTESTED) library.SettingsService.setRootCertificates({ identifier, certificates: [] });
    return library;
  });
  return loaded;
}

/** This instance for browsers and devices: the host binds keys, the origin binds signatures. */
export function relyingParty({ server: { rootUrl } }: Pick<Settings, 'server'>): { id: string; origin: string } {
  const { hostname, origin } = new URL(rootUrl);
  return { id: hostname, origin };
}

/** The user handle of an account on its devices: its id as a zigzag varint in 8 bytes, as in Gitea, so that keys from there work. */
export function userHandle(userId: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(8);
  let rest = BigInt(userId) * 2n;
  for (let at = 0; at < bytes.length; at++) {
    bytes[at] = Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0);
    rest >>= 7n;
  }
  return bytes;
}

/** The part of a browser's credential that is read before it is verified. */
export interface SentCredential {
  readonly id: string;
  readonly response: { readonly transports?: unknown; readonly userHandle?: unknown };
}

/** Parses the JSON form of a credential (WebAuthn Level 3, section 5.1); undefined for an invalid one. */
export function readCredential(text: string): SentCredential | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || !('id' in value) || !('response' in value)) return undefined;
  const { id, response } = value;
  return typeof id === 'string' && typeof response === 'object' && response !== null ? (value as SentCredential) : undefined;
}
