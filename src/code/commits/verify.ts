import type { Context } from '../../context.ts';
import type { Commit } from '../../git/objects/commits.ts';
import type { ObjectSignature } from '../../git/objects/signature.ts';
import type { Shape } from '../../http/schema.ts';
import type { ServerKey } from '../../instance/signing/key.ts';
import { serverKey } from '../../instance/signing/server-key.ts';
import { checkedKeyId } from './checked-signatures.ts';
import type { People } from './people.ts';
import type { PayloadCommitVerification } from './schema.ts';
import { type GpgSigned, type KnownSigner, type Signer, SigningKeys } from './signing-keys.ts';
import { isSshSignature, SshSigners, signingFingerprint } from './ssh-signers.ts';

/** The result of the verification of a signature, on the wire. */
export type Verification = Shape<typeof PayloadCommitVerification>;

const UNSIGNED: Verification = Object.freeze({
  verified: false,
  reason: 'gpg.error.not_signed_commit',
  signature: '',
  signer: null,
  payload: '',
});

/** An object that may be signed: a commit, or a tag with its tagger as the committer. */
export type Signable = Pick<Commit, 'signature' | 'committer'>;

/**
 * The verification of the signatures of commits, in their order: the only code that decides whether a signature is good. It is good
 * when it was made with an OpenPGP key of a user whose e-mail address is confirmed or who has proved to have the key, with an SSH key
 * that the committer has proved to have, with the server's own key, or with one of `signing.trustedSshKeys`.
 */
export async function verifyCommits(context: Context, commits: readonly Signable[], people: People): Promise<Verification[]> {
  const gpgSigned = new Map<Signable, GpgSigned>();
  const sshSigned: ObjectSignature[] = [];
  for (const commit of commits) {
    if (!commit.signature) continue;
    if (isSshSignature(commit.signature)) sshSigned.push(commit.signature);
    else gpgSigned.set(commit, { signature: commit.signature, committer: commit.committer.email });
  }
  const keys = gpgSigned.size > 0 ? await SigningKeys.find(context, [...gpgSigned.values()], people) : undefined;
  const sshSigners = sshSigned.length > 0 ? await SshSigners.find(context, sshSigned) : undefined;
  return Promise.all(
    commits.map(async (commit) => {
      const { signature, committer } = commit;
      if (!signature) return UNSIGNED;
      const gpg = gpgSigned.get(commit);
      const signer = gpg && keys ? await keys.signerOf(gpg) : sshSignerOf(sshSigners, signature, committer.email, people);
      if (typeof signer === 'object') return byUser(signature, signer);
      return (await byServer(context, signature, committer.email)) ?? unverified(signature, signer);
    }),
  );
}

/** An SSH key names no e-mail address: it is valid only for commits of its user. */
function sshSignerOf(signers: SshSigners | undefined, signature: ObjectSignature, email: string, people: People): KnownSigner | undefined {
  const signer = signers?.signerOf(signature);
  return signer && signer.user.id === people.byEmail(email)?.id ? { ...signer, email } : undefined;
}

function byUser(signature: ObjectSignature, { user, keyId, email }: KnownSigner): Verification {
  const signer = { name: user.full_name.trim() || user.name, email, username: user.name };
  return { ...signedParts(signature), verified: true, reason: `${user.name} / ${keyId}`, signer };
}

function unverified(signature: ObjectSignature, signer: Exclude<Signer, KnownSigner>): Verification {
  return { ...signedParts(signature), verified: false, reason: REASONS[signer ?? 'unknown'], signer: null };
}

const REASONS = {
  bad: 'gpg.error.probable_bad_signature',
  unreadable: 'gpg.error.extract_sign',
  unknown: 'gpg.error.no_gpg_keys_found',
} as const;

/** The verification of the server's own signatures, by its current or former keys; undefined for any other. */
async function byServer(context: Context, signature: ObjectSignature, committer: string): Promise<Verification | undefined> {
  const { settings } = context;
  const { name, email, trustedSshKeys } = settings.signing;
  const known = (keyId: string, address: string): Verification => {
    const signer = { name, email: address, username: name };
    return { ...signedParts(signature), verified: true, reason: `${name} / ${keyId}`, signer };
  };
  const key = await serverKey(settings);
  const keyId = key && (await keyIdOf(context, key, signature));
  if (keyId !== undefined) return known(keyId, email);
  if (!isSshSignature(signature)) return undefined;
  for (const trusted of trustedSshKeys) {
    const fingerprint = signingFingerprint(trusted, signature);
    if (fingerprint !== undefined) return known(fingerprint, committer);
  }
  return undefined;
}

async function keyIdOf(context: Context, { format, publicText }: ServerKey, signature: ObjectSignature): Promise<string | undefined> {
  if (isSshSignature(signature) !== (format === 'ssh')) return undefined;
  return format === 'ssh' ? signingFingerprint(publicText.trim(), signature) : checkedKeyId(context, publicText, signature);
}

function signedParts({ signature, payload }: ObjectSignature): Pick<Verification, 'signature' | 'payload'> {
  return { signature, payload: payload.toString('utf8') };
}
