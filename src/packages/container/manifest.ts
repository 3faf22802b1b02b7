import { parseJsonObject } from '../protocol/parse-json.ts';
import { objectOf, textMapOf, textOf } from '../protocol/values.ts';
import { ContainerError } from './errors.ts';
import { isDigest } from './names.ts';

/** What a manifest refers to: image specification, "OCI Content Descriptors". */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  /** Bytes. */
  readonly size: number;
  /** The platform of a manifest in an index, such as `linux/arm64/v8`; empty if it has none. */
  readonly platform: string;
}

/** A manifest of an image or an artifact, or an index of manifests. */
export type Manifest = ImageManifest | ImageIndex;

interface Common {
  /** A known media type, in lower case. */
  readonly mediaType: string;
  /** The digest of the manifest that this one refers to as its subject. */
  readonly subject: string | undefined;
  readonly artifactType: string | undefined;
  readonly annotations: Readonly<Record<string, string>>;
}

/** Image specification, "OCI Image Manifest", and Docker's schema 2. */
export interface ImageManifest extends Common {
  readonly kind: 'manifest';
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
}

/** Image specification, "OCI Image Index", and Docker's list of manifests. */
export interface ImageIndex extends Common {
  readonly kind: 'index';
  readonly manifests: readonly Descriptor[];
}

/** Size limit of a manifest in bytes: the minimum that the specification requires of registries. */
export const MAX_MANIFEST = 4 * 1024 * 1024;
/** Maximum number of references of one manifest. */
const MAX_DESCRIPTORS = 1000;
const MAX_MEDIA_TYPE = 255;
const MANIFESTS = ['application/vnd.oci.image.manifest.v1+json', 'application/vnd.docker.distribution.manifest.v2+json'];
const INDEXES = ['application/vnd.oci.image.index.v1+json', 'application/vnd.docker.distribution.manifest.list.v2+json'];

/** Whether a layer has a media type that need not be in a registry, such as parts of Windows: clients get them elsewhere. */
export function isForeignType(mediaType: string): boolean {
  return /^application\/vnd\.(?:oci\.image\.layer\.nondistributable|docker\.image\.rootfs\.foreign)\./.test(mediaType);
}

/** Whether this is the media type of a manifest, and not of an index. */
export function isManifestType(mediaType: string): boolean {
  return MANIFESTS.includes(mediaType.toLowerCase());
}

/** Whether this is the media type of an index. */
export function isIndexType(mediaType: string): boolean {
  return INDEXES.includes(mediaType.toLowerCase());
}

/**
 * Reads a manifest.
 * @param contentType the request's; the document's own media type counts if that is unknown
 * @throws ContainerError MANIFEST_INVALID, UNSUPPORTED
 */
export function readManifest(bytes: Buffer, contentType: string): Manifest {
  const document = parse(bytes);
  if (document.schemaVersion !== 2) throw new ContainerError('UNSUPPORTED', { message: 'Schema version is not supported' });
  const own = textOf(document.mediaType).toLowerCase();
  const mediaType = [contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '', own].find(isRegistryType);
  if (mediaType === undefined) throw new ContainerError('MANIFEST_INVALID', { message: 'MediaType not recognized' });
  const isIndex = INDEXES.includes(mediaType);
  if (!isIndex && !isManifestType(mediaType)) throw new ContainerError('MANIFEST_INVALID');
  // A document that could be read as either kind is refused (CVE-2021-41190).
  if ((isIndex ? isManifestType(own) : INDEXES.includes(own)) || (isIndex ? 'layers' in document : 'manifests' in document)) {
    throw new ContainerError('MANIFEST_INVALID', { message: 'MediaType does not match the content' });
  }
  const common: Common = {
    mediaType,
    subject: document.subject == null ? undefined : subjectOf(document.subject),
    artifactType: textOf(document.artifactType) || undefined,
    annotations: textMapOf(document.annotations),
  };
  if (isIndex) return { kind: 'index', ...common, manifests: descriptorsOf(document.manifests) };
  return { kind: 'manifest', ...common, config: descriptorOf(document.config), layers: descriptorsOf(document.layers) };
}

function parse(bytes: Buffer): Record<string, unknown> {
  try {
    return parseJsonObject('the manifest', bytes);
  } catch (error) {
    throw new ContainerError('MANIFEST_INVALID', { message: (error as Error).message });
  }
}

function isRegistryType(mediaType: string): boolean {
  return mediaType.startsWith('application/vnd.docker.') || mediaType.startsWith('application/vnd.oci.');
}

function subjectOf(value: unknown): string {
  const digest = textOf(objectOf(value).digest);
  if (!isDigest(digest)) throw new ContainerError('MANIFEST_INVALID', { message: 'the subject has no digest' });
  return digest;
}

function descriptorsOf(value: unknown): Descriptor[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new ContainerError('MANIFEST_INVALID', { message: 'descriptors must be a list' });
  if (value.length > MAX_DESCRIPTORS) {
    throw new ContainerError('MANIFEST_INVALID', { message: `the manifest has more than ${MAX_DESCRIPTORS} descriptors` });
  }
  return value.map(descriptorOf);
}

function descriptorOf(value: unknown): Descriptor {
  const { mediaType, digest, size, platform } = objectOf(value);
  if (textOf(mediaType).length > MAX_MEDIA_TYPE) throw new ContainerError('MANIFEST_INVALID', { message: 'a media type is too long' });
  return {
    mediaType: textOf(mediaType),
    digest: textOf(digest),
    size: typeof size === 'number' ? size : 0,
    platform: platformOf(platform),
  };
}

function platformOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  const { os, architecture, variant } = objectOf(value);
  return [textOf(os), textOf(architecture), ...(textOf(variant) ? [textOf(variant)] : [])].join('/');
}
