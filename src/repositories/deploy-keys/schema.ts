import { boolean, define, int64, optional, ref, string, timestamp } from '../../http/schema.ts';
import { Repository } from '../schema.ts';

/** An SSH key with access to a repository. */
export const DeployKey = define('DeployKey', {
  id: int64({ description: 'The id of the key in this repository.' }),
  key_id: int64({ description: 'The id of the key itself, which other repositories may have, too.' }),
  key: string({ description: 'The key, as in an authorized_keys file.' }),
  url: string({ description: 'The API URL of the key.' }),
  title: string({ description: 'The name that it was given.' }),
  fingerprint: string({ description: 'The SHA-256 fingerprint, as OpenSSH shows it.' }),
  created_at: timestamp({ goName: 'Created', description: 'When it was added.' }),
  read_only: boolean({ description: 'Whether it may only read.' }),
  repository: optional(ref(Repository, { description: 'What it opens, for the owner and administrators.' })),
});
