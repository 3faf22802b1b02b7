import { PackageError } from '../errors.ts';
import { parseJsonObject } from '../protocol/parse-json.ts';
import { objectOf, textOf } from '../protocol/values.ts';
import { checkMetadata } from '../registry/limits.ts';
import { type NpmMetadata, readManifest } from './metadata.ts';

/** What is read of the document that a client sends to publish, or to change what it has published. */
export interface NpmDocument {
  readonly name: string;
  readonly tags: readonly string[];
  readonly versions: readonly NpmVersion[];
  /** The first of the versions. */
  readonly manifest: NpmManifest | undefined;
}

/** A version in a document. */
export interface NpmVersion {
  readonly version: string;
  /** Undefined if the document does not say. */
  readonly deprecated: string | undefined;
}

/** The manifest of a version to publish. */
export interface NpmManifest {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
  readonly metadata: NpmMetadata;
}

/** Objects, lists and members: clients deprecate a version with the manifests of all of them. */
const MAX_PARTS = 3_000_000;
const MAX_VERSIONS = 20_000;
const MAX_TAGS = 1000;

/** Reads a document, or returns why it is refused. One of 8 MiB takes up to a second. */
export function run(bytes: Uint8Array): { read: NpmDocument } | { refusal: string } {
  try {
    const document = parseJsonObject('the document', Buffer.from(bytes), MAX_PARTS);
    const versions = Object.values(objectOf(document.versions)).map(objectOf);
    const tags = Object.keys(objectOf(document['dist-tags']));
    if (versions.length > MAX_VERSIONS) return { refusal: `the document has more than ${MAX_VERSIONS} versions` };
    if (tags.length > MAX_TAGS) return { refusal: `the document has more than ${MAX_TAGS} tags` };
    return { read: { name: textOf(document.name), tags, versions: versions.map(versionOf), manifest: manifestOf(versions[0]) } };
  } catch (error) {
    if (error instanceof PackageError) return { refusal: error.message };
    throw error;
  }
}

function versionOf({ version, deprecated }: Record<string, unknown>): NpmVersion {
  return { version: textOf(version), deprecated: typeof deprecated === 'string' ? deprecated : undefined };
}

function manifestOf(manifest: Record<string, unknown> | undefined): NpmManifest | undefined {
  if (!manifest) return undefined;
  const metadata = readManifest(manifest);
  checkMetadata(JSON.stringify(metadata));
  const integrity = textOf(objectOf(manifest.dist).integrity);
  return { name: textOf(manifest.name), version: textOf(manifest.version), integrity, metadata };
}
