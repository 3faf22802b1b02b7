import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { User } from '../../database/tables/accounts.ts';
import { retainDocuments } from '../indexes/block-store.ts';
import { type ListedVersion, ofBlocks } from '../indexes/blocks.ts';
import type { IndexFile } from '../indexes/build.ts';
import { ComposedDocument, cachedBlocks } from '../indexes/composed.ts';
import { jsonItems } from '../indexes/json-items.ts';
import { describeListed, listVersions, type VersionOfPackage } from '../indexes/listed-versions.ts';
import { escapeAll, escapeSegment } from '../protocol/escape.ts';
import { type DescribedVersion, findPublished } from '../registry/describe.ts';
import { highestVersion } from '../versions/loose.ts';
import type { NpmMetadata } from './metadata.ts';
import { listTags } from './tags.ts';

/** The name of the file that has all versions of a package. */
export const PACKUMENT = 'packument.json';
/** The part of it with the publication times of all versions. */
const TIMES = 'times';

type Described = DescribedVersion<NpmMetadata>;

const highestOf = ofBlocks((versions: readonly VersionOfPackage[]) => highestVersion(versions));

/** The URL of an owner's registry. */
export function registryUrl({ settings }: Pick<Context, 'settings'>, owner: User): string {
  return `${settings.server.rootUrl}api/packages/${owner.name}/npm`;
}

/** Builds the document of a package, which the registry's API calls a packument. The composite key is the URL that is in its links. */
export async function buildPackument(context: Context, owner: User, name: string): Promise<readonly IndexFile[]> {
  const { db } = context;
  const index = { ownerId: owner.id, type: 'npm', key: name } as const;
  const row = await findPublished(db, { ownerId: owner.id, type: 'npm', name });
  const versions = row ? await listVersions(context, row.id, 'name') : [];
  const newest = highestVersion(highestOf(versions).filter((version) => version !== undefined));
  const url = registryUrl(context, owner);
  await retainDocuments(db, index, newest ? [url, TIMES] : []);
  if (!newest) return [];
  const latest = await describeVersion(db, newest);
  // It was deleted meanwhile.
  if (!latest) return await buildPackument(context, owner, name);
  const write = async (some: readonly ListedVersion[], isFirst: boolean) =>
    jsonItems((await describeListed<NpmMetadata>(db, some)).map(entryOf(url)), isFirst);
  const writeTimes = async (some: readonly VersionOfPackage[], isFirst: boolean) => jsonItems(some.map(timeOf), isFirst);
  const [head, tail] = around(latest, await listTags(db, latest.package.id), versions);
  const times = cachedBlocks(context, { index, name: TIMES, versions, write: writeTimes });
  const pieces = ['{"versions":{', cachedBlocks(context, { index, name: url, versions, write }), `},${head}`, times, tail];
  return [{ name: PACKUMENT, compositeKey: url, content: new ComposedDocument(pieces) }];
}

/** The part after the versions, before and after the times of all of them. */
function around({ package: row, metadata }: Described, tags: [string, string][], versions: readonly VersionOfPackage[]): [string, string] {
  const about = {
    _id: row.name,
    name: row.name,
    description: metadata.description ?? '',
    ...(tags.length > 0 && { 'dist-tags': Object.fromEntries(tags) }),
    readme: metadata.readme,
    homepage: metadata.homepage,
    repository: metadata.repository ?? { type: '', url: '' },
    author: { name: metadata.author ?? '' },
    license: metadata.license,
  };
  const modified = versions.reduce((latest, { created_at }) => Math.max(latest, created_at), 0);
  // Clients that leave out versions younger than some days take one without a date for too young.
  const time = { created: dateOf(row.created_at), modified: dateOf(modified) };
  return [`${JSON.stringify(about).slice(1, -1)},"time":${JSON.stringify(time).slice(0, -1)},`, '}}\n'];
}

function timeOf({ version, created_at }: VersionOfPackage): string {
  return `${JSON.stringify(version)}:"${dateOf(created_at)}"`;
}

function entryOf(url: string) {
  return (described: Described) => `${JSON.stringify(described.version.version)}:${JSON.stringify(presentVersion(url, described))}`;
}

async function describeVersion(db: Db, version: ListedVersion): Promise<Described | undefined> {
  const [found] = await describeListed<NpmMetadata>(db, [version]);
  return found;
}

function dateOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

function presentVersion(url: string, { package: { name }, version: { version }, metadata, files }: Described) {
  const [lead] = files;
  return {
    _id: `${name}@${version}`,
    name,
    version,
    description: metadata.description ?? '',
    author: { name: metadata.author ?? '' },
    homepage: metadata.homepage,
    license: metadata.license,
    // Clients of Gitea find the repository in the package alone.
    repository: { type: '', url: '' },
    dependencies: metadata.dependencies,
    bundleDependencies: metadata.bundleDependencies,
    devDependencies: metadata.devDependencies,
    peerDependencies: metadata.peerDependencies,
    peerDependenciesMeta: metadata.peerDependenciesMeta,
    bin: metadata.bin,
    optionalDependencies: metadata.optionalDependencies,
    engines: metadata.engines,
    os: metadata.os,
    cpu: metadata.cpu,
    libc: metadata.libc,
    hasInstallScript: metadata.hasInstallScript,
    funding: metadata.funding,
    readme: metadata.readme,
    deprecated: metadata.deprecated,
    dist: {
      integrity: `sha512-${Buffer.from(lead?.blob.sha512 ?? '', 'hex').toString('base64')}`,
      shasum: lead?.blob.sha1 ?? '',
      tarball: `${url}/${escapeAll(name)}/-/${escapeSegment(version)}/${escapeSegment(lead?.file.lower_name ?? '')}`,
    },
  };
}
