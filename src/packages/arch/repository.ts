import { withMutex } from '../../git/mutex.ts';
import { empty } from '../../http/responses.ts';
import { openBlob } from '../blobs/content.ts';
import { invalid, PackageError } from '../errors.ts';
import { buildIndexes, findIndexFile } from '../indexes/build.ts';
import { requireFewLists } from '../indexes/few-lists.ts';
import { placesBelow } from '../indexes/listed-files.ts';
import { openPgpSigner } from '../indexes/openpgp.ts';
import type { PackageCall } from '../protocol/format.ts';
import { readArchive } from '../protocol/read-archive.ts';
import { receivePackage } from '../protocol/receive.ts';
import { serveFile, serveSmall } from '../protocol/serve.ts';
import { serveOpenPgpKey } from '../protocol/serve-key.ts';
import { deleteFile } from '../registry/delete.ts';
import { type FoundFile, findVersion, listFiles, withBlobs } from '../registry/find.ts';
import { listProperties, propertyOf } from '../registry/properties.ts';
import { publish } from '../registry/publish.ts';
import { searchFiles } from '../registry/search.ts';
import { ANY, architectureOf, buildIndex, DATABASE, indexKey, METADATA, placeOf, REPOSITORY, SIGNATURE } from './indexes.ts';
import { readPackage } from './read.ts';

const TYPE = 'arch';
/** Clients' names of a database: `NAME.db` and so on, after the name of the repository in their configuration. */
const IS_DATABASE = /\.(?:db|files)(?:\.tar\.gz)?$/;

/** `GET /repository.key`: the public key of packages and databases. */
export async function serveKey(call: PackageCall) {
  return await serveOpenPgpKey(call, TYPE);
}

/** `PUT /REPOSITORY`: signs a package and publishes it. */
export async function upload(call: PackageCall) {
  const { context, owner, params } = call;
  const repository = (params.repository ?? '').trim();
  if (/[|\p{Cc}]/u.test(repository)) throw invalid('invalid repository');
  const blob = await receivePackage(call, TYPE);
  const { name, version, extension, versionMetadata, fileMetadata } = await readArchive(call, () => readPackage(context, blob));
  const { architecture } = fileMetadata;
  await requireFewLists(context, { ownerId: owner.id, type: TYPE, key: indexKey(repository) }, architecture, async () => {
    const places = await placesBelow(context.db, owner.id, TYPE, placeOf(repository, ''));
    return places.map(architectureOf);
  });
  const signer = await openPgpSigner(context, owner, TYPE);
  const signature = Buffer.from(await signer.signBinary(await openBlob(context, blob))).toString('base64');
  const compositeKey = placeOf(repository, architecture);
  const properties = {
    [REPOSITORY]: repository,
    'arch.architecture': architecture,
    [METADATA]: JSON.stringify(fileMetadata),
    [SIGNATURE]: signature,
  };
  const file = { name: `${name}-${version}-${architecture}.pkg.tar.${extension}`, compositeKey, blob, isLead: true, properties };
  await withMutex(`arch package ${owner.id} ${name}`, async () => {
    await refuseOtherCompression(call, name, version, compositeKey);
    const indexes = [indexKey(repository)];
    await publish(context, { owner, type: TYPE, name, version, metadata: versionMetadata, existing: 'append', files: [file], indexes });
  });
  return empty(201);
}

/** `GET /REPOSITORY/ARCHITECTURE/FILE`: a package or a database, or the signature of one. */
export async function read(call: PackageCall) {
  const { context, params } = call;
  const requested = params.file ?? '';
  const isSignature = requested.endsWith('.sig');
  const name = isSignature ? requested.slice(0, -'.sig'.length) : requested;
  if (IS_DATABASE.test(name)) return await serveDatabase(call, isSignature);
  const found = (await find(call, name, params.architecture ?? '')) ?? (await find(call, name, ANY));
  if (!found) throw nothing();
  if (!isSignature) return await serveFile(call, found);
  const properties = await listProperties(context.db, 'file', [found.file.id]);
  const signature = Buffer.from(propertyOf(properties.get(found.file.id), SIGNATURE) ?? '', 'base64');
  return await serveSmall(call, signature, { type: 'application/octet-stream', name: requested });
}

/** `DELETE /REPOSITORY/NAME/VERSION/ARCHITECTURE` */
export async function remove({ context, owner, params }: PackageCall) {
  const { repository = '', name = '', version = '', architecture = '' } = params;
  const found = await findVersion(context.db, { ownerId: owner.id, type: TYPE, name }, version);
  const files = await listFiles(context.db, [found.id]);
  const file = files.find(({ file }) => file.composite_key === placeOf(repository, architecture))?.file;
  if (!file) throw nothing();
  await deleteFile(context, found, file, { indexes: [indexKey(repository)] });
  return empty(204);
}

async function serveDatabase(call: PackageCall, isSignature: boolean) {
  const { context, owner, params } = call;
  const { repository = '', architecture = '', file = '' } = params;
  const key = indexKey(repository);
  await buildIndexes(context, buildIndex, { owner, type: TYPE }, [key]);
  const name = isSignature ? `${DATABASE}.sig` : DATABASE;
  const of = (compositeKey: string) =>
    findIndexFile(context.db, owner.id, TYPE, key, { name, compositeKey }).catch((error: unknown) => {
      if (error instanceof PackageError) return undefined;
      throw error;
    });
  const found = (await of(architecture)) ?? (await of(ANY));
  if (!found) throw nothing();
  return await serveFile(call, found, { name: isSignature ? file : DATABASE, isCached: true });
}

async function find({ context: { db }, owner, params }: PackageCall, name: string, architecture: string): Promise<FoundFile | undefined> {
  const compositeKey = placeOf(params.repository ?? '', architecture);
  const [found] = await withBlobs(db, await searchFiles(db, { ownerId: owner.id, type: TYPE, name, compositeKey }, { limit: 1 }));
  return found;
}

/** A package is published once, however it is compressed. */
async function refuseOtherCompression(
  { context: { db }, owner }: PackageCall,
  name: string,
  version: string,
  place: string,
): Promise<void> {
  const other = await db
    .selectFrom('package_files')
    .innerJoin('package_versions', 'package_versions.id', 'package_files.version_id')
    .innerJoin('packages', 'packages.id', 'package_versions.package_id')
    .select('package_files.id')
    .where('packages.owner_id', '=', owner.id)
    .where('packages.type', '=', TYPE)
    .where('packages.lower_name', '=', name.toLowerCase())
    .where('package_versions.lower_version', '=', version.toLowerCase())
    .where('package_files.composite_key', '=', place)
    .executeTakeFirst();
  if (other) throw new PackageError('file-exists');
}

function nothing(): PackageError {
  return new PackageError('missing', { message: '' });
}
