import { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { User } from '../../database/tables/accounts.ts';
import { PackageError } from '../errors.ts';
import type { IndexFile } from '../indexes/build.ts';
import { escapeAll, escapeSegment } from '../protocol/escape.ts';
import { type DescribedVersion, describeVersions, findPublished } from '../registry/describe.ts';
import { eachFragment, type Fragment } from '../registry/fragments.ts';
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
  let newest: Fragment | undefined;
  const make = (version: DescribedVersion<NpmMetadata>) =>
    `${JSON.stringify(version.version.version)}:${JSON.stringify(presentVersion(url, version))}`;
  const times: Record<string, string> = {};
  let modified = 0;
  for await (const batch of eachFragment(context.db, packageId, { variant: url, make })) {
    yield `${newest ? ',' : '{"versions":{'}${batch.map(({ content }) => content).join(',')}`;
    for (const fragment of batch) {
      times[fragment.version] = dateOf(fragment.created_at);
      modified = Math.max(modified, fragment.created_at);
      if (!newest || byLooseVersion(fragment.version, newest.version) > 0) newest = fragment;
    }
  }
  if (!newest) return;
  const latest = await describeVersion(context.db, newest.id);
  if (!latest) throw new PackageError('invalid', { status: 503, message: 'a version was deleted meanwhile: try again' });
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

async function describeVersion(db: Db, id: number): Promise<DescribedVersion<NpmMetadata> | undefined> {
  const rows = await db.selectFrom('package_versions').selectAll().where('id', '=', id).execute();
  return (await describeVersions<NpmMetadata>(db, rows))[0];
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
