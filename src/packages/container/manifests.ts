import type { PackageVersionRow } from '../../database/tables/packages.ts';
import { empty, type HttpResponse } from '../../http/responses.ts';
import { PackageError } from '../errors.ts';
import type { PackageCall } from '../protocol/format.ts';
import { readBody } from '../protocol/receive.ts';
import { serveFile } from '../protocol/serve.ts';
import { deleteVersion } from '../registry/delete.ts';
import { type FoundFile, withBlobs } from '../registry/find.ts';
import { listProperties, propertyOf } from '../registry/properties.ts';
import { digestOf, serveOptions } from './contents.ts';
import { API_VERSION, ContainerError } from './errors.ts';
import { MAX_MANIFEST, readManifest } from './manifest.ts';
import { checkImage, isDigest, isTag, readDigest } from './names.ts';
import { MANIFEST_FILE, MEDIA_TYPE, storeManifest } from './store-manifest.ts';

/** PUT: distribution specification, "Pushing Manifests". */
export async function putManifest(call: PackageCall): Promise<HttpResponse> {
  const { context, owner, request } = call;
  const image = checkImage(call.params.image ?? '');
  const reference = call.params.reference ?? '';
  const isTagged = !isDigest(reference);
  if (isTagged && !isTag(reference)) throw new ContainerError('MANIFEST_INVALID', { message: 'Tag is invalid' });
  const bytes = await readManifestBody(call);
  const manifest = readManifest(bytes, request.headers['content-type'] ?? '');
  if (!isTagged && reference !== digestOf(bytes, readDigest(reference)?.algorithm)) throw new ContainerError('DIGEST_INVALID');
  const digest = await storeManifest(context, { owner, image, reference, isTagged, manifest, bytes });
  return empty(201, {
    ...API_VERSION,
    location: `/v2/${owner.lower_name}/${image}/manifests/${reference}`,
    'docker-content-digest': digest,
    etag: `"${digest}"`,
    // The client need not keep a list of referrers itself.
    ...(manifest.subject !== undefined && { 'oci-subject': manifest.subject }),
  });
}

/** GET and HEAD: distribution specification, "Pulling manifests". */
export async function getManifest(call: PackageCall): Promise<HttpResponse> {
  const { db } = call.context;
  const [file] = await manifestFiles(call).select('package_files.id').limit(1).execute();
  const row = file && (await db.selectFrom('package_files').selectAll().where('id', '=', file.id).executeTakeFirst());
  const [found]: FoundFile[] = row ? await withBlobs(db, [row]) : [];
  if (!found) throw new ContainerError('MANIFEST_UNKNOWN');
  const type = propertyOf((await listProperties(db, 'file', [found.file.id])).get(found.file.id), MEDIA_TYPE);
  const { reference = '' } = call.params;
  return await serveFile(call, found, serveOptions(isDigest(reference) ? reference : `sha256:${found.blob.sha256}`, type));
}

/** DELETE: a tag is one version, a digest is every version with that manifest. */
export async function deleteManifest(call: PackageCall): Promise<HttpResponse> {
  const versions: PackageVersionRow[] = await manifestFiles(call).selectAll('package_versions').execute();
  if (versions.length === 0) throw new ContainerError('MANIFEST_UNKNOWN');
  for (const version of new Map(versions.map((row) => [row.id, row])).values()) await deleteVersion(call.context, version);
  return empty(202, API_VERSION);
}

/** The files and versions of the manifest that the path names. */
function manifestFiles({ context: { db }, owner, params }: PackageCall) {
  const image = checkImage(params.image ?? '');
  const reference = params.reference ?? '';
  if (!isDigest(reference) && !isTag(reference)) throw new ContainerError('MANIFEST_UNKNOWN');
  const found = db
    .selectFrom('packages')
    .innerJoin('package_versions', 'package_versions.package_id', 'packages.id')
    .innerJoin('package_files', 'package_files.version_id', 'package_versions.id')
    .where('packages.owner_id', '=', owner.id)
    .where('packages.type', '=', 'container')
    .where('packages.lower_name', '=', image)
    .where('packages.is_internal', '=', false)
    .where('package_versions.is_internal', '=', false)
    .where('package_files.lower_name', '=', MANIFEST_FILE)
    .orderBy('package_files.id');
  if (!isDigest(reference)) return found.where('package_versions.lower_version', '=', reference.toLowerCase());
  const { algorithm, hex } = readDigest(reference) ?? { algorithm: 'sha256', hex: '' };
  const contents = db.selectFrom('package_blobs').select('id').where(algorithm, '=', hex);
  return found.where('package_files.blob_id', 'in', contents);
}

async function readManifestBody(call: PackageCall): Promise<Buffer> {
  try {
    return await readBody(call, MAX_MANIFEST);
  } catch (error) {
    if (!(error instanceof PackageError) || error.status !== 413) throw error;
    throw new ContainerError('MANIFEST_INVALID', { message: 'Manifest exceeds maximum size', status: 413 });
  }
}
