import { invalid } from '../errors.ts';

/** The parts of a path of a repository. */
export interface MavenPath {
  /** The package: `groupId:artifactId`. */
  readonly name: string;
  /** Empty for the metadata of all versions. */
  readonly version: string;
  /** Without the extension of a checksum. */
  readonly file: string;
  /** The digest that is requested or sent instead of the file itself. */
  readonly checksum: Checksum | undefined;
  /** Whether the file is metadata, which clients replace. */
  readonly isMetadata: boolean;
}

export type Checksum = 'md5' | 'sha1' | 'sha256' | 'sha512';

const METADATA = 'maven-metadata.xml';
const CHECKSUM = { read: /^(.*)\.(md5|sha1|sha256|sha512)$/is, write: /^(.*)\.(md5|sha1|sha256|sha512)$/s };
const ILLEGAL = /[\\/:"<>|?*]/;

/**
 * Parses `com/example/group/artifact/1.0/FILE`, or `com/example/group/artifact/maven-metadata.xml`; a version that ends with `-SNAPSHOT`
 * has its own metadata. Checksums are requested in any case, and sent only in lower case: for clients of Gitea `FILE.MD5` is a file.
 * @throws PackageError 400
 */
export function readMavenPath(path: string, use: 'read' | 'write' = 'read'): MavenPath {
  const parts = path.split('/');
  const last = parts.pop() ?? '';
  const [, file = last, checksum] = CHECKSUM[use].exec(last) ?? [];
  const isMetadata = file === METADATA;
  const version = isMetadata && !parts.at(-1)?.endsWith('-SNAPSHOT') ? '' : (parts.pop() ?? '');
  const artifact = parts.pop() ?? '';
  const group = parts.join('.');
  if (group === '' || artifact === '' || (version === '' && !isMetadata) || [group, artifact, version].some((part) => ILLEGAL.test(part))) {
    throw invalid('request parameters are invalid');
  }
  return { name: `${group}:${artifact}`, version, file, checksum: checksum?.toLowerCase() as Checksum | undefined, isMetadata };
}
