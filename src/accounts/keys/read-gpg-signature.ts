import type { Signature } from 'openpgp';

/** Maximum length of a signature. */
const MAX_SIGNATURE = 64 * 1024;

/** A detached signature by one key; undefined if it is none. */
export async function readGpgSignature(armoredSignature: string): Promise<Signature | undefined> {
  if (armoredSignature.length > MAX_SIGNATURE) return undefined;
  const { readSignature } = await import('openpgp');
  const signature = await readSignature({ armoredSignature }).catch(() => undefined);
  return signature?.packets.length === 1 ? signature : undefined;
}
