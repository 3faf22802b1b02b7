import { findUsersById } from '../../access/find-user.ts';
import { sshFingerprint } from '../../accounts/keys/ssh-public-key.ts';
import { isSignedBySshKey, sshSignatureFingerprint } from '../../accounts/keys/ssh-signature.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { SshKey } from '../../database/tables/keys.ts';
import type { ObjectSignature } from '../../git/objects/signature.ts';

/** Whether a signature was made with an SSH key, by its format. */
export function isSshSignature({ signature }: ObjectSignature): boolean {
  return signature.startsWith('-----BEGIN SSH SIGNATURE-----');
}

/** The users' SSH keys that a page of commits may have been signed with: read at once for all of them. */
export class SshSigners {
  readonly #keys: ReadonlyMap<string, SshKey>;
  readonly #owners: ReadonlyMap<number, User>;

  private constructor(keys: ReadonlyMap<string, SshKey>, owners: ReadonlyMap<number, User>) {
    this.#keys = keys;
    this.#owners = owners;
  }

  /** Only keys whose users have proved to have them count: anybody can add a public key. */
  static async find({ db }: Context, signatures: readonly ObjectSignature[]): Promise<SshSigners> {
    const fingerprints = [...new Set(signatures.flatMap(({ signature }) => sshSignatureFingerprint(signature) ?? []))];
    if (fingerprints.length === 0) return new SshSigners(new Map(), new Map());
    const keys = await db
      .selectFrom('ssh_keys')
      .selectAll()
      .where('fingerprint', 'in', fingerprints)
      .where('type', '=', 'user')
      .where('verified', '=', true)
      .execute();
    const owners = await findUsersById(
      db,
      keys.flatMap(({ user_id }) => user_id ?? []),
    );
    return new SshSigners(new Map(keys.map((key) => [key.fingerprint, key])), owners);
  }

  /** The user whose key made a signature, and the key's fingerprint. */
  signerOf({ signature, payload }: ObjectSignature): { user: User; keyId: string } | undefined {
    const key = this.#keys.get(sshSignatureFingerprint(signature) ?? '');
    const user = key && this.#owners.get(key.user_id ?? 0);
    return user && isSignedBySshKey(key.content, payload, signature) ? { user, keyId: key.fingerprint } : undefined;
  }
}

/** The fingerprint of a public key, `type base64 comment`, if it made the signature. */
export function signingFingerprint(publicKey: string, { signature, payload }: ObjectSignature): string | undefined {
  const [, base64 = ''] = publicKey.split(' ');
  return isSignedBySshKey(publicKey, payload, signature) ? sshFingerprint(Buffer.from(base64, 'base64')) : undefined;
}
