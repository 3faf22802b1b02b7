import { boolean, define, defineOption, int64, optional, ref, string, timestamp } from '../../http/schema.ts';
import { User } from '../users/schema.ts';

/** An SSH key. */
export const PublicKey = define('PublicKey', {
  id: int64({ description: 'The id of the key.' }),
  key: string({ description: 'The key, as in an authorized_keys file.' }),
  url: optional(string({ description: 'Where the key is in this interface.' })),
  title: optional(string({ description: 'The name that its user gave it.' })),
  fingerprint: optional(string({ description: 'The SHA-256 fingerprint, as OpenSSH shows it.' })),
  created_at: timestamp({ goName: 'Created', description: 'When it was added.' }),
  last_used_at: timestamp({ goName: 'Updated', description: 'When it was last used; when it was added until then.' }),
  user: optional(ref(User, { goName: 'Owner', description: 'Whose it is, for the user and administrators.' })),
  read_only: optional(boolean({ description: 'Whether it may only read.' })),
  key_type: optional(string({ description: 'user or deploy, for the user and administrators.' })),
});

/** A key to add. */
export const CreateKeyOption = defineOption(
  'CreateKeyOption',
  {
    title: string({ maxLength: 255, description: 'A name for the key.' }),
    key: string({ description: 'The public key, as in an authorized_keys file, or in PEM or the format of RFC 4716.' }),
    read_only: boolean({ description: 'Whether the key may only read; for keys of repositories.' }),
  },
  { required: ['title', 'key'] },
);
