import { array, boolean, define, defineOption, int64, integer, oneOf, string, timestamp } from '../../http/schema.ts';
import { UPSTREAM_TYPES } from './names.ts';

const MAX_URL = 500;
const MAX_CREDENTIAL = 4096;
const MAX_PATTERN = 255;
const MAX_SECONDS = 30 * 24 * 60 * 60;
/** 1 TiB. */
const MAX_BYTES = 2 ** 40;

const type = oneOf(UPSTREAM_TYPES, { description: 'The type of the packages that come from it.', rule: 'In' });
const url = string({ description: 'Where the upstream registry is, without credentials.', maxLength: MAX_URL });
const patterns = (description: string) => array(string({ maxLength: MAX_PATTERN }), { description });

const fields = {
  enabled: boolean({ description: 'Whether packages come from it.' }),
  priority: integer({ description: 'Where it is among those of its type: the lowest first.', minimum: -1000, maximum: 1000 }),
  allow: patterns('Patterns of the names that come from it; * is anything but a slash, ** anything.'),
  deny: patterns('Patterns of the names that come from no upstream of this owner and type, whatever allows them.'),
  anonymous_fetches: boolean({ description: 'Whether anonymous callers can cause fetches of what is not cached.' }),
  metadata_seconds: integer({
    description: 'For how many seconds lists of versions are served before they are revalidated.',
    minimum: 0,
    maximum: MAX_SECONDS,
  }),
  max_file_size: int64({ description: 'Bytes that a file may have.', minimum: 1, maximum: MAX_BYTES }),
};
const credentials = {
  username: string({ description: 'Signs in to the upstream; empty if the password is a bearer token.', maxLength: MAX_CREDENTIAL }),
  password: string({ description: 'Signs in to the upstream; empty for none. It is never shown.', maxLength: MAX_CREDENTIAL }),
};

/** An upstream registry on the wire. */
export const PackageUpstream = define(
  'PackageUpstream',
  {
    id: int64({ description: 'The id of the upstream.' }),
    type,
    url,
    has_password: boolean({ description: 'Whether there are credentials for it.' }),
    ...fields,
    cached_size: int64({ description: 'Bytes that are cached of it.' }),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  { description: 'A registry on another server that packages come from which the owner has not published.' },
);

/** What makes an upstream. */
export const CreatePackageUpstreamOption = defineOption(
  'CreatePackageUpstreamOption',
  { type, url, ...credentials, ...fields },
  { required: ['type', 'url'], description: 'A new upstream registry.' },
);

/** What to change of an upstream; what is left out stays, but credentials are for one URL. */
export const EditPackageUpstreamOption = defineOption(
  'EditPackageUpstreamOption',
  { url, ...credentials, ...fields },
  { description: 'What to change of an upstream registry. With another URL the credentials have to be given again.' },
);

/** A package that is cached. */
export const CachedPackage = define(
  'CachedPackage',
  {
    name: string({ description: 'The name, as names are compared.' }),
    files: int64({ description: 'Documents and files that are cached of it.' }),
    size: int64({ description: 'Their bytes.' }),
    used_at: timestamp({ description: 'When one of them was last used, to the hour.' }),
  },
  { description: 'A package of an upstream registry with cached content.' },
);
