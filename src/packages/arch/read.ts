import type { Context } from '../../context.ts';
import { compressionOf } from '../archives/decompress.ts';
import { MAX_PKGINFO, PackageInfo } from '../archives/pkginfo.ts';
import { readTar } from '../archives/tar.ts';
import { type Content, openArchive, readHead } from '../blobs/content.ts';
import { invalid } from '../errors.ts';
import { webUrlOf, withoutEmpty } from '../protocol/values.ts';

/** The stored metadata of a version. */
export interface VersionMetadata {
  readonly description?: string;
  readonly project_url?: string;
  readonly licenses?: readonly string[];
}

/** The stored metadata of a file: a version has one for each architecture. */
export interface FileMetadata {
  readonly architecture: string;
  readonly base?: string;
  readonly installed_size?: number;
  readonly build_date?: number;
  readonly packager?: string;
  readonly groups?: readonly string[];
  readonly provides?: readonly string[];
  readonly replaces?: readonly string[];
  readonly depends?: readonly string[];
  readonly opt_depends?: readonly string[];
  readonly make_depends?: readonly string[];
  readonly check_depends?: readonly string[];
  readonly conflicts?: readonly string[];
  readonly xdata?: readonly string[];
  readonly backup?: readonly string[];
  readonly files?: readonly string[];
}

/** The metadata in a package. */
export interface ArchPackage {
  readonly name: string;
  readonly version: string;
  /** The end of its file's name, such as `zst`. */
  readonly extension: string;
  readonly versionMetadata: VersionMetadata;
  readonly fileMetadata: FileMetadata;
}

const EXTENSIONS = { gzip: 'gz', xz: 'xz', zstd: 'zst', bzip2: undefined, none: undefined } as const;
/** Length limit of the paths of all files, which are listed in the database, in characters. */
const MAX_PATHS = 8 * 1024 * 1024;

/**
 * Reads a package (https://man.archlinux.org/man/PKGBUILD.5).
 * @throws PackageError 400
 */
export async function readPackage(context: Context, blob: Content): Promise<ArchPackage> {
  const compression = compressionOf(await readHead(context, blob));
  const extension = EXTENSIONS[compression];
  if (!extension) throw invalid('unsupported package container format');
  const files: string[] = [];
  let characters = 0;
  let text: string | undefined;
  await readTar(
    await openArchive(context, blob),
    async ({ path, isFile, read }) => {
      const name = path.slice(path.lastIndexOf('/') + 1);
      if (!isFile) return undefined;
      if (name === '.PKGINFO') text = (await read()).toString('utf8');
      if (name.startsWith('.')) return undefined;
      characters += path.length;
      if (characters > MAX_PATHS || /\p{Cc}/u.test(path)) throw invalid('the paths of the files are too long, or have control characters');
      files.push(path);
      return undefined;
    },
    { compression, maxEntryBytes: MAX_PKGINFO },
  );
  if (text === undefined) throw invalid('.PKGINFO file is missing');
  return describe(new PackageInfo(text), extension, files);
}

function describe(info: PackageInfo, extension: string, files: readonly string[]): ArchPackage {
  const [name, version, architecture] = [info.text('pkgname'), info.text('pkgver'), info.text('arch')];
  if (!/^[a-z0-9@._+-]+$/i.test(name)) throw invalid('package name is invalid');
  if (!/^(?:\d:)?[\w.+~]+(?:-[-\w.+~]+)?$/.test(version)) throw invalid('package version is invalid');
  if (!/^\w[\w.-]*$/.test(architecture)) throw invalid('package architecture is invalid');
  for (const field of ['builddate', 'size']) {
    if (info.texts(field).length > 0 && info.integer(field) === undefined) throw invalid(`.PKGINFO: ${field} is not a number`);
  }
  const versionMetadata = withoutEmpty({
    description: info.text('pkgdesc'),
    project_url: webUrlOf(info.text('url')),
    licenses: info.texts('license'),
  });
  const fileMetadata = withoutEmpty({
    base: info.text('pkgbase'),
    installed_size: info.integer('size'),
    build_date: info.integer('builddate'),
    packager: info.text('packager'),
    groups: info.texts('group'),
    provides: info.texts('provides'),
    replaces: info.texts('replaces'),
    depends: info.texts('depend'),
    opt_depends: info.texts('optdepend'),
    make_depends: info.texts('makedepend'),
    check_depends: info.texts('checkdepend'),
    conflicts: info.texts('conflict'),
    xdata: info.texts('xdata'),
    backup: info.texts('backup'),
    files,
  });
  return { name, version, extension, versionMetadata, fileMetadata: { ...fileMetadata, architecture } };
}
