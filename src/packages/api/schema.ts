import { User } from '../../accounts/users/schema.ts';
import { define, int64, nullable, ref, string, timestamp } from '../../http/schema.ts';
import { Repository } from '../../repositories/schema.ts';

/** A version of a package on the wire. */
export const Package = define(
  'Package',
  {
    id: int64({ description: 'The id of the version.' }),
    owner: ref(User),
    repository: nullable(ref(Repository)),
    creator: ref(User),
    type: string({ description: 'The type, such as npm or container.' }),
    name: string({ description: 'The name.' }),
    version: string({ description: 'The version.' }),
    html_url: string({ goName: 'HTMLURL', description: 'Its page.' }),
    created_at: timestamp(),
  },
  { description: 'A version of a package.' },
);

/** A file of a version on the wire. */
export const PackageFile = define(
  'PackageFile',
  {
    id: int64({ description: 'The id of the file.' }),
    size: int64({ description: 'Bytes.' }),
    name: string({ description: 'The name.' }),
    md5: string({ goName: 'HashMD5', description: 'The MD5 of its bytes.' }),
    sha1: string({ goName: 'HashSHA1', description: 'The SHA-1 of its bytes.' }),
    sha256: string({ goName: 'HashSHA256', description: 'The SHA-256 of its bytes.' }),
    sha512: string({ goName: 'HashSHA512', description: 'The SHA-512 of its bytes.' }),
  },
  { description: 'A file of a package.' },
);
