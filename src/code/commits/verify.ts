import type { Context } from '../../context.ts';
import type { Commit } from '../../git/commits.ts';
import type { ObjectSignature } from '../../git/signature.ts';
import type { Shape } from '../../http/schema.ts';
import type { People } from './people.ts';
import type { PayloadCommitVerification } from './schema.ts';

/** What a signature turned out to be, as it is told. */
export type Verification = Shape<typeof PayloadCommitVerification>;

const UNSIGNED: Verification = Object.freeze({
  verified: false,
  reason: 'gpg.error.not_signed_commit',
  signature: '',
  signer: null,
  payload: '',
});

/**
 * What is known of the signatures of commits, in their order: the one place that decides whether a signature is good.
 * Without a key that made it, a signature is told as it is and is not verified.
 */
export async function verifyCommits(
  _context: Context,
  commits: readonly Pick<Commit, 'signature'>[],
  _people: People,
): Promise<Verification[]> {
  return commits.map(({ signature }) => (signature ? unknownKey(signature) : UNSIGNED));
}

function unknownKey({ signature, payload }: ObjectSignature): Verification {
  return { verified: false, reason: 'gpg.error.no_gpg_keys_found', signature, signer: null, payload: payload.toString('utf8') };
}
