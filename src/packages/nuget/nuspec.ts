import type { Context } from '../../context.ts';
import { readXml } from '../archives/read-xml.ts';
import { childElements, childText } from '../archives/xml.ts';
import { type RandomAccess, readZip } from '../archives/zip.ts';
import { invalid } from '../errors.ts';
import { objectOf, textOf, webUrlOf, withoutEmpty } from '../protocol/values.ts';
import { type LooseVersion, parseVersion } from '../versions/loose.ts';

/** Size limit of a nuspec and of a readme in bytes. */
const MAX_NUSPEC = 3 * 1024 * 1024;
const MAX_README = 1024 * 1024;

/** A dependency: its package, and the range of versions. */
export interface NugetDependency {
  readonly id: string;
  readonly version: string;
}

/** The stored metadata of a version. */
export interface NugetMetadata {
  readonly authors?: string;
  readonly copyright?: string;
  readonly description?: string;
  readonly developmentDependency?: boolean;
  readonly iconUrl?: string;
  readonly language?: string;
  readonly licenseUrl?: string;
  readonly minClientVersion?: string;
  readonly owners?: string;
  readonly projectUrl?: string;
  readonly readme?: string;
  readonly releaseNotes?: string;
  readonly repositoryUrl?: string;
  readonly requireLicenseAcceptance?: boolean;
  readonly summary?: string;
  readonly tags?: string;
  readonly title?: string;
  /** By target framework; the empty key is for all. */
  readonly dependencies?: Readonly<Record<string, readonly NugetDependency[]>>;
}

/** A package that was read. */
export interface NugetPackage {
  readonly id: string;
  readonly version: string;
  /** Whether it contains the symbols of another package. */
  readonly isSymbols: boolean;
  readonly metadata: NugetMetadata;
  /** The document itself, which clients read without the package. */
  readonly nuspec: Buffer;
}

/**
 * Reads the metadata of a package: https://learn.microsoft.com/en-us/nuget/reference/nuspec
 * @throws PackageError 400
 */
export async function readPackage(context: Pick<Context, 'workers'>, source: RandomAccess): Promise<NugetPackage> {
  const nuspec = await readEntry(source, (path) => !path.includes('/') && /\.nuspec$/i.test(path), MAX_NUSPEC, 'Nuspec file is too large');
  if (!nuspec) throw invalid('Nuspec file is missing');
  const [metadata] = childElements((await readXml(context, nuspec, MAX_NUSPEC)).package, 'metadata');
  const id = childText(metadata, 'id');
  if (!/^\w+(?:[.-]\w+)*$/.test(id)) throw invalid('Nuspec file contains an invalid id');
  const version = parseVersion(childText(metadata, 'version'));
  if (!version) throw invalid('Nuspec file contains an invalid version');
  const types = childElements(childElements(metadata, 'packageTypes')[0], 'packageType');
  const isSymbols = types.some((type) => attribute(type, 'name') === 'SymbolsPackage');
  const readmePath = childText(metadata, 'readme').replaceAll('\\', '/');
  const readme =
    readmePath === '' ? undefined : await readEntry(source, (path) => path === readmePath, MAX_README, 'the readme is too large');
  return { id, version: normalize(version), isSymbols, metadata: readMetadata(metadata, readme?.toString('utf8') ?? ''), nuspec };
}

async function readEntry(
  source: RandomAccess,
  isWanted: (path: string) => boolean,
  maxSize: number,
  tooLarge: string,
): Promise<Buffer | undefined> {
  let found: Buffer | undefined;
  await readZip(source, async ({ path, isFile, size, read }) => {
    if (!isFile || !isWanted(path)) return undefined;
    if (size > maxSize) throw invalid(tooLarge);
    found = await read();
    return 'stop';
  });
  return found;
}

function readMetadata(metadata: unknown, readme: string): NugetMetadata {
  const text = (name: string) => childText(metadata, name);
  const isTrue = (name: string) => /^(?:true|t|1)$/i.test(text(name));
  return withoutEmpty({
    authors: text('authors'),
    copyright: text('copyright'),
    description: text('description'),
    ...(isTrue('developmentDependency') && { developmentDependency: true }),
    iconUrl: text('iconUrl'),
    language: text('language'),
    licenseUrl: text('licenseUrl'),
    minClientVersion: attribute(metadata, 'minClientVersion'),
    owners: text('owners'),
    projectUrl: webUrlOf(text('projectUrl')),
    readme,
    releaseNotes: text('releaseNotes'),
    repositoryUrl: attribute(childElements(metadata, 'repository')[0], 'url'),
    ...(isTrue('requireLicenseAcceptance') && { requireLicenseAcceptance: true }),
    summary: text('summary'),
    tags: text('tags'),
    title: text('title'),
    dependencies: readDependencies(childElements(metadata, 'dependencies')[0]),
  });
}

function readDependencies(element: unknown): Record<string, NugetDependency[]> {
  const listed = (parent: unknown) =>
    childElements(parent, 'dependency')
      .map((dependency) => ({ id: attribute(dependency, 'id'), version: attribute(dependency, 'version') }))
      .filter(({ id, version }) => id !== '' && version !== '');
  const groups = childElements(element, 'group').map((group) => [attribute(group, 'targetFramework'), listed(group)] as const);
  return Object.fromEntries([['', listed(element)] as const, ...groups].filter(([, dependencies]) => dependencies.length > 0));
}

function attribute(element: unknown, name: string): string {
  return textOf(objectOf(element)[`@${name}`]);
}

/** https://learn.microsoft.com/en-us/nuget/concepts/package-versioning#normalized-version-numbers */
function normalize({ numbers, prerelease }: LooseVersion): string {
  const shown = (numbers[3] ?? 0) > 0 ? numbers.slice(0, 4) : numbers.slice(0, 3);
  return `${shown.join('.')}${prerelease && `-${prerelease}`}`;
}
