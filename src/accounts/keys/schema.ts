import { array, boolean, define, defineOption, int64, nullable, optional, ref, string, timestamp } from '../../http/schema.ts';
import { User } from '../users/schema.ts';

/** An SSH key. */
export const PublicKey = define('PublicKey', {
  id: int64({ description: 'The id of the key.' }),
  key: string({ description: 'The key, as in an authorized_keys file.' }),
  url: optional(string({ description: 'The API URL of the key.' })),
  title: optional(string({ description: 'The name that its user gave it.' })),
  fingerprint: optional(string({ description: 'The SHA-256 fingerprint, as OpenSSH shows it.' })),
  created_at: timestamp({ goName: 'Created', description: 'When it was added.' }),
  last_used_at: timestamp({ goName: 'Updated', description: 'When it was last used; when it was added until then.' }),
  user: optional(ref(User, { goName: 'Owner', description: 'Whose it is, for the user and administrators.' })),
  read_only: optional(boolean({ description: 'Whether it may only read.' })),
  key_type: optional(string({ description: 'user or deploy, for the user and administrators.' })),
  verified: optional(boolean({ description: 'Whether the user has proved to have it; only then do its signatures of commits count.' })),
});

/** A key to add. */
export const CreateKeyOption = defineOption(
  'CreateKeyOption',
  {
    title: string({ maxLength: 600, description: 'A name for the key.' }),
    key: string({ description: 'The public key, as in an authorized_keys file, or in PEM or the format of RFC 4716.' }),
    read_only: boolean({ description: 'Whether the key may only read; for keys of repositories.' }),
  },
  { required: ['title', 'key'] },
);

/** The proof that the user has an SSH key. */
export const VerifyKeyOption = defineOption(
  'VerifyKeyOption',
  {
    armored_signature: string({
      goName: 'Signature',
      maxLength: 65_536,
      description: 'What ssh-keygen -Y sign -n copse makes of the verification token.',
    }),
  },
  { required: ['armored_signature'] },
);

/** An e-mail address in an OpenPGP key. */
export const GPGKeyEmail = define('GPGKeyEmail', {
  email: string({ description: 'The e-mail address.' }),
  verified: boolean({ description: 'Whether it is a confirmed e-mail address of the user.' }),
});

/** An OpenPGP key, or a subkey of one. */
export const GPGKey = define('GPGKey', {
  id: int64({ description: 'The id of the key on this instance.' }),
  primary_key_id: string({ description: 'Of a subkey, the key id of its primary key.' }),
  key_id: string({ description: 'The key id: 16 hexadecimal digits.' }),
  public_key: string({ description: 'The key packet in base64.' }),
  emails: nullable(array(ref(GPGKeyEmail), { description: 'The addresses of the user that the key names.' })),
  subkeys: nullable(array(ref<unknown>('GPGKey'), { goName: 'SubsKey', description: 'The subkeys.' })),
  can_sign: boolean({ description: 'Whether it can sign.' }),
  can_encrypt_comms: boolean({ description: 'Whether messages can be encrypted for it.' }),
  can_encrypt_storage: boolean({ description: 'Whether files can be encrypted for it.' }),
  can_certify: boolean({ description: 'Whether it can certify other keys.' }),
  verified: boolean({ description: 'Whether the user has signed something with it.' }),
  created_at: timestamp({ goName: 'Created', description: 'When it was made.' }),
  expires_at: timestamp({ goName: 'Expires', description: 'When it expires.' }),
});

/** An OpenPGP key to add. */
export const CreateGPGKeyOption = defineOption(
  'CreateGPGKeyOption',
  {
    armored_public_key: string({ goName: 'ArmoredKey', maxLength: 262_144, description: 'The armored key.' }),
    armored_signature: string({
      goName: 'Signature',
      maxLength: 65_536,
      description: 'A detached signature of the verification token, for a key without an e-mail address of the user.',
    }),
  },
  { required: ['armored_public_key'] },
);

/** The proof that the user has an OpenPGP key. */
export const VerifyGPGKeyOption = defineOption(
  'VerifyGPGKeyOption',
  {
    key_id: string({ goName: 'KeyID', maxLength: 64, description: 'The key id.' }),
    armored_signature: string({ goName: 'Signature', maxLength: 65_536, description: 'A detached signature of the verification token.' }),
  },
  { required: ['key_id', 'armored_signature'] },
);
