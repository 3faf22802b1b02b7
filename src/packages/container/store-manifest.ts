import { type Context, inTransaction } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { PackageBlobRow } from '../../database/tables/packages.ts';
import type { Content } from '../blobs/content.ts';
import type { NewContents } from '../blobs/new-contents.ts';
import { lockOwner } from '../registry/limits.ts';
import type { Properties } from '../registry/properties.ts';
import { ensurePackage, publish } from '../registry/publish.ts';
import type { NewFile } from '../registry/put-file.ts';
import { findImageBlobs, findImageId, releaseBlobs } from './blobs.ts';
import { ContainerError } from './errors.ts';
import { DEFAULT_PLATFORM, type ImageMetadata, readConfig } from './image-config.ts';
import {
  type Descriptor,
  type ImageIndex,
  type ImageManifest,
  isForeignType,
  isIndexType,
  isManifestType,
  type Manifest,
} from './manifest.ts';
import { descriptorOf } from './referrers.ts';

/** The file of a version that is the manifest itself. */
export const MANIFEST_FILE = 'manifest.json';
/** The property of a manifest's file that names its type. */
export const MEDIA_TYPE = 'container.mediatype';

/** What is to be stored. */
export interface NewManifest {
  readonly owner: User;
  readonly image: string;
  /** A tag, or the digest of the manifest. */
  readonly reference: string;
  readonly isTagged: boolean;
  readonly manifest: Manifest;
  readonly bytes: Buffer;
  /** The contents that the request stores. */
  readonly contents: NewContents;
}

/**
 * Stores a manifest under a tag or its digest, replacing an existing one. Everything that it refers to is in the image already.
 * @returns its digest
 * @throws ContainerError BLOB_UNKNOWN, MANIFEST_BLOB_UNKNOWN, SIZE_INVALID, MANIFEST_INVALID; PackageError for a limit of the owner
 */
export async function storeManifest(context: Context, given: NewManifest): Promise<string> {
  const { owner, image, manifest, bytes, isTagged, contents } = given;
  const known = manifest.kind === 'manifest' ? await readImage(context, given, manifest) : undefined;
  const blob = await contents.store(context, bytes);
  const digest = isTagged ? `sha256:${blob.sha256}` : given.reference;
  await inTransaction(context, async (context) => {
    // In the order in which other changes lock the two.
    await lockOwner(context, owner);
    // The lock excludes the cleanup, and other manifests of the image.
    const { id } = await ensurePackage(context, { owner, type: 'container', name: image });
    const parts = manifest.kind === 'manifest' ? await findParts(context.db, id, manifest) : [];
    const metadata = manifest.kind === 'manifest' ? known : await metadataOfIndex(context.db, id, manifest);
    await publish(context, {
      owner,
      type: 'container',
      name: image,
      version: given.reference.toLowerCase(),
      existing: 'replace',
      metadata: { ...metadata, is_tagged: isTagged },
      versionProperties: propertiesOf(given, digest),
      files: [...parts.map(fileOf), manifestFile(blob, digest, manifest.mediaType)],
    });
    const blobs = parts.map((part) => part.blob);
    await releaseBlobs(context.db, id, blobs);
  });
  return digest;
}

interface Part {
  readonly descriptor: Descriptor;
  readonly blob: PackageBlobRow;
}

function fileOf({ descriptor: { digest, mediaType }, blob }: Part): NewFile {
  return { name: `sha256_${blob.sha256}`, compositeKey: digest, blob, properties: { [MEDIA_TYPE]: mediaType } };
}

function manifestFile(blob: Content, digest: string, mediaType: string): NewFile {
  return { name: MANIFEST_FILE, compositeKey: digest, blob, isLead: true, properties: { [MEDIA_TYPE]: mediaType } };
}

function propertiesOf({ isTagged, manifest, bytes }: NewManifest, digest: string): Properties {
  return {
    ...(isTagged && { 'container.manifest.tagged': '' }),
    ...(manifest.kind === 'index' && { 'container.manifest.reference': manifest.manifests.map((one) => one.digest) }),
    ...descriptorOf(manifest, digest, bytes.length),
  };
}

async function readImage(context: Context, { owner, image }: NewManifest, manifest: ImageManifest): Promise<ImageMetadata> {
  const imageId = await findImageId(context.db, owner, image);
  if (imageId === undefined) throw new ContainerError('BLOB_UNKNOWN');
  const { digest } = manifest.config;
  const config = (await findImageBlobs(context.db, imageId, [digest])).get(digest);
  if (!config) throw new ContainerError('BLOB_UNKNOWN');
  return await readConfig(context, config, manifest.config.mediaType);
}

/** The contents of a manifest, each once. */
async function findParts(db: Db, imageId: number, { config, layers }: ImageManifest): Promise<Part[]> {
  const descriptors = [config, ...layers];
  const blobs = await findImageBlobs(
    db,
    imageId,
    descriptors.map(({ digest }) => digest),
  );
  const parts = new Map<string, Part>();
  for (const [index, descriptor] of descriptors.entries()) {
    const blob = blobs.get(descriptor.digest);
    if (!blob && index > 0 && isForeignType(descriptor.mediaType)) continue;
    if (!blob) throw new ContainerError('BLOB_UNKNOWN');
    if (!parts.has(blob.sha256)) parts.set(blob.sha256, { descriptor, blob });
  }
  const isOfSize = ({ digest, size }: Descriptor) => (blobs.get(digest)?.size ?? size) === size;
  if (!descriptors.every(isOfSize)) throw new ContainerError('SIZE_INVALID');
  return [...parts.values()];
}

/** The manifests of an index, each with the bytes of all its files. */
async function metadataOfIndex(db: Db, imageId: number, { manifests }: ImageIndex): Promise<ImageMetadata> {
  const digests = manifests.map(({ digest }) => digest);
  const contents = await findImageBlobs(db, imageId, digests);
  const sizes = await sizesOf(db, imageId, [...new Set([...contents.values()].map(({ sha256 }) => sha256))]);
  const rows = manifests.map(({ mediaType, digest, platform }) => {
    if (!isManifestType(mediaType) && !isIndexType(mediaType)) throw new ContainerError('MANIFEST_INVALID');
    const size = sizes.get(contents.get(digest)?.sha256 ?? '');
    if (size === undefined) throw new ContainerError('MANIFEST_BLOB_UNKNOWN');
    return { platform: platform || DEFAULT_PLATFORM, digest, size };
  });
  return { type: 'oci', manifests: rows };
}

/** The bytes of all files of manifests, by the SHA-256 of the manifest; of several versions with the same, those of one. */
async function sizesOf(db: Db, imageId: number, digests: readonly string[]): Promise<Map<string, number>> {
  if (digests.length === 0) return new Map();
  const versions = await db
    .selectFrom('package_blobs')
    .innerJoin('package_files', 'package_files.blob_id', 'package_blobs.id')
    .innerJoin('package_versions', 'package_versions.id', 'package_files.version_id')
    .select(['package_blobs.sha256', ({ fn }) => fn.min('package_versions.id').as('id')])
    .where('package_blobs.sha256', 'in', [...digests])
    .where('package_files.lower_name', '=', MANIFEST_FILE)
    .where('package_versions.package_id', '=', imageId)
    .groupBy('package_blobs.sha256')
    .execute();
  if (versions.length === 0) return new Map();
  const sums = await db
    .selectFrom('package_files')
    .innerJoin('package_blobs', 'package_blobs.id', 'package_files.blob_id')
    .select(['package_files.version_id', ({ fn }) => fn.sum<number>('package_blobs.size').as('size')])
    .where(
      'package_files.version_id',
      'in',
      versions.map(({ id }) => Number(id)),
    )
    .groupBy('package_files.version_id')
    .execute();
  const byVersion = new Map(sums.map(({ version_id, size }) => [version_id, Number(size)]));
  return new Map(versions.map(({ id, sha256 }) => [sha256, byVersion.get(Number(id)) ?? 0]));
}
