import { createHash } from 'node:crypto';
import type { Context } from '../../context.ts';
import { readGzipMember } from '../archives/gzip-member.ts';
import { MAX_PKGINFO, PackageInfo } from '../archives/pkginfo.ts';
import { readTar } from '../archives/tar.ts';
import { type RandomAccess, randomAccess } from '../archives/zip.ts';
import type { Content } from '../blobs/content.ts';
import { invalid } from '../errors.ts';
import { webUrlOf, withoutEmpty } from '../protocol/values.ts';

/** The stored metadata of a version. */
export interface VersionMetadata {
  readonly description?: string;
  readonly license?: string;
  readonly project_url?: string;
  readonly maintainer?: string;
}

/** The stored metadata of a file: a version has one for each architecture. */
export interface FileMetadata {
  /** Of the control part in the package. */
  readonly checksum: string;
  readonly packager?: string;
  readonly build_date?: number;
  readonly size?: number;
  readonly architecture: string;
  readonly origin?: string;
  readonly commit_hash?: string;
  readonly install_if?: string;
  readonly provides?: readonly string[];
  readonly dependencies?: readonly string[];
  readonly provider_priority?: number;
}

/** The metadata in a package. */
export interface AlpinePackage {
  readonly name: string;
  readonly version: string;
  readonly versionMetadata: VersionMetadata;
  readonly fileMetadata: FileMetadata;
}

/** A package has three parts: signature, control, files. */
const MAX_PARTS = 10;
const MAX_PART_BYTES = 1024 ** 3;

/**
 * Reads a package: several concatenated archives, one of which has the `.PKGINFO` (https://wiki.alpinelinux.org/wiki/Apk_spec).
 * @throws PackageError 400
 */
export async function readPackage(context: Context, blob: Content): Promise<AlpinePackage> {
  const source = randomAccess(context, blob);
  let at = 0;
  for (let part = 0; part < MAX_PARTS && (at < source.size || part === 0); part++) {
    const begin = at;
    let text: string | undefined;
    const read = async (plain: Parameters<typeof readTar>[0]) =>
      readTar(
        plain,
        async ({ path, read }) => {
          if (path === '.PKGINFO') text = (await read()).toString('utf8');
          return undefined;
        },
        { compression: 'none', maxEntryBytes: MAX_PKGINFO },
      );
    at = await readGzipMember(source, begin, read, { maxBytes: MAX_PART_BYTES });
    if (text !== undefined) return describe(new PackageInfo(text), `Q1${await sha1(source, begin, at)}`);
  }
  throw invalid('PKGINFO file is missing');
}

function describe(info: PackageInfo, checksum: string): AlpinePackage {
  const [name, version, architecture] = [info.text('pkgname'), info.text('pkgver'), info.text('arch')];
  if (!isWord(name)) throw invalid('package name is invalid');
  if (!isWord(version)) throw invalid('package version is invalid');
  if (!isWord(architecture)) throw invalid('package architecture is invalid');
  const versionMetadata = withoutEmpty({
    description: info.text('pkgdesc'),
    license: info.text('license'),
    project_url: webUrlOf(info.text('url')),
    maintainer: info.text('maintainer'),
  });
  const fileMetadata = withoutEmpty({
    packager: info.text('packager'),
    build_date: info.integer('builddate'),
    size: info.integer('size'),
    origin: info.text('origin'),
    commit_hash: info.text('commit'),
    install_if: info.text('install_if'),
    provides: info.texts('provides'),
    dependencies: info.texts('depend'),
    provider_priority: info.integer('provider_priority'),
  });
  return { name, version, versionMetadata, fileMetadata: { ...fileMetadata, checksum, architecture } as FileMetadata };
}

/** Whether it is valid in a URL and in a line of the index. */
export function isWord(text: string): boolean {
  return /^[^\s/|\p{Cc}]+$/u.test(text);
}

async function sha1(source: RandomAccess, start: number, end: number): Promise<string> {
  const hash = createHash('sha1');
  for await (const chunk of await source.open({ start, end: end - 1 })) hash.update(chunk as Buffer);
  return hash.digest('base64');
}
