import { sshFingerprint } from '../../accounts/keys/ssh-public-key.ts';
import { isSignedBySshKey } from '../../accounts/keys/ssh-signature.ts';
import type { Context } from '../../context.ts';
import type { Commit } from '../../git/commits.ts';
import type { GitPool } from '../../git/objects.ts';
import type { ObjectSignature } from '../../git/signature.ts';
import type { Shape } from '../../http/schema.ts';
import { type ServerKey, serverKey } from '../../instance/signing/server-key.ts';
import { checkedKeyId } from './checked-signatures.ts';
import type { People } from './people.ts';
import type { PayloadCommitVerification } from './schema.ts';
import { type GpgSigned, type Signer, SigningKeys } from './signing-keys.ts';

/** What a signature turned out to be, as it is told. */
export type Verification = Shape<typeof PayloadCommitVerification>;

const UNSIGNED: Verification = Object.freeze({
  verified: false,
  reason: 'gpg.error.not_signed_commit',
  signature: '',
  signer: null,
  payload: '',
});

const SSH = '-----BEGIN SSH SIGNATURE-----';

/**
 * What is known of the signatures of commits, in their order: the one place that decides whether a signature is good. It is good
 * when an OpenPGP key of a user made it, whose address is confirmed or who has proved to have the key, or the server's own key.
 * SSH keys of users are for signing in; that somebody has one is not proved, so they vouch for nothing.
 */
export async function verifyCommits(
  context: Context,
  commits: readonly Pick<Commit, 'signature' | 'committer'>[],
  people: People,
): Promise<Verification[]> {
  const signed = new Map<(typeof commits)[number], GpgSigned>();
  for (const commit of commits) {
    if (!commit.signature || commit.signature.signature.startsWith(SSH)) continue;
    signed.set(commit, { signature: commit.signature, committer: commit.committer.email });
  }
  const keys = signed.size > 0 ? await SigningKeys.find(context, [...signed.values()], people) : undefined;
  return Promise.all(
    commits.map(async (commit) => {
      if (!commit.signature) return UNSIGNED;
      const gpg = signed.get(commit);
      const signer = gpg && keys ? await keys.signerOf(gpg) : undefined;
      if (signer && signer !== 'bad') return byUser(commit.signature, signer);
      return (await byServer(context, commit, commit.signature)) ?? unverified(commit.signature, signer === 'bad');
    }),
  );
}

function byUser(signature: ObjectSignature, { user, keyId, email }: Exclude<Signer, 'bad' | undefined>): Verification {
  const signer = { name: user.full_name.trim() || user.name, email, username: user.name };
  return { ...told(signature), verified: true, reason: `${user.name} / ${keyId}`, signer };
}

function unverified(signature: ObjectSignature, isBad: boolean): Verification {
  const reason = isBad ? 'gpg.error.probable_bad_signature' : 'gpg.error.no_gpg_keys_found';
  return { ...told(signature), verified: false, reason, signer: null };
}

/** The verification of what the server signed itself; undefined for anything else. */
async function byServer(
  { settings, git }: Context,
  { committer }: Pick<Commit, 'committer'>,
  signature: ObjectSignature,
): Promise<Verification | undefined> {
  const key = await serverKey(settings);
  const keyId = key && (await keyIdOf(git.pool, key, signature));
  if (!key || keyId === undefined) return undefined;
  const { name, email } = settings.signing;
  const signer = { name, email: key.format === 'ssh' ? committer.email : email, username: name };
  return { ...told(signature), verified: true, reason: `${name} / ${keyId}`, signer };
}

async function keyIdOf(
  pool: GitPool,
  { format, publicText }: ServerKey,
  { signature, payload }: ObjectSignature,
): Promise<string | undefined> {
  if (format === 'openpgp') return signature.startsWith(SSH) ? undefined : checkedKeyId(pool, publicText, { signature, payload });
  const [, base64 = ''] = publicText.split(' ');
  return isSignedBySshKey(publicText.trim(), payload, signature) ? sshFingerprint(Buffer.from(base64, 'base64')) : undefined;
}

function told({ signature, payload }: ObjectSignature): Pick<Verification, 'signature' | 'payload'> {
  return { signature, payload: payload.toString('utf8') };
}
