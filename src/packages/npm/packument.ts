import { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { IndexFile } from '../indexes/build.ts';
import { escapeAll, escapeSegment } from '../protocol/escape.ts';
import { type DescribedVersion, eachVersion, findPublished } from '../registry/describe.ts';
import { byLooseVersion } from '../versions/loose.ts';
import type { NpmMetadata } from './metadata.ts';
import { listTags } from './tags.ts';

/** The name of the file that has all versions of a package. */
export const PACKUMENT = 'packument.json';

/** The URL of an owner's registry. */
export function registryUrl({ settings }: Pick<Context, 'settings'>, owner: User): string {
  return `${settings.server.rootUrl}api/packages/${owner.name}/npm`;
}

/** Builds the document of a package, which the registry's API calls a packument. The composite key is the URL that is in its links. */
export async function buildPackument(context: Context, owner: User, name: string): Promise<readonly IndexFile[]> {
  const row = await findPublished(context.db, { ownerId: owner.id, type: 'npm', name });
  if (!row) return [];
  const url = registryUrl(context, owner);
  const content = Readable.from(packument(context, row.id, url), { objectMode: false });
  return [{ name: PACKUMENT, compositeKey: url, content }];
}

/** The document in pieces, as versions are read. */
async function* packument(context: Context, packageId: number, url: string): AsyncGenerator<string> {
  let latest: DescribedVersion<NpmMetadata> | undefined;
  const times: Record<string, string> = {};
  let modified = 0;
  for await (const batch of eachVersion<NpmMetadata>(context.db, packageId)) {
    for (const described of batch) {
      const { version } = described.version;
      yield `${latest ? ',' : '{"versions":{'}${JSON.stringify(version)}:${JSON.stringify(presentVersion(url, described))}`;
      times[version] = dateOf(described.version.created_at);
      modified = Math.max(modified, described.version.created_at);
      if (!latest || byLooseVersion(version, latest.version.version) > 0) latest = described;
    }
  }
  if (!latest) return;
  const { package: row, metadata } = latest;
  const tags = Object.fromEntries(await listTags(context.db, packageId));
  const about = {
    _id: row.name,
    name: row.name,
    description: metadata.description ?? '',
    ...(Object.keys(tags).length > 0 && { 'dist-tags': tags }),
    readme: metadata.readme,
    homepage: metadata.homepage,
    repository: metadata.repository ?? { type: '', url: '' },
    author: { name: metadata.author ?? '' },
    license: metadata.license,
    // Clients that leave out versions younger than some days take one without a date for too young.
    time: { created: dateOf(latest.package.created_at), modified: dateOf(modified), ...times },
  };
  yield `},${JSON.stringify(about).slice(1)}\n`;
}

function dateOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

function presentVersion(url: string, { package: { name }, version: { version }, metadata, files }: DescribedVersion<NpmMetadata>) {
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
    readme: metadata.readme,
    deprecated: metadata.deprecated,
    dist: {
      integrity: `sha512-${Buffer.from(lead?.blob.sha512 ?? '', 'hex').toString('base64')}`,
      shasum: lead?.blob.sha1 ?? '',
      tarball: `${url}/${escapeAll(name)}/-/${escapeSegment(version)}/${escapeSegment(lead?.file.lower_name ?? '')}`,
    },
  };
}
