import type { Db } from '../../database/database.ts';
import { prepared } from '../../database/prepared.ts';
import type { VersionRow } from '../../database/tables/packages.ts';
import { empty, type HttpResponse } from '../../http/responses.ts';
import { PackageError } from '../errors.ts';
import type { PackageCall } from '../protocol/format.ts';
import { readBody } from '../protocol/receive.ts';
import { serveFile } from '../protocol/serve.ts';
import { deleteVersion } from '../registry/delete.ts';
import { VERSION_COLUMNS } from '../registry/find.ts';
import { digestOf, serveOptions } from './contents.ts';
import { API_VERSION, ContainerError } from './errors.ts';
import { MAX_MANIFEST, readManifest } from './manifest.ts';
import { type ContentDigest, checkImage, isDigest, isTag, readDigest } from './names.ts';
import { MANIFEST_FILE, MEDIA_TYPE, storeManifest } from './store-manifest.ts';

/** PUT: distribution specification, "Pushing Manifests". */
export async function putManifest(call: PackageCall): Promise<HttpResponse> {
  const { context, contents, owner, request } = call;
  const image = checkImage(call.params.image ?? '');
  const reference = call.params.reference ?? '';
  const isTagged = !isDigest(reference);
  if (isTagged && !isTag(reference)) throw new ContainerError('MANIFEST_INVALID', { message: 'Tag is invalid' });
  const bytes = await readManifestBody(call);
  const manifest = readManifest(bytes, request.headers['content-type'] ?? '');
  if (!isTagged && reference !== digestOf(bytes, readDigest(reference)?.algorithm)) throw new ContainerError('DIGEST_INVALID');
  const digest = await storeManifest(context, { owner, image, reference, isTagged, manifest, bytes, contents });
  return empty(201, {
    ...API_VERSION,
    location: `/v2/${owner.lower_name}/${image}/manifests/${reference}`,
    'docker-content-digest': digest,
    etag: `"${digest}"`,
    // So the client need not maintain a list of referrers itself.
    ...(manifest.subject !== undefined && { 'oci-subject': manifest.subject }),
  });
}

const taggedManifest = prepared((db, ownerId: number, image: string, tag: string) => served(manifestsByTag(db, ownerId, image, tag)), {
  isCached: true,
});
const MANIFESTS_OF = { sha256: firstWithDigest('sha256'), sha512: firstWithDigest('sha512') };

function firstWithDigest(algorithm: ContentDigest['algorithm']) {
  const build = (db: Db, ownerId: number, image: string, hex: string) => served(manifestsByDigest(db, ownerId, image, { algorithm, hex }));
  return prepared(build, { isCached: true });
}

/** All that is served of the first one. */
function served(found: ReturnType<typeof manifestFiles>) {
  return found
    .innerJoin('package_blobs', 'package_blobs.id', 'package_files.blob_id')
    .leftJoin('package_properties', (join) =>
      join.onRef('package_properties.file_id', '=', 'package_files.id').on('package_properties.name', '=', MEDIA_TYPE),
    )
    .select(['package_files.name', 'package_files.version_id', 'package_files.is_lead', 'package_files.created_at'])
    .select(['package_blobs.blob', 'package_blobs.size', 'package_blobs.sha256', 'package_properties.value as type'])
    .orderBy('package_properties.id')
    .limit(1);
}

/** GET and HEAD: distribution specification, "Pulling manifests". */
export async function getManifest(call: PackageCall): Promise<HttpResponse> {
  const { db } = call.context;
  const { owner, image, reference: wanted } = namedManifest(call);
  const read = readDigest(wanted);
  const [found] = read
    ? await MANIFESTS_OF[read.algorithm](db, owner.id, image, read.hex)
    : await taggedManifest(db, owner.id, image, wanted.toLowerCase());
  if (!found) throw new ContainerError('MANIFEST_UNKNOWN');
  const digest = read ? wanted : `sha256:${found.sha256}`;
  return await serveFile(call, { file: found, blob: found }, { ...serveOptions(digest, found.type ?? undefined), isCached: true });
}

/** DELETE: a tag is one version, a digest all versions with that manifest. */
export async function deleteManifest(call: PackageCall): Promise<HttpResponse> {
  const { owner, image, reference } = namedManifest(call);
  const { db } = call.context;
  const read = readDigest(reference);
  const found = read ? manifestsByDigest(db, owner.id, image, read) : manifestsByTag(db, owner.id, image, reference.toLowerCase());
  const versions: VersionRow[] = await found.select(VERSION_COLUMNS).execute();
  if (versions.length === 0) throw new ContainerError('MANIFEST_UNKNOWN');
  for (const version of new Map(versions.map((row) => [row.id, row])).values()) await deleteVersion(call.context, version);
  return empty(202, API_VERSION);
}

/** @throws ContainerError MANIFEST_UNKNOWN for what can be no manifest */
function namedManifest({ owner, params }: PackageCall) {
  const image = checkImage(params.image ?? '');
  const reference = params.reference ?? '';
  if (!isDigest(reference) && !isTag(reference)) throw new ContainerError('MANIFEST_UNKNOWN');
  return { owner, image, reference };
}

function manifestsByTag(db: Db, ownerId: number, image: string, tag: string) {
  return manifestFiles(db, ownerId, image).where('package_versions.lower_version', '=', tag);
}

function manifestsByDigest(db: Db, ownerId: number, image: string, { algorithm, hex }: ContentDigest) {
  const contents = db.selectFrom('package_blobs').select('id').where(algorithm, '=', hex);
  return manifestFiles(db, ownerId, image).where('package_files.blob_id', 'in', contents);
}

/** The files and versions of an image's manifests. */
function manifestFiles(db: Db, ownerId: number, image: string) {
  return db
    .selectFrom('packages')
    .innerJoin('package_versions', 'package_versions.package_id', 'packages.id')
    .innerJoin('package_files', 'package_files.version_id', 'package_versions.id')
    .where('packages.owner_id', '=', ownerId)
    .where('packages.type', '=', 'container')
    .where('packages.lower_name', '=', image)
    .where('packages.is_internal', '=', false)
    .where('package_versions.is_internal', '=', false)
    .where('package_files.lower_name', '=', MANIFEST_FILE)
    .orderBy('package_files.id');
}

async function readManifestBody(call: PackageCall): Promise<Buffer> {
  try {
    return await readBody(call, MAX_MANIFEST);
  } catch (error) {
    if (!(error instanceof PackageError) || error.status !== 413) throw error;
    throw new ContainerError('MANIFEST_INVALID', { message: 'Manifest exceeds maximum size', status: 413 });
  }
}
