import { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import { wireTime } from '../../http/schema.ts';
import type { IndexFile } from '../indexes/build.ts';
import { type DescribedVersion, eachVersion, findPublished } from '../registry/describe.ts';
import { byLooseVersion, compareVersions, type LooseVersion, parseLooseVersion } from '../versions/loose.ts';
import { contentUrl, leafUrl, registrationUrl, registryUrl } from './links.ts';
import type { NugetMetadata } from './nuspec.ts';

/** The names of the files of a package's index. */
export const INDEX = { registration: 'registration.json', versions: 'versions.json' } as const;

type Described = DescribedVersion<NugetMetadata>;

/**
 * Builds what is known of all versions of a package, and their list; the composite key is the URL that is in its links:
 * https://learn.microsoft.com/en-us/nuget/api/registration-base-url-resource#registration-index
 */
export async function buildRegistration(context: Context, owner: User, name: string): Promise<readonly IndexFile[]> {
  const row = await findPublished(context.db, { ownerId: owner.id, type: 'nuget', name });
  if (!row) return [];
  const url = registryUrl(context, owner);
  const items: { version: string; parsed: LooseVersion | undefined; text: string }[] = [];
  for await (const batch of eachVersion<NugetMetadata>(context.db, row.id)) {
    for (const described of batch) {
      const { version } = described.version;
      items.push({ version, parsed: parseLooseVersion(version), text: JSON.stringify(presentItem(url, described)) });
    }
  }
  items.sort((a, b) => (a.parsed && b.parsed ? compareVersions(a.parsed, b.parsed) : byLooseVersion(a.version, b.version)));
  const versions = items.map(({ version }) => version);
  const content = Readable.from(documentOf(url, row.name, items), { objectMode: false });
  return [
    { name: INDEX.registration, compositeKey: url, content },
    { name: INDEX.versions, compositeKey: url, content: Buffer.from(JSON.stringify({ versions })) },
  ];
}

function* documentOf(url: string, name: string, items: readonly { version: string; text: string }[]): Generator<string> {
  const id = registrationUrl(url, name);
  const root = { '@id': id, '@type': ['catalog:CatalogRoot', 'PackageRegistration', 'catalog:Permalink'], count: 1 };
  const page = { '@id': id, lower: items[0]?.version ?? '', upper: items.at(-1)?.version ?? '', count: items.length };
  yield `${JSON.stringify(root).slice(0, -1)},"items":[${JSON.stringify(page).slice(0, -1)},"items":[`;
  for (const [index, { text }] of items.entries()) yield index === 0 ? text : `,${text}`;
  yield ']}]}';
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

/** What is known of one version: https://learn.microsoft.com/en-us/nuget/api/registration-base-url-resource#registration-leaf */
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

/** What entries and results of searches have in common. */
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
