import { findUsersById } from '../../access/find-user.ts';
import { findSigningKeys } from '../../accounts/keys/gpg-signature.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { GpgKey } from '../../database/tables/keys.ts';
import type { ObjectSignature } from '../../git/objects/signature.ts';
import { checkedKeyId, knownIssuer } from './checked-signatures.ts';
import type { People } from './people.ts';

/** A commit with an OpenPGP signature. */
export interface GpgSigned {
  readonly signature: ObjectSignature;
  /** The committer's e-mail address. */
  readonly committer: string;
}

/** The owner of the key that made a signature. */
export interface KnownSigner {
  readonly user: User;
  readonly keyId: string;
  readonly email: string;
}

/** The signer; `bad` if the key with that id did not make the signature, `unreadable` if it is malformed. */
export type Signer = KnownSigner | 'bad' | 'unreadable' | undefined;

/** The users' OpenPGP keys that a page of commits may have been signed with, and their owners: read at once for all of them. */
export class SigningKeys {
  readonly #issuers: ReadonlyMap<GpgSigned, string | undefined>;
  readonly #keys: readonly GpgKey[];
  readonly #owners: ReadonlyMap<number, User>;
  /** The confirmed e-mail addresses of the owners, in lower case. */
  readonly #emails: ReadonlyMap<number, readonly string[]>;
  readonly #people: People;
  readonly #context: Context;

  private constructor(
    context: Context,
    people: People,
    found: {
      issuers: ReadonlyMap<GpgSigned, string | undefined>;
      keys: readonly GpgKey[];
      owners: ReadonlyMap<number, User>;
      emails: ReadonlyMap<number, readonly string[]>;
    },
  ) {
    this.#context = context;
    this.#people = people;
    this.#issuers = found.issuers;
    this.#keys = found.keys;
    this.#owners = found.owners;
    this.#emails = found.emails;
  }

  static async find(context: Context, signed: readonly GpgSigned[], people: People): Promise<SigningKeys> {
    const issuers = new Map<GpgSigned, string | undefined>();
    for (const one of signed) issuers.set(one, await knownIssuer(context.git.pool, one.signature.signature));
    const committers = signed.flatMap(({ committer }) => people.byEmail(committer)?.id ?? []);
    const ids = [...new Set([...issuers.values()].filter((id) => id !== undefined))];
    const keys = await findSigningKeys(context.db, ids, [...new Set(committers)]);
    const owners = await findUsersById(
      context.db,
      keys.map(({ user_id }) => user_id),
    );
    return new SigningKeys(context, people, { issuers, keys, owners, emails: await confirmedEmails(context, [...owners.keys()]) });
  }

  /** The user whose key made the signature: the key that the signature names, else one of the committer's. */
  async signerOf(signed: GpgSigned): Promise<Signer> {
    if (this.#issuers.get(signed) === undefined) return 'unreadable';
    const named = this.#keys.find(({ key_id }) => key_id === this.#issuers.get(signed));
    const signer = named && (await this.#signerWith(named, signed, this.#ownEmail(named)));
    if (signer) return signer;
    const committer = this.#people.byEmail(signed.committer);
    for (const key of this.#keys) {
      if (key.user_id !== committer?.id || key.primary_key_id !== '') continue;
      const email = key.verified ? signed.committer : this.#namedEmails(key).find((one) => one === signed.committer.toLowerCase());
      const found = await this.#signerWith(key, signed, email);
      if (found) return found;
    }
    return named ? 'bad' : undefined;
  }

  async #signerWith(key: GpgKey, signed: GpgSigned, email: string | undefined): Promise<KnownSigner | undefined> {
    const primary = this.#primaryOf(key);
    const user = this.#owners.get(key.user_id);
    if (!primary || !user || email === undefined) return undefined;
    const keyId = await checkedKeyId(this.#context, primary.armored, signed.signature);
    return keyId === undefined ? undefined : { user, keyId, email };
  }

  /** The e-mail address of a key's owner: one that the key names, or any if the owner has proved to have the key. */
  #ownEmail(key: GpgKey): string | undefined {
    const primary = this.#primaryOf(key);
    const named = [key, ...(primary ? [primary] : [])].flatMap((one) => this.#namedEmails(one))[0];
    const isProved = key.verified || primary?.verified;
    return named ?? (isProved ? this.#emails.get(key.user_id)?.[0] : undefined);
  }

  /** The e-mail addresses that a key names and its owner has confirmed. */
  #namedEmails(key: GpgKey): string[] {
    const confirmed = this.#emails.get(key.user_id) ?? [];
    return key.emails.filter((email) => confirmed.includes(email));
  }

  #primaryOf(key: GpgKey): GpgKey | undefined {
    return key.primary_key_id === ''
      ? key
      : this.#keys.find(({ key_id, user_id }) => key_id === key.primary_key_id && user_id === key.user_id);
  }
}

async function confirmedEmails({ db }: Context, userIds: readonly number[]): Promise<Map<number, string[]>> {
  const emails = new Map<number, string[]>();
  if (userIds.length === 0) return emails;
  const rows = await db
    .selectFrom('email_addresses')
    .select(['user_id', 'lower_email'])
    .where('user_id', 'in', userIds)
    .where('is_activated', '=', true)
    .orderBy('id')
    .execute();
  for (const { user_id, lower_email } of rows) emails.set(user_id, [...(emails.get(user_id) ?? []), lower_email]);
  return emails;
}
