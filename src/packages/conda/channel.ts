import { empty } from '../../http/responses.ts';
import { http } from '../../node-http.ts';
import { PackageError } from '../errors.ts';
import { buildIndexes, findIndexFile } from '../indexes/build.ts';
import type { PackageCall } from '../protocol/format.ts';
import { json } from '../protocol/json.ts';
import { readArchive } from '../protocol/read-archive.ts';
import { receivePackage } from '../protocol/receive.ts';
import { plainRefusal } from '../protocol/routes.ts';
import { serveFile } from '../protocol/serve.ts';
import { hasProperties, withBlobs } from '../registry/find.ts';
import { publish } from '../registry/publish.ts';
import { readPackage } from './read.ts';
import { buildIndex, CHANNEL, indexKey, METADATA, NAME, SUBDIR } from './repodata.ts';

const TYPE = 'conda';
/** The media types of the documents of a platform, by what their names end with. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '': 'application/json',
  '.bz2': 'application/x-bzip2',
  '.zst': 'application/zstd',
};
/** A name of such a document; clients that request only current packages get all of them. */
const DOCUMENT = /^(?:current_)?(repodata\.json(|\.bz2|\.zst))$/;

/** `PUT /CHANNEL/FILE`: publishes a package, whatever the name of its file. */
export async function upload(call: PackageCall) {
  const { context, owner, params } = call;
  const { channel = '', file = '' } = params;
  const isConda = file.endsWith('.conda');
  if (!isConda && !file.endsWith('.tar.bz2')) throw new PackageError('invalid', { message: '' });
  const blob = await receivePackage(call, TYPE);
  const { name, version, subdir, versionMetadata, fileMetadata } = await readArchive(call, () => readPackage(context, blob, isConda));
  await publish(context, {
    owner,
    type: TYPE,
    name: channel === '' ? name : `${channel}/${name}`,
    version,
    metadata: versionMetadata,
    packageProperties: { [NAME]: name, [CHANNEL]: channel },
    existing: 'append',
    files: [
      {
        name: `${name}-${version}-${fileMetadata.build ?? ''}${isConda ? '.conda' : '.tar.bz2'}`,
        compositeKey: subdir,
        blob,
        isLead: true,
        properties: { [SUBDIR]: subdir, [METADATA]: JSON.stringify(fileMetadata) },
      },
    ],
    indexes: [indexKey(channel, subdir)],
  });
  return empty(201);
}

/** `GET /CHANNEL/PLATFORM/FILE`: a package, or the list of them. */
export async function read(call: PackageCall) {
  const { file = '' } = call.params;
  const [, document, compression = ''] = DOCUMENT.exec(file) ?? [];
  if (document !== undefined) return await serveRepodata(call, document, MEDIA_TYPES[compression]);
  if (file.endsWith('.conda') || file.endsWith('.tar.bz2')) return await download(call);
  throw new PackageError('missing', { message: '404 page not found\n' });
}

/** Errors in the form of conda; what is refused before a handler runs is plain text. */
export function refuse(error: PackageError) {
  if (error.problem === 'unauthorized' || error.problem === 'forbidden' || error.problem === 'missing') return plainRefusal(error);
  const { status, headers } = error;
  const message = status === 404 ? '' : error.message;
  return json({ reason: http.STATUS_CODES[status] ?? '', message }, { status, headers: { ...headers } });
}

async function serveRepodata(call: PackageCall, name: string, type: string | undefined) {
  const { context, owner, params } = call;
  const key = indexKey(params.channel ?? '', params.subdir ?? '');
  await buildIndexes(context, buildIndex, { owner, type: TYPE }, [key]);
  const found = await findIndexFile(context.db, owner.id, TYPE, key, { name });
  return await serveFile(call, found, { ...(type && { type }), name: null, isCached: true });
}

async function download(call: PackageCall) {
  const { context, owner, params } = call;
  const { channel = '', subdir = '', file = '' } = params;
  const rows = await context.db
    .selectFrom('package_files')
    .innerJoin('package_versions', 'package_versions.id', 'package_files.version_id')
    .innerJoin('packages', 'packages.id', 'package_versions.package_id')
    .selectAll('package_files')
    .where('package_versions.owner_id', '=', owner.id)
    .where('package_versions.type', '=', TYPE)
    .where('package_versions.is_internal', '=', false)
    .where('package_files.lower_name', '=', file.toLowerCase())
    .where('package_files.composite_key', '=', subdir)
    .where(hasProperties('package', { [CHANNEL]: channel }))
    .limit(1)
    .execute();
  const [found] = await withBlobs(context.db, rows);
  if (!found) throw new PackageError('no-file');
  return await serveFile(call, found);
}
