import { findRepository, type Repository } from '../../access/find-repository.ts';
import { repositoryAccess } from '../../access/repository-access.ts';
import type { Context } from '../../context.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { PackageRow } from '../../database/tables/packages.ts';
import { wireTime } from '../../http/schema.ts';
import { repositoryHtmlUrl } from '../../repositories/urls.ts';
import { retainDocuments } from '../indexes/block-store.ts';
import type { ListedVersion } from '../indexes/blocks.ts';
import type { IndexFile } from '../indexes/build.ts';
import { ComposedDocument, cachedBlocks } from '../indexes/composed.ts';
import { describeListed, listVersions } from '../indexes/listed-versions.ts';
import { escapeSegment } from '../protocol/escape.ts';
import { type DescribedVersion, findPublished } from '../registry/describe.ts';
import { propertyOf } from '../registry/properties.ts';
import { type ComposerMetadata, METADATA_KEYS } from './manifest.ts';

/** The name of the file that has all versions of a package. */
export const DOCUMENT = 'packages.json';
/** The property that has the type of a version. */
export const TYPE_PROPERTY = 'composer.type';

/** The URL of an owner's registry. */
export function registryUrl({ settings }: Pick<Context, 'settings'>, owner: User): string {
  return `${settings.server.rootUrl}api/packages/${owner.name}/composer`;
}

/** The document of a package for a caller, as the composite key: only readers of the repository see the URL of the source. */
export async function documentFor(context: Context, owner: User, row: PackageRow): Promise<string> {
  const repository = row.repository_id === null ? undefined : await findRepository(context.db, row.repository_id);
  const isVisible = repository && (await repositoryAccess(context, repository, context.actor)).isVisible;
  return keyOf(context, owner, isVisible ? repository : undefined);
}

/** Builds the documents of a package: https://getcomposer.org/doc/05-repositories.md#metadata-url-available-packages-and-available-package-patterns */
export async function buildDocuments(context: Context, owner: User, name: string): Promise<readonly IndexFile[]> {
  const index = { ownerId: owner.id, type: 'composer', key: name } as const;
  const row = await findPublished(context.db, { ownerId: owner.id, type: 'composer', name });
  const linked = row?.repository_id ? await findRepository(context.db, row.repository_id) : undefined;
  const sources = row ? [undefined, ...(linked ? [linked] : [])] : [];
  await retainDocuments(
    context.db,
    index,
    sources.map((repository) => blocksName(keyOf(context, owner, repository))),
  );
  if (!row) return [];
  const versions = await listVersions(context, row.id, 'newest');
  return sources.map((repository) => {
    const key = keyOf(context, owner, repository);
    const write = versionWriter(context, owner, repository);
    const parts = cachedBlocks(context, { index, name: blocksName(key), versions, write });
    const head = `{"minified":"composer/2.0","packages":{${JSON.stringify(row.name)}:[`;
    return { name: DOCUMENT, compositeKey: key, content: new ComposedDocument([head, parts, ']}}']) };
  });
}

function keyOf(context: Context, owner: User, repository: Repository | undefined): string {
  const url = registryUrl(context, owner);
  return repository ? `${url} ${repositoryHtmlUrl(context.settings, repository)}` : url;
}

/** Blocks mark the fields as deleted that versions had when they were made: other fields need other blocks. */
function blocksName(key: string): string {
  return `${METADATA_KEYS.length} ${key}`;
}

function versionWriter(context: Context, owner: User, repository: Repository | undefined) {
  const url = registryUrl(context, owner);
  const source = repository && repositoryHtmlUrl(context.settings, repository);
  return async (versions: readonly ListedVersion[], isFirst: boolean): Promise<string> => {
    let text = '';
    let before: readonly string[] = isFirst ? [] : METADATA_KEYS;
    for (const described of await describeListed<ComposerMetadata>(context.db, versions)) {
      const version = presentVersion(url, described, source);
      // Clients inherit missing fields from the version before, unless they are marked as deleted.
      const gone = before.filter((key) => !(key in version));
      text += `${isFirst && text === '' ? '' : ','}${JSON.stringify({ ...version, ...Object.fromEntries(gone.map((key) => [key, '__unset'])) })}`;
      before = Object.keys(version);
    }
    return text;
  };
}

function presentVersion(
  url: string,
  { package: row, version, metadata, files, properties }: DescribedVersion<ComposerMetadata>,
  source?: string,
) {
  const [lead] = files;
  const file = [row.lower_name, version.lower_version, lead?.file.lower_name ?? ''].map(escapeSegment).join('/');
  return {
    ...metadata,
    name: row.name,
    version: version.version,
    type: propertyOf(properties, TYPE_PROPERTY) ?? '',
    time: wireTime(version.created_at),
    dist: { type: 'zip', url: `${url}/files/${file}`, shasum: lead?.blob.sha1 ?? '' },
    source: source === undefined ? { url: '', type: '', reference: '' } : { url: source, type: 'git', reference: version.version },
  };
}
