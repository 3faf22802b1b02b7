import { createHash } from 'node:crypto';
import { issuerOf, signingKeyId } from '../../accounts/keys/gpg-signature.ts';
import type { Context } from '../../context.ts';
import type { GitPool } from '../../git/objects/objects.ts';
import type { ObjectSignature } from '../../git/objects/signature.ts';

/** Results by pool, that is, by server: signatures never change, and verifying one takes a millisecond. */
const found = new WeakMap<GitPool, Map<string, Promise<string | undefined>>>();

const MAX_KNOWN = 20_000;

/** The key id that an OpenPGP signature names; undefined if it names none. */
export function knownIssuer(pool: GitPool, signature: string): Promise<string | undefined> {
  return remember(pool, ['issuer', signature], () => issuerOf(signature));
}

/** The id of the key in an armored text that made an OpenPGP signature; undefined if none did. */
export function checkedKeyId(
  context: Pick<Context, 'git' | 'workers'>,
  armoredKeys: string,
  { signature, payload }: ObjectSignature,
): Promise<string | undefined> {
  return remember(context.git.pool, ['signer', armoredKeys, signature, payload], () =>
    signingKeyId(context, { armoredKeys, payload, armoredSignature: signature }),
  );
}

function remember(
  pool: GitPool,
  parts: readonly (string | Buffer)[],
  compute: () => Promise<string | undefined>,
): Promise<string | undefined> {
  const known = found.get(pool) ?? new Map<string, Promise<string | undefined>>();
  found.set(pool, known);
  const hash = createHash('sha256');
  // The length of each part goes before it, so that different lists of parts have different digests.
  for (const part of parts) hash.update(`${part.length} `).update(part);
  const key = hash.digest('base64');
  const cached = known.get(key);
  if (cached) return cached;
  if (known.size >= MAX_KNOWN) known.clear();
  const computed = compute();
  known.set(key, computed);
  computed.catch(() => known.delete(key));
  return computed;
}
