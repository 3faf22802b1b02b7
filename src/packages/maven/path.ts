import { invalid } from '../errors.ts';

/** What a path of a repository names. */
export interface MavenPath {
  /** The package: `groupId:artifactId`. */
  readonly name: string;
  /** Empty for the metadata of all versions. */
  readonly version: string;
  /** Without the extension of a checksum. */
  readonly file: string;
  /** The digest that is wanted or sent instead of the file itself. */
  readonly checksum: Checksum | undefined;
  /** Whether the file is metadata, which clients replace. */
  readonly isMetadata: boolean;
}

export type Checksum = 'md5' | 'sha1' | 'sha256' | 'sha512';

const METADATA = 'maven-metadata.xml';
const CHECKSUM = { read: /^(.*)\.(md5|sha1|sha256|sha512)$/is, write: /^(.*)\.(md5|sha1|sha256|sha512)$/s };
const ILLEGAL = /[\\/:"<>|?*]/;

/**
 * Reads `com/example/group/artifact/1.0/FILE`, or `com/example/group/artifact/maven-metadata.xml`; a version that ends with `-SNAPSHOT`
 * has metadata of its own. Checksums are asked for in any case, and sent in lower case alone: clients of Gitea know `FILE.MD5` as a file.
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
