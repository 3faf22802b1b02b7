import { createMessage, readKeys, verify } from 'openpgp';
import { isOversized } from './gpg-public-key.ts';
import { readGpgSignature } from './read-gpg-signature.ts';

/** A detached signature of a payload, and the keys that may have made it. */
export interface GpgVerification {
  readonly armoredKeys: string;
  readonly payload: Uint8Array;
  readonly armoredSignature: string;
}

/** Verifies a signature in a worker thread. Returns the id of the key or subkey that made it and was valid then; undefined for none. */
export async function run({ armoredKeys, payload, armoredSignature }: GpgVerification): Promise<string | undefined> {
  const signature = await readGpgSignature(armoredSignature);
  if (!signature) return undefined;
  try {
    const verificationKeys = (await readKeys({ armoredKeys })).filter((key) => !isOversized(key));
    const message = await createMessage({ binary: new Uint8Array(payload) });
    const { signatures } = await verify({ message, signature, verificationKeys, format: 'binary' });
    for (const { verified, keyID } of signatures) if (await verified.catch(() => false)) return keyID.toHex().toUpperCase();
  } catch {
    // A key that was accepted once but cannot be read now has signed nothing.
  }
  return undefined;
}
