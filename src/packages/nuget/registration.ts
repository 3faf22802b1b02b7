import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { wireTime } from '../../http/schema.ts';
import { retainDocuments } from '../indexes/block-store.ts';
import type { ListedVersion } from '../indexes/blocks.ts';
import type { IndexFile } from '../indexes/build.ts';
import { ComposedDocument, cachedBlocks } from '../indexes/composed.ts';
import { jsonItems } from '../indexes/json-items.ts';
import { describeListed, listVersions, type VersionOfPackage } from '../indexes/listed-versions.ts';
import { type DescribedVersion, findPublished } from '../registry/describe.ts';
import { contentUrl, leafUrl, registrationUrl, registryUrl } from './links.ts';
import type { NugetMetadata } from './nuspec.ts';

/** The names of the files of a package's index. */
export const INDEX = { registration: 'registration.json', versions: 'versions.json' } as const;

/** The part of the index with the names of all versions. */
const NAMES = 'names';

type Described = DescribedVersion<NugetMetadata>;

/**
 * Builds the metadata of all versions of a package, and their list; the composite key is the URL in its links:
 * https://learn.microsoft.com/en-us/nuget/api/registration-base-url-resource#registration-index
 */
export async function buildRegistration(context: Context, owner: User, name: string): Promise<readonly IndexFile[]> {
  const { db } = context;
  const index = { ownerId: owner.id, type: 'nuget', key: name } as const;
  const row = await findPublished(db, { ownerId: owner.id, type: 'nuget', name });
  const url = registryUrl(context, owner);
  await retainDocuments(db, index, row ? [url, NAMES] : []);
  if (!row) return [];
  const versions = await listVersions(context, row.id, 'loose');
  const write = async (some: readonly ListedVersion[], isFirst: boolean) => {
    const items = (await describeListed<NugetMetadata>(db, some)).map((described) => JSON.stringify(presentItem(url, described)));
    return jsonItems(items, isFirst);
  };
  const parts = cachedBlocks(context, { index, name: url, versions, write });
  const newest = await listVersions(context, row.id, 'newest');
  // As clients of Gitea get them; they sort by themselves.
  const writeNames = async (some: readonly VersionOfPackage[], isFirst: boolean) =>
    jsonItems(
      some.map(({ version }) => JSON.stringify(version)),
      isFirst,
    );
  const names = cachedBlocks(context, { index, name: NAMES, versions: newest, write: writeNames });
  return [
    {
      name: INDEX.registration,
      compositeKey: url,
      content: new ComposedDocument([headOf(url, row.name, versions), parts, ']}]}']),
    },
    { name: INDEX.versions, compositeKey: url, content: new ComposedDocument(['{"versions":[', names, ']}']) },
  ];
}

function headOf(url: string, name: string, versions: readonly VersionOfPackage[]): string {
  const id = registrationUrl(url, name);
  const root = { '@id': id, '@type': ['catalog:CatalogRoot', 'PackageRegistration', 'catalog:Permalink'], count: 1 };
  const page = { '@id': id, lower: versions[0]?.version ?? '', upper: versions.at(-1)?.version ?? '', count: versions.length };
  return `${JSON.stringify(root).slice(0, -1)},"items":[${JSON.stringify(page).slice(0, -1)},"items":[`;
}

function presentItem(url: string, described: Described) {
  const { name } = described.package;
  const { version } = described.version;
  return {
    '@id': leafUrl(url, name, version),
    packageContent: contentUrl(url, name, version),
    catalogEntry: presentEntry(url, described),
  };
}

/** The metadata of one version: https://learn.microsoft.com/en-us/nuget/api/registration-base-url-resource#registration-leaf */
export function presentLeaf(url: string, described: Described) {
  const { name } = described.package;
  const { version } = described.version;
  return {
    '@id': leafUrl(url, name, version),
    '@type': ['Package', 'http://schema.nuget.org/catalog#Permalink'],
    packageContent: contentUrl(url, name, version),
    registration: registrationUrl(url, name),
    catalogEntry: presentEntry(url, described),
  };
}

function presentEntry(url: string, described: Described) {
  const { package: row, version, metadata } = described;
  return {
    '@id': leafUrl(url, row.name, version.version),
    ...presentAbout(described),
    packageContent: contentUrl(url, row.name, version.version),
    releaseNotes: metadata.releaseNotes ?? '',
    published: wireTime(version.created_at),
  };
}

/** The common fields of entries and search results. */
export function presentAbout({ package: row, version: { version }, metadata }: Described) {
  return {
    authors: metadata.authors ?? '',
    copyright: metadata.copyright ?? '',
    dependencyGroups: Object.entries(metadata.dependencies ?? {}).map(([targetFramework, dependencies]) => ({
      targetFramework,
      dependencies: dependencies.map((dependency) => ({ id: dependency.id, range: dependency.version })),
    })),
    description: metadata.description ?? '',
    iconUrl: metadata.iconUrl ?? '',
    id: row.name,
    isPrerelease: version.includes('-'),
    language: metadata.language ?? '',
    licenseUrl: metadata.licenseUrl ?? '',
    projectUrl: metadata.projectUrl ?? '',
    requireLicenseAcceptance: metadata.requireLicenseAcceptance ?? false,
    summary: metadata.summary ?? '',
    tags: metadata.tags ?? '',
    version,
  };
}
