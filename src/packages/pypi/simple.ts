import type { ExpressionBuilder, SqlBool } from 'kysely';
import type { Context } from '../../context.ts';
import type { Db } from '../../database/database.ts';
import type { User } from '../../database/tables/accounts.ts';
import type { Tables } from '../../database/tables.ts';
import { wireTime } from '../../http/schema.ts';
import { retainDocuments } from '../indexes/block-store.ts';
import type { ListedVersion } from '../indexes/blocks.ts';
import type { IndexFile } from '../indexes/build.ts';
import { ComposedDocument, cachedBlocks } from '../indexes/composed.ts';
import { jsonItems } from '../indexes/json-items.ts';
import { describeListed, type VersionOfPackage, versionsOfPackage } from '../indexes/listed-versions.ts';
import { readLongList } from '../indexes/long-lists.ts';
import { escapeSegment } from '../protocol/escape.ts';
import { type DescribedVersion, findPublished } from '../registry/describe.ts';
import type { FoundFile } from '../registry/find.ts';
import { hasCoreMetadata } from './core-metadata.ts';
import { anchor, pageAround } from './html.ts';
import type { PypiMetadata } from './upload.ts';

/** The names of the files that list a project. */
export const SIMPLE = { html: 'simple.html', json: 'simple.json' } as const;

/** The part of the list with the names of all versions. */
const NAMES = 'names';

/** The URL of an owner's registry. */
export function registryUrl({ settings }: Pick<Context, 'settings'>, owner: User): string {
  return `${settings.server.rootUrl}api/packages/${owner.name}/pypi`;
}

/** Builds the lists of a project's files. The composite key is the URL that is in their links. */
export async function buildSimple(context: Context, owner: User, name: string): Promise<readonly IndexFile[]> {
  const { db } = context;
  const index = { ownerId: owner.id, type: 'pypi', key: name } as const;
  const row = await findPublished(db, { ownerId: owner.id, type: 'pypi', name });
  const url = registryUrl(context, owner);
  const [html, json] = [`html ${url}`, `json 714 ${url}`];
  await retainDocuments(db, index, row ? [html, json, NAMES] : []);
  if (!row) return [];
  const all = await readLongList<VersionOfPackage & { has_files: SqlBool }>(context, {
    of: { packageId: row.id },
    name: 'with files',
    order: (a, b) => (a.lower_version < b.lower_version ? -1 : 1),
    read: (isRead) => versionsOfPackage(db, row.id).select(hasFiles).where(isRead).execute(),
  });
  const versions = all.every(({ has_files }) => has_files) ? all : all.filter(({ has_files }) => has_files);
  const links = cachedBlocks(context, {
    index,
    name: html,
    versions,
    write: async (some) => (await itemsOf(db, some, linkTo(url))).join(''),
  });
  const write = async (some: readonly ListedVersion[], isFirst: boolean) => jsonItems(await itemsOf(db, some, entryOf(url)), isFirst);
  const files = cachedBlocks(context, { index, name: json, versions, write });
  const [start, end] = pageAround(row.name);
  const head = `{"meta":{"api-version":"1.1"},"name":${JSON.stringify(row.name.toLowerCase())},"files":[`;
  const writeNames = async (some: readonly VersionOfPackage[], isFirst: boolean) =>
    jsonItems(
      some.map(({ version }) => JSON.stringify(version)),
      isFirst,
    );
  const names = cachedBlocks(context, { index, name: NAMES, versions: all, write: writeNames });
  return [
    { name: SIMPLE.html, compositeKey: url, content: new ComposedDocument([start, links, end]) },
    { name: SIMPLE.json, compositeKey: url, content: new ComposedDocument([head, files, '],"versions":[', names, ']}']) },
  ];
}

type Described = DescribedVersion<PypiMetadata>;

/** A version can be without files, and then is in a list of versions alone. */
function hasFiles({ exists, selectFrom }: ExpressionBuilder<Tables, 'package_versions'>) {
  return exists(selectFrom('package_files').select('id').whereRef('version_id', '=', 'package_versions.id')).as('has_files');
}

async function itemsOf(db: Db, versions: readonly ListedVersion[], present: (version: Described, file: FoundFile) => string) {
  const described = await describeListed<PypiMetadata>(db, versions);
  return described.flatMap((version) => version.files.map((file) => present(version, file)));
}

/** PEP 503. */
function linkTo(url: string) {
  return (version: Described, found: FoundFile) => {
    const href = `${fileUrl(url, version, found)}#sha256=${found.blob.sha256}`;
    return anchor(href, found.file.name, { 'data-requires-python': version.metadata.requiresPython || undefined });
  };
}

/** PEP 691, 700 and 714. */
function entryOf(url: string) {
  return (version: Described, found: FoundFile) => JSON.stringify(fileOf(url, version, found));
}

function fileOf(url: string, version: Described, found: FoundFile) {
  const { file, blob } = found;
  return {
    filename: file.name,
    url: fileUrl(url, version, found),
    hashes: { sha256: blob.sha256 },
    'requires-python': version.metadata.requiresPython,
    // PEP 714; without a digest, since nothing of a wheel is read before somebody asks.
    'core-metadata': hasCoreMetadata(file.name) || undefined,
    size: blob.size,
    'upload-time': wireTime(file.created_at),
  };
}

function fileUrl(url: string, { package: row, version }: Described, { file }: FoundFile): string {
  return `${url}/files/${escapeSegment(row.lower_name)}/${escapeSegment(version.version)}/${escapeSegment(file.name)}`;
}
