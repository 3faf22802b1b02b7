import { baseUrl, boolean, choice, duration, integer, optional, path, size, text } from '../kinds.ts';
import { group, type Setting, setting } from '../setting.ts';

const STORAGE_TYPES = ['disk', 's3'] as const;

function kindOfBlob(what: string): Setting<(typeof STORAGE_TYPES)[number] | null> {
  return setting(optional(choice(...STORAGE_TYPES)), '', `Storage of ${what}; \`storage.type\` when empty.`);
}

export const storage = group('Storage', 'Where attachments, packages and other uploads are stored.', {
  type: setting(choice(...STORAGE_TYPES), 'disk', 'A folder (`disk`), or a bucket of an S3-compatible service (`s3`), see below.'),
  path: setting(
    path(),
    { from: '`storage` in the data folder', value: (get) => `${String(get('server.dataDir'))}/storage` },
    'Folder of the `disk` storage.',
  ),
  previous: setting(
    optional(choice(...STORAGE_TYPES)),
    '',
    'Storage that is read if the new one does not have a blob yet. Set it while `copse storage migrate` moves the blobs.',
  ),
  attachments: kindOfBlob('attachments and files of releases'),
  avatars: kindOfBlob('avatars'),
  archives: kindOfBlob('archives of repositories that have been downloaded'),
  lfs: kindOfBlob('large files'),
  packages: kindOfBlob('packages'),
  artifacts: kindOfBlob('artifacts of workflows'),
  logs: kindOfBlob('logs of workflows'),
  indexes: kindOfBlob('indexes for the search of code'),
});

const NAME = { pattern: /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, name: 'the name of a bucket' };
const PREFIX = { pattern: /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/, name: 'a path such as copse/production', maxLength: 200 };

export const s3 = group('S3', 'The service of the `s3` storage: Amazon S3, or a compatible one.', {
  endpoint: setting(optional(baseUrl()), '', 'URL of the service, such as `https://s3.example.com`; Amazon S3 when empty.'),
  region: setting(text({ pattern: /^[a-z0-9-]+$/i, name: 'a region' }), 'us-east-1', 'Region of the bucket.'),
  bucket: setting(optional(text(NAME)), '', 'Bucket for all objects. It has to exist.'),
  prefix: setting(optional(text(PREFIX)), '', 'Prefix of the names of all objects, so that several instances can share a bucket.'),
  accessKeyId: setting(
    optional(text()),
    '',
    'Access key. When empty, credentials are searched like the AWS command line does: environment, files, and the role of the machine or pod.',
  ),
  secretAccessKey: setting(optional(text()), '', 'Secret of the access key.', { secret: true }),
  pathStyle: setting(boolean(), 'true', 'Whether the bucket is in the path of URLs (`true`) or in their host name (`false`).'),
  caFile: setting(optional(path()), '', 'PEM file with the authorities of the certificate of the service; those of Node when empty.'),
  maxConnections: setting(integer(1, 10_000), '100', 'Connections of one process to the service.'),
  connectTimeout: setting(duration({ min: '100ms', max: '5m' }), '5s', 'How long connecting may take.'),
  idleTimeout: setting(duration({ min: '1s', max: '1h' }), '30s', 'How long a connection may be idle.'),
  attempts: setting(integer(1, 20), '4', 'Maximum number of attempts of a request, with growing delays.'),
  partSize: setting(
    size({ min: 5 * 2 ** 20, max: 2 ** 30 }),
    '8MiB',
    'Size of the parts in which larger blobs are uploaded. Each upload has up to three of them in memory.',
  ),
  directDownloads: setting(
    boolean(),
    'false',
    'Whether clients are redirected to the service for attachments, large files, packages and artifacts, by links that are valid for a while.',
  ),
  linkLifetime: setting(duration({ min: '10s', max: '7d' }), '5m', 'How long these links are valid.'),
  publicEndpoint: setting(optional(baseUrl()), '', 'URL of the service in these links, if clients need another one.'),
});
