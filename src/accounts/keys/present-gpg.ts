import type { Context } from '../../context.ts';
import type { GpgKey } from '../../database/tables/keys.ts';
import { type Shape, wireTime } from '../../http/schema.ts';
import type { GPGKey } from './schema.ts';

type WireKey = Shape<typeof GPGKey>;

/** OpenPGP keys of one user on the wire, each with its subkeys; an e-mail address counts as verified while the user has it. */
export async function presentGpgKeys(
  { db }: Context,
  keys: readonly GpgKey[],
  options: { subkeys: boolean } = { subkeys: true },
): Promise<WireKey[]> {
  const ids = keys.map((key) => key.key_id);
  const subkeys =
    options.subkeys && ids.length > 0
      ? await db.selectFrom('gpg_keys').selectAll().where('primary_key_id', 'in', ids).orderBy('id').execute()
      : [];
  const emails = await ownEmails(db, keys);
  return keys.map((key) => ({
    ...common(key),
    emails: key.emails.map((lower) => ({
      email: emails.get(`${key.user_id} ${lower}`) ?? lower,
      verified: emails.has(`${key.user_id} ${lower}`),
    })),
    subkeys: subkeys
      .filter((subkey) => subkey.primary_key_id === key.key_id)
      .map((subkey) => ({ ...common(subkey), emails: null, subkeys: null })),
  }));
}

function common(key: GpgKey): Omit<WireKey, 'emails' | 'subkeys'> {
  return {
    id: key.id,
    primary_key_id: key.primary_key_id,
    key_id: key.key_id,
    public_key: key.content,
    can_sign: key.can_sign,
    can_encrypt_comms: key.can_encrypt,
    can_encrypt_storage: key.can_encrypt,
    can_certify: key.can_sign,
    verified: key.verified,
    created_at: wireTime(key.created_at),
    expires_at: wireTime(key.expires_at),
  };
}

/** The confirmed e-mail addresses in the keys, as their users write them, by user and lower case. */
async function ownEmails(db: Context['db'], keys: readonly GpgKey[]): Promise<Map<string, string>> {
  const named = [...new Set(keys.flatMap((key) => key.emails))];
  if (named.length === 0) return new Map();
  const rows = await db
    .selectFrom('email_addresses')
    .select(['user_id', 'email', 'lower_email'])
    .where('lower_email', 'in', named)
    .where('is_activated', '=', true)
    .execute();
  return new Map(rows.map((row) => [`${row.user_id} ${row.lower_email}`, row.email]));
}
