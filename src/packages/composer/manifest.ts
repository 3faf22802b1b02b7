import type { Context } from '../../context.ts';
import { findInBzip2Tar } from '../archives/bzip2-tar.ts';
import { compressionOf } from '../archives/decompress.ts';
import { findFiles, loosePath } from '../archives/find-files.ts';
import { randomAccess, readZip } from '../archives/zip.ts';
import { type Content, openArchive, readHead } from '../blobs/content.ts';
import { invalid } from '../errors.ts';
import { parseJson } from '../protocol/parse-json.ts';
import { isDeeperThan, objectOf, textMapOf, textOf, textsOf, webUrlOf, withoutEmpty } from '../protocol/values.ts';
import { parseVersion } from '../versions/loose.ts';

/** Size limit of a readme in bytes. */
const MAX_README = 10 * 1024;
/** Objects and lists within each other. */
const MAX_DEPTH = 50;

const TEXT_LISTS = ['keywords', '_comment', 'license', 'bin', 'include-path'] as const;
const OBJECTS = ['autoload', 'autoload-dev', 'extra', 'php-ext'] as const;
const TEXT_MAPS = ['require', 'require-dev', 'suggest', 'provide', 'replace', 'conflict', 'support'] as const;
const OTHERS = ['description', 'readme', 'homepage', 'authors', 'target-dir', 'funding', 'abandoned'] as const;
/** All that may be kept of a version. */
export const METADATA_KEYS: readonly string[] = [...OTHERS, ...TEXT_LISTS, ...OBJECTS, ...TEXT_MAPS];

/** The stored metadata of a version, by the names of its manifest: https://getcomposer.org/doc/04-schema.md */
export type ComposerMetadata = Readonly<Record<string, unknown>>;

/** A package that was read. */
export interface ComposerPackage {
  readonly name: string;
  readonly version: string;
  readonly type: string;
  /** The name of its file. */
  readonly file: string;
  readonly metadata: ComposerMetadata;
}

type Extension = '.zip' | '.tar.gz' | '.tar.bz2';

/**
 * Reads the manifest of a package.
 * @param wantedVersion for a manifest that names none
 * @throws PackageError 400
 */
export async function readPackage(context: Context, blob: Content, wantedVersion: string): Promise<ComposerPackage> {
  const extension = await extensionOf(context, blob);
  const read = (path: string) => readFile(context, blob, extension, path);
  const manifest = parseManifest(await read('composer.json'));
  const name = textOf(manifest.name);
  if (!/^[a-z0-9]+(?:[_.-][a-z0-9]+)*\/[a-z0-9]+(?:(?:[_.]|--?)[a-z0-9]+)*$/.test(name)) throw invalid('package name is invalid');
  const version = textOf(manifest.version) || wantedVersion;
  if (!parseVersion(version)) throw invalid('package version is invalid');
  const readme = (await read(textOf(manifest.readme) || 'README.md'))?.subarray(0, MAX_README).toString('utf8') ?? '';
  return {
    name,
    version,
    type: textOf(manifest.type) || 'library',
    file: `${name.replace('/', '-')}.${version}${extension}`,
    metadata: readMetadata(manifest, readme),
  };
}

function parseManifest(bytes: Buffer | undefined): Record<string, unknown> {
  if (!bytes) throw invalid('composer.json file is missing');
  const parsed = parseJson('composer.json', bytes);
  if (isDeeperThan(parsed, MAX_DEPTH)) throw invalid(`composer.json has more than ${MAX_DEPTH} objects and lists within each other`);
  return objectOf(parsed);
}

function readMetadata(manifest: Readonly<Record<string, unknown>>, readme: string): ComposerMetadata {
  const authors = objectsOf(manifest.authors).map(({ name, email, homepage }) =>
    withoutEmpty({ name: textOf(name), email: textOf(email), homepage: textOf(homepage) }),
  );
  const funding = objectsOf(manifest.funding).map(({ type, url }) => withoutEmpty({ type: textOf(type), url: webUrlOf(url) }));
  const of = <T>(read: (value: unknown) => T, keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, read(manifest[key])]));
  return withoutEmpty({
    description: textOf(manifest.description),
    readme,
    ...of(textsOf, TEXT_LISTS),
    homepage: webUrlOf(manifest.homepage),
    authors,
    'target-dir': textOf(manifest['target-dir']),
    funding: funding.filter(({ url }) => url !== undefined),
    // What to use in its place, or that nothing is.
    abandoned: manifest.abandoned === true || textOf(manifest.abandoned),
    ...of(objectOf, OBJECTS),
    ...of(textMapOf, TEXT_MAPS),
  });
}

function objectsOf(value: unknown): Record<string, unknown>[] {
  return (Array.isArray(value) ? value : []).map(objectOf);
}

async function extensionOf(context: Context, blob: Content): Promise<Extension> {
  const head = await readHead(context, blob);
  if (head.toString('latin1', 0, 2) === 'PK') return '.zip';
  const compression = compressionOf(head);
  if (compression === 'gzip') return '.tar.gz';
  if (compression === 'bzip2') return '.tar.bz2';
  throw invalid('not a valid package file');
}

/** A file at the top of the archive, ignoring case; undefined if there is none. */
async function readFile(context: Context, blob: Content, extension: Extension, path: string): Promise<Buffer | undefined> {
  if (extension === '.zip') return await readZipped(context, blob, path);
  const wanted = { paths: [path], isLoose: true };
  const found =
    extension === '.tar.gz'
      ? await findFiles(await openArchive(context, blob), wanted, 'gzip')
      : await findInBzip2Tar(context, blob, wanted);
  const bytes = found.get(path);
  return bytes && Buffer.from(bytes);
}

async function readZipped(context: Context, blob: Content, path: string): Promise<Buffer | undefined> {
  let found: Buffer | undefined;
  await readZip(randomAccess(context, blob), async (entry) => {
    if (!entry.isFile || loosePath(entry.path) !== loosePath(path)) return undefined;
    found = await entry.read();
    return 'stop';
  });
  return found;
}
