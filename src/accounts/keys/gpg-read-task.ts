import { type GpgProof, type GpgPublicKey, gpgKeyFacts, InvalidGpgKeyError, readGpgKeys, signerOf } from './gpg-public-key.ts';

/** Armored keys, and a signature by one of them. */
export interface GpgReading {
  readonly armored: string;
  readonly proof?: GpgProof | undefined;
}

/** The keys, and the id of the one that made the signature, if any did; or why they are none. */
export type GpgRead = { readonly keys: readonly GpgPublicKey[]; readonly signer?: string | undefined } | { readonly problem: string };

/** Reads keys in a worker thread: verifying what a hostile one has signed takes long. */
export async function run({ armored, proof }: GpgReading): Promise<GpgRead> {
  try {
    const keys = await readGpgKeys(armored);
    const signer = proof && (await signerOf(keys, proof));
    const facts: GpgPublicKey[] = [];
    for (const key of keys) facts.push(await gpgKeyFacts(key));
    return { keys: facts, signer: signer?.getKeyID().toHex().toUpperCase() };
  } catch (error) {
    if (error instanceof InvalidGpgKeyError) return { problem: error.message };
    throw error;
  }
}
