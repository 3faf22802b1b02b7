import type { StoredContent } from '../blobs/store.ts';

/** A file of a distribution, as its release lists it. */
export interface ListedFile {
  /** From the folder of the distribution. */
  readonly path: string;
  readonly content: StoredContent;
}

/** The fields of a release file (https://wiki.debian.org/DebianRepository/Format#A.22Release.22_files). */
export interface Release {
  readonly origin: string;
  readonly distribution: string;
  readonly components: readonly string[];
  readonly architectures: readonly string[];
  readonly files: readonly ListedFile[];
}

const DIGESTS = [
  ['MD5Sum', 'md5'],
  ['SHA1', 'sha1'],
  ['SHA256', 'sha256'],
  ['SHA512', 'sha512'],
] as const;

/** The text of a release file, with the current time. */
export function writeRelease({ origin, distribution, components, architectures, files }: Release): string {
  const fields = [
    ['Origin', origin],
    ['Label', origin],
    ['Suite', distribution],
    ['Codename', distribution],
    ['Components', components.join(' ')],
    ['Architectures', architectures.join(' ')],
    ['Date', new Date().toUTCString().replace('GMT', 'UTC')],
    ['Acquire-By-Hash', 'yes'],
  ];
  const digests = DIGESTS.flatMap(([field, digest]) => [
    `${field}:`,
    ...files.map(({ path, content }) => ` ${content[digest]} ${content.size} ${path}`),
  ]);
  return `${[...fields.map(([name, value]) => `${name}: ${value}`), ...digests].join('\n')}\n`;
}
